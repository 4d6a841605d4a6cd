"""The search over the boards that a photo may show, beside a count of every board and beside the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.advice import PHOTO_PLAYOUTS, AdvisedTurn, Budget, TurnAdvice
from companion.advisor.search import boards, turn_search
from companion.advisor.search.advise import advise
from companion.advisor.search.boards import DoubtfulBoard, Valuation, answers, fits, outcome, promise, worth_of_knowing
from companion.advisor.search.halving import Comparison, Rank
from companion.advisor.search.ideas import by_turns
from companion.advisor.search.lanes import Setting, Ways, play_round
from companion.notation.files import parse_position
from companion.notation.tokens import parse_tile
from companion.rules.model.actions import Action, Sow
from companion.rules.model.board import SQUARE_NAMES, Tile
from companion.rules.model.components import MEEPLE_COUNTS, Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
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


PROJECT = Path(__file__).resolve().parents[3]
QUICK = Budget(playouts=600)


def with_tile(square: int, tile: Tile) -> GameState:
    board = (*BOARD[:square], tile, *BOARD[square + 1 :])
    return replace(STATE, position=STATE.position.with_board(board))


@cache
def sure() -> TurnAdvice:
    """Advice on the board as it was read."""
    return advise(STATE, budget=QUICK)


def best() -> tuple[tuple[Action, ...], int]:
    """The best turn of the likeliest board from where most good ones begin, and where that is."""
    turns = [(turn.actions, turn.sowing.start) for turn in sure().turns if turn.sowing is not None]
    start = Counter(start for _, start in turns).most_common(1)[0][0]
    return next(actions for actions, begun in turns if begun == start), start


def one_less(tile: Tile) -> Tile:
    """The tile without its first meeple."""
    kind = next(number for number, count in enumerate(tile.meeples) if count)
    meeples = [count - (number == kind) for number, count in enumerate(tile.meeples)]
    return replace(tile, meeples=tuple(meeples))


def test_what_fits_is_what_the_rules_allow() -> None:
    """On some hundred turns and tiles; a shorter reach of assassins alone is left to the rules."""
    root = pack([STATE], [0])
    turns = whole_turns(root)
    chosen = list(range(0, len(turns), max(1, len(turns) // 60)))
    turns = turns.select(chosen)
    actions = [turns_to_actions(root, turns, number, STATE)[0] for number in range(len(turns))]
    compared = wrong = 0
    for square in range(0, 30, 4):
        if not sum(BOARD[square].meeples):
            continue
        tile = one_less(BOARD[square])
        told = fits(turns, square, tile.meeples)
        allowed = np.array([outcome(with_tile(square, tile), one) is not None for one in actions])
        assert not (allowed & ~told).any(), "no turn is given up that the rules allow"
        wrong += int((told & ~allowed).sum())
        compared += len(turns)
    assert compared > 200 and wrong <= 0.03 * compared


def test_without_doubts_that_matter_the_board_is_taken_as_read() -> None:
    rare = {5: [(one_less(BOARD[5]), 0.01)]}
    advice = advise(STATE, budget=QUICK, alternatives=rare)
    assert advice == sure()
    assert advice.decides == () and all(turn.holds is None for turn in advice.turns)


def test_a_tile_that_decides_is_named_with_what_to_play_then() -> None:
    actions, start = best()
    tile = one_less(BOARD[start])
    advice = advise(STATE, budget=QUICK, alternatives={start: [(tile, 0.45)]})
    (deciding,) = advice.decides
    assert deciding.square == start and deciding.worth > 0.1
    assert [reading.tile for reading in deciding.readings] == [BOARD[start], tile]
    assert sum(reading.chance for reading in deciding.readings) == 1
    read, other = deciding.readings
    assert read.is_first != other.is_first or advice.turns[0].holds == 1
    assert all(reading.aim for reading in deciding.readings)
    turns = {turn.actions: turn for turn in advice.turns}
    if actions in turns:
        holds = turns[actions].holds
        assert holds is not None and abs(holds - 0.55) < 0.05


def test_a_turn_that_may_not_be_there_is_passed_over_for_one_that_surely_is() -> None:
    _, start = best()
    alone = sure()
    advice = advise(STATE, budget=QUICK, alternatives={start: [(one_less(BOARD[start]), 0.45)]})
    first = advice.turns[0]
    assert first.holds is not None
    others = [turn for turn in alone.turns if turn.sowing is not None and turn.sowing.start != start]
    if others and alone.turns[0].estimate.value - others[0].estimate.value < 5:
        assert first.sowing is not None and first.sowing.start != start and first.holds == 1
    for turn in advice.turns:
        told = outcome(STATE, turn.actions)
        assert told is not None, "every turn that is shown can be played on the board as it was read"
        there = outcome(with_tile(start, one_less(BOARD[start])), turn.actions)
        assert (turn.holds == 1) == (there == told)


def test_a_turn_of_the_other_reading_is_found() -> None:
    """A tile full of meeples that the photo may hide opens turns that the board as read has not."""
    empty = next(square for square in range(30) if not sum(BOARD[square].meeples))
    tile = parse_tile(f"{BOARD[empty].kind.code}:wwyb")
    advice = advise(STATE, budget=QUICK, alternatives={empty: [(tile, 0.4)]})
    for turn in advice.turns:
        assert next(one for one in turn.actions if isinstance(one, Sow)).sowing.start != empty
        assert outcome(STATE, turn.actions) is not None


def test_a_square_that_a_turn_does_not_touch_changes_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are asked only about squares that a turn touches; asked about all, the advice is the same."""
    doubts = {square: [(one_less(BOARD[square]), 0.2)] for square in range(30) if sum(BOARD[square].meeples) > 1}
    advice = advise(STATE, budget=QUICK, alternatives=doubts)
    monkeypatch.setattr(turn_search, "squares_of", lambda turns: np.ones((len(turns), 30), dtype=np.bool_))
    assert advise(STATE, budget=QUICK, alternatives=doubts) == advice


