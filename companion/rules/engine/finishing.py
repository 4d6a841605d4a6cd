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


def path_options(
    before: int | None, here: int, path: Sequence[int], hand: Sequence[int], standing: Standing
) -> list[int]:
    """The next tiles of a path along which a hand can be sown legally in some order (rules 4.2 to 4.5).

    `path` are the tiles stepped on so far, the last of them `here`; which meeple was left on which is still open, so
    `hand` are all its meeples by tribe. `standing` is where others stand.
    """
    rest = sum(hand) - len(path) - 1
    passed = _set_of(path)
    return [square for square in onward(before, here) if _leads_on(here, square, rest, passed, hand, standing)]


def _leads_on(here: int, square: int, rest: int, passed: int, hand: Sequence[int], standing: Standing) -> bool:
    """Whether a legal end is in reach after a step to a square, with so many steps after it."""
    if rest <= 0:
        every, again = 1 << square, passed & 1 << square
    else:
        every, again = ends(
            here, square, rest if rest <= SETTLED_LENGTH else SETTLED_LENGTH + (rest - SETTLED_LENGTH) % 2
        )
        # Whatever the path has passed may be its end as well.
        again |= every & (passed | 1 << square)
    return rest >= 0 and any(
        count and (squares & every or (count > 1 and again)) for count, squares in zip(hand, standing, strict=True)
    )


def order_options(path: Sequence[int], drops: Sequence[Tribe], hand: Sequence[int], standing: Standing) -> list[Tribe]:
    """What the next meeple left along a whole path can be, so that the sowing ends legally (rules 4.5).

    `drops` are those left so far on the first tiles of the path, `hand` all meeples of the hand by tribe.
    """
    left = [count - drops.count(tribe) for tribe, count in zip(_TRIBES, hand, strict=True)]
    end, place = path[-1], len(drops)
    met = {tribe for tribe, squares in zip(_TRIBES, standing, strict=True) if squares >> end & 1}
    met |= {tribe for square, tribe in zip(path, drops, strict=False) if square == end}
    if place == len(path) - 1:
        return [tribe for tribe in _TRIBES if left[tribe] and tribe in met]
    return [tribe for tribe in _TRIBES if left[tribe] and _can_end(path, place, tribe, left, met)]


def _can_end(path: Sequence[int], place: int, tribe: Tribe, left: Sequence[int], met: set[Tribe]) -> bool:
    """Whether the path can end legally with this meeple left at a place before its end."""
    rest = [count - (other == tribe) for other, count in zip(_TRIBES, left, strict=True)]
    met = met | {tribe} if path[place] == path[-1] else met
    to_come = path[-1] in path[place + 1 : -1]
    return any(count and (other in met or (count > 1 and to_come)) for other, count in zip(_TRIBES, rest, strict=True))


def _set_of(squares: Sequence[int]) -> int:
    found = 0
    for square in squares:
        found |= 1 << square
    return found
