"""Several photos of one board made one reading: what each of them saw, in chances, is weighed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.notation.tokens import format_tile
from companion.rules.model.board import SQUARES, Tile
from companion.vision.board.board_evidence import BoardSight, half_turned
from companion.vision.board.counts import GROUPS, CountGroup
from companion.vision.board.tallies import LEAST_CHANCE
from companion.vision.board.verdict import decide, standing
from companion.vision.reading.reading import Reading, TileReading

SAME_TABLE = 20
"""Tiles of 30 that must be of one kind in two photos for them to show one table; two shuffled boards share five."""

EVIDENCE = 1.2
"""What all photos of a table tell together, beside what one tells: little more, for they misread the same pieces alike.

On 24 rendered tables seen three times, confidences held from 1 to 1.2; photos that erred independently would count
for as many as there are.
"""

HIDDEN = 0.3
"""What speaks, in nats, for each piece more on a tile: a piece is sooner hidden from a photo than made up by it.

On the same tables what was read held best from 0.3 to 0.5.
"""

OUTVOTED = 0.97
"""From this chance on, a tile is clear though a photo that does not show it clearly was read otherwise."""

CLEARLY_APART = 5
"""So many tiles that are clear in both photos and differ: pieces were moved between them."""

PIECES_MOVED = "Many tiles differ between the photos: if pieces were moved in between, use photos of one moment."

Floats = NDArray[np.float64]

Named = tuple[str, Reading]
"""A photo's name, as messages call it, and its reading."""


def align_readings(named: Sequence[Named]) -> list[Named]:
    """The readings of photos of one board, all turned the way the first lies.

    Raises PhotoError if the tiles are not of one table.
    """
    return [named[0], *((name, _aligned(named[0], (name, other))) for name, other in named[1:])]


def merge_readings(aligned: Sequence[Named]) -> Reading:
    """One reading of a table seen in one photo or more, all of them of its board and turned alike.

    What the photos saw is made one before anything is decided, so that each may tell what another does not show.
    Squares, turn and homography are those of the first photo. Where photos differ and do not settle it, a doubt names
    them.
    """
    first = aligned[0][1]
    if len(aligned) == 1:
        return first
    sights = [_sight(reading) for _, reading in aligned]
    merged = decide(pooled(sights))
    tiles = tuple(_described(tile, square, aligned, sights) for square, tile in enumerate(merged.tiles))
    apart = sum(len(_clear(aligned, square)) > 1 for square in range(SQUARES))
    return replace(merged, tiles=tiles, notes=(PIECES_MOVED,) if apart >= CLEARLY_APART else ())


def pooled(sights: Sequence[BoardSight]) -> BoardSight:
    """What several photos of a board saw, all turned alike, as one; the homography is the first one's.

    Feet are left out: those of two photos are the same pieces.
    """
    tiles = _pool([sight.tiles for sight in sights])
    pieces = tuple(
        _pool(shares, HIDDEN * _number_of_pieces(group))
        for group, shares in zip(GROUPS, zip(*(sight.pieces for sight in sights), strict=True), strict=True)
    )
    return replace(sights[0], tiles=tiles, pieces=pieces, feet=())


def _pool(chances: Sequence[Floats], bonus: Floats | float = 0.0) -> Floats:
    """Chances (30, ...) that several photos gave, as one: a product of powers, normalised by square.

    `bonus` speaks for each of the numbers, in nats.
    """
    logs = EVIDENCE * np.log(np.maximum(np.stack(chances), LEAST_CHANCE)).mean(axis=0) + bonus
    logs = logs.reshape(SQUARES, -1)
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True)).reshape(chances[0].shape)


def _number_of_pieces(group: CountGroup) -> Floats:
    """How many pieces each of a group's numbers stands for: a camel of any colour is one."""
    numbers = np.arange(group.size, dtype=np.float64)
    return np.minimum(numbers, 1) if group.kind == "camel" else numbers


def _aligned(reference: Named, named: Named) -> Reading:
    """A reading turned the way the reference lies. Raises PhotoError if it is of another table."""
    name, reading = named
    turned = decide(half_turned(_sight(reading)))
    best = max((reading, turned), key=lambda one: _same_kinds(reference[1], one))
    same = _same_kinds(reference[1], best)
    if same < SAME_TABLE:
        raise PhotoError(
            f"these photos show two different tables: only {same} of 30 tiles are the same in {reference[0]} and"
            f" {name}; give photos of one table, and of its cards"
        )
    return best


def _same_kinds(one: Reading, other: Reading) -> int:
    return sum(a.tile.kind is b.tile.kind for a, b in zip(one.tiles, other.tiles, strict=True))


def _sight(reading: Reading) -> BoardSight:
    assert reading.sight is not None, "boards read from photos are merged, codes are not"
    return reading.sight


def _clear(named: Sequence[Named], square: int) -> set[Tile]:
    """The tiles that photos show clearly on a square: one if they agree."""
    seen = [reading.tiles[square] for _, reading in named]
    return {tile.tile for tile in seen if not tile.is_doubtful}


def _described(tile: TileReading, square: int, named: Sequence[Named], sights: Sequence[BoardSight]) -> TileReading:
    """The merged reading of a square with its feet, and a doubt that names the photos if they leave one and differ."""
    feet = max((standing(tile.tile, sight.feet_on(square)) for sight in sights), key=len)
    shown = [(name, reading.tiles[square].tile) for name, reading in named]
    doubts = tile.doubts
    settled = tile.confidence >= OUTVOTED and len(_clear(named, square)) <= 1
    if len({seen for _, seen in shown}) > 1 and not settled:
        by_name = ", ".join(f"{name} shows {format_tile(seen)}" for name, seen in shown)
        # The other photos say what else a tile may be, unless it is as none of them shows it.
        doubts = (by_name,) if any(seen == tile.tile for _, seen in shown) else (by_name, *doubts)
    return replace(tile, doubts=doubts, feet=feet)
