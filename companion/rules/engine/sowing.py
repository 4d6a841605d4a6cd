"""Moving meeples: which sowings are legal and what they leave (rules 4.2 to 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, say, say_many, term
from companion.rules.engine.legality import check_form
from companion.rules.engine.walks import onward, walk_counts
from companion.rules.model.actions import Sowing
from companion.rules.model.board import NEIGHBOURS, SQUARE_NAMES, SQUARES, Board, Tile
from companion.rules.model.components import Tribe
from companion.rules.model.position import Position

_TRIBES = tuple(Tribe)

SETTLED_LENGTH = 12
"""From here on, walks that are two steps longer end on the same squares."""

Standing = list[int]
"""The squares that hold a meeple of each tribe, by tribe."""


def standing_on(board: Sequence[Tile]) -> Standing:
    yellow = white = blue = green = red = 0
    bit = 1
    for tile in board:
        # Spelt out for speed.
        y, w, b, g, r = tile.meeples
        if y:
            yellow |= bit
        if w:
            white |= bit
        if b:
            blue |= bit
        if g:
            green |= bit
        if r:
            red |= bit
        bit <<= 1
    return [yellow, white, blue, green, red]


@cache
def ends(before: int | None, here: int, length: int) -> tuple[int, int]:
    """Where walks of that many steps from `here` can end, and which ends they can have visited before (rules 4.2)."""
    every = again = 0
    for square in onward(before, here):
        if length == 1:
            every |= 1 << square
        else:
            # A square stepped on now and ended on later is one where a meeple of the hand may already lie.
            later, later_again = ends(here, square, length - 1)
            every |= later
            again |= later_again | (later & 1 << square)
    return every, again


def can_finish(before: int | None, here: int, left: Sequence[int], standing: Standing) -> bool:
    """Whether a hand with these meeples left, by tribe, can reach a legal end (rules 4.5)."""
    length = sum(left)
    if length <= 0:
        return False
    # Also keeps the recursion of `ends` flat for hands that no box could fill.
    every, again = ends(before, here, _settled(length))
    for count, squares in zip(left, standing, strict=True):
        # Any order of drops is free, so the tribe can be kept for last and, with two, dropped on the end before.
        if count and (squares & every or (count > 1 and again)):
            return True
    return False


def liftable(board: Sequence[Tile], standing: Standing) -> list[int]:
    """Squares whose meeples can be moved legally (rules 4.6)."""
    return [
        square
        for square, tile in enumerate(board)
        if any(tile.meeples) and can_finish(None, square, tile.meeples, lifted(standing, square))
    ]


def has_legal_sowing(board: Sequence[Tile]) -> bool:
    """Whether any legal sowing exists (rules 4.6, 9.2); generates none."""
    standing = standing_on(board)
    return any(
        any(tile.meeples) and can_finish(None, square, tile.meeples, lifted(standing, square))
        for square, tile in enumerate(board)
    )


def lifted(standing: Standing, square: int) -> Standing:
    """Where meeples stand once a square's are in hand."""
    rest = ~(1 << square)
    return [squares & rest for squares in standing]


def drop_options(before: int | None, here: int, left: Sequence[int], standing: Standing) -> list[tuple[int, Tribe]]:
    """Every step and drop after which the sowing can still end legally (rules 4.2 to 4.5)."""
    held = [tribe for tribe in _TRIBES if left[tribe]]
    return [
        (square, tribe)
        for square in onward(before, here)
        for tribe in held
        if can_drop(here, square, tribe, left, standing)
    ]


def can_drop(here: int, square: int, tribe: Tribe, left: Sequence[int], standing: Standing) -> bool:
    """Whether after the step from `here` and this drop of the hand the sowing can still end legally (rules 4.5)."""
    if sum(left) == 1:
        return bool(standing[tribe] >> square & 1)
    rest, after = list(left), standing.copy()
    rest[tribe] -= 1
    after[tribe] |= 1 << square
    return can_finish(here, square, rest, after)


def path_options(
    before: int | None,
    here: int,
    path: Sequence[int],
    hand: Sequence[int],
    standing: Standing,
    towards: int | None = None,
) -> list[int]:
    """The next tiles of a `path` (the last is `here`) along which a hand can be sown legally in some order, `towards` a
    square if one is given (rules 4.2 to 4.5).
    """
    rest = sum(hand) - len(path) - 1
    passed, wanted = _set_of(path), -1 if towards is None else 1 << towards
    return [square for square in onward(before, here) if _leads_on(here, square, rest, passed, hand, standing, wanted)]


