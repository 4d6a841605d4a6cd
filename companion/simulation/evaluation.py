"""The leaf evaluation: what holdings will bring until the end, as fitted weights of features (docs/advice.md).

A weight is a pair: the worth of a feature in VP at the very end, and what is added to that at the start of a game; in
between it goes with the share of the game that is left. Weights are fitted for each number of players. The playout
policy has weights of its own: those that choose the best moves aren't those that predict best.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Worth
from companion.rules.engine.scoring import CATEGORIES, VP_FOR_FEWER_VIZIERS
from companion.rules.model.components import CARD_COUNTS, MEEPLE_COUNTS, SET_PRICES_GC, Tribe
from companion.simulation.djinns import (
    DJINN_NAMES,
    DJINN_VP,
    ELDER,
    FAKIRS_PER_GOOD,
    PAID_DROPS,
    PALM,
    VIZIER,
    WILD,
    Revalued,
)
from companion.simulation.layout import (
    FAKIR_ID,
    NONE,
    OASIS,
    SEAT_NUMBERS,
    SEATS,
    SET_PRICES,
    VILLAGE,
    Batch,
    Ints,
    Wide,
)

_TILE_BITS = 10
"""No board is worth 2**10 VP or holds that many palms, so three sums over own tiles fit one number."""
_SUM = (1 << _TILE_BITS) - 1


PALACE_VP = Worth().palace


def scores(batch: Batch) -> Ints:
    """Everybody's points in VP, [categories, seats, lanes] in the order of `CATEGORIES`; 0 for nobody."""
    points = np.zeros((len(CATEGORIES), SEATS, len(batch)), dtype=np.int16)
    playing = batch.playing
    gold, viziers, elders, djinns, palms, palaces, tiles, goods = points
    gold[...] = batch.gold
    viziers[...] = batch.viziers * _each(batch, VIZIER) + VP_FOR_FEWER_VIZIERS * _opponents_below(batch, playing)
    elders[...] = batch.elders * _each(batch, ELDER)
    djinns[...] = np.matmul(DJINN_VP, batch.owns)
    on_tiles = _on_own_tiles(batch)
    palms[...] = (on_tiles >> _TILE_BITS & _SUM) * _each(batch, PALM)
    palaces[...] = (on_tiles >> 2 * _TILE_BITS) * PALACE_VP
    tiles[...] = on_tiles & _SUM
    # What fakirs stand for is sold with the goods (rules 11.12).
    owned = batch.owns[:, WILD]
    wild = batch.cards[:, FAKIR_ID] // FAKIRS_PER_GOOD * owned if owned.any() else None
    goods[...] = goods_value(np.moveaxis(batch.cards, 1, 0), wild)
    points *= playing
    return points


def totals(batch: Batch) -> Ints:
    """Everybody's points in VP, [seats, lanes]; 0 where nobody sits."""
    return np.asarray(scores(batch).sum(axis=0, dtype=np.int16))


def goods_value(cards: Wide, wild: Wide | None = None) -> Ints:
    """GC for hands of goods sold in the best way (rules 7.1, 10.7).

    `cards` is [10, ...] by card, the fakirs first, who give nothing here; `wild` [...] are goods of choice that come
    on top (rules 11.12). The result is [...].
    """
    goods = cards[FAKIR_ID + 1 :]
    if wild is not None and wild.any():
        goods = _with_wild(goods, wild)
    value = np.zeros(goods.shape[1:], dtype=np.int16)
    for level in range(int(goods.max(initial=0))):
        # Of each set that is as large as possible, how many goods it has; small bytes are summed fastest.
        value += SET_PRICES[(goods > level).sum(axis=0, dtype=np.int8)]
    return value


def _with_wild(goods: Wide, wild: Wide) -> Wide:
    """The counts after goods of choice are named in the best way: each to the good with the fewest, rarest first."""
    named = goods.copy()
    flat, left = named.reshape(len(goods), -1), wild.ravel()
    lanes = np.nonzero(left > 0)[0]
    left = left[lanes]
    while len(lanes):
        flat[flat[:, lanes].argmin(axis=0), lanes] += 1
        left = left - 1
        lanes, left = lanes[left > 0], left[left > 0]
    return named


