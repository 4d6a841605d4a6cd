"""States without what a batch does not keep, so that both engines' can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.rules.model.state import GameState
from companion.simulation.layout import CARD_ID, DJINN_ID


def plain(state: GameState) -> GameState:
    """The same state, with the discards, the djinns and the powers used in the order of `layout`."""
    position = state.position
    players = tuple(replace(player, djinns=_ordered(player.djinns or ())) for player in position.players)
    discards = tuple(sorted(position.discards or (), key=CARD_ID.__getitem__))
    return replace(
        state,
        position=replace(position, players=players, discards=discards),
        progress=replace(state.progress, used=_ordered(state.progress.used)),
        djinn_discards=_ordered(state.djinn_discards),
    )


def _ordered(djinns: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(djinns, key=DJINN_ID.__getitem__))
