"""Bots that do what they should not, named in tests as `tests.arena.bots:Class`."""

from __future__ import annotations

import os
from collections.abc import Sequence

from companion.rules.engine.game import legal_actions
from companion.rules.model.actions import Action, ActTribe, Lift, PlaceBid, UsePower
from companion.rules.model.state import GameState, Stage


class Plain:
    """Takes the first legal action, or another by `skip`."""

    def __init__(self, skip: int = 0) -> None:
        self.name = "plain"
        self.skip = skip

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        options = [action for action in legal_actions(view) if not isinstance(action, UsePower)]
        return (options[self.skip % len(options)],)


class Illegal(Plain):
    """Lifts from a corner whatever lies there, once it is to move."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        return (Lift(31),) if view.stage is Stage.MOVE else super().decide(view, seed)


class Shapeless(Plain):
    """Lets its meeples act without saying how."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        if view.stage is Stage.TRIBE:
            return (ActTribe(None),)  # type: ignore[arg-type]
        return super().decide(view, seed)


class Greedier(Plain):
    """Bids for the next player as well."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        actions = tuple(super().decide(view, seed))
        return (*actions, PlaceBid(12)) if view.stage is Stage.BID else actions


class Silent(Plain):
    """Says nothing."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        return ()


class Failing(Plain):
    """Fails at its first turn."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        if view.stage is Stage.MOVE:
            raise RuntimeError("no idea")
        return super().decide(view, seed)


class Nameless:
    """Is no bot: it has no name."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        return legal_actions(view)[:1]


class Sudden(Plain):
    """Plays on, and one turn in 200 begins with what no rule allows."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "sudden"

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        return (Lift(31),) if view.stage is Stage.MOVE and seed % 200 == 0 else super().decide(view, seed)


class Deadly(Plain):
    """Takes its process along."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        os._exit(1)
