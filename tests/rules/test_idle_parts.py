"""Actions with a part that means nothing are refused, so that no record can hold one (rules 6.5, 11.2, 11.5)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import ActTile, ActTribe, Lift, Paid, TileChoice, TribeChoice, UsePower
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from tests.rules.random_games import checked_game


def states(stage: Stage, number: int = 5) -> list[GameState]:
    """Some states of that stage, in games of two to four."""
    found = []
    for seed in range(number):
        found += [state for state, _, _ in checked_game(2 + seed % 3, seed) if state.stage is stage][:4]
    return found


@pytest.mark.parametrize(
    "part",
    [
        pytest.param({"with_fakir": True}, id="6.5 a fakir, but no djinn"),
        pytest.param({"onto": 16}, id="11.2 a tile to put it on, but no power"),
        pytest.param({"helper": Paid("Hagis", 1, 0)}, id="11.2 a power, but no tile to put it on"),
    ],
)
def test_tile_action(part: dict[Any, Any]) -> None:
    for state in states(Stage.TILE):
        with pytest.raises(IllegalMoveError, match=r"rules (6\.5|11)"):
            apply(state, ActTile(TileChoice(**part)))


@pytest.mark.parametrize("square", [-1, 30])
def test_2_3_a_square_beside_the_board(square: int) -> None:
    victim = Victim(Tribe.ASSASSIN, square=square)
    for stage, action in (
        (Stage.MOVE, Lift(square)),
        (Stage.MOVE, UsePower(Paid("Utug", 2, 0), square)),
        (Stage.MOVE, UsePower(Paid("Enki", 1, 0), 0, Paid("Lamia", 1, 0), square)),
        (Stage.TRIBE, ActTribe(TribeChoice(victim=victim))),
        (Stage.TRIBE, ActTribe(TribeChoice(0, Victim(Tribe.ASSASSIN, square=0), victim, Paid("Iblis", 1, 0)))),
        (Stage.TILE, ActTile(TileChoice(helper=Paid("Hagis", 1, 0), onto=square))),
    ):
        for state in states(stage, 3):
            with pytest.raises(IllegalMoveError, match=r"not on the board.*rules 2\.3"):
                apply(state, action)


def test_11_5_nothing_is_diverted_by_a_power_that_places_nothing() -> None:
    seen: set[str] = set()
    for seed in range(40):
        for state, _, _ in checked_game(2 + seed % 3, seed):
            for action in legal_actions(state):
                if isinstance(action, UsePower) and action.paid.djinn not in {"Bouraq", "Enki", *seen}:
                    seen.add(action.paid.djinn)
                    idle = UsePower(action.paid, action.square, Paid("Hagis", 0, 0), 7)
                    with pytest.raises(IllegalMoveError, match=r"places nothing .*rules 11\.5"):
                        apply(state, idle)
    assert len(seen) >= 3
