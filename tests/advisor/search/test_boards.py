"""What turns are worth over the boards that a photo may show, beside a count of every board."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from companion.advisor.search.boards import DoubtfulBoard, Valuation, answers, promise, worth_of_knowing
from companion.notation.tokens import parse_tile
from companion.rules.model.components import MEEPLE_COUNTS, Colour
from companion.simulation.bridge import pack
from tests.simulation.roots import beginnings

STATE = list(beginnings(3, 7, 1))[9]
BOARD = STATE.position.board
COLOURS = [player.colour for player in STATE.position.players]
A, B = 3, 17


def other(square: int, meeples: str) -> str:
    return f"{BOARD[square].kind.code}:{meeples}"


def doubtful(a: float = 0.35, b: tuple[float, float] = (0.2, 0.1)) -> DoubtfulBoard:
    first, second, third = (parse_tile(other(A, "w")), parse_tile(other(B, "y")), parse_tile(other(B, "yy")))
    return DoubtfulBoard.of(BOARD, {A: [(first, a)], B: [(second, b[0]), (third, b[1])]}, COLOURS)


def test_only_what_is_likely_enough_is_in_doubt() -> None:
    tile = parse_tile(other(A, "w"))
    nobody = next(colour for colour in Colour if colour not in COLOURS)
    strange = parse_tile(f"{BOARD[B].kind.code}@{nobody.letter.upper()}")
    found = DoubtfulBoard.of(
        BOARD, {A: [(tile, 0.3), (BOARD[A], 0.2)], B: [(strange, 0.5)], 5: [(tile, 0.01)]}, COLOURS
    )
    assert (found.squares, found.readings) == ((A,), ((BOARD[A], tile),))
    assert found.probabilities[0] == pytest.approx((0.7, 0.3))


def test_boards_are_drawn_by_their_chances() -> None:
    board = doubtful()
    picks = board.draw(4000, 1)
    assert board.squares == (A, B)
    assert np.bincount(picks[:, 0]) / 4000 == pytest.approx([0.65, 0.35], abs=0.03)
    assert np.bincount(picks[:, 1]) / 4000 == pytest.approx([0.7, 0.2, 0.1], abs=0.03)
    assert (board.draw(10, 1) == board.draw(10, 1)).all()


def test_a_square_that_is_no_longer_in_doubt_leaves_the_others_as_they_were_drawn() -> None:
    board = doubtful()
    alone = DoubtfulBoard.of(
        BOARD, {B: list(zip(board.readings[1][1:], board.probabilities[1][1:], strict=True))}, COLOURS
    )
    assert (alone.draw(500, 3)[:, 0] == board.draw(500, 3)[:, 1]).mean() > 0.99, "but for what the box doesn't hold"


def test_1_2_the_box_holds_what_is_drawn() -> None:
    free = MEEPLE_COUNTS[0] - sum(tile.meeples[0] for tile in BOARD)
    many = parse_tile(other(A, "y" * (BOARD[A].meeples[0] + free)))
    one_more = parse_tile(other(B, "y" * (BOARD[B].meeples[0] + 1)))
    board = DoubtfulBoard.of(BOARD, {A: [(many, 0.5)], B: [(one_more, 0.4)]}, COLOURS)
    picks = board.draw(1000, 0)
    assert not ((picks[:, 0] == 1) & (picks[:, 1] == 1)).any()
    # What is left shares the whole.
    assert (picks[:, 0] == 1).mean() == pytest.approx(0.3 / 0.8, abs=0.06)


def test_a_board_is_laid_as_the_rules_pack_it() -> None:
    camel = COLOURS[0].letter.upper()
    readings = {
        A: [(parse_tile(f"{BOARD[A].kind.code}:w@{camel}"), 0.3)],
        B: [(parse_tile("V5:y#1"), 0.2), (parse_tile("O8:yy^2"), 0.1)],
    }
    board = DoubtfulBoard.of(BOARD, readings, COLOURS)
    root = pack([STATE], [0])
    for picks in product(*(range(len(one)) for one in board.readings)):
        batch = root.select([0])
        board.lay(batch, np.array([picks]), COLOURS)
        there = pack([replace(STATE, position=STATE.position.with_board(board.laid(picks)))], [0])
        for name in ("meeples", "camel", "palms", "palaces", "kind", "tile_vp", "tile_action", "blue_around", "camels"):
            assert (getattr(batch, name) == getattr(there, name)).all(), (name, picks)


def every_board(chances: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Every board, as often as it is likely among a thousand, and its chance."""
    rows, weights = [], []
    for picks in product(*(range(len(one)) for one in chances)):
        rows.append(picks)
        weights.append(np.prod([one[pick] for one, pick in zip(chances, picks, strict=True)]))
    return np.array(rows), np.array(weights)


