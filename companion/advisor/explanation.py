"""What a turn does, in words: the actions as they come, the points that each brings, and what those rest on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.completion import Completion
from companion.advisor.expectation import Expectation, Rival, unknown_cards, unseen
from companion.rules.engine.djinns.registry import DJINNS, EVERY_DJINN
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.engine.turn import Move, play_move
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import FAKIR, Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    BuildersPaid,
    CardsTaken,
    DjinnPaid,
    DjinnTaken,
    Event,
    MeepleDropped,
    MeeplesKept,
    MeeplesTaken,
    NobodyKilled,
    PalacePlaced,
    PalmPlaced,
    TileClaimed,
    Victim,
    VictimReaped,
)
from companion.rules.model.position import Position

_NUMBERS = ("no", "one", "two", "three")


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that a turn does, in words ("claims e4"), and the VP that it brings at once.

    `detail` splits the points where they have several causes ("+3, now ahead of two players: +20").
    """

    text: str
    points: int
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.detail or f'{self.points:+d}'})"


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
    not known ("if black does not own Boaz"); `uncounted` are the mover's djinns whose powers he may pay for in
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
        total = f"{', '.join(parts)} = {self.gain:+d}" if parts else "brings no points at once"
        conditions = [f"only {condition}" for condition in self.conditions]
        left_out = [self.left_out] if self.uncounted else []
        return "; ".join([total, *(one.text for one in self.possible), *conditions, *left_out])

    @property
    def left_out(self) -> str:
        """The powers that are not counted, in words; nothing where there are none."""
        powers = "power" if len(self.uncounted) == 1 else "powers"
        return f"not counted: the {powers} of {_listed(self.uncounted)}" if self.uncounted else ""


def explain(completion: Completion, move: Move) -> Explanation:
    """Play a turn of the mover and explain it. Raises what playing it raises."""
    listener = _Listener(completion)
    play_move(completion.position, move, watch=listener.hear)
    return listener.explanation()


class _Listener:
    """Listens to a turn; what each event brings is the points after it less those after the last one."""

    def __init__(self, completion: Completion) -> None:
        self.completion = completion
        self.expectation = completion.expectation
        self.mover = completion.expectation.mover
        self.last = completion.position
        self.points = self.expectation.certain(self.last)
        self.effects: list[Effect] = []
        self.claims: list[int] = []
        self.drop_income: dict[tuple[str, Colour], tuple[int, int]] = {}
        self.moving = True
        self.events: list[Event] = []
        self.after_taking = 0
        self.payable = _payable(completion, self.last)

    def hear(self, event: Event, after: Position) -> None:
        points = self.expectation.certain(after)
        brings, self.points = points - self.points, points
        if isinstance(event, MeeplesTaken):
            self.moving = False
            for (djinn, to), (gold, income) in self.drop_income.items():
                self.effects.append(Effect(_paid(djinn, to, gold, self.mover) + " for the drops", income))
        elif isinstance(event, DjinnPaid) and self.moving:
            # Each drop may pay; told once for all of them.
            gold, income = self.drop_income.get((event.djinn, event.to), (0, 0))
            self.drop_income[event.djinn, event.to] = (gold + event.gold, income + brings)
        else:
            if isinstance(event, TileClaimed):
                self.claims.append(event.square)
            self.effects.extend(_effects(event, self.last, after, brings, self.expectation))
        if isinstance(event, MeeplesTaken) or (isinstance(event, TileClaimed) and len(self.claims) == 1):
            self.after_taking = len(self.effects)
        self.payable |= _payable(self.completion, after)
        self.events.append(event)
        self.last = after

    def explanation(self) -> Explanation:
        """What was heard; the mover's djinns stand in the order in which he got them."""
        owned = self.last.player(self.mover).djinns or ()
        nobody = any(isinstance(event, NobodyKilled) for event in self.events)
        if nobody:
            self.effects.insert(self.after_taking, Effect("the assassins find nobody in reach", 0))
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
        if any(elders >= price and fakirs >= more for price, more in EVERY_DJINN[name].cost.payments)
    }


def _possible(completion: Completion, after: Position, cards: int) -> Iterator[Possibility]:
    """Points that hang on what is not known, each with what it is likely to bring."""
    expectation, before = completion.expectation, completion.position
    for rival in expectation.rivals:
        if rival.known and expectation.own_known:
            continue
        chance = expectation.chance_ahead(rival, after) - expectation.chance_ahead(rival, before)
        if chance > 0:
            text = f"{VP_FOR_FEWER_VIZIERS:+d} {_if_overtaken(expectation, rival, before, after)}"
            yield Possibility(text, VP_FOR_FEWER_VIZIERS * chance, chance)
    of_cards = expectation.goods_points(after, cards) - expectation.goods_points(before)
    if of_cards:
        own = f"the goods that {expectation.mover} may have" if expectation.hand_size else ""
        drawn = f"{_plural(cards, 'unknown card')}" if cards else ""
        what = f"for {drawn}" if drawn else ""
        with_own = f"with {own}" if own else ""
        yield Possibility(" ".join(part for part in (f"about {of_cards:+.1f}", what, with_own) if part), of_cards)


def _if_overtaken(expectation: Expectation, rival: Rival, before: Position, after: Position) -> str:
    """When a rival falls behind in viziers by a turn (rules 10.2)."""
    if not expectation.own_known:
        whom = rival.colour or "another player"
        return f"if {expectation.mover} overtakes {whom} in viziers"
    had, has = (position.player(expectation.mover).viziers or 0 for position in (before, after))
    fewer = "no viziers" if has == 1 else f"fewer than {has} viziers"
    at_least = f" but at least {had}" if had else ""
    if rival.colour is None:
        return f"for each opponent with {fewer}{at_least}"
    return f"if {rival.colour} has {fewer}{at_least}"


