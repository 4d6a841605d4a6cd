from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lab.rendering.camera import board_corners, set_up, whole
from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.render import draw_photo, render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.truth import Truth
from companion.notation.tokens import parse_board
from companion.rules.model.board import COLUMNS, SQUARES
from companion.rules.model.components import Tribe

SIZE = (520, 390)
BOARD = parse_board(
    """
    O8^2 S6 S6 M6@B O8 S10@O
    O8:ggr^2 M4 V5#2 S6 M4:yyywgrr@K V5#1
    O8@O S6 M6:r M4:bgg M6:b S12:ywbg
    M4:ywbbgg@K O8:wwwbr M6:yb V5:bggr@B M6 V5:y
    M6@P M6:wwwbgr@O M6:wwbg V5@O S15:y O8:yrrr^1
    """
)


def example(seed: int, art: dict[str, list[NDArray[Any]]], profile: str = "train") -> tuple[NDArray[Any], Truth]:
    return draw_photo(np.random.default_rng(seed), SIZE, PROFILES[profile], art)


def test_the_same_seed_draws_the_same_picture_and_another_does_not(small_art: dict[str, list[NDArray[Any]]]) -> None:
    one, truth = example(3, small_art)
    again, same_truth = example(3, small_art)
    other, _ = example(4, small_art)
    assert np.array_equal(one, again)
    assert truth.pieces == same_truth.pieces
    assert truth.tiles == same_truth.tiles
    assert np.abs(one.astype(int) - other).mean() > 5


@pytest.mark.parametrize("profile", PROFILES)
def test_a_picture_of_every_profile_has_its_size_and_shows_something(
    profile: str, small_art: dict[str, list[NDArray[Any]]]
) -> None:
    picture, truth = example(11, small_art, profile)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert picture.dtype == np.uint8
    assert truth.size == SIZE
    assert 8 < picture.mean() < 247
    assert picture.std() > 8


