"""Powers of the mover's djinns that are actions of their own, as part of whole turns (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Power
from companion.rules.model.board import SQUARES
from companion.rules.model.components import PALACES, PALMS
from companion.simulation.candidates import SOME, Candidates, Mover, best_columns, joined, paying
from companion.simulation.decks import bag
from companion.simulation.djinns import DIVERTING, PAID_DROPS, PAID_PALACES, PALM, PAYMENTS, user_of
from companion.simulation.evaluation import PALACE_VP
from companion.simulation.layout import (
    AROUND,
    CLOSE,
    FAKIR_ID,
    MOVE,
    NONE,
    NOT_PAID,
    OASIS,
    POWERS,
    TILE,
    VICTIM_IN_FRONT,
    VILLAGE,
    Index,
    Wide,
)

HELPED_TURNS = 1200
"""Turns that each power is tried with: those that gain most, and the best of each outcome."""

MAX_TILES = 2
"""Tiles that a power is tried on in each turn: those that bring most, or by lot where none brings anything yet."""

_MIN_DOUBLED = 4
"""Income in GC from which on doubling it is worth its price of an elder and an elder or fakir."""

_BUILDER_OF = {OASIS: user_of(Power.BUILD_PALM), VILLAGE: user_of(Power.BUILD_PALACE)}
"""The djinn that builds on tiles of a kind."""
_NEIGHBOURS = (AROUND - np.eye(SQUARES, dtype=np.int16)).astype(np.int32)
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Use:
    """A power used in some columns of a pool: where, when, what it brings or diverts, and another walk for it."""

    columns: Index
    square: Wide
    brings: Wide
    when: int = CLOSE
    claims: bool = False
    gold: bool = False
    helper: int | None = None
    onto: Wide | None = None
    row: Wide | None = None


class _Table:
    """How the board stands after the turns of a pool, whatever the order of their drops; [square, column]."""

    def __init__(self, mover: Mover, pool: Candidates) -> None:
        self.mover, self.pool, self.random = mover, pool, mover.random
        every = np.arange(len(pool))
        self.visits = np.zeros((SQUARES, len(pool)), dtype=np.int32)
        for start, columns in mover.by_start(pool.start):
            for squares in mover.table(start).paths[pool.row[columns]].T:
                self.visits[squares, columns] += 1
        moved = pool.start != NONE
        standing = mover.standing[:, None] + self.visits
        standing[pool.start[moved], every[moved]] -= mover.standing[pool.start[moved]]
        standing[pool.end[moved], every[moved]] -= pool.count[moved]
        for victim in pool.victim:
            killed = (victim != NONE) & (victim < VICTIM_IN_FRONT)
            standing[victim[killed], every[killed]] -= 1
        self.claimed = (pool.claimed[None] == np.arange(SQUARES)[:, None, None]).any(axis=1)
        bare = mover.free & (mover.palms == 0) & (mover.palaces == 0)
        self.bare = bare[:, None] & ~self.claimed
        # The end tile may have a palm or a palace by now.
        built_on = np.isin(mover.root.tile_action[:, 0], (OASIS, VILLAGE))
        self.bare[pool.end[moved], every[moved]] &= ~built_on[pool.end[moved]]
        # So has the tile that a power before this one built on.
        site = np.where(pool.power_divert == NOT_PAID, pool.power_square, pool.power_onto)
        place, column = np.nonzero(np.isin(pool.power, list(_BUILDER_OF.values())))
        self.bare[site[place, column], column] = False
        self.standing = standing
        self.empty = self.bare & (standing == 0)
        self.peopled = self.bare & (standing > 0)
        self.own = mover.own[:, None] | self.claimed

    def best(self, allowed: Mask, worth: Wide) -> Iterator[tuple[Index, Wide]]:
        """Columns and their best tiles among those allowed, up to `MAX_TILES` each, equals by lot."""
        # Worths are whole numbers, so a random part decides between equals alone.
        values = np.where(allowed, worth[:, None] + self.random.random(allowed.shape), -1.0)
        for _ in range(MAX_TILES):
            square = values.argmax(axis=0)
            columns = np.nonzero(values.max(axis=0, initial=-1.0) >= 0)[0]
            yield columns, square[columns].astype(np.int32)
            values[square, np.arange(len(square))] = -1.0


def power_columns(mover: Mover, candidates: Candidates) -> Candidates:
    """The same columns, and more in which the mover uses owned powers, of a djinn just taken too.

    Palms and palaces are built on an own tile, or put next to it if another djinn helps; the tiles worth most are
    claimed, before the move or the tile action where it would be too late afterwards; income is doubled where that
    pays; what draws comes last. Each power is tried with `HELPED_TURNS` turns, the powers before it included. A claim
    by a power with the last camel that would leave the end tile of the move unclaimed is left out.
    """
    for djinn, uses in _USES.items():
        may = mover.now_has(candidates, djinn) & (mover.root.used[djinn, 0] == 0)
        able = np.nonzero(may & (candidates.power[POWERS - 1] == NONE))[0]
        if not len(able):
            continue
        pool = candidates.select(able)
        if len(pool) > HELPED_TURNS:
            pool = pool.select(best_columns(pool, mover.gains(pool) + mover.random.random(len(pool)), HELPED_TURNS))
        parts = [candidates]
        for use in uses(_Table(mover, pool)):
            parts.extend(_used(mover, pool, djinn, use))
        candidates = joined(parts)
    return candidates


def _used(mover: Mover, pool: Candidates, djinn: int, use: _Use) -> Iterator[Candidates]:
    """Columns in which a power is used, one for each way to pay."""
    if not len(use.columns):
        return
    base = pool.select(use.columns)
    if use.row is not None:
        mover.add_pay_for_drops(base, -1)
        base.row[:] = use.row
        mover.add_pay_for_drops(base)
    for payment in PAYMENTS[djinn]:
        may = use.when != MOVE or _payable_before(mover, base, djinn, *payment)
        for fakirs, able, candidates in paying(base, (payment,), may):
            every, place = np.arange(len(candidates)), (candidates.power != NONE).sum(axis=0)
            square = use.square[able]
            candidates.power[place, every], candidates.power_when[place, every] = djinn, use.when
            candidates.power_fakirs[place, every], candidates.power_square[place, every] = fakirs, square
            if use.claims:
                mover.claim(candidates, square, np.ones(len(candidates), dtype=np.bool_))
            brought = candidates.gold if use.gold else candidates.points
            brought += use.brings[able]
            if use.helper is None or use.onto is None:
                yield candidates
                continue
            onto = use.onto[able]
            for helped_by, can, helped in paying(candidates, PAYMENTS[use.helper]):
                every = np.arange(len(helped))
                helped.power_divert[place[can], every], helped.power_onto[place[can], every] = helped_by, onto[can]
                yield helped


def _payable_before(mover: Mover, base: Candidates, djinn: int, elders: int, fakirs: int) -> Mask:
    """Where a power can be paid before the move, when nothing is gained yet, as the only one so early."""
    spent = base.fakirs + np.maximum(base.double_paid, 0)
    able = (mover.elders - (base.double_paid == 0) >= elders) & (mover.hand[FAKIR_ID] - spent >= fakirs)
    early = ((base.power != NONE) & (base.power_when == MOVE)).any(axis=0)
    return np.asarray(able & ~early & mover.can_use(djinn))


def _building(action: int) -> Callable[[_Table], Iterator[_Use]]:
    def uses(table: _Table) -> Iterator[_Use]:
        mover, pool = table.mover, table.pool
        placed = mover.palms if action == OASIS else mover.palaces
        worth = np.full(len(pool), PALACE_VP)
        if action == OASIS:
            worth[:] = PALM.plain + PALM.more * mover.now_has(pool, PALM.djinn)
        of_kind = (mover.root.tile_action[:, 0] == action)[:, None]
        on_end = (pool.end != NONE) & of_kind[pool.end, 0]
        left = (PALMS if action == OASIS else PALACES) - placed.sum() - on_end
        paid = (action == VILLAGE) & mover.now_has(pool, PAID_PALACES)
        worth += paid
        here = table.own & of_kind & (left > 0)
        columns = np.nonzero(here.any(axis=0))[0]
        yield _Use(columns, here[:, columns].argmax(axis=0), worth[columns])
        helper = DIVERTING[action]
        used = (on_end & (pool.divert != NOT_PAID)) | ~(mover.can_use(helper) | (pool.djinn == helper))
        near = (_NEIGHBOURS @ table.own > 0) & of_kind & (left > 0) & ~here.any(axis=0) & ~used
        columns = np.nonzero(near.any(axis=0))[0]
        square = near[:, columns].argmax(axis=0)
        onto = (table.own[:, columns] & (_NEIGHBOURS[square].T > 0)).argmax(axis=0)
        yield _Use(columns, square, worth[columns], helper=helper, onto=onto)
        # On a tile that is nobody's it brings what a djinn pays for it, and a reason to claim the tile.
        open_to_all = (mover.free[:, None] & ~table.claimed) & of_kind & (left > 0) & ~here.any(axis=0) & paid
        columns = np.nonzero(open_to_all.any(axis=0))[0]
        yield _Use(columns, open_to_all[:, columns].argmax(axis=0), np.ones(len(columns), dtype=np.int32))

    return uses


def _claim_empty(table: _Table) -> Iterator[_Use]:
    yield from _claiming(table, table.empty, CLOSE)
    # A tile that the hand passes is empty before the move only.
    mover, pool = table.mover, table.pool
    passed = table.bare & (mover.standing == 0)[:, None] & (table.visits > 0) & _aside(pool)
    yield from _claiming(table, passed & (mover.root.stage[0] == MOVE), MOVE)


def _claim_peopled(table: _Table) -> Iterator[_Use]:
    yield from _claiming(table, table.peopled, CLOSE)
    # The tile that is lifted has meeples before the move only.
    lifted = table.bare & (table.pool.start == np.arange(SQUARES)[:, None]) & _aside(table.pool)
    yield from _claiming(table, lifted & ~table.peopled & (table.mover.root.stage[0] == MOVE), MOVE)
    yield from _claim_end(table)
    yield from _claim_dropped_on(table)


def _claim_end(table: _Table) -> Iterator[_Use]:
    """The end tile before its palm or palace is put there, which then stands on an own tile."""
    mover, pool = table.mover, table.pool
    every = np.arange(len(pool))
    kind = mover.root.tile_action[pool.end, 0]
    bare = mover.free & (mover.palms == 0) & (mover.palaces == 0)
    able = (pool.end != NONE) & bare[pool.end] & ~table.claimed[pool.end, every] & (pool.camels > 0)
    able &= (table.standing[pool.end, every] > 0) & (pool.divert == NOT_PAID)
    for action, left, worth in mover.supplies:
        columns = np.nonzero(able & (kind == action) & (left > 0))[0]
        yield _Use(columns, pool.end[columns], np.full(len(columns), worth), when=TILE, claims=True)


def _aside(pool: Candidates) -> Mask:
    """Tiles where neither the end of the move nor a kill would find another owner."""
    squares = np.arange(SQUARES)[:, None]
    return np.asarray((pool.end != squares) & (pool.victim[0] != squares))


def _claiming(table: _Table, allowed: Mask, when: int) -> Iterator[_Use]:
    # Before the move a camel more would be spent than is left for the claims after it.
    enough = table.pool.camels > 0
    plain, built_on = table.mover.tile_worth, _worth_claiming(table.mover)
    # What else would be paid for may be too dear after this: then the tiles worth most by themselves are better.
    for worth in (built_on,) if np.array_equal(plain, built_on) else (built_on, plain):
        for columns, square in table.best(allowed & enough, worth):
            # Drops on a tile that is claimed before the move are paid for (rules 11).
            paid = when == MOVE and table.mover.owns[PAID_DROPS]
            yield _Use(columns, square, table.visits[square, columns] * paid, when=when, claims=True, gold=True)


def _claim_dropped_on(table: _Table) -> Iterator[_Use]:
    """The empty tiles worth most, by walks that leave a meeple there on their way."""
    mover, pool = table.mover, table.pool
    worth = np.where(mover.standing == 0, _worth_claiming(mover), -1)
    for square in np.argsort(-worth, kind="stable")[:MAX_TILES].tolist():
        able = table.bare[square] & (mover.standing[square] == 0) & (table.visits[square] == 0) & (pool.camels > 0)
        columns = np.nonzero(able & (pool.square == NONE) & (pool.start != NONE))[0]
        rows = mover.best_walks(pool.start[columns], pool.low[columns], pool.high[columns], square, SOME)
        columns, rows = columns[rows != NONE], rows[rows != NONE]
        none = np.zeros(len(columns), dtype=np.int32)
        yield _Use(columns, np.full(len(columns), square), none, claims=True, row=rows)


def _worth_claiming(mover: Mover) -> Wide:
    """What tiles bring when they are claimed, with what can be built on them by another power."""
    kind, worth = mover.root.tile_action[:, 0], mover.tile_worth.copy()
    for action, left, each in mover.supplies:
        if left > 0 and mover.can_use(_BUILDER_OF[action]):
            worth += np.where(kind == action, each, 0)
    return worth


def _double(table: _Table) -> Iterator[_Use]:
    income = table.pool.income + table.mover.root.income[0]
    columns = np.nonzero(income >= _MIN_DOUBLED)[0]
    yield _Use(columns, np.full(len(columns), NONE), income[columns], gold=True)


def _revive(table: _Table) -> Iterator[_Use]:
    mover = table.mover
    if (bag(mover.root, np.array([0])) > 0).any():
        for columns, square in table.best(table.empty, np.zeros(SQUARES, dtype=np.int32)):
            yield _Use(columns, square, np.zeros(len(columns), dtype=np.int32))


def _draw(table: _Table) -> Iterator[_Use]:
    every = np.arange(len(table.pool))
    yield _Use(every, np.full(len(every), NONE), np.zeros(len(every), dtype=np.int32))


def _draw_djinns(table: _Table) -> Iterator[_Use]:
    root = table.mover.root
    if root.djinn_next[0] < root.djinn_size[0] or root.djinn_discards[:, 0].any():
        yield from _draw(table)


_USES: dict[int, Callable[[_Table], Iterator[_Use]]] = {
    user_of(Power.DOUBLE_BUILDERS): _double,
    user_of(Power.CLAIM_EMPTY): _claim_empty,
    user_of(Power.CLAIM_PEOPLED): _claim_peopled,
    user_of(Power.BUILD_PALACE): _building(VILLAGE),
    user_of(Power.BUILD_PALM): _building(OASIS),
    user_of(Power.REVIVE): _revive,
    user_of(Power.DRAW_CARD): _draw,
    user_of(Power.DRAW_DJINNS): _draw_djinns,
}
"""Powers in the order in which they are used: what is claimed can be built on, and what draws comes last."""
