"""Photos of the same tables from several sides, and the figures of reading them together."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.lab.accuracy import several
from companion.notation.files import parse_position
from companion.notation.tokens import format_rows
from companion.vision.reading.pipeline import read_photo

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def test_photos_of_a_table_show_the_same_from_other_sides() -> None:
    photos = list(several.table_photos(700_100, None, 0.0, 400))
    assert [name for name, _, _ in photos] == ["700100_a", "700100_b", "700100_c"]
    assert [truth for _, _, truth in photos] == [photos[0][2]] * 3 and photos[0][2]["scenario"] == "own tiles"
    pictures = [np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)) for _, jpeg, _ in photos]
    assert all(max(picture.shape) == 400 for picture in pictures)
    smaller = [cv2.resize(picture, (40, 30)).astype(float) for picture in pictures]
    assert all(np.abs(smaller[a] - smaller[b]).mean() > 5 for a, b in ((0, 1), (1, 2), (0, 2)))


def test_boards_are_counted_by_how_many_photos_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = list(parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8")).board)
    reading = read_photo(SAMPLES / "mid.jpg")
    monkeypatch.setattr(several, "read_photo", lambda path: reading)
    bare = [tile.__class__(tile.kind) for tile in board]
    clear = next(square for square in range(30) if square not in reading.doubtful and board[square] != bare[square])
    # In the second table's truth a clear tile is another, and its truth is told half-turned.
    other = [*board[:clear], bare[clear], *board[clear + 1 :]]
    for name, rows in (("000001_a", board), ("000001_b", board), ("000002_a", other[::-1])):
        shutil.copy(SAMPLES / "mid.jpg", tmp_path / f"{name}.jpg")
        (tmp_path / f"{name}.json").write_text(json.dumps({"rows": format_rows(tuple(rows))}), encoding="utf-8")
    single, pair = several.measure_tables(tmp_path)
    assert (single.photos, single.boards, pair.photos, pair.boards) == (1, 3, 2, 1)
    assert single.flagged == 3 * len(reading.doubtful)
    assert single.unflagged_wrong == 1 + pair.unflagged_wrong * 3
    assert single.right == 3 * sum(a.tile == b for a, b in zip(reading.tiles, board, strict=True)) - 1
    assert single.nll > pair.nll > 0
