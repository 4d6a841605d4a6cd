"""Games that fit what was seen, side by side: the worlds that advice is averaged over (rules 12)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from companion.rules.model.state import GameState
from companion.simulation.batch import Batch
from companion.simulation.bridge import pack
from companion.simulation.completing import is_known, sample_unknowns

WORLD_IDS = 1 << 15
"""Ids of worlds are below this: what a number of 16 bits holds without its sign."""


def world_ids(count: int, seed: int) -> list[int]:
    """Ids for so many worlds, all different, drawn for this seed; a smaller count gives the first of them.

    Raises ValueError for more than `WORLD_IDS`.
    """
    if count > WORLD_IDS:
        raise ValueError(f"there are {WORLD_IDS} different worlds, not {count}")
    random = Random(f"worlds {seed}").random
    ids: dict[int, None] = {}
    while len(ids) < count:
        ids[int(random() * WORLD_IDS)] = None
    return list(ids)


def sample_worlds(state: GameState, count: int, seed: int, first: int = 0) -> Batch:
    """So many complete games that fit what was seen, one a lane, each with luck of its own; from number `first` on.

    What is known is the same in all, what is not is drawn as `completing` says, and decks lie in the order that
    follows from a lane's world: a `GameState` has none that could show. The same seed gives the same worlds, a smaller
    count the first of them. `state` is a possible position that lists everybody who plays.
    Raises ValueError if a hand is on its way (stage SOW).
    """
    ids = world_ids(first + count, seed)[first:]
    if is_known(state):
        return pack([state] * count, ids)
    return pack([sample_unknowns(state, Random(f"world {world} of {seed}")) for world in ids], ids)


_DRAWN_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class WorldSupply:
    """Worlds that are drawn when a search comes to them, up to `size` of them; the same as `sample_worlds` gives."""

    state: GameState
    seed: int
    size: int = WORLD_IDS

    def up_to(self, count: int, drawn: Batch) -> Batch:
        """So many worlds and perhaps a few more, of which the first are drawn already."""
        if count <= len(drawn):
            return drawn
        more = min(max(count - len(drawn), _DRAWN_AT_ONCE), self.size - len(drawn))
        further = sample_worlds(self.state, more, self.seed, len(drawn))
        return Batch(np.concatenate([drawn.data, further.data], axis=1))
