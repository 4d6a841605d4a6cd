"""The playout policy: its turns, and games played on by it, all lanes in lockstep (rules 3 to 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Power
from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.board import SQUARES
from companion.rules.model.components import CARD_COUNTS, PALACES, PALMS, TileAction, Tribe
from companion.simulation.bidding import play_bids
from companion.simulation.card_worths import LOWEST, MAX_GONE, best_cards
from companion.simulation.decks import gumbel, uniform
from companion.simulation.djinns import PAYMENTS, user_of
from companion.simulation.evaluation import PALACE_VP, Floats, Weights
from companion.simulation.layout import (
    BID,
    CLOSE,
    DISTANCE,
    END,
    LARGE_MARKET,
    MAX_HAND,
    MOVE,
    NO_MOVE,
    NONE,
    NOT_ENDING,
    OASIS,
    POWERS,
    SACRED_PLACE,
    SMALL_MARKET,
    TRIBES,
    VICTIM_IN_FRONT,
    VILLAGE,
    Batch,
    Index,
    Ints,
    Turns,
)
from companion.simulation.playing import act_tile, act_tribe, sow
from companion.simulation.powers import use_powers
from companion.simulation.prospects import Prospects, prospects
from companion.simulation.rounds import end_turn
from companion.simulation.walks import random_drops, random_walks

_CARD_SHARES = np.array(list(CARD_COUNTS.values()), dtype=np.float32) / sum(CARD_COUNTS.values())
_DRAWN_DJINN_VP = np.float32(9)
"""What the best of three djinns is worth on average, with what its power still brings."""


_PowerWorth = Callable[[Batch, Index, Prospects], tuple[Floats, Ints]]
"""What a power brings in each of these lanes, in VP, and the square that it is used on, NONE for none."""


def use_closing_powers(batch: Batch, outlook: Prospects, turns: Turns) -> None:
    """The movers of all lanes, in stage CLOSE, use each power once that pays; it is noted in their `turns`."""
    lanes = np.arange(len(batch))
    owns = batch.owns[batch.mover[:, None], _PAID, lanes[:, None]]
    for number in np.flatnonzero(owns.any(axis=0)):
        djinn = int(_PAID[number])
        at = np.flatnonzero(owns[:, number] & (batch.used[djinn] == 0))
        if at.size:
            _use(batch, at, djinn, outlook, turns)


def _use(batch: Batch, at: Index, djinn: int, outlook: Prospects, turns: Turns) -> None:
    # The last way to pay has the fakir; with it go elders, and another one where it may stand for one.
    other_ways, elders_needed = len(PAYMENTS[djinn]) > 1, PAYMENTS[djinn][-1][0]
    mover = batch.mover[at]
    elders, fakirs = batch.elders[mover, at], batch.cards[mover, 0, at]
    if other_ways:
        cheaper = outlook.fakir[at] < outlook.elder[at]
        fakir_paid = (fakirs > 0) & (cheaper | (elders <= elders_needed))
        affordable = (elders >= elders_needed) & (fakir_paid | (elders > elders_needed))
        price = elders_needed * outlook.elder[at] + np.where(fakir_paid, outlook.fakir[at], outlook.elder[at])
    else:
        fakir_paid = fakirs > 0
        affordable, price = fakir_paid, outlook.fakir[at]
    if not affordable.any():
        return
    worth, square = _POWER_WORTHS[djinn](batch, at, outlook)
    noted = (turns.power[:, at] != NONE).sum(axis=0)
    use = affordable & (worth > price) & (noted < POWERS)
    if not use.any():
        return
    here, place = at[use], noted[use]
    turns.power[place, here], turns.power_when[place, here] = djinn, CLOSE
    turns.power_fakirs[place, here], turns.power_square[place, here] = fakir_paid[use], square[use]
    use_powers(batch, here, turns, place, here)


def _best(worth: Floats) -> tuple[Floats, Ints]:
    square = worth.argmax(axis=0)
    return worth[square, np.arange(worth.shape[1])], square.astype(np.int16)


def _own(
    batch: Batch, at: Index, kind: int, left: npt.NDArray[np.bool_], vp: Floats | np.float32
) -> tuple[Floats, Ints]:
    mine = (batch.camel[:, at] == batch.mover[at]) & (batch.tile_action[:, at] == kind) & left
    return _best(np.where(mine, vp, LOWEST))


def _palace(batch: Batch, at: Index, outlook: Prospects) -> tuple[Floats, Ints]:
    return _own(batch, at, VILLAGE, batch.palaces[:, at].sum(axis=0) < PALACES, np.float32(PALACE_VP))


def _palm(batch: Batch, at: Index, outlook: Prospects) -> tuple[Floats, Ints]:
    return _own(batch, at, OASIS, batch.palms[:, at].sum(axis=0) < PALMS, outlook.palm[at])


def _claims(batch: Batch, at: Index, outlook: Prospects, standing: bool) -> tuple[Floats, Ints]:
    bare = (batch.camel[:, at] == NONE) & (batch.palms[:, at] == 0) & (batch.palaces[:, at] == 0)
    meeples = batch.meeples[:, :, at].any(axis=1)
    camels = batch.camels[batch.mover[at], at] > 0
    return _best(np.where(bare & (meeples == standing) & camels, outlook.tile[:, at], LOWEST))


def _card(batch: Batch, at: Index, outlook: Prospects) -> tuple[Floats, Ints]:
    return (_CARD_SHARES @ outlook.cards.card[0, :, at].T).astype(np.float32), np.full(len(at), NONE, dtype=np.int16)


def _djinn(batch: Batch, at: Index, outlook: Prospects) -> tuple[Floats, Ints]:
    left = (batch.djinn_size[at] > batch.djinn_next[at]) | batch.djinn_discards[:, at].any(axis=0)
    return np.where(left, _DRAWN_DJINN_VP, LOWEST), np.full(len(at), NONE, dtype=np.int16)


_POWER_WORTHS: dict[int, _PowerWorth] = {
    user_of(Power.BUILD_PALACE): _palace,
    user_of(Power.BUILD_PALM): _palm,
    user_of(Power.CLAIM_EMPTY): partial(_claims, standing=False),
    user_of(Power.CLAIM_PEOPLED): partial(_claims, standing=True),
    user_of(Power.DRAW_CARD): _card,
    user_of(Power.DRAW_DJINNS): _djinn,
}
"""Powers that the policy uses, in order; the others it leaves alone."""
_PAID = np.array(list(_POWER_WORTHS))


_SALT_CELL, _SALT_START, _SALT_WALK, _SALT_DROPS = range(1, 5)
_SALTS_A_TRY = 8
_TRIES = 4
"""Sowings of assassins that are tried."""
_ANY_VICTIM = np.float32(-0.5)
"""What killing a meeple is worth that brings nothing: less than any gain, more than nobody."""


@dataclass(slots=True, eq=False)
class PolicyTurns:
    """What the movers did: end tile and tribe of each lane, NONE without a move, its worth to them, in VP, and the
    whole turns, which can be played by `playing.play_turns`.
    """

    end: Ints
    tribe: Ints
    worth: Floats
    turns: Turns

    @property
    def cells(self) -> npt.NDArray[np.int64]:
        """Where they ended: square x TRIBES + tribe, NONE without a move."""
        return np.where(self.end >= 0, self.end.astype(np.int64) * TRIBES + self.tribe, NONE)


def policy_step(batch: Batch, weights: Weights, *, noise: float = 0.0) -> PolicyTurns:
    """Play a turn in every lane from its beginning, with `noise` in VP; `rounds.end_turn` is left to do."""
    at = np.arange(len(batch))
    outlook = prospects(batch, weights)
    cells = outlook.cells.reshape(-1, len(batch))
    chosen = _noisy(batch, cells, noise).argmax(axis=0)
    worth = cells[chosen, at]
    moving = (worth > LOWEST / 2) & (batch.stage == MOVE)
    again, chosen = np.divmod(chosen, SQUARES * TRIBES)
    end, tribe = (chosen // TRIBES).astype(np.int16), (chosen % TRIBES).astype(np.int16)
    if not moving.all():
        end, tribe = np.where(moving, end, np.int16(NONE)), np.where(moving, tribe, np.int16(NONE))
        # A move that only a loop makes possible goes unnoticed; that board is as good as played out (rules 9.2).
        batch.ending[~moving & (batch.ending == NOT_ENDING)] = NO_MOVE
        batch.stage[~moving] = CLOSE
        at = at[moving]
    played = Turns.blank(len(batch))
    if len(at):
        turns = _sow(batch, at, again[at], end[at], tribe[at], outlook)
        _choose_tribe_action(batch, at, outlook, turns)
        act_tribe(batch, at, turns)
        _choose_tile_action(batch, at, outlook, turns)
        act_tile(batch, at, turns)
        if len(at) == len(batch):
            played = turns
        else:
            played.data[:, at] = turns.data
    use_closing_powers(batch, outlook, played)
    return PolicyTurns(end, tribe, np.where(moving, worth, np.float32(0)), played)


def _noisy(batch: Batch, cells: Floats, noise: float) -> Floats:
    if not noise:
        return cells
    # With Gumbel noise the choice is a softmax of the worths with temperature `noise`.
    return np.asarray(cells + np.float32(noise) * gumbel(batch, np.arange(len(batch)), _SALT_CELL, len(cells)))


def _sow(batch: Batch, at: Index, again: Index, end: Ints, tribe: Ints, outlook: Prospects) -> Turns:
    """Draw a start and a way for each end, which is visited `again` so often before, and sow."""
    killing = np.flatnonzero(tribe == Tribe.ASSASSIN)
    column = np.concatenate([np.arange(len(at)), np.tile(killing, _TRIES - 1)])
    salt = np.repeat(np.arange(_TRIES) * _SALTS_A_TRY, [len(at)] + [len(killing)] * (_TRIES - 1))
    turns = _draw_sowings(batch, at[column], again[column], end[column], tribe[column], salt, outlook)
    if killing.size:
        # What assassins can reach depends on the way, so the best of several is taken.
        tried = np.concatenate([killing, np.arange(len(at), len(column))])
        worth = _victims_on(batch, at[column[tried]], again[column[tried]], turns.select(tried), outlook)
        best = worth.reshape(_TRIES, -1).argmax(axis=0)
        chosen = np.arange(len(at))
        chosen[killing] = tried.reshape(_TRIES, -1)[best, np.arange(len(killing))]
        turns = turns.select(chosen)
    sow(batch, at, turns.start, turns.path, turns.drops, turns.length)
    return turns


def _draw_sowings(
    batch: Batch, at: Index, again: Index, end: Ints, tribe: Ints, salt: Index, outlook: Prospects
) -> Turns:
    """A sowing to each end, every start as likely as any other; a lane may be named again, with another salt."""
    enough = batch.meeples[:, tribe, at] > again
    possible = enough & (outlook.ends_from[again, :, at].T >> end.astype(np.uint32) & np.uint32(1)).astype(bool)
    rank = possible.cumsum(axis=0)
    wanted = (uniform(batch, at, _SALT_START + salt)[0] * rank[-1]).astype(np.int64) + 1
    start = np.minimum((rank < wanted).sum(axis=0), SQUARES - 1).astype(np.int16)
    hand = batch.meeples[start, :, at].T
    length = np.minimum(hand.sum(axis=0, dtype=np.int16), MAX_HAND)
    longest = int(length.max())
    path = random_walks(
        start, end, length, (again + 1).astype(np.int16), uniform(batch, at, _SALT_WALK + salt, longest)
    )
    turns = Turns.blank(len(at))
    turns.start[:], turns.length[:], turns.path[:longest] = start, length, path
    turns.drops[:longest] = random_drops(hand, tribe, path, uniform(batch, at, _SALT_DROPS + salt, longest))
    return turns


def _victims_on(batch: Batch, at: Index, again: Index, sowings: Turns, outlook: Prospects) -> Floats:
    """What the best victim on the board will be worth after each of these sowings of assassins, without fakirs."""
    columns = np.arange(len(at))
    end = sowings.path[sowings.length - 1, columns]
    standing = batch.meeples.sum(axis=1, dtype=np.int64)[:, at]
    standing[sowings.start, columns] = 0
    steps, column = np.nonzero(sowings.path[: int(sowings.length.max())] != NONE)
    dropped = sowings.path[steps, column].astype(np.int64) * len(at) + column
    standing += np.bincount(dropped, minlength=standing.size).reshape(standing.shape)
    count = batch.meeples[end, Tribe.ASSASSIN, at] + again + 1
    standing[end, columns] -= count
    claims = (standing == 1) & (count >= DISTANCE[end].T)
    return np.asarray(np.where(claims, outlook.tile[:, at], 0).max(axis=0), dtype=np.float32)


def _choose_tribe_action(batch: Batch, at: Index, outlook: Prospects, turns: Turns) -> None:
    tribe, end = batch.tribe[at], batch.end[at]
    builders = np.flatnonzero(tribe == Tribe.BUILDER)
    if builders.size:
        lanes = at[builders]
        earns = batch.blue_around[end[builders], lanes] * outlook.coin[lanes]
        held = batch.cards[batch.mover[lanes], 0, lanes]
        turns.fakirs[builders] = np.where(earns * held > outlook.all_fakirs[lanes], held, 0)
    assassins = np.flatnonzero(tribe == Tribe.ASSASSIN)
    if assassins.size:
        _choose_victim(batch, at[assassins], end[assassins], assassins, outlook, turns)


def _choose_victim(batch: Batch, at: Index, end: Ints, columns: Index, outlook: Prospects, turns: Turns) -> None:
    """The victim who brings most, without fakirs (rules 5.4, 5.5)."""
    lanes = np.arange(len(at))
    standing = batch.meeples[:, :, at].sum(axis=1)
    mover = batch.mover[at].astype(np.intp)
    claims = (standing == 1) & (batch.camel[:, at] == NONE) & (batch.camels[mover, at] > 0)
    worth = np.where(claims, outlook.tile[:, at], _ANY_VICTIM)
    in_range = (batch.count[at] >= DISTANCE[end].T) & (standing > 0)
    worth = np.where(in_range, worth, LOWEST)
    square = worth.argmax(axis=0)
    on_board = worth[square, lanes]
    front, seat, front_tribe = outlook.front.worth[at], outlook.front.seat[at], outlook.front.tribe[at]
    ahead = (seat != NONE) & (front > on_board)
    nobody = (on_board <= LOWEST / 2) & ~ahead
    victim = np.where(ahead, VICTIM_IN_FRONT + seat, square)
    turns.victim[0, columns] = np.where(nobody, NONE, victim)
    turns.victim_tribe[0, columns] = np.where(ahead, front_tribe, (batch.meeples[square, :, at] > 0).argmax(axis=1))


def _choose_tile_action(batch: Batch, at: Index, outlook: Prospects, turns: Turns) -> None:
    action = batch.tile_action[batch.end[at], at]
    small, large = np.flatnonzero(action == SMALL_MARKET), np.flatnonzero(action == LARGE_MARKET)
    for columns, kind in ((small, TileAction.SMALL_MARKET), (large, TileAction.LARGE_MARKET)):
        if columns.size:
            _choose_cards(batch, at[columns], columns, kind, outlook, turns)
    sacred = np.flatnonzero(action == SACRED_PLACE)
    if sacred.size:
        _choose_djinn(batch, at[sacred], sacred, outlook, turns)


def _choose_cards(batch: Batch, at: Index, columns: Index, kind: TileAction, outlook: Prospects, turns: Turns) -> None:
    market = MARKETS[kind]
    # What merchants took in this turn is in the hand.
    gone = np.where(batch.tribe[at] == Tribe.MERCHANT, np.minimum(batch.count[at], MAX_GONE), 0)
    card, second_card = outlook.cards.card[gone, :, at].T, outlook.cards.second_card[gone, :, at].T
    place, worth = best_cards(batch.row[: market.among, at], card, second_card)
    place, worth = place[: market.gives], worth[: market.gives]
    there = worth > LOWEST / 2
    pays = batch.gold[batch.mover[at], at] >= market.price
    buys = pays & ((worth * there).sum(axis=0) > market.price * outlook.coin[at])
    turns.bought[: market.gives, columns] = np.where(there & buys, place, NONE)


def _choose_djinn(batch: Batch, at: Index, columns: Index, outlook: Prospects, turns: Turns) -> None:
    mover = batch.mover[at]
    elders, fakirs = batch.elders[mover, at], batch.cards[mover, 0, at]
    place = outlook.djinn[:, at].argmax(axis=0)
    best = outlook.djinn[place, at]
    second = outlook.elder[at]
    by_fakir = (fakirs > 0) & ((outlook.fakir[at] < second) | (elders < 2))
    price = outlook.elder[at] + np.where(by_fakir, outlook.fakir[at], second)
    takes = (elders >= 1) & (by_fakir | (elders >= 2)) & (best > price)
    turns.djinn[columns] = np.where(takes, batch.face_up[place, at], NONE)
    turns.djinn_fakir[columns] = by_fakir & takes


Watch = Callable[[Index, PolicyTurns, Index], None]
"""Called after each turn with the lanes that played one, what they played and the seats of those who did."""


def finish_bidding(batch: Batch, weights: Weights, *, noise: float = 0.0) -> int:
    """Place the bids that a round still lacks, in every lane that is at a bid, in place; how many they were."""
    placed = 0
    while (at := np.flatnonzero(batch.stage == BID)).size:
        placed += _change(batch, at, partial(play_bids, weights=weights, noise=noise))
    return placed


def play_on(
    batch: Batch, weights: Weights, *, rounds: int | Index | None = None, noise: float = 0.0, watch: Watch | None = None
) -> int:
    """Play every lane on, in place, until that many rounds are over, the present one being the first, or the game is.

    `rounds` may be a number a lane. Lanes stand at a bid, at the beginning of a turn, or at the end of one (stages
    CLOSE and SELL are ended by `rounds.end_turn` first). Returns how many turns and bids were played.
    """

    def play_turn(part: Batch) -> int:
        replies = policy_step(part, weights, noise=noise)
        if watch is not None:
            watch(turning, replies, part.mover.astype(np.intp))
        end_turn(part, np.arange(len(part)))
        return len(part)

    passed = np.zeros(len(batch), dtype=np.int64)
    played = 0
    while True:
        unfinished = np.flatnonzero((batch.stage != END) & (passed < rounds if rounds is not None else True))
        if not unfinished.size:
            return played
        bidding = batch.stage[unfinished] == BID
        if bidding.any():
            played += _change(batch, unfinished[bidding], partial(play_bids, weights=weights, noise=noise))
        turning = unfinished[~bidding]
        if turning.size:
            played += _change(batch, turning, play_turn)
            passed[turning] += batch.stage[turning] == BID


def _change(batch: Batch, at: Index, change: Callable[[Batch], int]) -> int:
    """Change some lanes of a batch; what the change returns."""
    if len(at) == len(batch):
        return change(batch)
    part = batch.select(at)
    result = change(part)
    batch.data[:, at] = part.data
    return result
