"""What may be left out of a turn, and what is placed where nothing is left (rules 6.1, 6.2)."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMoveError
from companion.notation.tokens import parse_sowing
from companion.rules.engine.tile_actions import check_pass, check_placing
from companion.rules.model.actions import Sow
from companion.rules.model.state import GameState
from tests.rules.tables import BLACK, PINK, after, at_turn, player, tribe

ALL_PALMS, ALL_PALACES = "O8@K^12", "V5@K#10"


def on_tile(kind: str, elsewhere: str = "M6") -> GameState:
    """Pink's viziers have acted from c4, a tile of that kind."""
    start = at_turn(player(PINK), player(BLACK), c3="M6:y", c4=f"{kind}:y", a1=elsewhere)
    return after(start, Sow(parse_sowing("c3>c4y")), tribe())


def test_6_1_and_6_2_what_is_compulsory_cannot_be_passed(subtests: pytest.Subtests) -> None:
    for case, kind, message in [
        ("6.1", "O8", r"c4 is an oasis, so a palm must be put there: no pass \(rules 6\.1\)"),
        ("6.2", "V5", r"c4 is a village, so a palace must be put there: no pass \(rules 6\.2\)"),
    ]:
        with subtests.test(msg=case), pytest.raises(IllegalMoveError, match=message):
            check_pass(on_tile(kind))


def test_6_1_to_6_5_pass_is_right_where_nothing_is_compulsory_or_left(subtests: pytest.Subtests) -> None:
    for case, state in [
        ("6.1-none-left", on_tile("O8", ALL_PALMS)),
        ("6.2-none-left", on_tile("V5", ALL_PALACES)),
        ("6.3", on_tile("M6")),
        ("6.4", on_tile("M4")),
        ("6.5", on_tile("S6")),
    ]:
        with subtests.test(msg=case):
            check_pass(state)


def test_6_1_and_6_2_nothing_is_placed_where_none_is_left_or_brought(subtests: pytest.Subtests) -> None:
    for case, state, piece, message in [
        ("6.1", on_tile("O8", ALL_PALMS), "palm", r"no palm is left .* c4: pass \(rules 6\.1\)"),
        ("6.2", on_tile("V5", ALL_PALACES), "palace", r"no palace is left .* c4: pass \(rules 6\.2\)"),
        ("6.1-village", on_tile("V5"), "palm", r"c4 is a village, so no palm is put there"),
        ("6.2-oasis", on_tile("O8"), "palace", r"c4 is an oasis, so no palace is put there"),
        ("6.1-market", on_tile("M6"), "palm", r"c4 is a small market, so no palm is put there"),
    ]:
        with subtests.test(msg=case), pytest.raises(IllegalMoveError, match=message):
            check_placing(state, piece)


def test_6_1_and_6_2_one_is_placed_where_one_is_left(subtests: pytest.Subtests) -> None:
    for kind, piece in [("O8", "palm"), ("V5", "palace")]:
        with subtests.test(kind=kind):
            check_placing(on_tile(kind), piece)
