"""What a search plays: ways of turns in worlds, one a lane, on the board of that world (docs/advice.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.advisor.search.boards import BOARDS, CERTAIN, DoubtfulBoard, Flags, Picks, fits
from companion.advisor.search.halving import Comparison, Rank, SearchClock, halve
from companion.advisor.search.leaf import Expected
from companion.rules.model.state import GameState
from companion.simulation.bridge import Worlds
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import BID, NONE, NOT_ENDING, Batch, Index, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import Watch, play_on
from companion.simulation.rounds import end_turn

ROUND_WORLDS = 24
"""Worlds that a way meets at most when it's played on to the end of the round."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How wide the search is.

    `turns` of the shortlist get `sowings` each, of which at most `alike` share end tile and tribe; they are those that
    leave most of those `glimpsed`, where more are played on first. `finalists` are halved, `ways` of each of the
    `best_ideas` among them (`ideas.shared_out`), over `rounds` rounds, the present one being the first; at least to the
    end of one.
    `first_worlds` are met in the second step, by each way or, where that halves them until `narrowed` are left, on
    average; then the best turns, `again` of them, get more ways. Players reply by a softmax with temperature `noise` in
    VP: who always answers alike is one line, not a mean.
    """

    turns: int = 80
    glimpsed: int = 0
    sowings: int = 8
    alike: int = 12
    finalists: int = 24
    ways: int = 3
    best_ideas: int = 2
    rounds: int = 2
    first_worlds: int = 2
    narrowed: int = 0
    again: int = 0
    noise: float = 1.0
    lanes: int = 640


@dataclass(frozen=True, eq=False)
class Setting:
    """What is searched: turns are listed from `root`, a batch of one lane, and tried in `worlds`.

    Where the `board` is in doubt, `known` is the state with its likeliest readings. The `clock` counts the replies that
    are played.
    """

    root: Batch
    worlds: Worlds
    weights: Weights
    seed: int
    clock: SearchClock
    breadth: Breadth = field(default_factory=Breadth)
    board: DoubtfulBoard = CERTAIN
    known: GameState | None = None

    @cached_property
    def picks(self) -> Picks:
        """The boards that there may be, drawn by their probabilities: a world has that of its number."""
        return self.board.draw(BOARDS, self.seed)

    @cached_property
    def shares(self) -> Floats:
        """How likely each reading of each square is, [squares, readings]."""
        width = max(map(len, self.board.readings), default=0)
        picked = self.picks[:, :, None] == np.arange(width)
        return np.asarray(picked.sum(axis=0) / len(self.picks), dtype=np.float32)

    @cached_property
    def passing(self) -> Floats:
        """The margins at the end of the round in the first worlds if the turn is lost; 0 where none can be."""
        worlds = np.arange(min(ROUND_WORLDS, len(self.worlds.drawn)))
        return lost(self, worlds, 1) if self.board.squares else np.zeros(len(worlds), dtype=np.float32)

    @property
    def seat(self) -> int:
        return int(self.root.mover[0])

    @property
    def ends_round(self) -> bool:
        """Whether nobody plays after this turn in any world."""
        return bool((self.worlds.drawn.turn_seat[0] == NONE).all())

    @property
    def is_last_turn(self) -> bool:
        """Whether the game ends with this turn (rules 9) in every world: who plays after it may not be known."""
        return self.ends_round and bool((self.worlds.drawn.ending != NOT_ENDING).all())

    def steps(self, rounds: int) -> npt.NDArray[np.int64]:
        """Some best replies of a playout in each of the worlds: the rest of this round, bids and turns of others."""
        waiting = (self.worlds.drawn.turn_seat != NONE).sum(axis=0)
        markers = waiting + (self.worlds.drawn.bid_order != NONE).sum(axis=0)
        return np.asarray(np.maximum(waiting + 2 * markers * (rounds - (rounds > 1 or not self.ends_round)), 1))

    def state(self, picks: Sequence[int]) -> GameState:
        """The game on the board with these readings."""
        assert self.known is not None, "the board is in doubt"
        return replace(self.known, position=self.known.position.with_board(self.board.laid(picks)))

    def lay(self, batch: Batch, picks: Picks) -> Batch:
        """The batch, each lane with the board of its row of picks."""
        if self.known is not None:
            self.board.lay(batch, picks, [player.colour for player in self.known.position.players])
        return batch

    def margins(self, batch: Batch) -> Floats:
        return Expected.of(batch, self.weights).margin(self.seat)

    def play_on(self, batch: Batch, rounds: int, watch: Watch | None = None) -> None:
        """Play lanes on after their turn until that many rounds are over; a round that the turn ended in every world is
        the first but followed by another, for somebody has to play.
        """
        rounds = max(rounds, 2) if self.ends_round else rounds
        left = rounds - (batch.stage == BID).astype(np.intp)
        self.clock.played += play_on(batch, self.weights, rounds=left, noise=self.breadth.noise, watch=watch)


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Turns that are compared, as columns, and which of the shortlist each is a way of.

    `home` are the picks of the board that each was listed on, [turns, squares in doubt], and `possible` says with which
    readings of each square it can be played, [turns, squares, readings]. `origin` is NONE for those of other boards.
    """

    turns: Turns
    origin: Index
    home: Picks
    possible: Flags

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def elsewhere(self) -> Flags:
        """The ways that the likeliest board doesn't allow."""
        return np.asarray(self.home.any(axis=1))

    def select(self, which: Index) -> Ways:
        """These of them, in this order."""
        return Ways(self.turns.select(which), self.origin[which], self.home[which], self.possible[which])

    def and_more(self, more: Ways) -> Ways:
        """These ways, then those."""
        return Ways(
            Turns(np.concatenate([self.turns.data, more.turns.data], axis=1)),
            np.append(self.origin, more.origin),
            np.concatenate([self.home, more.home]),
            np.concatenate([self.possible, more.possible]),
        )


