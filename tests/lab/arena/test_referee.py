"""One game between bots: by the rules, the same for its seed, and every fault named with where it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.errors import IllegalMoveError
from companion.lab.arena.bots import Bot, RandomBot
from companion.lab.arena.referee import SEED_BITS, PlayedGame, derived_seed, play_game
from companion.rules.engine.game import END_TURN, apply, legal_actions, step
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, Paid, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState, Stage
from tests.lab.arena import bots


def _play(one: Bot, players: int = 2, seed: int = 1) -> PlayedGame:
    return play_game([one, *(RandomBot() for _ in range(players - 1))], new_game(players, seed), seed)


def test_a_game_is_the_same_for_its_seed_save_for_the_time_it_took() -> None:
    for players in (2, 4):
        games = [
            replace(play_game([RandomBot() for _ in range(players)], new_game(players, seed), seed), seconds=())
            for seed in (1, 1, 2)
        ]
        assert games[0] == games[1] != games[2]
        assert sum(games[0].shares) == pytest.approx(1)
        assert games[0].colours == new_game(players, 1).position.colours


def test_a_game_ends_as_the_rules_play_it() -> None:
    """The same actions taken by hand with the same chance come to the same points."""
    taken: list[Action] = []

    class Noting(RandomBot):
        def decide(self, view: GameState, seed: int) -> Sequence[Action]:
            actions = super().decide(view, seed)
            taken.extend(actions)
            return actions

    played = play_game([Noting(), Noting(), Noting()], new_game(3, 4), 9)
    state, chance = new_game(3, 4), SampledChance(Random(derived_seed(9, "chance")))
    for action in taken:
        assert action in legal_actions(state)
        state = step(state, action, chance).state
    assert state.is_over
    points = score(state.position)
    assert played.points == tuple(points[colour].total for colour in played.colours)
    assert played.ending is state.ending
    assert sum(played.decisions) == len(taken)


def test_tied_players_share_the_win() -> None:
    games = [_play(bots.Plain(skip), seed=seed) for skip in range(3) for seed in range(3)]
    for game in games:
        first = [points == max(game.points) for points in game.points]
        assert game.shares == tuple(1 / sum(first) if won else 0.0 for won in first)


def test_a_fault_names_the_bot_the_seed_and_the_position() -> None:
    with pytest.raises(IllegalMoveError, match="square 31 is not on the board") as caught:
        _play(bots.Illegal(), seed=7)
    assert re.match(r".*Illegal.*, (blue|pink), game with seed 7, position FT1-\w+$", caught.value.__notes__[0])


def test_what_comes_after_a_draw_is_left_out() -> None:
    """A turn cannot end where it begins, so that END_TURN after Sloar's card would be a fault if it were played."""
    state = new_game(2, 1)
    while state.stage is Stage.BID:
        state = apply(state, legal_actions(state)[0])
    assert state.mover is not None
    player = replace(state.player(state.mover), djinns=("Sloar",), fakirs=1)
    state = replace(state, position=state.position.with_player(player))
    views: list[GameState] = []

    class Drawing(RandomBot):
        def decide(self, view: GameState, seed: int) -> Sequence[Action]:
            views.append(view)
            return (UsePower(Paid("Sloar", 0, 1)), END_TURN) if len(views) == 1 else super().decide(view, seed)

    play_game([Drawing(), Drawing()], state, 1)
    before, after = (view.player(player.colour) for view in views[:2])
    assert (before.fakirs, sum(before.goods or ())) == (1, 0)
    assert (after.fakirs or 0) + sum(after.goods or ()) == 1
    assert views[1].stage is Stage.MOVE


def test_derived_seeds_are_the_same_everywhere() -> None:
    assert derived_seed(1, "bot", 0, 0) == 127576369164834
    seeds = {derived_seed(*parts) for parts in [(1,), (2,), (1, 1), (11,), ("a", 1), (1, "a")]}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**SEED_BITS for seed in seeds)
