"""The search for the best turn: a shortlist of all, sowings compared to the end of the round, then sequential halving.

1. Every whole turn is played and valued where it ends, by the leaf evaluation.
2. The best of them, each with several sowings that leave different boards, are played on to the end of the round.
3. The best of those are halved by playouts to the end of the next round, bids included, all in the same worlds.

Where the board itself is in doubt each world has a board of its own. A turn that can't be played there is played on the
nearest board on which it can, and its value loses what a lost turn costs by how likely that is: so the luck of draws
cancels in this as well. Turns that another reading alone allows are compared too, to know what that would change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import OPPONENTS, TO_COME
from companion.advisor.search.boards import Flags, Valuation, fits, outcome, squares_of
from companion.advisor.search.halving import Comparison, halve
from companion.advisor.search.ideas import best_of_kinds, by_turns, ideas_of, shared_out
from companion.advisor.search.lanes import (
    ROUND_WORLDS,
    Setting,
    Ways,
    before,
    lost,
    play_round,
    played,
    probabilities,
    ways_of,
)
from companion.advisor.search.leaf import PARTS, Expected, end_cells
from companion.rules.model.actions import Action
from companion.rules.model.board import SQUARES
from companion.rules.model.state import GameState
from companion.simulation.bridge import drawing_turns, pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, scores, totals
from companion.simulation.layout import NONE, SEATS, Batch, Index, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import PolicyTurns
from companion.simulation.sowings import sample_sowings

LAST_TURN_WORLDS = 512
"""Worlds in which the last turn of a game is played at most."""
SOWINGS_AGAIN, WORLDS_AGAIN = 12, 4
"""How many more ways of each of the best turns are played on, and in how many worlds on average."""
GLIMPSED_WORLDS = 5
"""Worlds in which turns are played on before any sowings are drawn."""

OTHER_TURNS = 8
"""Turns of other readings that get sowings."""
OTHER_SOWINGS = 2
OTHER_ALIKE = 3
OTHER_FINALISTS = 6
LOST_WORLDS = 48
"""Worlds in which it's measured what a lost turn costs."""
LAST = 8
"""Turns that are compared to the end: the best, and what other readings would make the best."""


Finalist = tuple[GameState, tuple[Action, ...]]
"""A turn as actions, from the state on whose board it was listed."""


@dataclass(frozen=True, slots=True, eq=False)
class SearchedTurns:
    """What comes of a search: turns as columns, their comparison, and what the mean margin of each is made of.

    `parts` is [turns, worlds, PARTS] in VP, NaN where a turn did not meet a world, like `wins`, the chances to win;
    `replies` are the next opponent's cells (square x TRIBES + tribe; NONE for none), [turns, worlds]. `exact` says that
    the values are no samples. Where the board is in doubt, `valuation` is what turns are worth over boards, and
    `finalists` are the turns as actions.
    """

    turns: Turns
    comparison: Comparison
    parts: Floats
    wins: Floats
    replies: npt.NDArray[np.int64]
    playouts: int
    exact: bool
    valuation: Valuation | None
    finalists: tuple[Finalist, ...]


def search_turns(setting: Setting, turns: Turns) -> SearchedTurns:
    """The best of the whole turns from the root, for as long as the clock says."""
    if setting.is_last_turn:
        if _adds_up(setting, turns):
            return count_last_turns(setting, turns)
        return compare(setting, ways_of(setting, turns))
    ways, met = choose_finalists(setting, sow(setting, turns))
    if setting.breadth.again:
        ways = with_better_ways(setting, ways)
    setting.clock.tell(0.2)
    return compare(setting, ways, met)


# The shortlist, and sowings of it.


