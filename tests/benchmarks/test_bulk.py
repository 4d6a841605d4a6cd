"""Many boards at once with numpy, against counting and walking them one by one (rules 4.2 to 4.8)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.engine.counting import count_boards, sowing_outcomes
from companion.rules.engine.setup import new_game
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.board import SQUARES, Board, Tile, empty_tile, parse_square, with_meeples
from companion.rules.model.state import Stage
from tests.benchmarks.bulk_boards import BATCH, decode, encode, resulting_boards
from tests.benchmarks.bulk_outcomes import meeple_array, outcome_counts
from tests.rules.random_games import checked_game
from tests.rules.sown import apply_sowing


def boards_of_games(number: int, apart: int) -> list[Board]:
    """Boards from the turns of random games, crowded at first and sparse in the end."""
    found: list[Board] = []
    for seed in range(number):
        states = [state for state, _, _ in checked_game(2 + seed % 3, 60 + seed) if state.stage is Stage.MOVE]
        found.extend(state.position.board for state in states[::apart])
    return found


def hand_of(meeples: tuple[int, ...], at: str, **others: tuple[int, ...]) -> Board:
    board = [empty_tile("M6") for _ in range(SQUARES)]
    for name, standing in {at: meeples, **others}.items():
        board[parse_square(name)] = with_meeples(board[parse_square(name)], standing)
    return tuple(board)


LARGE = [
    hand_of((2, 2, 2, 2, 2), "c3"),
    hand_of((3, 3, 2, 2, 2), "a1", c4=(1, 0, 0, 0, 0)),
    hand_of((5, 0, 0, 0, 0), "f5"),
    hand_of((0, 0, 9, 0, 0), "b2", b3=(1, 0, 0, 1, 0)),
    hand_of((0, 0, 0, 0, 0), "c3"),
]


def test_4_5_outcomes_are_counted_as_one_by_one() -> None:
    boards = [*boards_of_games(6, 4), *LARGE, new_game(4, 1).position.board]
    counts = outcome_counts(meeple_array(boards))
    assert counts.tolist() == [sum(1 for _ in sowing_outcomes(board)) for board in boards]


def test_no_boards_have_no_outcomes() -> None:
    assert outcome_counts(meeple_array([])).tolist() == []


def walked(board: Board) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for sowing in legal_sowings(board):
        after = apply_sowing(board, sowing)
        meeples = tuple(tile.meeples for tile in after.board)
        found.add((meeples, after.end, after.tribe, after.count))
    return found


def streamed(board: Board) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for batch in resulting_boards(board):
        assert 0 < len(batch.codes) == len(batch.taken) <= BATCH
        for meeples, taken in zip(decode(batch.codes).tolist(), batch.taken.tolist(), strict=True):
            found.append((tuple(map(tuple, meeples)), batch.end, batch.tribe, taken))
    return found


@pytest.mark.parametrize("board", boards_of_games(3, 17), ids=lambda _: "game")
def test_4_7_boards_streamed_are_those_of_walking(board: tuple[Tile, ...]) -> None:
    assert count_boards(board) <= 6000, "too many boards to walk in a test: choose the seeds of other games"
    boards = streamed(board)
    assert len(boards) == len(set(boards))
    assert set(boards) == walked(board)


@pytest.mark.parametrize("board", [LARGE[2], LARGE[3], hand_of((2, 2, 1, 2, 1), "d3")], ids=["5", "9", "8"])
def test_4_7_large_hands_are_streamed_to_the_last_board(board: tuple[Tile, ...]) -> None:
    assert sum(len(batch.codes) for batch in resulting_boards(board)) == count_boards(board)


def test_codes_hold_every_meeple() -> None:
    board = new_game(4, 2).position.board
    expected = np.array([[tile.meeples for tile in board]], np.uint8)
    assert (decode(encode(board)[None]) == expected).all()
    with pytest.raises(ValueError, match="more than 15"):
        encode(hand_of((16, 0, 0, 0, 0), "a1"))
