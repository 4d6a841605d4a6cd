"""A result as text, JSON and CSV, for people and for other programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image

from companion.notation.files import parse_position
from companion.printing.report.result_picture import WIDTH_PX, result_picture
from companion.rules.engine.result import GameResult, result_of
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.table.results import result_csv, result_json, result_text, standing

END = Path(__file__).resolve().parents[2] / "samples" / "end.toml"


def result() -> GameResult:
    return result_of(parse_position(END.read_text(encoding="utf-8")))


def test_csv_has_a_line_a_player_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(result_csv(result(), {Colour.PINK: "=1+2", Colour.BLUE: 'A "B", C'}))))
    assert [row["player"] for row in rows] == ["black", "orange", "blue", "pink"]
    assert [int(row["total"]) for row in rows] == [136, 132, 146, 147]
    assert all(sum(int(row[name]) for name in CATEGORIES) == int(row["total"]) for row in rows)
    assert (rows[3]["name"], rows[2]["name"]) == ("'=1+2", 'A "B", C')


def test_json_is_that_of_score_with_names() -> None:
    document = json.loads(result_json(result(), {Colour.PINK: "Анна"}))
    assert document["winners"] == ["pink"] and document["finished"] is True
    assert document["names"] == {"pink": "Анна"}


def test_text_is_told_from_the_winner_down() -> None:
    lines = result_text(result(), {Colour.PINK: "Anna"}, "Five Tribes, 2026-11-22", str).splitlines()
    assert lines[0] == "Five Tribes, 2026-11-22"
    assert lines[2] == "Anna (pink) wins with 147 points, 1 ahead."
    assert [line.partition(":")[0] for line in lines[3:]] == ["Anna (pink)", "blue", "black", "orange"]
    assert lines[3].endswith("total 147")


def test_the_picture_is_as_wide_as_a_phone_and_higher_with_more_words() -> None:
    sizes = []
    for title in ("", "Five Tribes, " + "a long evening " * 12):
        content = result_picture(result(), title=title, sentence=standing(result(), {}), language="ko")
        picture = Image.open(io.BytesIO(content))
        assert picture.width == WIDTH_PX
        assert np.asarray(picture).std() > 10
        sizes.append(picture.height)
    assert sizes[0] < sizes[1]
