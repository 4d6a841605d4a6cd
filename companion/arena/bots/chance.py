"""The bot `random`: any legal action, as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.rules.engine.game import legal_actions
from companion.rules.model.actions import Action
from companion.rules.model.state import GameState


class RandomBot:
    """Takes one of the legal actions, each as likely, one at a time; only `Random.random` is drawn from."""

    name = "random"

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """One legal action."""
        options = legal_actions(view)
        return (options[int(Random(seed).random() * len(options))],)