def _conditions(completion: Completion, events: Sequence[Event], *, nobody: bool) -> Iterator[str]:
    """What must hold for the turn to be legal, where that is not known."""
    original, mover = completion.original, completion.expectation.mover
    for event in events:
        if isinstance(event, CardsTaken) and event.price and original.player(mover).gold is None:
            yield f"if {mover} has {event.price} GC"
        if isinstance(event, AssassinsKilled):
            owners = dict.fromkeys(victim.owner for victim in event.victims if victim.owner is not None)
            for owner in owners:
                guards = [] if original.player(owner).djinns is not None else _unseen_guards(original)
                if guards:
                    yield f"if {owner} does not own {_listed(guards, 'or')}"
    if nobody and _may_be_killed_in_front(completion):
        yield "if no opponent has a vizier or an elder in front that can be killed (rules 5.4)"


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


def _effects(
    event: Event, before: Position, after: Position, points: int, expectation: Expectation
) -> Iterator[Effect]:
    match event:
        case TileClaimed():
            yield Effect(f"claims {SQUARE_NAMES[event.square]}", points)
        case MeeplesKept():
            yield Effect(
                f"takes {_many(event.count, event.tribe)}", points, _overtaking(before, after, points, expectation)
            )
        case BuildersPaid():
            fakirs = f" and {_plural(event.fakirs, 'fakir')}" if event.fakirs else ""
            sum_ = f"{event.builders + event.fakirs} x {_plural(event.blue, 'blue-valued tile')}"
            builders = _many(event.builders, Tribe.BUILDER)
            yield Effect(f"{builders}{fakirs} earn {event.gold} GC for {sum_}", points)
        case CardsTaken():
            detail = f"cards {points + event.price:+d}, price {-event.price:+d}" if event.price else ""
            price = f" for {event.price} GC" if event.price else ""
            yield Effect(f"{'buys' if event.price else 'takes'} {_cards(event.cards)}{price}", points, detail)
        case AssassinsKilled():
            fakirs = f" with {_plural(event.fakirs, 'fakir')}" if event.fakirs else ""
            killed = " and ".join(_victim(victim) for victim in event.victims)
            yield Effect(f"kills {killed}{fakirs}", points, _overtaking(before, after, points, expectation))
        case VictimReaped():
            kept = f"{event.djinn} keeps the {event.victim.tribe.noun}"
            text = kept if event.kept else f"{event.djinn} earns {event.gold} GC for the {event.victim.tribe.noun}"
            yield Effect(text, points, _overtaking(before, after, points, expectation))
        case PalmPlaced():
            yield Effect(f"puts a palm on {SQUARE_NAMES[event.square]}", points)
        case PalacePlaced():
            yield Effect(f"puts a palace on {SQUARE_NAMES[event.square]}", points)
        case DjinnTaken():
            yield _djinn_taken(event, before, points, expectation)
        case DjinnPaid():
            yield Effect(_paid(event.djinn, event.to, event.gold, event.by), points)
        case MeepleDropped() | MeeplesTaken():
            return


def _djinn_taken(event: DjinnTaken, before: Position, points: int, expectation: Expectation) -> Effect:
    price = [_plural(event.elders, "elder")] + ([_plural(event.fakirs, "fakir")] if event.fakirs else [])
    player = before.player(event.by)
    paid = replace(player, elders=(player.elders or 0) - event.elders, fakirs=(player.fakirs or 0) - event.fakirs)
    cost = expectation.certain(before.with_player(paid)) - expectation.certain(before)
    worth = EVERY_DJINN[event.djinn].vp
    power = points - worth - cost
    parts = [f"{worth:+d}", *([f"by its power {power:+d}"] if power else []), f"price {cost:+d}"]
    return Effect(f"takes {event.djinn} for {' and '.join(price)}", points, ", ".join(parts))


def _overtaking(before: Position, after: Position, points: int, expectation: Expectation) -> str:
    """How the points split when opponents fall behind in viziers; nothing if none is known to do so."""
    was, now = expectation.behind(before), expectation.behind(after)
    if was == now:
        return ""
    for_overtaking = VP_FOR_FEWER_VIZIERS * (now - was)
    more = " more" if was else ""
    ahead = f"now ahead of {_NUMBERS[now - was]}{more} player{'s' if now - was > 1 else ''}: {for_overtaking:+d}"
    own = points - for_overtaking
    return f"{own:+d}, {ahead}" if own else ahead


def _victim(victim: Victim) -> str:
    if victim.square is None:
        return f"{'an' if victim.tribe is Tribe.ELDER else 'a'} {victim.tribe.noun} in front of {victim.owner}"
    return f"the {victim.tribe.noun} on {SQUARE_NAMES[victim.square]}"


def _cards(cards: Sequence[str | None]) -> str:
    words = [_card(card, count) for card, count in Counter(cards).items() if card is not None]
    unknown = cards.count(None)
    if unknown:
        words.append(_plural(unknown, "unknown card"))
    return _listed(words) or "no card, the row is empty"


def _card(name: str, count: int) -> str:
    """One or several of a card: goods have no plural, "2 silk" but "2 fakirs"."""
    if count == 1:
        return name
    return _plural(count, name) if name == FAKIR else f"{count} {name}"


def _paid(djinn: str, to: Colour, gold: int, mover: Colour) -> str:
    return f"{djinn} pays {gold} GC" if to is mover else f"{djinn} pays {to} {gold} GC"


def _many(count: int, tribe: Tribe) -> str:
    return _plural(count, tribe.noun)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _listed(words: Sequence[str], joint: str = "and") -> str:
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else "".join(words)
