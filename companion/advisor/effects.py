"""What happens in a turn, in words: each event with the points that it brings at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.expectation import Expectation
from companion.rules.engine.djinns.registry import EVERY_DJINN
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.actions import in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import FAKIR, Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    BuildersPaid,
    CardsTaken,
    DjinnPaid,
    DjinnsDrawn,
    DjinnTaken,
    Event,
    GoodsSold,
    IncomeMultiplied,
    MeeplesAdded,
    MeeplesKept,
    PalacePlaced,
    PalmPlaced,
    PowerPaid,
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


def effects(event: Event, before: Position, after: Position, points: int, expectation: Expectation) -> Iterator[Effect]:
    """What an event brings: so many points between the positions before and after it."""
    match event:
        case TileClaimed():
            yield Effect(f"claims {SQUARE_NAMES[event.square]}", points)
        case MeeplesKept():
            yield Effect(
                f"takes {_many(event.count, event.tribe)}", points, _overtaking(before, after, points, expectation)
            )
        case BuildersPaid():
            fakirs = f" and {plural(event.fakirs, 'fakir')}" if event.fakirs else ""
            sum_ = f"{event.builders + event.fakirs} x {plural(event.blue, 'blue-valued tile')}"
            sum_ += f" x {event.factor}" if event.factor > 1 else ""
            builders = _many(event.builders, Tribe.BUILDER)
            yield Effect(f"{builders}{fakirs} earn {event.gold} GC for {sum_}", points)
        case CardsTaken():
            detail = f"cards {points + event.price:+d}, price {-event.price:+d}" if event.price else ""
            price = f" for {event.price} GC" if event.price else ""
            yield Effect(f"{'buys' if event.price else 'takes'} {cards_words(event.cards)}{price}", points, detail)
        case AssassinsKilled():
            fakirs = f" with {plural(event.fakirs, 'fakir')}" if event.fakirs else ""
            killed = " and ".join(victim_words(victim) for victim in event.victims)
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
            yield Effect(paid(event.djinn, event.to, event.gold, event.by), points)
        case PowerPaid():
            yield Effect(f"uses {event.djinn} for {in_words(event.elders, event.fakirs)}", points)
        case IncomeMultiplied():
            yield Effect(f"the builders earn {event.gold} GC more", points)
        case MeeplesAdded():
            yield Effect(f"puts {plural(sum(event.meeples), 'meeple')} on {SQUARE_NAMES[event.square]}", points)
        case DjinnsDrawn():
            yield Effect(f"draws {listed(event.djinns)}", points)
        case GoodsSold():
            yield Effect(f"sells {listed(event.goods)} for {event.price} GC", points)


def _djinn_taken(event: DjinnTaken, before: Position, points: int, expectation: Expectation) -> Effect:
    if not event.elders and not event.fakirs:
        return Effect(f"keeps {event.djinn}", points)
    price = [plural(event.elders, "elder")] + ([plural(event.fakirs, "fakir")] if event.fakirs else [])
    player = before.player(event.by)
    poorer = replace(player, elders=(player.elders or 0) - event.elders, fakirs=(player.fakirs or 0) - event.fakirs)
    cost = expectation.certain(before.with_player(poorer)) - expectation.certain(before)
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


def victim_words(victim: Victim) -> str:
    """Whom assassins kill: "the elder on c2", "a vizier in front of pink"."""
    if victim.square is None:
        return f"{'an' if victim.tribe is Tribe.ELDER else 'a'} {victim.tribe.noun} in front of {victim.owner}"
    return f"the {victim.tribe.noun} on {SQUARE_NAMES[victim.square]}"


def cards_words(cards: Sequence[str | None]) -> str:
    """Cards by name: "fish, 2 silk and 1 unknown card"."""
    words = [_card(card, count) for card, count in Counter(cards).items() if card is not None]
    unknown = cards.count(None)
    if unknown:
        words.append(plural(unknown, "unknown card"))
    return listed(words) or "no card, the row is empty"


def _card(name: str, count: int) -> str:
    """One or several of a card: goods have no plural, "2 silk" but "2 fakirs"."""
    if count == 1:
        return name
    return plural(count, name) if name == FAKIR else f"{count} {name}"


def paid(djinn: str, to: Colour, gold: int, mover: Colour) -> str:
    """What a djinn pays, and to whom if that is not the mover."""
    return f"{djinn} pays {gold} GC" if to is mover else f"{djinn} pays {to} {gold} GC"


def _many(count: int, tribe: Tribe) -> str:
    return plural(count, tribe.noun)


def plural(count: int, noun: str) -> str:
    """So many of something: "1 card", "2 cards"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words as a list: "a, b and c"."""
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else "".join(words)
