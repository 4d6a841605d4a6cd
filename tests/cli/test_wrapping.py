"""Lines broken between words by the columns that they take."""

from __future__ import annotations

import io
import re
import sys

import pytest
from rich.cells import cell_len
from rich.console import Console

from companion.cli.dialogue.loop import Terminal
from companion.cli.main import main
from companion.cli.output import broken, console
from companion.cli.views.tables import Column, facts, figures, listing, number

HANGUL = "술탄의 영지에서 타일 서른 장을 모두 찾지 못했습니다 위에서 다시 찍어 주세요"


@pytest.mark.parametrize("width", [20, 40, 60])
def test_hangul_takes_two_columns_a_letter(width: int) -> None:
    lines = broken("  " + HANGUL, width, "  ").split("\n")
    assert len(lines) > 1 and max(map(cell_len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == HANGUL
    assert lines[0].startswith("  술") and all(line.startswith("    ") for line in lines[1:])


def test_a_line_that_fits_is_left_as_it_is() -> None:
    assert broken("  a   b ", 80) == "  a   b "


class Window(io.StringIO):
    """A stream that is a terminal's."""

    def isatty(self) -> bool:
        return True


def test_errors_and_prompts_are_broken_between_words_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    window = Window()
    monkeypatch.setattr(sys, "stderr", window)
    assert main(["play"]) == 2
    error = window.getvalue()
    assert max(map(len, error.splitlines())) <= 30
    assert "missing argument 'RECORD'; companion play --help shows" in " ".join(error.split())
    prompted = Window()
    at = console()
    at.file = prompted
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n"))
    assert Terminal(at).ask("How was the table laid, or Enter to shuffle one: ") == "2"
    assert prompted.getvalue().startswith("How was the table laid, or\nEnter to shuffle one: ")


def test_a_table_breaks_no_word_and_goes_row_by_row_where_words_have_no_room() -> None:
    columns = [Column("name", wraps=False), Column("day"), number("points"), Column("what for")]
    row = ("Boris (orange)", "2026-11-29", "156", "takes three viziers and claims a village")
    for width in range(20, 90):
        narrow = Console(width=width, file=io.StringIO(), record=True)
        narrow.print(figures(columns, [row]))
        shown = narrow.export_text()
        assert {*" ".join(row).split(), "points"} <= set(re.split(r"[\s,]+", shown)), shown


def test_in_rows_a_bar_without_a_heading_is_no_further_item() -> None:
    narrow = Console(width=24, file=io.StringIO(), record=True)
    narrow.print(listing(["player", "games", "won", ""], [("Anna", "2", "1", "########")]))
    assert narrow.export_text().split() == ["player", "Anna", "games", "2,", "won", "1", "########"]


def test_a_code_or_path_wider_than_the_window_is_shown_whole() -> None:
    narrow, code = Console(width=24, file=io.StringIO(), record=True), "FT1-" + "BHTVG5RXGY" * 5
    narrow.print(facts([("Code", code), ("Djinns", "none")]))
    assert code in "".join(narrow.export_text().split())
