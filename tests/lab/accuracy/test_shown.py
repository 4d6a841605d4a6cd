"""Photos read with what was learnt from a photo of their owner's pieces."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import PhotoError
from companion.lab.accuracy import shown
from companion.lab.rendering.photo_file import truth_document
from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.sampling import PIECE_SETS
from companion.notation.files import parse_position
from companion.notation.tokens import format_rows
from companion.vision.board.likeness import CROP_MM, ShownPiece
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.board.reading import Reading, TileReading
from companion.vision.load import load_photo
from companion.vision.own.row import ShownRow
from companion.vision.own.showing import Beside, look_beside
from companion.vision.reading.own_set import OwnSet
from tests.shown_row import row_photo

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered photo of a row of usual pieces beside the board, with its truth."""
    rng = np.random.default_rng(5)
    profile = replace(PROFILES["table"], tables=("plain",))
    picture, truth = row_photo(rng, PIECE_SETS["box"](rng), profile, (1400, 1050))
    path = tmp_path_factory.mktemp("rows") / "start_row.jpg"
    cv2.imwrite(str(path), picture)
    path.with_suffix(".json").write_text(json.dumps(truth_document(truth)), encoding="utf-8")
    return path


@pytest.mark.slow
def test_pieces_are_told_by_their_row_or_by_the_truth(row: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = look_beside(load_photo(row))
    monkeypatch.setattr(shown, "look_beside", lambda photo: beside)
    by_row = shown.shown_pieces(row)
    assert [piece.kind for piece in by_row] == list(PIECE_CLASSES)

    def unclear(self: Beside) -> ShownRow:
        raise PhotoError("which is which is not clear")

    monkeypatch.setattr(Beside, "row", unclear)
    by_truth = shown.shown_pieces(row)
    assert [piece.kind for piece in by_truth] == list(PIECE_CLASSES)
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(by_row, by_truth, strict=True))


def test_only_photos_whose_pieces_are_shown_are_read_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "start_row.jpg").touch()
    piece = ShownPiece("palm", np.full((CROP_MM[1], CROP_MM[0], 3), 90, np.uint8), (200.0, 200.0, 200.0))
    monkeypatch.setattr(shown, "shown_pieces", lambda photo: [piece])
    for name in ("start", "mid"):
        for ending in (".jpg", ".toml"):
            shutil.copy(SAMPLES / (name + ending), tmp_path)
    position = parse_position((SAMPLES / "start.toml").read_text(encoding="utf-8"))
    reading = Reading(position, tuple(TileReading(tile, 1.0) for tile in position.board), turned=0)
    owners: list[OwnSet | None] = []

    def read(path: Path, own: OwnSet | None = None) -> Reading:
        owners.append(own)
        return reading

    monkeypatch.setattr(shown, "read_photo", read)
    (score,) = shown.score_after_learning(tmp_path, tmp_path / "rows")
    assert score.name == "start.jpg" and score.whole == 30
    (own,) = owners
    assert own is not None and own.pieces is not None and own.pieces.classes == (PIECE_CLASSES.index("palm"),)


def test_tiles_shown_are_learnt_by_their_rows_and_those_that_cannot_be_are_not(tmp_path: Path) -> None:
    photo = tmp_path / "start_tiles.jpg"
    shutil.copy(SAMPLES / "start.jpg", photo)
    position = parse_position((SAMPLES / "start.toml").read_text(encoding="utf-8"))
    rows = format_rows(position.board)
    photo.with_suffix(".json").write_text(json.dumps({"rows": rows}), encoding="utf-8")
    learnt = shown.shown_tiles(photo)
    assert learnt is not None
    assert list(learnt.codes) == [tile.kind.code for tile in position.board]
    # Told wrongly, tiles of one kind do not look alike.
    photo.with_suffix(".json").write_text(json.dumps({"rows": [*rows[1:], rows[0]]}), encoding="utf-8")
    assert shown.shown_tiles(photo) is None