def _each(batch: Batch, worth: Revalued) -> Ints:
    """What one of something is worth to everybody, [seats, lanes]."""
    return np.asarray(worth.plain + worth.more * batch.owns[:, worth.djinn], dtype=np.int16)


def _opponents_below(batch: Batch, playing: npt.NDArray[np.bool_]) -> Ints:
    """How many opponents have fewer viziers, [seats, lanes] (rules 10.2)."""
    viziers = batch.viziers
    below = np.zeros(viziers.shape, dtype=np.int16)
    for other in range(SEATS):
        below += (viziers[other] < viziers) & playing[other]
    return below


def _on_own_tiles(batch: Batch) -> npt.NDArray[np.int32]:
    """Sums over everybody's tiles, [seats, lanes]: palaces, palms and values, `_TILE_BITS` bits each."""
    worth = batch.palaces.astype(np.int32) << 2 * _TILE_BITS
    worth += batch.palms.astype(np.int32) << _TILE_BITS
    worth += batch.tile_vp
    own = np.empty((SEATS, len(batch)), dtype=np.int32)
    for seat in range(SEATS):
        own[seat] = (worth * (batch.camel == seat)).sum(axis=0)
    return own


Floats = npt.NDArray[np.float32]

MAX_SET = len(SET_PRICES_GC) - 1
VIZIERS_TO_COME = f"viziers for {DJINN_NAMES[VIZIER.djinn]}"
"""Viziers on the board, to the owner of the djinn that makes them worth more."""
OWN_TILES = f"tiles for {DJINN_NAMES[PAID_DROPS]}"
"""Tiles of the owner of the djinn that pays for drops on them."""
FEATURES: tuple[str, ...] = (
    *(f"first set {size}" for size in range(1, MAX_SET + 1)),
    *(f"second set {size}" for size in range(1, MAX_SET + 1)),
    "fakirs",  # the first three
    "more fakirs",
    "viziers",
    "majorities",  # VP for fewer viziers to be expected, less those of today (rules 10.2)
    "elders",  # the first two, which buy a djinn (rules 6.5)
    "more elders",
    "camels",
    "gold",  # the first 12 GC, for bids
    "more gold",  # the next 18 GC
    "oases",
    "villages",
    "bid place",  # how many bid before (rules 3.1)
    "bids first",
    "bids last",  # played last before; nobody has had time to counter what was taken
    "rare goods",  # kinds in hand of which there are fewest
    VIZIERS_TO_COME,
    OWN_TILES,
    *(f"djinn {name}" for name in DJINN_NAMES),
)
"""Features of a player, in the order of the columns of weights."""
FEATURE_ID: dict[str, int] = {name: number for number, name in enumerate(FEATURES)}

RARE_GOODS: npt.NDArray[np.bool_] = np.array(list(CARD_COUNTS.values())[1:]) == min(CARD_COUNTS.values())
"""By good: whether there are only two of it."""
_MARKERS = np.array([0, 0, 4, 3, 4])
"""Markers on the tracks, by number of players (rules 2.1)."""
FIRST_FAKIRS = 3
FIRST_ELDERS = 2
FIRST_GOLD_GC = 12
NEXT_GOLD_GC = 18
_MAX_LEAD = 16
_LEAD_SCALE, _UNSETTLED_SCALE = 0.41, 1.0
"""How far off a lead of viziers may be at the end, in viziers: of none unsettled, and by the root of how many are."""
_STILL_PLAYING = 1.25
"""A board with four in five of its meeples counts as a whole game to go."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Fitted worths: `table` is [2, features] in VP, the worth at the end and what a whole game to go adds to it.

    `spread` is how far final points are from those expected, in VP with a whole game to go (`gumbel_scale`).

    `policy_table` has those by which the playout policy chooses turns and bids; None for the same. `discount` and
    `outbid` are the bidding policy's: the share of a place's best turn that is counted, and how likely somebody who
    bids later is to bid more than nothing.
    """

    table: Floats
    discount: float = 0.9
    outbid: float = 0.7
    policy_table: Floats | None = None
    spread: float = 0.0

    def at(self, left: Floats) -> Floats:
        """Weights of each lane, [features, lanes], with the share of the game that is left."""
        return _between(self.table, left)

    def policy_at(self, left: Floats) -> Floats:
        """As `at`, for those who choose a turn or a bid."""
        return _between(self.policy, left)

    @property
    def policy(self) -> Floats:
        """The table by which the playout policy chooses."""
        return self.table if self.policy_table is None else self.policy_table


