"""Sowings as text and as JSON."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.notation.tokens import parse_sowing, sowing_document
from companion.rules.model.actions import Sowing
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Tribe

SQUARE = st.integers(0, SQUARES - 1)


@given(SQUARE, st.lists(st.tuples(SQUARE, st.sampled_from(Tribe)), min_size=1))
def test_round_trip(start: int, steps: list[tuple[int, Tribe]]) -> None:
    sowing = Sowing(start, tuple(square for square, _ in steps), tuple(tribe for _, tribe in steps))
    assert parse_sowing(str(sowing)) == sowing
    assert parse_sowing(str(sowing).upper().replace(">", " > ")) == sowing


def test_document() -> None:
    assert sowing_document(parse_sowing("c3>c4g>d4b>d5y")) == {"from": "c3", "path": ["c4", "d4", "d5"], "drops": "gby"}


def test_unreadable_text_names_the_part(subtests: pytest.Subtests) -> None:
    for text, named in [
        ("", "'' is not a move: expected a start tile and steps, such as c3>c4g>d4b"),
        ("c3", "'c3' is not a move: expected a start tile and steps, such as c3>c4g>d4b"),
        ("g3>c4g", "'g3>c4g' is not a move: expected a start tile and steps, such as c3>c4g>d4b"),
        ("c3>c4", "'c3>c4': 'c4' is not a step: expected a tile and a meeple, such as c4g"),
        ("c3>c4x", "'c3>c4x': 'c4x' is not a step: expected a tile and a meeple, such as c4g"),
    ]:
        with subtests.test(text=text):
            with pytest.raises(NotationError) as refused:
                parse_sowing(text)
            assert str(refused.value) == named
