"""The boards that a photo may show, which turns can be played on them, and what turns and answers are worth there.

A board is a row of picks: for each square in doubt, in order, the number of its reading, 0 the likeliest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.advisor.search.halving import Comparison
from companion.advisor.search.ideas import by_turns
from companion.errors import CompanionError
from companion.rules.engine.game import step
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import MEEPLE_COUNTS, PALACES, PALMS, TILE_KINDS, Colour, Tribe, camels_in_box
from companion.rules.model.events import TileClaimed
from companion.rules.model.state import GameState
from companion.simulation.evaluation import Floats
from companion.simulation.layout import AROUND, KIND_ID, NONE, TILE_ACTION, TILE_BLUE, TILE_VP, Batch, Index, Turns

LEAST_PROBABILITY = 0.02
"""Readings that are less likely than this are left out."""
MOST_DOUBTS = 12
"""At most this many squares are in doubt, the least certain first."""
BOARDS = 1024
"""Boards that are drawn to know how likely a turn holds."""
TRIES = 8
"""At most this many times as many are drawn to find boards that the box allows."""

Flags = npt.NDArray[np.bool_]

Alternatives = Mapping[int, Sequence[tuple[Tile, float]]]
"""What else may lie on a square, each with its probability; what is left of 1 is that of the board's own tile."""

Picks = npt.NDArray[np.intp]
"""Boards by their readings, [boards, squares in doubt]."""


@dataclass(frozen=True, slots=True)
class DoubtfulBoard:
    """A board some of whose squares may hold something else: `readings` of each, likeliest first."""

    board: Board
    squares: tuple[int, ...]
    readings: tuple[tuple[Tile, ...], ...]
    probabilities: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, board: Board, alternatives: Alternatives, colours: Sequence[Colour]) -> DoubtfulBoard:
        """The board with what else is likely enough to matter; only camels of these `colours` can stand on it."""
        doubts = []
        for square, others in alternatives.items():
            likely = [
                (tile, probability)
                for tile, probability in others
                if probability >= LEAST_PROBABILITY and tile.camel in (None, *colours) and tile != board[square]
            ]
            if likely:
                doubts.append((sum(probability for _, probability in likely), square, likely))
        doubts = sorted(doubts, key=lambda one: (-one[0], one[1]))[:MOST_DOUBTS]
        return cls(
            board,
            tuple(square for _, square, _ in doubts),
            tuple((board[square], *(tile for tile, _ in likely)) for _, square, likely in doubts),
            tuple((1 - whole, *(probability for _, probability in likely)) for whole, _, likely in doubts),
        )

    def draw(self, count: int, seed: int) -> Picks:
        """That many boards by their probabilities, all of them such as the box allows (rules 1) where some are.

        Each square has luck of its own: once one is no longer in doubt, the others are drawn as before.
        """
        if not self.squares:
            return np.zeros((count, 0), dtype=np.intp)
        tries = np.stack(
            [
                np.random.default_rng((seed, square)).choice(len(each), size=(count, TRIES), p=_whole(each))
                for square, each in zip(self.squares, self.probabilities, strict=True)
            ],
            axis=2,
        )
        fits = self._fits(tries.reshape(count * TRIES, -1)).reshape(count, TRIES)
        drawn = np.asarray(tries[np.arange(count), fits.argmax(axis=1)])
        fitting = drawn[fits.any(axis=1)]
        missing = ~fits.any(axis=1)
        if len(fitting):
            drawn[missing] = fitting[np.arange(missing.sum()) % len(fitting)]
        return drawn

    def _fits(self, picks: Picks) -> npt.NDArray[np.bool_]:
        most = _box_of(self.board)
        used = np.array([_pieces(tile) for tile in self.board]).sum(axis=0) + np.zeros((len(picks), 1), dtype=np.int64)
        for place, readings in enumerate(self.readings):
            pieces = np.array([_pieces(tile) for tile in readings])
            used = used + (pieces - pieces[0])[picks[:, place]]
        return np.asarray((used <= most).all(axis=1))

    def laid(self, picks: Sequence[int]) -> Board:
        tiles = list(self.board)
        for square, readings, pick in zip(self.squares, self.readings, picks, strict=True):
            tiles[square] = readings[pick]
        return tuple(tiles)

    def lay(self, batch: Batch, picks: Picks, colours: Sequence[Colour]) -> None:
        """Let each lane of a batch that has the likeliest board have the readings of its row of picks."""
        turned = False
        for place, (square, readings) in enumerate(zip(self.squares, self.readings, strict=True)):
            for number, tile in enumerate(readings[1:], 1):
                lanes = np.flatnonzero(picks[:, place] == number)
                if lanes.size:
                    turned |= tile.kind is not readings[0].kind
                    _lay_tile(batch, lanes, square, tile, colours)
        if turned:
            batch.tile_vp[...] = TILE_VP[batch.kind]
            batch.tile_action[...] = TILE_ACTION[batch.kind]
            batch.blue_around[...] = AROUND @ TILE_BLUE[batch.kind].astype(np.int16)


