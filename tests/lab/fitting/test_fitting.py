"""Weights from games: the regression, policy iteration, and the file that it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.arena.workers import RunAll, in_this_process
from companion.lab.fitting import iterating
from companion.lab.fitting.iterating import challenge, games_of, iterate
from companion.lab.fitting.regression import explained, fit, moments_of, prior_weights, tolerances
from companion.lab.fitting.selfplay import RoundExamples
from companion.lab.fitting.weights_file import write_evaluation
from companion.simulation.evaluation import FEATURE_ID, FEATURES, NO_WEIGHTS, Weights, fitted_weights, weight_table
from tests.lab.arena.test_workers import backwards

ELDERS = FEATURE_ID["elders"]


def made_up(count: int, noise: float, truth: tuple[float, float]) -> RoundExamples:
    """Examples in which elders alone bring anything, `truth` at the end and with the game to go."""
    random = np.random.default_rng(3)
    found = np.zeros((count, len(FEATURES)), dtype=np.float32)
    found[:, ELDERS] = random.integers(-2, 3, count)
    left = random.random(count).astype(np.float32)
    rest = found[:, ELDERS] * (truth[0] + truth[1] * left) + noise * random.standard_normal(count)
    points = random.random(count).astype(np.float32)
    return RoundExamples(found, left, points, (points + rest).astype(np.float32))


def test_many_examples_settle_a_weight_and_leave_the_others_as_they_were() -> None:
    prior = prior_weights()
    found = moments_of([made_up(30_000, 3, (0.5, 4))])
    weights = fit(found, prior, tolerances())
    assert np.allclose(weights.table[:, ELDERS], (0.5, 4), atol=0.15)
    others = np.arange(len(FEATURES)) != ELDERS
    assert np.allclose(weights.table[:, others], prior.table[:, others])
    assert explained(found, weights) > explained(found, prior)
    assert explained(found, NO_WEIGHTS) == 0


def test_few_examples_move_a_weight_little() -> None:
    prior = prior_weights()
    few = fit(moments_of([made_up(20, 3, (0.5, 6))]), prior, tolerances())
    assert abs(few.table[1, ELDERS] - prior.table[1, ELDERS]) < 1


def test_moments_of_parts_add_up() -> None:
    one, other = made_up(50, 1, (1, 2)), made_up(70, 1, (2, 1))
    both, apart = moments_of([one, other]), moments_of([one]) + moments_of([other])
    assert both.count == apart.count == 120
    assert np.allclose(both.products, apart.products)
    assert np.allclose((both * 0.5).products * 2, both.products)


def test_without_examples_nothing_is_fitted() -> None:
    with pytest.raises(ValueError, match="no examples"):
        moments_of([])


def test_fitted_weights_foretell_games_and_win_them() -> None:
    weights = fitted_weights(3)
    assert explained(moments_of(games_of(weights, 3, 60, 680_000, 1.0)), weights) > 0.1
    result = challenge(weights, NO_WEIGHTS, 3, 90, 690_000)
    assert result.games == 90
    assert result.won > 0.5
    assert result.margin > 2 * result.error
    assert "% of 90, margin +" in str(result)


def test_players_alike_win_their_share() -> None:
    assert 0.2 < challenge(NO_WEIGHTS, NO_WEIGHTS, 3, 120, 691_000).won < 0.47


def test_weights_are_written_beside_those_of_other_games(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_evaluation(path, 4, replace(prior_weights(), discount=0.876), "by hand")
    policy = Weights(weight_table({"camels": [-0.004, 1.239]}), outbid=0.5, policy_table=weight_table({"gold": [2, 1]}))
    write_evaluation(path, 2, policy, "by hand too")
    write_evaluation(path, 2, Weights(weight_table({"camels": [0, 3]})), "again")
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert list(stored) == ["2", "4"]
    assert stored["4"]["made"] == stored["4"]["policy"]["made"] == "by hand"
    assert stored["4"]["policy"]["discount"] == 0.88
    assert stored["4"]["policy"]["features"] == stored["4"]["features"]
    assert stored["2"]["made"] == "again"
    assert stored["2"]["features"]["camels"] == [0, 3]
    kept = stored["2"]["policy"]
    assert (kept["made"], kept["outbid"]) == ("by hand too", 0.5)
    assert (kept["features"]["gold"], kept["features"]["camels"]) == ([2, 1], [0, 0])
    assert '\n   "camels": [0.0, 3.0],\n' in path.read_text(encoding="utf-8")


def test_the_command_fits_and_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.json"
    arguments = ["--players", "2", "--games", "20", "--seed", "5", "--iterations", "2", "--checks", "20"]
    assert main(["fit", str(path), *arguments]) == 0
    told = capsys.readouterr().err
    assert "2 players, iteration 2: " in told
    assert "explained in games held out: " in told
    stored = json.loads(path.read_text(encoding="utf-8"))["2"]
    assert stored["made"] == ("python -m companion.lab fit --players 2 --games 20 --seed 5 --iterations 2 --noise 1")
    assert tuple(stored["features"]) == tuple(stored["policy"]["features"]) == FEATURES


@pytest.mark.parametrize("text", ["[]", "no JSON", '{"2": {}}', '{"2": {"features": {"camel": [1, 2]}, "policy": {}}}'])
def test_files_without_weights_are_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    assert main(["spread", str(path), "--players", "2"]) == 4
    assert str(path) in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text


def test_games_to_check_on_are_not_fitted_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(tmp_path / "w.json"), "--games", "100", "--seed", "599950", "--iterations", "1"]) == 2
    assert "ask for fewer games" in capsys.readouterr().err


def test_the_weights_that_ship_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["weigh", "--players", "2", "--games", "30"]) == 0
    told = capsys.readouterr().out
    assert "| last | " in told
    assert "one against 1 with guessed weights: won " in told


def test_a_spread_is_fitted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.json"
    for players in (2, 4):
        assert main(["spread", str(path), "--players", str(players), "--games", "60", "--seed", "5"]) == 0
        fitted = json.loads(path.read_text(encoding="utf-8"))[str(players)]["spread"]
        assert abs(fitted - fitted_weights(players).spread) < 5
    assert "4 players: a spread of " in capsys.readouterr().err
    assert main(["spread", str(path), "--games", "100", "--seed", "599950"]) == 2


def test_weights_are_the_same_in_whatever_order_the_games_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts of 8, so that a few games are several parts."""
    monkeypatch.setattr(iterating, "GAMES_IN_BATCH", 8)

    def fitted(run_all: RunAll) -> tuple[bytes, list[str]]:
        said: list[str] = []
        weights = iterate(2, games=24, seed=3, iterations=2, noise=1.0, checks=10, say=said.append, run_all=run_all)
        return weights.table.tobytes(), said

    assert fitted(backwards) == fitted(in_this_process)
