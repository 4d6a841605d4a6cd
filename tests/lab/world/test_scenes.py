"""Scenes put together what is confused, and poses keep pieces on their tiles."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.lab.rendering.boards import confusing_board, random_board
from companion.lab.rendering.pieces import MEEPLE, PALACE, PALM
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece
from companion.lab.world.bodies import block_body
from companion.lab.world.catalogue import HELD_OUT, TRAINING, is_ordinary, palace_tones
from companion.lab.world.lamps import LAMPS, draw_lighting
from companion.lab.world.paints import draw_materials, draw_paints
from companion.lab.world.poses import MAX_LEAN_DEG, Pose, draw_poses, set_down
from companion.lab.world.scenes import WorldScene, draw_scene
from companion.rules.model.components import MEEPLE_COUNTS, Tribe


@cache
def scene(seed: int) -> WorldScene:
    return draw_scene(seed, width=640)


@pytest.mark.parametrize("seed", [*range(5), 4_000_000, 4_000_001])
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


@pytest.mark.parametrize("seed", [*range(5), 4_000_000, 4_000_001])
def test_no_piece_sinks_into_its_tile(seed: int) -> None:
    drawn = scene(seed)
    for pose, box in zip(drawn.poses, drawn.box_numbers, strict=True):
        points = set_down(drawn.boxes[box].bodies[pose.piece.kind], pose)
        assert abs(float(points[:, 2].min()) - pose.base) < 1e-6
        assert pose.tip <= MAX_LEAN_DEG


@pytest.mark.parametrize("seed", [5_500_000, 5_500_001, 5_500_002])
def test_ordinary_tables_are_laid_out_as_games_leave_them(seed: int) -> None:
    assert is_ordinary(seed) and not is_ordinary(5_000_000 + seed % 3)
    drawn = draw_scene(seed, HELD_OUT, width=640)
    assert 40 <= drawn.scene.camera.elevation <= 90
    assert sum(pose.tip > 0 or pose.base > 3 for pose in drawn.poses) <= 0.25 * len(drawn.poses)


def test_where_pieces_are_alike_palms_stand_among_merchants_of_their_green() -> None:
    among = np.zeros(len(Tribe))
    for drawn in map(scene, range(3_000_000, 3_000_006)):
        paints = drawn.boxes[0].plain.paints
        # As near as two batches of one paint: one may be lighter, but they share their hue.
        palm, merchant = paints[PALM, ""], paints[MEEPLE, Tribe.MERCHANT.letter]
        assert palm @ merchant / (np.linalg.norm(palm) * np.linalg.norm(merchant)) > 0.97
        assert 0.6 < palm.sum() / merchant.sum() < 1.7
        palms = [tile for tile in drawn.scene.board if tile.palms]
        assert palms, "on a board at its start there is nothing to be confused"
        among += np.sum([tile.meeples for tile in palms], axis=0)
    assert among[Tribe.MERCHANT] >= 0.4 * among.sum()


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


def test_1_2_merchants_gather_among_palms_and_no_meeple_is_lost() -> None:
    def among_palms(board: object) -> int:
        assert isinstance(board, tuple)
        return sum(tile.meeples[Tribe.MERCHANT] for tile in board if tile.palms)

    more = 0
    for seed in range(12):
        plain = random_board("crowded", np.random.default_rng(seed))
        confusing = confusing_board(plain, np.random.default_rng(seed))
        more += among_palms(confusing) - among_palms(plain)
        for tribe in Tribe:
            total = sum(tile.meeples[tribe] for tile in confusing)
            assert total == sum(tile.meeples[tribe] for tile in plain) <= MEEPLE_COUNTS[tribe]
        assert [sum(tile.meeples) for tile in confusing] == [sum(tile.meeples) for tile in plain]
    assert more > 12


def test_palms_painted_as_merchants_have_their_paint() -> None:
    families = {"figure_paint": "usual", "palm_paint": "as-merchants", "palace_paint": "as-elders"}
    for seed in range(8):
        paints = draw_paints(families, np.random.default_rng(seed))
        assert np.abs(paints[PALM, ""] - paints[MEEPLE, "g"]).max() < 0.2
        assert np.abs(paints[PALACE, ""] - paints[MEEPLE, "w"]).max() < 0.4
        assert all(0 <= part <= 1 for paint in paints.values() for part in paint)
        made = draw_materials(families, palace_tones(TRAINING), np.random.default_rng(seed))
        assert all(material.metallic == 0 for material in made.values())


@pytest.mark.parametrize("family", list(LAMPS))
def test_the_light_of_every_family_sums_to_one_and_comes_from_above(family: str) -> None:
    for seed in range(10):
        lighting = draw_lighting(family, scene(0).scene.camera, np.random.default_rng(seed))
        assert lighting.ambient + sum(lamp.share for lamp in lighting.lamps) == pytest.approx(1)
        assert all(lamp.place[2] > 50 for lamp in lighting.lamps)
        assert lighting.tint[1] == pytest.approx(1)
