"""Find the sultanate: heat of tile corners and centres -> a grid -> the board's homography.

Where one look at the whole photo does not show it plainly, closer looks at parts of the photo follow.
What was found is then looked at as from straight above, which tells its place best, and whether it is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.locate.fitting import CENTRES, NODES, OUTLINE, Lattice, best_window, fit
from companion.vision.locate.grid import REACH, grow_grids
from companion.vision.locate.heatmaps import Sight, look, look_straight
from companion.vision.locate.refusals import LEAST_TILES, MANY_BEYOND, check_found, check_inside, not_found, two_found
from companion.vision.plane import project

__all__ = ["CENTRES", "NODES", "OUTLINE", "Lattice", "find_lattice", "refine_lattice"]

ENOUGH_TILES = 28
"""With so many tiles at their places no other grid is tried and no other look taken."""

BESIDE_TILES = 0.3
"""How far from a sultanate, in tile sides, another tile's middle lies at least."""

STRAIGHT_LOOKS = 2
"""Looks from straight above; the second starts from what the first found."""

WINDOW_SHARES = (0.62, 0.42)
"""Sides of the parts of a photo that are looked at more closely, in its long side."""

WINDOW_STEP = 0.6
"""How far apart such parts lie at most, in their own sides."""


def find_lattice(photo: Picture) -> Lattice:
    """The sultanate in a photo, from any side.

    Raises PhotoError if none is found, if part of it is outside the picture, if there are two, or if it is too
    small to be read.
    """
    height, width = photo.shape[:2]
    whole = look(photo, (0.0, 0.0, float(max(height, width))))
    best = _find_in(photo, whole)
    for share in WINDOW_SHARES:
        if best is not None and best.tiles_seen >= (ENOUGH_TILES if share == WINDOW_SHARES[0] else LEAST_TILES):
            break
        for square in _squares(width, height, share):
            found = _find_in(photo, look(photo, square))
            if found is not None and (best is None or _points(found) > _points(best)):
                best = found
            if best is not None and best.tiles_seen >= ENOUGH_TILES:
                break
    if best is None:
        raise not_found(photo)
    check_found(best, photo)
    if _has_second(photo, whole, best):
        raise two_found()
    return best


def refine_lattice(starts: Sequence[NDArray[np.float64]], photo: Picture) -> Lattice | None:
    """Of several homographies of one place, the one that the tiles seen there fit best, fitted to them.

    None if hardly any tile is seen. Raises PhotoError if part of the board is outside the picture.
    """
    fitted = [lattice for start in starts if (lattice := _settle(photo, Lattice(start, 0), shift=False)) is not None]
    if not fitted:
        return None
    best = max(fitted, key=_points)
    check_inside(best, photo.shape[1], photo.shape[0])
    return best


def _points(lattice: Lattice) -> int:
    return lattice.tiles_seen + lattice.corners_seen


def _find_in(photo: Picture, sight: Sight) -> Lattice | None:
    """The sultanate in one look, its place as it is seen from straight above."""
    grid = _grow_best(sight, (photo.shape[1], photo.shape[0]))
    return None if grid is None else _settle(photo, grid)


def _has_second(photo: Picture, sight: Sight, first: Lattice) -> bool:
    """Whether a look at the whole photo shows another sultanate beside the one found."""
    to_board = np.asarray(np.linalg.inv(first.homography), dtype=np.float64)
    near = project(to_board, sight.centres)
    apart = ((near < -BESIDE_TILES) | (near > (COLUMNS + BESIDE_TILES, ROWS + BESIDE_TILES))).any(axis=1)
    if apart.sum() < LEAST_TILES:
        return False
    second = _find_in(photo, replace(sight, centres=sight.centres[apart]))
    if second is None or second.tiles_seen < LEAST_TILES or second.tiles_beyond >= MANY_BEYOND:
        return False
    middle = project(to_board, second.to_photo(CENTRES).mean(axis=0)[None])[0]
    return bool((middle < 0).any() or (middle > (COLUMNS, ROWS)).any())


def _squares(width: int, height: int, share: float) -> Iterator[tuple[float, float, float]]:
    """Squares (left, top, side) that cover a photo and overlap, their side that share of its long side."""
    side = share * max(width, height)
    for top in _starts(height, side):
        for left in _starts(width, side):
            yield left, top, side


def _starts(length: float, side: float) -> list[float]:
    """Where squares begin along an edge so that they cover it and overlap; centred if one is enough."""
    spare = length - side
    if spare <= 0:
        return [spare / 2]
    steps = int(np.ceil(spare / (WINDOW_STEP * side)))
    return [float(start) for start in np.linspace(0, spare, steps + 1)]


def _grow_best(sight: Sight, size: tuple[int, int]) -> Lattice | None:
    """The best grid over several seed tiles, as a lattice of the best 6 x 5 window."""
    best: Lattice | None = None
    best_heat = 0.0
    everywhere = range(-REACH, REACH + 1)
    for homography in grow_grids(sight.centres):
        window = best_window(homography, sight, (everywhere, everywhere), size)
        fitted = None if window is None else fit(window, sight)
        if fitted is None:
            continue
        heat = float(sight.heat_at(1, fitted.to_photo(CENTRES)).sum())
        if heat > best_heat:
            best, best_heat = fitted, heat
        if fitted.tiles_seen >= ENOUGH_TILES:
            break
    return best


def _settle(photo: Picture, lattice: Lattice, *, shift: bool = True) -> Lattice | None:
    """The lattice as it is seen from straight above; moved by a row or column if tiles lie there instead.

    None if hardly anything is seen there.
    """
    height, width = photo.shape[:2]
    found: Lattice | None = lattice
    for _ in range(STRAIGHT_LOOKS):
        assert found is not None
        if not 2.0 <= found.tile_px <= max(width, height):
            return None
        sight = look_straight(photo, found.homography, found.tile_px)
        start: NDArray[np.float64] | None = found.homography
        if shift:
            # The middles of the tiles are the places of the grid: one more on each side is in view.
            to_px = found.homography @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
            start = best_window(to_px, sight, (range(-1, COLUMNS + 1), range(-1, ROWS + 1)), (width, height))
        found = None if start is None else fit(start, sight)
        if found is None:
            return None
    return found
