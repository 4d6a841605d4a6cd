"""Where a hand of meeples can be walked to: the geometry of rules 4.2 and 4.3, without colours.

A walk of n steps leaves a start tile, steps orthogonally, never straight back, and ends on the tile of
its n-th step. What a walk leaves behind is its visit vector: how often each square was stepped on (the
start counts only when the walk returns to it). A vector is packed into an int, `VISIT_BITS` bits a square.
"""

from __future__ import annotations

from functools import cache

from companion.errors import UnusableInputError
from companion.rules.model.board import COLUMNS, NEIGHBOURS, ROWS, SQUARES
from companion.rules.model.components import TOTAL_MEEPLES

VISIT_BITS = 3
MAX_WALK = 27
"""A return to a square takes four steps, so up to this length no square is visited more than 7 times."""

_EVERY_SQUARE = sum(1 << (VISIT_BITS * square) for square in range(SQUARES))
_PACKED = 128
_ONE_COUNT = (1 << _PACKED) - 1

Step = tuple[int, int]
"""A directed step: from square, to square."""

_NEXT: dict[Step, tuple[int, ...]] = {
    (before, here): tuple(square for square in NEIGHBOURS[here] if square != before)
    for here in range(SQUARES)
    for before in NEIGHBOURS[here]
}
"""Squares that may follow a step (rules 4.3)."""


def onward(before: int | None, here: int) -> tuple[int, ...]:
    """Squares that a hand on `here`, come from `before`, may step to next (rules 4.2, 4.3)."""
    return NEIGHBOURS[here] if before is None else _NEXT[before, here]


def _mirrored(square: int, image: int) -> int:
    """The square's mirror image: bit 0 of `image` swaps left and right, bit 1 top and bottom."""
    row, column = divmod(square, COLUMNS)
    if image & 1:
        column = COLUMNS - 1 - column
    if image & 2:
        row = ROWS - 1 - row
    return row * COLUMNS + column


_IMAGES = tuple(tuple(_mirrored(square, image) for square in range(SQUARES)) for image in range(4))


@cache
def _steps_towards(end: int, length: int) -> dict[Step, int]:
    """Walks of `length` steps to `end` by first step; bits 128 (k - 1) and up count those that visit it k times."""
    if length == 1:
        # The one step lands on the end: one visit, which is place 0 of the packed counts.
        return {(square, end): 1 for square in NEIGHBOURS[end]}
    shorter = _steps_towards(end, length - 1)
    counts: dict[Step, int] = {}
    for (before, here), following in _NEXT.items():
        total = 0
        for square in following:
            total += shorter.get((here, square), 0)
        if total:
            # A step that lands on the end is one visit more: every count moves up by one place.
            counts[before, here] = total << _PACKED if here == end else total
    return counts


@cache
def walk_counts(length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Numbers of walks of that many steps, by start, end and visits of the end.

    `walk_counts(n)[start][end][k - 1]` is how many walks of n steps from start to end visit the end k
    times, the last step included; the innermost tuple is empty where no walk leads. Raises UnusableInputError
    for more steps than there are meeples.
    """
    if length > TOTAL_MEEPLES:
        raise UnusableInputError(
            "a hand of {length} meeples, but there are only {total_meeples} (rules 1.2)",
            length=length,
            total_meeples=TOTAL_MEEPLES,
        )
    table: list[list[tuple[int, ...]]] = [[()] * SQUARES for _ in range(SQUARES)]
    for end in range(SQUARES):
        # Mirroring the board mirrors its walks, so the ends of one quarter stand for all.
        if end != min(image[end] for image in _IMAGES):
            continue
        starts = [0] * SQUARES
        for (start, _), packed in _steps_towards(end, length).items():
            starts[start] += packed
        for start, packed in enumerate(starts):
            counts = []
            while packed:
                counts.append(packed & _ONE_COUNT)
                packed >>= _PACKED
            for image in _IMAGES:
                table[image[start]][image[end]] = tuple(counts)
    return tuple(tuple(row) for row in table)


def walk_with_visits(start: int, end: int, length: int, times: int) -> tuple[int, ...]:
    """The first walk of that many steps that ends on `end` and visits it `times` times. Raises ValueError."""
    path: list[int] = []
    before: int | None = None
    here = start
    for steps in range(length, 0, -1):
        towards = _steps_towards(end, steps)
        place = _PACKED * max(0, times - 1)
        options = [square for square in onward(before, here) if towards.get((here, square), 0) >> place & _ONE_COUNT]
        if not options:
            raise ValueError("no walk visits its end that often")
        before, here = here, options[0]
        path.append(here)
        times -= here == end
    return tuple(path)


def visit_vectors(start: int, length: int) -> dict[int, set[int]]:
    """The distinct visit vectors of walks of that many steps from a start, by end; 50,000 for 12 steps, some 2.2 times
    as many with each more. Raises ValueError beyond `MAX_WALK`.
    """
    if length > MAX_WALK:
        raise ValueError(f"a walk of {length} steps is too long for a packed vector; at most {MAX_WALK}")
    layer: dict[Step, set[int]] = {(start, square): {1 << (VISIT_BITS * square)} for square in NEIGHBOURS[start]}
    # Walks that left the same behind and came by the same step go on alike, so each such vector is kept once.
    for _ in range(length - 1):
        longer: dict[Step, set[int]] = {}
        for (before, here), vectors in layer.items():
            for square in _NEXT[before, here]:
                visit = 1 << (VISIT_BITS * square)
                longer.setdefault((here, square), set()).update([vector + visit for vector in vectors])
        layer = longer
    by_end: dict[int, set[int]] = {}
    for (_, here), vectors in layer.items():
        by_end.setdefault(here, set()).update(vectors)
    return by_end


def visits(vector: int, square: int) -> int:
    """How often a square was stepped on."""
    return vector >> (VISIT_BITS * square) & 7


def visit_planes(vector: int) -> tuple[int, int, int]:
    """The ones, twos and fours of all visit counts, each a mask over the lowest bit of a square's visits."""
    return vector & _EVERY_SQUARE, vector >> 1 & _EVERY_SQUARE, vector >> 2 & _EVERY_SQUARE
