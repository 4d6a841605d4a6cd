"""What resource cards in photos mean: the row from its start, and a player's goods and fakirs (rules 1.4, 2.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.model.components import FAKIR, GOODS, ROW_LENGTH
from companion.rules.model.position import Player
from companion.vision.cards.sight import CardSight

LEAST_IN_LINE = 2
"""Cards that must lie in a line beside a board to be the row: one alone may be anything."""


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The cards found in a photo, in reading order; `with_board` if the sultanate is in it too."""

    name: str
    cards: tuple[CardSight, ...]
    with_board: bool


def best_name(card: CardSight) -> str | None:
    """What the card is, or probably is; None if not even a guess was made."""
    return card.card or card.other


def is_sure(card: CardSight) -> bool:
    """Whether the card was told with a margin, so that nobody needs to look at it again."""
    return card.card is not None


def find_row(photos: Sequence[CardsSeen]) -> tuple[tuple[CardSight, ...], tuple[str, ...]]:
    """The row of resource cards from its start, and sentences about what could not be made of it.

    A photo of cards alone is taken for the row, in one line or several; beside a board it is the longest line.
    Of several photos the one that shows most of it is taken.
    """
    rows = [(_row_in(photo), photo) for photo in photos]
    lying = [(row, photo) for row, photo in rows if row]
    if not lying:
        return (), ()
    row, photo = max(lying, key=lambda found: (len(found[0]), not found[1].with_board, _confidence(found[0])))
    if len(row) > ROW_LENGTH:
        return (), (
            f"{photo.name} shows {len(row)} cards together, but the row holds {ROW_LENGTH}: photograph the row alone,"
            " and what players have with --goods.",
        )
    return row, ()


def _row_in(photo: CardsSeen) -> tuple[CardSight, ...]:
    if not photo.with_board and len(photo.cards) <= ROW_LENGTH:
        return photo.cards
    lines = Counter(card.line for card in photo.cards)
    if not lines:
        return ()
    # The first of the longest lines.
    longest, length = max(lines.items(), key=lambda line: (line[1], -line[0]))
    return tuple(card for card in photo.cards if card.line == longest) if length >= LEAST_IN_LINE else ()


def _confidence(cards: Sequence[CardSight]) -> float:
    return sum(card.confidence for card in cards)


def row_names(cards: Sequence[CardSight]) -> tuple[str, ...] | None:
    """The row by the cards' names, None if some card cannot be named at all."""
    names = [name for card in cards if (name := best_name(card)) is not None]
    return tuple(names) if len(names) == len(cards) else None


def with_cards(player: Player, cards: Sequence[CardSight]) -> Player:
    """The player with these cards, and no others, in hand; one that cannot be named is not counted."""
    counts = Counter(best_name(card) for card in cards)
    return replace(player, fakirs=counts[FAKIR], goods=tuple(counts[good] for good in GOODS))
