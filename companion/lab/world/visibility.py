"""What a picture shows of each piece, exactly: where it is, and how much of it nothing hides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import View
from companion.lab.rendering.carving import Reals

SKIN_STEP_MM = 0.55
"""How far apart the points are that stand for a body's surface."""

_MOST_PX_A_MM = 1.0
"""The depth buffer is no finer than this where the camera is nearest, so that surfaces have no holes in it."""


def visible_shares(skins: Sequence[Reals], view: View) -> NDArray[np.float64]:
    """The share of each body's silhouette that no other one hides and that lies in the picture, 0 to 1.

    `skins` are points (n, 3) in mm all over the bodies, in space.
    """
    if not skins:
        return np.zeros(0)
    points = np.vstack(skins)
    owners = np.repeat(np.arange(len(skins)), [len(skin) for skin in skins])
    depth = view.depth(points)
    focal = float(np.linalg.norm(view.matrix[0, :3]))
    fine = min(1.0, _MOST_PX_A_MM / (focal / float(depth.min())))
    seen = np.floor(view.project(points) * fine).astype(np.int64)
    width, height = (int(np.ceil(side * fine)) for side in view.size)
    inside = ((seen >= 0) & (seen < (width, height))).all(1)
    # Cells beyond the picture count for the whole, not for what is seen.
    cells = (seen[:, 1] + 10 * height) * (21 * width) + seen[:, 0] + 10 * width
    alone = np.unique(np.column_stack([owners, cells]), axis=0)[:, 0]
    whole = np.bincount(alone, minlength=len(skins))
    order = np.lexsort((depth[inside], cells[inside]))
    sorted_cells = cells[inside][order]
    first = np.ones(len(sorted_cells), np.bool_)
    first[1:] = sorted_cells[1:] != sorted_cells[:-1]
    nearest = np.bincount(owners[inside][order][first], minlength=len(skins))
    return np.asarray(nearest / np.maximum(whole, 1), np.float64)
