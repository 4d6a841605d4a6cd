"""What the mover of each lane gains by ending the move on each tile with each tribe: the policy's look at a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.rules.model.components import PALACES, PALMS, Tribe
from companion.simulation.card_worths import LOWEST, MAX_GONE, CardWorths, card_worths
from companion.simulation.djinns import DJINN_NAMES, DJINN_VP, ELDER, GUARDING, PAID_DROPS, PALM, VIZIER, WILD
from companion.simulation.evaluation import (
    FEATURE_ID,
    FIRST_ELDERS,
    FIRST_FAKIRS,
    FIRST_GOLD_GC,
    NEXT_GOLD_GC,
    OWN_TILES,
    PALACE_VP,
    VIZIERS_TO_COME,
    Floats,
    Weights,
    game_left,
    majority_probability,
    unsettled_viziers,
)
from companion.simulation.layout import (
    DISTANCE,
    FAKIR_ID,
    LARGE_MARKET,
    MAX_HAND,
    MAX_TABLED_HAND,
    NONE,
    OASIS,
    SACRED_PLACE,
    SEAT_NUMBERS,
    SEATS,
    SMALL_MARKET,
    SQUARE_BITS,
    TRIBES,
    VILLAGE,
    Batch,
    Index,
    Ints,
)
from companion.simulation.walks import COUNTED_VISITS, Masks, end_masks

_MAX_REACH = 5
"""Assassins in hand beyond whose reach no victim is sought."""
_PASSES = np.float32(0.7)
"""How often a hand of assassins can leave one meeple alone on a bare tile next to its end."""
_SQUARE_NUMBERS = np.arange(SQUARES)[:, None]


@dataclass(slots=True, eq=False)
class FrontVictim:
    """The best victim in front of an opponent, by lane: what killing it is worth in VP, the seat and the tribe.

    The seat is NONE where nobody has anything unprotected, and the worth then 0.
    """

    worth: Floats
    seat: Ints
    tribe: Ints


def victim_in_front(batch: Batch, mover: Index) -> FrontVictim:
    """The vizier or elder that hurts its owner or helps the mover most (rules 5.4)."""
    lanes = np.arange(len(batch))
    rivals = np.maximum(batch.seats - 1, 1).astype(np.float32)
    lead = batch.viziers[mover, lanes] - batch.viziers
    # An opponent's loss counts as a share of it with several opponents; a majority won is the mover's own.
    won = VP_FOR_FEWER_VIZIERS * ((lead == 0) + (lead == -1) / rivals)
    open_to = (mover != SEAT_NUMBERS) & (batch.playing) & (np.matmul(GUARDING, batch.owns) == 0)
    worth = np.empty((2 * SEATS, len(batch)), dtype=np.float32)
    worth[:SEATS] = np.where(open_to & (batch.viziers > 0), 1 / rivals + won, LOWEST)
    worth[SEATS:] = np.where(open_to & (batch.elders > 0), 2 / rivals, LOWEST)
    best = worth.argmax(axis=0)
    most = worth[best, lanes]
    there = most > 0
    tribe = np.where(best < SEATS, np.int16(Tribe.VIZIER), np.int16(Tribe.ELDER))
    seat = np.where(there, best % SEATS, NONE).astype(np.int16)
    return FrontVictim(np.where(there, most, np.float32(0)), seat, tribe)


def kill_worths(batch: Batch, tile: Floats, standing: Ints, taken: Ints, front: FrontVictim) -> Floats:
    """What `taken` assassins bring from each end tile, [visits - 1, square, lanes], with claims worth `tile`."""
    count = len(batch)
    lanes = np.arange(count)
    assassins = batch.meeples[:, Tribe.ASSASSIN]
    lone = tile * (standing == 1)
    # The hand can leave one meeple on a bare tile on its way, and kill that.
    passed = _max_around(tile * (standing == 0) * _PASSES)
    most = min(int(taken.max(initial=0)), _MAX_REACH)
    within = np.empty((most + 1, SQUARES, count), dtype=np.float32)
    # What stands alone on the end tile with the assassins is in range as well.
    np.multiply(tile, standing - assassins == 1, out=within[0])
    np.maximum(_max_around(lone), passed, out=within[1])
    for steps in range(2, most + 1):
        within[steps] = _max_around(within[steps - 1])
    reach = np.minimum(taken, most).astype(np.intp)
    on_board = within.reshape(-1).take((reach * SQUARES + _SQUARE_NUMBERS) * count + lanes)
    # An assassin who stands alone is no victim for those who take it along.
    ends, at = np.nonzero((standing == 1) & (assassins == 1) & (tile > 0))
    for visit in range(len(taken)):
        near = (reach[visit, ends, at] >= DISTANCE[ends].T) & (ends != _SQUARE_NUMBERS)
        on_board[visit, ends, at] = np.maximum((near * lone[:, at]).max(axis=0, initial=0), passed[ends, at])
    np.maximum(on_board, within[0], out=on_board)
    return np.asarray(np.maximum(on_board, front.worth))


def _max_around(values: Floats) -> Floats:
    """The largest value among each square and its orthogonal neighbours, [square, lanes]."""
    grid = values.reshape(ROWS, COLUMNS, -1)
    wider = grid.copy()
    np.maximum(wider[1:], grid[:-1], out=wider[1:])
    np.maximum(wider[:-1], grid[1:], out=wider[:-1])
    np.maximum(wider[:, 1:], grid[:, :-1], out=wider[:, 1:])
    np.maximum(wider[:, :-1], grid[:, 1:], out=wider[:, :-1])
    return wider.reshape(SQUARES, -1)


Flags = npt.NDArray[np.bool_]

MAX_TAKEN = 12
"""Meeples taken in hand beyond which all worths are the same."""
_PALM_VP, _PALACE_VP = np.float32(PALM.plain), np.float32(PALACE_VP)

_VISITS = np.arange(1, COUNTED_VISITS + 1, dtype=np.int16)[:, None, None, None]
_COUNTS = np.arange(MAX_TAKEN + 1, dtype=np.int16)[:, None]
_ELDERS, _MORE_ELDERS = FEATURE_ID["elders"], FEATURE_ID["more elders"]
_FAKIRS, _MORE_FAKIRS = FEATURE_ID["fakirs"], FEATURE_ID["more fakirs"]


@dataclass(slots=True, eq=False)
class Prospects:
    """Worths of the mover of each lane, in VP.

    `cells` is [visits - 1, square, tribe, lanes], far below 0 where no move ends so: whoever visits the end tile twice
    leaves one of the tribe there the first time, so a bare tile may do. `ends_from` are the squares where each hand
    can end, as bits, [visits - 1, start, lanes]. The others say what single things are worth to the mover: `cards`,
    `tile` (a claim) [square, lanes], `djinn` [place face up, lanes], one `elder` or `fakir` less, `all_fakirs`, a
    `coin` [lanes]; `front` is the best victim in front of an opponent.
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
    front: FrontVictim


