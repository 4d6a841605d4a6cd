"""Photos with their truth beside them; confidences in bins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.main import main
from companion.errors import UnusableInputError
from companion.lab.accuracy.scores import PhotoScore, find_truths, reliability, without_truth
from companion.notation.files import format_position
from companion.notation.tokens import format_rows
from companion.rules.engine.setup import random_setup

SCORES = [
    PhotoScore("a.jpg", "table", confidences=((0.2, False), (0.4, True), (0.9, True))),
    PhotoScore("b.jpg", "table", confidences=((1.0, True), (0.95, False))),
]


def test_tiles_are_counted_in_the_bin_of_their_confidence() -> None:
    low, high = reliability(SCORES, (0.0, 0.5, 0.7, 1.0))
    assert (low.low, low.high, low.tiles) == (0.0, 0.5, 2)
    assert (low.confidence, low.right) == pytest.approx((0.3, 0.5))
    assert (high.low, high.high, high.tiles) == (0.7, 1.0, 3)
    assert (high.confidence, high.right) == pytest.approx((2.85 / 3, 2 / 3))


def test_a_bin_has_its_lower_edge_and_only_the_last_its_upper() -> None:
    scores = [PhotoScore("a.jpg", "table", confidences=((0.5, True), (1.0, True)))]
    assert [(found.low, found.tiles) for found in reliability(scores, (0.0, 0.5, 1.0))] == [(0.5, 2)]


TABLE = random_setup(2, 1)
ROWS = format_rows(TABLE.board)


def photo(folder: Path, name: str = "p.jpg") -> Path:
    path = folder / name
    path.write_bytes(b"no picture")
    return path


@pytest.mark.parametrize(
    ("name", "text", "scenario"),
    [
        ("truth.json", json.dumps({"p.jpg": {"rows": ROWS, "scenario": "dim"}}), "dim"),
        ("p.json", json.dumps({"rows": ROWS, "scenario": "dim"}), "dim"),
        ("p.json", json.dumps({"rows": ROWS}), "photos"),
        ("p.json", format_position(TABLE, ".json"), "photos"),
        ("p.json", json.dumps({"board": ROWS, "scenario": "dim"}), "dim"),
        ("p.toml", format_position(TABLE, ".toml"), "photos"),
    ],
)
def test_truth_lies_beside_a_photo_in_any_of_its_forms(name: str, text: str, scenario: str, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    path = photo(folder)
    assert find_truths(folder) == [] and without_truth([folder]) == [path]
    (folder / name).write_text(text, encoding="utf-8")
    assert find_truths(folder) == [(path, TABLE.board, scenario)] and without_truth([folder]) == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.json", b'{"rows": [', "p.json: not well-formed JSON"),
        ("p.json", b"[" * 100_000, "p.json: not well-formed JSON"),
        ("p.json", b"[1]", "p.json: expected"),
        ("p.json", b'{"rows": [1, 2, 3, 4, 5]}', "p.json: expected"),
        ("p.json", b'{"rows": ["O8"]}', "p.json: "),
        ("p.json", b'{"board": 7}', "p.json: "),
        ("truth.json", b'["a"]', "truth.json: write it as"),
        ("truth.json", b'{"p.jpg": "x"}', "truth.json, p.jpg: expected"),
        ("truth.json", b'{"p.jpg": {"rows": "O8"}}', "truth.json, p.jpg: expected"),
        ("p.toml", b'board = "\xff"', "p.toml: byte 10 is not UTF-8"),
        ("p.toml", b'board = "O8"', "p.toml: "),
    ],
)
def test_broken_truth_is_refused_by_its_file(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    photo(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnusableInputError) as refused:
        find_truths(tmp_path)
    assert str(tmp_path / message) in str(refused.value)


def test_photos_are_told_by_their_content_too(tmp_path: Path) -> None:
    names = ("a.webp", "b.TIFF", "c")
    for name in names:
        Image.new("RGB", (8, 8)).save(tmp_path / name, "WEBP" if name != "b.TIFF" else "TIFF")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    listed = {name: {"rows": ROWS} for name in (*names, "notes.txt")}
    (tmp_path / "truth.json").write_text(json.dumps(listed), encoding="utf-8")
    assert [path.name for path, _, _ in find_truths(tmp_path)] == list(names)


def test_photos_without_truth_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo(tmp_path)
    (tmp_path / "p.json").write_text(json.dumps({"rows": ROWS}), encoding="utf-8")
    photo(tmp_path, "q.jpg")
    assert main(["accuracy", str(tmp_path)]) == 0
    assert "q.jpg was left out: no truth lies beside it" in capsys.readouterr().err.replace("\n", "")
