"""Actions, as refusals of the rules name them: no English is left in another language."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.language.catalogue import translate
from companion.rules.engine.game import apply
from companion.rules.model.actions import Action, KeepDjinn, Lift, Paid, PlaceBid, Sell, TileChoice, UsePower
from companion.rules.model.actions import ActTile as Tile
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import Stage
from tests.language.output import english_left
from tests.rules.tables import BLACK, at_turn, tribe

C3, D3 = parse_square("c3"), parse_square("d3")
HELPER = Paid("Hagis", 1, 1)
ACTIONS: tuple[Action, ...] = (
    PlaceBid(8, 2),
    UsePower(Paid("Utug", 1), C3, HELPER, D3),
    KeepDjinn("Utug"),
    tribe(1, Victim(Tribe.VIZIER, owner=BLACK)),
    tribe(2, Victim(Tribe.ELDER, square=C3), Victim(Tribe.BUILDER, square=D3), HELPER),
    Tile(TileChoice(cards=(0, 2))),
    Sell(("ivory", "papyrus")),
)


def test_actions_are_named_in_every_language() -> None:
    for name in map(str, ACTIONS):
        assert english_left(translate(name, "qps"), "qps") == []
        assert translate(pickle.loads(pickle.dumps(name)), "qps") == translate(name, "qps")


def test_actions_at_the_wrong_stage_are_refused_in_every_language() -> None:
    for stage in Stage:
        action = Lift(C3) if stage is Stage.BID else PlaceBid(8, 2)
        with pytest.raises(IllegalMoveError) as refused:
            apply(replace(at_turn(), stage=stage), action)
        message = str(refused.value)
        assert str(action) in message and "(rules " in message
        assert english_left(translate(message, "qps"), "qps") == []