def legal_cells(batch: Batch) -> tuple[Flags, Masks]:
    """Which moves end how: [visits - 1, square, tribe, lanes], and `Prospects.ends_from` (rules 4.2 to 4.5).

    Ends on the start tile, ends visited three times and hands that `Turns` has no room for are left out.
    """
    # Where hands can end follows from their square and size alone, so it is looked up as bits of squares.
    hands = batch.meeples.sum(axis=1, dtype=np.int16)
    over = hands > MAX_TABLED_HAND
    tabled = end_masks().reshape(COUNTED_VISITS, -1)
    size = np.where(over, MAX_TABLED_HAND - (hands & 1), hands) if over.any() else hands
    ends_from = tabled.take(_SQUARE_NUMBERS * (MAX_TABLED_HAND + 1) + size, axis=1)
    if size is not hands:
        ends_from[:, hands > MAX_HAND] = 0
    reached = np.empty((COUNTED_VISITS, TRIBES, len(batch)), dtype=np.uint32)
    for visit in range(COUNTED_VISITS):
        np.bitwise_or.reduce((batch.meeples > visit) * ends_from[visit, :, None], axis=0, out=reached[visit])
    legal = (reached[:, None] & SQUARE_BITS[:, None, None]) != 0
    legal[0] &= batch.meeples > 0
    return legal, ends_from


