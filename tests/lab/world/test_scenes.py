"""Scenes put together what is confused, and poses keep pieces on their tiles."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from companion.errors import UnusableInputError
from companion.lab.rendering.pieces import MEEPLE, PALACE, PALM, make_piece_set
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece
from companion.lab.world.bodies import LOWER, SIDE, block_body, body_set
from companion.lab.world.catalogue import (
    ALL,
    HELD_OUT,
    KEPT_OUT,
    SUBJECTS,
    TRAINING,
    check_seeds,
    draw_families,
    is_ordinary,
    subject_of,
)
from companion.lab.world.lamps import LAMPS, draw_lighting
from companion.lab.world.poses import MAX_LEAN_DEG, Pose, draw_poses, set_down
from companion.lab.world.scenes import WorldScene, draw_scene


@cache
def scene(seed: int) -> WorldScene:
    return draw_scene(seed, width=640)


@pytest.mark.parametrize("seed", [*range(4), 2_000_000])
def test_every_piece_of_the_board_is_there_and_on_its_tile(seed: int) -> None:
    drawn = scene(seed)
    tiles = {tile.square: tile for tile in drawn.scene.tiles}
    for square, tile in enumerate(drawn.scene.board):
        here = [piece for piece in drawn.scene.pieces if piece.square == square]
        assert sum(piece.kind == MEEPLE for piece in here) == sum(tile.meeples)
        assert sum(piece.kind == PALM for piece in here) == tile.palms
        assert sum(piece.kind == PALACE for piece in here) == tile.palaces
        for piece in here:
            assert max(abs(piece.x - tiles[square].x), abs(piece.y - tiles[square].y)) < 38


def test_the_same_seed_gives_the_same_scene() -> None:
    one, other = draw_scene(7, width=640), draw_scene(7, width=640)
    assert one.poses == other.poses and one.families == other.families and one.lighting == other.lighting
    assert draw_scene(8, width=640).poses != one.poses


@pytest.mark.parametrize("seed", [*range(4), 2_000_000])
def test_no_piece_sinks_into_its_tile(seed: int) -> None:
    drawn = scene(seed)
    for pose in drawn.poses:
        points = set_down(drawn.box.bodies[pose.piece.kind], pose)
        assert abs(float(points[:, 2].min()) - pose.base) < 1e-6
        assert pose.tip <= MAX_LEAN_DEG


@pytest.mark.parametrize("seed", [5_500_000, 5_500_001, 5_500_002])
def test_ordinary_tables_are_laid_out_as_games_leave_them(seed: int) -> None:
    assert is_ordinary(seed) and not is_ordinary(5_000_000 + seed % 3)
    drawn = draw_scene(seed, HELD_OUT, width=640)
    assert 40 <= drawn.scene.camera.elevation <= 90
    assert sum(pose.tip > 0 or pose.base > 3 for pose in drawn.poses) <= 0.25 * len(drawn.poses)


BLOCK = block_body(14, 9, 16, 0.2)
BLOCKS = (BLOCK, BLOCK)


def meeple(x: float, y: float, pose: str = STANDING) -> PlacedPiece:
    return PlacedPiece(MEEPLE, "y", 8, x, y, 0.0, pose)


def test_a_leaning_piece_touches_the_one_it_leans_on() -> None:
    pieces = (meeple(100, 100), meeple(100, 114))
    leaning = [
        pose for seed in range(20) for pose in draw_poses(pieces, BLOCKS, 1.0, np.random.default_rng(seed)) if pose.tip
    ]
    assert leaning
    for pose in leaning:
        body = set_down(BLOCK, pose)
        other = 114 - 4.5 if pose.piece.y == 100 else 100 + 4.5
        reach = body[:, 1].max() - other if pose.piece.y == 100 else other - body[:, 1].min()
        assert -2.5 < reach < 6


def test_a_piece_across_another_rests_higher_at_that_end() -> None:
    pieces = (meeple(100, 100, LYING), meeple(100, 118, LYING))
    across = [
        pose for seed in range(20) for pose in draw_poses(pieces, BLOCKS, 1.0, np.random.default_rng(seed)) if pose.tip
    ]
    assert across
    for pose in across:
        body = set_down(BLOCK, pose)
        way = np.array([np.cos(pose.way), np.sin(pose.way)])
        along = body[:, :2] @ way
        assert body[along > np.quantile(along, 0.8), 2].mean() > body[along < np.quantile(along, 0.2), 2].mean() + 3


def test_lying_pieces_cover_their_place_evenly() -> None:
    points = set_down(BLOCK, Pose(meeple(50, 60, LYING)))
    assert np.allclose((points[:, :2].min(0) + points[:, :2].max(0)) / 2, (50, 60))
    assert float(points[:, 2].max()) == pytest.approx(9, abs=0.5)


def test_the_light_of_every_family_sums_to_one_and_comes_from_above() -> None:
    for family, seed in product(LAMPS, range(4)):
        lighting = draw_lighting(family, scene(0).scene.camera, np.random.default_rng(seed))
        assert lighting.ambient + sum(lamp.share for lamp in lighting.lamps) == pytest.approx(1)
        assert all(lamp.place[2] > 50 for lamp in lighting.lamps)
        assert lighting.tint[1] == pytest.approx(1)


def test_training_draws_no_family_that_is_held_out_and_held_out_photos_what_their_subject_says() -> None:
    for seed in range(300):
        drawn = draw_families(TRAINING, seed, np.random.default_rng(seed))
        assert all(name not in KEPT_OUT[what] for what, name in drawn.items())
    for seed in range(5_000_000, 5_000_060):
        drawn = draw_families(HELD_OUT, seed, np.random.default_rng(seed))
        assert {what for what, name in drawn.items() if name in KEPT_OUT[what]} == SUBJECTS[subject_of(seed)]
    assert all(names < set(ALL[what]) for what, names in KEPT_OUT.items())
    with pytest.raises(UnusableInputError, match="held-out photos have seeds from 5000000"):
        check_seeds(HELD_OUT, 17, 1)


def test_the_games_own_palms_have_sawn_sides_and_its_palaces_brown_ones() -> None:
    boxes = [make_piece_set(np.random.default_rng(seed)) for seed in range(8)]
    made = [body_set(box, np.random.default_rng(seed)) for seed, box in enumerate(boxes)]
    for box, bodies in zip(boxes, made, strict=True):
        assert bodies.materials[PALACE].side is box.finishes[PALACE].side is not None
        assert SIDE in bodies.bodies[PALACE].tones and LOWER not in bodies.bodies[PALACE].tones
        assert bodies.bodies[PALM].size[2] == pytest.approx(np.ptp(box.cuts[PALM].outline[:, 1]), abs=0.1)
    assert any(bodies.materials[PALACE].metallic for bodies in made)
