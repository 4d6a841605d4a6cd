"""Photos with their truth beside them; confidences in bins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
    assert (low.low, low.high, low.tiles, low.right) == (0.0, 0.5, 2, 0.5)
    assert (high.low, high.high, high.tiles, high.right) == (0.7, 1.0, 3, 2 / 3)


def test_a_bin_has_its_lower_edge_and_only_the_last_its_upper() -> None:
    scores = [PhotoScore("a.jpg", "table", confidences=((0.5, True), (1.0, True)))]
    assert [(found.low, found.tiles) for found in reliability(scores, (0.0, 0.5, 1.0))] == [(0.5, 2)]


TABLE = random_setup(2, 1)
ROWS = format_rows(TABLE.board)


def photo(folder: Path, name: str = "p.jpg") -> Path:
    path = folder / name
    path.write_bytes(b"no picture")
    return path


def test_truth_lies_beside_a_photo_in_any_of_its_forms(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, text, scenario) in enumerate(
        [
            ("truth.json", json.dumps({"p.jpg": {"rows": ROWS, "scenario": "dim"}}), "dim"),
            ("p.json", json.dumps({"rows": ROWS, "scenario": "dim"}), "dim"),
            ("p.json", json.dumps({"rows": ROWS}), "photos"),
            ("p.toml", format_position(TABLE, ".toml"), "photos"),
        ]
    ):
        with subtests.test(msg=name):
            folder = tmp_path / str(number) / "photos"
            folder.mkdir(parents=True)
            path = photo(folder)
            assert find_truths(folder) == [] and without_truth([folder]) == [path]
            (folder / name).write_text(text, encoding="utf-8")
            assert find_truths(folder) == [(path, TABLE.board, scenario)] and without_truth([folder]) == []
    (folder / name).unlink()
    (folder / "truth.json").write_text(json.dumps({"p.jpg": {"cards": ["ivory"]}}), encoding="utf-8")
    assert find_truths(folder) == []


def test_broken_truth_is_refused_by_its_file(tmp_path: Path, subtests: pytest.Subtests) -> None:
    path = photo(tmp_path)
    for name, content in [
        ("p.json", b'{"rows": ['),
        ("p.json", b"[1]"),
        ("p.json", b'{"rows": [1, 2, 3, 4, 5]}'),
        ("p.json", b'{"rows": ["O8"]}'),
        ("truth.json", b'["a"]'),
        ("truth.json", b'{"p.jpg": "x"}'),
        ("p.toml", b'board = "\xff"'),
        ("p.toml", b'board = "O8"'),
    ]:
        with subtests.test(msg=f"{name} {content!r}"):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(UnusableInputError, match=name):
                find_truths(tmp_path)
            (tmp_path / name).unlink()
    assert find_truths(tmp_path) == [] and path.is_file()
