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

from companion.advisor.search.halving import Comparison, Rank, SearchClock, halve
from companion.advisor.search.ideas import ideas_of, spread
from companion.advisor.search.leaf import PARTS, Expected, end_cells
from companion.simulation.bridge import WorldSupply, drawing_turns
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import BID, NONE, NOT_ENDING, TRIBES, Batch, Index, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import PolicyTurns, Watch, play_on
from companion.simulation.rounds import end_turn
from companion.simulation.sowings import sample_sowings

LAST_TURN_WORLDS = 512
"""Worlds in which the last turn of a game is played at most."""
SOWINGS_AGAIN, WORLDS_AGAIN = 12, 4
"""So many more ways of each of the best turns are looked on from, in so many worlds on average."""
GLIMPSED_WORLDS = 5
"""Worlds that turns are glimpsed in."""
LOOKED_WORLDS = 24
"""Worlds that a way meets at most when it's looked on from."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How wide the search is.

    `turns` of the first look get `sowings` each, of which at most `alike` share end tile and tribe; they are those that
    leave most of those `glimpsed`, where more are looked on from first. `finalists` are halved, spread over ideas with
    so many `ways` of the `best_ideas` (`ideas.spread`), over `rounds` rounds, the present one being the first; at least
    to the end of one.
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


@dataclass(slots=True, eq=False)
class SearchedTurns:
    """What a search found: turns as columns, their comparison, and what the mean margin of each is made of.

    `parts` is [turns, worlds, PARTS] in VP, NaN where a turn did not meet a world, like `wins`, the chances to win;
    `replies` are the next opponent's cells (square x TRIBES + tribe; NONE for none), [turns, worlds]. `exact` says that
    the values are no samples.
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
    Worlds that the second look chose in, `looked`, say too much of what it chose: halving begins after them.
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
    looked: int = 0

    def has_turns(self) -> bool:
        """Whether there is any turn to compare: hands beyond `turns.MAX_HAND` are left out."""
        return len(self._turns()) > 0

    def _turns(self) -> Turns:
        if self.found is None:
            self.found = whole_turns(self.root, seed=self.seed)
        return self.found

    def run(self, clock: SearchClock, *, progress: Callable[[float], None] | None = None) -> SearchedTurns:
        """The best turns, for as long as the clock says."""
        turns = self._turns()
        if self.is_last_turn():
            return self._halve(turns, clock, progress)
        chosen, origin = self._sown(turns, clock.planned(0))
        finalists = self._second_look(chosen, origin)
        if self.breadth.again:
            chosen = self._with_better_ways(chosen.select(finalists), origin[finalists])
            finalists = np.arange(len(chosen))
        if progress is not None:
            progress(clock.share(0.2))
        return self._halve(chosen.select(finalists), clock, progress)

    def _sown(self, turns: Turns, replies: int) -> tuple[Turns, Index]:
        """The turns of the first look with some sowings each, and which turn each column is a way of.

        `replies` are those of the whole search.
        """
        chances = np.ones(len(turns), dtype=np.float32)
        first = self._first_look(turns, self._leaf(self.root, turns), chances, replies)
        return sample_sowings(self.root, turns.select(first), self._sowings(replies), self.seed)

    def _with_better_ways(self, turns: Turns, origin: Index) -> Turns:
        """These ways, the best first, and better ones of the best turns; `origin` is NONE for those of other boards."""
        firsts = np.sort(np.unique(origin, return_index=True)[1])
        firsts = firsts[origin[firsts] != NONE][: self.breadth.again]
        ways, of = sample_sowings(self.root, turns.select(firsts), SOWINGS_AGAIN, self.seed + 1)
        both = Turns(np.concatenate([turns.data, ways.data], axis=1))
        self._keep(both, np.append(np.arange(len(turns)), firsts[of]))

        def rank(found: Comparison) -> npt.NDArray[np.float64]:
            best, left, means = np.full(len(firsts), -np.inf), found.left(), found.means()
            np.maximum.at(best, of[left], means[left])
            return np.asarray(means - best[of])

        some = np.arange(len(turns), len(both))
        found = self._looked_on(both, some, LOOKED_WORLDS, WORLDS_AGAIN, 2 * len(firsts), rank)
        better = best_of_kinds(np.lexsort((-found.means(), -found.counts())), of, 1, len(of))
        # The first of each turn is its way so far.
        better = better[~np.isin(better, np.unique(of, return_index=True)[1])]
        kept = np.append(np.arange(len(turns)), some[better])
        self._keep(both.select(kept), kept)
        return both.select(kept)

    def _keep(self, turns: Turns, ways: Index) -> None:
        """Note that these turns are compared from now on, each of which is a way of what was one of the `ways`."""

    def _sowings(self, replies: int) -> int:
        """So many of each turn that the second look takes about a third of the replies, and at least one."""
        lanes = self.breadth.turns * self.breadth.first_worlds * self._steps(1).mean()
        share = 3 if not self.breadth.glimpsed else 4
        return int(np.clip(replies // (share * lanes), 1, self.breadth.sowings))

    def _before(self, turns: Turns) -> Batch:
        """The game before each of the turns, a lane each."""
        return self.root.select(np.zeros(len(turns), dtype=np.intp))

    def is_last_turn(self) -> bool:
        """Whether the game ends with this turn (rules 9) in every world: who plays after it may not be known."""
        return self._ends_round() and bool((self.worlds.ending != NOT_ENDING).all())

    def _ends_round(self) -> bool:
        """Whether nobody plays after this turn in any world."""
        return bool((self.worlds.turn_seat[0] == NONE).all())

    def _played(self, turns: Turns, worlds: Index, who: Index) -> Batch:
        """The turns, each played in a world; `who` are their numbers among those that are compared."""
        batch = self.worlds.select(worlds)
        lanes = np.arange(len(batch))
        play_turns(batch, lanes, turns)
        end_turn(batch, lanes)
        return batch

    def _margins(self, batch: Batch) -> Floats:
        return Expected.of(batch, self.weights).margin(self.seat)

    def _varies(self, turns: Turns) -> bool:
        """Whether any of these turns, if it's the game's last, may come to something else in another world."""
        seen = np.ones(len(self.worlds.data), dtype=np.bool_)
        for name in ("deck", "djinn_deck", "world"):
            seen[Batch.PLACES[name]] = False
        known = (self.worlds.data[seen] == self.worlds.data[seen][:, :1]).all()
        return not known or bool(drawing_turns(self.root, turns).any())

    def _first_look(self, turns: Turns, gains: Floats, chances: Floats, replies: int) -> Index:
        """The turns that are worth most where they end, those with the same end tile and tribe up to a number.

        `gains` are what they are worth there, `chances` how likely they can be played. A sixth of the replies at most
        goes to glimpses.
        """
        breadth, cells = self.breadth, end_cells(turns)
        glimpsed = min(breadth.glimpsed, int(replies / (6 * GLIMPSED_WORLDS * self._steps(1).mean())))
        order = np.argsort(-gains * chances, kind="stable")
        found = best_of_kinds(order, cells, breadth.alike, max(glimpsed, breadth.turns))
        if len(found) > breadth.turns:
            later = self._looked_on(turns, found, GLIMPSED_WORLDS, GLIMPSED_WORLDS).means()
            found = found[np.argsort(-later * chances[found], kind="stable")][: breadth.turns]
        return found

    def _leaf(self, root: Batch, turns: Turns) -> Floats:
        """The margins that turns leave where they end."""
        batch = root.select(np.zeros(len(turns), dtype=np.intp))
        play_turns(batch, np.arange(len(turns)), turns)
        return self._margins(batch)

    def _second_look(self, turns: Turns, origin: Index) -> Index:
        """The ways of turns that leave most when they are looked on from."""
        found = self._narrowed(turns)
        order = np.lexsort((-found.means(), -found.counts()))
        return self._spread(order, ideas_of(self._before(turns), turns), origin)

    def _spread(self, order: Index, ideas: npt.NDArray[np.int64], origin: Index) -> Index:
        """The finalists of an order; one sowing of each turn, unless ways were halved and have met more worlds."""
        if not self.breadth.narrowed:
            order = best_of_kinds(order, origin, 1, len(order))
        return spread(order, ideas, self.breadth.finalists, self.breadth.ways, self.breadth.best_ideas)

    def _narrowed(self, turns: Turns, rank: Rank | None = None) -> Comparison:
        """The comparison of ways by looking on from them: they differ in what they leave the others."""
        breadth, everybody = self.breadth, np.arange(len(turns))
        if not breadth.narrowed:
            return self._looked_on(turns, everybody, breadth.first_worlds, breadth.first_worlds)
        found = self._looked_on(turns, everybody, LOOKED_WORLDS, breadth.first_worlds, breadth.narrowed, rank)
        self.looked = int(found.counts().max())
        return found

    def _looked_on(
        self, turns: Turns, some: Index, worlds: int, average: int, last: int | None = None, rank: Rank | None = None
    ) -> Comparison:
        """What some of the turns leave at the end of the round, in so many worlds at most and some on average.

        They are halved until so many are left as are `last`, if that isn't None.
        """

        def sample(who: Index, where: Index) -> Floats:
            batch = self._played(turns.select(some[who]), where, some[who])
            self._play_on(batch, 1)
            return self._left(batch, where)

        number, worlds, at_once = len(some), min(worlds, len(self.worlds)), self.breadth.lanes
        return halve(sample, number, worlds, lanes=average * number, last=last or number, most_lanes=at_once, rank=rank)

    def _left(self, batch: Batch, worlds: Index) -> Floats:
        """What turns that were looked on from are compared by, in these worlds."""
        return self._margins(batch)

    def _play_on(self, batch: Batch, rounds: int, watch: Watch | None = None) -> None:
        """Play lanes on after their turn until so many rounds are over; a round that the turn ended is the first.

        A turn that ends its round in every world is followed by another round, for somebody has to play. Where the
        tracks aren't known, it ends the round in some worlds only, and nothing follows there.
        """
        rounds = max(rounds, 2) if self._ends_round() else rounds
        left = rounds - (batch.stage == BID).astype(np.intp)
        self.playouts += play_on(batch, self.weights, rounds=left, noise=self.breadth.noise, watch=watch)

    def _halve(self, turns: Turns, clock: SearchClock, progress: Callable[[float], None] | None) -> SearchedTurns:
        steps, most = float(self._steps(self.breadth.rounds).mean()), len(self.worlds)
        if self.supply is not None:
            most = self.supply.size
        if exact := self.is_last_turn():
            # What it comes to is known as soon as it's played.
            most, steps = min(most, LAST_TURN_WORLDS) if self._varies(turns) else 1, 1.0
        parts = np.full((len(turns), most, len(PARTS)), np.nan, dtype=np.float32)
        samples, wins = np.full((2, len(turns), most), np.nan, dtype=np.float32)
        replies = np.full((len(turns), most), NONE, dtype=np.int64)

        def sample(who: Index, where: Index) -> Floats:
            where = where + self.looked
            if self.supply is not None:
                self.worlds = self.supply.up_to(int(where[-1]) + 1, self.worlds)
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
            samples[who, where], replies[who, where] = expected.margin(self.seat), first
            return samples[who, where]

        rank, last = self._rank(turns)
        lanes = max(len(turns) * 2, int((clock.planned(self.playouts) - self.playouts) / steps))
        halve(
            sample,
            len(turns),
            most - self.looked,
            lanes=lanes,
            last=last,
            rank=rank,
            most_lanes=self.breadth.lanes,
            plan=clock.lanes_plan(),
            stop=clock.over,
            progress=None if progress is None else lambda share: progress(clock.share(0.2 + 0.8 * share)),
        )
        met = np.s_[:, : len(self.worlds)]
        return SearchedTurns(turns, Comparison(samples[met]), parts[met], wins[met], replies[met], self.playouts, exact)

    def _rank(self, turns: Turns) -> tuple[Rank | None, int]:
        """What the better half is told by, if not by the means, and how many are left in the end."""
        return None, 2

    def _steps(self, rounds: int) -> npt.NDArray[np.int64]:
        """Some best replies of a playout in each of the worlds: the rest of this round, bids and turns of others."""
        waiting = (self.worlds.turn_seat != NONE).sum(axis=0)
        markers = waiting + (self.worlds.bid_order != NONE).sum(axis=0)
        return np.asarray(np.maximum(waiting + 2 * markers * (rounds - (rounds > 1 or not self._ends_round())), 1))


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
