"""Every whole turn of the mover that differs in what matters (rules 4 to 7, 11)."""

from __future__ import annotations

import numpy as np

from companion.rules.model.components import Tribe
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.candidates import Holder, best_columns, joined
from companion.simulation.choices import sale_columns, tile_columns, tribe_columns
from companion.simulation.kills import kill_columns
from companion.simulation.layout import STAGE_ID
from companion.simulation.outcomes import Walks, add_tolls, sowing_columns
from companion.simulation.own_powers import power_columns
from companion.simulation.sowings import with_sowings
from companion.simulation.turns import Turns

MAX_TURNS = 6000


def whole_turns(root: Batch, *, seed: int = 0) -> Turns:
    """The whole turns of the mover of a batch of one lane, at the beginning of the turn (stage MOVE or CLOSE).

    It has each outcome of moving meeples (start, end, tribe, number taken, end tile emptied or not), with each choice
    that the outcome allows and that isn't plainly worse than another: see `tribe_columns`, `kill_columns`,
    `tile_columns`, `power_columns` and `sale_columns`. Hands of more than `MAX_HAND` meeples are not moved. For each
    turn one legal sowing is drawn by `seed`. Of more than `MAX_TURNS` turns those are kept that gain most at once, and
    the best of each outcome. Raises ValueError at any other stage.
    """
    if root.stage[0] not in (STAGE_ID[Stage.MOVE], STAGE_ID[Stage.CLOSE]):
        raise ValueError("turns are enumerated from their beginning")
    random = np.random.default_rng(seed)
    holder = Holder(root)
    walks = Walks(holder, random)
    if root.stage[0] == STAGE_ID[Stage.CLOSE]:
        return sale_columns(holder, power_columns(holder, walks, holder.begin(1))).turns()
    sown = sowing_columns(holder, walks)
    is_killing = sown.tribe == Tribe.ASSASSIN
    acted = joined(
        [tribe_columns(holder, sown.select(~is_killing)), kill_columns(holder, walks, sown.select(is_killing))]
    )
    add_tolls(walks, acted)
    candidates = power_columns(holder, walks, tile_columns(holder, acted))
    candidates = sale_columns(holder, candidates)
    if len(candidates) > MAX_TURNS:
        gains = holder.gains(candidates) + random.random(len(candidates))
        candidates = candidates.select(best_columns(candidates, gains, MAX_TURNS))
    return with_sowings(holder, walks, candidates)