def _between(table: Floats, left: Floats) -> Floats:
    return np.asarray(table[0][:, None] + table[1][:, None] * left, dtype=np.float32)


def weight_table(values: Mapping[str, Sequence[float]]) -> Floats:
    """A table, [2, features], by the names of features; those not named are 0. Raises KeyError for an unknown one."""
    table = np.zeros((2, len(FEATURES)), dtype=np.float32)
    for name, pair in values.items():
        table[:, FEATURE_ID[name]] = pair
    return table


NO_WEIGHTS = Weights(weight_table({}))
"""Points on the table and nothing else."""


@cache
def fitted_weights(players: int) -> Weights:
    """The weights that ship, for 2, 3 or 4 players."""
    text = files("companion.simulation").joinpath("weights.json").read_text(encoding="utf-8")
    return stored_weights(json.loads(text)[str(players)])


def stored_weights(stored: Mapping[str, Any]) -> Weights:
    """The weights for one number of players as `weights.json` holds them. Raises KeyError for a name that's missing."""
    policy = stored["policy"]
    return Weights(
        weight_table(stored["features"]),
        policy["discount"],
        policy["outbid"],
        weight_table(policy["features"]),
        stored.get("spread", 0.0),
    )


def game_left(batch: Batch) -> Floats:
    """The share of each lane's game that is left, 1 to 0, by camels (rules 9.1) or meeples (9.2), if less."""
    fewest = np.where(batch.playing, batch.camels, np.int16(99)).min(axis=0)
    at_start = np.where(batch.seats == 2, np.float32(11), np.float32(8))
    standing = batch.meeples.sum(axis=(0, 1), dtype=np.float32) / np.float32(sum(MEEPLE_COUNTS))
    return np.asarray(np.minimum(np.minimum(fewest / at_start, standing * _STILL_PLAYING), 1), dtype=np.float32)


@cache
def _majority_probabilities() -> Floats:
    """`majority_probability` by lead + `_MAX_LEAD` and viziers unsettled."""
    lead = np.arange(-_MAX_LEAD, _MAX_LEAD + 1)[:, None]
    scale = _LEAD_SCALE + _UNSETTLED_SCALE * np.sqrt(np.arange(MEEPLE_COUNTS[Tribe.VIZIER] + 1))
    return np.asarray((1 + np.tanh((lead - 0.5) / scale)) / 2, dtype=np.float32)


def majority_probability(lead: npt.NDArray[np.integer[Any]], unsettled: npt.NDArray[np.integer[Any]]) -> Floats:
    """How likely a lead of that many viziers is a lead at the end, while `unsettled` of them are still to be taken."""
    table = _majority_probabilities()
    row = np.clip(lead, -_MAX_LEAD, _MAX_LEAD) + np.intp(_MAX_LEAD)
    return np.asarray(table.reshape(-1).take(row * table.shape[1] + unsettled))


def unsettled_viziers(batch: Batch) -> npt.NDArray[np.int16]:
    return np.asarray(batch.meeples[:, Tribe.VIZIER].sum(axis=0, dtype=np.int16))


