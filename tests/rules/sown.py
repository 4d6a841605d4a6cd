"""The board after a sowing, worked out plainly from its drops (rules 4.2, 4.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.rules.engine.sowing import check_sowing
from companion.rules.model.actions import Sowing
from companion.rules.model.board import NO_MEEPLES, Board
from companion.rules.model.components import Tribe


@dataclass(frozen=True, slots=True)
class Sown:
    """What a sowing leaves: the board, and the meeples of one tribe taken in hand (rules 4.7)."""

    board: Board
    end: int
    tribe: Tribe
    count: int


def apply_sowing(board: Board, sowing: Sowing) -> Sown:
    """The board after a legal sowing, with the end tile's colour taken in hand (rules 4.2, 4.7).

    Raises IllegalMoveError like `check_sowing`.
    """
    check_sowing(board, sowing)
    meeples = {sowing.start: list(NO_MEEPLES)}
    for square, tribe in zip(sowing.path, sowing.drops, strict=True):
        meeples.setdefault(square, list(board[square].meeples))[tribe] += 1
    count = meeples[sowing.end][sowing.tribe]
    meeples[sowing.end][sowing.tribe] = 0
    after = list(board)
    for square, counts in meeples.items():
        after[square] = replace(after[square], meeples=tuple(counts))
    return Sown(tuple(after), sowing.end, sowing.tribe, count)
