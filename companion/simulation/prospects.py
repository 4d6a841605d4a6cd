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
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.rules.model.components import GOODS, PALACES, PALMS, ROW_LENGTH, SET_PRICES_GC, Tribe
from companion.simulation.batch import Batch
from companion.simulation.evaluation import (
    FEATURE_ID,
    FIRST_ELDERS,
    FIRST_FAKIRS,
    FIRST_GOLD_GC,
    LARGEST_SET,
    NEXT_GOLD_GC,
    Floats,
    Weights,
    game_left,
    majority_chance,
    unsettled_viziers,
)
from companion.simulation.layout import (
    DISTANCE,
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
from companion.simulation.turns import LONGEST_HAND
from companion.simulation.walks import COUNTED_VISITS, Masks, end_masks

Flags = npt.NDArray[np.bool_]

MOST_TAKEN = 12
"""Meeples taken in hand beyond which a worth is not looked up more closely."""
SMALL_PRICE_GC = 3
LARGE_PRICE_GC = 6
OFFERED_SMALL = 3
OFFERED_LARGE = 6
LOWEST = np.float32(-1e4)

_SQUARE_NUMBERS = np.arange(SQUARES)
_SQUARE_BITS = np.uint32(1) << np.arange(SQUARES, dtype=np.uint32)
_VISITS = np.arange(1, COUNTED_VISITS + 1, dtype=np.int16)[:, None, None, None]
_PRICES = np.array(SET_PRICES_GC, dtype=np.float32)
_MOST_REACH = 5
"""Assassins in hand beyond whose reach no victim is looked for."""
_PASSES = np.float32(0.7)
"""How often a hand of assassins can leave one meeple alone on a bare tile beside its end."""
_MOST_GONE = 4
"""Row cards that merchants take before the market's cards are no longer looked up one by one."""


@dataclass(slots=True, eq=False)
class Prospects:
    """Worths of the mover of each lane, in VP.

    `cells` is [visits - 1, square, tribe, lanes], far below 0 where no move ends so: whoever visits his end tile twice
    leaves one of the tribe there the first time, so a bare tile may do. `ends_from` are the squares where each hand
    can end, as bits, [visits - 1, start, lanes]. The others say what single things are worth to him: `card` [card id,
    lanes], `tile` (a claim) [square, lanes], `elder`, `fakir`, `coin` [lanes], `djinn` [place face up, lanes].
    """

    cells: Floats
    ends_from: Masks
    tile: Floats
    card: Floats
    djinn: Floats
    elder: Floats
    fakir: Floats
    coin: Floats
    palm: Floats
    palace: Floats
    by_lane: Floats


def legal_cells(batch: Batch) -> tuple[Flags, Masks]:
    """Which moves end how: [visits - 1, square, tribe, lanes], and `Prospects.ends_from` (rules 4.2 to 4.5).

    Ends on the start tile, ends visited three times and hands that `Turns` has no room for are left out.
    """
    hands = batch.meeples.sum(axis=1, dtype=np.int16)
    over = hands > LONGEST_TABLED_HAND
    if not over.any():
        ends_from = end_masks()[:, _SQUARE_NUMBERS[:, None], hands]
    else:
        ends_from = end_masks()[:, _SQUARE_NUMBERS[:, None], np.where(over, LONGEST_TABLED_HAND - (hands & 1), hands)]
        ends_from[:, hands > LONGEST_HAND] = 0
    reached = np.stack(
        [
            np.bitwise_or.reduce(np.where(batch.meeples > visit, ends_from[visit, :, None], np.uint32(0)), axis=0)
            for visit in range(COUNTED_VISITS)
        ]
    )
    legal = (reached[:, None] & _SQUARE_BITS[:, None, None]) != 0
    legal[0] &= batch.meeples > 0
    return legal, ends_from


def prospects(batch: Batch, weights: Weights, seat: Ints | None = None) -> Prospects:
    """What each lane's mover, or the player of `seat`, gains by every way to end a move."""
    lanes = np.arange(len(batch))
    mover = (batch.mover if seat is None else seat).astype(np.intp)
    by_lane = weights.at(game_left(batch))
    legal, ends_from = legal_cells(batch)
    owns = batch.owns[mover, :, lanes].T
    hand = batch.cards[mover, :, lanes].T
    elders, gold = batch.elders[mover, lanes], batch.gold[mover, lanes]
    camels = batch.camels[mover, lanes]

    coin = _coin(by_lane, gold)
    elder = (
        2
        + 2 * owns[DJINN_ID["Shamhat"]]
        + np.where(elders < FIRST_ELDERS, by_lane[FEATURE_ID["elders"]], by_lane[FEATURE_ID["more elders"]])
    )
    spent_elder = (
        2
        + 2 * owns[DJINN_ID["Shamhat"]]
        + np.where(elders <= FIRST_ELDERS, by_lane[FEATURE_ID["elders"]], by_lane[FEATURE_ID["more elders"]])
    )
    fakir = (
        np.where(hand[0] < FIRST_FAKIRS, by_lane[FEATURE_ID["fakirs"]], by_lane[FEATURE_ID["more fakirs"]])
        + np.float32(2) * owns[DJINN_ID["Al-Amin"]]
    )
    palm = 3 + 2 * owns[DJINN_ID["Haurvatat"]].astype(np.float32)
    palace = np.full(len(batch), 5, dtype=np.float32)

    is_oasis, is_village = batch.tile_action == OASIS, batch.tile_action == VILLAGE
    tile = (
        batch.tile_vp
        + batch.palms * palm
        + batch.palaces * palace
        + is_oasis * by_lane[FEATURE_ID["oases"]]
        + is_village * by_lane[FEATURE_ID["villages"]]
        - by_lane[FEATURE_ID["camels"]]
    )
    tile = np.where((batch.camel == NONE) & (camels > 0), tile, np.float32(0))

    first_cards, card = _cards(batch, by_lane, hand, fakir)
    standing = batch.meeples.sum(axis=1, dtype=np.int16)
    taken = np.minimum(batch.meeples + _VISITS, MOST_TAKEN)
    cells = np.empty((COUNTED_VISITS, SQUARES, TRIBES, len(batch)), dtype=np.float32)
    cells[:, :, Tribe.VIZIER] = _viziers(batch, by_lane, mover, owns)[taken[:, :, Tribe.VIZIER], lanes]
    cells[:, :, Tribe.ELDER] = taken[:, :, Tribe.ELDER] * elder
    income = batch.blue_around * coin
    more = np.maximum(income - fakir, 0) * hand[0]
    cells[:, :, Tribe.BUILDER] = taken[:, :, Tribe.BUILDER] * income + more
    cells[:, :, Tribe.MERCHANT] = first_cards[np.minimum(taken[:, :, Tribe.MERCHANT], ROW_LENGTH), lanes]
    cells[:, :, Tribe.ASSASSIN] = _kills(batch, tile, standing, taken[:, :, Tribe.ASSASSIN], mover)

    claims = (standing[:, None] == batch.meeples) & (batch.camel == NONE)[:, None]
    owner = batch.camel
    mine = owner == mover
    theirs = (owner != NONE) & ~mine
    claimed = claims & (camels > 0)
    side = (mine[:, None] | claimed).astype(np.float32) - np.float32(0.5) * theirs[:, None]
    palms_left = batch.palms.sum(axis=0) < PALMS
    palaces_left = batch.palaces.sum(axis=0) < PALACES
    small, large = _markets(batch, card, coin, gold)
    small_tile, large_tile = batch.tile_action == SMALL_MARKET, batch.tile_action == LARGE_MARKET
    usual = small[0] * small_tile + large[0] * large_tile
    built = is_oasis * palm * palms_left + is_village * palace * palaces_left
    cells += claims * tile[:, None] + side * built[:, None] + usual[:, None]
    gone = np.minimum(taken[:, :, Tribe.MERCHANT], _MOST_GONE)
    later = small[gone, lanes] * small_tile + large[gone, lanes] * large_tile
    cells[:, :, Tribe.MERCHANT] += later - usual
    djinn = _djinns(batch, by_lane, owns, mover)
    usual, after = _sacred(djinn, elder, spent_elder, fakir, elders, hand[0], taken[:, :, Tribe.ELDER])
    sacred = batch.tile_action == SACRED_PLACE
    cells += (sacred * usual)[:, None]
    cells[:, :, Tribe.ELDER] += sacred * (after - usual)
    cells[~legal] = LOWEST
    return Prospects(cells, ends_from, tile, card, djinn, spent_elder, fakir, coin, palm, palace, by_lane)


def _coin(by_lane: Floats, gold: Ints) -> Floats:
    """What one more GC is worth, [lanes]."""
    first = np.where(gold < FIRST_GOLD_GC, by_lane[FEATURE_ID["gold"]], np.float32(0))
    following = np.where(
        (gold >= FIRST_GOLD_GC) & (gold < FIRST_GOLD_GC + NEXT_GOLD_GC), by_lane[FEATURE_ID["more gold"]], np.float32(0)
    )
    return np.asarray(1 + first + following, dtype=np.float32)


def _viziers(batch: Batch, by_lane: Floats, mover: Index, owns: Ints) -> Floats:
    """What taking so many viziers is worth, [0 to MOST_TAKEN, lanes] (rules 10.2)."""
    lanes = np.arange(len(batch))
    own = batch.viziers[mover, lanes]
    unsettled = unsettled_viziers(batch)
    counts = np.arange(MOST_TAKEN + 1)[:, None]
    one = 1 + 2 * owns[DJINN_ID["Jafaar"]] + by_lane[FEATURE_ID["viziers"]]
    worth = counts * one
    hope = by_lane[FEATURE_ID["majorities"]]
    after = np.maximum(unsettled - counts, 0).astype(np.float32)
    for seat in range(SEATS):
        other = (mover != seat) & (seat < batch.seats)
        if not other.any():
            continue
        lead = own - batch.viziers[seat] + counts
        # The others' majorities over the mover count against him, since margins are what is played for.
        sure = VP_FOR_FEWER_VIZIERS * (lead > 0)
        likely = VP_FOR_FEWER_VIZIERS * majority_chance(lead, after)
        points = sure + hope * (likely - sure)
        worth = worth + other * (points - points[0])
    return np.asarray(worth, dtype=np.float32)


def _set_worths(by_lane: Floats) -> tuple[Floats, Floats]:
    """What the largest and the next set of each size are worth with their options, [0 to 9, lanes] each."""
    none = np.zeros((1, by_lane.shape[1]), dtype=np.float32)
    first = np.concatenate([none, by_lane[:LARGEST_SET]]) + _PRICES[:, None]
    second = np.concatenate([none, by_lane[LARGEST_SET : 2 * LARGEST_SET]]) + _PRICES[:, None]
    return first, second


def _cards(batch: Batch, by_lane: Floats, hand: Ints, fakir: Floats) -> tuple[Floats, Floats]:
    """What the first cards of the row are worth, [0 to 9 cards, lanes], and one card of each kind, [card id, lanes]."""
    first, second = _set_worths(by_lane)
    lanes = np.arange(len(batch))
    goods = hand[1:].copy()
    levels = np.stack([(goods > level).sum(axis=0) for level in range(3)])
    card = np.empty((len(GOODS) + 1, len(batch)), dtype=np.float32)
    card[0] = fakir
    step_1 = first[np.minimum(levels[0] + 1, LARGEST_SET), lanes] - first[levels[0], lanes]
    step_2 = second[np.minimum(levels[1] + 1, LARGEST_SET), lanes] - second[levels[1], lanes]
    step_3 = _PRICES[np.minimum(levels[2] + 1, LARGEST_SET)] - _PRICES[levels[2]]
    # A third like good or a later one counts as a third: hands of four alike are rare.
    card[1:] = np.where(goods == 0, step_1, np.where(goods == 1, step_2, step_3))
    total = np.zeros((ROW_LENGTH + 1, len(batch)), dtype=np.float32)
    most = min(int(batch.meeples[:, Tribe.MERCHANT].max(initial=0)) + COUNTED_VISITS, ROW_LENGTH)
    for place in range(most):
        kind = batch.row[place]
        there = kind != NONE
        is_fakir = kind == 0
        good = np.maximum(kind - 1, 0)
        held = np.minimum(goods[good, lanes], 2)
        size = np.minimum(levels[held, lanes], LARGEST_SET)
        larger = np.minimum(size + 1, LARGEST_SET)
        gain = np.where(
            held == 0,
            first[larger, lanes] - first[size, lanes],
            np.where(held == 1, second[larger, lanes] - second[size, lanes], _PRICES[larger] - _PRICES[size]),
        )
        total[place + 1] = total[place] + np.where(there, np.where(is_fakir, fakir, gain), 0)
        added = (there & ~is_fakir).astype(np.int16)
        goods[good, lanes] += added
        levels[held, lanes] += added
    total[most + 1 :] = total[most]
    return total, card


def _kills(batch: Batch, tile: Floats, standing: Ints, taken: Ints, mover: Index) -> Floats:
    """What so many assassins bring from each end tile, [visits - 1, square, lanes] (rules 5.4, 5.5)."""
    lanes = np.arange(len(batch))
    lone = np.where(standing == 1, tile, np.float32(0))
    # The hand can leave one meeple on a bare tile on its way, and kill that.
    passed = _spread(np.where(standing == 0, tile * _PASSES, np.float32(0)))
    assassins = batch.meeples[:, Tribe.ASSASSIN]
    # What stands alone on the end tile with the assassins is in range as well.
    within = [np.where(standing - assassins == 1, tile, np.float32(0)), np.maximum(_spread(lone), passed)]
    most = min(int(taken.max(initial=0)), _MOST_REACH)
    while len(within) <= most:
        within.append(_spread(within[-1]))
    reach = np.minimum(taken, most)
    on_board = np.stack(within)[reach, _SQUARE_NUMBERS[:, None], lanes]
    np.maximum(on_board, within[0], out=on_board)
    # An assassin who stands alone is no victim for those who take him along.
    ends, at = np.nonzero((standing == 1) & (assassins == 1) & (tile > 0))
    for visit in range(COUNTED_VISITS):
        near = (reach[visit, ends, at] >= DISTANCE[ends].T) & (_SQUARE_NUMBERS[:, None] != ends)
        on_board[visit, ends, at] = np.maximum(np.where(near, lone[:, at], 0).max(axis=0), passed[ends, at])
    return np.asarray(np.maximum(on_board, in_front(batch, mover)[0]))


def _spread(values: Floats) -> Floats:
    """The largest value among each square and its orthogonal neighbours, [square, lanes]."""
    grid = values.reshape(ROWS, COLUMNS, -1)
    wider = grid.copy()
    np.maximum(wider[1:], grid[:-1], out=wider[1:])
    np.maximum(wider[:-1], grid[1:], out=wider[:-1])
    np.maximum(wider[:, 1:], grid[:, :-1], out=wider[:, 1:])
    np.maximum(wider[:, :-1], grid[:, 1:], out=wider[:, :-1])
    return wider.reshape(SQUARES, -1)


def in_front(batch: Batch, mover: Index) -> tuple[Floats, Ints, Ints]:
    """The best kill in front of an opponent: its worth, the seat and the tribe, [lanes] each (rules 5.4).

    The seat is NONE where nobody has anything unprotected.
    """
    lanes = np.arange(len(batch))
    own = batch.viziers[mover, lanes]
    best = np.full(len(batch), LOWEST, dtype=np.float32)
    seat_of = np.full(len(batch), NONE, dtype=np.int16)
    tribe_of = np.zeros(len(batch), dtype=np.int16)
    rivals = np.maximum(batch.seats - 1, 1).astype(np.float32)
    for seat in range(SEATS):
        open_to = (mover != seat) & (seat < batch.seats) & (batch.owns[seat, DJINN_ID["Boaz"]] == 0)
        # An opponent's loss counts as a share of it with several opponents; a majority won is the mover's own.
        won = VP_FOR_FEWER_VIZIERS * ((own == batch.viziers[seat]) + (own == batch.viziers[seat] - 1) / rivals)
        vizier = np.where(open_to & (batch.viziers[seat] > 0), 1 / rivals + won, LOWEST)
        elder = np.where(open_to & (batch.elders[seat] > 0), 2 / rivals, LOWEST)
        for worth, tribe in ((vizier, Tribe.VIZIER), (elder, Tribe.ELDER)):
            better = worth > best
            best = np.where(better, worth, best).astype(np.float32)
            seat_of = np.where(better, np.int16(seat), seat_of)
            tribe_of = np.where(better, np.int16(tribe), tribe_of)
    return np.maximum(best, 0), seat_of, tribe_of


def row_worths(row: Ints, card: Floats) -> Floats:
    """What each card of the row is worth to the mover, [place, lanes]; far below 0 where there is none."""
    worth = np.take_along_axis(card, np.maximum(row, 0).astype(np.intp), axis=0)
    return np.where(row == NONE, LOWEST, worth)


def _markets(batch: Batch, card: Floats, coin: Floats, gold: Ints) -> tuple[Floats, Floats]:
    """What small and large markets bring when so many first cards are gone, [gone, lanes] (rules 6.3, 6.4)."""
    worth = row_worths(batch.row, card)
    small = np.empty((_MOST_GONE + 1, len(batch)), dtype=np.float32)
    large = np.empty_like(small)
    for gone in range(_MOST_GONE + 1):
        offered = worth[gone : gone + OFFERED_LARGE]
        small[gone] = offered[:OFFERED_SMALL].max(axis=0)
        two = np.partition(offered, len(offered) - 2, axis=0)[-2:]
        large[gone] = np.maximum(two, 0).sum(axis=0)
    small = np.where(gold >= SMALL_PRICE_GC, np.maximum(small - SMALL_PRICE_GC * coin, 0), np.float32(0))
    large = np.where(gold >= LARGE_PRICE_GC, np.maximum(large - LARGE_PRICE_GC * coin, 0), np.float32(0))
    return small, large


def _djinns(batch: Batch, by_lane: Floats, owns: Ints, mover: Index) -> Floats:
    """What each face-up djinn is worth to the mover, [place, lanes]; far below 0 where there is none."""
    first = FEATURE_ID["djinn " + DJINN_NAMES[0]]
    worth = by_lane[first:] + DJINN_VP[:, None]
    lanes = np.arange(len(batch))
    worth[DJINN_ID["Jafaar"]] += 2 * batch.viziers[mover, lanes]
    worth[DJINN_ID["Shamhat"]] += 2 * batch.elders[mover, lanes]
    worth[DJINN_ID["Al-Amin"]] += 2 * batch.cards[mover, 0, lanes]
    own_palms = np.where(batch.camel == mover, batch.palms, 0).sum(axis=0)
    worth[DJINN_ID["Haurvatat"]] += 2 * own_palms
    ids = np.maximum(batch.face_up, 0).astype(np.intp)
    return np.where(batch.face_up == NONE, LOWEST, np.take_along_axis(worth, ids, axis=0))


def _sacred(
    djinn: Floats, elder: Floats, spent_elder: Floats, fakir: Floats, elders: Ints, fakirs: Ints, taken: Ints
) -> tuple[Floats, Floats]:
    """What sacred places bring, [lanes], and after elders were taken there, [visits - 1, square, lanes] (rules 6.5)."""
    best = djinn.max(axis=0)
    with_fakir = fakirs >= 1
    by_two = np.where(elders >= 2, best - 2 * spent_elder, LOWEST)
    by_fakir = np.where((elders >= 1) & with_fakir, best - spent_elder - fakir, LOWEST)
    usual = np.maximum(np.maximum(by_two, by_fakir), 0)
    # Elders captured in this very turn can pay (rules 5.1, 6.5).
    new_two = best - 2 * elder
    new_fakir = np.where(with_fakir, best - elder - fakir, LOWEST)
    alone, several = np.maximum(new_fakir, 0), np.maximum(np.maximum(new_two, new_fakir), 0)
    return usual, np.where(elders + taken >= 2, several, alone)
