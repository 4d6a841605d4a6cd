"""Mistakes by cause, counted and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.lab.accuracy.failures import (
    ANOTHER_TILE,
    CAUSES,
    CROP_PX,
    FailedPhoto,
    Mistake,
    cause_counts,
    failure_sheet,
)
from companion.notation.tokens import parse_tile
from companion.vision.board.changes import CHANGES

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
BOARD_IN_PHOTO = ((100.0, 0.0, 50.0), (0.0, 100.0, 50.0), (0.0, 0.0, 1.0))


def mistake(read: str, true: str, square: int = 0, *, flagged: bool = True) -> Mistake:
    return Mistake(square, parse_tile(read), parse_tile(true), flagged)


@pytest.mark.parametrize(
    ("read", "true", "cause"),
    [
        ("O8^1", "O8:g", "a merchant read as a palm"),
        ("V5#1", "V5:w", "a vizier or elder read as a palace"),
        ("M4@B", "M4:b", "a builder read as a blue camel"),
        ("M4:b", "M4@B", "a blue camel read as a builder"),
        ("V5#1", "V5#2", "a palace missed"),
        ("S6:y", "S6", "a meeple too many"),
        ("S6@K", "S6@P", "a camel missed, made up or of another colour"),
        ("S6", "S10", ANOTHER_TILE),
        ("S6:ygg", "S6@P", "several pieces at once"),
    ],
)
def test_a_mistake_has_its_cause(read: str, true: str, cause: str) -> None:
    assert mistake(read, true).cause == cause


def test_every_kind_of_change_has_words() -> None:
    assert set(CAUSES) == set(CHANGES)


def test_causes_are_counted_the_commonest_first() -> None:
    seen = [mistake("O8", "O8:g"), mistake("O8^1", "O8:g"), mistake("O8", "O8:y", flagged=False)]
    assert cause_counts(seen) == [("a meeple missed", 2, 1), ("a merchant read as a palm", 1, 1)]


def test_the_sheet_has_few_of_each_cause_and_nothing_of_a_right_board() -> None:
    many = tuple(mistake("O8", "O8:g", square) for square in range(5))
    photo = FailedPhoto(SAMPLES / "start.jpg", BOARD_IN_PHOTO, (*many, mistake("O8^1", "O8:g", 29)))
    sheet = failure_sheet([photo], most=8, each=3)
    assert sheet is not None and sheet.shape[2] == 3
    # Three of the first cause and one of the second: a row of four crops with words below.
    assert CROP_PX < sheet.shape[0] < 2 * CROP_PX and 4 * CROP_PX < sheet.shape[1] < 5 * CROP_PX
    assert sheet[:, -CROP_PX // 2].std() > 1, "the fourth is no blank"
    assert failure_sheet([], most=8, each=3) is None
