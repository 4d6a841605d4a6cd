"""Paints learnt from tiles told: found where photos agree, left alone where pieces are usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from companion.notation.tokens import parse_tile
from companion.vision.board.pieces import pieces_on
from companion.vision.colour.learnt import (
    BODY_TILES,
    LabelledTile,
    SeenPiece,
    learn_paints,
    parse_piece,
    seen_pieces,
    unusual_pieces,
)
from companion.vision.colour.paints import GAMMA, LinearBGR, PiecePaint, format_paints, parse_paints
from companion.vision.colour.recolour import CREAM, USUAL, distance_on_paper, usual_light

TEAL = usual_light((176, 0.7, 0.45))
PURPLE = usual_light((275, 0.55, 0.45))
BLUE = usual_light((212, 0.5, 0.62))


def paint(colour: LinearBGR) -> PiecePaint:
    shaded, highlight = (tuple(share * part for part in colour) for share in (0.5, 1.3))
    return PiecePaint(colour, shaded, highlight)


def told(
    token: str, photo: str, own: Mapping[str, LinearBGR], read_as: Mapping[str, str], seed: int = 0
) -> LabelledTile:
    """A tile as told, its pieces seen in paints of `own` or usual ones, a little off, in any order."""
    rng = np.random.default_rng(seed)
    tile = parse_tile(token)
    seen = []
    for piece in rng.permutation(pieces_on(tile)):
        blue, green, red = np.array(own.get(piece, usual_light(USUAL[piece][0]))) * rng.uniform(0.85, 1.15)
        seen.append(SeenPiece(read_as.get(piece, str(piece)), paint((float(blue), float(green), float(red)))))
    return LabelledTile(tile, tuple(seen), photo)


def evening(
    own: Mapping[str, LinearBGR], photos: Sequence[str], read_as: Mapping[str, str] | None = None
) -> list[LabelledTile]:
    tokens = ("O8:ggw", "S6:gbb", "M4:ygr", "V5:gb@K#1", "M6:rrw")
    return [
        told(token, photo, own, read_as or {}, 10 * number + place)
        for number, photo in enumerate(photos)
        for place, token in enumerate(tokens)
    ]


@pytest.mark.parametrize(
    "own",
    [{"g": TEAL, "b": PURPLE}, {"w": usual_light((210, 0.04, 0.4))}, {"palace": BLUE}],
    ids=["teal and purple", "grey elders", "blue palaces"],
)
def test_unusual_paints_are_learnt_from_photos_that_agree(own: Mapping[str, LinearBGR]) -> None:
    photos = ["one", "two", "three", "four"]
    paints = learn_paints(evening(own, photos, {"g": "b", "b": "B", "w": "r", "palace": "palm"}))
    assert paints is not None
    for piece, seen in paints.by_piece.items():
        true = own.get(piece)
        near = [true] if true is not None else [usual_light(hsv) for hsv in USUAL[piece]]
        assert min(distance_on_paper(seen.lit, one) for one in near) < 0.06, piece
    assert parse_paints(format_paints(paints)).by_piece.keys() == paints.by_piece.keys()
    assert len(unusual_pieces(paints)) == len(own)


def test_usual_pieces_teach_nothing() -> None:
    assert learn_paints(evening({}, ["one", "two", "three"])) is None
    assert learn_paints([]) is None and unusual_pieces(None) == ()


def test_a_paint_told_right_anyway_is_learnt_only_if_it_was_before() -> None:
    tiles = evening({"g": TEAL}, ["one", "two"])
    assert learn_paints(tiles) is None
    paints = learn_paints(tiles, known=["g"])
    assert paints is not None and unusual_pieces(paints) == ("g",)


def test_one_photo_is_not_enough() -> None:
    assert learn_paints(evening({"g": TEAL}, ["one"], {"g": "b"})) is None


def test_photos_that_disagree_teach_nothing() -> None:
    tiles = [*evening({"g": TEAL}, ["one"], {"g": "b"}), *evening({"g": PURPLE}, ["two"], {"g": "b"})]
    assert learn_paints(tiles) is None


def test_pieces_not_seen_and_seen_too_often_are_left_out() -> None:
    tiles = evening({"g": TEAL, "b": PURPLE}, ["one", "two"], {"g": "B"})
    lacking = [LabelledTile(tile.tile, tile.pieces[1:], tile.photo) for tile in tiles[::2]]
    ghosts = [
        LabelledTile(tile.tile, (*tile.pieces, SeenPiece("O", paint((0.0, 0.1, 0.9)))), tile.photo) for tile in tiles
    ]
    paints = learn_paints([*lacking, *ghosts])
    assert paints is not None and distance_on_paper(paints.by_piece["g"].lit, TEAL) < 0.06


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.6, 0.9, 1.05)], ids=["white", "warm"])
def test_the_colour_of_a_piece_is_measured_beside_the_tiles_cream(lamp: tuple[float, float, float]) -> None:
    light = np.empty((900, 1000, 3))
    light[:] = CREAM
    # The piece stands on b2, its body above its foot.
    x, y = 100 + 130 * 1.5, 100 + 130 * 1.5
    up = round(BODY_TILES * 130)
    light[round(y) - up - 12 : round(y) - up + 13, round(x) - 12 : round(x) + 13] = TEAL
    photo = np.clip(230 * (light * lamp) ** (1 / GAMMA), 0, 255).round().astype(np.uint8)
    homography = np.array([[130.0, 0, 100], [0, 130, 100], [0, 0, 1]])
    seen = seen_pieces(photo, homography, {7: [("b", 1.5, 1.5)], 8: []})
    assert seen[8] == () and seen[7][0].kind == "b"
    assert distance_on_paper(seen[7][0].paint.lit, TEAL) < 0.03


def test_a_piece_comes_back_from_a_file_as_it_was() -> None:
    piece = SeenPiece("palace", paint((0.1, 0.2, 0.3)))
    assert parse_piece(piece.as_list()) == piece


@pytest.mark.parametrize(
    "values", [None, [], ["X", [0, 0, 0], [0, 0, 0], [0, 0, 0]], ["g", [0, 0], [0, 0, 0], [0, 0, 0]], ["g", 1, 2, 3]]
)
def test_what_is_no_piece_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match="piece|colour"):
        parse_piece(values)
