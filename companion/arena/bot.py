"""What a bot is: one small class that decides, and nothing else to implement (docs/arena.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from companion.errors import CompanionError, ExitStatus
from companion.rules.model.actions import Action
from companion.rules.model.state import GameState


@runtime_checkable
class Bot(Protocol):
    """A player of whole games. Each seat of each game gets an object of its own, made when the game begins.

    `name` stands in faults and in tables where the bot was not named on the command line.
    """

    name: str

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """What to do now, in order: at least one action, as `rules.engine.game.legal_actions` offers them.

        `view` is the game as `view.mover`, who is to decide, knows it (`views.seen_by`). The actions may go on to
        the end of the turn or bid, or stop before; the bot is asked again until its turn or bid is over. They end
        at the first draw of a card, a djinn or meeples: what stands after it is left out, and the bot is asked
        again, knowing what came. `seed` is where all chance in the decision has to come from, so that a game is
        the same whenever and wherever it is played.
        """


class BotFaultError(CompanionError):
    """A bot did what the rules do not allow; the message names the bot, the game and the state of it."""

    status = ExitStatus.IMPOSSIBLE


class BotBrokenError(CompanionError):
    """A bot could not be loaded, or failed while it was to decide; the message names it and says how."""

    status = ExitStatus.UNUSABLE_INPUT
