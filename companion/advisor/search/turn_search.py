"""The search for the best turn: a wide first look, sowings compared to the end of the round, then sequential halving.

1. Every whole turn is played and valued where it ends, by the leaf evaluation.
2. The best of them, each with several sowings that leave different boards, are played on to the end of the round.
3. The best of those are halved by playouts to the end of the next round, bids included, all in the same worlds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.advisor.search.halving import Comparison, SearchClock, halve
from companion.advisor.search.ideas import ideas_of, spread
from companion.advisor.search.leaf import PARTS, Expected, end_cells
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.bridge import WorldSupply
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import NONE, STAGE_ID, TRIBES, Index
from companion.simulation.playing import play_turns
from companion.simulation.playout import Watch, play_on
from companion.simulation.policy import PolicyTurns
from companion.simulation.rounds import end_turn
from companion.simulation.sowing import NOT_ENDING
from companion.simulation.sowings import sample_sowings
from companion.simulation.turn_actions import drawing_turns
from companion.simulation.turns import Turns

LAST_TURN_WORLDS = 512
"""Worlds in which the last turn of a game is played at most: each is played whole, by every turn that there is."""


Rank = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Breadth:
    """How wide the search is.

    `turns` of the first look get `sowings` each, of which at most `alike` share end tile and tribe; `finalists` are
    halved, spread over ideas with so many `ways` of the best (`ideas.spread`), over `rounds` rounds, the present one
    being the first.
    `first_worlds` are met in the second step. Players reply by a softmax with temperature `noise` in VP: who always
    answers alike is one line, not a mean.
    """

    turns: int = 80
    sowings: int = 8
    alike: int = 12
    finalists: int = 24
    ways: int = 3
    rounds: int = 2
    first_worlds: int = 2
    noise: float = 1.0
    lanes: int = 640


@dataclass(slots=True, eq=False)
class SearchedTurns:
    """What a search found: turns as columns, their comparison, and what the mean margin of each is made of.

    `parts` is [turns, worlds, PARTS] in VP, NaN where a turn did not meet a world, like `wins`, the chances to win;
    `replies` are the next opponent's
    cells (square x TRIBES + tribe; NONE for none), [turns, worlds]. `exact` says that the values are no samples.
    """

    turns: Turns
    comparison: Comparison
    parts: Floats
    wins: Floats
    replies: npt.NDArray[np.int64]
    playouts: int
    exact: bool = False


@dataclass(slots=True, eq=False)
class TurnSearch:
    """A search of one position: `root` is a batch of one lane from which turns are enumerated, `worlds` the games that
    they are played in, `seat` the mover's. `supply` has more worlds for a search that comes to the end of these.
    """

    root: Batch
    worlds: Batch
    weights: Weights
    seat: int
    seed: int
    breadth: Breadth = field(default_factory=Breadth)
    playouts: int = 0
    found: Turns | None = None
    supply: WorldSupply | None = None

    def has_turns(self) -> bool:
        """Whether there is any turn to compare: hands beyond `turns.MAX_HAND` are left out."""
        return len(self._turns()) > 0

    def _turns(self) -> Turns:
        if self.found is None:
            self.found = whole_turns(self.root, seed=self.seed)
        return self.found

    def run(
        self,
        clock: SearchClock,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> SearchedTurns:
        """The best turns, for as long as the clock says."""
        turns = self._turns()
        if self.is_last_turn():
            return self._exact(turns, clock, progress)
        chosen, origin = self._sown(turns, self._sowings(clock.planned(0)))
        finalists = self._second_look(chosen, origin)
        if progress is not None:
            progress(clock.share(0.2))
        return self._halve(chosen.select(finalists), clock, progress)

    def _sown(self, turns: Turns, sowings: int) -> tuple[Turns, Index]:
        """The turns of the first look with so many sowings each, and which turn each column is a way of."""
        return sample_sowings(self.root, turns.select(self._first_look(turns)), sowings, self.seed)

    def _sowings(self, replies: int) -> int:
        """So many of each turn that the second look takes about a third of the replies, and at least one."""
        first = self.worlds.select(np.arange(min(self.breadth.first_worlds, len(self.worlds))))
        waiting = (first.turn_seat != NONE).sum(axis=0)
        steps = np.where(waiting > 0, waiting, 2 * (first.bid_order != NONE).sum(axis=0)).sum()
        return int(np.clip(replies // (3 * self.breadth.turns * steps), 1, self.breadth.sowings))

    def _before(self, turns: Turns) -> Batch:
        """The game before each of the turns, a lane each."""
        return self.root.select(np.zeros(len(turns), dtype=np.intp))

    def is_last_turn(self) -> bool:
        """Whether the game ends with this turn (rules 9) in every world: who plays after it may not be known."""
        return bool((self.worlds.turn_seat[0] == NONE).all() and (self.worlds.ending != NOT_ENDING).all())

    def _played(self, turns: Turns, worlds: Index, who: Index) -> Batch:
        """The turns, each played in a world; `who` are their numbers among those that are compared."""
        batch = self.worlds.select(worlds)
        lanes = np.arange(len(batch))
        play_turns(batch, lanes, turns)
        end_turn(batch, lanes)
        return batch

    def _margins(self, batch: Batch) -> Floats:
        return Expected.of(batch, self.weights).margin(self.seat)

    def _exact(self, turns: Turns, clock: SearchClock, progress: Callable[[float], None] | None) -> SearchedTurns:
        """The last turn of a game: what it comes to is known as soon as it is played, in each world.

        The clock is asked after each world; worlds that it leaves no time for stay NaN for all turns alike.
        """
        varying = self._varying(turns)
        count = min(len(self.worlds), LAST_TURN_WORLDS) if varying.any() else 1
        samples = np.full((len(turns), count), np.nan, dtype=np.float32)
        parts = np.full((len(turns), count, len(PARTS)), np.nan, dtype=np.float32)
        wins = np.full_like(samples, np.nan)
        for world in range(count):
            if world and clock.over():
                break
            lanes = np.flatnonzero(varying) if world else np.arange(len(turns))
            batch = self._played(turns.select(lanes), np.full(len(lanes), world, dtype=np.intp), lanes)
            expected = Expected.of(batch, self.weights)
            # Turns that come to the same in every world are played in the first of them alone.
            samples[:, world], parts[:, world], wins[:, world] = samples[:, 0], parts[:, 0], wins[:, 0]
            samples[lanes, world], wins[lanes, world] = expected.margin(self.seat), expected.chance(self.seat)
            parts[lanes, world] = expected.parts(batch, self.seat).T
            if progress is not None:
                progress((world + 1) / count)
        replies = np.full((len(turns), count), NONE, dtype=np.int64)
        return SearchedTurns(turns, Comparison(samples), parts, wins, replies, self.playouts, exact=True)

    def _varying(self, turns: Turns) -> npt.NDArray[np.bool_]:
        """Which turns, if each is the game's last, may come to something else in another world."""
        seen = np.ones(len(self.worlds.data), dtype=np.bool_)
        for name in ("deck", "djinn_deck", "world"):
            seen[Batch.PLACES[name]] = False
        if (self.worlds.data[seen] != self.worlds.data[seen][:, :1]).any():
            return np.ones(len(turns), dtype=np.bool_)
        return drawing_turns(self.root, turns)

    def _first_look(self, turns: Turns) -> Index:
        """The turns that are worth most where they end, those with the same end tile and tribe up to a number."""
        batch = self.root.select(np.zeros(len(turns), dtype=np.intp))
        play_turns(batch, np.arange(len(turns)), turns)
        values = self._margins(batch)
        order = np.argsort(-values, kind="stable")
        return best_of_kinds(order, end_cells(turns), self.breadth.alike, self.breadth.turns)

    def _second_look(self, turns: Turns, origin: Index) -> Index:
        """The turns that leave most at the end of the round, one sowing of each."""
        total = self._left(turns)
        order = best_of_kinds(np.argsort(-total, kind="stable"), origin, 1, len(total))
        return spread(order, ideas_of(self._before(turns), turns), self.breadth.finalists, self.breadth.ways)

    def _left(self, turns: Turns) -> Floats:
        """What turns leave when they are looked on from, the sum over the first worlds."""
        total = np.zeros(len(turns), dtype=np.float32)
        for world in range(min(self.breadth.first_worlds, len(self.worlds))):
            batch = self._played(turns, np.full(len(turns), world, dtype=np.intp), np.arange(len(turns)))
            self._look_on(batch)
            total += self._margins(batch)
        return total

    def _look_on(self, batch: Batch) -> None:
        """Play lanes on after their turn to the end of the round, or of the next one where the turn has ended this.

        The ways of a turn differ in what they leave the others, so somebody has to play.
        """
        self.playouts += play_on(batch, self.weights, rounds=1, noise=self.breadth.noise)

    def _play_on(self, batch: Batch, rounds: int, watch: Watch | None = None) -> None:
        """Play lanes on after their turn until so many rounds are over; a round that the turn ended is the first.

        Where the tracks aren't known, the turn ends its round in some worlds only.
        """
        left = rounds - (batch.stage == STAGE_ID[Stage.BID]).astype(np.intp)
        self.playouts += play_on(batch, self.weights, rounds=left, noise=self.breadth.noise, watch=watch)

    def _halve(
        self,
        turns: Turns,
        clock: SearchClock,
        progress: Callable[[float], None] | None,
    ) -> SearchedTurns:
        met = len(self.worlds)
        parts = np.full((len(turns), met, len(PARTS)), np.nan, dtype=np.float32)
        wins = np.full((len(turns), met), np.nan, dtype=np.float32)
        replies = np.full((len(turns), met), NONE, dtype=np.int64)
        steps = self._steps()

        def sample(who: Index, where: Index) -> Floats:
            nonlocal met, parts, wins, replies
            if self.supply is not None and where[-1] >= met:
                self.worlds = self.supply.up_to(int(where[-1]) + 1, self.worlds)
                more, met = len(self.worlds) - met, len(self.worlds)
                parts = np.pad(parts, ((0, 0), (0, more), (0, 0)), constant_values=np.nan)
                wins = np.pad(wins, ((0, 0), (0, more)), constant_values=np.nan)
                replies = np.pad(replies, ((0, 0), (0, more)), constant_values=NONE)
            batch = self._played(turns.select(who), where, who)
            first = np.full(len(who), NONE, dtype=np.int64)
            fresh = np.ones(len(who), dtype=np.bool_)

            def watch(at: Index, found: PolicyTurns, _: Index) -> None:
                new = at[fresh[at]]
                cells = found.end.astype(np.int64) * TRIBES + found.tribe
                first[new] = np.where(found.end >= 0, cells, NONE)[fresh[at]]
                fresh[at] = False

            self._play_on(batch, self.breadth.rounds, watch)
            expected = Expected.of(batch, self.weights)
            parts[who, where], wins[who, where] = expected.parts(batch, self.seat).T, expected.chance(self.seat)
            replies[who, where] = first
            return expected.margin(self.seat)

        rank, last = self._rank(turns)
        lanes = max(len(turns) * 2, int((clock.planned(self.playouts) - self.playouts) / steps))
        comparison = halve(
            sample,
            len(turns),
            met if self.supply is None else self.supply.size,
            lanes=lanes,
            last=last,
            rank=rank,
            most_lanes=self.breadth.lanes,
            plan=clock.lanes_plan(),
            stop=clock.over,
            progress=None if progress is None else lambda share: progress(clock.share(0.2 + 0.8 * share)),
        )
        return SearchedTurns(turns, Comparison(comparison.samples[:, :met]), parts, wins, replies, self.playouts)

    def _rank(self, turns: Turns) -> tuple[Rank | None, int]:
        """What the better half is told by, if not by the means, and how many are left in the end."""
        return None, 2

    def _steps(self) -> int:
        """Some best replies of a playout: the rest of this round, and bids and turns of those that follow."""
        waiting = int((self.root.turn_seat[:, 0] != NONE).sum())
        markers = waiting + int((self.root.bid_order[:, 0] != NONE).sum())
        return max(1, waiting + 2 * markers * (self.breadth.rounds - 1))


def best_of_kinds(order: Index, kind: npt.NDArray[np.int64], alike: int, most: int) -> Index:
    """The first `most` of an order, no more than `alike` of a kind among them."""
    seen: Counter[int] = Counter()
    kept = []
    for number in order.tolist():
        seen[int(kind[number])] += 1
        if seen[int(kind[number])] <= alike:
            kept.append(number)
            if len(kept) == most:
                break
    return np.array(kept, dtype=np.intp)
