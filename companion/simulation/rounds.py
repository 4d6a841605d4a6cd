"""Rounds of many games at once: bids, how turns begin and end, clean-up, the end of the game (rules 3, 4.1, 8, 9)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.rules.engine.rounds import ZERO_SPOTS
from companion.rules.model.board import SQUARES
from companion.rules.model.components import BID_SPOTS, SPOT_PRICES_GC
from companion.simulation import decks
from companion.simulation.djinns import LOWERING_BIDS
from companion.simulation.layout import (
    BID,
    CLOSE,
    END,
    FAKIR_ID,
    MAX_TABLED_HAND,
    MOVE,
    NO_MOVE,
    NONE,
    NOT_ENDING,
    SQUARE_BITS,
    Batch,
    Index,
    Ints,
)
from companion.simulation.walks import end_masks

Bools = npt.NDArray[np.bool_]

_PRICES: Ints = np.array(SPOT_PRICES_GC, dtype=np.int16)
_PLACE: Ints = np.full(max(SPOT_PRICES_GC) + 1, NONE, dtype=np.int16)
_PLACE[_PRICES] = np.arange(len(SPOT_PRICES_GC))
"""The place of each price in the price list."""
_SPOTS = np.arange(BID_SPOTS)[:, None]
_FAKIRS = np.arange(len(SPOT_PRICES_GC))
_LOWERED: Ints = _PRICES[np.maximum(np.arange(len(SPOT_PRICES_GC))[:, None] - _FAKIRS, 0)]
"""What is paid for a spot, [place in the price list, fakirs discarded] (rules 11.8)."""
_POSSIBLE: Bools = np.arange(len(SPOT_PRICES_GC))[:, None] >= _FAKIRS


def free_spots(batch: Batch, at: Index) -> Bools:
    """Which prices of the price list can be chosen, [prices, n] (rules 3.1, 3.2)."""
    taken = batch.turn_price[:, at] == _PRICES[:, None, None]
    most = np.where(_PRICES == 0, ZERO_SPOTS, 1)[:, None]
    return np.asarray(taken.sum(axis=1) < most)


def legal_bids(batch: Batch, at: Index) -> Bools:
    """Every bid that can be made, [place in the price list, fakirs discarded, n] (rules 3.1, 3.4, 11.8)."""
    mover = batch.mover[at]
    free = free_spots(batch, at)
    fakirs = batch.cards[mover, FAKIR_ID, at] * (batch.owns[mover, LOWERING_BIDS, at] > 0)
    legal = free[:, None] & _POSSIBLE[:, :, None] & (_FAKIRS[:, None] <= fakirs)
    legal &= _LOWERED[:, :, None] <= batch.gold[mover, at]
    poor = np.nonzero(~legal.any(axis=(0, 1)))[0]
    legal[free[:, poor].argmax(axis=0), 0, poor] = True
    return np.asarray(legal)


def place_bid(batch: Batch, at: Index, price: Ints, fakirs: Ints) -> None:
    """Pay for legal bids of these prices in GC, less for `fakirs`; the last begins a turn (rules 3, 11.8)."""
    if not len(at):
        return
    bidder = batch.mover[at]
    gold = batch.gold[bidder, at]
    batch.gold[bidder, at] = gold - np.minimum(_LOWERED[_PLACE[price], fakirs], gold)
    if fakirs.any():
        batch.cards[bidder, FAKIR_ID, at] -= fakirs
        batch.discards[FAKIR_ID, at] += fakirs
    # A dearer spot plays first; of the zeros, the last to come plays first (rules 3.2, 3.3).
    prices, seats = batch.turn_price[:, at], batch.turn_seat[:, at]
    place = (prices > price).sum(axis=0)
    # Markers from the new one's place on move one spot along, in all lanes at once.
    for field, old, new in ((batch.turn_price, prices, price), (batch.turn_seat, seats, bidder)):
        track = old.copy()
        np.copyto(track[1:], old[:-1], where=place < _SPOTS[1:])
        np.copyto(track, new, where=place == _SPOTS, casting="same_kind")
        field[:, at] = track
    order = _without_first(batch.bid_order[:, at])
    batch.bid_order[:, at] = order
    batch.clock[at] += 1
    bidding = order[0] != NONE
    batch.mover[at[bidding]] = order[0, bidding]
    begin_turn(batch, at[~bidding])


def _without_first(track: Ints) -> Ints:
    """Markers of a track after the first has left it."""
    left = np.full_like(track, NONE)
    left[:-1] = track[1:]
    return left


def begin_turn(batch: Batch, at: Index) -> None:
    """The first marker of the turn order track goes to the bid order track; its turn begins (rules 4.1, 9.2)."""
    if not len(at):
        return
    order = batch.turn_seat[:, at]
    mover = order[0]
    batch.turn_seat[:, at] = _without_first(order)
    batch.turn_price[:, at] = _without_first(batch.turn_price[:, at])
    batch.bid_order[(batch.bid_order[:, at] != NONE).sum(axis=0), at] = mover
    batch.mover[at] = mover
    batch.clock[at] += 1
    _forget_turn(batch, at)
    batch.stage[at] = MOVE
    stuck = at[~has_legal_sowing(batch, at)]
    if len(stuck):
        batch.stage[stuck] = CLOSE
        batch.ending[stuck[batch.ending[stuck] == NOT_ENDING]] = NO_MOVE


def _forget_turn(batch: Batch, at: Index) -> None:
    """Nothing has happened yet in a turn that begins, and nothing in none."""
    batch.used[:, at] = 0
    batch.income[at] = 0
    batch.factor[at] = 1
    batch.end[at] = NONE
    batch.tribe[at] = NONE
    batch.count[at] = 0
    batch.drawn[:, at] = NONE
    batch.resume[at] = 0


def end_turn(batch: Batch, at: Index) -> None:
    """After a turn: the next one, or after the round's last the clean-up or the end of the game (rules 8, 9)."""
    waiting = batch.turn_seat[0, at] != NONE
    begin_turn(batch, at[waiting])
    over = at[~waiting]
    if not len(over):
        return
    last = batch.ending[over] != NOT_ENDING
    ended = over[last]
    _forget_turn(batch, ended)
    batch.stage[ended] = END
    next_round = over[~last]
    clean_up(batch, next_round)
    _open_bidding(batch, next_round)


