"""The bot `greedy`: nothing gains more at once than what it plays, and its bids are what turns are worth to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.lab.arena import greedy
from companion.lab.arena.greedy import SHARE_OF_GAIN, GreedyBot, gains_by_end
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import EndTurn, Paid, PlaceBid, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Colour, TileAction
from companion.rules.model.position import Bid
from companion.rules.model.state import GameState, Stage
from tests.advisor.gains import best_turns


def _states(stage: Stage, players: int, seed: int, games: int = 3) -> Iterator[GameState]:
    """States of a stage in random games, some of each."""
    for game in range(games):
        random = Random(1000 * seed + game)
        state, chance = new_game(players, 10 * seed + game), SampledChance(random)
        while not state.is_over:
            if state.stage is stage and random.random() < 0.2:
                yield state
            options = legal_actions(state)
            state = apply(state, options[int(random.random() * len(options))], chance)


def _played(state: GameState, seed: int = 0) -> GameState:
    """The state just before the turn ends, the bot asked again after each draw."""
    mover, chance = state.mover, SampledChance(Random(seed))
    while True:
        for action in GreedyBot().decide(state, seed):
            if isinstance(action, EndTurn):
                assert state.mover is mover
                return state
            state = apply(state, action, chance)


def test_a_turn_gains_what_the_best_hint_says_or_more() -> None:
    for state in _states(Stage.MOVE, 3, 3, games=1):
        assert state.mover is not None
        gain = score(_played(state).position)[state.mover].total - score(state.position)[state.mover].total
        found = best_turns(state, 1)
        if found and not found[0].explained.possible:
            assert gain >= found[0].gain


def _turn_with(djinn: str, elders: int, fakirs: int) -> GameState:
    state = next(_states(Stage.MOVE, 3, 5))
    assert state.mover is not None
    player = replace(state.player(state.mover), djinns=(djinn,), elders=elders, fakirs=fakirs)
    return replace(state, position=state.position.with_player(player))


def test_a_power_is_paid_for_where_it_gains() -> None:
    state = _turn_with("Bouraq", 4, 0)
    assert state.mover is not None
    village = next(square for square, tile in enumerate(state.position.board) if tile.kind.action is TileAction.VILLAGE)
    board = list(state.position.board)
    board[village] = replace(board[village], camel=state.mover)
    state = replace(state, position=state.position.with_board(tuple(board)))
    actions = GreedyBot().decide(state, 0)
    # A palace on an own village is 5 VP for an elder's 2.
    assert UsePower(Paid("Bouraq", 1, 0), village) in actions


def test_a_bid_leaves_most_of_nine_tenths_of_the_gain_of_its_place() -> None:
    spots = set()
    for state in _states(Stage.BID, 3, 7, games=2):
        assert state.mover is not None
        gains = [*gains_by_end(state, 0), *[0.0] * 9]
        player = state.player(state.mover)
        (bid,) = GreedyBot().decide(state, 0)
        assert isinstance(bid, PlaceBid)
        if bid.fakirs or "Kumarbi" in (player.djinns or ()):
            continue
        worths = {
            option.price: SHARE_OF_GAIN * gains[_place(state, option)] - min(option.price, player.gold or 0)
            for option in legal_actions(state)
            if isinstance(option, PlaceBid)
        }
        assert worths[bid.price] == pytest.approx(max(worths.values()))
        spots.add(bid.price)
    assert len(spots) > 1


def _place(state: GameState, bid: PlaceBid) -> int:
    """How many play before that marker if nobody bids after it: whose spots are dearer (rules 3.2, 3.3)."""
    dearer = [other for other in state.position.turn_order or () if other.price > bid.price]
    if state.position.bid_order is not None and len(state.position.bid_order) > 1:
        order = apply(state, bid).position.turn_order or ()
        assert list(order[: len(dearer) + 1]) == [*dearer, Bid(_bidder(state), bid.price)]
    return len(dearer)


def _bidder(state: GameState) -> Colour:
    assert state.mover is not None
    return state.mover


def test_what_is_drawn_counts_as_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sibittis costs two elders and brings the dearest of three djinns, drawn in worlds of the bot's own."""
    state = _turn_with("Sibittis", 4, 0)
    spread = []
    for samples in (1, 24):
        monkeypatch.setattr(greedy, "SAMPLES", samples)
        found = [gains_by_end(state, seed)[0] for seed in range(0, 400, 100)]
        spread.append(max(found) - min(found))
    assert spread[1] < spread[0] / 3
