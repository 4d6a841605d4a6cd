"""The playout policy: each lane's mover takes the turn that is worth most to him at once, by fitted weights.

The end tile and the tribe are chosen by `prospects`; the start, the way there and the order of the drops are drawn at
random, and what the sowing then allows is decided on the board as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.board import SQUARES
from companion.rules.model.components import TileAction, Tribe
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST, MOST_GONE, best_cards
from companion.simulation.chance import gumbel, uniform
from companion.simulation.closing import use_closing_powers
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import (
    DISTANCE,
    LARGE_MARKET,
    NONE,
    SACRED_PLACE,
    SMALL_MARKET,
    STAGE_ID,
    TRIBES,
    Index,
    Ints,
)
from companion.simulation.prospects import Prospects, prospects
from companion.simulation.sowing import NO_MOVE, NOT_ENDING, sow
from companion.simulation.tile_actions import act_tile
from companion.simulation.tribe_actions import act_tribe
from companion.simulation.turns import LONGEST_HAND, VICTIM_IN_FRONT, Turns
from companion.simulation.walks import random_drops, random_walks

_SALT_CELL, _SALT_START, _SALT_WALK, _SALT_DROPS = range(1, 5)
_SALTS_A_TRY = 8
_TRIES = 4
"""Ways of assassins that are looked at."""
_CLOSE = STAGE_ID[Stage.CLOSE]
_ANY_VICTIM = np.float32(-0.5)
"""What killing a meeple is worth that brings nothing: less than any gain, more than nobody."""


@dataclass(slots=True, eq=False)
class Replies:
    """What the movers did: end tile and tribe of each lane, NONE without a move, its worth to them, in VP, and the
    whole turns, which can be played by `playing.play_turns`.
    """

    end: Ints
    tribe: Ints
    worth: Floats
    turns: Turns


def play_replies(batch: Batch, weights: Weights, *, noise: float = 0.0) -> Replies:
    """Play a turn in every lane, all of them at its beginning; `rounds.end_turn` is left to do.

    `noise` in VP is added to every choice, for exploring. A lane whose stage is not MOVE, or in which the quick look
    finds no move, uses powers alone.
    """
    at = np.arange(len(batch))
    found = prospects(batch, weights)
    cells = found.cells.reshape(-1, len(batch))
    chosen = _noisy(batch, cells, noise).argmax(axis=0)
    worth = cells[chosen, at]
    moving = (worth > LOWEST / 2) & (batch.stage == STAGE_ID[Stage.MOVE])
    again, chosen = np.divmod(chosen, SQUARES * TRIBES)
    end, tribe = (chosen // TRIBES).astype(np.int16), (chosen % TRIBES).astype(np.int16)
    if not moving.all():
        end, tribe = np.where(moving, end, np.int16(NONE)), np.where(moving, tribe, np.int16(NONE))
        # A move that only a loop makes possible is not seen; that board is as good as played out (rules 9.2).
        batch.ending[~moving & (batch.ending == NOT_ENDING)] = NO_MOVE
        batch.stage[~moving] = _CLOSE
        at = at[moving]
    played = Turns.blank(len(batch))
    if len(at):
        turns = _sow(batch, at, again[at], end[at], tribe[at], found)
        _choose_tribe_action(batch, at, found, turns)
        act_tribe(batch, at, turns)
        _choose_tile_action(batch, at, found, turns)
        act_tile(batch, at, turns)
        if len(at) == len(batch):
            played = turns
        else:
            played.data[:, at] = turns.data
    use_closing_powers(batch, found, played)
    return Replies(end, tribe, np.where(moving, worth, np.float32(0)), played)


def _noisy(batch: Batch, cells: Floats, noise: float) -> Floats:
    if not noise:
        return cells
    # With Gumbel noise the choice is a softmax of the worths with temperature `noise`.
    return np.asarray(cells + np.float32(noise) * gumbel(batch, np.arange(len(batch)), _SALT_CELL, len(cells)))


@dataclass(slots=True, eq=False)
class Ways:
    """Ways of hands, one a column: where they are lifted, the squares stepped on and the tribe left on each, [steps,
    columns].
    """

    start: Ints
    length: Ints
    path: Ints
    drops: Ints

    def select(self, columns: Index) -> Ways:
        """A copy of these ways, in this order."""
        return Ways(self.start[columns], self.length[columns], self.path[:, columns], self.drops[:, columns])


def _sow(batch: Batch, at: Index, again: Index, end: Ints, tribe: Ints, found: Prospects) -> Turns:
    """Draw a start and a way for each end, which is visited `again` so often before, and sow."""
    killing = np.flatnonzero(tribe == Tribe.ASSASSIN)
    column = np.concatenate([np.arange(len(at)), np.tile(killing, _TRIES - 1)])
    salt = np.repeat(np.arange(_TRIES) * _SALTS_A_TRY, [len(at)] + [len(killing)] * (_TRIES - 1))
    ways = _draw_ways(batch, at[column], again[column], end[column], tribe[column], salt, found)
    if killing.size:
        # What assassins can reach hangs on the way, so the best of several is taken.
        tried = np.concatenate([killing, np.arange(len(at), len(column))])
        worth = _victims_on(batch, at[column[tried]], again[column[tried]], ways.select(tried), found)
        best = worth.reshape(_TRIES, -1).argmax(axis=0)
        chosen = np.arange(len(at))
        chosen[killing] = tried.reshape(_TRIES, -1)[best, np.arange(len(killing))]
        ways = ways.select(chosen)
    turns = Turns.blank(len(at))
    turns.start[:], turns.length[:] = ways.start, ways.length
    turns.path[: len(ways.path)], turns.drops[: len(ways.path)] = ways.path, ways.drops
    sow(batch, at, ways.start, ways.path, ways.drops, ways.length)
    return turns


def _draw_ways(batch: Batch, at: Index, again: Index, end: Ints, tribe: Ints, salt: Index, found: Prospects) -> Ways:
    """A way to each end, every start as likely as any other; a lane may be named more than once, with other salts."""
    enough = batch.meeples[:, tribe, at] > again
    possible = enough & (found.ends_from[again, :, at].T >> end.astype(np.uint32) & np.uint32(1)).astype(bool)
    rank = possible.cumsum(axis=0)
    wanted = (uniform(batch, at, _SALT_START + salt)[0] * rank[-1]).astype(np.int64) + 1
    start = np.minimum((rank < wanted).sum(axis=0), SQUARES - 1).astype(np.int16)
    hand = batch.meeples[start, :, at].T
    length = np.minimum(hand.sum(axis=0, dtype=np.int16), LONGEST_HAND)
    longest = int(length.max())
    path = random_walks(
        start, end, length, (again + 1).astype(np.int16), uniform(batch, at, _SALT_WALK + salt, longest)
    )
    drops = random_drops(hand, tribe, path, uniform(batch, at, _SALT_DROPS + salt, longest))
    return Ways(start, length, path, drops)


def _victims_on(batch: Batch, at: Index, again: Index, ways: Ways, found: Prospects) -> Floats:
    """What the best victim on the board will be worth after each of these ways of assassins, without fakirs."""
    columns = np.arange(len(at))
    end = ways.path[ways.length - 1, columns]
    standing = batch.meeples.sum(axis=1, dtype=np.int64)[:, at]
    standing[ways.start, columns] = 0
    steps, column = np.nonzero(ways.path != NONE)
    dropped = ways.path[steps, column].astype(np.int64) * len(at) + column
    standing += np.bincount(dropped, minlength=standing.size).reshape(standing.shape)
    count = batch.meeples[end, Tribe.ASSASSIN, at] + again + 1
    standing[end, columns] -= count
    claims = (standing == 1) & (count >= DISTANCE[end].T)
    return np.asarray(np.where(claims, found.tile[:, at], 0).max(axis=0), dtype=np.float32)


def _choose_tribe_action(batch: Batch, at: Index, found: Prospects, turns: Turns) -> None:
    tribe, end = batch.tribe[at], batch.end[at]
    builders = np.flatnonzero(tribe == Tribe.BUILDER)
    if builders.size:
        lanes = at[builders]
        earns = batch.blue_around[end[builders], lanes] * found.coin[lanes]
        held = batch.cards[batch.mover[lanes], 0, lanes]
        turns.fakirs[builders] = np.where(earns * held > found.all_fakirs[lanes], held, 0)
    assassins = np.flatnonzero(tribe == Tribe.ASSASSIN)
    if assassins.size:
        _choose_victim(batch, at[assassins], end[assassins], assassins, found, turns)


def _choose_victim(batch: Batch, at: Index, end: Ints, columns: Index, found: Prospects, turns: Turns) -> None:
    """The victim who brings most, without fakirs (rules 5.4, 5.5)."""
    lanes = np.arange(len(at))
    standing = batch.meeples[:, :, at].sum(axis=1)
    mover = batch.mover[at].astype(np.intp)
    claims = (standing == 1) & (batch.camel[:, at] == NONE) & (batch.camels[mover, at] > 0)
    worth = np.where(claims, found.tile[:, at], _ANY_VICTIM)
    in_range = (batch.count[at] >= DISTANCE[end].T) & (standing > 0)
    worth = np.where(in_range, worth, LOWEST)
    square = worth.argmax(axis=0)
    on_board = worth[square, lanes]
    front, seat, front_tribe = found.front.worth[at], found.front.seat[at], found.front.tribe[at]
    ahead = (seat != NONE) & (front > on_board)
    nobody = (on_board <= LOWEST / 2) & ~ahead
    victim = np.where(ahead, VICTIM_IN_FRONT + seat, square)
    turns.victim[0, columns] = np.where(nobody, NONE, victim)
    turns.victim_tribe[0, columns] = np.where(ahead, front_tribe, (batch.meeples[square, :, at] > 0).argmax(axis=1))


def _choose_tile_action(batch: Batch, at: Index, found: Prospects, turns: Turns) -> None:
    action = batch.tile_action[batch.end[at], at]
    small, large = np.flatnonzero(action == SMALL_MARKET), np.flatnonzero(action == LARGE_MARKET)
    for columns, kind in ((small, TileAction.SMALL_MARKET), (large, TileAction.LARGE_MARKET)):
        if columns.size:
            _choose_cards(batch, at[columns], columns, kind, found, turns)
    sacred = np.flatnonzero(action == SACRED_PLACE)
    if sacred.size:
        _choose_djinn(batch, at[sacred], sacred, found, turns)


def _choose_cards(batch: Batch, at: Index, columns: Index, kind: TileAction, found: Prospects, turns: Turns) -> None:
    market = MARKETS[kind]
    # What merchants took in this turn is in the hand.
    gone = np.where(batch.tribe[at] == Tribe.MERCHANT, np.minimum(batch.count[at], MOST_GONE), 0)
    card, second_card = found.cards.card[gone, :, at].T, found.cards.second_card[gone, :, at].T
    place, worth = best_cards(batch.row[: market.among, at], card, second_card)
    place, worth = place[: market.gives], worth[: market.gives]
    there = worth > LOWEST / 2
    pays = batch.gold[batch.mover[at], at] >= market.price
    buys = pays & ((worth * there).sum(axis=0) > market.price * found.coin[at])
    turns.bought[: market.gives, columns] = np.where(there & buys, place, NONE)


def _choose_djinn(batch: Batch, at: Index, columns: Index, found: Prospects, turns: Turns) -> None:
    mover = batch.mover[at]
    elders, fakirs = batch.elders[mover, at], batch.cards[mover, 0, at]
    place = found.djinn[:, at].argmax(axis=0)
    best = found.djinn[place, at]
    second = found.elder[at]
    by_fakir = (fakirs > 0) & ((found.fakir[at] < second) | (elders < 2))
    price = found.elder[at] + np.where(by_fakir, found.fakir[at], second)
    takes = (elders >= 1) & (by_fakir | (elders >= 2)) & (best > price)
    turns.djinn[columns] = np.where(takes, batch.face_up[place, at], NONE)
    turns.djinn_fakir[columns] = by_fakir & takes
