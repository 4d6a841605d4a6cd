"""What a turn does, in words: the actions as they come, and the points that each of them brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.rules.engine.djinns.registry import EVERY_DJINN
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS, player_points
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
class Explanation:
    """A turn told: the squares claimed, everything it does, and what it gains in VP."""

    claims: tuple[int, ...]
    effects: tuple[Effect, ...]

    @property
    def gain(self) -> int:
        """The sum of all effects in VP."""
        return sum(item.points for item in self.effects)

    @property
    def actions(self) -> list[str]:
        """What the turn does, one short text each."""
        return [item.text for item in self.effects]

    @property
    def why(self) -> str:
        """The effects that bring or cost points, and their sum."""
        parts = [str(item) for item in self.effects if item.points]
        if not parts:
            return "brings no points at once"
        return f"{', '.join(parts)} = {self.gain:+d}"


def explain(position: Position, move: Move) -> Explanation:
    """Play a turn and tell it; nothing in the position may be unknown but the row and the face-up djinns.

    Raises what `turn.play_move` raises.
    """
    listener = _Listener(position)
    play_move(position, move, watch=listener.hear)
    return Explanation(tuple(listener.claims), tuple(listener.effects))


class _Listener:
    """Listens to a turn; what each event brings is the points after it less those after the last one."""

    def __init__(self, position: Position) -> None:
        if position.to_move is None:
            raise ValueError("nobody is to move; set to_move")
        self.mover = position.to_move
        self.last = position
        self.points = player_points(position, self.mover)
        self.effects: list[Effect] = []
        self.claims: list[int] = []
        self.drop_income: dict[tuple[str, Colour], tuple[int, int]] = {}
        self.moving = True

    def hear(self, event: Event, after: Position) -> None:
        points = player_points(after, self.mover)
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
            self.effects.extend(_effects(event, self.last, after, brings))
        self.last = after


def _effects(event: Event, before: Position, after: Position, points: int) -> Iterator[Effect]:
    match event:
        case TileClaimed():
            yield Effect(f"claims {SQUARE_NAMES[event.square]}", points)
        case MeeplesKept():
            yield Effect(f"takes {_many(event.count, event.tribe)}", points, _overtaking(before, after, points))
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
            yield Effect(f"kills {killed}{fakirs}", points, _overtaking(before, after, points))
        case VictimReaped():
            kept = f"{event.djinn} keeps the {event.victim.tribe.noun}"
            text = kept if event.kept else f"{event.djinn} earns {event.gold} GC for the {event.victim.tribe.noun}"
            yield Effect(text, points, _overtaking(before, after, points))
        case PalmPlaced():
            yield Effect(f"puts a palm on {SQUARE_NAMES[event.square]}", points)
        case PalacePlaced():
            yield Effect(f"puts a palace on {SQUARE_NAMES[event.square]}", points)
        case DjinnTaken():
            yield _djinn_taken(event, before, points)
        case DjinnPaid():
            yield Effect(_paid(event.djinn, event.to, event.gold, event.by), points)
        case MeepleDropped() | MeeplesTaken():
            return


def _djinn_taken(event: DjinnTaken, before: Position, points: int) -> Effect:
    price = [_plural(event.elders, "elder")] + ([_plural(event.fakirs, "fakir")] if event.fakirs else [])
    player = before.player(event.by)
    paid = replace(player, elders=(player.elders or 0) - event.elders, fakirs=(player.fakirs or 0) - event.fakirs)
    cost = player_points(before.with_player(paid), event.by) - player_points(before, event.by)
    worth = EVERY_DJINN[event.djinn].vp
    power = points - worth - cost
    parts = [f"{worth:+d}", *([f"by its power {power:+d}"] if power else []), f"price {cost:+d}"]
    return Effect(f"takes {event.djinn} for {' and '.join(price)}", points, ", ".join(parts))


def _overtaking(before: Position, after: Position, points: int) -> str:
    """How the points split when opponents fall behind in viziers; nothing if none does."""
    mover = before.to_move
    assert mover is not None
    was, now = _behind(before, mover), _behind(after, mover)
    if was == now:
        return ""
    for_overtaking = VP_FOR_FEWER_VIZIERS * (now - was)
    more = " more" if was else ""
    ahead = f"now ahead of {_NUMBERS[now - was]}{more} player{'s' if now - was > 1 else ''}: {for_overtaking:+d}"
    own = points - for_overtaking
    return f"{own:+d}, {ahead}" if own else ahead


def _behind(position: Position, mover: Colour) -> int:
    """Opponents with strictly fewer viziers (rules 10.2)."""
    own = position.player(mover).viziers or 0
    return sum((position.player(c).viziers or 0) < own for c in position.colours if c is not mover)


def _victim(victim: Victim) -> str:
    if victim.square is None:
        return f"{'an' if victim.tribe is Tribe.ELDER else 'a'} {victim.tribe.noun} in front of {victim.owner}"
    return f"the {victim.tribe.noun} on {SQUARE_NAMES[victim.square]}"


def _cards(cards: Sequence[str | None]) -> str:
    words = [_card(card, count) for card, count in Counter(cards).items() if card is not None]
    unknown = cards.count(None)
    if unknown:
        words.append(_plural(unknown, "unknown card"))
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "no card, the row is empty"


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
