"""Random games, also checked after every action: what the box holds, and what rules 4.8, 9 and 11 promise."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.rules.engine.game import Step, legal_actions, step
from companion.rules.engine.legality import problems
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, ActTribe, Drop, Lift, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import CARD_COUNTS
from companion.rules.model.state import Ending, GameState, Stage


def random_choice(random: Random, state: GameState, options: tuple[Action, ...], *, eager: bool = False) -> Action:
    """One of the options; most sowings begin soon, so that not every elder goes into a power at once.

    An eager player claims tiles wherever possible, which makes games end by a last camel.
    """
    if state.stage is Stage.MOVE and random.random() < 0.5:
        options = tuple(option for option in options if isinstance(option, Lift)) or options
    if eager:
        options = tuple(option for option in options if _claims(state, option)) or options
    return options[int(random.random() * len(options))]


def _claims(state: GameState, option: Action) -> bool:
    """Whether an action empties a tile without a camel, or is likely to lead there."""
    match option:
        case Lift():
            return sum(state.position.board[option.square].meeples) <= 2
        case Drop() if state.progress.hand is not None and sum(state.progress.hand.left) == 1:
            tile = state.position.board[option.square]
            return tile.camel is None and sum(tile.meeples) == tile.meeples[option.tribe]
        case ActTribe() if option.choice.victim is not None and option.choice.victim.square is not None:
            tile = state.position.board[option.choice.victim.square]
            return tile.camel is None and sum(tile.meeples) == len(option.choice.victims)
        case UsePower():
            return option.paid.djinn in ("Leta", "Utug")
        case _:
            return False


def _check(before: GameState, state: GameState) -> None:
    """Every promise, after one action."""
    position = state.position
    assert problems(position) == [], "1, 2"
    for player in position.players:
        assert min(player.gold, player.viziers, player.elders, player.fakirs, *player.goods) >= 0, "3.4, 6.3, 11"
    for old, new in zip(before.position.board, position.board, strict=True):
        assert old.camel is None or new.camel is old.camel, "4.8"
    known = len(position.row) + len(position.discards) + sum(p.fakirs + sum(p.goods) for p in position.players)
    assert known <= sum(CARD_COUNTS.values()), "1.4"
    djinns = [*position.djinns, *state.djinn_discards, *state.progress.drawn]
    djinns += [name for player in position.players for name in player.djinns]
    assert len(djinns) == len(set(djinns)), "1.5"
    assert len(state.progress.used) == len(set(state.progress.used)), "11"
    out_of_camels = any(not position.camels_left(player.colour) for player in position.players)
    assert state.ending is not None or not out_of_camels, "9.1"
    assert state.is_over <= (state.ending is not None and not before.position.turn_order), "9.1, 9.2"
    if state.stage is Stage.BID and before.stage is not Stage.BID:
        assert before.ending is None, "9"
        assert len(position.row) == 9 or not position.discards, "8.1"


def random_game(players: int, seed: int) -> Iterator[tuple[GameState, Action, Step]]:
    """Play one random game to its end; yields every action with its state before."""
    random = Random(f"{players}/{seed}")
    chance = SampledChance(random)
    state = new_game(players, seed)
    while not state.is_over:
        options = legal_actions(state)
        assert options, "always something to do until the end (4.6, 9.2)"
        action = random_choice(random, state, options, eager=seed % 4 > 1)
        done = step(state, action, chance)
        yield state, action, done
        state = done.state


def checked_game(players: int, seed: int) -> Iterator[tuple[GameState, Action, Step]]:
    """The same, with everything checked on the way."""
    for before, action, done in random_game(players, seed):
        _check(before, done.state)
        yield before, action, done
    assert not legal_actions(done.state), "9"
    assert done.state.ending in Ending, "9"
