"""A result as text, JSON and CSV, for people and for other programs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.errors import UnusableInputError
from companion.history.saved_results import GamePart, TextKind
from companion.language.catalogue import translate
from companion.language.phrase import capitalised, say_as, term
from companion.notation.files import format_json
from companion.notation.outcome import Outcome, outcome_of
from companion.printing.core.geometry import Box
from companion.printing.core.raster import Raster
from companion.printing.report.result_picture import WIDTH_PX, result_picture
from companion.rules.engine.scoring import CATEGORIES, NONE, NOT_KNOWN, GameResult, category_name, result_of
from companion.rules.model.components import Colour
from companion.rules.model.position import Player
from companion.table.counted_games import counted_result
from companion.table.results import result_csv, result_json, result_text, standing
from tests.samples import END


def result() -> GameResult:
    return result_of(END)


def partly_known() -> GameResult:
    """A result in which blue has a gold of 0, and nothing else beside the board that is known."""
    return result_of(END.with_player(Player(Colour.BLUE, gold=0)))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Box]]:
    """All words that are drawn on pictures, each with its place."""
    found: list[tuple[str, Box]] = []
    draw = Raster.text

    def text(self: Raster, box: Box, words: str, *arguments: Any, **options: Any) -> object:
        found.append((str(words), box))
        return draw(self, box, words, *arguments, **options)

    monkeypatch.setattr(Raster, "text", text)
    return found


def test_csv_has_a_line_a_player_and_no_formula() -> None:
    names = {Colour.PINK: "=1+2", Colour.BLUE: 'A "B", C'}
    rows = list(csv.DictReader(io.StringIO(result_csv(result(), names, "en").decode("utf-8-sig"))))
    assert [row["player"] for row in rows] == ["black", "orange", "blue", "pink"]
    assert [int(row["total"]) for row in rows] == [136, 132, 146, 147]
    assert all(sum(int(row[name]) for name in CATEGORIES) == int(row["total"]) for row in rows)
    assert (rows[3]["name"], rows[2]["name"]) == ("'=1+2", 'A "B", C')


def test_csv_is_empty_where_points_are_not_known() -> None:
    rows = csv.DictReader(io.StringIO(result_csv(partly_known(), {}, "en").decode("utf-8-sig")))
    (blue,) = [row for row in rows if row["player"] == "blue"]
    assert blue["gold"] == "0" and [blue[name] for name in ("viziers", "elders", "djinns", "goods")] == [""] * 4
    assert sum(int(blue[name]) for name in ("gold", "palms", "palaces", "tiles")) == int(blue["total"]) > 0


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
        assert picture.width == WIDTH_PX and np.asarray(picture).std() > 10
        sizes.append(picture.height)
    assert sizes[0] < sizes[1]


def test_the_picture_has_each_players_points_under_the_name_and_stars_the_winner(drawn: list[tuple[str, Box]]) -> None:
    found = result()
    result_picture(found, names={Colour.PINK: "Anna"})
    words = [said for said, _ in drawn]
    middle = {said: box.centre[0] for said, box in drawn}
    numbers = [(said, box) for said, box in drawn if said.isdecimal()]
    rows = [numbers[start : start + 4] for start in range(0, 4 * len(CATEGORIES), 4)]
    for category, row in zip(CATEGORIES, rows, strict=True):
        assert [said for said, _ in row] == [str(score.points[category]) for score in found.scores.values()]
        assert [box.centre[0] for _, box in row] == pytest.approx(
            [middle[name] for name in ("Black", "Orange", "Blue", "Anna")]
        )
    assert [said for said in words if "★" in said] == ["★ 147"]
    assert middle["★ 147"] == pytest.approx(middle["Anna"])
    assert "Pink" not in words


def test_the_picture_tells_what_is_not_known_from_0(drawn: list[tuple[str, Box]]) -> None:
    found = partly_known()
    result_picture(found)
    words = [said for said, _ in drawn]
    assert words.count("?") == 4
    middle = {said: box.centre[0] for said, box in drawn}
    assert middle["?"] == pytest.approx(middle["Blue"])
    assert not [said for said in words if said.startswith("★")]


def test_the_picture_names_categories_and_colours_in_its_language(drawn: list[tuple[str, Box]]) -> None:
    for language in ("ru", "ko"):
        drawn.clear()
        result_picture(result(), language=language)
        words = {said for said, _ in drawn}
        for said in (*map(category_name, CATEGORIES), say_as("of the score", "total"), *map(term, Colour)):
            assert translate(capitalised(said), language) in words
        assert not words & {"Viziers", "Total", "Pink"}


def test_10_7_the_lines_of_a_result_crown_whom_the_game_crowned() -> None:
    """Of results that are kept as their lines alone: nobody has won where something that counts was not known."""
    for unseen in ({}, {Colour.BLUE: 2}):
        scored = result_of(END, unseen=unseen)
        assert bool(scored.winners) == (not unseen)
        read = counted_result((GamePart(TextKind.OUTCOME, outcome_of(scored, {}).text),))
        assert read.winners == scored.winners and bool(read.unknown) == bool(unseen)
        position_part = GamePart(TextKind.POSITION, format_json(END))
        read = counted_result((position_part, GamePart(TextKind.OUTCOME, outcome_of(scored, {}).text)))
        assert {colour: score.arithmetic for colour, score in read.scores.items()} == {
            colour: score.arithmetic for colour, score in scored.scores.items()
        }


def test_an_outcome_has_its_lines_whatever_was_kept_before_it() -> None:
    totals = Outcome({Colour.PINK: 40, Colour.BLUE: 30}, True, True)
    with pytest.raises(UnusableInputError, match="Only the totals of this game are saved"):
        counted_result([GamePart(TextKind.OUTCOME, totals.text)])
    points = {Colour.PINK: (12, 3, 0, 10, None, 5, 10, 0), Colour.BLUE: (30, 0, 0, 0, 0, 0, 0, 0)}
    outcome = GamePart(TextKind.OUTCOME, replace(totals, points=points).text)
    # A sheet of another time, which is read no more.
    old = GamePart(TextKind.SHEET, 'score_sheet = 1\n[players.pink]\ngold = "many"\n')
    for before in ([], [old]):
        result = counted_result([*before, outcome])
        assert [score.total for score in result.scores.values()] == [30, 40] and result.finished
        assert result.scores[Colour.PINK].arithmetic["gold"] == "12"
    typed = GamePart(TextKind.SHEET, 'score_sheet = 1\n[players.pink]\ngold = "5+7"\nviziers = "3"\n[players.blue]\n')
    how = counted_result([typed, outcome]).scores[Colour.PINK].arithmetic
    assert how["gold"] == "5+7" and how["palms"] == NOT_KNOWN and how["elders"] == NONE