def test_worths_of_answers_are_those_of_a_count_of_every_board() -> None:
    random = np.random.default_rng(3)
    chances = [[0.5, 0.3, 0.2], [0.6, 0.4]]
    rows, weights = every_board(chances)
    often = np.repeat(np.arange(len(rows)), np.rint(weights * 100).astype(int))
    values = random.normal(size=(4, len(rows)))
    matrix, picks = values[:, often], rows[often]
    for place in range(2):
        knowing = sum(
            max(
                sum(
                    weight * value for row, weight, value in zip(rows, weights, turn, strict=True) if row[place] == pick
                )
                for turn in values
            )
            for pick in range(len(chances[place]))
        )
        without = max(float(turn @ weights) for turn in values)
        assert worth_of_knowing(matrix, picks, place) == pytest.approx(knowing - without)
        assert sum(answer.probability for answer in answers(matrix, picks, place)) == pytest.approx(1)
        worst = int((values @ weights).argmin())
        assert worth_of_knowing(matrix, picks, place, worst) == pytest.approx(knowing - float(values[worst] @ weights))
    nearest = promise(matrix, picks)
    best = {answer.best for place in range(2) for answer in answers(matrix, picks, place)}
    assert set(np.flatnonzero(nearest > -1e-9)) == best | {int((values @ weights).argmax())}


def test_nothing_is_worth_knowing_where_one_turn_is_the_best_on_every_board() -> None:
    picks = np.array([[0], [0], [1]])
    matrix = np.array([[3.0, 3.0, 3.0], [2.0, 2.0, 2.9]])
    assert worth_of_knowing(matrix, picks, 0) == 0.0


def test_a_turn_that_is_not_there_is_a_lost_turn() -> None:
    """The first brings 5 more but is there on two boards in four; the second is always there."""
    picks = np.array([[0], [0], [1], [1]])
    legal = np.array([[True, True, False, False], [True] * 4])
    shift = np.zeros((2, 4), dtype=np.float32)
    valuation = Valuation(picks, legal, legal, shift, 20.0, np.ones(2, dtype=bool))
    matrix = valuation.matrix(np.array([15.0, 10.0]))
    assert matrix.tolist() == [[15, 15, -5, -5], [10, 10, 10, 10]]
    assert valuation.probabilities.tolist() == [0.5, 1.0]
    penalties = valuation.penalties(np.array([15.0, 10.0]))
    assert (np.array([15.0, 10.0]) - penalties).tolist() == matrix.mean(axis=1).tolist() == [5.0, 10.0]
    # Knowing it, one would play the first on half of the boards.
    assert worth_of_knowing(matrix, picks, 0) == 2.5
    assert [(one.reading, one.best, one.value) for one in answers(matrix, picks, 0)] == [(0, 0, 15.0), (1, 1, 10.0)]


def test_what_a_turn_brings_more_with_a_reading_is_counted_around_its_mean() -> None:
    picks = np.array([[0], [0], [0], [1]])
    shift = np.array([[0.0, 0.0, 0.0, -8.0]], dtype=np.float32)
    everywhere = np.ones((1, 4), dtype=bool)
    matrix = Valuation(picks, everywhere, everywhere, shift, 20.0, everywhere[:, 0]).matrix(np.array([6.0]))
    assert matrix.tolist() == [[8, 8, 8, 0]] and matrix.mean() == 6.0