def ways_of(setting: Setting, turns: Turns, origin: Index | None = None, home: Picks | None = None) -> Ways:
    """Turns as ways, of themselves and of the likeliest board unless it's said."""
    board, number = setting.board, len(turns)
    home = np.zeros((number, len(board.squares)), dtype=np.intp) if home is None else home
    width = max(map(len, board.readings), default=0)
    possible = home[:, :, None] == np.arange(width)
    for place, readings in enumerate(board.readings):
        for reading, tile in enumerate(readings):
            possible[:, place, reading] |= fits(turns, board.squares[place], tile.meeples)
    return Ways(turns, np.arange(number) if origin is None else origin, home, possible)


def probabilities(setting: Setting, ways: Ways) -> Floats:
    """How likely each square lets turns be played, [turns, squares]."""
    return np.asarray((ways.possible * setting.shares).sum(axis=2), dtype=np.float32)


def before(setting: Setting, ways: Ways) -> Batch:
    """The game before each of the ways, a lane each, on the board that it was listed on."""
    return setting.lay(setting.root.select(np.zeros(len(ways), dtype=np.intp)), ways.home)


def played(setting: Setting, ways: Ways, who: Index, where: Index) -> Batch:
    """The games after ways, by number, each in a world; where its board forbids one, on the nearest that doesn't."""
    picks = setting.picks[where % len(setting.picks)]
    there = ways.possible[who[:, None], np.arange(picks.shape[1])[None], picks]
    batch = setting.lay(setting.worlds.drawn.select(where), np.where(there, picks, ways.home[who]))
    lanes = np.arange(len(batch))
    play_turns(batch, lanes, ways.turns.select(who))
    end_turn(batch, lanes)
    return batch


def lost(setting: Setting, where: Index, rounds: int) -> Floats:
    """The margins in worlds in which the turn is lost: somebody plans one that can't be played."""
    batch = setting.lay(setting.worlds.drawn.select(where), setting.picks[where % len(setting.picks)])
    end_turn(batch, np.arange(len(batch)))
    setting.play_on(batch, rounds)
    return setting.margins(batch)


def play_round(
    setting: Setting, ways: Ways, worlds: int, average: int, last: int | None = None, rank: Rank | None = None
) -> Comparison:
    """What ways leave at the end of the round, in that many `worlds` at most, in `average` on average.

    They are halved until `last` are left, if that isn't None.
    """
    number, worlds = len(ways), min(worlds, len(setting.worlds.drawn))

    def sample(who: Index, where: Index) -> Floats:
        batch = played(setting, ways, who, where)
        setting.play_on(batch, 1)
        return setting.margins(batch) - setting.passing[where]

    lanes, most_lanes = average * number, setting.breadth.lanes
    return halve(sample, number, worlds, lanes=lanes, last=last or number, most_lanes=most_lanes, rank=rank)
