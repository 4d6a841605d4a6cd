"""What is said of a step that the rules forbid: the step, and the clause (rules 4.2, 4.3)."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMoveError
from companion.notation.tokens import parse_sowing
from companion.rules.engine.sowing import check_sowing
from tests.rules.test_turn import position


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ("c3>c4y>c3y", "the step from c4 to c3 goes straight back"),
        ("c3>d4y>d3y", "the step from c3 to d4 is not to an orthogonal neighbour"),
    ],
)
def test_a_step_that_is_forbidden_is_named(moved: str, said: str) -> None:
    with pytest.raises(IllegalMoveError, match=said):
        check_sowing(position(c3="M6:yy", c4="O8:y", d3="O8:y").board, parse_sowing(moved))