def sow(setting: Setting, turns: Turns) -> Ways:
    """The turns of the shortlist with some sowings each."""
    replies, gains = setting.clock.planned, _gains_at_leaf(setting, setting.root, turns)
    first = shortlist(setting, ways_of(setting, turns), gains, replies)
    if setting.board.squares:
        # What is best if it's there, too: that says what knowing it is worth.
        there = best_of_kinds(np.argsort(-gains, kind="stable"), end_cells(turns), OTHER_ALIKE, OTHER_TURNS)
        first = np.concatenate([first, there[~np.isin(there, first)]])
    # So many sowings that playing them on takes about a third of the replies, or a quarter after a glimpse.
    lanes = setting.breadth.turns * setting.breadth.first_worlds * setting.steps(1).mean()
    most = replies // ((4 if setting.breadth.glimpsed else 3) * lanes)
    count = int(np.clip(most, 1, setting.breadth.sowings))
    sown = ways_of(setting, *sample_sowings(setting.root, turns.select(first), count, setting.seed))
    for others in _turns_of_other_readings(setting):
        sown = sown.and_more(others)
    return sown


def _gains_at_leaf(setting: Setting, root: Batch, turns: Turns) -> Floats:
    """How much more turns leave where they end than not moving does, in VP."""
    batch = root.select(np.zeros(len(turns), dtype=np.intp))
    play_turns(batch, np.arange(len(turns)), turns)
    return setting.margins(batch) - setting.margins(root)


def shortlist(setting: Setting, ways: Ways, gains: Floats, replies: int) -> Index:
    """The turns that gain most where they end, those with the same end tile and tribe up to a number.

    Turns that may not be there gain less by that. A sixth of the `replies` of the search at most goes to glimpses.
    """
    breadth, likely = setting.breadth, probabilities(setting, ways).prod(axis=1)
    glimpsed = min(breadth.glimpsed, int(replies / (6 * GLIMPSED_WORLDS * setting.steps(1).mean())))
    order = np.argsort(-gains * likely, kind="stable")
    first = best_of_kinds(order, end_cells(ways.turns), breadth.alike, max(glimpsed, breadth.turns))
    if len(first) > breadth.turns:
        later = play_round(setting, ways.select(first), GLIMPSED_WORLDS, GLIMPSED_WORLDS).means()
        first = first[np.argsort(-later * likely[first], kind="stable")][: breadth.turns]
    return first


def _turns_of_other_readings(setting: Setting) -> Iterator[Ways]:
    """Turns that the likeliest board doesn't allow, with some sowings."""
    sizes = np.array([len(readings) for readings in setting.board.readings])
    # Boards with all the second, then with all the third readings at once: a turn needs one or two of them.
    for number in range(1, min(int(sizes.max(initial=0)), 3)):
        home = np.minimum(number, sizes - 1)
        root = pack([setting.state(home.tolist())], [0])
        turns = whole_turns(root, seed=setting.seed)
        allowed = [
            fits(turns, square, readings[0].meeples)
            for square, readings in zip(setting.board.squares, setting.board.readings, strict=True)
        ]
        needs = ~np.stack(allowed, axis=1) & (home != 0)
        needing = np.flatnonzero(needs.any(axis=1))
        turns, needs = turns.select(needing), needs[needing]
        if not len(turns):
            continue
        ways = ways_of(setting, turns, home=np.where(needs, home, 0))
        likely = np.where(needs, 1, probabilities(setting, ways)).prod(axis=1)
        order = np.argsort(-_gains_at_leaf(setting, root, turns) * likely, kind="stable")
        first = best_of_kinds(order, end_cells(turns), OTHER_ALIKE, OTHER_TURNS)
        sown, of = sample_sowings(root, turns.select(first), OTHER_SOWINGS, setting.seed)
        yield ways_of(setting, sown, np.full(len(sown), NONE), ways.home[first][of])


# The finalists: ways are played on to the end of the round.


