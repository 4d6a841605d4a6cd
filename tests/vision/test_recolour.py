"""An owner's paints on the board: unusual ones become usual, all else stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from companion.lab.rendering.pieces import CAMEL_HSV, MEEPLE_HSV
from companion.rules.model.components import TRIBE_LETTERS
from companion.vision.board.rectify import BOARD_SIZE_PX
from companion.vision.colour.paints import PIECE_NAMES, LinearBGR, Paints, PiecePaint
from companion.vision.colour.recolour import CREAM, USUAL, distance, is_usual, look_alikes, recolour, usual_light
from companion.vision.load import Picture

TEAL: LinearBGR = (0.18, 0.2, 0.01)
ORANGE_YELLOW: LinearBGR = (0.005, 0.35, 0.85)


def paints(changed: Mapping[str, LinearBGR]) -> Paints:
    """Usual paints but for these."""
    lit = {piece: changed.get(piece, usual_light(USUAL[piece][0])) for piece in PIECE_NAMES}
    return Paints({piece: shades(colour) for piece, colour in lit.items()})


def shades(colour: LinearBGR) -> PiecePaint:
    shaded, highlight = (tuple(part * share for part in colour) for share in (0.5, 1.15))
    return PiecePaint(lit=colour, shaded=shaded, highlight=highlight)


def board(
    spots: Mapping[str, LinearBGR], lamp: tuple[float, float, float] = (1, 1, 1)
) -> tuple[Picture, dict[str, tuple[Any, ...]]]:
    """A cream board in a lamp's colour with a spot of each paint, half of it in the shade; where each spot is."""
    light = np.empty((BOARD_SIZE_PX[1], BOARD_SIZE_PX[0], 3))
    light[:] = CREAM
    places = {}
    for number, (name, colour) in enumerate(spots.items()):
        x, y = 60 + 90 * (number % 6), 70 + 110 * (number // 6)
        light[y : y + 24, x : x + 24] = colour
        light[y + 12 : y + 24, x : x + 24] *= 0.55
        places[name] = (slice(y + 2, y + 10), slice(x + 2, x + 22))
    picture = 230 * np.clip(light * lamp / 1.0, 0, 1) ** (1 / 2.2)
    return cv2.GaussianBlur(picture, (3, 3), 0).round().astype(np.uint8), places


def looks(picture: Picture, place: tuple[Any, ...], level: np.ndarray) -> np.ndarray:
    """A spot's colour in linear light relative to cream."""
    return np.asarray((np.median(picture[place].reshape(-1, 3), axis=0) / level) ** 2.2)


def _level(picture: Picture) -> np.ndarray:
    return np.percentile(picture.reshape(-1, 3), 85, axis=0)


@pytest.mark.parametrize("lamp", [(1, 1, 1), (0.6, 0.8, 1.0)], ids=["white", "warm"])
@pytest.mark.parametrize(("piece", "paint"), [("g", TEAL), ("y", ORANGE_YELLOW), ("w", (0.2, 0.2, 0.2))])
def test_an_unusual_paint_becomes_the_usual_one(piece: str, paint: LinearBGR, lamp: tuple[float, float, float]) -> None:
    picture, places = board({piece: paint}, lamp)
    shifted = recolour(picture, paints({piece: paint}))
    usual = np.array(usual_light(USUAL[piece][0])) / CREAM
    before, after = (distance(looks(one, places[piece], _level(picture)), usual) for one in (picture, shifted))
    assert after < 0.4 * before


@pytest.mark.parametrize("others", [{"g": TEAL}, {"y": ORANGE_YELLOW}, {"w": (0.2, 0.2, 0.2)}], ids=["g", "y", "w"])
def test_other_pieces_and_the_tiles_keep_their_colours(others: Mapping[str, LinearBGR]) -> None:
    usual = {piece: usual_light(USUAL[piece][0]) for piece in "ywbgrKOBP" if piece not in others}
    picture, places = board(usual)
    shifted = recolour(picture, paints(others))
    for name, place in places.items():
        assert np.abs(shifted[place].astype(int) - picture[place]).mean() < 9, name
    assert np.abs(shifted[500:].astype(int) - picture[500:]).max() <= 6, "cream"


def test_usual_paints_change_nothing_at_all() -> None:
    picture, _ = board({piece: usual_light(USUAL[piece][0]) for piece in "ywbgrKOBP"})
    assert recolour(picture, paints({})) is picture


def test_a_paint_of_no_light_at_all_spoils_nothing() -> None:
    picture, places = board({"r": usual_light(USUAL["r"][0])})
    black = PiecePaint(lit=(0, 0, 0), shaded=(0, 0, 0), highlight=(0, 0, 0))
    own = Paints({**paints({"g": TEAL}).by_piece, "K": black})
    shifted = recolour(picture, own)
    assert np.abs(shifted[places["r"]].astype(int) - picture[places["r"]]).mean() < 9
    assert np.abs(shifted[500:].astype(int) - picture[500:]).max() <= 6, "cream"


def test_art_in_the_colour_of_a_paint_stays_art() -> None:
    """A surface larger than all merchants together is no merchant."""
    picture, _ = board({})
    area = picture[100:400, 80:600]
    area[:] = (230 * np.clip(np.array(TEAL), 0, 1) ** (1 / 2.2)).round()
    moved = np.abs(recolour(picture, paints({"g": TEAL}))[150:350, 150:550].astype(int) - area[50:250, 70:470]).mean()
    small, places = board({"g": TEAL})
    shifted = recolour(small, paints({"g": TEAL}))
    assert moved < 0.45 * np.abs(shifted[places["g"]].astype(int) - small[places["g"]]).mean()


def test_two_pieces_in_one_paint_are_left_to_their_shapes() -> None:
    alike = paints({"g": TEAL, "B": TEAL})
    picture, _ = board({"g": TEAL})
    assert recolour(picture, alike) is picture
    assert look_alikes(alike) == [("the merchant", "the blue camel")]
    assert look_alikes(paints({})) == []


def test_usual_paints_are_those_that_training_draws() -> None:
    drawn = {TRIBE_LETTERS[tribe]: hsv for tribe, hsv in MEEPLE_HSV.items()}
    drawn |= {colour.letter: hsv for colour, hsv in CAMEL_HSV.items()}
    assert {piece: USUAL[piece] for piece in drawn} == {piece: (hsv,) for piece, hsv in drawn.items()}
    assert all(is_usual(piece, shades(usual_light(hsv))) for piece, all_hsv in USUAL.items() for hsv in all_hsv)
    assert not is_usual("g", shades(TEAL))
