"""Find the sultanate: heatmaps of tile corners and centres -> a grid -> the board's homography.

Where the whole photo does not show it plainly, closer views of parts of it follow, then what has four sides and stands
out from the table, and last all that once more in other tones. What was found is then looked at as from straight above,
which fixes its place best, and whether it is one. What cannot be read ends in one clear message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np

from companion.errors import PhotoError
from companion.language.phrase import joined, say
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.load import Picture
from companion.vision.locate.grid import OUTLINE, REACH, Lattice, grow_grids
from companion.vision.locate.heatmaps import Heatmaps, best_window, detect_lattice_points, detect_rectified_points, fit
from companion.vision.locate.outline import outline_homographies
from companion.vision.numerics import Float64, GreyImage, project, scaled_and_moved, scaled_down

ENOUGH_TILES = 28
"""With this many tiles in place no other grid is tried and no other pass taken."""

BESIDE_TILES = 0.3
"""How far from a sultanate, in tile sides, another tile's middle lies at least."""

STRAIGHT_LOOKS = 2
"""Looks from straight above; the second starts from what the first found."""

WINDOW_SHARES = (0.62, 0.42)
"""Sides of the parts of a photo that are looked at more closely, in its long side."""

WINDOW_STEP = 0.6
"""How far apart such parts lie at most, in their own sides."""

MOST_SETTLED = 3
"""Of the grids that parts of one size show, so many are looked at from straight above, the likeliest first: a page of
text shows one in each part."""

MIN_TILES = 20
"""Tiles that must be seen at their places in the grid, of 30, for a sultanate to be called found."""

MIN_OUTLINED, MIN_OUTLINED_TILES = 44, 15
"""How many tiles and corners together, of 72, and how many tiles must be seen where an outline said where to look."""

MAX_MOVED_TILES = 0.6
"""How far the board's corners may lie, in tile sides, from those of the outline, unless `ENOUGH_TILES` are seen: pieces
stand out over its edge."""

MIN_TILE_PX = 30.0
"""Smaller tiles show too little of what stands on them."""

CUT_TILES = 0.12
"""How far, in tile sides, the board's edge may lie beyond the photo's: no piece's foot stands so near to it."""

MANY_BEYOND = 4
"""Tiles in line beside the board that make a row or column too many."""

DARK_LEVEL = 40
"""Brightness (0 to 255) under which nearly all of a photo lies that is too dark to show anything."""

GLARING_LEVEL = 250
GLARING_SHARE = 0.5
SHARP_SIDE_PX = 800
BLURRED_BELOW = 2.2
"""Mean step between neighbouring pixels' slopes, of a photo shrunk to `SHARP_SIDE_PX`, under which it is blurred."""

SHARP_EDGE = 40.0
"""The same of a few sharp edges: a picture of a plain table has little detail, but is not blurred where it has some."""

CONTRAST_LIMIT, CONTRAST_SQUARES = 2.0, 8
"""How strongly, and in how many squares a side, a photo that shows no sultanate is equalised for a second look."""

FLAT_RANGE, PLAIN_RANGE = 45, 10
"""A photo is flat, or of one colour, if nine tenths of its pixels differ by less in brightness (0 to 255). Of 14 photos
of boards, each spoilt in 13 ways, more contrast helped none with more than 35."""


class NoSultanateError(PhotoError):
    """Too few tiles are seen in a photo to call them a sultanate."""


class UnreadableLatticeError(PhotoError):
    """What looks like a sultanate lies in a photo, at each of the `lattices`, and can't be read there."""

    def __init__(self, message: str, /, lattices: Sequence[Lattice] = (), **values: object) -> None:
        super().__init__(message, **values)
        self.lattices = lattices


class TwoSultanatesError(UnreadableLatticeError):
    """Two sultanates lie in a photo, apart from each other."""


def find_lattice(photo: Picture) -> Lattice:
    """The sultanate in a photo, from any side, looked for once more with more contrast if it does not show.

    Raises PhotoError if none is found, if part of it is outside the picture, if there are two, or if it is too small
    to be read.
    """
    try:
        return _search(photo)
    except NoSultanateError as error:
        fault = error
    contrasted = _with_contrast(photo)
    if contrasted is not None:
        with suppress(PhotoError):
            # On tiles that are smaller than the first parts show, haze leaves nothing to be read.
            return _search(contrasted, WINDOW_SHARES[:1])
    raise fault


def _with_contrast(photo: Picture) -> Picture | None:
    """A flat or hazy photo as it may show more; None where tiles might be guessed at, but not what stands on them."""
    grey = _small_grey(photo)
    if _brightness_range(grey) >= FLAT_RANGE or _exposure_fault(grey) is not None:
        return None
    contrasted = with_local_contrast(photo, CONTRAST_LIMIT, CONTRAST_SQUARES)
    # What is flat counts as blurred until its contrast is there again.
    return None if _is_blurred(grey) and _is_blurred(_small_grey(contrasted)) else contrasted


