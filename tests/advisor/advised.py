"""Advice by hand: the turns that gain most, with values as a search would give them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.advisor.advice import AdvisedTurn, Estimate, LikelyReply, TurnAdvice
from companion.advisor.explanation import fresh_turn
from companion.notation.files import parse_position
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Position
from tests.advisor.gains import best_turns

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@cache
def sample_advice() -> TurnAdvice:
    """Four turns of the position in `samples/`."""
    return advised(parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8")), 4)


def advised(position: Position, top: int = 3, *, equal: int = 1) -> TurnAdvice:
    """The best turns by gain as advice: each 1.5 VP less than the one before, the first `equal` of them alike."""
    turns = []
    for place, one in enumerate(best_turns(position, top)):
        turns.append(
            AdvisedTurn(
                one.actions,
                one.sowing,
                gain=one.gain,
                explained=one.explained,
                idea=place + 1,
                estimate=Estimate(12.4 - 1.5 * place, 0.6),
                behind=Estimate(1.5 * place, 0.4 if place else 0.0),
                equal=0 < place < equal,
                win=0.64 - 0.05 * place,
                categories={"tiles": 3.0, "goods": -1.2, "viziers": 0.1, "opponents": -0.4},
                next_best=Estimate(1.5, 0.4),
                best_capture_left=5.0,
                reply=LikelyReply(Colour.ORANGE, 14, int(Tribe.MERCHANT), 11.2, 0.43),
            )
        )
    return TurnAdvice(position.to_move, fresh_turn(position, moves=bool(turns)), tuple(turns))
