"""What lies on the table beside the sultanate: what stands out from it, and what the piece network sees in that."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.likeness import TILE_MM, upward
from companion.vision.board.pieces import MIN_SCORE, PIECE_CLASSES, run_piece_net
from companion.vision.board.rectify import TILE_PX, cells_to_board, rectify
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import Float64, Points, project
from companion.vision.own.row import FoundPiece

BEYOND_TILES = 2.6
"""How far beyond the sultanate's edge is looked, in tile sides."""

ROOM_TILES = 0.3
"""A row needs so much room beyond the sultanate's edge, in tile sides."""

CLEAR_TILES = 0.1
"""What is nearer to the sultanate than this belongs to its tiles."""

SIDES: tuple[tuple[float, float], ...] = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""The sultanate's sides, as directions on the board: below, above, right, left."""

TABLE_MM = 50.0
"""The table's colour at a place is the median of what lies as near as half of this: mostly table, not piece."""

MIN_CONTRAST, NOISE = 16.0, 3.5
"""A piece differs from the table by more than this in some channel, of 255, and by so many times its own noise."""

SAME_HUE, DEEPEST_SHADOW = 1.5, 0.3
"""In no channel does a shadow have so many times the share of the table's light that it has in another, since lamps of
other colours shine into it; and the least share."""

AREA_MM2 = (45.0, 1500.0)
"""What a piece with its shadow covers, seen from above or from a seat."""

DEPTH_MM = 4.0
"""From a piece's near edge to the middle of its foot."""

NEAR_MM = 5.0
SEEN_ALONE = 0.3
"""Score of a thing that stands out as a piece does, beside what the piece network gives it."""

MAX_FOUND = 60


def find_beside(photo: Picture, lattice: Lattice) -> list[FoundPiece]:
    """All that may be pieces within `BEYOND_TILES` of the sultanate in a photo (H, W, 3), BGR; the clearest first."""
    reference = rectify(photo, lattice.homography)
    found: list[FoundPiece] = []
    for across, down in SIDES:
        if not _has_room(photo, lattice.homography, across, down):
            continue
        shift = np.array([[1, 0, across * BEYOND_TILES], [0, 1, down * BEYOND_TILES], [0, 0, 1.0]])
        homography = lattice.homography @ shift
        canvas = rectify(photo, homography)
        things = _standing_out(canvas, _on_table(photo, homography, (across, down)))
        if not things:
            continue
        peaks = run_piece_net(canvas, reference).peaks
        for mask in things:
            one = _described(mask, peaks, homography)
            place = (one.foot[0] + across * BEYOND_TILES, one.foot[1] + down * BEYOND_TILES)
            found.append(FoundPiece(place, one.score, one.classes))
    found.sort(key=lambda one: -one.score)
    return found[:MAX_FOUND]


def _has_room(photo: Picture, homography: Float64, across: float, down: float) -> bool:
    """Whether the photo shows room for a row beyond that side of the sultanate."""
    x, y = COLUMNS / 2 + across * (COLUMNS / 2 + ROOM_TILES), ROWS / 2 + down * (ROWS / 2 + ROOM_TILES)
    along = np.array([(x + down * part * COLUMNS, y + across * part * ROWS) for part in (-0.25, 0.0, 0.25)])
    seen = project(homography, along)
    height, width = photo.shape[:2]
    return bool(((seen >= 0) & (seen < (width, height))).all(axis=1).any())


def _on_table(photo: Picture, homography: Float64, side: tuple[float, float]) -> NDArray[np.bool_]:
    """Where a canvas, whose homography maps to px of the photo, shows the table beyond that side, (H, W)."""
    inside = rectify(np.full((*photo.shape[:2], 3), 255, np.uint8), homography)[..., 0] > 250
    rows, columns = np.indices(inside.shape)
    x, y = cells_to_board(columns, rows, 1)  # type: ignore[arg-type]
    x, y = x + side[0] * BEYOND_TILES, y + side[1] * BEYOND_TILES
    beyond = np.maximum(np.maximum(-x, x - COLUMNS), np.maximum(-y, y - ROWS))
    half = abs(side[0]) * COLUMNS / 2 + abs(side[1]) * ROWS / 2
    own_side = side[0] * (x - COLUMNS / 2) + side[1] * (y - ROWS / 2) - half
    return np.asarray(inside & (beyond > CLEAR_TILES) & (own_side > CLEAR_TILES), dtype=np.bool_)


def _standing_out(canvas: Picture, table: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """What on the table differs from it and is as large as a piece: a mask (H, W) each."""
    if table.sum() < 1000:
        return []
    mm = TILE_PX / TILE_MM
    small = cv2.resize(canvas, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    inside = table[::2, ::2]
    # Beyond the table its own colour goes on, or its edge would stand out.
    filled = small.copy()
    filled[~inside] = np.median(small[inside], axis=0).astype(np.uint8)
    ground = cv2.medianBlur(filled, round(TABLE_MM * mm / 2) // 2 * 2 + 1)
    away = np.abs(filled.astype(np.float32) - ground).max(axis=2)
    level = max(MIN_CONTRAST, NOISE * float(np.median(away[inside])))
    # A shadow is the table itself, darker in all channels much alike.
    shares = (filled.astype(np.float32) + 4) / (ground.astype(np.float32) + 4)
    lowest, highest = shares.min(axis=2), shares.max(axis=2)
    shadow = (highest < 1) & (highest < SAME_HUE * lowest) & (lowest > DEEPEST_SHADOW)
    apart = ((away > level) & inside & ~shadow).astype(np.uint8)
    apart = cv2.morphologyEx(apart, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    apart = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    number, labels, statistics, _ = cv2.connectedComponentsWithStats(apart, connectivity=4)
    least, most = (area * (mm / 2) ** 2 for area in AREA_MM2)
    chosen = [place for place in range(1, number) if least <= statistics[place, cv2.CC_STAT_AREA] <= most]
    return [np.asarray(labels == place, dtype=np.bool_) for place in chosen[: 4 * MAX_FOUND]]


def _described(mask: NDArray[np.bool_], peaks: Sequence[Points], homography: Float64) -> FoundPiece:
    """A thing that stands out: where its foot is, in the canvas's board coordinates, and what is seen there."""
    rows, columns = np.nonzero(mask)
    x, y = cells_to_board(2 * columns + 0.5, 2 * rows + 0.5, 1)  # type: ignore[arg-type]
    places = np.column_stack([x, y])
    middle = places.mean(axis=0)
    up = np.array(upward(homography, float(middle[0]), float(middle[1])))
    height = (places - middle) @ up
    low = float(np.quantile(height, 0.04))
    foot = places[height <= low + 8.0 / TILE_MM].mean(axis=0)
    foot = foot + (low + DEPTH_MM / TILE_MM - float((foot - middle) @ up)) * up
    reach = NEAR_MM / TILE_MM
    left, right = places.min(axis=0) - reach, places.max(axis=0) + reach
    classes = []
    for one in peaks:
        seen = np.array([cells_to_board(x, y, HEAT_STRIDE) for x, y, _ in one]).reshape(-1, 2)
        near = ((seen >= left) & (seen <= right)).all(axis=1)
        classes.append(max(float(one[near, 2].max(initial=0.0)), MIN_SCORE / 2))
    assert len(classes) == len(PIECE_CLASSES)
    return FoundPiece((float(foot[0]), float(foot[1])), max(SEEN_ALONE, *classes), tuple(classes))
