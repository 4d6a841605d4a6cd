"""What a score sheet without a board tells of its game."""

from __future__ import annotations

import pytest

from companion.history.sheets import sheet_heading


@pytest.mark.parametrize(
    ("lines", "heading"),
    [
        ('date = "2026-02-14"\nplace = "Lviv"\n', ("2026-02-14", "Lviv")),
        ('place = "Lviv"\n', ("", "Lviv")),
        ('date = "last Friday"\n', ("", "")),
        ("", ("", "")),
    ],
)
def test_the_day_and_the_place_of_a_sheet(lines: str, heading: tuple[str, str]) -> None:
    assert sheet_heading(f"score_sheet = 1\n{lines}") == heading
