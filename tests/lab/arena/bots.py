"""Bots of tests, named as `tests.lab.arena.bots:Class`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.engine.game import legal_actions
from companion.rules.model.actions import Action, Lift, UsePower
from companion.rules.model.state import GameState, Stage


class Plain:
    """Takes the first legal action, or another by `skip`."""

    def __init__(self, skip: int = 0) -> None:
        self.skip = skip

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        options = [action for action in legal_actions(view) if not isinstance(action, UsePower)]
        return (options[self.skip % len(options)],)


class Illegal(Plain):
    """Lifts from a corner whatever lies there, once it is to move."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        return (Lift(31),) if view.stage is Stage.MOVE else super().decide(view, seed)
