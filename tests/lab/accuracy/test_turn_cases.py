"""Turns made backwards: whatever they are made from, a legal turn leads there."""

from __future__ import annotations

from random import Random

import pytest

from companion.lab.accuracy.turn_cases import turn_before
from companion.rules.engine.legality import problems
from companion.rules.model.state import Stage
from companion.tracking.inference import Verdict, played_turns
from tests.tracking.games import turns
from tests.tracking.knowing import Knowing, board_of

BOARDS = [board_of(turn.after) for turn in list(turns(3, 6))[6:18:3]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("board", range(len(BOARDS)))
def test_a_legal_turn_leads_to_the_board(board: int, seed: int) -> None:
    state = turn_before(BOARDS[board], Random(seed))
    assert state is not None and state.stage is Stage.MOVE
    assert state.position.board != BOARDS[board]
    assert not [fault for fault in problems(state.position) if fault.rule in ("1.3", "1.5", "2.3")]
    played = played_turns(state, Knowing(BOARDS[board]), max_turns=1)
    assert (played.verdict, played.candidates[0].board) == (Verdict.TURN, BOARDS[board])


def test_a_board_with_no_tile_to_end_on_has_none() -> None:
    board = BOARDS[0]
    full = tuple(type(tile)(tile.kind, (1, 1, 1, 1, 1), tile.camel, tile.palms, tile.palaces) for tile in board)
    assert turn_before(full, Random(1)) is None
