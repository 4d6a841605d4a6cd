"""The bots `one-ply` and `best`: whole games by the rules, the same for their seed, and better than nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.advice import Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.errors import UsageError
from companion.lab.arena.bots import BestBot, OnePlyBot, make_bot
from companion.lab.arena.results import run_tournament
from companion.lab.arena.tournament import Fixture, Tournament, play_fixture
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import EndTurn, PlaceBid
from companion.rules.model.state import GameState, Stage
from tests.lab.arena.bots import Plain


def test_whole_games_are_played_by_the_rules_and_alike_for_their_seed() -> None:
    tournament = Tournament(("one-ply", "random", "random"), 1, 6)
    plain = [replace(play_fixture(tournament, Fixture(0, 1)).played, seconds=()) for _ in range(2)]
    assert plain[0] == plain[1]
    assert plain[0].shares[1] == 1


@pytest.mark.slow
def test_one_ply_is_better_than_greedy(tmp_path: Path) -> None:
    assert (
        run_tournament(Tournament(("one-ply", "greedy"), 2, 1), tmp_path / "games.jsonl").figures()[0].margin.mean > 0
    )


def _at_a_turn() -> GameState:
    state = new_game(3, 2)
    while state.stage is Stage.BID:
        state = apply(state, legal_actions(state)[0])
    return state


def test_best_plays_what_the_advisor_puts_first() -> None:
    state, budget = _at_a_turn(), Budget(200)
    assert tuple(BestBot(200).decide(state, 5)) == advise(state, top=1, budget=budget, seed=5).turns[0].actions
    state = new_game(3, 8)
    assert tuple(BestBot(200).decide(state, 5)) == (advise_bid(state, budget=budget, seed=5).bids[0].bid,)


def test_a_turn_is_whole_and_a_bid_is_one() -> None:
    for bot in (OnePlyBot(), BestBot(playouts=60)):
        state = _at_a_turn()
        actions = bot.decide(state, 1)
        for action in actions:
            state = apply(state, action)
        assert isinstance(actions[-1], EndTurn)
        (bid,) = bot.decide(new_game(4, 3), 1)
        assert isinstance(bid, PlaceBid)


def test_bots_have_names_and_options() -> None:
    assert isinstance(make_bot("one-ply"), OnePlyBot)
    best = make_bot("best:playouts=500,seconds=0.5")
    assert isinstance(best, BestBot) and best.budget == Budget(500, 0.5)
    plain = make_bot("tests.lab.arena.bots:Plain:skip=2")
    assert isinstance(plain, Plain) and plain.skip == 2
    for spec in ("gready", "", ":"):
        with pytest.raises(UsageError, match="random, greedy, .*MODULE:CLASS"):
            make_bot(spec)
