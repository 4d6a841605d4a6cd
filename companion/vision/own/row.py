"""A row of pieces beside the sultanate, one of each kind in a told order: found, and told apart by their places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from companion.errors import PhotoError
from companion.language.phrase import say, say_many
from companion.rules.model.components import Colour
from companion.vision.board.likeness import ShownPiece, piece_picture
from companion.vision.board.pieces import MIN_SCORE, PIECE_CLASSES
from companion.vision.board.rectify import rectify
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.networks import white_level
from companion.vision.numerics import project

OFF_LINE_TILES = 0.3
"""How far from the line of the row a piece may lie."""

MIN_LENGTH_TILES = 1.5
FEWEST = len(PIECE_CLASSES) - len(Colour)
"""Pieces in a row without camels."""

SPACINGS_TILES = (0.36, 0.42, 0.48, 0.54, 0.6, 0.68, 0.78)
"""Distances of neighbours in a row that are tried, in tile sides."""

UNEVEN = 0.22
"""How evenly people lay a row: the deviation of the logarithm of the distances."""

SKIPPED = 2.5
"""What it costs to take something in the row for no piece, or a camel for missing."""

OTHER_CLASS = 0.35
"""What each unit of doubt of the piece network about a piece's class costs."""

MIN_AGREEING = 0.3
"""Of that share of the row the piece network must itself see what the order says, or it is hardly in that order."""

MIN_AGREEING_WITHOUT_CAMELS = 0.75
"""The same for a row in which camels are missing: as well another piece may be that was not seen, at an end of it."""

HOLE, WIDEST_HOLE = 1.6, 3.4
"""A gap so many times as wide as the others of a row has room for pieces that were not seen: black ones, for one, which
may pass for shadows."""

MIN_MARGIN = 1.0
"""By so much another way to take the row must be worse, or it is not clear which piece is which."""

MOST_LINES = 40

SEEN_IN_HOLE = 0.2
"""Score of a piece that was not seen where a row has a hole."""

_NOTHING_SEEN = (MIN_SCORE / 2,) * len(PIECE_CLASSES)


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """Something that may be a piece beside the sultanate.

    `foot` is in board coordinates of the photo's lattice; `score` how sure the piece network is of any piece there, and
    `classes` (11,) of each.
    """

    foot: tuple[float, float]
    score: float
    classes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """What was found beside the sultanate.

    `found` are all candidates, and `places` the place among them of each of the row's pieces, in the row's order, with
    its class.
    """

    found: tuple[FoundPiece, ...]
    places: tuple[tuple[str, int], ...]


def find_row(photo: Picture, lattice: Lattice, found: Sequence[FoundPiece]) -> ShownRow:
    """The row among the candidates, each piece told by its place.

    From left to right as the photo shows it, or from top to bottom where it runs that way: the tribes as on the score
    sheet (viziers, elders, builders, merchants, assassins), camels (black, orange, blue, pink; those in play), a palm,
    a palace. Raises PhotoError, with what to do, if no such row is found.
    """
    ways: dict[tuple[tuple[str, int], ...], float] = {}
    most = 0
    for line in _lines(lattice, found):
        most = max(most, len(line))
        if len(line) < FEWEST:
            continue
        for spacing in SPACINGS_TILES:
            aligned = _aligned([found[number] for number in line], spacing)
            if aligned is not None:
                places = tuple((kind, line[place]) for kind, place in aligned[1])
                ways[places] = max(aligned[0], ways.get(places, -np.inf))
    if not ways:
        raise PhotoError(_too_few(most))
    (places, score), *others = sorted(ways.items(), key=lambda way: -way[1])
    agreeing = sum(_read_as(found[number]) == kind for kind, number in places)
    least = MIN_AGREEING if len(places) == len(PIECE_CLASSES) else MIN_AGREEING_WITHOUT_CAMELS
    if agreeing < least * len(places) or (others and others[0][1] > score - MIN_MARGIN):
        raise PhotoError(
            say(
                "a row of {count} pieces lies beside the board, but which is which is not clear. From left to right "
                "belong vizier, elder, builder, merchant, assassin, the camels black, orange, blue, pink, palm, "
                "palace, evenly laid and nothing else near them: lay them so, or tell which is which with --ask",
                count=len(places),
            )
        )
    return ShownRow(tuple(found), places)


def with_unseen(lattice: Lattice, found: Sequence[FoundPiece]) -> list[FoundPiece]:
    """The candidates and, where the longest line of them has a hole, one more for each piece that fits there."""
    line = next(iter(_lines(lattice, found)), [])
    if len(line) < FEWEST:
        return list(found)
    feet = np.array([found[number].foot for number in line])
    gaps = np.hypot(*np.diff(feet, axis=0).T)
    usual = float(np.median(gaps))
    unseen = []
    for (start, end), gap in zip(pairwise(feet), gaps, strict=True):
        if HOLE * usual <= gap <= WIDEST_HOLE * usual:
            missing = round(float(gap) / usual) - 1
            for number in range(1, missing + 1):
                x, y = start + (end - start) * number / (missing + 1)
                unseen.append(FoundPiece((float(x), float(y)), SEEN_IN_HOLE, _NOTHING_SEEN))
    return [*found, *unseen]


