"""The game that a position stands for, in sentences: what is guessed and what isn't known; `resume` has the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.search.assume import TableState, table_state
from companion.errors import ImpossiblePositionError
from companion.notation.files import parse_position
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Player, Position
from companion.simulation.unknowns import unknown_parts

BLUE, PINK, BLACK, ORANGE = Colour.BLUE, Colour.PINK, Colour.BLACK, Colour.ORANGE
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MID, OVER = (parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8")) for name in ("mid", "end"))
SETUP = random_setup(3, 3)
BARE = Position(random_setup(2, 1).board)
"""What a photo of the board alone tells."""


def said(table: TableState) -> str:
    return " ".join(table.assumed)


def test_nothing_is_assumed_of_a_whole_position_nor_of_a_game_that_is_over() -> None:
    assert table_state(MID) == (start_game(MID), ())
    assert table_state(SETUP, bidding=True) == (start_game(SETUP), ())
    over = table_state(OVER, BLUE)
    assert over.state.is_over and over.assumed == ()


def test_a_guess_is_said_with_whom_it_is_about() -> None:
    placed = replace(SETUP, bid_order=(), turn_order=(Bid(BLUE, 5), Bid(ORANGE, 1), Bid(BLACK, 0)))
    for table, words in (
        (table_state(placed), "blue is first on the turn order track and moves."),
        (table_state(SETUP, ORANGE), "orange is assumed to play first, the others in random order."),
        (table_state(MID, ORANGE), "It's blue's turn in the position; this looks at orange instead."),
        (table_state(replace(BARE, players=(Player(BLUE), Player(PINK))), PINK, bidding=True), "pink bids next"),
        (table_state(BARE, BLUE), "Only blue is known to play; assumed (rules 2.1): pink."),
    ):
        assert words in said(table)


def test_a_bare_board_says_all_that_is_assumed() -> None:
    table = table_state(BARE)
    assert table.state.mover is BLACK
    assert {"row", "djinns", "discards", "turn_order", "bid_order", "black.gold"} <= unknown_parts(table.state)
    for part in (
        "It isn't known whose turn it is: black is assumed.",
        "(rules 2.1): orange and blue",
        "It isn't known who has played",
        "so no elders, goods, fakirs or djinns are used",
        "Unknown gold",
        "The row isn't known",
        "face-up djinns aren't known",
    ):
        assert part in said(table)
    # Everything stands on the board, so no division of viziers has to be assumed.
    assert "Not accounted for" not in said(table)


def test_an_impossible_position_names_its_faults() -> None:
    with pytest.raises(ImpossiblePositionError, match="ivory: 3"):
        table_state(replace(BARE, row=("ivory",) * 3))
