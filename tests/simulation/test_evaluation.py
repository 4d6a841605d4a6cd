"""The leaf evaluation: features, weights that ship, and margins."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np

from companion.simulation.bridge import pack
from companion.simulation.evaluation import (
    FEATURE_ID,
    FEATURES,
    NO_WEIGHTS,
    Weights,
    evaluate,
    features,
    fitted_weights,
    game_left,
    majority_probability,
    margins_of,
    totals,
    weight_table,
)
from companion.simulation.policy import play_on
from tests.rules.tables import BLACK, PINK, at_turn, player
from tests.simulation.starts import set_up

HOLDINGS = {"gold": 20, "viziers": 3, "elders": 5, "fakirs": 4, "goods": {"silk": 2, "fish": 1}, "djinns": ("Utug",)}


def test_the_weights_that_ship_name_every_feature() -> None:
    stored = json.loads(files("companion.simulation").joinpath("weights.json").read_text(encoding="utf-8"))
    assert list(stored) == ["2", "3", "4"]
    for players, one in stored.items():
        assert tuple(one["features"]) == FEATURES
        weights = fitted_weights(int(players))
        assert np.allclose(weights.table.T, list(one["features"].values()))
        policy = one["policy"]
        assert tuple(policy["features"]) == FEATURES
        assert weights.policy_table is not None
        assert np.allclose(weights.policy_table.T, list(policy["features"].values()))
        assert (weights.discount, weights.outbid) == (policy["discount"], policy["outbid"])
        # A gold coin is worth about its point, and nothing is worth more than a game is won by.
        assert np.abs(weights.table).max() < 25
        assert np.abs(weights.policy_table).max() < 25


def test_features_are_what_players_hold() -> None:
    found = features(pack([at_turn(player(PINK, **HOLDINGS))], [0]))[:, :, 0]
    mover = found[:, 1]
    expected = {
        "first set 2": 1,
        "second set 1": 1,
        "fakirs": 3,
        "more fakirs": 1,
        "viziers": 3,
        "elders": 2,
        "more elders": 3,
        "camels": 11,
        "gold": 12,
        "more gold": 8,
        "djinn Utug": 1,
    }
    held = {name: float(mover[number]) for name, number in FEATURE_ID.items() if mover[number]}
    assert {name: held[name] for name in expected} == expected
    assert set(held) <= {*expected, "majorities", "bid place", "bids first"}


def test_worths_are_points_and_weighed_features() -> None:
    batch = pack([set_up(number) for number in range(30)], range(30))
    play_on(batch, fitted_weights(3), rounds=3)
    assert np.array_equal(evaluate(batch, NO_WEIGHTS), totals(batch))
    weights = Weights(weight_table({"elders": [1, 2], "more elders": [1, 2], "camels": [0, -1]}))
    left = game_left(batch)
    expected = totals(batch) + batch.elders * (1 + 2 * left) - batch.camels * left
    assert np.allclose(evaluate(batch, weights), expected, atol=1e-3)


def test_the_share_of_the_game_left_falls_from_one_to_nothing() -> None:
    batch = pack([set_up(number) for number in range(30)], range(30))
    left = game_left(batch)
    assert (left == 1).all()
    for _ in range(4):
        play_on(batch, fitted_weights(3), rounds=1)
        before, left = left, game_left(batch)
        assert (left <= before).all()
    play_on(batch, fitted_weights(3))
    assert (game_left(batch) < 0.3).all()


def test_a_majority_is_surer_the_larger_the_lead_and_the_fewer_viziers_are_left() -> None:
    lead = np.array([-2, 0, 1, 3])
    early, late = (majority_probability(lead, np.full(4, left)) for left in (14, 0))
    assert (np.diff(early) > 0).all()
    assert np.allclose(late, [0, 0.1, 0.9, 1], atol=0.05)
    assert early[3] < late[3] and early[0] > late[0]


def test_margins_are_over_the_best_opponent() -> None:
    points = np.array([[10, 40], [30, 10], [25, 99], [0, 99]], dtype=np.float32)
    margins = margins_of(points, np.array([3, 2], dtype=np.int16))
    assert margins[:3, 0].tolist() == [-20, 5, -5]
    assert margins[:2, 1].tolist() == [30, -30]


def test_who_bids_when_is_told() -> None:
    # Pink bids first in the next round; of pink's and black's markers that wait, none bids before that one.
    state = at_turn(waiting=(BLACK, PINK, BLACK))
    assert features(pack([state], [0]))[FEATURE_ID["bid place"], :2, 0].tolist() == [2, 1]