def features(batch: Batch) -> Floats:
    """Features of every player, [features, SEATS, lanes]; empty seats hold rubbish."""
    lanes = len(batch)
    values = np.zeros((len(FEATURES), SEATS, lanes), dtype=np.float32)
    # The two largest sets of different goods that a hand makes (rules 7.1).
    goods, steps = batch.cards[:, 1:], np.arange(1, MAX_SET + 1)[:, None, None]
    values[:MAX_SET] = (goods >= 1).sum(axis=1) == steps
    values[MAX_SET : 2 * MAX_SET] = (goods >= 2).sum(axis=1) == steps
    fakirs = batch.cards[:, 0]
    values[FEATURE_ID["fakirs"]] = np.minimum(fakirs, FIRST_FAKIRS)
    values[FEATURE_ID["more fakirs"]] = np.maximum(fakirs - FIRST_FAKIRS, 0)
    values[FEATURE_ID["viziers"]] = batch.viziers
    values[FEATURE_ID["majorities"]] = expected_majorities(batch)
    values[FEATURE_ID["elders"]] = np.minimum(batch.elders, FIRST_ELDERS)
    values[FEATURE_ID["more elders"]] = np.maximum(batch.elders - FIRST_ELDERS, 0)
    values[FEATURE_ID["camels"]] = batch.camels
    values[FEATURE_ID["gold"]] = np.minimum(batch.gold, FIRST_GOLD_GC)
    values[FEATURE_ID["more gold"]] = np.clip(batch.gold - FIRST_GOLD_GC, 0, NEXT_GOLD_GC)
    seats = np.arange(SEATS)[:, None, None]
    own = batch.camel == seats
    values[FEATURE_ID["oases"]] = (own & (batch.tile_action == OASIS)).sum(axis=1)
    values[FEATURE_ID["villages"]] = (own & (batch.tile_action == VILLAGE)).sum(axis=1)
    order = batch.bid_order[None] == seats
    # Who has two markers counts both; whose marker still waits to play comes after all who have played.
    placed = (order * SEAT_NUMBERS).sum(axis=1)
    waiting = (batch.turn_seat[None] == seats).sum(axis=1)
    values[FEATURE_ID["bid place"]] = placed + waiting * (batch.bid_order != NONE).sum(axis=0)
    values[FEATURE_ID["bids first"]] = order[:, 0]
    values[FEATURE_ID["bids last"]] = order[:, _MARKERS[batch.seats] - 1, np.arange(lanes)]
    values[FEATURE_ID["rare goods"]] = (batch.cards[:, 1:][:, RARE_GOODS] > 0).sum(axis=1)
    values[FEATURE_ID[VIZIERS_TO_COME]] = batch.owns[:, VIZIER.djinn] * unsettled_viziers(batch)
    values[FEATURE_ID[OWN_TILES]] = batch.owns[:, PAID_DROPS] * own.sum(axis=1)
    values[FEATURE_ID["djinn " + DJINN_NAMES[0]] :] = batch.owns.swapaxes(0, 1)
    return values


def expected_majorities(batch: Batch) -> Floats:
    """VP for opponents with fewer viziers to be expected, less those of today (rules 10.2), [SEATS, lanes]."""
    lead = batch.viziers[:, None] - batch.viziers[None]
    against = batch.playing[None] & (np.arange(SEATS) != SEAT_NUMBERS)[:, :, None]
    hoped = majority_probability(lead, unsettled_viziers(batch)) - (lead > 0)
    return np.asarray(10 * (hoped * against).sum(axis=1), dtype=np.float32)


def evaluate(batch: Batch, weights: Weights) -> Floats:
    """Every player's expected points at the end, [SEATS, lanes], in VP: today's and what holdings will bring."""
    by_lane = weights.at(game_left(batch))
    return np.asarray(totals(batch) + np.einsum("fl,fsl->sl", by_lane, features(batch)), dtype=np.float32)


def gumbel_scale(batch: Batch, weights: Weights) -> Floats:
    """The scale of what final points have more or less than `evaluate` expects, in VP, [lanes]; by Gumbel's law."""
    return np.asarray(weights.spread * np.sqrt(np.maximum(game_left(batch), 0)), dtype=np.float32)


def margins_of(points: Floats | npt.NDArray[np.int16], seats: npt.NDArray[np.int16]) -> Floats:
    """Every player's points less the best opponent's, [SEATS, lanes]."""
    plays = seats > SEAT_NUMBERS
    # Empty seats are far behind, so that no maximum finds them.
    shown = np.where(plays, points, np.float32(-1e6)).astype(np.float32)
    best = [np.delete(shown, seat, axis=0).max(axis=0) for seat in range(SEATS)]
    return np.asarray(shown - np.stack(best))
