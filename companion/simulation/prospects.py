"""What the mover of each lane gains by ending his move on each tile with each tribe: the policy's look at a board.

A turn's worth hangs on the end tile, the tribe taken and how many of it, hardly on the start: 150 cells a board stand
for its hundreds of outcomes, and 150 more for hands that visit their end tile twice. What is dropped on the way is not
looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.board import SQUARES
from companion.rules.model.components import PALACES, PALMS, Tribe
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST, MOST_GONE, CardWorths, card_worths
from companion.simulation.evaluation import (
    FEATURE_ID,
    FIRST_ELDERS,
    FIRST_FAKIRS,
    FIRST_GOLD_GC,
    NEXT_GOLD_GC,
    Floats,
    Weights,
    game_left,
    majority_chance,
    unsettled_viziers,
)
from companion.simulation.layout import (
    DJINN_ID,
    DJINN_NAMES,
    DJINN_VP,
    LARGE_MARKET,
    LONGEST_TABLED_HAND,
    NONE,
    OASIS,
    SACRED_PLACE,
    SEATS,
    SMALL_MARKET,
    TRIBES,
    VILLAGE,
    Index,
    Ints,
)
from companion.simulation.scoring import PALACE_VP, PALM
from companion.simulation.turns import LONGEST_HAND
from companion.simulation.victim_prospects import FrontVictim, kill_worths, victim_in_front
from companion.simulation.walks import COUNTED_VISITS, Masks, end_masks

Flags = npt.NDArray[np.bool_]

MOST_TAKEN = 12
"""Meeples taken in hand beyond which a worth is not looked up more closely."""
_PALM_VP, _PALACE_VP = np.float32(PALM[1]), np.float32(PALACE_VP)

_SQUARE_NUMBERS = np.arange(SQUARES)[:, None]
_SQUARE_BITS = np.uint32(1) << np.arange(SQUARES, dtype=np.uint32)
_VISITS = np.arange(1, COUNTED_VISITS + 1, dtype=np.int16)[:, None, None, None]
_SEATS = np.arange(SEATS)[:, None]
_COUNTS = np.arange(MOST_TAKEN + 1, dtype=np.int16)[:, None]
_JAFAAR, _SHAMHAT, _AL_AMIN, _HAURVATAT, _MARID = (
    DJINN_ID[name] for name in ("Jafaar", "Shamhat", "Al-Amin", "Haurvatat", "Marid")
)
_ELDERS, _MORE_ELDERS = FEATURE_ID["elders"], FEATURE_ID["more elders"]
_FAKIRS, _MORE_FAKIRS = FEATURE_ID["fakirs"], FEATURE_ID["more fakirs"]


@dataclass(slots=True, eq=False)
class Prospects:
    """Worths of the mover of each lane, in VP.

    `cells` is [visits - 1, square, tribe, lanes], far below 0 where no move ends so: whoever visits his end tile twice
    leaves one of the tribe there the first time, so a bare tile may do. `ends_from` are the squares where each hand
    can end, as bits, [visits - 1, start, lanes]. The others say what single things are worth to him: `cards`, `tile`
    (a claim) [square, lanes], `djinn` [place face up, lanes], one `elder` or `fakir` less, `all_fakirs`, a `coin`
    [lanes]; `front` is the best victim in front of an opponent.
    """

    cells: Floats
    ends_from: Masks
    tile: Floats
    cards: CardWorths
    djinn: Floats
    elder: Floats
    fakir: Floats
    all_fakirs: Floats
    coin: Floats
    palm: Floats
    palace: Floats
    front: FrontVictim


def legal_cells(batch: Batch) -> tuple[Flags, Masks]:
    """Which moves end how: [visits - 1, square, tribe, lanes], and `Prospects.ends_from` (rules 4.2 to 4.5).

    Ends on the start tile, ends visited three times and hands that `Turns` has no room for are left out.
    """
    hands = batch.meeples.sum(axis=1, dtype=np.int16)
    over = hands > LONGEST_TABLED_HAND
    tabled = end_masks().reshape(COUNTED_VISITS, -1)
    size = np.where(over, LONGEST_TABLED_HAND - (hands & 1), hands) if over.any() else hands
    ends_from = tabled.take(_SQUARE_NUMBERS * (LONGEST_TABLED_HAND + 1) + size, axis=1)
    if size is not hands:
        ends_from[:, hands > LONGEST_HAND] = 0
    reached = np.empty((COUNTED_VISITS, TRIBES, len(batch)), dtype=np.uint32)
    for visit in range(COUNTED_VISITS):
        np.bitwise_or.reduce((batch.meeples > visit) * ends_from[visit, :, None], axis=0, out=reached[visit])
    legal = (reached[:, None] & _SQUARE_BITS[:, None, None]) != 0
    legal[0] &= batch.meeples > 0
    return legal, ends_from


def prospects(batch: Batch, weights: Weights, seat: Ints | None = None) -> Prospects:
    """What each lane's mover, or the player of `seat`, gains by every way to end a move."""
    count = len(batch)
    lanes = np.arange(count)
    mover = (batch.mover if seat is None else seat).astype(np.intp)
    by_lane = weights.policy_at(game_left(batch))
    legal, ends_from = legal_cells(batch)
    owns, hand = batch.owns[mover, :, lanes].T, batch.cards[mover, :, lanes].T
    elders, gold, camels = batch.elders[mover, lanes], batch.gold[mover, lanes], batch.camels[mover, lanes]

    coin = _coin(by_lane, gold)
    # What so many elders are worth is `each_elder` apiece and `first_elders` more for the first two.
    each_elder = 2 + 2 * owns[_SHAMHAT] + by_lane[_MORE_ELDERS]
    first_elders = by_lane[_ELDERS] - by_lane[_MORE_ELDERS]
    first_fakirs = by_lane[_FAKIRS] - by_lane[_MORE_FAKIRS]
    each_fakir = by_lane[_MORE_FAKIRS] + np.float32(2) * owns[_AL_AMIN]
    fakir = each_fakir + first_fakirs * (hand[0] < FIRST_FAKIRS)
    spent_fakir = each_fakir + first_fakirs * (hand[0] <= FIRST_FAKIRS)
    all_fakirs = each_fakir * hand[0] + first_fakirs * np.minimum(hand[0], FIRST_FAKIRS)
    palm = _PALM_VP + PALM[2] * owns[_HAURVATAT].astype(np.float32)
    front = victim_in_front(batch, mover)
    cards = card_worths(batch, by_lane, hand, fakir, coin, gold)
    djinn = _djinns(batch, by_lane, mover, hand, elders)

    action = batch.tile_action
    is_oasis, is_village = action == OASIS, action == VILLAGE
    free = batch.camel == NONE
    tile = batch.palms * palm
    tile += batch.palaces * _PALACE_VP
    tile += batch.tile_vp
    tile += is_oasis * by_lane[FEATURE_ID["oases"]]
    tile += is_village * by_lane[FEATURE_ID["villages"]]
    tile -= by_lane[FEATURE_ID["camels"]]
    tile += owns[_MARID] * by_lane[FEATURE_ID["tiles for Marid"]]
    tile *= free & (camels > 0)
    built = is_oasis * (palm * (batch.palms.sum(axis=0) < PALMS))
    built += is_village * (_PALACE_VP * (batch.palaces.sum(axis=0) < PALACES))

    standing = batch.meeples.sum(axis=1, dtype=np.int16)
    taken = np.minimum(batch.meeples + _VISITS, np.int16(MOST_TAKEN))
    cells = np.empty((COUNTED_VISITS, SQUARES, TRIBES, count), dtype=np.float32)
    some = taken[:, :, Tribe.VIZIER]
    viziers = _viziers(batch, by_lane, mover, owns, int(some.max(initial=0)))
    cells[:, :, Tribe.VIZIER] = viziers.reshape(-1).take(some * np.intp(count) + lanes)
    held = elders + taken[:, :, Tribe.ELDER]
    more = np.minimum(held, FIRST_ELDERS) - np.minimum(elders, FIRST_ELDERS)
    cells[:, :, Tribe.ELDER] = taken[:, :, Tribe.ELDER] * each_elder + more * first_elders
    income = batch.blue_around * coin
    np.multiply(taken[:, :, Tribe.BUILDER], income, out=cells[:, :, Tribe.BUILDER])
    cells[:, :, Tribe.BUILDER] += np.maximum(income * hand[0] - all_fakirs, 0)
    cells[:, :, Tribe.MERCHANT] = _merchants(cards, action, taken[:, :, Tribe.MERCHANT], lanes)
    cells[:, :, Tribe.ASSASSIN] = kill_worths(batch, tile, standing, taken[:, :, Tribe.ASSASSIN], front)

    # What comes on top whatever the tribe, and what a claim brings with it.
    others_share = 1 / np.maximum(batch.seats - 1, 1).astype(np.float32)
    on_top = built * ((batch.camel == mover) - others_share * (~free & (batch.camel != mover)))
    on_top += cards.small[0] * (action == SMALL_MARKET)
    on_top += cards.large[0] * (action == LARGE_MARKET)
    sacred = action == SACRED_PLACE
    best = djinn.max(axis=0)
    usual = _sacred(best, elders, each_elder, first_elders, spent_fakir, hand[0])
    after = _sacred(best, held, each_elder, first_elders, spent_fakir, hand[0])
    on_top += sacred * usual
    cells[:, :, Tribe.ELDER] += sacred * (after - usual)
    claim = tile + built * (free & (camels > 0))
    cells += (batch.meeples == standing[:, None]) * claim[:, None] + on_top[:, None]
    # Multiplied, for a choice by a mask takes ten times as long.
    cells += np.multiply(~legal, LOWEST)
    palace = np.full(count, _PALACE_VP)
    spent_elder = each_elder + first_elders * (elders <= FIRST_ELDERS)
    return Prospects(
        cells, ends_from, tile, cards, djinn, spent_elder, spent_fakir, all_fakirs, coin, palm, palace, front
    )


