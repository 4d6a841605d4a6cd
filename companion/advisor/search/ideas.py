"""Ideas: turns that end on the same tile with the same tribe, claims and kills are ways of one idea."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.advisor.search.leaf import end_cells
from companion.rules.model.components import Tribe
from companion.simulation.layout import NONE, NOT_PAID, TRIBES, Batch, Index, Turns
from companion.simulation.playing import play_turns


def ideas_of(batch: Batch, turns: Turns) -> npt.NDArray[np.int64]:
    """A number for each turn, played in its lane of a batch: turns of one idea have the same."""
    after = batch.select(np.arange(len(batch)))
    play_turns(after, np.arange(len(turns)), turns)
    claimed = after.camel != batch.camel
    # The numbers are below those of the random sums, so that no two ideas come to the same.
    marks = np.random.default_rng(0).integers(1, 1 << 40, len(claimed), dtype=np.int64)
    found = np.stack([end_cells(turns), *_kills(turns), claimed.T.astype(np.int64) @ marks])
    return np.unique(found, axis=1, return_inverse=True)[1].reshape(-1)


def _kills(turns: Turns) -> npt.NDArray[np.int64]:
    """The two kills of each turn in a fixed order, (2, turns): where, and of which tribe; NONE for none."""
    at, last = np.arange(len(turns)), np.maximum(turns.length - 1, 0)
    kills = (turns.length > 0) & (turns.drops[last, at] == Tribe.ASSASSIN)
    told = kills & (turns.victim != NONE) & np.stack([kills, turns.double_paid != NOT_PAID])
    return np.sort(np.where(told, turns.victim.astype(np.int64) * TRIBES + turns.victim_tribe, NONE), axis=0)


def spread(order: Index, ideas: npt.NDArray[np.int64], most: int, ways: int, best_ideas: int = 2) -> Index:
    """The `most` of an order that stand for its ideas: the best of each, more ways of the best, then whatever follows.

    `ideas` are the turns' ideas by number; of the first `best_ideas` so many `ways` are taken with the first of each.
    They come as they stand in the order.
    """
    place: dict[int, int] = {}
    seen: dict[int, int] = {}
    rank = np.empty(len(order), dtype=np.intp)
    for at, number in enumerate(order.tolist()):
        idea = int(ideas[number])
        ahead = place.setdefault(idea, len(place))
        seen[idea] = seen.get(idea, 0) + 1
        rank[at] = 0 if seen[idea] <= (ways if ahead < best_ideas else 1) else 1
    chosen = np.sort(np.argsort(rank, kind="stable")[:most])
    return order[chosen]
