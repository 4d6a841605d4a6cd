"""Every whole turn of the mover that differs in what matters (rules 4 to 7, 11)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.rules.engine.tile_actions import MARKETS, Market
from companion.rules.model.board import SURROUNDINGS
from companion.rules.model.components import SPOT_PRICES_GC, Tribe
from companion.simulation.candidates import (
    Candidates,
    Mover,
    best_columns,
    joined,
    paying,
    sowing_columns,
)
from companion.simulation.djinns import DIVERTING, DJINN_VP, PAID_DJINNS, PAID_PALACES, PAID_VIZIERS, PAYMENTS
from companion.simulation.kills import kill_columns
from companion.simulation.layout import (
    ACTION_ID,
    CLOSE,
    FAKIR_ID,
    MOVE,
    NONE,
    SACRED_PLACE,
    SALES,
    SET_PRICES,
    VILLAGE,
    Batch,
    Index,
    Turns,
    Wide,
)
from companion.simulation.own_powers import power_columns
from companion.simulation.sowings import with_sowings

MAX_BASKETS = 3
"""Purchases on a large market that are tried after each kill; after other tribes' actions it is all of them."""

DEAREST_SPOT = max(SPOT_PRICES_GC)
"""GC; who has as much after a turn can bid anything without selling."""

DJINN_PAYMENTS = ((2, 0), (1, 1))
"""The ways to pay for a djinn on a sacred place, as elders and fakirs (rules 6.5)."""

SOLD_TURNS = 60
"""Turns that a sale is tried with where gold is short: those that gain most."""


def tribe_columns(mover: Mover, sown: Candidates) -> Candidates:
    """A column for each way in which viziers, elders, merchants and builders can act (rules 5.1 to 5.3).

    Builders are helped by no fakir, by one, by all but one, and by all, where that brings anything.
    """
    taken = sown.count
    sown.viziers += np.where(sown.tribe == Tribe.VIZIER, taken, 0)
    sown.elders += np.where(sown.tribe == Tribe.ELDER, taken, 0)
    if mover.owns[PAID_VIZIERS]:
        sown.gold += np.where(sown.tribe == Tribe.VIZIER, taken, 0)
    _take_cards(mover, sown)
    builders = np.nonzero(sown.tribe == Tribe.BUILDER)[0]
    if not len(builders):
        return sown
    blue = mover.root.blue_around[sown.end[builders], 0].astype(np.int32) * mover.root.factor[0]
    most = int(mover.hand[FAKIR_ID])
    parts = [sown]
    for fakirs in sorted({1, most - 1, most} - {0, -1} if most else set()):
        helped = sown.select(builders[blue > 0])
        helped.fakirs[:] = fakirs
        helped.hand[FAKIR_ID] -= fakirs
        parts.append(helped)
    candidates = joined(parts)
    building = candidates.tribe == Tribe.BUILDER
    income = (
        (candidates.count + candidates.fakirs)
        * mover.root.blue_around[np.maximum(candidates.end, 0), 0]
        * mover.root.factor[0]
    )
    candidates.income += np.where(building, income, 0)
    candidates.gold += np.where(building, income, 0)
    return candidates


def _take_cards(mover: Mover, sown: Candidates) -> None:
    merchants = np.nonzero(sown.tribe == Tribe.MERCHANT)[0]
    sown.taken[merchants] = np.minimum(sown.count[merchants], len(mover.row))
    for place, card in enumerate(mover.row):
        sown.hand[card, merchants] += sown.taken[merchants] > place


def tile_columns(mover: Mover, acted: Candidates) -> Candidates:
    """A column for each choice on the end tile that differs in what it gives (rules 6)."""
    kind = mover.root.tile_action[acted.end, 0]
    parts = [acted]
    for action, market in MARKETS.items():
        at = np.nonzero((kind == ACTION_ID[action]) & (acted.gold >= market.price))[0]
        for taken in np.unique(acted.taken[at]).tolist():
            offered = mover.row[taken:][: market.among]
            parts.extend(_bought(acted, at[acted.taken[at] == taken], market, offered))
    parts.extend(_djinns(mover, acted, np.nonzero(kind == SACRED_PLACE)[0]))
    _build(mover, acted, kind)
    parts.extend(_diverted(mover, acted, kind))
    return joined(parts)


def _bought(acted: Candidates, at: Index, market: Market, offered: list[int]) -> list[Candidates]:
    """Columns of purchases, each basket of cards once."""
    baskets: dict[tuple[int, ...], tuple[int, ...]] = {}
    for places in combinations(range(len(offered)), min(market.gives, len(offered))) if offered else ():
        baskets.setdefault(tuple(sorted(offered[place] for place in places)), places)
    parts = []
    killed = acted.tribe[at] == Tribe.ASSASSIN
    for number, (cards, places) in enumerate(sorted(baskets.items(), key=lambda one: _common(one[0]))):
        candidates = acted.select(at if number < MAX_BASKETS else at[~killed])
        candidates.gold -= market.price
        for place, (card, where) in enumerate(zip(cards, places, strict=True)):
            candidates.hand[card] += 1
            candidates.bought[place] = where
        parts.append(candidates)
    return parts


def _common(cards: tuple[int, ...]) -> int:
    """Goods come by rarity, the rarest first (layout.CARDS); fakirs count as the most common."""
    return sum(card if card != FAKIR_ID else 10 for card in cards)


