"""Whether a hand on its way can still end legally, by geometry and sets of tiles (rules 4.2 to 4.6).

A set of squares is an int with bit s for square s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.rules.engine.walks import onward
from companion.rules.model.board import Tile
from companion.rules.model.components import Tribe

_TRIBES = tuple(Tribe)

SETTLED_LENGTH = 12
"""From here on, walks two steps longer end on the same squares: the grid is small, and steps change its colour.

As `ends` of a length follows from that of one step less, what holds for 12 and 13 holds for all longer ones.
"""

Standing = list[int]
"""The squares that hold a meeple of each tribe, by tribe."""


def standing_on(board: Sequence[Tile]) -> Standing:
    """Where meeples of each tribe stand."""
    yellow = white = blue = green = red = 0
    bit = 1
    for tile in board:
        # Spelt out, for every decision of a moving hand comes here.
        y, w, b, g, r = tile.meeples
        if y:
            yellow |= bit
        if w:
            white |= bit
        if b:
            blue |= bit
        if g:
            green |= bit
        if r:
            red |= bit
        bit <<= 1
    return [yellow, white, blue, green, red]


@cache
def ends(before: int | None, here: int, length: int) -> tuple[int, int]:
    """Where walks of that many steps from `here`, come from `before`, can end (rules 4.2, 4.3).

    The second set holds the ends that such a walk can have visited earlier on as well.
    """
    every = again = 0
    for square in onward(before, here):
        if length == 1:
            every |= 1 << square
        else:
            # A square stepped on now and ended on later is one where a meeple of the hand may already lie.
            later, later_again = ends(here, square, length - 1)
            every |= later
            again |= later_again | (later & 1 << square)
    return every, again


def can_finish(before: int | None, here: int, left: Sequence[int], standing: Standing) -> bool:
    """Whether a hand with these meeples left, by tribe, can be sown to a legal end (rules 4.5).

    The last meeple needs one of its tribe where it lands: one that stands there, or one of the hand.
    """
    length = sum(left)
    if not 0 < length <= SETTLED_LENGTH:
        if length <= 0:
            return False
        # Also keeps the recursion of `ends` flat for hands that no box could fill.
        length = SETTLED_LENGTH + (length - SETTLED_LENGTH) % 2
    every, again = ends(before, here, length)
    for count, squares in zip(left, standing, strict=True):
        # Any order of drops is free, so the tribe can be kept for last and, with two, dropped on the end before.
        if count and (squares & every or (count > 1 and again)):
            return True
    return False


def liftable(board: Sequence[Tile], standing: Standing) -> list[int]:
    """Squares whose meeples can be moved legally (rules 4.6)."""
    return [
        square
        for square, tile in enumerate(board)
        if any(tile.meeples) and can_finish(None, square, tile.meeples, lifted(standing, square))
    ]


def has_legal_sowing(board: Sequence[Tile]) -> bool:
    """Whether any legal sowing exists (rules 4.6, 9.2); generates none."""
    standing = standing_on(board)
    return any(
        any(tile.meeples) and can_finish(None, square, tile.meeples, lifted(standing, square))
        for square, tile in enumerate(board)
    )


def lifted(standing: Standing, square: int) -> Standing:
    """Where meeples stand once those of a square are in hand."""
    rest = ~(1 << square)
    return [squares & rest for squares in standing]


def drop_options(before: int | None, here: int, left: Sequence[int], standing: Standing) -> list[tuple[int, Tribe]]:
    """Every step and drop after which the sowing can still end legally (rules 4.2 to 4.5)."""
    held = [tribe for tribe in _TRIBES if left[tribe]]
    return [
        (square, tribe)
        for square in onward(before, here)
        for tribe in held
        if can_drop(here, square, tribe, left, standing)
    ]


def can_drop(here: int, square: int, tribe: Tribe, left: Sequence[int], standing: Standing) -> bool:
    """Whether after the step from `here` and this drop of the hand the sowing can still end legally (rules 4.5)."""
    if sum(left) == 1:
        return bool(standing[tribe] >> square & 1)
    rest, after = list(left), standing.copy()
    rest[tribe] -= 1
    after[tribe] |= 1 << square
    return can_finish(here, square, rest, after)
