"""What a turn does, in words: each event with the points that it brings at once, and what those rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.expectation import Expectation, expectation_of, unknown_cards
from companion.language.phrase import Phrase, counted, decimal, joined, listed_or, say, say_many, term
from companion.notation.wording import Style, doing, event_words, path_words, unknown_words
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN
from companion.rules.engine.game import step
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import Action, EndTurn, Sow, Sowing, sowing_in
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    CardsTaken,
    DjinnPaid,
    DjinnTaken,
    Event,
    MeepleDropped,
    MeeplesKept,
    MeeplesTaken,
    NobodyKilled,
    TileClaimed,
    VictimReaped,
)
from companion.rules.model.position import Position
from companion.rules.model.state import FRESH, GameState, Stage
from companion.simulation.unknowns import without_unknown_holdings


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that a turn does, in words ("claims e4"), and its VP; `detail` splits them by their causes."""

    text: str
    points: int
    detail: str = ""

    def __str__(self) -> str:
        return joined("", (self.text, " (", self.detail or f"{self.points:+d}", ")"))


@dataclass(frozen=True, slots=True)
class Possibility:
    """Points that hang on something not known ("+10 if orange has no viziers"), and the mean of them, in VP."""

    text: str
    expected: float


@dataclass(frozen=True, slots=True)
class ExplainedTurn:
    """A whole turn played by the rules: everything that it does, what it gains in VP, and how it's told.

    `begins` is the state that it begins in, without what isn't known (`without_unknown_holdings`); `steps` are its
    decisions with what happens at each. `possible` are points that depend on what isn't known; `conditions` are unknown
    things that must hold for the turn to be legal ("only if black does not own Boaz"). `open_before` says what is drawn
    where the turn can't be followed further ("djinn", "meeple"), "" where it ends.
    """

    begins: GameState
    steps: tuple[tuple[Action, tuple[Event, ...]], ...]
    effects: tuple[Effect, ...]
    possible: tuple[Possibility, ...] = ()
    conditions: tuple[str, ...] = ()
    open_before: str = ""

    @property
    def gain(self) -> int:
        """The sum of all effects in VP, which is sure."""
        return sum(effect.points for effect in self.effects)

    @property
    def expected(self) -> float:
        """The gain and what is to be expected of what is not known, in VP."""
        return self.gain + sum(possible.expected for possible in self.possible)

    @property
    def events(self) -> list[Event]:
        """Everything that happens, in order."""
        return [event for _, happened in self.steps for event in happened]

    @property
    def claims(self) -> tuple[int, ...]:
        return tuple(event.square for event in self.events if isinstance(event, TileClaimed))

    @property
    def taken(self) -> MeeplesTaken | None:
        """The meeples taken in hand, None if none were moved."""
        return next((event for event in self.events if isinstance(event, MeeplesTaken)), None)

    @property
    def sowing(self) -> Sowing | None:
        return sowing_in(action for action, _ in self.steps)

    @property
    def start(self) -> Phrase:
        """What to lift: "c3: lift its 4 meeples"."""
        if self.sowing is None:
            return say("djinns and goods: no meeples can move")
        square = SQUARE_NAMES[self.sowing.start]
        if len(self.sowing.path) == 1:
            return say("{square}: lift its only meeple", square=square)
        return say("{square}: lift its {meeples}", square=square, meeples=self._lifted(self.sowing))

    @property
    def path(self) -> str:
        """How the move goes, "c3 > c4b > d4y"; "" if there is none."""
        return "" if self.sowing is None else path_words(self.sowing)

    @property
    def headline(self) -> Phrase:
        """The whole turn in one line: powers before the move, the path, then everything else in its order."""
        return self._worded(Style.HEADLINE, f"{self.path}: ")

    @property
    def doing(self) -> Phrase:
        """The same with what is lifted and where it ends in place of the path."""
        if self.sowing is None:
            return self.headline
        start, end = SQUARE_NAMES[self.sowing.start], SQUARE_NAMES[self.sowing.end]
        lifting = say(
            "lift the {meeples} on {start} and end on {end}: ",
            meeples=self._lifted(self.sowing),
            start=start,
            end=end,
        )
        return self._worded(Style.HEADLINE, lifting)

    @property
    def aim(self) -> Phrase:
        """The turn as somebody says it at the table, without the way: "take 3 viziers on d5 and claim it, buy fish"."""
        return self._worded(Style.AIM)

    def _lifted(self, sowing: Sowing) -> Phrase:
        return counted(len(sowing.path), "meeple")

    def _worded(self, style: Style, way: str = "") -> Phrase:
        """All that is done, in its order; the `way` stands before the move and what follows it."""
        done, before = list[Phrase](), 0
        for action, happened in self.steps:
            before = len(done) if isinstance(action, Sow) else before
            done += doing(action, happened, self.begins.position.board, style)
        if self.open_before:
            done.append(say("carry on with what is drawn"))
        if not done:
            return say("no meeples can move, and nothing else is worth doing")
        if not way or self.sowing is None:
            return joined(", ", done)
        turn = joined("", (way, joined(", ", done[before:])))
        return say("{first}, then {turn}", first=joined(", ", done[:before]), turn=turn) if before else turn


