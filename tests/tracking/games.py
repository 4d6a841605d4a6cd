"""Turns of whole random games, each with the state it began in, what was done, and the state at its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, Drop, EndTurn, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState, Stage


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the state in which it begins, the actions but its end, and the state before its end."""

    before: GameState
    actions: tuple[Action, ...]
    after: GameState


def turns(players: int, seed: int, *, powers: float = 0.3) -> Iterator[Turn]:
    """The turns of a random game in which meeples were sown; powers are used as often as that where they can be."""
    random = Random(seed)
    chance = SampledChance(random)
    state = new_game(players, seed)
    begun, actions = None, list[Action]()
    while not state.is_over:
        if state.stage is Stage.MOVE and begun is None:
            begun, actions = state, []
        options = legal_actions(state)
        uses = [option for option in options if isinstance(option, UsePower)]
        action = random.choice(uses if uses and random.random() < powers else options)
        if isinstance(action, EndTurn):
            if begun is not None and any(isinstance(one, Drop) for one in actions):
                yield Turn(begun, tuple(actions), state)
            begun = None
        actions.append(action)
        state = step(state, action, chance).state