def _leads_on(
    here: int, square: int, rest: int, passed: int, hand: Sequence[int], standing: Standing, wanted: int
) -> bool:
    """Whether a legal end among those that are wanted is in reach after a step to a square and that many steps more."""
    if rest <= 0:
        every, again = 1 << square & wanted, passed & 1 << square & wanted
    else:
        every, again = (squares & wanted for squares in ends(here, square, _settled(rest)))
        # Whatever the path has passed may be its end as well.
        again |= every & (passed | 1 << square)
    return rest >= 0 and any(
        count and (squares & every or (count > 1 and again)) for count, squares in zip(hand, standing, strict=True)
    )


def takings(path: Sequence[int], start: int, hand: Sequence[int], board: Sequence[Tile]) -> dict[int, dict[Tribe, int]]:
    """Where a hand that went along `path` can end, with at least how many of which tribe (rules 4.5, 4.7)."""
    rest, found = sum(hand) - len(path), dict[int, dict[Tribe, int]]()
    if rest <= 0:
        return found
    standing = lifted(standing_on(board), start)
    walked = (None, start, *path)
    every, again = ends(walked[-2], walked[-1], _settled(rest))
    again |= every & _set_of(path)
    for square in range(SQUARES):
        for tribe in _TRIBES:
            if not (every >> square & 1 and hand[tribe]):
                continue
            if standing[tribe] >> square & 1:
                found.setdefault(square, {})[tribe] = board[square].meeples[tribe] + 1
            elif hand[tribe] > 1 and again >> square & 1:
                found.setdefault(square, {})[tribe] = 2
    return found


def _settled(length: int) -> int:
    """The length of the shortest walk that ends where walks of this one do."""
    return length if length <= SETTLED_LENGTH else SETTLED_LENGTH + (length - SETTLED_LENGTH) % 2


def order_options(path: Sequence[int], drops: Sequence[Tribe], hand: Sequence[int], standing: Standing) -> list[Tribe]:
    """What the next meeple left along a path can be after `drops`, all of the hand being `hand` (rules 4.5)."""
    left = [count - drops.count(tribe) for tribe, count in zip(_TRIBES, hand, strict=True)]
    end, place = path[-1], len(drops)
    met = {tribe for tribe, squares in zip(_TRIBES, standing, strict=True) if squares >> end & 1}
    met |= {tribe for square, tribe in zip(path, drops, strict=False) if square == end}
    if place == len(path) - 1:
        return [tribe for tribe in _TRIBES if left[tribe] and tribe in met]
    return [tribe for tribe in _TRIBES if left[tribe] and _can_end(path, place, tribe, left, met)]


def _can_end(path: Sequence[int], place: int, tribe: Tribe, left: Sequence[int], met: set[Tribe]) -> bool:
    """Whether the path can end legally with this meeple left at a place before its end."""
    rest = [count - (other == tribe) for other, count in zip(_TRIBES, left, strict=True)]
    met = met | {tribe} if path[place] == path[-1] else met
    to_come = path[-1] in path[place + 1 : -1]
    return any(count and (other in met or (count > 1 and to_come)) for other, count in zip(_TRIBES, rest, strict=True))


def _set_of(squares: Sequence[int]) -> int:
    found = 0
    for square in squares:
        found |= 1 << square
    return found


_MAX_CACHED_HAND = 7
"""Orders of hands up to this size are kept for the next walk; a larger hand can have thousands."""


def legal_sowings(board: Board, starts: Iterable[int] = range(SQUARES)) -> Iterator[Sowing]:
    """Every legal sowing, lazily, by start, path, drops (rules 4.2 to 4.6). Raises as `count_moves` does."""
    check_form(Position(board))
    for start in starts:
        check_squares(start)
        hand = board[start].meeples
        for path in _walks(start, sum(hand)):
            # Drops that fell on the end tile before the last one.
            earlier = [index for index, square in enumerate(path[:-1]) if square == path[-1]]
            for last in Tribe:
                if not hand[last]:
                    continue
                held = path[-1] != start and board[path[-1]].meeples[last] > 0
                if not held and (hand[last] < 2 or not earlier):
                    continue
                ending_in = _cached_orders if sum(hand) <= _MAX_CACHED_HAND else _orders_ending_in
                orders: Iterable[tuple[Tribe, ...]] = ending_in(hand, last)
                if not held:
                    # Rules 4.5: the meeple of that colour may also be one dropped earlier in this move.
                    orders = (drops for drops in orders if any(drops[index] is last for index in earlier))
                for drops in orders:
                    yield Sowing(start, path, drops)


