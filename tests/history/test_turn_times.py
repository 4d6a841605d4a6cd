"""How long turns took, as the settings of a game keep it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.history.turn_times import TURN_TIMES, TurnTime, turn_times, with_time
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from tests.history.games import opened, setup_text


@pytest.mark.parametrize(
    "odd",
    [None, 3, [], [1, [], 1, "pink", 2], [1, "turn", 1, {}, 2], [1, "turn", 1, "red", 2], ["1", "turn", 1, "pink", 2]],
)
def test_what_is_not_as_it_must_be_is_left_out(odd: object, tmp_path: Path) -> None:
    with opened(tmp_path / "games.sqlite3") as history:
        key = history.begin(setup_text(), settings={TURN_TIMES: [odd, [1, "turn", 2, "pink", 8.5]]})
        assert list(turn_times(history.game(key))) == [TurnTime(1, Phase.TURN, 2, Colour.PINK, 8.5)]


def test_times_of_one_turn_are_added_and_no_others(tmp_path: Path) -> None:
    time = TurnTime(1, Phase.TURN, 2, Colour.BLUE, 40.0)
    others = [replace(time, part=2), replace(time, phase=Phase.BID), replace(time, turn=3)]
    others.append(replace(time, colour=Colour.PINK))
    with opened(tmp_path / "games.sqlite3") as history:
        key = history.begin(setup_text())
        for one in (time, *others, replace(time, seconds=2.5)):
            history.change_settings(key, with_time(history.game(key), one))
        assert turn_times(history.game(key)) == (replace(time, seconds=42.5), *others)