def choose_finalists(setting: Setting, ways: Ways) -> tuple[Ways, int]:
    """The finalists: ways of turns that leave most at the end of the round; and in how many worlds they were chosen.

    Worlds in which ways were narrowed down say too much of what they chose: halving begins after them.
    """
    breadth, elsewhere = setting.breadth, ways.elsewhere
    each, share = probabilities(setting, ways), setting.shares
    likely = each.prod(axis=1)
    # How likely turns can be played with each reading of each square.
    given, there = ways.possible * (likely[:, None] / np.maximum(each, 1e-6))[:, :, None], share > 0

    def worths(sofar: Comparison) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """How much more turns bring than passing, and how near they come to being the best left with one reading."""
        means = sofar.means()
        average = np.where(elsewhere, -np.inf, likely * means)
        if not there.any():
            return average, average
        brought = (means[:, None, None] * given)[:, there]
        return average, (share[there] * (brought - brought[sofar.left()].max(axis=0))).max(axis=1)

    if breadth.narrowed:
        bounds = ROUND_WORLDS, breadth.first_worlds, breadth.narrowed
        met = play_round(setting, ways, *bounds, rank=lambda sofar: by_turns(*worths(sofar)))
    else:
        met = play_round(setting, ways, breadth.first_worlds, breadth.first_worlds)
    first, others = (np.lexsort((-worth, -met.counts())) for worth in worths(met))
    if not breadth.narrowed:
        # All have met as few worlds: one sowing of each turn will do.
        first = best_of_kinds(first, ways.origin, 1, len(first))
    ideas = ideas_of(before(setting, ways), ways.turns)
    finalists = shared_out(first, ideas, breadth.finalists, breadth.ways, breadth.best_ideas)
    finalists = finalists[~elsewhere[finalists]]
    if setting.board.squares:
        # What is best with one reading has places of its own; with another, the same idea may begin elsewhere.
        others = others[~np.isin(others, finalists)]
        others = best_of_kinds(others, ideas * SQUARES + ways.turns.start, 1, OTHER_FINALISTS)
        finalists = np.append(finalists, others)
    return ways.select(finalists), int(met.counts().max()) if breadth.narrowed else 0


def with_better_ways(setting: Setting, ways: Ways) -> Ways:
    """These ways, the best first, and better ones of the best turns."""
    firsts = np.sort(np.unique(ways.origin, return_index=True)[1])
    firsts = firsts[ways.origin[firsts] != NONE][: setting.breadth.again]
    turns, of = sample_sowings(setting.root, ways.turns.select(firsts), SOWINGS_AGAIN, setting.seed + 1)
    more = ways_of(setting, turns, ways.origin[firsts[of]], ways.home[firsts[of]])

    def rank(sofar: Comparison) -> npt.NDArray[np.float64]:
        best, left, means = np.full(len(firsts), -np.inf), sofar.left(), sofar.means()
        np.maximum.at(best, of[left], means[left])
        return np.asarray(means - best[of])

    met = play_round(setting, more, ROUND_WORLDS, WORLDS_AGAIN, 2 * len(firsts), rank)
    better = best_of_kinds(np.lexsort((-met.means(), -met.counts())), of, 1, len(of))
    # The first of each turn is its way so far.
    return ways.and_more(more.select(better[~np.isin(better, np.unique(of, return_index=True)[1])]))


# Halving.


