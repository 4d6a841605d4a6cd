"""Legal sowings and what they leave (rules 4.2 to 4.7)."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies._internal.random import ArtificialRandom

from companion.errors import IllegalMoveError, UnusableInputError
from companion.notation.tokens import parse_board
from companion.rules.engine.counting import count_moves
from companion.rules.engine.sowing import (
    SETTLED_LENGTH,
    check_sowing,
    end_visits,
    ends,
    has_legal_sowing,
    legal_sowings,
    takings,
)
from companion.rules.model.actions import Sow, Sowing
from companion.rules.model.board import NEIGHBOURS, SQUARES, Tile, empty_tile, parse_square
from companion.rules.model.components import TILE_KINDS, TOTAL_MEEPLES, Tribe
from tests.rules.tables import after, at_turn, parse_sowing
from tests.strategies import boards


def board_with(**meeples: str) -> tuple[Tile, ...]:
    """A board with only these meeples on it."""
    rows = "O8 M4 M4 V5 S6 V5 / V5 O8 S12 M6 O8 O8 / O8 M4 M6 M6 M6 M6 / V5 S10 O8 M6 M6 M6 / M4 S15 S6 V5 S6 S6"
    tokens = rows.replace("/", "").split()
    for name, standing in meeples.items():
        tokens[parse_square(name)] += ":" + standing
    return parse_board("/".join(" ".join(tokens[i : i + 6]) for i in range(0, SQUARES, 6)))


LEGAL = {
    "4.2 one step": (board_with(c3="y", c4="y"), "c3>c4y"),
    "4.2 any order of drops": (board_with(c3="yg", d4="y"), "c3>c4g>d4y"),
    "4.3 a loop of four steps over the start tile": (board_with(c3="wwwwy", c2="y"), "c3>d3w>d4w>c4w>c3w>c2y"),
    "4.4 over empty tiles": (board_with(a1="bbr", d1="r"), "a1>b1b>c1b>d1r"),
    "4.5 a meeple dropped earlier counts": (board_with(c3="yyggg"), "c3>c4y>d4g>d3g>c3g>c4y"),
    "4.5 on the start tile, dropped earlier": (board_with(c3="yyrrrrrr"), "c3>c4r>d4r>d3r>c3y>c2r>b2r>b3r>c3y"),
}
ILLEGAL = {
    "4.2 nothing to take": (board_with(c4="y"), "c3>c4y", "4.2"),
    "4.2 too few steps": (board_with(c3="yy", c4="y"), "c3>c4y", "4.2"),
    "4.2 diagonal step": (board_with(c3="y", d4="y"), "c3>d4y", "4.2"),
    "4.2 staying": (board_with(c3="y"), "c3>c3y", "4.2"),
    "4.2 over the edge of the row": (board_with(f1="y", a2="y"), "f1>a2y", "4.2"),
    "4.2 a meeple that is not in hand": (board_with(c3="y", c4="g"), "c3>c4g", "4.2"),
    "4.3 back to the start": (board_with(c3="yy"), "c3>c4y>c3y", "4.3"),
    "4.3 back later": (board_with(c3="yyy"), "c3>c4y>d4y>c4y", "4.3"),
    "4.5 no meeple of the colour": (board_with(c3="y", c4="wbgr"), "c3>c4y", "4.5"),
    "4.5 only those lifted from the end tile": (board_with(c3="yyyy"), "c3>d3y>d4y>c4y>c3y", "4.5"),
    "4.5 none where all were lifted elsewhere": (board_with(c3="yyyyw", d3="w"), "c3>d3y>d4y>c4y>c3y>b3w", "4.5"),
}


def test_legal(subtests: pytest.Subtests) -> None:
    for board, text in LEGAL.values():
        with subtests.test(board=board):
            sowing = parse_sowing(text)
            check_sowing(board, sowing)
            assert sowing in set(legal_sowings(board, [sowing.start]))


def test_illegal(subtests: pytest.Subtests) -> None:
    for board, text, rule in ILLEGAL.values():
        with subtests.test(board=board):
            sowing = parse_sowing(text)
            with pytest.raises(IllegalMoveError) as refusal:
                check_sowing(board, sowing)
            assert f"(rules {rule})" in str(refusal.value)
            assert sowing not in set(legal_sowings(board))


def test_2_3_off_the_board(subtests: pytest.Subtests) -> None:
    for square in [-1, 30]:
        with subtests.test(square=square), pytest.raises(IllegalMoveError, match="not on the board"):
            check_sowing(board_with(c3="y"), Sowing(14, (square,), (Tribe.VIZIER,)))


def test_4_7_takes_the_last_meeple_and_all_of_its_colour() -> None:
    for tiles, text, taken, left in (
        ({"c3": "M6:yg", "c4": "O8", "d4": "M6:yyb"}, "c3>c4g>d4y", 3, ["M6", "O8:g", "M6:b"]),
        ({"c3": "M6:yyggg"}, "c3>c4y>d4g>d3g>c3g>c4y", 2, ["M6:g", "M6@P", "M6:g"]),
    ):
        sown = after(at_turn(**tiles), Sow(parse_sowing(text)))
        assert sown.progress.taken.count == taken
        assert [str(sown.position.board[parse_square(name)]) for name in ("c3", "c4", "d4")] == left


def test_enumeration_is_lazy() -> None:
    board = board_with(c3="yyywwwbbbgggrrr", d3="ywbgr", b3="ywbgr")
    assert len(set(islice(legal_sowings(board), 100))) == 100


def test_a_step_that_is_forbidden_is_named() -> None:
    for text, words in (
        ("c3>c4y>c3y", "from c4 to c3 goes straight back"),
        ("c3>d4y>d3y", "from c3 to d4 is not to an"),
    ):
        with pytest.raises(IllegalMoveError, match=words):
            check_sowing(board_with(c3="yy", c4="y", d3="y"), parse_sowing(text))


def test_1_2_a_hand_larger_than_the_box_is_not_counted() -> None:
    crowded = Tile(TILE_KINDS["M6"], (TOTAL_MEEPLES + 1, 0, 0, 0, 0))
    with pytest.raises(UnusableInputError, match="91 meeples.*only 90"):
        count_moves((crowded, *board_with()[1:]))


def test_4_2_longer_walks_end_where_those_of_two_steps_less_do() -> None:
    for square in range(SQUARES):
        for before in (None, *NEIGHBOURS[square]):
            for length in range(SETTLED_LENGTH, SETTLED_LENGTH + 4):
                assert ends(before, square, length + 2) == ends(before, square, length)


def test_4_6_no_move_from_an_empty_board() -> None:
    assert not has_legal_sowing(board_with())
    assert list(legal_sowings(board_with())) == []


@settings(max_examples=60, deadline=None)
@given(boards(colours=()), st.randoms(use_true_random=False))
def test_listed_sowings_pass_and_changed_ones_do_not(board: tuple[Tile, ...], random: ArtificialRandom) -> None:
    starts = [square for square in range(SQUARES) if 0 < sum(board[square].meeples) <= 4]
    listed = list(legal_sowings(board, starts))
    assert len(set(listed)) == len(listed)
    for sowing in random.sample(listed, min(5, len(listed))):
        check_sowing(board, sowing)
        visits = sowing.path.count(sowing.end)
        dropped = sum(pair == (sowing.end, sowing.tribe) for pair in zip(sowing.path, sowing.drops, strict=True))
        allowed = dict(end_visits(board, sowing.start, sowing.end, sowing.tribe))
        assert dropped in allowed[visits]
        index = random.randrange(len(sowing.path))
        path = list(sowing.path)
        path[index] = random.choice([square for square in range(SQUARES) if square != path[index]])
        changed = Sowing(sowing.start, tuple(path), sowing.drops)
        if changed not in listed:
            with pytest.raises(IllegalMoveError):
                check_sowing(board, changed)


@settings(max_examples=40, deadline=None)
@given(boards(colours=()), st.randoms(use_true_random=False))
def test_4_7_what_can_be_taken_where_is_what_listed_sowings_take_at_least(
    board: tuple[Tile, ...], random: ArtificialRandom
) -> None:
    for start in [square for square in range(SQUARES) if 0 < sum(board[square].meeples) <= 4][:4]:
        listed = list(legal_sowings(board, [start]))
        path = random.choice(listed).path if listed else ()
        for so_far in (path[:number] for number in range(len(path) or 1)):
            least: dict[tuple[int, Tribe], int] = {}
            for sowing in (one for one in listed if one.path[: len(so_far)] == so_far):
                pairs = [*zip(sowing.path, sowing.drops, strict=True)]
                taken = pairs.count((sowing.end, sowing.tribe))
                taken += board[sowing.end].meeples[sowing.tribe] if sowing.end != start else 0
                key = sowing.end, sowing.tribe
                least[key] = min(taken, least.get(key, taken))
            found = takings(so_far, start, board[start].meeples, board)
            assert {(end, tribe): n for end, taken in found.items() for tribe, n in taken.items()} == least
    assert takings((), 0, (0, 0, 0, 0, 0), board) == {}


@settings(max_examples=100, deadline=None)
@given(boards(colours=()))
def test_4_6_a_legal_move_is_known_without_listing(board: tuple[Tile, ...]) -> None:
    sparse = tuple(tile if sum(tile.meeples) <= 3 else empty_tile("M6") for tile in board)
    assert has_legal_sowing(sparse) == (next(legal_sowings(sparse), None) is not None)
