"""Advice on a bid: every free spot valued by playing on (rules 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice, Budget, Estimate
from companion.advisor.explanation import explain_turn, fresh_turn
from companion.advisor.search.advise import estimate_of, left_over, win_probability, worlds_for
from companion.advisor.search.assume import asked_state
from companion.advisor.search.halving import Comparison, SearchClock, halve
from companion.advisor.search.leaf import Expected, turn_gains
from companion.rules.engine.scoring import result_of_game
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import PlaceBid, sowing_in
from companion.rules.model.components import SPOT_PRICES_GC, Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import Worlds, pack, turns_to_actions
from companion.simulation.evaluation import Floats, Weights, evaluate, fitted_weights
from companion.simulation.layout import NONE, Batch, Index, Ints
from companion.simulation.policy import PolicyTurns, finish_bidding, play_on
from companion.simulation.rounds import legal_bids, place_bid
from companion.simulation.unknowns import surely_held

_PILOT_WORLDS = 16
ROUNDS = 2
"""The round of the bid and the next."""
NOISE = 2.0
"""The temperature of the players' softmax while bids are tried, in VP."""


def advise_bid(
    position: Position | GameState,
    *,
    player: Colour | str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> BidAdvice:
    """Every bid that the player can make, best first, by `ROUNDS` rounds of playing on; else as `advise.advise`."""
    table = asked_state(position, player, seed, [Stage.BID], bidding=True)
    state = table.state
    if state.is_over:
        return BidAdvice(None, state.position, result=result_of_game(state))
    known = surely_held(state)
    limit = budget or Budget()
    root = pack([known], [0])
    clock = SearchClock(limit, stop, progress)
    worlds = Worlds.of(state, seed, worlds_for(limit))
    weights = fitted_weights(int(root.seats[0]))
    searched = search_bids(root, worlds, weights, clock)
    notes = tuple(left_over(clock))
    order = searched.comparison.order()
    purposes = _Purposes(state, known, weights, seed)
    bids = tuple(_advised(root, searched, order[0], number, purposes) for number in order)
    first, *others = bids
    ranked = (first, *sorted(others, key=lambda bid: bid.behind.value))
    return BidAdvice(
        known.mover,
        state.position,
        ranked,
        assumed=table.assumed,
        notes=notes,
        playouts=clock.played,
        seed=seed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class SearchedBids:
    """The legal bids, their comparison, and what came of each in the worlds that it met, [bids, worlds].

    `cells` is the turn that was bid for: square x TRIBES + tribe, NONE for none; `places` is which turn of the round
    that is, from 1, 0 where the bid was not tried; `wins` is the chance to win.
    """

    bids: list[PlaceBid]
    comparison: Comparison
    cells: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    wins: Floats


def search_bids(root: Batch, worlds: Worlds, weights: Weights, clock: SearchClock) -> SearchedBids:
    """Compare every legal bid of a batch of one lane in these worlds, for as long as the clock says."""
    legal = legal_bids(root, np.zeros(1, dtype=np.intp))[:, :, 0]
    bids = [PlaceBid(SPOT_PRICES_GC[place], int(fakirs)) for place, fakirs in np.argwhere(legal)]
    prices = np.array([bid.price for bid in bids], dtype=np.int16)
    paid = np.array([bid.fakirs for bid in bids], dtype=np.int16)
    cells = np.full((len(bids), worlds.size), NONE, dtype=np.int64)
    places, wins = np.zeros(cells.shape, dtype=np.int64), np.full(cells.shape, np.nan, dtype=np.float32)
    seat = int(root.mover[0])

    def sample(who: Index, where: Index) -> Floats:
        batch = worlds.draw_up_to(int(where[-1]) + 1).select(where)
        before = _alike(batch, seat, prices[who]).sum(axis=0)
        place_bid(batch, np.arange(len(batch)), prices[who], paid[who])
        clock.played += finish_bidding(batch, weights, noise=NOISE)
        place = _place(batch, seat, prices[who], before)
        bid_for = np.full(len(who), NONE, dtype=np.int64)
        turn = np.zeros(len(who), dtype=np.int64)

        def watch(at: Index, played: PolicyTurns, _: Index) -> None:
            turn[at] += 1
            its = turn[at] == place[at]
            bid_for[at[its]] = played.cells[its]

        clock.played += play_on(batch, weights, rounds=ROUNDS, noise=NOISE, watch=watch)
        expected = Expected.of(batch, weights)
        cells[who, where], places[who, where], wins[who, where] = bid_for, place, expected.chance(seat)
        return expected.margin(seat)

    if clock.seconds is not None:
        # A few playouts tell how fast they go here; they are played again in their place.
        few = np.arange(min(_PILOT_WORLDS, len(worlds.drawn)))
        sample(np.repeat(np.arange(len(bids)), len(few)), np.tile(few, len(bids)))
    lanes = max(len(bids) * 4, (clock.planned - clock.played) // _steps(root))
    comparison = halve(
        sample,
        len(bids),
        worlds.size,
        lanes=lanes,
        last=3,
        plan=clock.lanes_plan(),
        stop=clock.over,
        progress=clock.tell,
    )
    return SearchedBids(bids, comparison, cells, places, wins)


def _steps(root: Batch) -> int:
    """Some bids and turns of a playout."""
    bidding = int((root.bid_order[:, 0] != NONE).sum())
    markers = int((root.turn_seat[:, 0] != NONE).sum()) + bidding
    return bidding + markers + 2 * markers * (ROUNDS - 1)


def _alike(batch: Batch, seat: int, price: Ints) -> npt.NDArray[np.bool_]:
    """Which markers on the turn order track are a seat's, on spots of a price in GC, [spots, lanes]."""
    return np.asarray((batch.turn_seat == seat) & (batch.turn_price == price))


def _place(batch: Batch, seat: int, price: Ints, before: Index) -> npt.NDArray[np.int64]:
    """Which turn of the round a seat's marker on a spot of this price plays, from 1, [lanes], the first marker having
    left; of its zeros the first bid plays last (rules 3.2), `before` being there already.
    """
    alike = _alike(batch, seat, price)
    later = np.cumsum(alike[::-1], axis=0)[::-1]
    its = alike & (later == before + 1)
    return np.where(its.any(axis=0), its.argmax(axis=0) + 2, 1).astype(np.int64)


class _Purposes:
    """The best whole turn on the present board for each end tile and tribe: what a spot is bid for."""

    def __init__(self, asked: GameState, known: GameState, weights: Weights, seed: int) -> None:
        self._asked = replace(asked.position, to_move=known.mover)
        self._state = lone_turn(known.position)
        self._root = pack([self._state], [0])
        self._gains = turn_gains(self._root, seed=seed)
        self._values = evaluate(self._gains.after, weights)[int(self._root.mover[0])]

    def turn(self, cells: Sequence[int]) -> AdvisedTurn | None:
        """The turn that ends as most of these do; None where they name none, or none of them is possible now."""
        for cell, _ in Counter(cells).most_common():
            there = np.flatnonzero(self._gains.cells == cell)
            if there.size:
                column = int(there[self._values[there].argmax()])
                actions, open_ended = turns_to_actions(self._root, self._gains.turns, column, self._state)
                sowing = sowing_in(actions)
                gain = float(self._gains.gains[column])
                # Told on the board as it stands while the bids are open.
                explained = explain_turn(fresh_turn(self._asked, moves=sowing is not None), actions)
                return AdvisedTurn(
                    actions, sowing, gain=gain, estimate=Estimate(gain), explained=explained, open_ended=open_ended
                )
        return None


def _advised(root: Batch, searched: SearchedBids, best: int, one: int, purposes: _Purposes) -> AdvisedBid:
    bid, comparison = searched.bids[one], searched.comparison
    behind = Estimate(0.0, 0.0) if one == best else estimate_of(comparison.behind(best, one))
    value = estimate_of(comparison.by_difference(best, one))
    placed = root.turn_seat[:, 0] != NONE
    place = int((placed & (root.turn_price[:, 0] > bid.price)).sum()) + 1
    cells = [int(cell) for cell in searched.cells[one] if cell != NONE]
    places = Counter(int(at) for at in searched.places[one] if at)
    (likely, times), *_ = places.most_common(1) or [(place, 0)]
    return AdvisedBid(
        bid,
        value,
        place,
        behind,
        win=win_probability(searched.wins, best, one),
        plays=(likely, times / places.total()) if times else None,
        equal=one != best and behind.is_level,
        turn=purposes.turn(cells),
    )