def _open_bidding(batch: Batch, at: Index) -> None:
    """A new round: the first marker of the bid order track bids (rules 3.1)."""
    _forget_turn(batch, at)
    batch.stage[at] = BID
    batch.mover[at] = batch.bid_order[0, at]


def clean_up(batch: Batch, at: Index) -> None:
    """Refill the row, then the djinns (rules 8.1)."""
    if not len(at):
        return
    for shown, deck in ((batch.row, decks.CARD_DECK), (batch.face_up, decks.DJINN_DECK)):
        lying = shown[:, at]
        held = (lying != NONE).sum(axis=0, dtype=np.int16)
        cards, top, size = decks.top_up(batch, at, deck, np.int16(len(shown)) - held)
        more = np.arange(len(shown), dtype=np.int16)[:, None] - held
        place = top[at] + more
        drawn = (more >= 0) & (place < size[at])
        shown[:, at] = np.where(drawn, cards[np.where(drawn, place, 0), at], lying)
        top[at] += drawn.sum(axis=0, dtype=np.int16)


def has_legal_sowing(batch: Batch, at: Index) -> Bools:
    """Whether any legal sowing exists, [n] (rules 4.6, 9.2)."""
    if 2 * len(at) > len(batch):
        # To look at all boards is quicker than to copy most of them.
        return _any_sowing(batch.meeples)[at]
    return _any_sowing(np.take(batch.meeples, at, axis=2))


def _any_sowing(meeples: Ints) -> Bools:
    """Whether any legal sowing exists on boards [squares, tribes, n]."""
    sizes = meeples.sum(axis=1, dtype=np.int16)
    # Where nearly all boards have a move, one large hand shows it; the rest are tried square by square.
    can_move = _can_sow(meeples, sizes, sizes.argmax(axis=0))
    doubtful = np.nonzero(~can_move)[0]
    for start in range(SQUARES) if len(doubtful) else ():
        can_move[doubtful] |= _can_sow(meeples[:, :, doubtful], sizes[:, doubtful], np.full(len(doubtful), start))
    return can_move


def _can_sow(meeples: Ints, sizes: Ints, start: Index) -> Bools:
    """Whether the hands of these squares can be sown to a legal end, [n] (rules 4.5)."""
    lanes = np.arange(len(start))
    hand = meeples[start, :, lanes].T
    size = sizes[start, lanes]
    once, again = end_masks()[:, start, np.where(size > MAX_TABLED_HAND, MAX_TABLED_HAND - (size & 1), size)]
    # The last meeple lands on one of its tribe that stands there, or on one that the hand has dropped.
    met = ((meeples > 0) & (hand > 0)).any(axis=1) & ((once | again) & SQUARE_BITS[:, None] != 0)
    return np.asarray(met.any(axis=0) | ((again != 0) & (hand > 1).any(axis=0)))
