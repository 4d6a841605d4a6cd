"""What players decide, as sentences: in English word for word as records have it, in other languages for readers.

Squares and steps stand as they are typed, in every language: `c3 > c4g > d4y`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.language.lists import listed
from companion.language.phrase import Phrase, counted, joined, say, say_as, term
from companion.notation.records.decisions import (
    NO_MOVE,
    Building,
    Decision,
    Item,
    Pass,
    Purchase,
    Seen,
    TribeActionRecord,
    Walk,
)
from companion.rules.model.actions import ActTile, KeepDjinn, Paid, Sell, UsePower
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim

MEEPLES_TOGETHER = 3
"""Letters of meeples stand together so many at a time."""

_KILLED = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "y"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "w"),
    Tribe.BUILDER: say_as("whom assassins kill, in a record", "b"),
    Tribe.MERCHANT: say_as("whom assassins kill, in a record", "g"),
    Tribe.ASSASSIN: say_as("whom assassins kill, in a record", "r"),
}
_KILLED_IN_FRONT = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "vizier"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "elder"),
}
"""Nobody else stands in front of players (rules 5.4)."""


def warning_note(warning: str) -> Phrase:
    """What is odd about a record, as a sentence."""
    return say("Warning: {warning}.", warning=warning)


def said_items(items: Iterable[Item], *, unfinished: bool = False) -> Phrase:
    """The items of a turn in a row; with dots after them where more is to come."""
    text = joined("; ", map(said_item, items))
    return joined(" ", filter(None, (text, "..." if unfinished else "")))


def said_item(item: Item) -> Phrase:
    """A decision and what was seen of it: "2 builders: 4 GC"."""
    seen = said_seen(item.seen)
    return joined(": ", filter(None, (_decision(item.decision), seen)))


def said_seen(seen: Seen) -> Phrase:
    """What was seen: cards, djinns, meeples, gold, claims; empty for nothing."""
    parts: list[str] = [term(card) if card else "?" for card in seen.cards]
    parts += map(term, seen.djinns)
    letters = "".join(tribe.letter for tribe in seen.meeples)
    parts += [letters[at : at + MEEPLES_TOGETHER] for at in range(0, len(letters), MEEPLES_TOGETHER)]
    if seen.gold is not None:
        parts.append(counted(seen.gold, "GC"))
    parts += [say_as("in a record", "claim {square}", square=SQUARE_NAMES[square]) for square in seen.claims]
    return joined(", ", parts)


def said_bid(price: int, fakirs: int) -> Phrase:
    """A bid: "3", or "5 with 2 fakirs" (rules 11.8)."""
    return (
        say_as("in a record", "{what} with {more}", what=price, more=counted(fakirs, "fakir"))
        if fakirs
        else joined("", (str(price),))
    )


def _decision(decision: Decision) -> Phrase:
    match decision:
        case Walk():
            steps = [SQUARE_NAMES[square] + tribe.letter for square, tribe in decision.steps]
            start = [SQUARE_NAMES[decision.start]] if decision.start is not None else [""]
            return joined("", (" > ".join([*start, *steps]).strip(),))
        case TribeActionRecord():
            return _tribe_action(decision)
        case Building():
            palm = decision.piece == "palm"
            piece = (
                say_as("put on a tile, in a record", "palm") if palm else say_as("put on a tile, in a record", "palace")
            )
            return _helped(piece, decision.helper, decision.onto)
        case Purchase():
            return say_as(
                "in a record",
                "buy {cards}",
                cards=joined(", ", (_bought(name, place) for name, place in decision.cards)),
            )
        case Pass():
            return say_as("in a record", "no move") if decision == NO_MOVE else say_as("in a record", "pass")
        case UsePower():
            words = say_as("in a record", "use {djinn}", djinn=_paid(decision.paid))
            if decision.square is not None:
                words = say_as("in a record", "{doing} on {square}", doing=words, square=SQUARE_NAMES[decision.square])
            return _helped(words, decision.helper, decision.onto)
        case KeepDjinn():
            return say_as("in a record", "keep {djinn}", djinn=term(decision.djinn))
        case Sell():
            return say_as("in a record", "sell {cards}", cards=joined(", ", map(term, decision.goods)))
        case ActTile(choice):
            assert choice.djinn is not None
            price = (1, 1) if choice.with_fakir else (2, 0)
            return say_as("in a record", "take {djinn}", djinn=_paid(Paid(choice.djinn, *price)))


def _tribe_action(action: TribeActionRecord) -> Phrase:
    """A tribe action; number and tribe were perhaps not told, and then are not said."""
    choice = action.choice
    words: list[Phrase] = []
    if action.tribe is not None:
        tribe = action.tribe.noun
        words.append(term(tribe, plural=True) if action.count is None else counted(action.count, tribe))
    elif action.count is not None:
        words.append(joined("", (str(action.count),)))
    if choice.fakirs:
        words.append(say_as("in a record", "with {more}", more=counted(choice.fakirs, "fakir")))
    if choice.victims:
        words.append(say_as("in a record", "kill {whom}", whom=listed([_victim(victim) for victim in choice.victims])))
    elif action.tribe is Tribe.ASSASSIN or choice.helper is not None or (action.tribe is None and not choice.fakirs):
        words.append(say_as("in a record", "kill nobody"))
    if choice.helper is not None:
        words.append(say_as("in a record", "with {more}", more=_paid(choice.helper)))
    return joined(" ", words)


def _victim(victim: Victim) -> Phrase:
    if victim.square is None:
        return say_as(
            "in a record",
            "{tribe} of {colour}",
            tribe=_KILLED_IN_FRONT.get(victim.tribe, term(victim.tribe.noun)),
            colour=term(str(victim.owner)),
        )
    return say_as("in a record", "{tribe} on {square}", tribe=_KILLED[victim.tribe], square=SQUARE_NAMES[victim.square])


def _bought(name: str | None, place: int | None) -> Phrase:
    parts: Sequence[str] = (term(name) if name else "", f"({place + 1})" if place is not None else "")
    return joined(" ", filter(None, parts))


def _helped(words: Phrase, helper: Paid | None, onto: int | None) -> Phrase:
    if helper is None or onto is None:
        return words
    return say_as(
        "in a record", "{doing} with {djinn} onto {square}", doing=words, djinn=_paid(helper), square=SQUARE_NAMES[onto]
    )


def _paid(paid: Paid) -> Phrase:
    """A djinn with what is paid for it: "Enki for elder", "Leta for elder and fakir"."""
    parts = [
        term(noun) if number == 1 else counted(number, noun)
        for number, noun in ((paid.elders, "elder"), (paid.fakirs, "fakir"))
        if number
    ]
    return (
        say_as("in a record", "{djinn} for {cost}", djinn=term(paid.djinn), cost=listed(parts))
        if parts
        else term(paid.djinn)
    )
