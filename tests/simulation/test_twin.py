"""The flat engine plays as the rules do: state, legal bids, the bag and points after every action (rules 2 to 11)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.simulation.starts import set_up
from tests.simulation.twin import play_numbers

POWERS = ["Anun-Nak", "Bouraq", "Echidna", "Enki", "Hagis", "Iblis", "Lamia", "Leta", "Sibittis", "Sloar", "Utug"]


@pytest.mark.slow
def test_a_hundred_games_are_the_same_after_every_action() -> None:
    assert {(len(state.position.players), state.promo) for state in map(set_up, range(100))} == {
        (players, promo) for players in (2, 3, 4) for promo in (False, True)
    }
    seen = play_numbers("game", range(100))
    assert seen["games"] == 100
    assert seen["bid with fakirs"]
    assert seen["whole turn"] > 500
    assert seen["sow with Marid about"]


def test_sparse_crowded_and_odd_positions_are_played_on_the_same() -> None:
    seen: Counter[str] = play_numbers("odd", range(150))
    rare = [*(f"use {djinn}" for djinn in POWERS), "divert by Hagis", "divert by Lamia", "bid with fakirs"]
    rare += ["sow with Marid about", "deck remade", "djinn deck remade", "ending: no move", "ending: last camel"]
    assert [name for name in rare if not seen[name]] == []


def test_huge_hands_are_sown_the_same() -> None:
    seen = play_numbers("heap", range(40))
    assert seen["huge hand"] > 10


def test_hands_beyond_the_room_of_a_turn_are_sown_the_same() -> None:
    assert play_numbers("heap", (109, 118, 203, 247, 348))["hand beyond a turn's room"]
