"""Where Blender is installed: it draws things where the truth says they are, in their colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.lab.rendering.textures import Floats
from companion.lab.world.geometry import board_region, scene_truth, scene_view
from companion.lab.world.lamps import Lighting
from companion.lab.world.scenes import WorldScene, draw_scene
from companion.rules.model.components import TILE_KINDS


@pytest.fixture(scope="module")
def scene() -> WorldScene:
    """A table in even white light, its tiles grey."""
    drawn = draw_scene(12, width=640)
    return replace(drawn, lighting=Lighting((), 1.0, (1.0, 1.0, 1.0), 0.0))


@pytest.fixture(scope="module")
def light(scene: WorldScene) -> Floats:
    from companion.lab.world.blender import trace

    return trace(scene, {code: [np.full((32, 32, 3), 128, np.uint8)] for code in TILE_KINDS}, samples=4)


def colours_at(light: Floats, points: list[tuple[float, float]], scene: WorldScene) -> list[Floats]:
    straight = np.round(scene_view(scene).unbend(np.array(points)) - 0.5).astype(int)
    return [light[v, u] / max(float(light[v, u].sum()), 1e-6) for u, v in straight]


def test_pieces_are_drawn_in_their_paints_where_the_truth_has_them(scene: WorldScene, light: Floats) -> None:
    # White and black have no hue to be told by.
    plain = scene.scene.box.paints
    paints = {key: paint / paint.sum() for key, paint in plain.items() if key[1] not in ("", "w", "K")}
    truths = scene_truth(scene).pieces
    shown = [piece for piece in truths if piece.visible > 0.9 and (piece.kind, piece.colour) in paints]
    width, height = scene.size
    shown = [piece for piece in shown if 2 < piece.centre_px[0] < width - 2 and 2 < piece.centre_px[1] < height - 2]
    right = 0
    for piece, colour in zip(shown, colours_at(light, [piece.centre_px for piece in shown], scene), strict=True):
        nearest = min(paints, key=lambda key: float(np.abs(paints[key] - colour).sum()))
        right += nearest == (piece.kind, piece.colour)
    assert len(shown) > 15 and right > 0.8 * len(shown)


def test_tiles_lie_where_the_truth_has_them(scene: WorldScene, light: Floats) -> None:
    truth = scene_truth(scene)
    corners = [np.array(tile.corners_px) for tile in truth.tiles]
    just_inside = [tuple((0.94 * ring[k] + 0.06 * ring.mean(0)).tolist()) for ring in corners for k in range(4)]
    boxes = np.array([piece.box_px for piece in truth.pieces])
    free = [
        (u, v)
        for u, v in just_inside
        if not ((boxes[:, :2] - 6 < (u, v)).all(1) & (boxes[:, 2:] + 6 > (u, v)).all(1)).any()
    ]
    grey = [np.ptp(colour) < 0.06 for colour in colours_at(light, free, scene)]
    assert len(free) > 40 and np.mean(grey) > 0.9


def test_near_the_board_is_traced_as_large_as_ever_and_the_rest_coarsely(scene: WorldScene, light: Floats) -> None:
    from companion.lab.world.blender import trace

    near = trace(scene, {code: [np.full((32, 32, 3), 128, np.uint8)] for code in TILE_KINDS}, samples=4, near=True)
    left, top, right, bottom = board_region(scene)
    apart = np.abs(near - light).mean(2)
    inside = np.zeros(apart.shape, dtype=bool)
    inside[top:bottom, left:right] = True
    assert near.shape == light.shape and 0 < inside.mean() < 1
    assert np.median(apart[inside]) < 0.02 * np.median(light)
    assert np.mean(np.abs(near[~inside].mean(0) - light[~inside].mean(0))) < 0.05
