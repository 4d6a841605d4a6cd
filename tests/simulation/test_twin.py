"""The flat engine plays as the rules do: state, legal bids, the bag and points after every turn (rules 2 to 11)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.model.actions import Drop, Lift, Sow, Sowing
from companion.rules.model.components import Tribe
from companion.rules.model.state import Stage
from tests.rules.tables import PINK
from tests.simulation.starts import set_up
from tests.simulation.twin import actions_to_turns, play_numbers

DJINNS = ["Anun-Nak", "Bouraq", "Echidna", "Enki", "Hagis", "Iblis", "Lamia", "Leta", "Sibittis", "Sloar", "Utug"]


@pytest.mark.slow
def test_a_hundred_games_are_the_same_after_every_turn() -> None:
    assert {(len(state.position.players), state.promo) for state in map(set_up, range(100))} == {
        (players, promo) for players in (2, 3, 4) for promo in (False, True)
    }
    seen = play_numbers("game", range(100))
    assert seen["games"] == 100
    assert seen["bid with fakirs"] and seen["sow with Marid about"]
    assert play_numbers("odd", range(160))["games"] == 160 and play_numbers("heap", range(40))["huge hand"] > 10


def test_sparse_crowded_and_odd_positions_are_played_on_the_same() -> None:
    # Lamia's power is used in the last.
    seen = play_numbers("odd", [*range(60), 129]) + play_numbers("game", range(6))
    rare = [*(f"use {djinn}" for djinn in DJINNS), "divert by Hagis", "divert by Lamia", "bid with fakirs"]
    rare += ["sow with Marid about", "deck remade", "djinn deck remade", "ending: no move", "ending: last camel"]
    assert [name for name in rare if not seen[name]] == []


def test_huge_hands_are_sown_the_same() -> None:
    assert play_numbers("heap", range(20))["huge hand"] > 5


def test_a_sowing_is_the_same_whole_and_step_by_step() -> None:
    whole = actions_to_turns([Sow(Sowing(24, (25,), (Tribe.VIZIER,)))], Stage.MOVE, [PINK])
    steps = actions_to_turns([Lift(24), Drop(25, Tribe.VIZIER)], Stage.MOVE, [PINK])
    assert np.array_equal(whole.data, steps.data)
    assert (whole.start[0], whole.length[0], whole.path[0, 0], whole.drops[0, 0]) == (24, 1, 25, Tribe.VIZIER)