def _coin(by_lane: Floats, gold: Ints) -> Floats:
    """What one more GC is worth, [lanes]."""
    first = np.where(gold < FIRST_GOLD_GC, by_lane[FEATURE_ID["gold"]], np.float32(0))
    following = np.where(
        (gold >= FIRST_GOLD_GC) & (gold < FIRST_GOLD_GC + NEXT_GOLD_GC), by_lane[FEATURE_ID["more gold"]], np.float32(0)
    )
    return np.asarray(1 + first + following, dtype=np.float32)


def _viziers(batch: Batch, by_lane: Floats, mover: Index, owns: Ints, most: int) -> Floats:
    """What taking so many viziers is worth, [0 to `most`, lanes] (rules 10.2)."""
    counts = _COUNTS[: most + 1]
    lanes = np.arange(len(batch))
    unsettled = unsettled_viziers(batch)
    worth = counts * (1 + 2 * owns[_JAFAAR] + by_lane[FEATURE_ID["viziers"]])
    hope = by_lane[FEATURE_ID["majorities"]]
    # The others' majorities over the mover count against him by their share: margins are what is played for.
    lead = batch.viziers[mover, lanes] - batch.viziers + counts[:, None]
    after = np.maximum(unsettled - counts, 0)[:, None]
    share = 1 / np.maximum(batch.seats - 1, 1).astype(np.float32)
    points = (majority_chance(lead, after) - share * majority_chance(-lead, after)) * hope
    points += ((lead > 0) - share * (lead < 0)) * (1 - hope)
    points -= points[0].copy()
    points *= (mover != _SEATS) & (batch.seats > _SEATS)
    return np.asarray(worth + VP_FOR_FEWER_VIZIERS * points.sum(axis=1), dtype=np.float32)


