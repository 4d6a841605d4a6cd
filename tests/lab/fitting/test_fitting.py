"""Weights from games: the regression, policy iteration, and the file that it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.fitting import evolving, iterating
from companion.lab.fitting.evolving import NUMBERS, evolve, moved, pool_for
from companion.lab.fitting.iterating import GamesPart, SelfPlay, challenge, check, games_of, margins_against, refit
from companion.lab.fitting.regression import explained, fit, moments_of, prior_weights, tolerances
from companion.lab.fitting.selfplay import RolloutSearch, RoundExamples, deal, final_margins, play_match
from companion.lab.fitting.weights_file import write_evaluation, write_policy
from companion.rules.model.state import Stage
from companion.simulation.evaluation import FEATURE_ID, FEATURES, NO_WEIGHTS, Weights, fitted_weights, weight_table
from companion.simulation.layout import SEATS, STAGE_ID, Batch
from companion.simulation.policy import play_bids

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


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generations of so few that they are soon played."""
    pytest.importorskip("cma")
    monkeypatch.setattr(evolving, "POPULATION", 4)


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


def test_a_part_of_the_examples_has_those_rows_alone() -> None:
    found = made_up(50, 1, (1, 2))
    late = found.part(found.left < 0.5)
    assert 0 < len(late.left) < 50
    assert (late.left < 0.5).all()
    assert late.features.shape == (len(late.left), len(FEATURES))
    assert moments_of([late]).count == len(late.final) == len(late.points)


def test_without_examples_nothing_is_fitted() -> None:
    with pytest.raises(ValueError, match="no examples"):
        moments_of([])


def test_fitted_weights_foretell_games_and_win_them() -> None:
    weights = fitted_weights(3)
    assert explained(moments_of(games_of(weights, 3, 60, 680_000, SelfPlay(1.0))), weights) > 0.1
    result = challenge(weights, [NO_WEIGHTS], 3, 90, 690_000)
    assert result.games == 90
    assert result.won > 0.5
    assert result.margin > 2 * result.error
    assert "% of 90, margin +" in str(result)


def test_players_alike_win_their_share() -> None:
    assert 0.2 < challenge(NO_WEIGHTS, [NO_WEIGHTS], 3, 120, 691_000).won < 0.47


