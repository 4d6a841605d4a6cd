"""What a turn does, in words: the actions as they come, the points that each brings, and what those rest on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.completion import Completion, complete
from companion.advisor.effects import Effect, effects, paid, unknown_words
from companion.advisor.expectation import Expectation, Rival, unknown_cards, unseen
from companion.language.lists import listed, listed_or
from companion.language.numbers import decimal
from companion.language.phrase import Phrase, counted, joined, say, term
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN
from companion.rules.engine.game import step
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.engine.turn import Move, lone_turn, play_move
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    CardsTaken,
    DjinnPaid,
    Event,
    MeepleDropped,
    MeeplesTaken,
    NobodyKilled,
    TileClaimed,
)
from companion.rules.model.position import Position
from companion.rules.model.state import FRESH, GameState, Stage, Taken

NO_POINTS = say("brings no points at once")


@dataclass(frozen=True, slots=True)
class Possibility:
    """Points that hang on something not known, in words ("+10 if orange has no viziers").

    `expected` is what they come to on average, in VP; `chance` how likely they are, None where they are an average.
    """

    text: str
    expected: float
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A turn explained: the squares claimed, everything it does, and what it gains in VP.

    `possible` are points that hang on what is not known, `conditions` what must hold for the turn to be legal and is
    not known ("only if black does not own Boaz"); `uncounted` are the mover's djinns whose powers he may pay for in
    this turn, which no gain counts.
    """

    claims: tuple[int, ...]
    effects: tuple[Effect, ...]
    possible: tuple[Possibility, ...] = ()
    conditions: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()

    @property
    def gain(self) -> int:
        """The sum of all effects in VP, which is sure."""
        return sum(effect.points for effect in self.effects)

    @property
    def expected(self) -> float:
        """The gain and what is to be expected of what is not known, in VP."""
        return self.gain + sum(one.expected for one in self.possible)

    @property
    def actions(self) -> list[str]:
        """What the turn does, one short text each."""
        return [effect.text for effect in self.effects]

    @property
    def why(self) -> str:
        """The effects that bring or cost points, their sum, and what else bears on it."""
        parts = [str(effect) for effect in self.effects if effect.points]
        total = joined("", (joined(", ", parts), f" = {self.gain:+d}")) if parts else NO_POINTS
        left_out = [self.left_out] if self.uncounted else []
        return joined("; ", [total, *(one.text for one in self.possible), *self.conditions, *left_out])

    @property
    def left_out(self) -> str:
        """The powers that are not counted, in words; nothing where there are none."""
        djinns = listed([term(djinn) for djinn in self.uncounted])
        if len(self.uncounted) > 1:
            return say("not counted: the powers of {djinns}", djinns=djinns)
        return say("not counted: the power of {djinns}", djinns=djinns) if self.uncounted else ""


def explain(completion: Completion, move: Move) -> Explanation:
    """Play a turn of the mover and explain it. Raises what playing it raises."""
    listener = _Listener(completion)
    play_move(completion.position, move, watch=listener.hear, progress=completion.progress)
    return listener.explanation()


@dataclass(frozen=True, slots=True)
class ExplainedTurn:
    """A whole turn explained, with its powers and sales.

    `begins` is the state that it begins in, with what is not known filled in as `completion.complete` does. `steps` are
    its decisions with what happens at each; `taken` are the meeples taken in hand, None if none were moved;
    `open_before` says what is drawn where the turn cannot be told further ("djinn", "meeple"), "" where it is told to
    its end.
    """

    explanation: Explanation
    begins: GameState
    steps: tuple[tuple[Action, tuple[Event, ...]], ...]
    taken: Taken | None
    open_before: str = ""


def fresh_turn(position: Position, *, moves: bool) -> GameState:
    """The turn of the player to move on a bare position, all his powers unused, with meeples to move or none.

    Raises what `lone_turn` raises.
    """
    lone = replace(lone_turn(position), progress=FRESH, hidden=(0,) * len(position.colours))
    return lone if moves else replace(lone, stage=Stage.CLOSE)


