"""`companion read`: files, JSON, overlay, and what is refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.notation.tokens import parse_board, parse_tile
from companion.rules.model.board import SQUARE_NAMES
from tests.cli.ran import Capsys, printed_json, ran
from tests.samples import SAMPLES

PHOTO = SAMPLES / "start.jpg"


def test_json_is_as_the_contract_says(capsys: Capsys) -> None:
    document = printed_json(capsys, ["read", str(PHOTO)])
    assert list(document) == ["rows", "tiles", "row", "djinns", "turned"]
    board = parse_board("\n".join(document["rows"]))
    assert list(document["tiles"]) == list(SQUARE_NAMES)
    for name, tile in zip(SQUARE_NAMES, board, strict=True):
        entry = document["tiles"][name]
        assert parse_tile(entry["token"]) == tile
        assert 0 <= entry["confidence"] <= 1
        assert all(isinstance(doubt, str) for doubt in entry["doubts"])
    assert document["row"] is None and document["djinns"] is None
    assert 0 <= document["turned"] < 360


def test_position_and_overlay_are_written(tmp_path: Path, capsys: Capsys) -> None:
    position, overlay = tmp_path / "table.toml", tmp_path / "seen.jpg"
    assert main(["read", str(PHOTO), "-o", str(position), "--overlay", str(overlay)]) == 0
    written = parse_position(position.read_text(encoding="utf-8"))
    assert written.players == ()
    picture = np.asarray(cv2.imread(str(overlay)))
    photo = np.asarray(cv2.imread(str(PHOTO)))
    assert picture.shape[1] == min(1800, photo.shape[1])
    assert picture.shape[0] > picture.shape[1] * photo.shape[0] / photo.shape[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seen.jpg", "table.toml"]
    assert "tiles" in capsys.readouterr().out


def cat(path: Path) -> None:
    """A drawn cat on a rug: a photo, but not of a table."""
    picture = np.full((900, 1200, 3), (70, 110, 160), np.uint8)
    cv2.ellipse(picture, (600, 560), (220, 260), 0, 0, 360, (40, 60, 90), -1)
    cv2.circle(picture, (600, 300), 150, (45, 70, 100), -1)
    for ear in ([[470, 230], [500, 90], [570, 180]], [[730, 230], [700, 90], [630, 180]]):
        cv2.fillPoly(picture, [np.array(ear, np.int32)], (45, 70, 100))
    for eye in (545, 655):
        cv2.circle(picture, (eye, 290), 26, (80, 220, 190), -1)
        cv2.circle(picture, (eye, 290), 10, (0, 0, 0), -1)
    cv2.imwrite(str(path), picture)


def test_a_photo_of_a_cat_is_refused_with_what_to_do(tmp_path: Path, capsys: Capsys) -> None:
    cat(tmp_path / "cat.jpg")
    captured = ran(capsys, ["read", str(tmp_path / "cat.jpg"), "-o", str(tmp_path / "table.toml"), "--json"], 4)
    assert captured.out == ""
    assert "no sultanate found" in captured.err and "from above" in captured.err
    assert not (tmp_path / "table.toml").exists()