def with_local_contrast(picture: Picture, limit: float, squares: int) -> Picture:
    """The picture (BGR) as a phone that lifts shadows shows it: its lightness equalised square by square (CLAHE)."""
    lightness, *colours = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))
    equalised = cv2.createCLAHE(limit, (squares, squares)).apply(lightness)
    return np.asarray(cv2.cvtColor(cv2.merge([equalised, *colours]), cv2.COLOR_LAB2BGR), dtype=np.uint8)


def _search(photo: Picture, shares: Sequence[float] = WINDOW_SHARES) -> Lattice:
    """The sultanate in the photo as it is, or in parts of these shares. Raises PhotoError as `find_lattice`."""
    height, width = photo.shape[:2]
    whole = detect_lattice_points(photo, (0.0, 0.0, float(max(height, width))))
    best = _find_in(photo, whole)
    for share in shares:
        if best is not None and best.tiles_seen >= (ENOUGH_TILES if share == WINDOW_SHARES[0] else MIN_TILES):
            break
        looks = (detect_lattice_points(photo, square) for square in _squares(width, height, share))
        grids = [grid for heatmaps in looks if (grid := _grow_best(heatmaps, (width, height))) is not None]
        for grid in sorted(grids, key=lambda grid: grid.score, reverse=True)[:MOST_SETTLED]:
            lattice = _settle(photo, grid)
            if lattice is not None and (best is None or _points(lattice) > _points(best)):
                best = lattice
            if best is not None and best.tiles_seen >= ENOUGH_TILES:
                break
    fault = lattice_fault(best, photo)
    if fault is not None:
        best = _within_outline(photo)
        if best is None:
            raise fault
    assert best is not None
    second = _find_second(photo, whole, best)
    if second is None:
        return best
    pairs = ((best, second), (second, best))
    if all(cv2.pointPolygonTest(one.corners.astype(np.float32), two.middle.tolist(), False) < 0 for one, two in pairs):
        raise TwoSultanatesError(
            say("there are two sultanates in the photo: photograph one at a time, or crop the other away"),
            (best, second),
        )
    # Two boards cannot lie in one place: a finer grid shows in the printing of one.
    return best if lattice_fault(second, photo) is not None else max(best, second, key=_points)


def _within_outline(photo: Picture) -> Lattice | None:
    """The sultanate where something of its shape stands out from the table, if tiles are seen all over it."""
    likely = []
    for start in outline_homographies(photo):
        lattice = _settle(photo, Lattice(start, 0), shift=False)
        if lattice is None or _points(lattice) < MIN_OUTLINED or lattice_fault(lattice, photo, MIN_OUTLINED_TILES):
            continue
        moved = np.linalg.norm(lattice.corners - project(start, OUTLINE), axis=1)
        if moved.max() < MAX_MOVED_TILES * lattice.tile_px or lattice.tiles_seen >= ENOUGH_TILES:
            likely.append(lattice)
    return max(likely, key=_points, default=None)


def outlined_lattices(photo: Picture) -> Iterator[Lattice]:
    """Whatever stands out from the table and has a board's shape, hardly a tile of it known, fitted to what is seen."""
    for start in outline_homographies(photo):
        settled = _settle(photo, Lattice(start, 0), shift=False)
        if settled is None or settled.tile_px >= MIN_TILE_PX:
            yield Lattice(start, 0) if settled is None else settled


def _points(lattice: Lattice) -> int:
    return lattice.tiles_seen + lattice.corners_seen


def _find_in(photo: Picture, heatmaps: Heatmaps) -> Lattice | None:
    """The sultanate in one pass's heatmaps, its place as it is seen from straight above."""
    grid = _grow_best(heatmaps, (photo.shape[1], photo.shape[0]))
    return None if grid is None else _settle(photo, grid)


def _find_second(photo: Picture, heatmaps: Heatmaps, first: Lattice) -> Lattice | None:
    """Another sultanate that the heatmaps of the whole photo show in tiles apart from the one found."""
    to_board = np.asarray(np.linalg.inv(first.homography), dtype=np.float64)
    near = project(to_board, heatmaps.centres)
    apart = ((near < -BESIDE_TILES) | (near > (COLUMNS + BESIDE_TILES, ROWS + BESIDE_TILES))).any(axis=1)
    if apart.sum() < MIN_TILES:
        return None
    second = _find_in(photo, replace(heatmaps, centres=heatmaps.centres[apart]))
    if second is None or second.tiles_seen < MIN_TILES or second.tiles_beyond >= MANY_BEYOND:
        return None
    return second


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


def _grow_best(heatmaps: Heatmaps, size: tuple[int, int]) -> Lattice | None:
    """The best grid over several seed tiles, as a lattice of the best 6 x 5 window."""
    best: Lattice | None = None
    everywhere = range(-REACH, REACH + 1)
    for homography in grow_grids(heatmaps.centres):
        window = best_window(homography, heatmaps, (everywhere, everywhere), size)
        fitted = None if window is None else fit(window, heatmaps)
        if fitted is None:
            continue
        if fitted.score > (0.0 if best is None else best.score):
            best = fitted
        if fitted.tiles_seen >= ENOUGH_TILES:
            break
    return best


