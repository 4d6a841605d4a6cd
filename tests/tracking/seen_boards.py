"""What photos would say of boards, without photos: nats for contents, with tiles misread here and there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from companion.notation.records.header import new_header
from companion.notation.records.lines import Record
from companion.notation.records.recording import recorded
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import Action, ActTile, ActTribe, EndTurn, Sell, UsePower
from companion.rules.model.board import Board, Tile, with_meeples
from companion.rules.model.chance import SampledChance

PIECE_NATS, CAMEL_NATS, MOST_NATS = 9.0, 12.0, 30.0
"""What speaks against contents that are a piece, or a camel, other than what was seen; at most."""


@dataclass(frozen=True)
class SeenBoard:
    """The likelihood of a photo in which the board was seen so."""

    board: Board
    _known: dict[tuple[int, Tile], float] = field(default_factory=dict, compare=False)

    def __call__(self, square: int, tile: Tile, /) -> float:
        known = self._known.get((square, tile))
        if known is None:
            known = self._known[square, tile] = self._nats(self.board[square], tile)
        return known

    def _nats(self, seen: Tile, tile: Tile) -> float:
        pieces = sum(abs(one - other) for one, other in zip(tile.meeples, seen.meeples, strict=True))
        pieces += abs(tile.palms - seen.palms) + abs(tile.palaces - seen.palaces)
        return -min(PIECE_NATS * pieces + CAMEL_NATS * (tile.camel is not seen.camel), MOST_NATS)

    def best(self, square: int, /) -> float:
        return 0.0


@dataclass(frozen=True)
class Between:
    """A photo that shows two boards, the other of them so many nats less."""

    one: SeenBoard
    other: SeenBoard
    less: float = 2.0

    def __call__(self, square: int, tile: Tile, /) -> float:
        return max(self.one(square, tile), self.other(square, tile) - self.less)

    def best(self, square: int, /) -> float:
        return self.one.best(square)


def photo_of(board: Board, seed: int | None = None, misread: float = 0.06) -> SeenBoard:
    """A photo of a board; with a seed so large a share of the tiles has a meeple more or fewer than it has."""
    if seed is None:
        return SeenBoard(board)
    random = Random(seed)

    def seen(tile: Tile) -> Tile:
        if random.random() >= misread or not any(tile.meeples):
            return tile
        meeples = list(tile.meeples)
        tribe = max(range(5), key=lambda one: meeples[one])
        meeples[tribe] += -1 if meeples[tribe] > 1 else 1
        return with_meeples(tile, tuple(meeples))

    return SeenBoard(tuple(map(seen, board)))


def played_record(players: int, seed: int, turns: int) -> tuple[Record, list[Board]]:
    """The record of a random game's first turns, in which nobody takes a djinn, buys or sells, and the boards after
    them.
    """
    random, setup = Random(f"{players}/{seed}"), random_setup(players, seed)
    record, state, chance = Record(new_header(setup, {})), start_game(setup), SampledChance(random)
    boards: list[Board] = []
    while len(boards) < turns:
        options = [option for option in legal_actions(state) if not _leaves_no_trace(option)]
        action = random.choice(options)
        done = step(state, action, chance)
        record = recorded(record, state, action, done)
        if isinstance(action, EndTurn):
            boards.append(state.position.board)
        state = done.state
    return record, boards


def _leaves_no_trace(action: Action) -> bool:
    if isinstance(action, ActTile):
        return bool(action.choice.djinn or action.choice.cards)
    return isinstance(action, UsePower | Sell) or (isinstance(action, ActTribe) and bool(action.choice.fakirs))


def spoilt(board: Board) -> SeenBoard:
    """A photo in which nothing is as it is."""
    bare: Sequence[Tile] = [replace(tile, camel=None, palms=0, palaces=0) for tile in board]
    return SeenBoard(tuple(with_meeples(tile, tile.meeples[::-1]) for tile in bare))
