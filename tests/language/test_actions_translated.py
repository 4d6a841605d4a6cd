"""Refusals of the rules: the action stands in them as it's typed, and no other English in another language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.language.catalogue import translate
from companion.rules.engine.game import apply
from companion.rules.model.actions import Lift, PlaceBid
from companion.rules.model.state import Stage
from tests.language.output import english_left
from tests.rules.tables import at_turn


def test_actions_at_the_wrong_stage_are_refused_in_every_language() -> None:
    for stage in Stage:
        action = Lift(14) if stage is Stage.BID else PlaceBid(8, 2)
        with pytest.raises(IllegalMoveError) as refused:
            apply(replace(at_turn(), stage=stage), action)
        message = str(refused.value)
        assert str(action) in message and "(rules " in message
        assert english_left(translate(message, "qps"), "qps", [str(action)]) == []
