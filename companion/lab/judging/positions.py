"""Positions to be judged on, kept apart from all that anything is fitted on: from games of their own seeds.

They come from 60 games of the greedy bot with slips.
They lie as text in `positions.txt`, a line each: the seed of the game, whether a turn or a bid is to come, how many
decisions had been taken before it and how many the game had in all, and the position as a code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from companion.errors import UnusableInputError, UsageError, quoted
from companion.notation.codes import decode
from companion.rules.engine.setup import start_game
from companion.rules.model.state import GameState, Stage

FIRST_SEED = 900_000
"""Games of this seed and above are for judging; those that weights are fitted and checked on have smaller ones."""


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """A game at a turn's beginning or at a bid; `decision` of `decisions` is how far it has come."""

    seed: int
    decision: int
    decisions: int
    state: GameState

    def __str__(self) -> str:
        return f"decision {self.decision} of game {self.seed}"

    @property
    def bidding(self) -> bool:
        """Whether a bid is to come, not a turn."""
        return self.state.stage is Stage.BID

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.state.position.players)


def of_kind(positions: Sequence[JudgedPosition], kind: str, count: int) -> list[JudgedPosition]:
    """The first `count` turns, bids, or of each; `kind` is "turn", "bid" or "both". Raises UsageError for another."""
    if kind not in ("turn", "bid", "both"):
        raise UsageError(f"what is judged is `turn`, `bid` or `both`, not {quoted(kind)}")
    turns = [position for position in positions if not position.bidding and kind != "bid"][:count]
    return turns + [position for position in positions if position.bidding and kind != "turn"][:count]


def from_text(text: str) -> list[JudgedPosition]:
    """Positions of such lines. Raises UnusableInputError for a line that is none, or a seed kept for fitting."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            seed, _, decision, decisions, code = line.split()
            one = JudgedPosition(int(seed), int(decision), int(decisions), start_game(decode(code)))
        except ValueError as error:
            raise UnusableInputError(f"line {number} of the positions for judging is none: {error}") from error
        if one.seed < FIRST_SEED:
            raise UnusableInputError(f"line {number}: seed {one.seed} is below {FIRST_SEED}, where judging begins")
        found.append(one)
    return found


@cache
def kept_positions() -> tuple[JudgedPosition, ...]:
    """Those that come with the program, in the order in which they are to be judged."""
    return tuple(from_text(files("companion.lab.judging").joinpath("positions.txt").read_text(encoding="utf-8")))
