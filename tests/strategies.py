"""Hypothesis strategies for positions: `positions()` are possible ones with anything known or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    CARD_COUNTS,
    COINS_GC,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Colour,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Bid, Phase, Player, Position

_T = TypeVar("_T")

ALL_KINDS = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]


def _places(draw: st.DrawFn, most: int) -> list[int]:
    """Up to `most` squares, with repetition."""
    return draw(st.lists(st.integers(0, SQUARES - 1), max_size=most))


@st.composite
def boards(draw: st.DrawFn, colours: Sequence[Colour] = tuple(Colour)) -> Board:
    """A possible board: all thirty tiles, meeples, camels of these colours, palms and palaces anywhere."""
    kinds = draw(st.permutations(ALL_KINDS))
    meeples = [[0] * len(Tribe) for _ in range(SQUARES)]
    for tribe in Tribe:
        for square in _places(draw, MEEPLE_COUNTS[tribe]):
            meeples[square][tribe] += 1
    camels: list[Colour | None] = [None] * SQUARES
    left = {colour: camels_in_box(colour, len(colours)) for colour in colours}
    for square in draw(st.lists(st.integers(0, SQUARES - 1), unique=True)) if colours else ():
        colour = draw(st.sampled_from(colours))
        if left[colour]:
            left[colour] -= 1
            camels[square] = colour
    palms, palaces = _places(draw, PALMS), _places(draw, PALACES)
    return tuple(
        Tile(kinds[square], tuple(meeples[square]), camels[square], palms.count(square), palaces.count(square))
        for square in range(SQUARES)
    )


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A possible position of two to four players, of which any part may be unknown."""
    chosen = draw(st.sampled_from([(Colour.BLUE, Colour.PINK), tuple(Colour)[:3], tuple(Colour)[1:], tuple(Colour)]))
    board = draw(boards(chosen))
    deck = draw(st.permutations([card for card, count in CARD_COUNTS.items() for _ in range(count)]))
    djinns = draw(st.permutations(list(DJINNS)))
    left = {
        tribe: MEEPLE_COUNTS[tribe] - sum(tile.meeples[tribe] for tile in board)
        for tribe in (Tribe.VIZIER, Tribe.ELDER)
    }

    def known(strategy: st.SearchStrategy[_T]) -> _T | None:
        return draw(st.none() | strategy)

    def take(things: list[_T], most: int) -> tuple[_T, ...]:
        number = draw(st.integers(0, min(most, len(things))))
        taken = tuple(things[:number])
        del things[:number]
        return taken

    def maybe(things: list[_T], most: int) -> tuple[_T, ...] | None:
        return take(things, most) if draw(st.booleans()) else None

    row, face_up = maybe(deck, 9), maybe(djinns, 3)
    players = []
    for colour in chosen:
        if not draw(st.booleans()):
            continue
        hand = maybe(deck, 12)
        kept = {}
        for tribe in left:
            kept[tribe] = known(st.integers(0, left[tribe]))
            left[tribe] -= kept[tribe] or 0
        players.append(
            Player(
                colour,
                gold=known(st.integers(0, COINS_GC // len(chosen))),
                viziers=kept[Tribe.VIZIER],
                elders=kept[Tribe.ELDER],
                fakirs=None if hand is None else hand.count(FAKIR),
                goods=None if hand is None else tuple(hand.count(good) for good in GOODS),
                djinns=maybe(djinns, 4),
            )
        )
    markers = draw(st.permutations([colour for colour in chosen for _ in range(2 if len(chosen) == 2 else 1)]))
    turns = known(st.lists(st.sampled_from(markers), unique=len(chosen) > 2, max_size=len(chosen)))
    bidding = list(markers)
    for marker in turns or ():
        bidding.remove(marker)
    prices = sorted(draw(st.lists(st.sampled_from([0, 1, 3, 5, 8, 12, 18]), unique=True, min_size=4, max_size=4)))
    return Position(
        board=board,
        players=tuple(players),
        row=row,
        djinns=face_up,
        to_move=known(st.sampled_from(chosen)),
        phase=known(st.sampled_from(Phase)),
        bid_order=maybe(bidding, 4),
        turn_order=None if turns is None else tuple(Bid(c, p) for c, p in zip(turns, prices[::-1], strict=False)),
        discards=maybe(deck, 54),
    )
