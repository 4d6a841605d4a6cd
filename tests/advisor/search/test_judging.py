"""The search as a judge of games: margins by playing on, and whole reviews with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.account import RecordedTurn, recorded_decisions
from companion.advisor.search import review
from companion.advisor.search.review import SearchJudge, expected_margins, review_game
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_record, parse_record
from companion.notation.records.recording import recorded
from companion.notation.records.replay import Replayed, replay
from companion.opening.text import open_record
from companion.rules.engine.game import step
from companion.rules.engine.scoring import player_points
from companion.rules.engine.setup import random_setup, start_game
from companion.rules.model.actions import Action, PlaceBid
from companion.rules.model.state import Stage
from tests.advisor.recorded_turns import replayed
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLE = Path(__file__).resolve().parents[3] / str(THREE_ROUNDS)


def test_a_game_that_is_over_is_counted(subtests: pytest.Subtests) -> None:
    for players, seed in [(3, 5)]:
        with subtests.test(msg=str((players, seed))):
            end = replayed(players, seed).state
            points = [player_points(end.position, player.colour) for player in end.position.players]
            (samples,) = expected_margins([end], 3, 0)
            for seat, own in enumerate(points):
                assert np.all(samples[seat] == own - max(points[:seat] + points[seat + 1 :]))


def test_a_state_has_the_same_samples_whatever_it_is_valued_with(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, _ = recorded_decisions(open_record(SAMPLE))
    states = [one.before for one in decisions[:6]]
    states += [one.closed for one in decisions[:8] if isinstance(one, RecordedTurn)]
    assert {state.stage for state in states} >= {Stage.BID, Stage.MOVE, Stage.CLOSE}
    together = SearchJudge(lanes=5).margins(states)
    monkeypatch.setattr(review, "LANES_AT_ONCE", 10)
    apart = SearchJudge(lanes=5).margins(states)
    for one, other in zip(together, apart, strict=True):
        assert one.shape == (2, 5)
        assert np.array_equal(one, other)
    assert not np.array_equal(together[0], SearchJudge(seed=1, lanes=5).margins(states[:1])[0])


def test_a_round_is_looked_back_on_by_the_search() -> None:
    cut = _cut(open_record(SAMPLE), 6)
    review = review_game(cut, SearchJudge(100, 1, lanes=24), seed=1, playouts=100)
    assert len(review.turns) == len(review.bids) == 4
    assert (review.lanes, review.playouts) == (24, 100)
    for one in review.turns:
        assert one.best_text.startswith(f"{one.colour}: ")
    assert len(review.draws) == 1
    assert len(review.decisive) == 3
    assert sum(one.loss.value for one in review.turns) > 0, "the players of the sample are no masters"
    for player in review.players:
        assert player.margin.error is not None, "the game goes on"


def test_the_same_seed_gives_the_same_review() -> None:
    cut = _cut(open_record(SAMPLE), 2)
    one, other = (review_game(cut, SearchJudge(100, 1, lanes=8), seed=1) for _ in range(2))
    assert one == other
    assert review_game(cut, SearchJudge(100, 2, lanes=8), seed=2) != one


def _cut(game: Replayed, lines: int) -> Replayed:
    play = [line for line in game.record.lines if line.number > 7]
    return replay(replace(game.record, lines=tuple(play[:lines])))


def _bids(*prices: int) -> Replayed:
    """A game of three that has got as far as its first bids."""
    position = random_setup(3, 11)
    record, state = Record(new_header(position, {})), start_game(position)
    for price in prices:
        action: Action = PlaceBid(price)
        done = step(state, action)
        record, state = recorded(record, state, action, done), done.state
    return replay(parse_record(format_record(record)))


def test_eighteen_gold_for_the_first_move_is_far_too_much() -> None:
    review = review_game(_bids(0, 0, 18), SearchJudge(200, 0, lanes=64))
    last = review.bids[-1]
    assert last.mark == "??"
    assert last.best_text.split()[-1] in ("0", "1", "3")
