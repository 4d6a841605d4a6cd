"""`companion read` and `companion score` on a picture of a score sheet: its position and its result come back."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.printing.score.sheet import filled_sheet
from companion.rules.engine.scoring import GameResult, result_of, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from tests.cli.ran import Capsys, printed_json, ran
from tests.printing.eyes import in_grey, pictures
from tests.printing.prints import HELD

NAMES = {Colour.BLACK: "Анна", Colour.PINK: "Bo"}
START = random_setup(3, 9)
pytestmark = pytest.mark.slow

TOTALS = {Colour.BLACK: 208, Colour.ORANGE: 172, Colour.PINK: 65}


def _photographed(pdf: bytes, path: Path, dpi: float = 150) -> str:
    """A picture of the page in grey, as a copier gives it."""
    cv2.imwrite(str(path), np.ascontiguousarray(in_grey(pictures(pdf, dpi)[0])))
    return str(path)


def test_a_sheet_with_a_position_gives_it_back_and_tells_its_result(tmp_path: Path, capsys: Capsys) -> None:
    pdf = filled_sheet(result_of(START), names=NAMES, code=encode(START), date="2026-11-21", place="Kyiv")
    photo, saved = _photographed(pdf, tmp_path / "sheet.png"), tmp_path / "back.toml"
    shown = ran(capsys, ["read", photo, "-o", str(saved)]).out
    assert parse_position(saved.read_text(encoding="utf-8")) == START
    assert "The score sheet holds a result: 2026-11-21, Kyiv" in shown and "Анна" in shown
    again = tmp_path / "again.pdf"
    shown = ran(capsys, ["score", photo, "--pdf", str(again)]).out
    assert shown.startswith("2026-11-21, Kyiv\n") and "Анна" in shown and "50" in shown
    assert again.read_bytes() == pdf, "names, date, place and position: all that the sheet was made of"


def test_a_result_without_a_position_is_told_and_scored_again_and_stays_not_over(
    tmp_path: Path, capsys: Capsys
) -> None:
    """Nobody told how many viziers pink has."""
    result = GameResult(score_holdings(HELD), finished=False)
    sheet = filled_sheet(result, names=NAMES, date="2026-11-21", place="Kyiv")
    going_on = _photographed(sheet, tmp_path / "on.png")
    shown = ran(capsys, ["read", going_on]).out
    assert shown.startswith("The score sheet holds a result: 2026-11-21, Kyiv\n")
    assert all(word in shown for word in ("Анна", "viziers      35       12        ?", "208", "going by what's known"))
    saved, over = str(tmp_path / "sheet.toml"), str(tmp_path / "over.toml")
    document = printed_json(capsys, ["score", going_on, "-o", saved])
    assert document["finished"] is False and "winners" not in document
    assert {Colour(name): player["total"] for name, player in document["players"].items()} == TOTALS
    assert document["assumed"] == ["pink: viziers not known, counted as 0"]
    assert printed_json(capsys, ["score", saved]) == document
    shown = ran(capsys, ["score", saved, "--final", "-o", over]).out
    assert shown.startswith("2026-11-21, Kyiv\n")
    assert ran(capsys, ["score", over]).out == shown, "who said that the game is over need not say it again"
