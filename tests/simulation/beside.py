"""The same actions in the readable engine and in a batch, side by side, with the same luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.rules.engine.game import legal_actions, step
from companion.rules.model.actions import Action, ActTile, ActTribe, KeepDjinn, Sell, UsePower
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState
from companion.simulation import decks
from companion.simulation.batch import FIELDS, Batch
from companion.simulation.bridge import pack, unpack
from companion.simulation.layout import CARD_ID, CARDS, DJINN_ID, DJINN_NAMES
from tests.simulation.acting import act

HERE = (ActTribe, ActTile, UsePower, KeepDjinn, Sell)
"""Actions of a turn after the meeples were moved, and powers."""


class LaneChance:
    """Chance that gives the rules what a lane of a batch will draw, for as long as no deck has to be remade."""

    def __init__(self, batch: Batch, lane: int) -> None:
        self._batch, self._lane = batch, np.array([lane])
        cards = batch.deck[int(batch.deck_next[lane]) : int(batch.deck_size[lane]), lane]
        djinns = batch.djinn_deck[int(batch.djinn_next[lane]) : int(batch.djinn_size[lane]), lane]
        self._cards = [CARDS[card] for card in cards]
        self._djinns = [DJINN_NAMES[djinn] for djinn in djinns]
        self._meeples: list[Tribe] = []

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        return self._cards.pop(0)

    def djinn(self, options: Mapping[str, int]) -> str:
        return self._djinns.pop(0)

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        if not self._meeples:
            bag = np.array([[options.get(tribe.noun, 0)] for tribe in Tribe], dtype=np.int16)
            counts = decks.pick_meeples(self._batch, self._lane, bag)[:, 0]
            self._meeples = [tribe for tribe in Tribe for _ in range(counts[tribe])]
        return self._meeples.pop(0)


def canonical(state: GameState) -> GameState:
    """The state with what has no order in a batch in the order of `layout`."""
    players = tuple(replace(one, djinns=_in_order(one.djinns or ())) for one in state.position.players)
    discards = tuple(sorted(state.position.discards or (), key=CARD_ID.__getitem__))
    return replace(
        state,
        position=replace(state.position, players=players, discards=discards),
        progress=replace(state.progress, used=_in_order(state.progress.used)),
        djinn_discards=_in_order(state.djinn_discards),
    )


def _in_order(djinns: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(djinns, key=DJINN_ID.__getitem__))


DECKS = {"deck", "deck_next", "deck_size", "djinn_deck", "djinn_next", "djinn_size"}


def compare_all(state: GameState, world: int = 1) -> dict[Action, GameState]:
    """Take every legal action of a state, each in its own lane; what they come to is the same in both engines."""
    actions = [action for action in legal_actions(state) if isinstance(action, HERE)]
    # A lane more, which nothing may touch.
    batch = pack([state] * (len(actions) + 1), [world] * (len(actions) + 1))
    chances = [LaneChance(batch, lane) for lane in range(len(actions))]
    act(batch, range(len(actions)), [state] * len(actions), actions)
    reached: dict[Action, GameState] = {}
    for lane, action in enumerate(actions):
        reached[action] = step(state, action, chances[lane]).state
        assert unpack(batch, lane, state) == canonical(reached[action]), str(action)
    assert unpack(batch, len(actions), state) == canonical(state)
    # Nothing is left over either in what a state does not show; decks were drawn from.
    wanted = pack([*reached.values(), state], [world] * len(batch))
    for name in sorted(set(FIELDS) - DECKS):
        assert np.array_equal(getattr(batch, name), getattr(wanted, name)), name
    return reached