def _read_as(one: FoundPiece) -> str:
    return PIECE_CLASSES[int(np.argmax(one.classes))]


def _too_few(most: int) -> str:
    if most < 3:
        return say(
            "no row of pieces found beside the board, and no calibration card: lay one piece of each kind in a row "
            "along the board's edge, on plain table or paper, and take board and row from above"
        )
    return say_many(
        "{count} piece found in a row beside the board, where 11 belong: lay one of each kind side by side, evenly "
        "and not touching, on plain table or paper, or tell which is which with --ask",
        "{count} pieces found in a row beside the board, where 11 belong: lay one of each kind side by side, evenly "
        "and not touching, on plain table or paper, or tell which is which with --ask",
        most,
    )


def _lines(lattice: Lattice, found: Sequence[FoundPiece]) -> list[list[int]]:
    """Candidates that lie in one line, as they follow one another in the photo; long lines first."""
    feet = np.array([one.foot for one in found]).reshape(-1, 2)
    seen = project(lattice.homography, feet) if len(found) else feet
    lines: dict[tuple[int, ...], list[int]] = {}
    for first, second in combinations(range(len(found)), 2):
        along = feet[second] - feet[first]
        length = float(np.hypot(*along))
        if length < MIN_LENGTH_TILES:
            continue
        along = along / length
        off = np.abs((feet - feet[first]) @ np.array([-along[1], along[0]]))
        members = np.flatnonzero(off <= OFF_LINE_TILES)
        # As the photo shows it: from left to right, or from top to bottom.
        span = np.ptp(seen[members], axis=0)
        order = members[np.argsort(seen[members, 0 if span[0] >= span[1] else 1], kind="stable")]
        lines.setdefault(tuple(sorted(order.tolist())), order.tolist())
    return sorted(lines.values(), key=len, reverse=True)[:MOST_LINES]


def _aligned(line: Sequence[FoundPiece], spacing: float) -> tuple[float, list[tuple[str, int]]] | None:
    """The likeliest way in which a line holds the row's pieces in their order: how likely, and which is which.

    Dynamic programming over the candidate and the kind of the last piece: between two pieces there may be candidates
    that are none, and camels may be missing. Neighbours lie about `spacing` apart.
    """
    camels = [kind in {colour.letter for colour in Colour} for kind in PIECE_CLASSES]
    count, kinds = len(line), len(PIECE_CLASSES)
    feet = np.array([one.foot for one in line])
    gaps = np.hypot(*(feet[:, None] - feet[None]).transpose(2, 0, 1))
    uneven = (np.log(np.maximum(gaps, 0.05) / spacing) / UNEVEN) ** 2 / 2
    table = np.full((count, kinds), -np.inf)
    came = np.full((count, kinds, 2), -1)
    for i, one in enumerate(line):
        table[i, 0] = _fits(one, 0)
        for j in range(1, kinds):
            best, origin = -np.inf, (-1, -1)
            for before in range(j - 1, -1, -1):
                missing = j - 1 - before
                for k in range(i):
                    way = table[k, before] - uneven[k, i] - SKIPPED * (missing + i - 1 - k)
                    if way > best:
                        best, origin = way, (k, before)
                if not camels[before]:
                    break
            table[i, j], came[i, j] = best + _fits(one, j), origin
    last = int(table[:, -1].argmax())
    score = float(table[last, -1])
    if not math.isfinite(score):
        return None
    chosen = [(PIECE_CLASSES[-1], last)]
    i, j = int(came[last, kinds - 1, 0]), int(came[last, kinds - 1, 1])
    while i >= 0:
        chosen.append((PIECE_CLASSES[j], i))
        i, j = int(came[i, j, 0]), int(came[i, j, 1])
    # What lies in line with the row, as near as its neighbours, should have been a piece of it.
    ends = [k for k in range(count) if k < chosen[-1][1] or k > last]
    near = [k for k in ends if min(gaps[k, last], gaps[k, chosen[-1][1]]) < 1.3 * spacing]
    return score - SKIPPED * len(near), chosen[::-1]


def _fits(one: FoundPiece, place: int) -> float:
    """How well a candidate is the row's piece of that class: that it is seen counts more than what it is taken for."""
    there = math.log(max(one.score, MIN_SCORE) / MIN_SCORE)
    return there + OTHER_CLASS * math.log(max(one.classes[place], MIN_SCORE / 2) / max(max(one.classes), MIN_SCORE))


def row_pieces(photo: Picture, lattice: Lattice, row: ShownRow) -> list[ShownPiece]:
    """The pictures of the row's pieces, each as the photo shows it from its own side."""
    level = white_level(rectify(photo, lattice.homography))
    blue, green, red = (float(part) for part in level)
    pieces = []
    for kind, number in row.places:
        x, y = row.found[number].foot
        # A view of its own: the piece in the middle of the board's first tile.
        shift = np.array([[1, 0, x - 0.5], [0, 1, y - 0.5], [0, 0, 1.0]])
        homography = lattice.homography @ shift
        picture = piece_picture(rectify(photo, homography), homography, 0.5, 0.5)
        pieces.append(ShownPiece(kind, picture, (blue, green, red)))
    return pieces
