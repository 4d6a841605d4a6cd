"""One game of the rules in the making, whose batch goes on beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from companion.rules.engine.game import legal_actions, step
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    PlaceBid,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.chance import Drawn, SampledChance
from companion.rules.model.state import GameState, Stage
from companion.simulation.turns import LONGEST_HAND, POWERS, SALES
from tests.rules.random_games import random_choice


@dataclass(frozen=True)
class Played:
    """Some actions in a row: the state before, each action with whole sowings as one, and what was drawn in all."""

    before: GameState
    actions: tuple[Action, ...]
    drawn: Drawn

    @property
    def is_whole_turn(self) -> bool:
        """Whether this is a turn from its beginning to just before its end."""
        return len(self.actions) != 1

    def has_room(self, action: Action) -> bool:
        """Whether `Turns` has room for one more such action (sowings are asked about later)."""
        most = {UsePower: POWERS, Sell: SALES}.get(type(action), len(self.actions) + 1)
        return sum(type(other) is type(action) for other in self.actions) < most


@dataclass
class Lane:
    """One game: its name, its state by the rules, and the luck and choices that it is played with."""

    name: str
    state: GameState
    eager: bool = False

    def __post_init__(self) -> None:
        self._random = Random(self.name)
        self._chance = SampledChance(self._random)

    def play(self) -> Played:
        """Go on by one action, or now and then by a whole turn."""
        fresh = self.state.stage is Stage.MOVE and not self.state.progress.used
        # `Turns` have no room for the hugest hands; those are sown as actions of their own.
        fresh = fresh and max(sum(tile.meeples) for tile in self.state.position.board) <= LONGEST_HAND
        if not fresh or self._random.random() < 0.5:
            played = Played(self.state, (), Drawn())
            return self._with_action(played, self._choice(played))
        played = Played(self.state, (), Drawn())
        while not isinstance(action := self._choice(played), EndTurn):
            played = self._with_action(played, action)
        return played

    def _choice(self, played: Played) -> Action:
        options = tuple(action for action in legal_actions(self.state) if played.has_room(action))
        return random_choice(self._random, self.state, options, eager=self.eager)

    def _with_action(self, played: Played, action: Action) -> Played:
        """Take an action, and if it is the first of a sowing all that follow."""
        drawn = self._take(action)
        while self.state.progress.hand is not None:
            hand = self.state.progress.hand
            drop = random_choice(self._random, self.state, legal_actions(self.state), eager=self.eager)
            assert isinstance(drop, Drop)
            self._take(drop)
            action = Sow(Sowing(hand.start, (*hand.path, drop.square), (*hand.drops, drop.tribe)))
        before = played.drawn
        together = Drawn(
            (*before.cards, *drawn.cards), (*before.djinns, *drawn.djinns), (*before.meeples, *drawn.meeples)
        )
        return Played(played.before, (*played.actions, action), together)

    def _take(self, action: Action) -> Drawn:
        done = step(self.state, action, self._chance)
        self.state = done.state
        return done.drawn


def of_note(played: Played, after: GameState) -> Iterator[str]:
    """What happened that a test may want to have met."""
    if played.is_whole_turn:
        yield "whole turn"
    if after.ending is not None and played.before.ending is None:
        yield f"ending: {after.ending}"
    for action in played.actions:
        yield type(action).__name__
        match action:
            case UsePower():
                yield f"use {action.paid.djinn}"
                if action.helper is not None:
                    yield f"divert by {action.helper.djinn}"
            case ActTribe() | ActTile() if action.choice.helper is not None:
                yield f"use {action.choice.helper.djinn}"
            case PlaceBid() if action.fakirs:
                yield "bid with fakirs"
            case Sow():
                if any("Marid" in (player.djinns or ()) for player in played.before.position.players):
                    yield "sow with Marid about"
                if len(action.sowing.path) > 12:
                    yield "huge hand"
                if len(action.sowing.path) > LONGEST_HAND:
                    yield "hand beyond a turn's room"
            case _:
                pass