def _walks(start: int, length: int) -> Iterator[tuple[int, ...]]:
    path: list[int] = []

    def extend(before: int | None, here: int) -> Iterator[tuple[int, ...]]:
        if len(path) == length:
            yield tuple(path)
            return
        for square in onward(before, here):
            path.append(square)
            yield from extend(here, square)
            path.pop()

    if length:
        yield from extend(None, start)


@lru_cache(maxsize=1 << 10)
def _cached_orders(hand: tuple[int, ...], last: Tribe) -> tuple[tuple[Tribe, ...], ...]:
    return tuple(_orders_ending_in(hand, last))


def _orders_ending_in(hand: tuple[int, ...], last: Tribe) -> Iterator[tuple[Tribe, ...]]:
    rest = list(hand)
    rest[last] -= 1
    return ((*drops, last) for drops in _orders(rest))


def _orders(counts: list[int]) -> Iterator[tuple[Tribe, ...]]:
    """Every order of a hand of meeples, those of one tribe being alike."""
    if not any(counts):
        yield ()
        return
    for tribe in Tribe:
        if counts[tribe]:
            counts[tribe] -= 1
            for rest in _orders(counts):
                yield (tribe, *rest)
            counts[tribe] += 1


def end_visits(board: Board, start: int, end: int, tribe: Tribe) -> Iterator[tuple[int, range]]:
    """How a sowing can end on `end` with `tribe`: numbers of visits, and the range of how many drop that tribe."""
    hand = board[start].meeples
    length = sum(hand)
    if not hand[tribe]:
        return
    fewest = 1 if end != start and board[end].meeples[tribe] else 2
    others = length - hand[tribe]
    for visits, walks in enumerate(walk_counts(length)[start][end], 1):
        if walks:
            dropped = range(max(fewest, visits - others), min(visits, hand[tribe]) + 1)
            if dropped:
                yield visits, dropped


def check_squares(*squares: int | None) -> None:
    """Raises IllegalMoveError for a square that isn't on the board."""
    for square in squares:
        if square is not None and square not in range(SQUARES):
            raise IllegalMoveError(
                "square {square} is not on the board; squares are 0 to {squares} (rules 2.3)",
                square=square,
                squares=SQUARES - 1,
            )


def check_step(before: int | None, here: int, square: int) -> None:
    """Raises IllegalMoveError for a step that no hand may take."""
    step = say("the step from {start} to {end}", start=SQUARE_NAMES[here], end=SQUARE_NAMES[square])
    if square not in NEIGHBOURS[here]:
        raise IllegalMoveError("{step} is not to an orthogonal neighbour (rules 4.2)", step=step)
    if square == before:
        raise IllegalMoveError("{step} goes straight back (rules 4.3)", step=step)


def check_sowing(board: Sequence[Tile], sowing: Sowing) -> None:
    """Raises IllegalMoveError, with the first fault and its clause, for an illegal sowing."""
    check_squares(sowing.start, *sowing.path)
    start = SQUARE_NAMES[sowing.start]
    hand = board[sowing.start].meeples
    if not any(hand):
        raise _broken(sowing, say("{name} has no meeples to take", name=start), "4.2")
    if not len(sowing.path) == len(sowing.drops) == sum(hand):
        raise _broken(
            sowing,
            say(
                "{start} holds {hand}, so the path needs as many steps and leaves one meeple on each; it has "
                "{steps} and leaves {drops}",
                start=start,
                hand=counted(sum(hand), "meeple"),
                steps=say_many("{count} step", "{count} steps", len(sowing.path)),
                drops=counted(len(sowing.drops), "meeple"),
            ),
            "4.2",
        )
    before: int | None = None
    here = sowing.start
    for square in sowing.path:
        check_step(before, here, square)
        before, here = here, square
    for tribe in Tribe:
        dropped = sowing.drops.count(tribe)
        if dropped != hand[tribe]:
            raise _broken(
                sowing,
                say(
                    "{start} holds {hand}, but {dropped} are dropped",
                    start=start,
                    hand=counted(hand[tribe], tribe.noun),
                    dropped=dropped,
                ),
                "4.2",
            )
    end, last = sowing.end, sowing.tribe
    held = end != sowing.start and board[end].meeples[last] > 0
    earlier = zip(sowing.path[:-1], sowing.drops[:-1], strict=True)
    if not held and (end, last) not in set(earlier):
        raise _broken(
            sowing,
            say(
                "{square} holds no {tribe} when the last one lands there",
                square=SQUARE_NAMES[end],
                tribe=term(last.noun),
            ),
            "4.5",
        )


def _broken(sowing: Sowing, fault: str, rule: str) -> IllegalMoveError:
    return IllegalMoveError("{sowing}: {fault} (rules {rule})", sowing=sowing, fault=fault, rule=rule)
