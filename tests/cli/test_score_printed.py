"""`companion score` with `--pdf` and `--bgstats`: the sheet filled in, and the link for the phone."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.cli.views.address_view import QrInTerminal
from companion.errors import MissingDependencyError
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.cli.scored import ANNA_LINES, BORIS_LINES, END, type_in
from tests.printing.checks import check_all, page_texts

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def test_bgstats_is_a_code_in_a_window_that_is_large_enough(end: str, capsys: Capsys, monkeypatch: Patch) -> None:
    monkeypatch.setattr(QrInTerminal, "can_be_drawn", True)
    monkeypatch.setattr(QrInTerminal, "fits_window", False)
    (link,) = re.findall("^https://.*$", ran(capsys, ["score", end, "--bgstats", "--json"]).err, re.MULTILINE)
    told = ran(capsys, ["score", end, "--bgstats"]).err
    columns, lines = re.findall(r"make the window (\d+) columns by (\d+) lines", told)[0]
    assert "--pdf prints it" in told and "https://" not in told, "nobody types 900 letters"

    monkeypatch.setattr(QrInTerminal, "fits_window", True)
    monkeypatch.setenv("COLUMNS", columns)
    printed = ran(capsys, ["score", end, "--bgstats"])
    assert "https://" not in printed.err
    code = [line for line in printed.out.splitlines() if "█" in line and len(line) == int(columns)]
    assert len(code) == int(lines) - 1
    dark = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    modules = np.array([[dark[letter][half] for letter in line] for line in code for half in (0, 1)], np.uint8)
    picture = np.pad(np.kron(255 * (1 - modules), np.ones((4, 4), np.uint8)), 40, constant_values=255)
    read = cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]
    # A second may have gone by since.
    assert re.sub(r"%20\d\d:\d\d:\d\d", "", read) == re.sub(r"%20\d\d:\d\d:\d\d", "", link)


def text_of(pdf: Path) -> str:
    return " ".join(page_texts(pdf)[0].split())


def test_the_sheet_is_filled_in_with_a_code_of_the_play_behind_it(end: str, tmp_path: Path, capsys: Capsys) -> None:
    out = tmp_path / "sheet.pdf"
    printed = ran(capsys, ["score", end, "--names", "pink=Анна,black=Boris", "--pdf", str(out), "--json"])
    assert json.loads(printed.out)["winners"] == ["pink"] and f"score sheet written to {out}" in printed.err
    assert all(word in text_of(out) for word in ("Анна", "Boris", "126", "51", "FT1-"))
    assert main(["score", end, "--bgstats", "--pdf", str(out), "--paper", "letter", "--force"]) == 0
    assert len(page_texts(out)) == 2 and check_all(out.read_bytes()) == []
    names = ",".join(f"{colour}={'Ж' * 120}{colour}" for colour in ("black", "pink"))
    capsys.readouterr()
    told = ran(capsys, ["score", end, "--bgstats", "--names", names, "--pdf", str(out), "--force"]).err
    assert "too long for a QR code" in told and "\nhttps://" in told and len(page_texts(out)) == 1


def scanned(pdf: Path) -> str:
    """A scan in grey of a PDF's first page, beside it."""
    subprocess.run(["pdftoppm", "-r", "150", "-gray", "-png", "-singlefile", pdf, pdf.with_suffix("")], check=True)
    return str(pdf.with_suffix(".png"))


def test_a_sheet_tells_when_and_where_and_that_the_game_goes_on(tmp_path: Path, capsys: Capsys) -> None:
    game, out = tmp_path / "game.toml", tmp_path / "sheet.pdf"
    game.write_text(END.replace('phase = "end"', 'phase = "turn"'), encoding="utf-8")
    told = ["--date", "2026-02-14", "--place", " Lviv,\nat Olena's"]
    assert ran(capsys, ["score", str(game), *told, "--pdf", str(out)]).out.startswith("2026-02-14, Lviv, at Olena's\n")
    text = text_of(out)
    assert "The game isn't over; these are the points so far." in text
    assert "2026-02-14" in text and "Lviv, at Olena's" in text
    assert check_all(out.read_bytes()) == []
    scan = scanned(out)
    assert "\nPlayed: 2026-02-14, Lviv, at Olena's\n" in ran(capsys, ["show", scan]).out
    result = printed_json(capsys, ["read", scan])["result"]
    assert (result["date"], result["place"], result["finished"]) == ("2026-02-14", "Lviv, at Olena's", False)


def test_when_and_where_are_asked_and_printed(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    out = tmp_path / "sheet.pdf"
    type_in(monkeypatch, "pink Anna", *ANNA_LINES, "yesterday", "2026-02-14", "Lviv")
    asked = ran(capsys, ["score", "--ask", "--pdf", str(out), "--place", "Kyiv", "--bgstats"]).err
    assert "'yesterday' is not a date" in asked and "Where was it played? [Kyiv]" in asked
    text = page_texts(out)[0]
    assert "2026-02-14" in text and "Lviv" in text and "so far" not in text
    assert "%222026-02-14%20" in asked, "the play in BG Stats"
    assert "2026-02-14" in ran(capsys, ["history"]).out


def test_a_sheet_that_the_position_does_not_hold_carries_no_code(end: str, tmp_path: Path, monkeypatch: Patch) -> None:
    out = tmp_path / "sheet.pdf"
    for source, answers, total in (
        ([], ["pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES], "90"),
        ([end], ["", "goods 13 VP", ""], "126"),
    ):
        type_in(monkeypatch, *answers)
        assert main(["score", *source, "--ask", "--pdf", str(out), "--force"]) == 0
        assert total in text_of(out) and "FT1-" not in text_of(out)


def test_points_are_shown_even_if_a_font_for_the_sheet_is_missing(
    end: str, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    def without_font(*_: object, **__: object) -> bytes:
        raise MissingDependencyError("no font")

    monkeypatch.setattr("companion.printing.score.sheet.filled_sheet", without_font)
    out = tmp_path / "sheet.pdf"
    printed = ran(capsys, ["score", end, "--pdf", str(out)], 3)
    assert "wins with 126 points" in printed.out
    assert "no font" in printed.err
    assert not out.exists()