@pytest.mark.parametrize("seed", range(6))
def test_truth_is_of_one_mind(seed: int, small_art: dict[str, list[NDArray[Any]]]) -> None:
    _, truth = example(seed, small_art)
    to_board = np.linalg.inv(truth.homography)

    def on_board(px: list[tuple[float, float]] | tuple[tuple[float, float], ...]) -> NDArray[Any]:
        return np.asarray(cv2.perspectiveTransform(np.array([px], np.float64), to_board)[0])

    assert [tile.square for tile in truth.tiles] == list(range(SQUARES))
    assert [tile.code for tile in truth.tiles] == [tile.kind.code for tile in truth.board]
    assert on_board(truth.corners_px) == pytest.approx(np.array([(0, 0), (6, 0), (6, 5), (0, 5)]), abs=0.03)
    for tile in truth.tiles:
        row, column = divmod(tile.square, COLUMNS)
        corners = np.roll(on_board(tile.corners_px), tile.turn, axis=0)
        upright = np.array([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
        assert corners == pytest.approx(upright, abs=0.2)
    for piece in truth.pieces:
        x, y = on_board([piece.foot_px])[0]
        left, top, right, bottom = piece.box_px
        assert left < piece.centre_px[0] < right
        assert top < piece.centre_px[1] < bottom
        assert 0 <= piece.visible <= 1
        if piece.square is None:
            assert not (0 < x < 6 and 0 < y < 5)
        else:
            row, column = divmod(piece.square, COLUMNS)
            assert abs(x - column - 0.5) < 0.58
            assert abs(y - row - 0.5) < 0.58


def test_pieces_told_are_those_of_the_board(small_art: dict[str, list[NDArray[Any]]]) -> None:
    rng = np.random.default_rng(2)
    _, truth = render(sample_scene(rng, BOARD, "table"), rng, SIZE, small_art)
    for square, tile in enumerate(BOARD):
        here = [(piece.kind, piece.colour) for piece in truth.pieces if piece.square == square]
        wanted = [("meeple", tribe.letter) for tribe in Tribe for _ in range(tile.meeples[tribe])]
        wanted += [("camel", tile.camel.letter)] if tile.camel else []
        wanted += [("palm", "")] * tile.palms + [("palace", "")] * tile.palaces
        assert sorted(here) == sorted(wanted)


@pytest.mark.parametrize(
    ("token", "channels"), [("M6:r", (2, 0)), ("M6:b", (0, 2)), ("M6@O", (2, 0)), ("M6@P", (2, 1))]
)
def test_a_piece_is_painted_where_truth_says(
    token: str, channels: tuple[int, int], small_art: dict[str, list[NDArray[Any]]]
) -> None:
    empty = parse_board("M6 M6 M6 M6 M6 M6\n" * 5)
    tile = parse_board(f"{token} M6 M6 M6 M6 M6\n" + "M6 M6 M6 M6 M6 M6\n" * 4)[0]
    board = empty[:14] + (tile,) + empty[15:]
    rng = np.random.default_rng(8)
    scene = sample_scene(rng, board, "topdown")
    look = replace(scene.look, balance=(1.0, 1.0, 1.0), noise=0.0, motion_px=0.0)
    picture, truth = render(replace(scene, look=look, extras=()), rng, SIZE, small_art)
    piece = next(piece for piece in truth.pieces if piece.square == 14)
    u, v = (round(c) for c in piece.centre_px)
    middle = picture[v - 1 : v + 2, u - 1 : u + 2].reshape(-1, 3).mean(0)
    strong, weak = channels
    assert middle[strong] > 1.3 * middle[weak]
    assert piece.visible > 0.9


def test_what_stands_behind_a_crowd_is_told_as_hidden(small_art: dict[str, list[NDArray[Any]]]) -> None:
    crowd = parse_board("V5:yyyywwwwbbbb@K#3 V5 V5 V5 V5 V5\n" + "V5 V5 V5 V5 V5 V5\n" * 4)
    rng = np.random.default_rng(1)
    _, truth = render(sample_scene(rng, crowd, "seated"), rng, SIZE, small_art)
    shares = [piece.visible for piece in truth.pieces if piece.square == 0]
    assert len(shares) == 16
    assert min(shares) < 0.9 < max(shares)


def test_outside_art_is_what_lies_on_the_table() -> None:
    green = {tile.kind.code: [np.full((64, 64, 3), (40, 200, 40), np.uint8)] for tile in BOARD}
    rng = np.random.default_rng(6)
    empty = parse_board("O8 M6 M4 V5 S6 S10\n" * 5)
    green |= {tile.kind.code: green["O8"] for tile in empty}
    picture, truth = render(sample_scene(rng, empty, "topdown"), rng, SIZE, green)
    middle = np.mean(truth.corners_px, axis=0).astype(int)
    patch = picture[middle[1] - 5 : middle[1] + 5, middle[0] - 5 : middle[0] + 5].reshape(-1, 3).mean(0)
    assert patch[1] > 1.5 * max(patch[0], patch[2])


@pytest.mark.parametrize("seed", range(40, 52))
@pytest.mark.parametrize("size", [SIZE, SIZE[::-1]], ids=["landscape", "portrait"])
def test_the_board_is_never_cut_off_in_a_training_picture(seed: int, size: tuple[int, int]) -> None:
    camera = sample_scene(np.random.default_rng(seed)).camera
    seen = set_up(whole(camera, size), size).project(board_corners())
    assert seen.min() > 0
    assert (seen.max(0) < size).all()


def test_a_palace_lies_golden_and_stands_brown_from_above(small_art: dict[str, list[NDArray[Any]]]) -> None:
    tiles = parse_board("V5#1 V5#1 V5#1 V5#1 V5#1 V5#1\n" + "M6 M6 M6 M6 M6 M6\n" * 4)
    rng = np.random.default_rng(8)
    scene = sample_scene(rng, tiles, "topdown")
    look = replace(scene.look, balance=(1.0, 1.0, 1.0), noise=0.0, motion_px=0.0)
    pieces = tuple(
        replace(piece, pose="lying" if piece.square is not None and piece.square % 2 else "standing", lean=0.0)
        for piece in scene.pieces
    )
    picture, truth = render(replace(scene, pieces=pieces, look=look, extras=()), rng, (1040, 780), small_art)
    shown: dict[str, list[NDArray[Any]]] = {"lying": [], "standing": []}
    for piece in truth.pieces:
        if piece.square is not None:
            # Above the gate of one that lies, on the ridge of one that stands.
            u, v = (round(c) for c in piece.centre_px)
            shown[piece.pose].append(picture[v - 1 : v + 2, u - 1 : u + 2].reshape(-1, 3).mean(0))
    gold, brown = (np.median(shown[pose], axis=0) for pose in ("lying", "standing"))
    assert gold[2] > gold[1] > 1.4 * gold[0], "red and green make gold"
    assert brown.sum() < 0.75 * gold.sum()
