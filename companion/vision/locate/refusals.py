"""Why a photo cannot be read, and what to do about it: checks that end in one clear message or let it pass."""

from __future__ import annotations

import cv2
import numpy as np

from companion.errors import PhotoError
from companion.rules.model.board import SQUARES
from companion.vision.load import Picture
from companion.vision.locate.fitting import OUTLINE, Lattice

LEAST_TILES = 20
"""Tiles that must be seen at their places in the grid, of 30, for a sultanate to be called found."""

LEAST_TILE_PX = 30.0
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


def check_found(lattice: Lattice, photo: Picture) -> None:
    """Refuse a lattice that is not a whole sultanate, large enough to be read.

    Raises PhotoError with what to do.
    """
    height, width = photo.shape[:2]
    if lattice.tiles_seen < LEAST_TILES and (fault := _fault_of(photo)) is not None:
        raise PhotoError(f"no whole sultanate found in the photo: {fault}")
    check_inside(lattice, width, height)
    if lattice.tiles_beyond >= MANY_BEYOND:
        raise PhotoError(
            "more than 6 x 5 squares lie in one grid in the photo: another game, or tiles too many in a row; "
            "lay the sultanate's 30 tiles 6 wide and 5 high, other tiles apart from them"
        )
    if lattice.tiles_seen < LEAST_TILES:
        raise PhotoError(
            f"no whole sultanate found in the photo, only {lattice.tiles_seen} of 30 tiles: {_remedy(photo)}"
        )
    if lattice.tile_px < LEAST_TILE_PX:
        raise PhotoError(
            f"the sultanate is too small in the photo, a tile {lattice.tile_px:.0f} px wide: come closer, "
            "or send the photo at its full size"
        )


def not_found(photo: Picture) -> PhotoError:
    """The error for a photo in which no sultanate shows at all."""
    return PhotoError(f"no sultanate found in the photo: {_remedy(photo)}")


def two_found() -> PhotoError:
    """The error for a photo of two sultanates."""
    return PhotoError("there are two sultanates in the photo: photograph one at a time, or crop the other away")


def check_inside(lattice: Lattice, width: int, height: int) -> None:
    """Refuse a board that reaches beyond the photo. Raises PhotoError naming the side, as seen in the photo."""
    corners = lattice.to_photo(OUTLINE)
    slack = CUT_TILES * lattice.tile_px
    cut = [
        side
        for side, outside in (
            ("left", corners[:, 0] < -slack),
            ("right", corners[:, 0] > width + slack),
            ("top", corners[:, 1] < -slack),
            ("bottom", corners[:, 1] > height + slack),
        )
        if outside.any()
    ]
    if cut:
        raise PhotoError(
            f"the sultanate seems cut off at the {' and '.join(cut)} of the photo, {lattice.tiles_seen} of its "
            f"{SQUARES} tiles are seen: step back so that all are in view"
        )


def _remedy(photo: Picture) -> str:
    return _fault_of(photo) or (
        "take it from above, all 30 tiles in view and sharp, the board at least half as wide as the picture"
    )


def _fault_of(photo: Picture) -> str | None:
    """What is wrong with the whole photo and what would help; None if it looks like any other."""
    scale = SHARP_SIDE_PX / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if np.quantile(grey, 0.98) < DARK_LEVEL:
        return "it is too dark; make light, or let the phone expose for longer"
    if np.mean(grey >= GLARING_LEVEL) > GLARING_SHARE:
        return "most of it is plain white; keep lamps out of the picture, and the phone from overexposing"
    bends = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    if bends.mean() < BLURRED_BELOW and np.percentile(bends, 99.9) < SHARP_EDGE:
        return "it is blurred; hold the phone still, and let it focus on the tiles"
    return None
