"""What the texts of games tell: what each is, who plays, when and where."""

from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.history.contents import Contents, TextKind, contents_of
from companion.rules.model.components import Colour


@pytest.mark.parametrize(
    ("lines", "day", "place"),
    [
        ('date = "2026-02-14"\nplace = "Lviv"\n', "2026-02-14", "Lviv"),
        ('place = "Lviv"\n', "", "Lviv"),
        ('date = "last Friday"\n', "", ""),
        ("", "", ""),
    ],
)
def test_the_day_and_the_place_of_a_sheet(lines: str, day: str, place: str) -> None:
    found = contents_of(f'score_sheet = 1\n{lines}[players.pink]\nname = "Anna"\n')
    assert found == Contents(TextKind.SHEET, {Colour.PINK: "Anna"}, day, place)


def test_a_sheet_is_known_by_what_score_knows_it_by() -> None:
    assert contents_of('\ufeff\n score_sheet = 1\n[players.P]\ngold = "3+2"\n').players == {Colour.PINK: ""}


def test_a_sheet_that_score_does_not_take_is_not_kept() -> None:
    with pytest.raises(NotationError, match=r"players\.pink\.gold: 'many' is not a number"):
        contents_of('score_sheet = 1\n[players.pink]\ngold = "many"\n')
