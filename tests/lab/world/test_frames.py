"""The truth is where things are, and frames are whole files that training and measuring take."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.accuracy.photographed import bot_game, game_in, photographed_game, recorded_turns
from companion.lab.accuracy.scores import find_truths
from companion.lab.rendering.camera import Camera, set_up
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Floats
from companion.lab.rendering.tile_art import standard_art
from companion.lab.training.batches import piece_sample, true_counts
from companion.lab.training.dataset import load_example
from companion.lab.world.bodies import block_body, skin
from companion.lab.world.catalogue import HELD_OUT, TRAINING
from companion.lab.world.frames import OWN_ART_SHARE, FrameSettings, shows_own_art, write_frames
from companion.lab.world.geometry import scene_truth, scene_view, visible_shares
from companion.lab.world.meshes import table_mesh, tile_atlas, tile_mesh, to_linear
from companion.lab.world.printings import PRINTINGS, printed
from companion.lab.world.scenes import WorldScene, draw_scene
from companion.rules.model.components import TILE_KINDS
from companion.vision.networks import HEAT_STRIDE

WIDTH = 480
ART: Art = {code: [np.full((16, 16, 3), 128, np.uint8)] for code in TILE_KINDS}


def flat_light(scene: WorldScene, art: Art) -> Floats:
    """A stand-in for the path tracer: grey light with a bright dot on the middle of every tile."""
    picture = np.full((scene.size[1], scene.size[0], 3), 0.2, np.float32)
    view = scene_view(scene)
    for tile in scene.scene.tiles:
        u, v = view.straight(np.array([tile.x, tile.y, 0.0])).astype(int)
        cv2.circle(picture, (int(u), int(v)), 5, (1.0, 1.0, 1.0), -1)
    return picture


def settings(world: str = TRAINING) -> FrameSettings:
    return FrameSettings(world, ART, WIDTH)


def test_a_training_frame_is_an_example_of_its_board(tmp_path: Path) -> None:
    (path,) = write_frames(tmp_path, [3], settings(), flat_light)
    example, scene = load_example(path), draw_scene(3, width=WIDTH)
    assert example.picture.shape[:2] == (scene.size[1], scene.size[0])
    counts = true_counts(example)
    for square, tile in enumerate(scene.scene.board):
        assert counts[square, :5].tolist() == list(tile.meeples)
        assert counts[square, 9:].tolist() == [tile.palms, tile.palaces]
    picture, heat, _, _ = piece_sample(example, np.random.default_rng(0))
    assert picture.shape[1:] == tuple(HEAT_STRIDE * side for side in heat.shape[1:])


def test_a_held_out_photo_has_its_truth_beside_it(tmp_path: Path) -> None:
    (path,) = write_frames(tmp_path, [5_000_001], settings(HELD_OUT), flat_light)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["scenario"].startswith("traced-") and document["families"]["table"] in ("terrazzo", "slats", "rug")
    ((photo, board, scenario),) = find_truths(tmp_path)
    assert photo == path.with_suffix(".jpg") and scenario == document["scenario"]
    assert board == draw_scene(5_000_001, HELD_OUT, WIDTH).scene.board


def test_a_game_can_be_path_traced(tmp_path: Path) -> None:
    record = bot_game(3, players=2, bot="one-ply")
    name = next(photographed_game(tmp_path, record, 3, art=ART, tracer=flat_light))
    turn = recorded_turns(game_in(tmp_path))[0]
    ((photo, board, scenario),) = find_truths(tmp_path)
    assert (photo.stem, board) == (name, turn.after.position.board) and scenario.startswith("ordinary-")


def test_frames_already_there_are_left_and_none_is_half_written(tmp_path: Path) -> None:
    def broken(scene: WorldScene, art: Art) -> Floats:
        raise KeyboardInterrupt

    kept = tmp_path / "traced_0000001.npz"
    kept.write_bytes(b"kept")
    with pytest.raises(KeyboardInterrupt):
        list(write_frames(tmp_path, [1, 2], settings(), broken))
    assert [path.name for path in tmp_path.iterdir()] == ["traced_0000001.npz"]
    assert list(write_frames(tmp_path, [1], settings(), broken)) == [kept]
    assert kept.read_bytes() == b"kept"


def test_tiles_lie_where_the_picture_shows_them(tmp_path: Path) -> None:
    (path,) = write_frames(tmp_path, [5_000_000], settings(HELD_OUT), flat_light)
    picture = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    for tile in json.loads(path.read_text(encoding="utf-8"))["tiles"]:
        corners = np.array(tile["corners_px"])
        # Diagonals meet where the middle is seen, in perspective too.
        a, b = corners[2] - corners[0], corners[3] - corners[1]
        middle = corners[0] + a * np.linalg.solve(np.column_stack([a, -b]), corners[1] - corners[0])[0]
        u, v = np.round(middle).astype(int)
        assert picture[v, u] > np.median(picture) + 25


def test_what_is_behind_is_hidden_and_what_is_beside_is_not() -> None:
    view = set_up(Camera(elevation=35.0, azimuth=0.0, share=0.5), (800, 600))
    body = skin(block_body(20, 20, 20, 0.2), 0.55)
    front, behind, beside = (body + place for place in ([192, 180, 0], [192, 158, 0], [260, 160, 0]))
    # Of a silhouette of 20 (sin 35 + cos 35) mm, what lies 22 mm behind shows 22 sin 35 mm.
    assert visible_shares([front, behind, beside], view).tolist() == pytest.approx([1, 0.45, 1], abs=0.08)
    assert visible_shares([front], view).tolist() == [1.0]
    assert visible_shares([body + [5000, 160, 0]], view).tolist() == [0.0]
    assert len(visible_shares([], view)) == 0


@pytest.mark.parametrize("seed", [0, 1])
def test_feet_lie_in_their_tiles_and_boxes_round_them(seed: int) -> None:
    scene = draw_scene(seed, width=WIDTH)
    truth = scene_truth(scene)
    inverse = np.linalg.inv(truth.homography)
    shown = [piece for piece in truth.pieces if piece.square is not None]
    assert len(shown) == sum(pose.piece.square is not None for pose in scene.poses)
    for piece in shown:
        assert piece.square is not None
        x, y, w = inverse @ [*piece.foot_px, 1]
        assert abs(x / w - piece.square % 6 - 0.5) < 0.65 and abs(y / w - piece.square // 6 - 0.5) < 0.65
        left, top, right, bottom = piece.box_px
        assert left < piece.centre_px[0] < right and top < piece.centre_px[1] < bottom
        assert 0 <= piece.visible <= 1


def test_outside_art_is_shown_in_its_share_of_frames() -> None:
    scene = draw_scene(0, width=WIDTH)
    assert shows_own_art(replace(scene, own_art=OWN_ART_SHARE - 0.01), settings())
    assert not shows_own_art(replace(scene, own_art=OWN_ART_SHARE + 0.01), settings())
    assert shows_own_art(replace(scene, own_art=0.99), replace(settings(), art=None))


def test_each_tile_shows_its_own_part_of_the_atlas() -> None:
    scene = draw_scene(0, width=WIDTH)
    shades = {code: np.full((40, 40, 3), 20 + 25 * k, np.uint8) for k, code in enumerate(("O8", "V5", "M6", "M4"))}
    shades |= {code: np.full((40, 40, 3), 130 + 25 * k, np.uint8) for k, code in enumerate(("S6", "S10", "S12", "S15"))}
    plain = replace(scene, families={**scene.families, "tiles": "as-drawn"})
    atlas = tile_atlas(plain, {code: [shade] for code, shade in shades.items()})
    mesh = tile_mesh(plain)
    starts = np.cumsum([0, *map(len, mesh.faces)])
    tops = [k for k, face in enumerate(mesh.faces) if len(face) > 4]
    assert len(tops) == 30
    gain = atlas.max() / 205
    for tile, top in zip(plain.scene.tiles, tops, strict=True):
        u, v = mesh.uv[starts[top] : starts[top + 1]].mean(0)
        shown = atlas[int((1 - v) * atlas.shape[0]), int(u * atlas.shape[1]), 0]
        assert shown == pytest.approx(shades[tile.code][0, 0, 0] * gain, abs=2)
    table = table_mesh(plain)
    assert np.linalg.norm(table.uv[1] - table.uv[0]) == pytest.approx(6000 / plain.scene.table.width_mm)


def test_pictures_are_handed_over_upside_down_in_linear_rgb() -> None:
    picture = np.zeros((2, 1, 3), np.uint8)
    picture[0, 0] = (255, 0, 128)
    assert to_linear(picture)[1, 0].tolist() == pytest.approx([(128 / 255) ** 2.2, 0, 1, 1])


def test_every_printing_keeps_the_value_apart_from_its_ground() -> None:
    for family, (code, warm) in product(PRINTINGS, (("O8", True), ("V5", False))):
        tile = cv2.resize(standard_art()[code][0], (160, 160), interpolation=cv2.INTER_AREA).astype(np.uint8)
        picture = printed(tile, family, 5)
        blue, _, red = picture[20:30, 140:147].reshape(-1, 3).mean(0).tolist()
        assert (red - blue if warm else blue - red) > 15


def test_every_printing_takes_the_fullest_colours() -> None:
    """Warnings are errors in tests: colours beyond what can be printed are cut off, not left to be no number."""
    full = np.zeros((96, 96, 3), np.uint8)
    full[:, :32, 0], full[:, 32:64, 1], full[:, 64:, 2] = 255, 255, 255
    for family, seed in product(PRINTINGS, range(4)):
        assert printed(full, family, seed).shape == full.shape


def test_without_blender_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "bpy", None)
    monkeypatch.delitem(sys.modules, "companion.lab.world.blender", raising=False)
    assert main(["world", str(tmp_path / "out"), "--count", "1"]) == 3
    assert "pip install -e '.[lab-world]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
