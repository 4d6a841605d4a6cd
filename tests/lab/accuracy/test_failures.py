"""Mistakes by cause, counted."""

from __future__ import annotations

import pytest

from companion.lab.accuracy.scores import ANOTHER_TILE, CAUSES, Mistake, cause_counts
from companion.notation.tokens import parse_tile
from companion.vision.board.contents_hypotheses import CHANGES


def mistake(read: str, true: str, *, flagged: bool = True) -> Mistake:
    return Mistake(parse_tile(read), parse_tile(true), flagged)


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
