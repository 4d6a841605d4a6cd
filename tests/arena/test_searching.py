"""The bots `one-ply` and `best`: whole games by the rules, the same for their seed, and better than nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.search.advise import advise
from companion.arena.bots.best import BestBot
from companion.arena.bots.one_ply import OnePlyBot
from companion.arena.referee import play_game
from companion.arena.registry import make_bot
from companion.arena.schedule import Fixture, Tournament, play_fixture
from companion.arena.tournament import run_tournament
from companion.errors import UsageError
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.start import new_game
from companion.rules.model.actions import EndTurn, PlaceBid
from companion.rules.model.state import GameState, Stage

QUICK = "best:playouts=12,turns=6,sowings=1,finalists=2"


@pytest.mark.parametrize("name", ["one-ply", QUICK])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_are_played_by_the_rules_and_alike_for_their_seed(name: str, players: int) -> None:
    tournament = Tournament((name, *["random"] * (players - 1)), 1, 6, promo=True)
    games = [play_fixture(tournament, Fixture(0, 1)) for _ in range(2)]
    plain = [replace(game.played, seconds=()) for game in games]
    assert plain[0] == plain[1]
    assert plain[0].shares[1] == 1


def test_one_ply_is_better_than_greedy() -> None:
    assert run_tournament(Tournament(("one-ply", "greedy"), 2, 1)).figures()[0].margin.mean > 0


def _at_a_turn() -> GameState:
    state = new_game(3, 2)
    while state.stage is Stage.BID:
        state = apply(state, legal_actions(state)[0])
    return state


def test_best_plays_what_the_advisor_puts_first() -> None:
    state = _at_a_turn()
    bot = BestBot(playouts=200)
    assert tuple(bot.decide(state, 5)) == advise(state, budget=bot.turn_budget, seed=5).turns[0].actions


@pytest.mark.parametrize("bot", [OnePlyBot(), BestBot(playouts=60)], ids=["one-ply", "best"])
def test_a_turn_is_whole_and_a_bid_is_one(bot: OnePlyBot | BestBot) -> None:
    state = _at_a_turn()
    actions = bot.decide(state, 1)
    for action in actions:
        state = apply(state, action)
    assert isinstance(actions[-1], EndTurn)
    (bid,) = bot.decide(new_game(4, 3), 1)
    assert isinstance(bid, PlaceBid)


def test_a_game_may_begin_anywhere() -> None:
    played = play_game([OnePlyBot(), OnePlyBot(), OnePlyBot()], _at_a_turn(), 4)
    assert sum(played.shares) == pytest.approx(1)


@pytest.mark.parametrize("option", ["playouts=0", "playouts=-5", "rounds=0", "turns=0.5", "depth=3", "playouts=many"])
def test_options_that_no_search_can_have_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=r"the bot best has no option '\S+'; its options: playouts \(best replies"):
        make_bot(f"best:{option}")
