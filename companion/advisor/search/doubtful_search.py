"""The search where the board itself is in doubt: turns are compared over the boards that a photo may show.

Each world has a board of its own, drawn from the readings' chances. A turn that can't be played on it is played on the
nearest board on which it can, and its value loses what a lost turn costs by how likely that is: so the luck of draws
cancels in this as well. Turns that another reading alone allows are compared too, to know what that would change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from companion.advisor.search.boards import BOARDS, DoubtfulBoard, Picks, Valuation, promise
from companion.advisor.search.halving import Comparison, Rank
from companion.advisor.search.ideas import ideas_of
from companion.advisor.search.leaf import end_cells
from companion.advisor.search.turn_search import LOOKED_WORLDS, TurnSearch, best_of_kinds
from companion.errors import CompanionError
from companion.rules.engine.game import step
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.board import SQUARES
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import TileClaimed
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, totals
from companion.simulation.layout import NONE, Batch, Index, Turns
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn
from companion.simulation.sowings import sample_sowings

OTHER_TURNS = 8
"""Turns of other readings that get sowings."""
OTHER_SOWINGS = 2
OTHER_ALIKE = 3
OTHER_FINALISTS = 6
OTHERS_AFTER = 3
"""Of so many ways that go on being compared, one does because of what it would be with other readings."""
LOST_WORLDS = 48
"""Worlds in which it's found what a lost turn costs."""
LAST = 8
"""Turns that are compared to the end: the best, and what other readings would make the best."""

Flags = npt.NDArray[np.bool_]


def fits(turns: Turns, square: int, meeples: Sequence[int]) -> Flags:
    """Which turns can be played with these meeples on a square, as far as moving, taking and killing go (rules 4, 5.4).

    The rest of the board is one on which they can.
    """
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


