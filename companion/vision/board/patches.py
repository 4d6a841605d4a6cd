"""How alike pictures of tiles are, patch by patch: normalised cross-correlation that allows for small shifts.

Two photos of one tile show the same print but for light, which correlation does not mind, and for what stands on it,
which spoils the patches that it covers and no others.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.load import Picture
from companion.vision.networks import MAX_LEVEL
from companion.vision.numerics import Float32, Float64

PATCHES = 8
PATCH_PX = 9
"""A tile is compared in 8 x 8 patches of 9 px."""

SHIFTS_PX = (-1, 0, 1)
"""A patch is looked for so far from its place in either direction: tiles are never found quite exactly."""

CLEAR_CONTRAST, AGREEING = 0.3, 0.3
"""Between two tiles a patch counts fully from this contrast on; of all patches this share counts that agrees best."""

_SIDE_PX = PATCHES * PATCH_PX


def correlations(shown: Picture, shown_white: Float64, seen: Picture, seen_white: Float64) -> Float64:
    """How like each tile seen is to each shown, (seen, shown), -1 to 1.

    Pictures are (N, side, side, 3), BGR, all one way up; whites (3,) are the bright ends of their photos. Patches count
    by how much the tiles shown differ in them: a frame that all have tells nothing, a numeral everything.
    """
    known, _ = _patches(_scaled(shown, shown_white))
    weights = (1 - (known.mean(axis=0) ** 2).sum(axis=1)) ** 2
    best = _best_by_patch(known, _scaled(seen, seen_white))
    return np.asarray(np.tensordot(weights, best, axes=(0, 0)) / max(weights.sum(), 1e-6), dtype=np.float64)


def mutual_correlations(tiles: Picture, white: Float64) -> Float64:
    """How like the tiles of one board are to one another, (N, N).

    Something may stand on either of two: the patches that agree best tell, as far as they agree more than the same
    patches of other tiles do.
    """
    known, contrast = _patches(_scaled(tiles, white))
    best = _best_by_patch(known, _scaled(tiles, white))
    best = np.maximum(best, best.transpose(0, 2, 1))
    clear = np.minimum(contrast.T[:, None, :], contrast.T[:, :, None])
    above = (best - best.mean(axis=(1, 2), keepdims=True)) * np.minimum(clear / CLEAR_CONTRAST, 1)
    count = round(AGREEING * PATCHES**2)
    return np.asarray(np.sort(above, axis=0)[-count:].mean(axis=0), dtype=np.float64)


def _best_by_patch(known: Float32, light: Float32) -> Float32:
    """The correlation of each patch of tiles with that of known ones, wherever it fits best: (64, tiles, known)."""
    reach = max(SHIFTS_PX)
    wide = np.pad(light, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge")
    best = np.full((PATCHES**2, len(light), len(known)), -1.0, dtype=np.float32)
    across = np.ascontiguousarray(known.transpose(1, 2, 0))
    for down in SHIFTS_PX:
        for right in SHIFTS_PX:
            top, left = reach + down, reach + right
            moved, _ = _patches(wide[:, top : top + _SIDE_PX, left : left + _SIDE_PX])
            np.maximum(best, np.ascontiguousarray(moved.transpose(1, 0, 2)) @ across, out=best)
    return best


def _scaled(pictures: Picture, white: Float64) -> Float32:
    """The pictures (N, 72, 72, 3) in parts of white, by the square root: about as bright as they look."""
    small = [cv2.resize(one, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA) for one in pictures]
    light = np.stack(small).astype(np.float32) / white.astype(np.float32)
    return np.asarray(np.sqrt(np.minimum(light, MAX_LEVEL)), dtype=np.float32)


def _patches(pictures: Float32) -> tuple[Float32, Float32]:
    """The patches (N, 64, 243) of pictures, each about its mean and of length 1, and their contrasts (N, 64)."""
    count = len(pictures)
    cut = pictures.reshape(count, PATCHES, PATCH_PX, PATCHES, PATCH_PX, 3).transpose(0, 1, 3, 2, 4, 5)
    cut = cut.reshape(count, PATCHES**2, PATCH_PX**2, 3)
    about = (cut - cut.mean(axis=2, keepdims=True)).reshape(count, PATCHES**2, -1)
    contrast = np.linalg.norm(about, axis=2)
    return about / np.maximum(contrast, 1e-3)[..., None], contrast
