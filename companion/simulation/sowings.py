"""Sowings of whole turns: a walk and its drops, and others with the same outcome and kill (rules 4.2 to 4.8, 5.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Power
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Tribe
from companion.simulation.candidates import NEVER, ONCE, SOME, Candidates, Mover
from companion.simulation.djinns import user_of
from companion.simulation.layout import (
    MOVE,
    NONE,
    NOT_PAID,
    POWERS,
    SQUARE_BITS,
    VICTIM_IN_FRONT,
    Batch,
    Index,
    Ints,
    Turns,
    Wide,
)
from companion.simulation.walks import MAX_VISITS, WalkTable, walk_table


def with_sowings(mover: Mover, candidates: Candidates) -> Turns:
    """The candidates as turns: each with the walk chosen for it, and drops by lot among those that lead to it."""
    turns = candidates.turns()
    for start, columns in mover.by_start(candidates.start):
        paths = mover.table(start).paths[candidates.row[columns]]
        turns.path[: paths.shape[1], columns] = paths.T
    for length in np.unique(candidates.length).tolist():
        columns = np.nonzero(candidates.length == length)[0]
        if length:
            drops = lay_out(mover.random, mover.meeples, candidates, columns, turns.path[:length, columns].T)
            turns.drops[:length, columns] = drops.T
    return turns


_TAKEN, _VICTIM, _OTHER, _ANY = range(4)
"""What a step asks of the meeple left there: the tribe taken, what the kill finds, any other tribe, or nothing."""


def lay_out(
    random: np.random.Generator, meeples: npt.NDArray[np.int32], candidates: Candidates, columns: Index, paths: Ints
) -> Ints:
    """Which tribe is left at each step of these paths, [column, step], by lot among what the candidates allow.

    The last one is of the tribe taken, of those before it on the end tile as many as were `dropped` there; and one
    of the tribe `left` lies on `square`, where the kill finds it.
    """
    dice = random.random((3, *paths.shape))
    some = candidates.select(columns)
    asked, finds_victim = _asked(dice, some, paths)
    # The hands in rows, sorted by tribe, each meeple with its place among those of its tribe.
    hand = meeples[some.start]
    upto, steps = hand.cumsum(axis=1), np.arange(paths.shape[1])
    each = (steps[None, :, None] >= upto[:, None, :]).sum(axis=2)
    place = np.asarray(steps - np.take_along_axis(upto - hand, each, axis=1), dtype=np.intp)
    answers = _answers(dice, some, each, place, finds_victim, (asked == _OTHER).sum(axis=1)[:, None])
    # Meeples and steps sorted by what they answer to and ask for, equals by lot, belong together.
    meeple = np.argsort(answers + random.random(paths.shape), axis=1)
    step = np.argsort(asked + random.random(paths.shape), axis=1)
    drops = np.empty(paths.shape, dtype=np.int16)
    np.put_along_axis(drops, step, np.take_along_axis(each, meeple, axis=1).astype(np.int16), axis=1)
    return drops


def _asked(dice: npt.NDArray[np.float64], some: Candidates, paths: Ints) -> tuple[Wide, npt.NDArray[np.bool_]]:
    """What each step asks for, [column, step], and in which columns the kill finds its victim at one."""
    at_end = paths == paths[:, -1:]
    at_end[:, -1] = False
    rank = np.argsort(np.argsort(np.where(at_end, dice[0], 2.0), axis=1), axis=1)
    asked = np.where(at_end, np.where(rank < some.dropped[:, None] - 1, _TAKEN, _OTHER), _ANY)
    asked[:, -1] = _TAKEN
    finds = ((some.left != NONE) & (some.need != NEVER))[:, None] & (paths == some.square[:, None]) & (asked > _TAKEN)
    rows = np.nonzero(finds.any(axis=1))[0]
    asked[rows, np.where(finds[rows], dice[1][rows], 2.0).argmin(axis=1)] = _VICTIM
    return asked, finds.any(axis=1)


def _answers(
    dice: npt.NDArray[np.float64],
    some: Candidates,
    each: Wide,
    place: Wide,
    finds_victim: npt.NDArray[np.bool_],
    others_asked: Wide,
) -> Wide:
    """What meeples of hands answer to, [column, meeple]; as many others as are asked for are drawn from all of them."""
    tribe, dropped, left = some.tribe[:, None], some.dropped[:, None], some.left[:, None]
    nothing = _ANY + 1
    answers = np.where((each == tribe) & (place < dropped), _TAKEN, nothing)
    is_victim = (each == left) & (place == np.where(left == tribe, dropped, 0))
    answers[is_victim & finds_victim[:, None]] = _VICTIM
    others = (each != tribe) & (answers == nothing)
    rank = np.argsort(np.argsort(np.where(others, dice[2], 2.0), axis=1), axis=1)
    answers[others & (rank < others_asked)] = _OTHER
    return answers


_ON_EMPTY = (user_of(Power.CLAIM_EMPTY), user_of(Power.REVIVE))
_ON_MEEPLES = user_of(Power.CLAIM_PEOPLED)
_TWICE = SOME + 1


def sample_sowings(root: Batch, turns: Turns, count: int, seed: int) -> tuple[Turns, Index]:
    """Up to `count` sowings for each of these whole turns of a batch's only lane that leave different boards.

    All of a turn's have its outcome (start, end, tribe, number taken, end tile emptied or not), and its kill and its
    powers are legal after each and do the same. Its own is the first; the others are drawn by `seed`, from walks
    evenly out of all that lead there, the drops by lot. Gives the turns and which of the given ones each is of.
    """
    if not len(turns):
        return turns, np.zeros(0, dtype=np.intp)
    random = np.random.default_rng(seed)
    mover = Mover(root, random)
    tries = count + count // 2
    origin = np.repeat(np.arange(len(turns)), tries)
    sampled = turns.select(origin)
    asked = mover.begin(len(turns))
    varied = np.zeros(len(turns), dtype=np.bool_)
    for column in np.nonzero((turns.start != NONE) & (turns.length > 1))[0].tolist():
        table = walk_table(int(turns.start[column]), int(turns.length[column]))
        rows = _rows(mover, table, turns, asked, column)
        if len(rows) and tries > 1:
            # Rows of a table are in the order of their paths, so that those far apart are different walks.
            apart = ((np.arange(tries - 1) + random.random(tries - 1)) * (len(rows) / (tries - 1))).astype(np.intp)
            sampled.path[: table.paths.shape[1], column * tries + 1 : (column + 1) * tries] = table.paths[rows[apart]].T
            varied[column] = True
    drawn = np.nonzero(varied[origin] & (np.arange(len(origin)) % max(1, tries) > 0))[0]
    for length in np.unique(sampled.length[drawn]).tolist():
        at = drawn[sampled.length[drawn] == length]
        sampled.drops[:length, at] = lay_out(random, mover.meeples, asked, origin[at], sampled.path[:length, at].T).T
    return _different(random, sampled, origin, _alike(mover, sampled, origin * tries), count)


def _rows(mover: Mover, table: WalkTable, turns: Turns, asked: Candidates, column: int) -> Index:
    """The walks that can lead to a turn's outcome and kill; notes in `asked` what its drops have to be."""
    length = int(turns.length[column])
    path, drops = turns.path[:length, column].tolist(), turns.drops[:length, column].tolist()
    start, end, tribe = int(turns.start[column]), path[-1], drops[-1]
    dropped = sum(square == end and left == tribe for square, left in zip(path, drops, strict=True))
    fewest, most = dropped, dropped + int(mover.standing[start] - mover.meeples[start, tribe])
    if end == start or mover.standing[end] == mover.meeples[end, tribe]:
        # Whether the end tile is emptied shows in the visits that leave another tribe there.
        fewest, most = (dropped, dropped) if path.count(end) == dropped else (dropped + 1, most)
    asked.start[column], asked.tribe[column], asked.dropped[column] = start, tribe, dropped
    need = NONE
    kill = _killed(mover, turns, column, path) if tribe == Tribe.ASSASSIN else None
    if kill is not None:
        asked.square[column], asked.left[column] = kill.square, kill.missing[0] if kill.missing else NONE
        asked.need[column] = NEVER if asked.left[column] == NONE else SOME
        if kill.square == end:
            fewest = dropped + (kill.visits if kill.empties else len(kill.missing))
            most = fewest if kill.empties else most
        elif kill.empties:
            need = (NEVER, ONCE, _TWICE)[kill.visits]
        elif kill.missing:
            need = SOME
    first = table.first[end]
    rows = np.arange(first[min(fewest, MAX_VISITS + 1)], first[min(most, MAX_VISITS) + 1])
    if kill is None or need == NONE:
        return rows
    some, once = table.some[rows] & SQUARE_BITS[kill.square] != 0, table.once[rows] & SQUARE_BITS[kill.square] != 0
    return np.asarray(rows[(~some, once, some, some & ~once)[need]])


