"""Which turns go on being compared: the best of each idea, and of each kind.

Turns that end on the same tile with the same tribe, claims and kills are ways of one idea.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from companion.advisor.search.leaf import end_cells
from companion.rules.model.components import Tribe
from companion.simulation.layout import NONE, NOT_PAID, TRIBES, Batch, Index, Turns
from companion.simulation.playing import play_turns

OTHERS_AFTER = 3
"""One in this many turns goes on being compared by the second of two measures."""


def ideas_of(batch: Batch, turns: Turns) -> npt.NDArray[np.int64]:
    """A number for each turn, played in its lane of a batch: turns of one idea have the same."""
    after = batch.select(np.arange(len(batch)))
    play_turns(after, np.arange(len(turns)), turns)
    claimed = after.camel != batch.camel
    # The numbers are below those of the random sums, so that no two ideas come to the same.
    marks = np.random.default_rng(0).integers(1, 1 << 40, len(claimed), dtype=np.int64)
    ideas = np.stack([end_cells(turns), *_kills(turns), claimed.T.astype(np.int64) @ marks])
    return np.unique(ideas, axis=1, return_inverse=True)[1].reshape(-1)


def _kills(turns: Turns) -> npt.NDArray[np.int64]:
    """The two kills of each turn in a fixed order, (2, turns): where, and of which tribe; NONE for none."""
    at, last = np.arange(len(turns)), np.maximum(turns.length - 1, 0)
    kills = (turns.length > 0) & (turns.drops[last, at] == Tribe.ASSASSIN)
    named = kills & (turns.victim != NONE) & np.stack([kills, turns.double_paid != NOT_PAID])
    return np.sort(np.where(named, turns.victim.astype(np.int64) * TRIBES + turns.victim_tribe, NONE), axis=0)


def shared_out(order: Index, ideas: npt.NDArray[np.int64], most: int, ways: int, best_ideas: int = 2) -> Index:
    """The `most` of an order: the best of the first ideas, `ways` of each of them, then whatever follows."""
    place: dict[int, int] = {}
    met: Counter[int] = Counter()
    rank = np.empty(len(order), dtype=np.intp)
    for at, idea in enumerate(ideas[order].tolist()):
        ahead = place.setdefault(idea, len(place))
        met[idea] += 1
        rank[at] = met[idea] > (ways if ahead < best_ideas else 1)
    return order[np.sort(np.argsort(rank, kind="stable")[:most])]


def best_of_kinds(order: Index, kind: npt.NDArray[np.int64], alike: int, most: int) -> Index:
    """The first `most` of an order, no more than `alike` of a kind among them."""
    met: Counter[int] = Counter()
    best = []
    for number in order.tolist():
        met[int(kind[number])] += 1
        if met[int(kind[number])] <= alike:
            best.append(number)
            if len(best) == most:
                break
    return np.array(best, dtype=np.intp)


def by_turns(first: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Ranks for turns, higher for better: by one measure, and every so often by the other, `OTHERS_AFTER`."""
    places = np.argsort(np.lexsort((-np.stack([first, first]), -np.stack([first, others])), axis=1), axis=1)
    return np.asarray(-np.minimum(places[0], OTHERS_AFTER * places[1]), dtype=np.float64)
