"""Results that are kept or printed as their lines alone: nobody has won where something that counts was not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.history.contents import TextKind
from companion.history.results import GamePart
from companion.notation.files import parse_position
from companion.notation.outcome import outcome_of
from companion.rules.engine.scoring import result_of
from companion.rules.model.components import Colour
from companion.table.counted_games import counted_result

END = parse_position((Path(__file__).resolve().parents[2] / "samples" / "end.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("unseen", [{}, {Colour.BLUE: 2}], ids=["all seen", "two cards unseen"])
def test_10_7_the_lines_of_a_result_crown_whom_the_game_crowned(unseen: dict[Colour, int]) -> None:
    result = result_of(END, unseen=unseen)
    assert bool(result.winners) == (not unseen)
    read = counted_result((GamePart(TextKind.OUTCOME, outcome_of(result, {}).text),))
    assert read.winners == result.winners
    assert bool(read.unknown) == bool(unseen)