CERTAIN = DoubtfulBoard((), (), (), ())
"""No square is in doubt."""


def _whole(probabilities: Sequence[float]) -> npt.NDArray[np.float64]:
    positive = np.maximum(np.array(probabilities, dtype=np.float64), 0.0)
    return np.asarray(positive / positive.sum())


_KINDS = tuple(TILE_KINDS)


def _pieces(tile: Tile) -> list[int]:
    """How many of each thing of the box a tile holds: meeples, palms, palaces, camels, its kind."""
    camels = [int(tile.camel is colour) for colour in Colour]
    return [*tile.meeples, tile.palms, tile.palaces, *camels, *(int(tile.kind.code == code) for code in _KINDS)]


def _box_of(board: Board) -> npt.NDArray[np.int64]:
    """What the box holds of each; where the board has more than that, what it has."""
    owners = {tile.camel for tile in board} - {None}
    camels = [camels_in_box(colour, max(len(owners), 2)) for colour in Colour]
    kinds = [sum(tile.kind.code == code for tile in board) for code in _KINDS]
    # Two tiles may have changed places, so one more of a kind is as likely as not.
    box = np.array([*MEEPLE_COUNTS, PALMS, PALACES, *camels, *(number + 1 for number in kinds)])
    return np.asarray(np.maximum(box, np.array([_pieces(tile) for tile in board]).sum(axis=0)))


def _lay_tile(batch: Batch, lanes: Index, square: int, tile: Tile, colours: Sequence[Colour]) -> None:
    batch.meeples[square, :, lanes] = np.array(tile.meeples, dtype=np.int16)
    batch.palms[square, lanes], batch.palaces[square, lanes] = tile.palms, tile.palaces
    batch.kind[square, lanes] = KIND_ID[tile.kind.code]
    owner = NONE if tile.camel is None else colours.index(tile.camel)
    before = batch.camel[square, lanes]
    taken = before != NONE
    batch.camels[before[taken], lanes[taken]] += 1
    if owner != NONE:
        batch.camels[owner, lanes] -= 1
    batch.camel[square, lanes] = owner


