"""The policy's look at a board: which moves there are, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.engine.walks import walk_counts
from companion.rules.model.components import Tribe
from companion.rules.model.state import Stage
from companion.simulation.bidding import play_bids
from companion.simulation.bridge import pack
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import NO_WEIGHTS, totals
from companion.simulation.layout import MAX_TABLED_HAND, NONE, STAGE_ID
from companion.simulation.policy import policy_step
from companion.simulation.prospects import legal_cells
from companion.simulation.rounds import end_turn
from companion.simulation.walks import COUNTED_VISITS, end_masks
from tests.simulation.roots import beginnings, rooted
from tests.simulation.starts import set_up


def test_hands_end_where_walks_do(subtests: pytest.Subtests) -> None:
    for length in [1, 4, 5, 8, 11, MAX_TABLED_HAND]:
        with subtests.test(msg=str(length)):
            for start, ends in enumerate(walk_counts(length)):
                for end, counts in enumerate(ends):
                    for visit in range(COUNTED_VISITS):
                        possible = visit < len(counts) and counts[visit] > 0 and end != start
                        assert bool(end_masks()[visit, start, length] >> np.uint32(end) & np.uint32(1)) == possible


def test_the_cells_are_the_moves_that_whole_turns_make() -> None:
    for state in beginnings(3, seed=5, every=6):
        root = rooted(state)
        turns = whole_turns(root)
        last = turns.length - 1
        columns = np.arange(len(turns))
        end, tribe = turns.path[last, columns], turns.drops[last, columns]
        same = (turns.path == end) & (turns.drops == tribe)
        more = (same & (np.arange(len(same))[:, None] <= last)).sum(axis=0)
        elsewhere = (end != turns.start) & (more <= COUNTED_VISITS)
        made = set(zip(more[elsewhere] - 1, end[elsewhere], tribe[elsewhere], strict=True))
        assert set(zip(*(places.tolist() for places in np.nonzero(legal_cells(root)[0][..., 0])), strict=True)) == made


def test_a_turn_brings_what_its_cell_says() -> None:
    """With no weights a worth is the points of the turn, save where assassins do not come by a victim hoped for."""
    batch = pack([set_up(number) for number in range(200)], range(200))
    off: dict[int, list[float]] = {tribe: [] for tribe in Tribe}
    for _ in range(8):
        while (bidding := np.flatnonzero(batch.stage == STAGE_ID[Stage.BID])).size:
            part = batch.select(bidding)
            play_bids(part, NO_WEIGHTS)
            batch.data[:, bidding] = part.data
        mover, before = batch.mover.copy(), totals(batch)
        plain = ~batch.owns.any(axis=(0, 1))
        replies = policy_step(batch, NO_WEIGHTS)
        gains = (totals(batch) - before).astype(np.float64)
        lanes = np.arange(len(batch))
        own = gains[mover, lanes]
        # Majorities that the others lose count by their share.
        gained = own - (gains.sum(axis=0) - own) / (batch.seats - 1)
        plain &= (replies.turns.djinn == NONE) & (replies.turns.bought[1] == NONE)
        for tribe in Tribe:
            off[tribe] += (gained - replies.worth)[plain & (replies.tribe == tribe)].tolist()
        end_turn(batch, np.arange(len(batch)))
    for tribe in (Tribe.VIZIER, Tribe.BUILDER, Tribe.MERCHANT):
        assert len(off[tribe]) > 20
        assert np.mean(np.abs(off[tribe]) < 0.01) > 0.9, tribe
    assert len(off[Tribe.ASSASSIN]) > 100
    assert abs(np.mean(off[Tribe.ASSASSIN])) < 1