MID = parse_position((PROJECT / "samples/mid.toml").read_text(encoding="utf-8")).board
MID_DOUBTS = {
    6: [("O8:ggr^4", 0.088), ("O8:gr^2", 0.056), ("O8:gggr^2", 0.043), ("O8:ggr^3", 0.033), ("O8:wggr^2", 0.029)],
    8: [("V5:y#2", 0.023)],
    10: [("S6:yyywgrr@K", 0.075), ("M4:yyywgrrr@K", 0.069), ("M4:yyywwgrr@K", 0.027), ("M4:yyyywgrr@K", 0.023)],
    18: [("O8:ywbbgg@K", 0.037), ("M4:ywbbbgg@K", 0.021)],
    19: [("O8:wwwwbr", 0.188)],
    21: [("V5:bbggr@B", 0.026)],
    25: [("O8:wwwbgr@O", 0.075), ("M6:wwwbgrr@O", 0.02)],
}
"""What a reading of samples/mid.jpg leaves in doubt."""
PHOTO = Budget(PHOTO_PLAYOUTS)


def thought_of_mid(seed: int, *confirmed: int) -> TurnAdvice:
    doubts = {
        square: [(parse_tile(tile), chance) for tile, chance in others]
        for square, others in MID_DOUBTS.items()
        if square not in confirmed
    }
    return advise(Position(MID), player=Colour.BLUE, budget=PHOTO, seed=seed, alternatives=doubts)


def end_of(turn: AdvisedTurn) -> str:
    assert turn.sowing is not None
    return SQUARE_NAMES[turn.sowing.path[-1]]


def test_the_best_turn_of_a_photo_is_found_by_whatever_luck() -> None:
    """It was lost where a few noisy worlds chose its ways; what ends on e5 is 3 to 5 points better than the rest."""
    advice = thought_of_mid(3)
    assert end_of(advice.turns[0]) == "e5"
    others = [turn for turn in advice.turns if end_of(turn) != "e5"]
    assert others and all(turn.behind.value > 0 for turn in others)
    assert SQUARE_NAMES[advice.worth_a_look[0].square] == "e2", "where it begins is worth a look"


def test_a_tile_that_is_confirmed_does_not_turn_the_advice_over() -> None:
    assert end_of(thought_of_mid(3, 10, 25).turns[0]) == "e5"


def test_what_is_best_on_average_goes_on_being_compared_however_much_is_best_with_one_reading() -> None:
    average, promise = np.array([-3.0, 5.0, -1.0, 2.0, -np.inf]), np.array([0.0, 0.0, -0.1, -9.0, 0.0])
    ranks = by_turns(average, promise)
    assert ranks.argmax() == 1
    assert {0, 4} & set(np.argsort(-ranks)[:4].tolist()), "and some of what is best with one reading"
    assert set(np.argsort(-ranks)[:3].tolist()) >= {1, 3, 2}


def test_what_was_dropped_keeps_nothing_from_being_the_best_with_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that was good in few worlds, and dropped, made light of those that were best with the same reading."""
    others: list[np.ndarray] = []
    left: list[np.ndarray] = []
    ranked = Valuation.rank

    def noting(first: np.ndarray, other: np.ndarray) -> np.ndarray:
        if len(others) < len(left):
            others.append(other)
        return by_turns(first, other)

    def with_luck(rank: Rank, turns: int) -> None:
        samples = np.random.default_rng(0).normal(10.0, 1.0, (turns, 4)).astype(np.float32)
        samples[::2] += 100
        samples[::2, 2:] = np.nan
        left.append(np.arange(turns) % 2 == 1)
        rank(Comparison(samples))

    def narrowing(setting: Setting, ways: Ways, *bounds: int, rank: Rank | None = None) -> Comparison:
        if rank is not None:
            with_luck(rank, len(ways))
        return play_round(setting, ways, *bounds, rank=rank)

    def ranking(valuation: Valuation, sofar: Comparison) -> np.ndarray:
        if len(left) == 1:
            with_luck(partial(ranked, valuation), len(valuation.there))
        return ranked(valuation, sofar)

    _, start = best()
    for module in (boards, turn_search):
        monkeypatch.setattr(module, "by_turns", noting)
    monkeypatch.setattr(turn_search, "play_round", narrowing)
    monkeypatch.setattr(Valuation, "rank", ranking)
    advise(STATE, budget=QUICK, alternatives={start: [(one_less(BOARD[start]), 0.45)]})
    assert len(others) == 2, "when ways are narrowed down, and when turns are compared to the end"
    assert all(other[stays].max() == 0 for other, stays in zip(others, left, strict=True))