@dataclass(slots=True, eq=False)
class DoubtfulTurnSearch(TurnSearch):
    """A search of a position whose board is in doubt; `known` is the state with the likeliest board.

    `home` are the picks of the board that each turn was found on, [turns, squares in doubt], and `possible` says with
    which readings of each square it can be played, [turns, squares, readings]. `drawn` are the boards that `valuation`
    is about; `finalists` are the turns that are compared to the end, as actions.
    """

    doubtful: DoubtfulBoard | None = None
    known: GameState | None = None
    home: Picks = field(default_factory=lambda: np.zeros((0, 0), dtype=np.intp))
    possible: Flags = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.bool_))
    drawn: Picks = field(default_factory=lambda: np.zeros((0, 0), dtype=np.intp))
    valuation: Valuation | None = None
    finalists: list[tuple[GameState, tuple[Action, ...]]] = field(default_factory=list)

    def _sown(self, turns: Turns, replies: int) -> tuple[Turns, Index]:
        board = self._board
        self.drawn = board.draw(BOARDS, self.seed)
        self.home = np.zeros((len(turns), len(board.squares)), dtype=np.intp)
        self.possible = self._possible(turns)
        self._passing = self._passed(np.arange(min(LOOKED_WORLDS, len(self.worlds))), 1)
        # More than not moving at all leaves.
        gains = self._leaf(self.root, turns) - self._margins(self.root)
        first = self._first_look(turns, gains, self._chances(self.possible).prod(axis=1), replies)
        # What is best if it's there, too: that says what knowing it is worth.
        there = best_of_kinds(np.argsort(-gains, kind="stable"), end_cells(turns), OTHER_ALIKE, OTHER_TURNS)
        first = np.concatenate([first, there[~np.isin(there, first)]])
        chosen, origin = sample_sowings(self.root, turns.select(first), self._sowings(replies), self.seed)
        found, homes = [chosen], [np.zeros((len(chosen), len(board.squares)), dtype=np.intp)]
        for home in self._other_homes():
            root = self._root(home)
            others = whole_turns(root, seed=self.seed)
            needs = ~np.stack([self._fits(others, place, 0) for place in range(len(board.squares))], axis=1)
            needs &= home != 0
            needing = np.flatnonzero(needs.any(axis=1))
            others, needs = others.select(needing), needs[needing]
            if not len(others):
                continue
            gains = self._leaf(root, others) - self._margins(root)
            own = np.where(needs, home, 0)
            likely = np.where(needs, 1, self._chances(self._possible(others))).prod(axis=1)
            order = np.argsort(-gains * likely, kind="stable")
            first = best_of_kinds(order, end_cells(others), OTHER_ALIKE, OTHER_TURNS)
            chosen, of = sample_sowings(root, others.select(first), OTHER_SOWINGS, self.seed)
            found.append(chosen)
            homes.append(own[first][of])
        self.home = np.concatenate(homes)
        origin = np.append(origin, np.full(len(self.home) - len(origin), NONE))
        return Turns(np.concatenate([one.data for one in found], axis=1)), origin

    @property
    def _board(self) -> DoubtfulBoard:
        assert self.doubtful is not None, "the board is in doubt"
        return self.doubtful

    @property
    def _width(self) -> int:
        return max(len(readings) for readings in self._board.readings)

    @property
    def _colours(self) -> list[Colour]:
        assert self.known is not None
        return [player.colour for player in self.known.position.players]

    def _other_homes(self) -> list[npt.NDArray[np.intp]]:
        """Boards with the second, then with the third readings all at once: a turn needs one or two of them."""
        sizes = np.array([len(readings) for readings in self._board.readings])
        return [np.minimum(number, sizes - 1) for number in range(1, min(int(sizes.max()), 3))]

    def _state(self, picks: Sequence[int]) -> GameState:
        assert self.known is not None
        board = self._board.laid(picks)
        return replace(self.known, position=self.known.position.with_board(board))

    def _root(self, picks: npt.NDArray[np.intp]) -> Batch:
        return pack([self._state(picks.tolist())], [0])

    def _fits(self, turns: Turns, place: int, reading: int) -> Flags:
        return fits(turns, self._board.squares[place], self._board.readings[place][reading].meeples)

    def _possible(self, turns: Turns) -> Flags:
        """With which readings turns can be played, as `fits` judges it."""
        found = np.zeros((len(turns), len(self._board.squares), self._width), dtype=np.bool_)
        for place, readings in enumerate(self._board.readings):
            for number in range(len(readings)):
                found[:, place, number] = self._fits(turns, place, number)
        return found

    @property
    def _shares(self) -> Floats:
        """How likely each reading of each square is, [squares, readings]."""
        counted = [np.bincount(picked, minlength=self._width) for picked in self.drawn.T]
        return np.asarray(np.array(counted) / len(self.drawn), dtype=np.float32)

    def _chances(self, possible: Flags) -> Floats:
        """How likely each square lets turns be played, [turns, squares]."""
        return np.asarray((possible * self._shares).sum(axis=2), dtype=np.float32)

    def _before(self, turns: Turns) -> Batch:
        batch = self.root.select(np.zeros(len(turns), dtype=np.intp))
        self._board.lay(batch, self.home, self._colours)
        return batch

    def _second_look(self, turns: Turns, origin: Index) -> Index:
        self._keep(turns, np.arange(len(turns)))
        chances, elsewhere = self._chances(self.possible), np.asarray(self.home.any(axis=1))
        chance = chances.prod(axis=1)
        # How likely turns can be played with each reading of each square.
        given, there = self.possible * (chance[:, None] / np.maximum(chances, 1e-6))[:, :, None], self._shares > 0

        def worths(sofar: Comparison) -> npt.NDArray[np.float64]:
            """What turns bring more than passing, and how near they come to being the best left with one reading."""
            brought = (sofar.means()[:, None, None] * given)[:, there]
            nearest = (self._shares[there] * (brought - brought[sofar.left()].max(axis=0))).max(axis=1)
            return np.stack([np.where(elsewhere, -np.inf, chance * sofar.means()), nearest])

        found = self._narrowed(turns, lambda sofar: by_turns(*worths(sofar)))
        first, others = (np.lexsort((-worth, -found.counts())) for worth in worths(found))
        ideas = ideas_of(self._before(turns), turns)
        kept = self._spread(first, ideas, origin)
        kept = kept[~elsewhere[kept]]
        # What is best with one reading has places of its own; with another, the same idea may begin elsewhere.
        others = best_of_kinds(others[~np.isin(others, kept)], ideas * SQUARES + turns.start, 1, OTHER_FINALISTS)
        kept = np.concatenate([kept, others])
        self._keep(turns.select(kept), kept)
        return kept

    def _keep(self, turns: Turns, ways: Index) -> None:
        self.home = self.home[ways]
        self.possible = self._possible(turns) | _only(self.home, self._width)

    def _left(self, batch: Batch, worlds: Index) -> Floats:
        return self._margins(batch) - self._passing[worlds]

    _passing: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    """The margins of the first worlds if the turn is lost."""

    def _passed(self, worlds: Index, rounds: int) -> Floats:
        """The margins in worlds in which the turn is lost."""
        batch = self.worlds.select(worlds)
        self._board.lay(batch, self.drawn[worlds % len(self.drawn)], self._colours)
        end_turn(batch, np.arange(len(batch)))
        self._play_on(batch, rounds)
        return self._margins(batch)

    def _played(self, turns: Turns, worlds: Index, who: Index) -> Batch:
        batch = self.worlds.select(worlds)
        lanes = np.arange(len(batch))
        picks = self.drawn[worlds % len(self.drawn)]
        there = self.possible[who[:, None], np.arange(picks.shape[1])[None], picks]
        self._board.lay(batch, np.where(there, picks, self.home[who]), self._colours)
        play_turns(batch, lanes, turns)
        end_turn(batch, lanes)
        return batch

    def _rank(self, turns: Turns) -> tuple[Rank | None, int]:
        valuation = self._valued(turns)
        self.valuation = valuation

        def rank(found: Comparison) -> npt.NDArray[np.float64]:
            matrix = valuation.matrix(found.values())
            average = np.where(self.home.any(axis=1), -np.inf, matrix.mean(axis=1))
            promised, left = np.full(len(matrix), -np.inf), found.left()
            promised[left] = promise(matrix[left], valuation.picks)
            return by_turns(average, promised)

        return rank, LAST

    def _valued(self, turns: Turns) -> Valuation:
        """On which boards the finalists can be played and hold, by the rules, and what they bring there."""
        claimed = self._by_the_rules(turns)
        legal = np.ones((len(turns), len(self.drawn)), dtype=np.bool_)
        holds, shift = legal.copy(), np.zeros(legal.shape, dtype=np.float32)
        gains = self._gains(turns)
        for place in range(self.drawn.shape[1]):
            picked = self.drawn[:, place]
            legal &= self.possible[:, place][:, picked]
            holds &= claimed[:, place][:, picked]
            shift += gains[:, place][:, picked]
        worlds = np.arange(min(LOST_WORLDS, len(self.worlds)))
        batch = self._played(turns.select(np.zeros(len(worlds), dtype=np.intp)), worlds, np.zeros_like(worlds))
        self._play_on(batch, self.breadth.rounds)
        lost = float((self._margins(batch) - self._passed(worlds, self.breadth.rounds)).mean())
        return Valuation(self.drawn, legal, holds & legal, shift, max(lost, 0.0))

    def _by_the_rules(self, turns: Turns) -> Flags:
        """With which readings turns claim what they say; `possible` becomes what the rules say."""
        claims = np.zeros(self.possible.shape, dtype=np.bool_)
        touched = squares_of(turns)
        self.finalists = []
        for number, home in enumerate(self.home.tolist()):
            state = self._state(home)
            actions, _ = turns_to_actions(pack([state], [0]), turns, number, state)
            self.finalists.append((state, actions))
            wanted = outcome(state, actions)
            for place, readings in enumerate(self._board.readings):
                own, untouched = readings[home[place]], not touched[number, self._board.squares[place]]
                for reading, tile in enumerate(readings):
                    if reading == home[place] or (untouched and (tile.kind, tile.camel) == (own.kind, own.camel)):
                        told = wanted
                    else:
                        told = outcome(self._state([*home[:place], reading, *home[place + 1 :]]), actions)
                    self.possible[number, place, reading] = reading == home[place] or told is not None
                    claims[number, place, reading] = reading == home[place] or told == wanted
        return claims

    def _gains(self, turns: Turns) -> Floats:
        """What turns bring more with each reading of a square than on their own boards, in VP."""
        shape = self.possible.shape
        number, place, reading = np.nonzero(self.possible)
        picks = self.home[number].copy()
        picks[np.arange(len(picks)), place] = reading
        batch = self.root.select(np.zeros(len(picks), dtype=np.intp))
        self._board.lay(batch, picks, self._colours)
        seat = int(self.root.mover[0])
        before = totals(batch)[seat].astype(np.float32)
        play_turns(batch, np.arange(len(batch)), turns.select(number))
        gains = np.zeros(shape, dtype=np.float32)
        gains[number, place, reading] = totals(batch)[seat] - before
        own = gains[np.arange(shape[0])[:, None], np.arange(shape[1])[None], self.home]
        return np.where(self.possible, gains - own[:, :, None], 0.0).astype(np.float32)


def _only(picks: Picks, width: int) -> Flags:
    """Flags of the picked readings alone, [turns, squares, readings]."""
    return np.asarray(picks[:, :, None] == np.arange(width))


def by_turns(first: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Ranks for turns, higher for better: by one measure, and every so often by the other, `OTHERS_AFTER`."""
    places = np.argsort(np.lexsort((-np.stack([first, first]), -np.stack([first, others])), axis=1), axis=1)
    return np.asarray(-np.minimum(places[0], OTHERS_AFTER * places[1]), dtype=np.float64)
