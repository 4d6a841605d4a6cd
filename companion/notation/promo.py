"""Where the promo djinn is in a position: what codes say last, so that it adds nothing to those of games without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.engine.djinns.registry import PROMO_DJINNS
from companion.rules.model.components import FACE_UP_DJINNS
from companion.rules.model.position import Position

(_PROMO,) = PROMO_DJINNS


def without_promo(position: Position) -> Position:
    """The position as if the promo djinn was in nobody's sight."""

    def others(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if names is None else tuple(name for name in names if name != _PROMO)

    players = tuple(replace(player, djinns=others(player.djinns)) for player in position.players)
    return replace(position, players=players, djinns=others(position.djinns))


def with_promo(plain: Position) -> Iterator[Position]:
    """The position itself, then with the promo djinn at each place face up, then at each with every player."""
    yield plain
    if plain.djinns is not None and len(plain.djinns) < FACE_UP_DJINNS:
        for djinns in _with_one_more(plain.djinns):
            yield replace(plain, djinns=djinns)
    for seat, player in enumerate(plain.players):
        for djinns in () if player.djinns is None else _with_one_more(player.djinns):
            changed = replace(player, djinns=djinns)
            yield replace(plain, players=(*plain.players[:seat], changed, *plain.players[seat + 1 :]))


def _with_one_more(djinns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return ((*djinns[:place], _PROMO, *djinns[place:]) for place in range(len(djinns) + 1))