def compare(setting: Setting, ways: Ways, met: int = 0) -> SearchedTurns:
    """The comparison of the finalists, which were chosen in that many of the worlds."""
    steps, most, exact = float(setting.steps(setting.breadth.rounds).mean()), setting.worlds.size, setting.is_last_turn
    if exact:
        # What it comes to is known as soon as it's played.
        most, steps = min(most, LAST_TURN_WORLDS), 1.0
    parts = np.full((len(ways), most, len(PARTS)), np.nan, dtype=np.float32)
    samples, wins = np.full((2, len(ways), most), np.nan, dtype=np.float32)
    replies = np.full((len(ways), most), NONE, dtype=np.int64)
    valuation: Valuation | None = None
    finalists: tuple[Finalist, ...] = ()
    if setting.board.squares:
        ways, valuation, finalists = value_over_boards(setting, ways)

    def sample(who: Index, where: Index) -> Floats:
        where = where + met
        setting.worlds.draw_up_to(int(where[-1]) + 1)
        batch = played(setting, ways, who, where)
        answers = _Answers(len(who))
        setting.play_on(batch, setting.breadth.rounds, answers.note)
        expected = Expected.of(batch, setting.weights)
        parts[who, where], wins[who, where] = expected.parts(batch, setting.seat).T, expected.chance(setting.seat)
        samples[who, where], replies[who, where] = expected.margin(setting.seat), answers.cells
        return samples[who, where]

    clock = setting.clock
    halve(
        sample,
        len(ways),
        most - met,
        lanes=max(len(ways) * 2, int((clock.planned - clock.played) / steps)),
        last=2 if valuation is None else LAST,
        rank=None if valuation is None else valuation.rank,
        most_lanes=setting.breadth.lanes,
        plan=clock.lanes_plan(),
        stop=clock.over,
        progress=lambda share: clock.tell(0.2 + 0.8 * share),
    )
    drawn = np.s_[:, : len(setting.worlds.drawn)]
    comparison, played_worlds = Comparison(samples[drawn]), (parts[drawn], wins[drawn], replies[drawn])
    return SearchedTurns(ways.turns, comparison, *played_worlds, clock.played, exact, valuation, finalists)


class _Answers:
    """The first turn that somebody plays in each lane: `cells` are where it ends, NONE for nowhere."""

    def __init__(self, lanes: int) -> None:
        self.cells = np.full(lanes, NONE, dtype=np.int64)
        self._waiting = np.ones(lanes, dtype=np.bool_)

    def note(self, at: Index, turns: PolicyTurns, _: Index) -> None:
        """A turn was played in these lanes."""
        new = self._waiting[at]
        self.cells[at[new]] = turns.cells[new]
        self._waiting[at] = False


# The last turn of a game.


def _adds_up(setting: Setting, turns: Turns) -> bool:
    """Whether each of the game's last turns brings everybody the same in every world.

    It does if nothing is drawn, and worlds differ in nothing but decks, tracks, and cards, gold and elders of others.
    """
    worlds = setting.worlds.drawn
    if (totals(worlds) != totals(worlds)[:, :1]).any():
        worlds = setting.worlds.draw_up_to(LAST_TURN_WORLDS)
    bears = (worlds.data != worlds.data[:, :1]).any(axis=1)
    for name in ("deck", "deck_next", "deck_size", "djinn_deck", "discards", "hidden", "world", "bid_order"):
        bears[Batch.PLACES[name]] = False
    for name in ("cards", "gold", "elders"):
        rows = bears[Batch.PLACES[name]].reshape(SEATS, -1)
        rows[np.arange(SEATS) != setting.seat] = False
    return not bears.any() and not drawing_turns(setting.root, turns).any()


def count_last_turns(setting: Setting, turns: Turns) -> SearchedTurns:
    """What the game's last turns come to: what each brings is counted once, what players have once a world."""
    worlds = setting.worlds.drawn.select(np.arange(min(len(setting.worlds.drawn), LAST_TURN_WORLDS)))
    before = totals(worlds)
    if (before == before[:, :1]).all():
        worlds, before = worlds.select([0]), before[:, :1]
    after = worlds.select([0]).select(np.arange(len(turns)))
    play_turns(after, np.arange(len(turns)), turns)
    seat, points = setting.seat, totals(after)
    others = np.flatnonzero(worlds.playing[:, 0] & (np.arange(SEATS) != seat))
    margins, wins = np.empty((2, len(turns), len(worlds)), dtype=np.float32)
    for number, here in enumerate(before[others].T):
        theirs = points[others] + (here - before[others, 0])[:, None]
        best = theirs.max(axis=0)
        margins[:, number] = points[seat] - best
        # Who ties shares the win (rules 9.3).
        wins[:, number] = (points[seat] >= best) / (1 + (theirs == points[seat]).sum(axis=0))
    parts = np.zeros((len(turns), len(worlds), len(PARTS)), dtype=np.float32)
    parts[:, :, : PARTS.index(TO_COME)] = scores(after)[:, seat].T[:, None]
    parts[:, :, PARTS.index(OPPONENTS)] = margins - points[seat][:, None]
    setting.clock.tell(1.0)
    replies = np.full(margins.shape, NONE, dtype=np.int64)
    return SearchedTurns(turns, Comparison(margins), parts, wins, replies, setting.clock.played, True, None, ())


