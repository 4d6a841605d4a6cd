"""An owner's pieces shown: the row beside the board, and what is kept of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.errors import PhotoError, UnusableInputError
from companion.storage import remove_kept
from companion.vision.board.likeness import CROP_MM, ShownPiece
from companion.vision.board.pieces import PIECE_CLASSES, PieceNetOutput
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.own import beside
from companion.vision.own.kept import format_pieces, load_pieces, parse_pieces, save_pieces
from companion.vision.own.row import FoundPiece, find_row, with_unseen

LATTICE = Lattice(np.array([[100.0, 0, 60], [0, 100.0, 60], [0, 0, 1]]), 30)
"""A board of 600 x 500 px in the upper left of a photo."""

PHOTO = np.full((800, 760, 3), 120, np.uint8)


def thing(x: float, y: float, kind: str | None = None, score: float = 0.4) -> FoundPiece:
    """Something beside the board that the piece network takes for a kind of piece, or for none."""
    classes = [0.025] * len(PIECE_CLASSES)
    if kind is not None:
        classes[PIECE_CLASSES.index(kind)] = score
    return FoundPiece((x, y), score, tuple(classes))


def laid(kinds: list[str], y: float = 5.7, spacing: float = 0.54) -> list[FoundPiece]:
    return [thing(0.3 + spacing * number, y, kind) for number, kind in enumerate(kinds)]


def test_a_row_is_told_by_its_order() -> None:
    found = laid(list(PIECE_CLASSES))
    assert [kind for kind, _ in find_row(PHOTO, LATTICE, found).places] == list(PIECE_CLASSES)
    # Whatever order they were found in, and though a coin lies elsewhere.
    shuffled = [thing(2.2, -0.8), *found[::-1]]
    places = dict(find_row(PHOTO, LATTICE, shuffled).places)
    assert [shuffled[places[kind]].foot[0] for kind in PIECE_CLASSES] == [one.foot[0] for one in found]


def test_pieces_in_odd_paints_are_told_by_their_places() -> None:
    seen = ["y", "w", "b", "palm", "P", "K", "O", "b", "P", "y", "w"]
    assert [kind for kind, _ in find_row(PHOTO, LATTICE, laid(seen)).places] == list(PIECE_CLASSES)


def test_camels_that_are_not_in_play_may_be_missing() -> None:
    kinds = [kind for kind in PIECE_CLASSES if kind not in "OP"]
    assert [kind for kind, _ in find_row(PHOTO, LATTICE, laid(kinds)).places] == kinds


def test_a_piece_that_was_not_seen_is_taken_to_be_in_the_hole_of_its_row() -> None:
    found = laid(list(PIECE_CLASSES))
    hole = found.pop(PIECE_CLASSES.index("K"))
    filled = with_unseen(LATTICE, found)
    assert filled[:-1] == found and filled[-1].foot == pytest.approx(hole.foot)
    row = find_row(PHOTO, LATTICE, filled)
    assert [kind for kind, _ in row.places] == list(PIECE_CLASSES)
    assert dict(row.places)["K"] == len(filled) - 1
    # An even row has no holes, and two pieces beside one another are no row.
    whole = laid(list(PIECE_CLASSES))
    assert with_unseen(LATTICE, whole) == whole and with_unseen(LATTICE, whole[:2]) == whole[:2]


def test_a_row_without_its_last_piece_is_not_taken_for_one_without_a_camel() -> None:
    seen = ["y", "w", "b", "palm", "P", "K", "O", "b", "P", "y"]
    with pytest.raises(PhotoError, match="--ask"):
        find_row(PHOTO, LATTICE, laid(seen))


def test_a_row_in_another_order_is_refused() -> None:
    with pytest.raises(PhotoError, match="--ask"):
        find_row(PHOTO, LATTICE, laid(list(PIECE_CLASSES[::-1])))


def test_a_piece_too_many_in_the_row_is_refused_where_it_could_be_any() -> None:
    unknown = [thing(0.1 + 0.5 * number, 5.7) for number in range(12)]
    with pytest.raises(PhotoError, match="--ask"):
        find_row(PHOTO, LATTICE, unknown)


@pytest.mark.parametrize(("count", "words"), [(0, "no row of pieces"), (2, "no row of pieces"), (5, "5 pieces found")])
def test_what_is_no_row_says_what_to_do(count: int, words: str) -> None:
    with pytest.raises(PhotoError, match=words):
        find_row(PHOTO, LATTICE, laid(list(PIECE_CLASSES[:count])))


@pytest.mark.parametrize(
    ("table", "shadow"),
    [
        ((120, 120, 120), (60, 60, 60)),
        # On warm wood a cool lamp shines into the shadow of a warm one: 62% of the blue are left, 43% of the red.
        ((90, 120, 180), (56, 62, 77)),
    ],
)
def test_pieces_stand_out_from_the_table_and_shadows_do_not(
    table: tuple[int, int, int], shadow: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def sees_nothing(board: Picture, reference: Picture | None = None) -> PieceNetOutput:
        return PieceNetOutput(tuple(np.zeros((0, 3)) for _ in PIECE_CLASSES), np.zeros((30, 1), np.float32))

    monkeypatch.setattr(beside, "run_piece_net", sees_nothing)
    photo = np.full_like(PHOTO, table)
    places = [(110 + 60 * number, 620) for number in range(9)]
    for x, y in places:
        photo[y - 30 : y, x - 10 : x + 10] = (40, 60, 200)
        photo[y - 8 : y, x + 10 : x + 26] = shadow
    found = beside.find_beside(photo, LATTICE)
    feet = sorted((60 + 100 * one.foot[0], 60 + 100 * one.foot[1]) for one in found)
    assert len(feet) == len(places)
    for (x, y), foot in zip(places, feet, strict=True):
        assert abs(foot[0] - x) < 5 and abs(foot[1] - (y - 6)) < 6


def pieces() -> list[ShownPiece]:
    rng = np.random.default_rng(0)
    return [
        ShownPiece(kind, rng.integers(0, 256, (CROP_MM[1], CROP_MM[0], 3), np.uint8), (170.5, 200.25, 230.0))
        for kind in ("g", "palm")
    ]


def test_pieces_are_kept_as_they_were_shown(tmp_path: Path) -> None:
    path = tmp_path / "own" / "pieces.json"
    assert load_pieces(path) == ()
    save_pieces(path, pieces())
    assert path.stat().st_mode & 0o077 == 0
    kept = load_pieces(path)
    assert [(one.kind, one.level) for one in kept] == [(o.kind, o.level) for o in pieces()]
    assert all(np.array_equal(one.picture, other.picture) for one, other in zip(kept, pieces(), strict=True))
    assert remove_kept(path) and not remove_kept(path)


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": 2},
        {"shown": []},
        {"shown": [{"piece": "x"}]},
        {"shown": [{"piece": "g", "white_bgr": [1, 2]}]},
        {"shown": [{"piece": "g", "white_bgr": [200, 200, 200], "png": "!"}]},
        {"shown": [{"piece": "g", "white_bgr": [200, 200, 200], "png": "aGFsbG8="}]},
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "pieces.json"
    path.write_text(json.dumps({**json.loads(format_pieces(pieces())), **change}), encoding="utf-8")
    with pytest.raises(UnusableInputError, match="companion learn --forget"):
        load_pieces(path)
    with pytest.raises(ValueError):
        parse_pieces(path.read_text(encoding="utf-8"))