def prospects(batch: Batch, weights: Weights, seat: Ints | None = None) -> Prospects:
    """What each lane's mover, or the player of `seat`, gains by every way to end a move."""
    mover = (batch.mover if seat is None else seat).astype(np.intp)
    by_lane = weights.policy_at(game_left(batch))
    legal, ends_from = legal_cells(batch)
    own = _Holdings.of(batch, mover, by_lane)
    front = victim_in_front(batch, mover)
    cards = card_worths(batch, by_lane, own.hand, own.fakir, own.coin, own.gold)
    djinn = _djinns(batch, by_lane, mover, own.hand, own.elders)
    tile, built = _tiles(batch, by_lane, own)

    taken = np.minimum(batch.meeples + _VISITS, np.int16(MAX_TAKEN))
    cells = np.empty((COUNTED_VISITS, SQUARES, TRIBES, len(batch)), dtype=np.float32)
    _tribe_actions(cells, batch, by_lane, own, cards, taken)
    standing = batch.meeples.sum(axis=1, dtype=np.int16)
    cells[:, :, Tribe.ASSASSIN] = kill_worths(batch, tile, standing, taken[:, :, Tribe.ASSASSIN], front)

    # What comes on top whatever the tribe, and what a claim brings with it.
    free = batch.camel == NONE
    others_share = 1 / np.maximum(batch.seats - 1, 1).astype(np.float32)
    on_top = built * ((batch.camel == mover) - others_share * (~free & (batch.camel != mover)))
    on_top += cards.small[0] * (batch.tile_action == SMALL_MARKET)
    on_top += cards.large[0] * (batch.tile_action == LARGE_MARKET)
    sacred, best = batch.tile_action == SACRED_PLACE, djinn.max(axis=0)
    usual = own.for_djinn(best, own.elders)
    on_top += sacred * usual
    cells[:, :, Tribe.ELDER] += sacred * (own.for_djinn(best, own.elders + taken[:, :, Tribe.ELDER]) - usual)
    claim = tile + built * (free & (own.camels > 0))
    cells += (batch.meeples == standing[:, None]) * claim[:, None] + on_top[:, None]
    # Multiplied, for a choice by a mask takes ten times as long.
    cells += np.multiply(~legal, LOWEST)
    elder = own.each_elder + own.first_elders * (own.elders <= FIRST_ELDERS)
    fakir, all_fakirs = own.spent_fakir, own.all_fakirs
    return Prospects(cells, ends_from, tile, cards, djinn, elder, fakir, all_fakirs, own.coin, own.palm, front)


@dataclass(slots=True, eq=False)
class _Holdings:
    """What the movers have, [lanes], and what single things are worth to them, in VP.

    Elders are worth `each_elder` apiece and `first_elders` more for the first two, fakirs alike; `fakir` is one more.
    """

    mover: Index
    owns: Ints
    hand: Ints
    elders: Ints
    gold: Ints
    camels: Ints
    coin: Floats
    palm: Floats
    each_elder: Floats
    first_elders: Floats
    each_fakir: Floats
    first_fakirs: Floats

    @classmethod
    def of(cls, batch: Batch, mover: Index, by_lane: Floats) -> _Holdings:
        """The holdings of these seats, with the weights of each lane."""
        lanes = np.arange(len(batch))
        owns, gold = batch.owns[mover, :, lanes].T, batch.gold[mover, lanes]
        return cls(
            mover,
            owns,
            batch.cards[mover, :, lanes].T,
            batch.elders[mover, lanes],
            gold,
            batch.camels[mover, lanes],
            _coin(by_lane, gold),
            _PALM_VP + PALM.more * owns[PALM.djinn].astype(np.float32),
            2 + 2 * owns[ELDER.djinn] + by_lane[_MORE_ELDERS],
            by_lane[_ELDERS] - by_lane[_MORE_ELDERS],
            by_lane[_MORE_FAKIRS] + np.float32(2) * owns[WILD],
            by_lane[_FAKIRS] - by_lane[_MORE_FAKIRS],
        )

    @property
    def fakir(self) -> Floats:
        return np.asarray(self.each_fakir + self.first_fakirs * (self.hand[FAKIR_ID] < FIRST_FAKIRS))

    @property
    def spent_fakir(self) -> Floats:
        return np.asarray(self.each_fakir + self.first_fakirs * (self.hand[FAKIR_ID] <= FIRST_FAKIRS))

    @property
    def all_fakirs(self) -> Floats:
        fakirs = self.hand[FAKIR_ID]
        return np.asarray(self.each_fakir * fakirs + self.first_fakirs * np.minimum(fakirs, FIRST_FAKIRS))

    def for_djinn(self, best: Floats, elders: Ints) -> Floats:
        """What a sacred place brings to whoever holds that many elders, [..., lanes] (rules 6.5); never below 0."""
        each, first = self.each_elder, self.first_elders
        by_two = np.where(elders >= 2, best - 2 * each - first * np.clip(2 * FIRST_ELDERS - elders, 0, 2), 0)
        able = (elders >= 1) & (self.hand[FAKIR_ID] >= 1)
        by_fakir = np.where(able, best - each - first * (elders <= FIRST_ELDERS) - self.spent_fakir, 0)
        return np.maximum(np.maximum(by_two, by_fakir), np.float32(0))


def _tiles(batch: Batch, by_lane: Floats, own: _Holdings) -> tuple[Floats, Floats]:
    """What claiming tiles brings, and what is built on them as the tile action, [square, lanes] each."""
    is_oasis, is_village = batch.tile_action == OASIS, batch.tile_action == VILLAGE
    tile = batch.palms * own.palm
    tile += batch.palaces * _PALACE_VP
    tile += batch.tile_vp
    tile += is_oasis * by_lane[FEATURE_ID["oases"]]
    tile += is_village * by_lane[FEATURE_ID["villages"]]
    tile -= by_lane[FEATURE_ID["camels"]]
    tile += own.owns[PAID_DROPS] * by_lane[FEATURE_ID[OWN_TILES]]
    tile *= (batch.camel == NONE) & (own.camels > 0)
    built = is_oasis * (own.palm * (batch.palms.sum(axis=0) < PALMS))
    built += is_village * (_PALACE_VP * (batch.palaces.sum(axis=0) < PALACES))
    return tile, built


