"""`companion score` with `--pdf` and `--bgstats`: the sheet filled in, and the link for the phone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.errors import MissingDependencyError
from tests.cli.scored import ANNA_LINES, BORIS_LINES, END, type_in


@pytest.fixture
def end(tmp_path: Path) -> str:
    path = tmp_path / "end.toml"
    path.write_text(END, encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def _narrow_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


def test_bgstats_shows_the_link_beside_the_result(end: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", end, "--json", "--bgstats"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["winners"] == ["pink"]
    assert "\nhttps://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName" in printed.err


def test_pdf_is_the_sheet_filled_in(end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pypdf import PdfReader

    out = tmp_path / "sheet.pdf"
    assert main(["score", end, "--names", "pink=Анна,black=Boris", "--pdf", str(out), "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["winners"] == ["pink"]
    assert f"score sheet written to {out}" in printed.err
    text = PdfReader(out).pages[0].extract_text()
    assert all(word in text for word in ("Анна", "Boris", "126", "51", "FT1-"))


def test_pdf_without_a_position_carries_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pypdf import PdfReader

    out = tmp_path / "sheet.pdf"
    type_in(monkeypatch, "pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES)
    assert main(["score", "--ask", "--pdf", str(out), "--paper", "letter"]) == 0
    text = PdfReader(out).pages[0].extract_text()
    assert "90" in text
    assert "FT1-" not in text


def test_pdf_with_points_that_the_position_does_not_hold_carries_no_code(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pypdf import PdfReader

    out = tmp_path / "sheet.pdf"
    type_in(monkeypatch, "", "goods 13 VP", "")
    assert main(["score", end, "--ask", "--pdf", str(out)]) == 0
    text = PdfReader(out).pages[0].extract_text()
    assert "126" in text
    assert "FT1-" not in text


def test_fonts_of_ones_own_serve_names_in_other_letters(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fonts = tmp_path / "fonts"
    out = str(tmp_path / "sheet.pdf")
    command = ["score", end, "--names", "pink=\U00010600", "--pdf", out, "--font-dir", str(fonts)]
    assert main(command) == 2
    assert "there is no such folder" in capsys.readouterr().err
    fonts.mkdir()
    assert main(command) == 0, "what no font has is shown as a question mark in a frame"
    assert "1 letter is drawn as a question mark in a frame, since no font has it: \U00010600 (U+10600)" in (
        capsys.readouterr().err
    )


def test_points_are_shown_even_if_a_font_for_the_sheet_is_missing(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_font(*_: object, **__: object) -> bytes:
        raise MissingDependencyError("no font")

    monkeypatch.setattr("companion.printing.score.sheet.filled_sheet", without_font)
    out = tmp_path / "sheet.pdf"
    assert main(["score", end, "--pdf", str(out)]) == 3
    printed = capsys.readouterr()
    assert "wins with 126 points" in printed.out
    assert "no font" in printed.err
    assert not out.exists()