@dataclass(frozen=True, slots=True)
class Valuation:
    """What turns are worth over drawn boards.

    `legal` and `holds` are [turns, boards]: whether a turn can be played there, and brings the same claims; `shift` is
    how much more it brings there than on its own board, in VP, and `lost` how much more the first turn brings than
    passing, which is all that one does who plans a turn that can't be played. `there` says which the likeliest board
    allows.
    """

    picks: Picks
    legal: Flags
    holds: Flags
    shift: Floats
    lost: float
    there: Flags

    def matrix(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The value of each turn on each board; `values` are the means over boards on which it can be played."""
        counts = self.legal.sum(axis=1)
        mean = np.where(self.legal, self.shift, 0.0).sum(axis=1) / np.maximum(counts, 1)
        played = values[:, None] + self.shift - mean[:, None]
        return np.asarray(np.where(self.legal, played, values[0] - self.lost))

    def values(self, comparison: Comparison) -> npt.NDArray[np.float64]:
        """The values of turns where they can be played, by their differences from the best that is there."""
        expected = self.matrix(comparison.values()).mean(axis=1)
        return comparison.values(int(np.lexsort((-expected, -comparison.counts(), ~self.there))[0]))

    def rank(self, sofar: Comparison) -> npt.NDArray[np.float64]:
        """Ranks by which turns go on being compared: by the average, and how near the best they come with a reading."""
        matrix = self.matrix(sofar.values())
        average = np.where(self.there, matrix.mean(axis=1), -np.inf)
        promised, left = np.full(len(matrix), -np.inf), sofar.left()
        promised[left] = promise(matrix[left], self.picks)
        return by_turns(average, promised)

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """How likely it is that a turn can be played and claims what it says."""
        return np.asarray(self.holds.mean(axis=1))

    def penalties(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """What these values lose, in VP, as turns may not be there."""
        return np.asarray(values - self.matrix(values).mean(axis=1))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reading of a square would change: its number, its probability, the best turn then, and its value in VP."""

    reading: int
    probability: float
    best: int
    value: float


def answers(matrix: npt.NDArray[np.float64], picks: Picks, place: int) -> list[Answer]:
    """For each reading of a square in doubt that was drawn, the best turn of the boards with it."""
    best_of = []
    for reading in np.unique(picks[:, place]).tolist():
        there = picks[:, place] == reading
        means = matrix[:, there].mean(axis=1)
        best = int(means.argmax())
        best_of.append(Answer(reading, float(there.mean()), best, float(means[best])))
    return best_of


def worth_of_knowing(matrix: npt.NDArray[np.float64], picks: Picks, place: int, chosen: int | None = None) -> float:
    """How much better one would choose, in VP on average, if one knew what lies on a square (never below 0).

    Without knowing it one plays the turn that is `chosen`, or the best on average.
    """
    means = matrix.mean(axis=1)
    knowing = sum(answer.probability * answer.value for answer in answers(matrix, picks, place))
    return max(knowing - float(means.max() if chosen is None else means[chosen]), 0.0)


def promise(matrix: npt.NDArray[np.float64], picks: Picks) -> npt.NDArray[np.float64]:
    """How near each turn comes to being the best on all boards or given one reading, in VP: 0 for those that are."""
    means = matrix.mean(axis=1)
    nearest = means - means.max()
    for place in range(picks.shape[1]):
        for answer in answers(matrix, picks, place):
            there = picks[:, place] == answer.reading
            behind = answer.probability * (matrix[:, there].mean(axis=1) - answer.value)
            nearest = np.maximum(nearest, behind)
    return np.asarray(nearest)


# Which turns can be played on a board.


def fits(turns: Turns, square: int, meeples: Sequence[int]) -> Flags:
    """Which turns can be played with these meeples on a square, as far as moving and killing go (rules 4, 5.4)."""
    at = np.arange(len(turns))
    length = int(turns.length.max(initial=0))
    steps = np.arange(length)[:, None] < turns.length
    path, drops = turns.path[:length], turns.drops[:length]
    here = steps & (path == square)
    there = np.array(meeples)[:, None]
    lifted = turns.start == square
    dropped = np.stack([(steps & (drops == tribe)).sum(axis=0) for tribe in Tribe])
    standing = np.where(lifted, 0, there) + np.stack([(here & (drops == tribe)).sum(axis=0) for tribe in Tribe])
    last = np.maximum(turns.length - 1, 0)
    moves = turns.length > 0
    ends = moves & (path[last, at] == square) if length else moves
    tribe = drops[last, at] if length else np.zeros(len(turns), dtype=np.int16)
    possible = ~lifted | (dropped == there).all(axis=0)
    possible &= ~ends | (standing[tribe, at] >= 2)
    kills = moves & (tribe == Tribe.ASSASSIN)
    for victim, who in zip(turns.victim, turns.victim_tribe, strict=True):
        killed = kills & (victim == square)
        possible &= ~killed | (standing[np.maximum(who, 0), at] >= 1)
    return np.asarray(possible)


def squares_of(turns: Turns) -> Flags:
    """The squares that each turn lifts from, steps on, kills on or uses a power on, [turns, SQUARES]."""
    named = (turns.start[None], turns.path, turns.victim, turns.onto[None], turns.power_square, turns.power_onto)
    return np.asarray((np.concatenate(named)[:, :, None] == np.arange(SQUARES)).any(axis=0))


def outcome(state: GameState, actions: Sequence[Action]) -> tuple[int, ...] | None:
    """What a turn claims by the rules; None if it can't be played from this state."""
    claims: list[int] = []
    try:
        for action in actions:
            if isinstance(action, EndTurn):
                break
            done = step(state, action, UNSEEN)
            claims += [event.square for event in done.events if isinstance(event, TileClaimed)]
            state = done.state
    except ChanceNeededError:
        pass
    except CompanionError:
        return None
    return tuple(sorted(claims))