def explain_turn(state: GameState, actions: Sequence[Action]) -> ExplainedTurn:
    """Play a turn of the mover from a state to its end, decision by decision, and explain it.

    Raises what playing it raises.
    """
    completion = complete(state.position, state.mover, state.progress)
    listener = _Listener(completion, powers=True)
    # Nobody spends what he may not have, so that cards which only their owner has seen are no cards to sell.
    begins = replace(state, position=completion.position, hidden=(0,) * len(completion.position.players))
    state, open_before = begins, ""
    steps: list[tuple[Action, tuple[Event, ...]]] = []
    for action in actions:
        if isinstance(action, EndTurn):
            break
        try:
            done = step(state, action, UNSEEN, listener.hear)
        except ChanceNeededError as needed:
            steps.append((action, ()))
            open_before = needed.wanted
            break
        steps.append((action, done.events))
        state = done.state
    return ExplainedTurn(listener.explanation(), begins, tuple(steps), listener.taken, open_before)


class _Listener:
    """Listens to a turn; what each event brings is the points after it less those after the last one.

    With `powers` the turn is one in which powers that cost something are used, so that none is left out.
    """

    def __init__(self, completion: Completion, *, powers: bool = False) -> None:
        self.completion = completion
        self.expectation = completion.expectation
        self.mover = completion.expectation.mover
        self.last = completion.position
        self.points = self.expectation.certain(self.last)
        self.effects: list[Effect] = []
        self.claims: list[int] = []
        self.drop_income: dict[tuple[str, Colour], tuple[int, int]] = {}
        self.moving = False
        self.taken: Taken | None = None
        self.powers = powers
        self.events: list[Event] = []
        self.after_taking = 0
        self.payable: set[str] = set() if powers else _payable(completion, self.last)

    def hear(self, event: Event, after: Position) -> None:
        points = self.expectation.certain(after)
        brings, self.points = points - self.points, points
        if isinstance(event, MeepleDropped):
            self.moving = True
        if isinstance(event, MeeplesTaken):
            self.moving = False
            self.taken = Taken(event.square, event.tribe, event.count)
            for (djinn, to), (gold, income) in self.drop_income.items():
                payment = paid(djinn, to, gold, self.mover)
                self.effects.append(Effect(say("{payment} for the drops", payment=payment), income))
        elif isinstance(event, DjinnPaid) and self.moving:
            # Each drop may pay; told once for all of them.
            gold, income = self.drop_income.get((event.djinn, event.to), (0, 0))
            self.drop_income[event.djinn, event.to] = (gold + event.gold, income + brings)
        else:
            if isinstance(event, TileClaimed):
                self.claims.append(event.square)
            self.effects.extend(effects(event, self.last, after, brings, self.expectation))
        if isinstance(event, MeeplesTaken) or (isinstance(event, TileClaimed) and len(self.claims) == 1):
            self.after_taking = len(self.effects)
        if not self.powers:
            self.payable |= _payable(self.completion, after)
        self.events.append(event)
        self.last = after

    def explanation(self) -> Explanation:
        """What was heard; the mover's djinns stand in the order in which he got them."""
        owned = self.last.player(self.mover).djinns or ()
        nobody = any(isinstance(event, NobodyKilled) for event in self.events)
        if nobody:
            self.effects.insert(self.after_taking, Effect(say("the assassins find nobody in reach"), 0))
        return Explanation(
            tuple(self.claims),
            tuple(self.effects),
            tuple(_possible(self.completion, self.last, unknown_cards(self.events))),
            tuple(_conditions(self.completion, self.events, nobody=nobody)),
            tuple(name for name in owned if name in self.payable),
        )


def _payable(completion: Completion, position: Position) -> set[str]:
    """The mover's djinns with a power that he can pay for in a turn, or may be able to pay for (rules 11)."""
    known = completion.original.player(completion.expectation.mover)
    player = position.player(completion.expectation.mover)
    elders = math.inf if known.elders is None else player.elders or 0
    fakirs = math.inf if known.fakirs is None else player.fakirs or 0
    return {
        name
        for name in player.djinns or ()
        if name not in completion.progress.used
        and any(elders >= price and fakirs >= more for price, more in EVERY_DJINN[name].cost.payments)
    }


