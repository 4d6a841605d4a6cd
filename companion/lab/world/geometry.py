"""A scene as meshes in space, and its exact truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import TILE_THICKNESS_MM, View, board_corners, set_up, turned
from companion.lab.rendering.carving import Reals
from companion.lab.rendering.render import picture_truth
from companion.lab.rendering.scene import Extra
from companion.lab.rendering.truth import Truth
from companion.lab.world.bodies import Body, block_body, joined, moved, skin, turned_body
from companion.lab.world.poses import set_down
from companion.lab.world.scenes import WorldScene
from companion.rules.model.board import COLUMNS, ROWS

Region = tuple[int, int, int, int]
"""Left, top, right and bottom in px; right and bottom lie just outside."""

_PIECES_MM = 30.0
"""No piece stands higher than this by much."""

SKIN_STEP_MM = 0.55
"""How far apart the points are that stand for a body's surface."""

_MOST_PX_A_MM = 1.0
"""The depth buffer is no finer than this where the camera is nearest, so that surfaces have no holes in it."""


def extra_body(extra: Extra) -> Body | None:
    """The body of a coin, mug or block that lies about; None for a card, which is flat."""
    width, depth, height = extra.size
    if extra.kind == "card":
        return None
    if extra.kind == "coin":
        r = width / 2
        return turned_body([(r - 0.3, 0), (r, 0.3), (r, height - 0.3), (r - 0.3, height), (0.8 * r, height - 0.3)], 32)
    if extra.kind == "mug":
        r = width / 2
        wall = [(0.8 * r, 0.0), (0.95 * r, 3.0), (r, height), (0.93 * r, height), (0.9 * r, height - 12)]
        handle = moved(block_body(0.5 * r, 9, 0.55 * height, 3), 1.15 * r, 0, 0.2 * height)
        return joined([turned_body(wall, 40), handle])
    return block_body(width, depth, height, min(0.8, 0.2 * min(extra.size)))


def on_table(extra: Extra, points: Reals) -> Reals:
    """Points of an extra's body in space: turned, at its place on the table."""
    return turned(points, extra.angle) + [extra.x, extra.y, -TILE_THICKNESS_MM]


def scene_view(scene: WorldScene) -> View:
    """The camera of a scene set up for its picture."""
    return set_up(scene.scene.camera, scene.size)


def board_region(scene: WorldScene) -> Region:
    """Where the board lies in the picture before the lens bends it, with a rim of half a tile and room for pieces."""
    middle = board_corners().mean(0)
    wide = middle + (board_corners() - middle) * (1 + np.array([1 / COLUMNS, 1 / ROWS, 0]))
    seen = scene_view(scene).straight(np.vstack([wide, wide + [0, 0, _PIECES_MM]]))
    (left, top), (right, bottom) = np.floor(seen.min(0)), np.ceil(seen.max(0))
    width, height = scene.size
    return max(int(left), 0), max(int(top), 0), min(int(right), width), min(int(bottom), height)


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


def scene_truth(scene: WorldScene) -> Truth:
    """All that the picture of a scene shows."""
    view = scene_view(scene)
    known = {kind: skin(body, SKIN_STEP_MM) for kind, body in scene.box.bodies.items()}
    skins = [set_down(scene.box.bodies[pose.piece.kind], pose, known[pose.piece.kind]) for pose in scene.poses]
    for extra in scene.scene.extras:
        body = extra_body(extra)
        if body is not None:
            skins.append(on_table(extra, skin(body, SKIN_STEP_MM)))
    return picture_truth(scene.scene, view, skins, visible_shares(skins, view))
