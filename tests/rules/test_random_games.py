"""Whole random games: nothing is lost, nobody is stuck, the end comes when it must (rules 1, 4.8, 9, 11)."""

from __future__ import annotations

from random import Random

import pytest

from companion.errors import CompanionError
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    Paid,
    PlaceBid,
    Sell,
    UsePower,
)
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Tribe
from tests.rules.random_games import checked_game

ILLEGAL: list[Action] = [
    *(PlaceBid(2), PlaceBid(18, fakirs=9), Lift(30), Lift(-1), Drop(99, Tribe.ELDER)),
    *(Sell(()), Sell(("fakir",)), Sell(("silk", "silk")), KeepDjinn("Nobody"), ActTribe(), ActTile(), EndTurn()),
    *(UsePower(Paid("Nobody", 1, 0)), UsePower(Paid("Ba'al", 1, 0)), UsePower(Paid("Leta", 0, 1), square=3)),
]


def test_what_is_listed_can_be_done_and_what_cannot_leaves_the_state_untouched() -> None:
    for players in (2, 3, 4):
        random = Random(players)
        for state, _, _ in checked_game(players, 100):
            if random.random() > 0.1:
                continue
            before = hash(state)
            options = legal_actions(state)
            assert len(set(options)) == len(options)
            for action in options:
                apply(state, action, SampledChance(random))
            for action in ILLEGAL:
                if action not in options:
                    with pytest.raises(CompanionError, match="rules"):
                        apply(state, action, SampledChance(random))
            assert hash(state) == before
            assert legal_actions(state) == options
