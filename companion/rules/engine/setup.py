"""A random set-up of the table (rules 2), the same for the same seed on every Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import TypeVar

from companion.errors import ArgumentError
from companion.rules.engine.djinns import djinns_in_game
from companion.rules.engine.resuming import TWO_PLAYERS, start_game
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    CARD_COUNTS,
    FACE_UP_DJINNS,
    GOODS,
    MEEPLE_COUNTS,
    ROW_LENGTH,
    START_GOLD_GC,
    TILE_KINDS,
    TOTAL_MEEPLES,
    Colour,
    Tribe,
    markers_each,
)
from companion.rules.model.position import Phase, Player, Position
from companion.rules.model.state import GameState

MEEPLES_PER_TILE = TOTAL_MEEPLES // SQUARES

_Item = TypeVar("_Item")


def default_colours(players: int) -> tuple[Colour, ...]:
    """The colours of a game: blue and pink for two (rules 2.1), else the first of `Colour`. Raises ArgumentError."""
    if players not in (2, 3, 4):
        raise ArgumentError("2, 3 or 4 players can play, not {players}", players=players)
    return TWO_PLAYERS if players == 2 else tuple(Colour)[:players]


def can_play(colours: Collection[Colour]) -> bool:
    """Whether these colours make a game: three or four of them, or blue and pink (rules 2.1)."""
    return len(set(colours)) in (3, 4) or set(colours) == set(default_colours(2))


def random_setup(
    players: int, seed: int, *, colours: Sequence[Colour | str] | None = None, promo: bool = False
) -> Position:
    """The table before the first round (rules 2), with the promo djinn in the deck if `promo`. `Random.random` alone is
    used, the same in every Python version. Raises ArgumentError.
    """
    chosen = _checked_colours(players, colours)
    rng = Random(seed)
    tiles = _shuffled([kind for kind in TILE_KINDS.values() for _ in range(kind.count)], rng)
    bag = _shuffled([tribe for tribe in Tribe for _ in range(MEEPLE_COUNTS[tribe])], rng)
    deck = _shuffled([card for card, count in CARD_COUNTS.items() for _ in range(count)], rng)
    djinns = _shuffled(list(djinns_in_game(promo=promo)), rng)
    markers = _shuffled([colour for colour in chosen for _ in range(markers_each(players))], rng)
    board: Board = tuple(
        Tile(kind, _counted(bag[square * MEEPLES_PER_TILE : (square + 1) * MEEPLES_PER_TILE]))
        for square, kind in enumerate(tiles)
    )
    return Position(
        board=board,
        players=tuple(starting_player(colour) for colour in chosen),
        row=tuple(deck[:ROW_LENGTH]),
        djinns=tuple(djinns[:FACE_UP_DJINNS]),
        phase=Phase.BID,
        bid_order=tuple(markers),
        turn_order=(),
        discards=(),
    )


def _checked_colours(players: int, colours: Sequence[Colour | str] | None) -> tuple[Colour, ...]:
    standard = default_colours(players)
    if colours is None:
        return standard
    chosen = tuple(colour for colour in Colour if colour in colours)
    if len(chosen) != players or len(colours) != players:
        raise ArgumentError("{players} players need {players} different colours", players=players)
    if players == 2 and chosen != standard:
        raise ArgumentError("two players are blue and pink (rules 2.1)")
    return chosen


def _shuffled(items: list[_Item], rng: Random) -> list[_Item]:
    """Fisher and Yates's shuffle of a copy; `Random.shuffle` may change between Python versions."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def _counted(meeples: Sequence[Tribe]) -> tuple[int, ...]:
    return tuple(meeples.count(tribe) for tribe in Tribe)


def starting_player(colour: Colour) -> Player:
    """What everybody has before the first bid: 50 GC, and nothing else (rules 2.8)."""
    return Player(colour, gold=START_GOLD_GC, viziers=0, elders=0, fakirs=0, goods=(0,) * len(GOODS), djinns=())


def new_game(
    players: int, seed: int, *, colours: Sequence[Colour | str] | None = None, promo: bool = False
) -> GameState:
    """A game before its first bid, with the set-up of `random_setup`."""
    return start_game(random_setup(players, seed, colours=colours, promo=promo), promo=promo)
