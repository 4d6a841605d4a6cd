"""Candidates played on to the end of the game in the same worlds, many games in lockstep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from companion.lab.judging.regret import Floats
from companion.simulation.batch import Batch
from companion.simulation.layout import Index, Ints
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn, place_bid
from companion.simulation.scoring import margins
from companion.simulation.turns import Turns

LANES = 1500
"""Games played side by side: more do not fit the processor's cache."""

PlayOn = Callable[[Batch], object]
"""Plays every lane of a batch on to the end of the game, in place."""


class Choices(Protocol):
    """Candidates for one decision, by number."""

    def __len__(self) -> int:
        """How many there are."""

    def play(self, batch: Batch, numbers: Index) -> None:
        """Play a candidate in each lane, that of its number, and go on to the next decision of the game."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnChoices:
    """Whole turns of the mover, a column each."""

    turns: Turns

    def __len__(self) -> int:
        return len(self.turns)

    def play(self, batch: Batch, numbers: Index) -> None:
        """Play the turns and end them."""
        everywhere = np.arange(len(batch))
        play_turns(batch, everywhere, self.turns.select(numbers))
        end_turn(batch, everywhere)


@dataclass(frozen=True, slots=True, eq=False)
class BidChoices:
    """Bids by price in GC and fakirs discarded."""

    prices: Ints
    fakirs: Ints

    def __len__(self) -> int:
        return len(self.prices)

    def play(self, batch: Batch, numbers: Index) -> None:
        """Place the bids."""
        place_bid(batch, np.arange(len(batch)), self.prices[numbers], self.fakirs[numbers])


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What playing on told of candidates: `numbers` are those that were played to the full.

    `margins` are the mover's final margins in VP, [numbers, playings-on], and `policies` the number of the policy by
    which each column was played on; `screened` are the mean margins of all candidates in the playings-on by which the
    full ones were picked.
    """

    numbers: tuple[int, ...]
    margins: Floats
    policies: Index
    screened: Floats


def policy_of(columns: int, policies: int) -> Index:
    """Which policy plays which column: pairs of neighbours take turns, so even and odd columns have as much of each."""
    return np.asarray(np.arange(columns) // 2 % policies, dtype=np.intp)


def final_margins(
    worlds: Batch, choices: Choices, numbers: Sequence[int], columns: Index, policies: Sequence[PlayOn]
) -> Floats:
    """The mover's margin at the end of the game in VP, [numbers, columns]: every candidate in every world of `columns`.

    The policies take turns by `policy_of`.
    """
    seat = int(worlds.mover[0])
    found = np.empty((len(numbers), len(columns)))
    by = policy_of(len(columns), len(policies))
    for number, policy in enumerate(policies):
        mine = np.flatnonzero(by == number)
        rows, places = (grid.ravel() for grid in np.meshgrid(np.arange(len(numbers)), mine, indexing="ij"))
        for first in range(0, len(rows), LANES):
            block = slice(first, first + LANES)
            row, place = rows[block], places[block]
            batch = worlds.select(columns[place])
            choices.play(batch, np.asarray(numbers)[row])
            policy(batch)
            found[row, place] = margins(batch)[seat]
    return found


def judge(
    worlds: Batch, choices: Choices, judged: Sequence[int], policies: Sequence[PlayOn], *, screening: int, keep: int
) -> Judgement:
    """Play all candidates on in the first `screening` worlds, then the best `keep` and those `judged` in the others.

    No world is used for both, so that the luck by which a candidate was kept says nothing about its margins.
    """
    everyone = range(len(choices))
    first, rest = np.arange(screening), np.arange(screening, len(worlds))
    screened = final_margins(worlds, choices, everyone, first, policies).mean(axis=1)
    best = np.argsort(-screened, kind="stable")[:keep].tolist()
    numbers = tuple(sorted({*best, *judged}))
    played = final_margins(worlds, choices, numbers, rest, policies)
    return Judgement(numbers, played, policy_of(len(rest), len(policies)), screened)