def _settle(photo: Picture, lattice: Lattice, *, shift: bool = True) -> Lattice | None:
    """The lattice as it is seen from straight above; moved by a row or column if tiles lie there instead.

    None if hardly anything is seen there.
    """
    height, width = photo.shape[:2]
    refined: Lattice | None = lattice
    for _ in range(STRAIGHT_LOOKS):
        assert refined is not None
        if not 2.0 <= refined.tile_px <= max(width, height):
            return None
        heatmaps = detect_rectified_points(photo, refined.homography, refined.tile_px)
        start: Float64 | None = refined.homography
        if shift:
            # The middles of the tiles are the places of the grid: one more on each side is in view.
            to_px = refined.homography @ scaled_and_moved(1.0, 0.5, 0.5)
            start = best_window(to_px, heatmaps, (range(-1, COLUMNS + 1), range(-1, ROWS + 1)), (width, height))
        refined = None if start is None else fit(start, heatmaps)
        if refined is None:
            return None
    return refined


def lattice_fault(lattice: Lattice | None, photo: Picture, least: int = MIN_TILES) -> PhotoError | None:
    """Why a lattice is not a whole sultanate, `least` tiles of it seen, large enough to be read; None if it is one."""
    if lattice is None:
        return NoSultanateError("no sultanate found in the photo: {remedy}", remedy=_remedy(photo))
    if lattice.tiles_seen < least and (fault := _fault_of(photo)) is not None:
        return NoSultanateError("no whole sultanate found in the photo: {fault}", fault=fault)
    if (cut := fault_at_edge(lattice, photo.shape[1], photo.shape[0])) is not None:
        return cut
    if lattice.tiles_beyond >= MANY_BEYOND:
        return PhotoError(
            "the photo shows a grid of more than 6 x 5 squares: another game, or an expansion's tiles; lay "
            "the 30 tiles 6 wide and 5 high, away from other tiles"
        )
    if lattice.tiles_seen < least:
        return NoSultanateError(
            "no whole sultanate found in the photo, only {tiles_seen} of 30 tiles: {remedy}",
            tiles_seen=lattice.tiles_seen,
            remedy=_remedy(photo),
        )
    if lattice.tile_px < MIN_TILE_PX:
        return PhotoError(
            "the sultanate is too small in the photo, a tile {tile_px:.0f} px wide: come closer, or "
            "send the photo at its full size",
            tile_px=lattice.tile_px,
        )
    return None


def fault_at_edge(lattice: Lattice, width: int, height: int) -> PhotoError | None:
    """At which side, as seen in the photo, a board reaches beyond it; None if it doesn't."""
    corners = lattice.corners
    slack = CUT_TILES * lattice.tile_px
    outside = {
        say("left"): corners[:, 0] < -slack,
        say("right"): corners[:, 0] > width + slack,
        say("top"): corners[:, 1] < -slack,
        say("bottom"): corners[:, 1] > height + slack,
    }
    cut = [side for side, beyond in outside.items() if beyond.any()]
    if not cut:
        return None
    return UnreadableLatticeError(
        "the sultanate seems cut off at the {cut} of the photo, with {tiles_seen} of its {squares} tiles visible: "
        "step back so that all are in view",
        (lattice,),
        cut=joined(say(" and "), cut),
        tiles_seen=lattice.tiles_seen,
        squares=SQUARES,
    )


def _remedy(photo: Picture) -> str:
    return _fault_of(photo) or say(
        "take it from above, all 30 tiles in view and sharp, the board at least half as wide as the picture"
    )


def _fault_of(photo: Picture) -> str | None:
    """What is wrong with the whole photo and what would help; None if it looks like any other."""
    grey = _small_grey(photo)
    if (fault := _exposure_fault(grey)) is not None:
        return fault
    if not _is_blurred(grey):
        return None
    if _brightness_range(grey) < PLAIN_RANGE:
        return say("it is nearly all one colour; wipe the lens, and see that nothing covers it")
    return say("it is blurred; hold the phone still, and let it focus on the tiles")


def _small_grey(photo: Picture) -> GreyImage:
    small = scaled_down(photo, SHARP_SIDE_PX / max(photo.shape[:2]))
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _brightness_range(grey: GreyImage) -> float:
    """By how much nine tenths of a picture's pixels differ."""
    return float(np.ptp(np.quantile(grey, (0.05, 0.95))))


def _exposure_fault(grey: GreyImage) -> str | None:
    if np.quantile(grey, 0.98) < DARK_LEVEL:
        return say("it is too dark; turn on a light, or use a longer exposure")
    if np.mean(grey >= GLARING_LEVEL) > GLARING_SHARE:
        return say("most of it is plain white; keep lamps out of the picture, and use a shorter exposure")
    return None


def _is_blurred(grey: GreyImage) -> bool:
    bends = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return bool(bends.mean() < BLURRED_BELOW and np.percentile(bends, 99.9) < SHARP_EDGE)