def test_weights_are_written_beside_those_of_other_games(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_evaluation(path, 4, replace(prior_weights(), discount=0.876), "by hand")
    write_evaluation(path, 2, Weights(weight_table({"camels": [-0.004, 1.239]})), "by hand too")
    write_policy(path, 2, Weights(weight_table({}), outbid=0.5, policy_table=weight_table({"gold": [2, 1]})), "evolved")
    write_evaluation(path, 2, Weights(weight_table({"camels": [0, 3]})), "again")
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert list(stored) == ["2", "4"]
    assert stored["4"]["made"] == stored["4"]["policy"]["made"] == "by hand"
    assert stored["4"]["policy"]["discount"] == 0.88
    assert stored["4"]["policy"]["features"] == stored["4"]["features"]
    assert stored["2"]["made"] == "again"
    assert stored["2"]["features"]["camels"] == [0, 3]
    policy = stored["2"]["policy"]
    assert (policy["made"], policy["outbid"]) == ("evolved", 0.5)
    assert (policy["features"]["gold"], policy["features"]["camels"]) == ([2, 1], [0, 0])
    assert '\n   "camels": [0.0, 3.0],\n' in path.read_text(encoding="utf-8")


def test_steps_move_the_policy_alone() -> None:
    base = fitted_weights(3)
    assert base.policy_table is not None
    still = moved(base, np.zeros(NUMBERS))
    assert still.policy_table is not None
    assert np.allclose(still.policy_table, base.policy_table)
    other = moved(base, np.ones(NUMBERS))
    assert np.array_equal(other.table, base.table)
    assert other.policy_table is not None
    djinns = FEATURE_ID["djinn Utug"]
    assert np.allclose(other.policy_table[:, djinns], base.policy_table[:, djinns] * 1.15)
    assert other.policy_table[1, ELDERS] == pytest.approx(base.policy_table[1, ELDERS] + 0.35 * tolerances()[1, ELDERS])
    assert (other.discount, other.outbid) == pytest.approx((base.discount + 0.1, base.outbid + 0.15))


def test_whoever_is_tried_meets_the_same_others_from_the_whole_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(iterating, "play_match", lambda batch, contenders, seats: seen.append((contenders, seats)))
    pool = pool_for(fitted_weights(3))
    for one in (NO_WEIGHTS, fitted_weights(3)):
        margins_against(one, pool, 3, GamesPart(seed=5, games=60))
    (first, seats), (second, again) = seen
    assert (first[0], second[0]) == (NO_WEIGHTS, fitted_weights(3))
    assert first[1:] == second[1:] == pool
    assert np.array_equal(seats, again)
    assert (seats[np.arange(60) % 3, np.arange(60)] == 0).all()
    assert np.array_equal((seats[:3] == 0).sum(axis=0), np.ones(60))
    assert set(np.unique(seats[:3])) == set(range(len(pool) + 1))


@pytest.mark.usefixtures("few_draws")
def test_evolution_is_the_same_from_its_seed() -> None:
    said: list[str] = []
    found = [
        evolve(fitted_weights(2), 2, games=2, seed=3, generations=2, checks=2, say=said.append).policy_table
        for _ in range(2)
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert np.array_equal(found[0], found[1])
    assert said[0] == said[1]
    assert said[0].startswith("2 players, generation 2: ")


def test_rollouts_win_against_the_policy_that_they_play_on_with() -> None:
    weights = fitted_weights(2)
    games = 40
    lanes = np.arange(games)
    batch = deal(2, games, 695_000)
    seats = np.ones((SEATS, games), dtype=np.int16)
    seats[lanes % 2, lanes] = 0
    play_match(batch, [weights, weights], seats, search=RolloutSearch(8, 4))
    margins = final_margins(batch)[lanes % 2, lanes]
    assert (margins > 0).mean() > 0.7


def let_everybody_bid(batch: Batch, weights: Weights) -> None:
    """Let everybody bid, so that all lanes stand at the beginning of a turn."""
    while (bidding := np.flatnonzero(batch.stage == STAGE_ID[Stage.BID])).size:
        part = batch.select(bidding)
        play_bids(part, weights)
        batch.data[:, bidding] = part.data


def test_rollouts_do_not_know_the_decks() -> None:
    weights = fitted_weights(3)
    batch = deal(3, 6, 696_000)
    let_everybody_bid(batch, weights)
    before = batch.data.copy()
    chosen = RolloutSearch(4, 2).choose(batch, weights, 1)
    assert np.array_equal(batch.data, before)
    for lane in range(len(batch)):
        left = slice(int(batch.deck_next[lane]), int(batch.deck_size[lane]))
        batch.deck[left, lane] = batch.deck[left, lane][::-1].copy()
    assert np.array_equal(RolloutSearch(4, 2).choose(batch, weights, 1).data, chosen.data)


def test_games_of_searching_players_move_the_evaluation_alone() -> None:
    before = fitted_weights(2)
    search = RolloutSearch(3, 2)
    after = refit(before, 2, games=8, seed=9, search=search)
    assert not np.array_equal(after.table, before.table)
    assert after.policy_table is before.policy_table
    assert (after.discount, after.outbid) == (before.discount, before.outbid)
    assert check(after, 2, SelfPlay(search=search), 4) < 1


@pytest.mark.usefixtures("few_draws")
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
    again = ["--players", "2", "--games", "6", "--seed", "5", "--checks", "6"]
    assert main(["evolve", str(path), *again, "--generations", "1"]) == 0
    assert main(["refit", str(path), *again, "--candidates", "2", "--worlds", "1"]) == 0
    assert "explained in games of searching players held out, after: " in capsys.readouterr().err
    stored = json.loads(path.read_text(encoding="utf-8"))["2"]
    assert stored["policy"]["made"] == ("python -m companion.lab evolve --players 2 --games 6 --seed 5 --generations 1")
    assert stored["made"] == ("python -m companion.lab refit --players 2 --games 6 --seed 5 --candidates 2 --worlds 1")


@pytest.mark.usefixtures("few_draws")
def test_a_policy_can_be_evolved_into_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    few = ["--players", "2", "--games", "6", "--seed", "5", "--checks", "6"]
    assert main(["evolve", str(path), *few, "--generations", "1"]) == 0
    stored = json.loads(path.read_text(encoding="utf-8"))["2"]
    assert tuple(stored["features"]) == tuple(stored["policy"]["features"]) == FEATURES


def test_what_a_file_holds_is_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "weights.json"
    few = ["--players", "2", "--games", "6", "--seed", "5", "--checks", "6"]
    begun: list[Weights] = []

    def noted(before: Weights, *_: object, **__: object) -> Weights:
        begun.append(before)
        return before

    monkeypatch.setattr(evolving, "evolve", noted)
    monkeypatch.setattr(iterating, "refit", noted)
    for command in (["evolve", str(path), *few], ["refit", str(path), *few, "--candidates", "2", "--worlds", "1"]):
        path.unlink(missing_ok=True)
        assert main(command) == 0
        assert np.array_equal(begun[-1].table, fitted_weights(2).table)
        write_evaluation(path, 2, Weights(weight_table({"camels": [1, 2]})), "by hand")
        write_policy(path, 2, Weights(weight_table({}), outbid=0.5, policy_table=weight_table({"gold": [2, 1]})), "too")
        assert main(command) == 0
        assert np.array_equal(begun[-1].table, weight_table({"camels": [1, 2]}))
        assert np.array_equal(begun[-1].policy, weight_table({"gold": [2, 1]}))
        assert begun[-1].outbid == 0.5


@pytest.mark.parametrize("text", ["[]", "no JSON", '{"2": {}}', '{"2": {"features": {"camel": [1, 2]}, "policy": {}}}'])
def test_files_without_weights_are_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    for command in ("refit", "evolve"):
        assert main([command, str(path), "--players", "2"]) == 4
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