@dataclass(frozen=True, slots=True)
class _TileKill:
    """A kill on a tile: tribes of victims who must be dropped there, whether it leaves nobody, visits it needs then."""

    square: int
    missing: list[int]
    empties: bool
    visits: int


def _killed(mover: Mover, turns: Turns, column: int, path: list[int]) -> _TileKill | None:
    """The kill of a turn, None if it is none on a tile."""
    square = int(turns.victim[0, column])
    if not 0 <= square < VICTIM_IN_FRONT:
        return None
    pairs = zip(turns.victim[:, column].tolist(), turns.victim_tribe[:, column].tolist(), strict=True)
    victims = [who for where, who in pairs if where != NONE]
    held = [0] * len(Tribe) if square == turns.start[column] else mover.meeples[square].tolist()
    if square == path[-1]:
        held[Tribe.ASSASSIN] = 0
    missing = [who for who in sorted(set(victims)) for _ in range(victims.count(who) - held[who])]
    visits = len(victims) - sum(held)
    drops = turns.drops[: len(path), column].tolist()
    taken = Tribe.ASSASSIN if square == path[-1] else None
    times = sum(step == square and left != taken for step, left in zip(path, drops, strict=True))
    return _TileKill(square, missing, times == visits, max(0, visits))


def _alike(mover: Mover, sampled: Turns, own: Index) -> npt.NDArray[np.bool_]:
    """Which of these turns have the same effect as those in the columns `own`, one for each."""
    fits = np.ones(len(sampled), dtype=np.bool_)
    length = int(sampled.length.max(initial=0))
    path = np.where(np.arange(length)[:, None] < sampled.length, sampled.path[:length], NONE)
    drops, every = sampled.drops[:length], np.arange(len(sampled))
    last = np.maximum(sampled.length - 1, 0)
    end, tribe = path[last, every] if length else last, sampled.drops[last, every]

    def standing(square: Wide, who: Wide | int) -> Wide:
        """Meeples on a square of a tribe after 4.7, a square and a tribe for each column."""
        here = path == square
        lifted = sampled.start == square
        of_tribe = np.where(lifted, 0, mover.meeples[square, who]) + (here & (drops == who)).sum(axis=0)
        return np.asarray(np.where((square == end) & (who == tribe), 0, of_tribe))

    victim, who = sampled.victim, sampled.victim_tribe
    on_tile = (sampled.start != NONE) & (tribe == Tribe.ASSASSIN) & (victim[0] != NONE) & (victim[0] < VICTIM_IN_FRONT)
    killed = np.where(on_tile, 1 + (sampled.double_paid != NOT_PAID) * (victim[1] != NONE), 0)
    if on_tile.any():
        square = np.where(on_tile, victim[0], 0)
        alone = np.sum([standing(square, tribe_) for tribe_ in Tribe], axis=0) == killed
        fits &= ~on_tile | (alone == alone[own])
        twice = (killed == 2) & (who[0] == who[1])
        fits &= ~on_tile | (standing(square, np.where(on_tile, who[0], 0)) >= np.where(twice, 2, 1))
        fits &= ~on_tile | (killed < 2) | (standing(square, np.where(killed == 2, who[1], 0)) >= 1)
    for place in range(POWERS):
        power = sampled.power[place]
        where = np.maximum(sampled.power_square[place], 0)
        after = (sampled.power_when[place] != MOVE) & (sampled.start != NONE)
        asks = after & np.isin(power, (*_ON_EMPTY, _ON_MEEPLES))
        if asks.any():
            left = np.sum([standing(where, tribe_) for tribe_ in Tribe], axis=0) - np.where(
                where == victim[0], killed, 0
            )
            fits &= ~asks | ((left > 0) == (power == _ON_MEEPLES))
    if mover.own_pay.any():
        # What was bought may have been paid for with what the drops brought.
        pay = np.where(path == NONE, 0, mover.own_pay[path]).sum(axis=0)
        fits &= (sampled.bought[0] == NONE) | (pay >= pay[own])
    return fits


def _different(
    random: np.random.Generator, sampled: Turns, origin: Index, fits: npt.NDArray[np.bool_], count: int
) -> tuple[Turns, Index]:
    """Of the columns that fit, up to `count` of each origin that leave boards of their own, its own one first."""
    length = int(sampled.length.max(initial=0))
    # Boards are distinguished by random sums over where meeples were left: much cheaper than comparing boards.
    weights = random.integers(0, 1 << 62, (SQUARES, len(Tribe)), dtype=np.int64)
    dropped = np.arange(length)[:, None] < sampled.length
    boards = np.where(dropped, weights[sampled.path[:length], sampled.drops[:length]], 0).sum(axis=0)
    priority = random.random(len(sampled))
    priority[np.append(True, np.diff(origin) > 0)] = -1.0
    at = np.nonzero(fits)[0]
    at = at[np.lexsort((priority[at], boards[at], origin[at]))]
    at = at[np.append(True, (np.diff(boards[at]) != 0) | (np.diff(origin[at]) != 0))]
    at = at[np.lexsort((priority[at], origin[at]))]
    place = np.arange(len(at)) - np.searchsorted(origin[at], origin[at])
    at = at[place < count]
    return sampled.select(at), origin[at]
