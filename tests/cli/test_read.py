"""`companion read`: files, JSON, overlay, and what is refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.notation.tokens import parse_board, parse_tile
from companion.rules.model.board import SQUARE_NAMES
from tests.cli.ran import Capsys, printed_json
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
