"""Beginnings of turns out of random games, with holdings that make more choices possible, as states and as batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from companion.rules.engine.game import step
from companion.rules.engine.scoring import score
from companion.rules.model.actions import EndTurn
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.position import Player
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.layout import Batch, Turns
from tests.rules.random_games import random_game


def beginnings(players: int, seed: int, every: int) -> Iterator[GameState]:
    """Every so many beginnings of turns of a random game in which a move is possible."""
    number = 0
    for state, _, _ in random_game(players, seed):
        if state.stage is Stage.MOVE and not state.progress.used:
            if number % every == 0:
                yield state
            number += 1


def with_holdings(state: GameState, seed: int, djinns: Sequence[str]) -> GameState:
    """The same turn of a player who has these djinns, nobody else having them, and other gold and elders."""
    random = Random(seed)
    position = state.position
    for player in position.players:
        kept = tuple(name for name in player.djinns or () if name not in djinns)
        if player.colour is state.mover:
            position = position.with_player(_lucky(random, player, tuple(djinns)))
        else:
            position = position.with_player(replace(player, djinns=kept))
    face_up = tuple(name for name in position.djinns or () if name not in djinns)
    put_away = tuple(name for name in state.djinn_discards if name not in djinns)
    return replace(state, position=replace(position, djinns=face_up), djinn_discards=put_away)


def _lucky(random: Random, player: Player, djinns: tuple[str, ...]) -> Player:
    return replace(player, djinns=djinns, elders=random.randrange(4), gold=random.choice((2, 5, 40)))


def rooted(state: GameState, world: int = 0) -> Batch:
    """The state as a batch of one lane."""
    return pack([state], [world])


def gained(state: GameState, root: Batch, turns: Turns, column: int) -> int:
    """What a turn gains, played action by action with the rules, in VP; what is drawn unseen counts nothing."""
    assert state.mover is not None
    after = state
    for action in turns_to_actions(root, turns, column, state)[0]:
        if isinstance(action, EndTurn):
            continue
        try:
            after = step(after, action, UNSEEN).state
        except ChanceNeededError:
            # The power is paid for at the end of the turn, and brings nothing that can be counted.
            break
    assert after.stage in (Stage.TILE, Stage.CLOSE, Stage.SELL)
    return score(after.position)[state.mover].total - score(state.position)[state.mover].total
