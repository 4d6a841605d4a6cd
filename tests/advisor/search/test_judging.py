"""The search as a judge of games: margins by playing on, and whole reviews with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.account import RecordedTurn, recorded_decisions
from companion.advisor.search import review
from companion.advisor.search.review import SearchJudge, expected_margins, review_game
from companion.notation.records.replay import Replayed, replay
from companion.opening.text import open_record
from companion.rules.model.state import Stage
from tests.advisor.recorded_turns import replayed
from tests.advisor.scripted_judge import points_ahead
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLE = Path(__file__).resolve().parents[3] / str(THREE_ROUNDS)


def test_a_game_that_is_over_is_counted() -> None:
    end = replayed(3, 5).state
    (samples,) = expected_margins([end], 3, 0)
    assert samples[:, 0].tolist() == points_ahead(end) and (samples == samples[:, :1]).all()


def test_a_state_has_the_same_samples_whatever_it_is_valued_with(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, _ = recorded_decisions(open_record(SAMPLE))
    states = [one.before for one in decisions[:6]]
    states += [one.closed for one in decisions[:8] if isinstance(one, RecordedTurn)]
    assert {state.stage for state in states} >= {Stage.BID, Stage.MOVE, Stage.CLOSE}
    together = SearchJudge(lanes=5).margins(states)
    monkeypatch.setattr(review, "BATCH_LANES", 10)
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


def _cut(game: Replayed, lines: int) -> Replayed:
    play = [line for line in game.record.lines if line.number > 7]
    return replay(replace(game.record, lines=tuple(play[:lines])))
