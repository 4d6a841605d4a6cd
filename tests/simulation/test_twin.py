"""The flat engine plays as the rules do: state, legal bids, the bag and points after every turn (rules 2 to 11)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.model.actions import Action, Drop, Lift, Paid, Sell, Sow, Sowing, UsePower
from companion.rules.model.components import Tribe
from companion.rules.model.state import Stage
from companion.simulation.layout import NONE
from companion.simulation.turn_actions import actions_to_turns
from companion.simulation.turns import MAX_HAND, POWERS, SALES
from tests.rules.tables import PINK
from tests.simulation.starts import set_up
from tests.simulation.twin import play_numbers

DJINNS = ["Anun-Nak", "Bouraq", "Echidna", "Enki", "Hagis", "Iblis", "Lamia", "Leta", "Sibittis", "Sloar", "Utug"]


@pytest.mark.slow
def test_a_hundred_games_are_the_same_after_every_turn() -> None:
    assert {(len(state.position.players), state.promo) for state in map(set_up, range(100))} == {
        (players, promo) for players in (2, 3, 4) for promo in (False, True)
    }
    seen = play_numbers("game", range(100))
    assert seen["games"] == 100
    assert seen["bid with fakirs"] and seen["sow with Marid about"]


def test_sparse_crowded_and_odd_positions_are_played_on_the_same() -> None:
    seen = play_numbers("odd", range(160)) + play_numbers("game", range(6))
    rare = [*(f"use {djinn}" for djinn in DJINNS), "divert by Hagis", "divert by Lamia", "bid with fakirs"]
    rare += ["sow with Marid about", "deck remade", "djinn deck remade", "ending: no move", "ending: last camel"]
    assert [name for name in rare if not seen[name]] == []


def test_huge_hands_are_sown_the_same() -> None:
    assert play_numbers("heap", range(40))["huge hand"] > 5


def test_a_sowing_is_the_same_whole_and_step_by_step() -> None:
    whole = actions_to_turns([Sow(Sowing(24, (25,), (Tribe.VIZIER,)))], Stage.MOVE, [PINK])
    steps = actions_to_turns([Lift(24), Drop(25, Tribe.VIZIER)], Stage.MOVE, [PINK])
    assert np.array_equal(whole.data, steps.data)
    assert (whole.start[0], whole.length[0], whole.path[0, 0], whole.drops[0, 0]) == (24, 1, 25, Tribe.VIZIER)


def test_a_turn_has_room_for_so_much_and_no_more(subtests: pytest.Subtests) -> None:
    sloar, silk, drop = UsePower(Paid("Sloar", 0, 1)), Sell(("silk",)), Drop(1, Tribe.ELDER)
    most: list[Action] = [*[sloar] * POWERS, Lift(0), *[drop] * MAX_HAND, *[silk] * SALES]
    turn = actions_to_turns(most, Stage.MOVE, [PINK])
    assert (turn.power != NONE).all() and turn.sale.all()
    assert turn.length[0] == MAX_HAND
    assert (turn.path == 1).all() and (turn.drops == Tribe.ELDER).all()
    for more, what in ((sloar, "4 powers"), (silk, "3 sales"), (drop, "24 steps")):
        with subtests.test(msg=what), pytest.raises(ValueError, match=f"room for {what}"):
            actions_to_turns([*most, more], Stage.MOVE, [PINK])
