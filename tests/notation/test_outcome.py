"""Result codes: what is written is read back, and no other text is taken for one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.outcome import Outcome, parse_outcome
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)
POINTS = st.lists(st.none() | st.integers(0, 150), min_size=len(CATEGORIES), max_size=len(CATEGORIES))


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    colours = draw(st.lists(st.sampled_from(list(Colour)), min_size=1, max_size=4, unique=True))
    told = draw(st.booleans())
    points = {colour: tuple(draw(POINTS)) for colour in colours} if told else {}
    totals = {
        colour: sum(one or 0 for one in points[colour]) if told else draw(st.integers(0, 999)) for colour in colours
    }
    names = draw(st.dictionaries(st.sampled_from(colours), NAMES))
    date, place = draw(st.sampled_from(["", "2026-02-14"])), draw(st.just("") | NAMES)
    finished = draw(st.booleans())
    return Outcome(totals, finished, finished and draw(st.booleans()), names, points, date, place)


@given(outcomes())
def test_what_is_written_is_read_back(outcome: Outcome) -> None:
    assert parse_outcome(outcome.text) == outcome
    assert parse_outcome(f"{outcome.text}\n") == outcome


def test_the_example_of_the_documentation_is_one() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```result\n(.*?)\n```", page, re.DOTALL)
    outcome = parse_outcome(example)
    assert outcome is not None and outcome.text == example
    assert outcome.points[Colour.PINK][CATEGORIES.index("viziers")] == 2


def test_a_game_that_goes_on_has_no_ranks() -> None:
    outcome = Outcome(
        {Colour.PINK: 40, Colour.BLUE: 40}, False, False, {Colour.PINK: "Anna (blue) 3"}, place="Lviv, at home"
    )
    assert outcome.text == "Five Tribes, Lviv, at home\nAnna (blue) 3 (pink) 40\nblue 40\nnot over yet"
    assert parse_outcome(outcome.text) == outcome


def test_other_texts_are_no_results(subtests: pytest.Subtests) -> None:
    for text in [
        "",
        "FT1-ABC",
        "Five Tribes",
        "Five Tribesmen\n1. pink 3",
        "https://example.org/Five Tribes\n1. pink 3",
        "Five Tribes\n1. puce 3",
        "Five Tribes\n1. pink 3\n2. pink 2",
        "Five Tribes\n1. pink 3\nthat is all",
        "Five Tribes\n1. pink 3 = 1+2",
        "Five Tribes\n1. pink 9 = 1+1+1+1+1+1+1+1",
        "Five Tribes\n1. pink 99999999",
        "Five Tribes, " + "a" * 5000 + "\n1. pink 3",
        "Five Tribes\n" + "1. pink 3\n" * 500,
    ]:
        with subtests.test(text=text):
            assert parse_outcome(text) is None
