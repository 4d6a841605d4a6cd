"""Actions with a part that means nothing are refused, so that no record can hold one (rules 2.3, 6.5, 11.2, 11.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply
from companion.rules.model.actions import Action, Lift, Paid, UsePower
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage, Taken
from tests.rules.tables import PINK, at_turn, player, tile_action, tribe

OWNER = player(PINK, djinns=("Utug", "Enki", "Lamia", "Hagis", "Iblis", "Sloar"), elders=5, fakirs=5)
HAGIS = Paid("Hagis", 1, 0)


def at(stage: Stage, end: str = "M6") -> GameState:
    """Pink's turn in a stage, with an assassin in hand on c3, a tile of that kind."""
    state = at_turn(OWNER, stage=stage, c3=end, d3="O8:y")
    return replace(state, progress=replace(state.progress, taken=Taken(14, Tribe.ASSASSIN, 1)))


def refused(state: GameState, action: Action, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        apply(state, action)


def test_a_tile_action_with_idle_parts() -> None:
    refused(at(Stage.TILE, "S6"), tile_action(with_fakir=True), r"rules 6\.5")
    refused(at(Stage.TILE, "V5"), tile_action(onto=13), r"a power that diverts.*rules 11\.2")
    refused(at(Stage.TILE, "V5"), tile_action(helper=HAGIS), r"go together \(rules 11\.5")
    refused(at(Stage.TILE, "M6"), tile_action(helper=HAGIS, onto=13), r"no power to use on c3 \(rules 11\.5")


def test_2_3_a_square_beside_the_board() -> None:
    for square in (-1, 30):
        beside = Victim(Tribe.ASSASSIN, square=square)
        for stage, action in (
            (Stage.MOVE, Lift(square)),
            (Stage.MOVE, UsePower(Paid("Utug", 2, 0), square)),
            (Stage.MOVE, UsePower(Paid("Enki", 1, 0), 15, Paid("Lamia", 1, 0), square)),
            (Stage.TRIBE, tribe(0, beside)),
            (Stage.TRIBE, tribe(0, Victim(Tribe.VIZIER, square=15), beside, Paid("Iblis", 1, 0))),
            (Stage.TILE, tile_action(helper=HAGIS, onto=square)),
        ):
            refused(at(stage, "V5"), action, r"not on the board.*rules 2\.3")


def test_11_5_nothing_is_diverted_by_a_power_that_places_nothing() -> None:
    refused(at(Stage.MOVE), UsePower(Paid("Utug", 2, 0), 15, HAGIS, 7), r"places nothing .*rules 11\.5")
    refused(at(Stage.MOVE), UsePower(Paid("Sloar", 0, 1), None, HAGIS, 7), r"places nothing .*rules 11\.5")
    refused(at(Stage.MOVE), UsePower(Paid("Enki", 1, 0), 15, Paid("Lamia", 1, 0)), r"needs a tile.*rules 11\.5")