def _possible(completion: Completion, after: Position, cards: int) -> Iterator[Possibility]:
    """Points that hang on what is not known, each with what it is likely to bring."""
    expectation, before = completion.expectation, completion.position
    for rival in expectation.rivals:
        if rival.known and expectation.own_known:
            continue
        chance = expectation.chance_ahead(rival, after) - expectation.chance_ahead(rival, before)
        if chance > 0:
            condition = _if_overtaken(expectation, rival, before, after)
            text = joined(" ", (f"{VP_FOR_FEWER_VIZIERS:+d}", condition))
            yield Possibility(text, VP_FOR_FEWER_VIZIERS * chance, chance)
    of_cards = expectation.goods_points(after, cards) - expectation.goods_points(before)
    if of_cards:
        yield Possibility(_of_cards(of_cards, cards, expectation), of_cards)


def _of_cards(points: float, cards: int, expectation: Expectation) -> Phrase:
    """What cards that nobody has seen, and goods that are not known, bring on average."""
    about, drawn = decimal(points, signed=True), unknown_words(cards)
    if not expectation.hand_size:
        return (
            say("about {points} for {cards}", points=about, cards=drawn)
            if cards
            else say("about {points}", points=about)
        )
    mover = term(expectation.mover)
    if cards:
        return say(
            "about {points} for {cards} with the goods that {player} may have", points=about, cards=drawn, player=mover
        )
    return say("about {points} with the goods that {player} may have", points=about, player=mover)


def _if_overtaken(expectation: Expectation, rival: Rival, before: Position, after: Position) -> Phrase:
    """When a rival falls behind in viziers by a turn (rules 10.2)."""
    other = None if rival.colour is None else term(rival.colour)
    if not expectation.own_known:
        whom = say("another player") if other is None else other
        return say("if {player} overtakes {other} in viziers", player=term(expectation.mover), other=whom)
    had, has = (position.player(expectation.mover).viziers or 0 for position in (before, after))
    number = _fewer(has, had)
    if other is None:
        return say("for each opponent with {number}", number=number)
    return say("if {player} has {number}", player=other, number=number)


def _fewer(has: int, had: int) -> Phrase:
    """How many viziers somebody has whom a player with so many overtakes now, and did not with as many as he had."""
    if has == 1:
        # Then he had none before, and nobody has fewer than none.
        return say("no viziers")
    fewer = say("fewer than {count} viziers", count=has)
    return say("{fewer} but at least {count}", fewer=fewer, count=had) if had else fewer


def _conditions(completion: Completion, events: Sequence[Event], *, nobody: bool) -> Iterator[Phrase]:
    """What must hold for the turn to be legal, where that is not known."""
    original, mover = completion.original, completion.expectation.mover
    for event in events:
        if isinstance(event, CardsTaken) and event.price and original.player(mover).gold is None:
            yield say("only if {player} has {what}", player=term(mover), what=counted(event.price, "GC"))
        if isinstance(event, AssassinsKilled):
            owners = dict.fromkeys(victim.owner for victim in event.victims if victim.owner is not None)
            for owner in owners:
                guards = [] if original.player(owner).djinns is not None else _unseen_guards(original)
                if guards:
                    djinns = listed_or([term(djinn) for djinn in guards])
                    yield say("only if {player} does not own {djinns}", player=term(owner), djinns=djinns)
    if nobody and _may_be_killed_in_front(completion):
        yield say("only if no opponent has a vizier or an elder in front that can be killed (rules 5.4)")


def _unseen_guards(position: Position) -> list[str]:
    """Djinns that guard their owner's viziers and elders and that nobody is known to have."""
    seen = {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())
    return [name for name, djinn in DJINNS.items() if djinn.guards and name not in seen]


def _may_be_killed_in_front(completion: Completion) -> bool:
    """Whether some opponent may have viziers or elders that nobody knows of."""
    if not all(rival.known for rival in completion.expectation.rivals):
        return True
    original = completion.original
    colours = [colour for colour in original.colours if colour is not completion.expectation.mover]
    return unseen(original, Tribe.ELDER) > 0 and (
        not colours or any(original.player(colour).elders is None for colour in colours)
    )
