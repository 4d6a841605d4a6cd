"""What is where: pieces and cards counted against the box (rules 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.model.board import Tile
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, MEEPLE_COUNTS, TILE_KINDS, Tribe
from companion.rules.model.position import Position


def tiles_left(tiles: Iterable[Tile]) -> dict[str, int]:
    """Tiles of each kind that are not among these, by code; negative if there are too many (rules 1.1)."""
    laid = [tile.kind.code for tile in tiles]
    return {kind.code: kind.count - laid.count(kind.code) for kind in TILE_KINDS.values()}


def meeples_left(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """Meeples by tribe that do not stand on these tiles; negative if there are too many (rules 1.2)."""
    standing = [tile.meeples for tile in tiles]
    return tuple(MEEPLE_COUNTS[tribe] - sum(meeples[tribe] for meeples in standing) for tribe in Tribe)


def keeps_all_known(position: Position) -> bool:
    """Whether viziers and elders in front of every player are known, so that the bag is (rules 5.1)."""
    everyone = [position.player(colour) for colour in position.colours]
    return len(everyone) >= 2 and all(p.viziers is not None and p.elders is not None for p in everyone)


@dataclass(frozen=True, slots=True)
class CardCount:
    """Where the cards of one kind are: in the row, in hands, discarded, and not seen anywhere (rules 1.4)."""

    row: int
    hands: int
    discards: int
    unseen: int


def count_cards(position: Position) -> dict[str, CardCount]:
    """Resource cards by kind, as far as they are known; `unseen` is negative if there are too many."""
    counts = {}
    for card, box in CARD_COUNTS.items():
        row = (position.row or ()).count(card)
        discards = (position.discards or ()).count(card)
        hands = 0
        for player in position.players:
            if card == FAKIR:
                hands += player.fakirs or 0
            elif player.goods is not None:
                hands += player.goods[GOODS.index(card)]
        counts[card] = CardCount(row, hands, discards, box - row - hands - discards)
    return counts