# What turns are worth over the boards that there may be.


def value_over_boards(setting: Setting, ways: Ways) -> tuple[Ways, Valuation, tuple[Finalist, ...]]:
    """The ways as the rules allow them, where they can be played and hold and what they bring, and as actions."""
    ways, claimed, finalists = _by_the_rules(setting, ways)
    gains = _gains(setting, ways)
    legal = np.ones((len(ways), len(setting.picks)), dtype=np.bool_)
    holds, shift = legal.copy(), np.zeros(legal.shape, dtype=np.float32)
    for place, picked in enumerate(setting.picks.T):
        legal &= ways.possible[:, place][:, picked]
        holds &= claimed[:, place][:, picked]
        shift += gains[:, place][:, picked]
    worlds = np.arange(min(LOST_WORLDS, len(setting.worlds.drawn)))
    batch = played(setting, ways, np.zeros_like(worlds), worlds)
    setting.play_on(batch, setting.breadth.rounds)
    cost = float((setting.margins(batch) - lost(setting, worlds, setting.breadth.rounds)).mean())
    valuation = Valuation(setting.picks, legal, holds & legal, shift, max(cost, 0.0), ~ways.elsewhere)
    return ways, valuation, finalists


def _by_the_rules(setting: Setting, ways: Ways) -> tuple[Ways, Flags, tuple[Finalist, ...]]:
    """The ways, `possible` as the rules say, with which readings they claim what they say, and their actions."""
    possible, claims = ways.possible.copy(), np.zeros(ways.possible.shape, dtype=np.bool_)
    touched, board = squares_of(ways.turns), setting.board
    finalists = []
    for number, home in enumerate(ways.home.tolist()):
        state = setting.state(home)
        actions, _ = turns_to_actions(pack([state], [0]), ways.turns, number, state)
        finalists.append((state, actions))
        wanted = outcome(state, actions)
        for place, readings in enumerate(board.readings):
            own, untouched = readings[home[place]], not touched[number, board.squares[place]]
            for reading, tile in enumerate(readings):
                if reading == home[place] or (untouched and (tile.kind, tile.camel) == (own.kind, own.camel)):
                    there = wanted
                else:
                    there = outcome(setting.state([*home[:place], reading, *home[place + 1 :]]), actions)
                possible[number, place, reading] = reading == home[place] or there is not None
                claims[number, place, reading] = reading == home[place] or there == wanted
    return replace(ways, possible=possible), claims, tuple(finalists)


def _gains(setting: Setting, ways: Ways) -> Floats:
    """How much more turns bring with each reading of a square than on their own boards, in VP."""
    number, place, reading = np.nonzero(ways.possible)
    picks = ways.home[number].copy()
    picks[np.arange(len(picks)), place] = reading
    batch = setting.lay(setting.root.select(np.zeros(len(picks), dtype=np.intp)), picks)
    points = totals(batch)[setting.seat].astype(np.float32)
    play_turns(batch, np.arange(len(batch)), ways.turns.select(number))
    gains = np.zeros(ways.possible.shape, dtype=np.float32)
    gains[number, place, reading] = totals(batch)[setting.seat] - points
    own = np.take_along_axis(gains, ways.home[:, :, None], axis=2)
    return np.where(ways.possible, gains - own, 0.0).astype(np.float32)