def fresh_turn(position: Position, *, moves: bool) -> GameState:
    """The turn of the player to move on a bare position, with meeples to move or none. Raises as `lone_turn`."""
    lone = replace(lone_turn(position), progress=FRESH, hidden=(0,) * len(position.colours))
    return lone if moves else replace(lone, stage=Stage.CLOSE)


def explain_turn(state: GameState, actions: Sequence[Action]) -> ExplainedTurn:
    """Play a turn of the mover to its end, decision by decision, and explain it. Raises what playing it raises."""
    # Nobody spends what they may not have, so cards that only their owner has seen can't be sold.
    begins = replace(
        state, position=without_unknown_holdings(state.position), hidden=(0,) * len(state.position.players)
    )
    listener = _Listener(state.position, begins.position, expectation_of(state))
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
    effects, possible, conditions = listener.explanation()
    return ExplainedTurn(begins, tuple(steps), effects, possible, conditions, open_before)


class _Listener:
    """Counts what each event of a turn brings, from the position as it is `known` and as the turn `begins`."""

    def __init__(self, known: Position, begins: Position, expectation: Expectation) -> None:
        self.known, self.begins, self.expectation = known, begins, expectation
        self.mover = expectation.mover
        self.last = begins
        self.points = expectation.certain(begins)
        self.effects: list[Effect] = []
        self.drop_income: dict[tuple[str, Colour], tuple[int, int]] = {}
        self.moving = self.has_claimed = False
        self.events: list[Event] = []
        self.after_taking = 0

    def hear(self, event: Event, after: Position) -> None:
        points = self.expectation.certain(after)
        brings, self.points = points - self.points, points
        if isinstance(event, MeepleDropped):
            self.moving = True
        if isinstance(event, MeeplesTaken):
            self.moving = False
            for (djinn, to), (gold, income) in self.drop_income.items():
                payment = event_words(DjinnPaid(self.mover, djinn, to, gold))
                self.effects.append(Effect(say("{payment} for the drops", payment=payment), income))
        elif isinstance(event, DjinnPaid) and self.moving:
            # Each drop may pay; one effect stands for all of them.
            gold, income = self.drop_income.get((event.djinn, event.to), (0, 0))
            self.drop_income[event.djinn, event.to] = (gold + event.gold, income + brings)
        elif (text := event_words(event)) is not None:
            self.effects.append(Effect(text, brings, self._detail(event, after, brings)))
        if isinstance(event, MeeplesTaken) or (isinstance(event, TileClaimed) and not self.has_claimed):
            self.after_taking = len(self.effects)
        self.has_claimed |= isinstance(event, TileClaimed)
        self.events.append(event)
        self.last = after

    def explanation(self) -> tuple[tuple[Effect, ...], tuple[Possibility, ...], tuple[Phrase, ...]]:
        """What the turn does, points that hang on what isn't known, and what must hold."""
        nobody = any(isinstance(event, NobodyKilled) for event in self.events)
        if nobody:
            self.effects.insert(self.after_taking, Effect(say("the assassins have nobody within reach"), 0))
        return tuple(self.effects), tuple(self._possible()), tuple(self._conditions(nobody=nobody))

    def _detail(self, event: Event, after: Position, points: int) -> str:
        """How the points of an event split, where they have several causes; "" where they don't."""
        match event:
            case MeeplesKept() | AssassinsKilled() | VictimReaped():
                return self._overtaking(after, points)
            case CardsTaken(price=price) if price:
                return say("cards {points}, price {price}", points=f"{points + price:+d}", price=f"{-price:+d}")
            case DjinnTaken() if event.elders or event.fakirs:
                return self._of_djinn(event, points)
        return ""

    def _of_djinn(self, event: DjinnTaken, points: int) -> Phrase:
        player = self.last.player(event.by)
        poorer = replace(player, elders=(player.elders or 0) - event.elders, fakirs=(player.fakirs or 0) - event.fakirs)
        cost = self.expectation.certain(self.last.with_player(poorer)) - self.expectation.certain(self.last)
        worth = EVERY_DJINN[event.djinn].vp
        power = points - worth - cost
        by_power = [say("its power {points}", points=f"{power:+d}")] if power else []
        return joined(", ", [f"{worth:+d}", *by_power, say("price {points}", points=f"{cost:+d}")])

    def _overtaking(self, after: Position, points: int) -> str:
        """How the points split when opponents fall behind in viziers; nothing if none is known to do so."""
        was, now = self.expectation.behind(self.last), self.expectation.behind(after)
        if was == now:
            return ""
        for_overtaking = VP_FOR_FEWER_VIZIERS * (now - was)
        ahead = _ahead(now - was, f"{for_overtaking:+d}", more=bool(was))
        own = points - for_overtaking
        return joined(", ", (f"{own:+d}", ahead)) if own else ahead

    def _possible(self) -> Iterator[Possibility]:
        """Points that depend on what isn't known, each with what it is likely to bring."""
        expectation, before, after = self.expectation, self.begins, self.last
        for rival, known in expectation.rivals.items():
            if known and expectation.own_viziers_known:
                continue
            chance = expectation.chance_ahead(rival, after) - expectation.chance_ahead(rival, before)
            if chance > 0:
                text = joined(" ", (f"{VP_FOR_FEWER_VIZIERS:+d}", self._if_overtaken(rival)))
                yield Possibility(text, VP_FOR_FEWER_VIZIERS * chance)
        cards = unknown_cards(self.events)
        of_cards = expectation.goods_points(after, cards) - expectation.goods_points(before)
        if of_cards:
            yield Possibility(self._of_cards(of_cards, cards), of_cards)

    def _of_cards(self, points: float, cards: int) -> Phrase:
        """What cards that nobody has seen, and goods that aren't known, bring on average."""
        about, drawn, mover = decimal(points, signed=True), unknown_words(cards), term(self.mover)
        if self.expectation.own_hand_known:
            return say("about {points} for {cards}", points=about, cards=drawn)
        if cards:
            return say(
                "about {points} for {cards} with the goods that {player} may have",
                points=about,
                cards=drawn,
                player=mover,
            )
        return say("about {points} with the goods that {player} may have", points=about, player=mover)

    def _if_overtaken(self, rival: Colour) -> Phrase:
        """When a rival falls behind in viziers by the turn (rules 10.2)."""
        if not self.expectation.own_viziers_known:
            return say("if {player} overtakes {other} in viziers", player=term(self.mover), other=term(rival))
        had, has = (position.player(self.mover).viziers or 0 for position in (self.begins, self.last))
        return say("if {player} has {number}", player=term(rival), number=_fewer(has, had))

    def _conditions(self, *, nobody: bool) -> Iterator[Phrase]:
        """What must hold for the turn to be legal, where that isn't known."""
        known, mover = self.known, self.mover
        for event in self.events:
            if isinstance(event, CardsTaken) and event.price and known.player(mover).gold is None:
                yield say("only if {player} has {what}", player=term(mover), what=counted(event.price, "GC"))
            if isinstance(event, AssassinsKilled):
                owners = dict.fromkeys(victim.owner for victim in event.victims if victim.owner is not None)
                for owner in owners:
                    guards = [] if known.player(owner).djinns is not None else _unseen_guards(known)
                    if guards:
                        djinns = listed_or([term(djinn) for djinn in guards])
                        yield say("only if {player} doesn't own {djinns}", player=term(owner), djinns=djinns)
        if nobody and self._may_be_killed_in_front():
            yield say("only if no opponent has a vizier or an elder that can be killed (rules 5.4)")

    def _may_be_killed_in_front(self) -> bool:
        """Whether some opponent may have viziers or elders that nobody knows of."""
        rivals = self.expectation.rivals
        if not all(rivals.values()):
            return True
        return self.known.bag[Tribe.ELDER] > 0 and any(self.known.player(rival).elders is None for rival in rivals)


def _fewer(has: int, had: int) -> Phrase:
    """How many viziers a player has whom somebody with `has` overtakes, and didn't overtake with `had`."""
    if has == 1:
        # Then the player had none before, and nobody has fewer than none.
        return say("no viziers")
    fewer = say("fewer than {count} viziers", count=has)
    return say("{fewer} but at least {count}", fewer=fewer, count=had) if had else fewer


def _unseen_guards(position: Position) -> list[str]:
    """Djinns that guard their owner's viziers and elders and that nobody is known to have."""
    seen = {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())
    return [name for name, djinn in DJINNS.items() if djinn.guards and name not in seen]


def _ahead(players: int, points: str, *, more: bool) -> Phrase:
    """Of how many players a turn gets ahead."""
    if more:
        return say_many(
            "now ahead of {count} more player: {points}",
            "now ahead of {count} more players: {points}",
            players,
            points=points,
        )
    return say_many(
        "now ahead of {count} player: {points}", "now ahead of {count} players: {points}", players, points=points
    )