def _djinns(mover: Mover, acted: Candidates, at: Index) -> list[Candidates]:
    """Columns in which a face-up djinn is taken, for two elders or for an elder and a fakir (rules 6.5)."""
    there, parts = acted.select(at), []
    for djinn in mover.root.face_up[:, 0].tolist():
        if djinn != NONE:
            for fakirs, _, candidates in paying(there, DJINN_PAYMENTS):
                candidates.djinn[:], candidates.djinn_fakir[:] = djinn, fakirs
                candidates.points += DJINN_VP[djinn]
                candidates.gold += mover.owns[PAID_DJINNS]
                parts.append(candidates)
    return parts


def is_own(mover: Mover, candidates: Candidates, squares: Wide) -> npt.NDArray[np.bool_]:
    """Where a square, one for each column, is the mover's by then."""
    return np.asarray(mover.own[squares] | (candidates.claimed == squares).any(axis=0))


def _build(mover: Mover, acted: Candidates, kind: Wide) -> None:
    """Put palms and palaces on end tiles, in place (rules 6.1, 6.2)."""
    for action, left, worth in mover.supplies:
        if left > 0:
            built = kind == action
            acted.points += np.where(built & is_own(mover, acted, acted.end), worth, 0)
            if action == VILLAGE and mover.owns[PAID_PALACES]:
                acted.gold += built


def _diverted(mover: Mover, acted: Candidates, kind: Wide) -> list[Candidates]:
    """Columns in which the palm or palace of a foreign end tile is put on an own one instead (rules 11.5)."""
    parts = []
    for action, left, worth in mover.supplies:
        djinn = DIVERTING[action]
        if left <= 0 or not mover.can_use(djinn):
            continue
        at = np.nonzero((kind == action) & ~is_own(mover, acted, acted.end))[0]
        onto = own_neighbours(mover, acted, at)
        for fakirs, able, candidates in paying(acted.select(at), PAYMENTS[djinn], onto != NONE):
            candidates.divert[:], candidates.onto[:] = fakirs, onto[able]
            candidates.points += worth
            parts.append(candidates)
    return parts


def own_neighbours(mover: Mover, candidates: Candidates, at: Index) -> Wide:
    """A tile of the mover's around the end tile of each of these columns, NONE where there is none."""
    onto = np.full(len(at), NONE, dtype=np.int32)
    for place in range(8):
        around = _AROUND[candidates.end[at], place]
        claimed = (candidates.claimed[:, at] == around).any(axis=0)
        onto = np.where((around != NONE) & (mover.own[around] | claimed), around, onto)
    return onto


_AROUND = np.array([[*squares, *(NONE,) * (8 - len(squares))] for squares in SURROUNDINGS], dtype=np.int32)


def sale_columns(mover: Mover, candidates: Candidates) -> Candidates:
    """The same columns, and more with goods sold, largest sets first, for a bid that gold is short of (rules 7.1)."""
    short = np.nonzero((candidates.gold < DEAREST_SPOT) & (candidates.hand[1:].sum(axis=0) > 1))[0]
    if not len(short):
        return candidates
    gains = mover.gains(candidates)[short]
    sold = candidates.select(short[np.argsort(-gains, kind="stable")[:SOLD_TURNS]])
    bits = 1 << np.arange(len(sold.hand) - 1)
    for place in range(SALES):
        goods = sold.hand[1:] > 0
        sold.sale[place] = (goods * bits[:, None]).sum(axis=0)
        sold.gold += SET_PRICES[goods.sum(axis=0)]
        sold.hand[1:] -= goods
    return joined([candidates, sold])


MAX_TURNS = 6000


def whole_turns(root: Batch, *, seed: int = 0) -> Turns:
    """The whole turns of the mover of a batch of one lane, at the beginning of the turn (stage MOVE or CLOSE).

    It has each outcome of moving meeples (start, end, tribe, number taken, end tile emptied or not), with each choice
    that the outcome allows and that isn't plainly worse than another: see `tribe_columns`, `kill_columns`,
    `tile_columns`, `power_columns` and `sale_columns`. Hands of more than `MAX_HAND` meeples are not moved. For each
    turn one legal sowing is drawn by `seed`. Of more than `MAX_TURNS` turns those stay that gain most at once, and
    the best of each outcome. Raises ValueError at any other stage.
    """
    if root.stage[0] not in (MOVE, CLOSE):
        raise ValueError("turns are enumerated from their beginning")
    random = np.random.default_rng(seed)
    mover = Mover(root, random)
    if root.stage[0] == CLOSE:
        return sale_columns(mover, power_columns(mover, mover.begin(1))).turns()
    sown = sowing_columns(mover)
    is_killing = sown.tribe == Tribe.ASSASSIN
    acted = joined([tribe_columns(mover, sown.select(~is_killing)), kill_columns(mover, sown.select(is_killing))])
    mover.add_pay_for_drops(acted)
    candidates = power_columns(mover, tile_columns(mover, acted))
    candidates = sale_columns(mover, candidates)
    if len(candidates) > MAX_TURNS:
        gains = mover.gains(candidates) + random.random(len(candidates))
        candidates = candidates.select(best_columns(candidates, gains, MAX_TURNS))
    return with_sowings(mover, candidates)