def _merchants(cards: CardWorths, action: Ints, taken: Ints, lanes: Index) -> Floats:
    """What so many merchants bring, with what they take away from the market that they end on, [visits - 1, square,
    lanes].
    """
    worths = np.repeat(cards.first[None], 3, axis=0)
    most = len(cards.first) - 1
    gone = np.minimum(np.arange(most + 1), MOST_GONE)
    worths[1] += cards.small[gone] - cards.small[0]
    worths[2] += cards.large[gone] - cards.large[0]
    market = (action == SMALL_MARKET) + 2 * (action == LARGE_MARKET)
    place = market * np.intp(most + 1) + np.minimum(taken, most)
    return np.asarray(worths.reshape(-1).take(place * len(lanes) + lanes))


def _djinns(batch: Batch, by_lane: Floats, mover: Index, hand: Ints, elders: Ints) -> Floats:
    """What each face-up djinn is worth to the mover, [place, lanes]; far below 0 where there is none."""
    first = FEATURE_ID["djinn " + DJINN_NAMES[0]]
    worth = by_lane[first:] + DJINN_VP[:, None]
    lanes = np.arange(len(batch))
    worth[_JAFAAR] += 2 * batch.viziers[mover, lanes]
    worth[_JAFAAR] += by_lane[FEATURE_ID["viziers for Jafaar"]] * unsettled_viziers(batch)
    worth[_SHAMHAT] += 2 * elders
    worth[_AL_AMIN] += 2 * hand[0]
    own = batch.camel == mover
    worth[_HAURVATAT] += 2 * (own * batch.palms).sum(axis=0)
    worth[_MARID] += by_lane[FEATURE_ID["tiles for Marid"]] * own.sum(axis=0)
    found = worth[np.maximum(batch.face_up, 0), lanes]
    return np.where(batch.face_up == NONE, LOWEST, found)


def _sacred(best: Floats, elders: Ints, each: Floats, first: Floats, fakir: Floats, fakirs: Ints) -> Floats:
    """What a sacred place brings to whoever holds so many elders, [..., lanes] (rules 6.5); never below 0."""
    by_two = np.where(elders >= 2, best - 2 * each - first * np.clip(2 * FIRST_ELDERS - elders, 0, 2), 0)
    by_fakir = np.where((elders >= 1) & (fakirs >= 1), best - each - first * (elders <= FIRST_ELDERS) - fakir, 0)
    return np.maximum(np.maximum(by_two, by_fakir), np.float32(0))