def _tribe_actions(
    cells: Floats, batch: Batch, by_lane: Floats, own: _Holdings, cards: CardWorths, taken: Ints
) -> None:
    """Fill in what viziers, elders, builders and merchants bring, that many of them `taken` (rules 5.1 to 5.3)."""
    lanes = np.arange(len(batch))
    some = taken[:, :, Tribe.VIZIER]
    viziers = _viziers(batch, by_lane, own.mover, own.owns, int(some.max(initial=0)))
    cells[:, :, Tribe.VIZIER] = viziers.reshape(-1).take(some * np.intp(len(batch)) + lanes)
    some = taken[:, :, Tribe.ELDER]
    more = np.minimum(own.elders + some, FIRST_ELDERS) - np.minimum(own.elders, FIRST_ELDERS)
    cells[:, :, Tribe.ELDER] = some * own.each_elder + more * own.first_elders
    income = batch.blue_around * own.coin
    np.multiply(taken[:, :, Tribe.BUILDER], income, out=cells[:, :, Tribe.BUILDER])
    cells[:, :, Tribe.BUILDER] += np.maximum(income * own.hand[FAKIR_ID] - own.all_fakirs, 0)
    cells[:, :, Tribe.MERCHANT] = _merchants(cards, batch.tile_action, taken[:, :, Tribe.MERCHANT], lanes)


def _coin(by_lane: Floats, gold: Ints) -> Floats:
    """What one more GC is worth, [lanes]."""
    first = np.where(gold < FIRST_GOLD_GC, by_lane[FEATURE_ID["gold"]], np.float32(0))
    following = np.where(
        (gold >= FIRST_GOLD_GC) & (gold < FIRST_GOLD_GC + NEXT_GOLD_GC), by_lane[FEATURE_ID["more gold"]], np.float32(0)
    )
    return np.asarray(1 + first + following, dtype=np.float32)


def _viziers(batch: Batch, by_lane: Floats, mover: Index, owns: Ints, most: int) -> Floats:
    """What taking that many viziers is worth, [0 to `most`, lanes] (rules 10.2)."""
    counts = _COUNTS[: most + 1]
    lanes = np.arange(len(batch))
    unsettled = unsettled_viziers(batch)
    worth = counts * (1 + 2 * owns[VIZIER.djinn] + by_lane[FEATURE_ID["viziers"]])
    hope = by_lane[FEATURE_ID["majorities"]]
    # The others' majorities over the mover count by their share against that: margins are what is played for.
    lead = batch.viziers[mover, lanes] - batch.viziers + counts[:, None]
    after = np.maximum(unsettled - counts, 0)[:, None]
    share = 1 / np.maximum(batch.seats - 1, 1).astype(np.float32)
    points = (majority_probability(lead, after) - share * majority_probability(-lead, after)) * hope
    points += ((lead > 0) - share * (lead < 0)) * (1 - hope)
    points -= points[0].copy()
    points *= (mover != SEAT_NUMBERS) & (batch.playing)
    return np.asarray(worth + VP_FOR_FEWER_VIZIERS * points.sum(axis=1), dtype=np.float32)


def _merchants(cards: CardWorths, action: Ints, taken: Ints, lanes: Index) -> Floats:
    """What that many merchants bring, with what they take away from the market that they end on, [visits - 1, square,
    lanes].
    """
    # One table for no, small and large markets, so that a single look-up serves all squares.
    worths = np.repeat(cards.first[None], 3, axis=0)
    most = len(cards.first) - 1
    gone = np.minimum(np.arange(most + 1), MAX_GONE)
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
    worth[VIZIER.djinn] += 2 * batch.viziers[mover, lanes]
    worth[VIZIER.djinn] += by_lane[FEATURE_ID[VIZIERS_TO_COME]] * unsettled_viziers(batch)
    worth[ELDER.djinn] += 2 * elders
    worth[WILD] += 2 * hand[0]
    own = batch.camel == mover
    worth[PALM.djinn] += 2 * (own * batch.palms).sum(axis=0)
    worth[PAID_DROPS] += by_lane[FEATURE_ID[OWN_TILES]] * own.sum(axis=0)
    return np.where(batch.face_up == NONE, LOWEST, worth[np.maximum(batch.face_up, 0), lanes])
