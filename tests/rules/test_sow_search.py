"""The search for sowings by what their boards score: every board without a cut, the best with one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from companion.notation.tokens import parse_board
from companion.rules.engine.counting import Meeples, count_boards
from companion.rules.engine.sow_search import Lift, Row, SownBoard, best_sowings, row_of
from companion.rules.engine.sowing import check_sowing
from companion.rules.model.board import Board, with_meeples
from companion.rules.model.components import Tribe

SHARED = Path(__file__).resolve().parents[2] / "../shared/cases/sow_cases.json"
CASES = {case["name"]: case for case in json.loads(SHARED.read_text())["cases"]}
QUICK = [name for name, case in CASES.items() if case["boards"] < 4_000]


class Scores:
    """Scores that are drawn for each tile and contents, as if a photo had spoken for them."""

    def __init__(self, board: Board, seed: int, later: tuple[float, ...] = (0.0,) * len(Tribe)) -> None:
        self.board, self.seed, self.later, self.steps = board, seed, later, 10**9

    def _drawn(self, square: int, meeples: Meeples, end: str) -> float:
        if not end and meeples == self.board[square].meeples:
            return 0.0
        return Random(f"{self.seed} {square} {meeples} {end}").uniform(-8, 2)

    def passed(self, square: int, meeples: Meeples) -> float:
        return self._drawn(square, meeples, "")

    def ended(self, square: int, meeples: Meeples) -> float:
        return self._drawn(square, meeples, "end")

    def limit(self, square: int) -> float:
        return 2.0

    def goes_on(self) -> bool:
        self.steps -= 1
        return self.steps > 0

    def rows(self, squares: Sequence[int], tribes: tuple[bool, ...], times: int, *, ends: bool) -> list[Row]:
        later = self.later if ends else None
        return [row_of(self, square, self.board[square].meeples, tribes, times, later) for square in squares]


def board_of(name: str) -> Board:
    return parse_board("\n".join(CASES[name]["rows"]))


def key(one: SownBoard) -> object:
    return one.start, one.end, one.tribe, one.dropped


def test_every_board_is_found_once_where_nothing_is_cut() -> None:
    assert len(QUICK) > 5
    for board, boards in ((board_of(name), CASES[name]["boards"]) for name in QUICK):
        found = best_sowings(board, Scores(board, 1))
        assert len({key(one) for one in found}) == len(found) == boards == count_boards(board)


def test_a_cut_keeps_all_that_is_near_the_best_and_nothing_else() -> None:
    for name, seed in (("initial-1", 0), ("initial-1", 3), ("mid-hand5-3-turn24-3p", 1), ("mid-hand6-2-turn20-4p", 2)):
        board = board_of(name)
        scores = Scores(board, seed)
        every = best_sowings(board, scores)
        near = best_sowings(board, scores, cut=6.0)
        wanted = [one for one in every if one.score >= every[0].score - 6.0]
        assert {key(one): one.score for one in near} == pytest.approx({key(one): one.score for one in wanted})
        assert near[0].score == max(one.score for one in every)


def test_a_search_that_may_not_go_on_gives_what_it_found() -> None:
    board = board_of("mid-hand6-2-turn20-4p")
    scores = Scores(board, 2)
    scores.steps = 400
    some = best_sowings(board, scores)
    assert 0 < len(some) < CASES["mid-hand6-2-turn20-4p"]["boards"]
    assert {key(one) for one in some} <= {key(one) for one in best_sowings(board, Scores(board, 2))}


def test_a_floor_leaves_out_what_is_no_better() -> None:
    board = board_of("initial-2")
    every = best_sowings(board, Scores(board, 3))
    floor = every[40].score
    assert {key(one) for one in best_sowings(board, Scores(board, 3), floor=floor)} == {
        key(one) for one in every if one.score >= floor
    }


def test_what_the_rest_of_the_turn_may_add_keeps_boards_of_that_tribe() -> None:
    board = board_of("initial-1")
    later = tuple(5.0 if tribe is Tribe.ASSASSIN else 0.0 for tribe in Tribe)
    every = best_sowings(board, Scores(board, 2))
    near = best_sowings(board, Scores(board, 2, later), later=later, cut=4.0)
    reds = {key(one) for one in every if one.tribe is Tribe.ASSASSIN and one.score + 5.0 >= every[0].score - 4.0}
    assert reds <= {key(one) for one in near}


def test_each_has_a_legal_sowing_that_leaves_it() -> None:
    board = board_of("mid-hand6-3-turn20-4p")
    for one in best_sowings(board, Scores(board, 5), cut=9.0):
        sowing = one.sowing
        check_sowing(board, sowing)
        assert (sowing.start, sowing.end, sowing.tribe) == (one.start, one.end, one.tribe)
        left = {square: [0] * len(Tribe) for square, _ in one.dropped}
        for square, tribe in zip(sowing.path, sowing.drops, strict=True):
            left[square][tribe] += 1
        assert {square: tuple(meeples) for square, meeples in left.items()} == dict(one.dropped)


def test_another_hand_than_the_tile_holds_can_be_lifted() -> None:
    board = board_of("initial-1")
    start = next(square for square, tile in enumerate(board) if sum(tile.meeples) == 3)
    hand = (board[start].meeples[0] + 1, *board[start].meeples[1:])
    held = (*board[:start], with_meeples(board[start], hand), *board[start + 1 :])
    found = best_sowings(board, Scores(held, 4), lifts=[Lift(start, hand, -7.0)])
    as_if = best_sowings(held, Scores(held, 4), lifts=[Lift(start, hand)])
    assert {key(one): one.score for one in found} == pytest.approx({key(one): one.score - 7.0 for one in as_if})
