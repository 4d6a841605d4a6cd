"""What the rules allow, used as evidence over the whole board: chances of numbers -> what stands where."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES, SURROUNDINGS
from companion.rules.model.components import (
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TOTAL_MEEPLES,
    TRIBE_LETTERS,
    Colour,
    TileAction,
    TileKind,
    camels_in_box,
)
from companion.vision.board.counts import GROUPS
from companion.vision.board.tallies import LEAST_CHANCE, Chances

START_TILES = 22
"""With three meeples on so many tiles and nothing else anywhere, the board is a starting one (rules 2.4)."""

START_SURPRISE = 20.0
"""How much less likely, in nats over all tiles, a starting board may be than the board seen without that thought.

A few hidden meeples come to less; the first turn of a game, one tile emptied and others with four, to more.
"""

MEEPLES_A_TILE_AT_START = TOTAL_MEEPLES // SQUARES

_MEEPLE_GROUPS = tuple(number for number, group in enumerate(GROUPS) if group.kind in TRIBE_LETTERS)
_CAMEL_GROUP = next(number for number, group in enumerate(GROUPS) if group.kind == "camel")
_START_HANDS: NDArray[np.int64] = np.array(
    [
        numbers
        for numbers in itertools.product(range(MEEPLES_A_TILE_AT_START + 1), repeat=len(TRIBE_LETTERS))
        if sum(numbers) == MEEPLES_A_TILE_AT_START
    ]
)
"""Every way to have three meeples on a tile, (35, 5)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What is taken to stand on a tile.

    `numbers` has a number for each of `counts.GROUPS`; `chance` is that all of them are right; `others`
    are the next likeliest readings with their chances, likeliest first;
    `forced` tells in words where the rules, not the picture, decided.
    """

    numbers: tuple[int, ...]
    chance: float
    others: tuple[tuple[float, tuple[int, ...]], ...] = ()
    forced: tuple[str, ...] = field(default=())


def weigh(chances: Chances, kinds: Sequence[TileKind]) -> list[Tally]:
    """What stands on each of the thirty tiles, by square, on all the evidence.

    No kind of piece stands more often than the box holds it (rules 1), palms stand on or beside an oasis
    and palaces on or beside a village (rules 6.1, 6.2, 11.2), and a starting board has three meeples on every
    tile (rules 2.4).
    """
    chances = _near_their_tiles(chances, kinds)
    numbers = np.stack([shares.argmax(axis=1) for shares in chances], axis=1)
    if _looks_like_start(numbers):
        logs = _start_logs(chances)
        if _best(chances) - float(logs.max(axis=1).sum()) < START_SURPRISE:
            return _start(chances, logs)
    forced: list[list[str]] = [[] for _ in range(SQUARES)]
    _keep_to_the_box(chances, numbers, forced)
    return [
        _tally(chances, square, tuple(int(number) for number in numbers[square]), tuple(forced[square]))
        for square in range(SQUARES)
    ]


def _near_their_tiles(chances: Chances, kinds: Sequence[TileKind]) -> Chances:
    """The chances with palms far from every oasis and palaces far from every village ruled out."""
    result = []
    for group, shares in zip(GROUPS, chances, strict=True):
        action = {"palm": TileAction.OASIS, "palace": TileAction.VILLAGE}.get(group.kind)
        if action is not None:
            shares = shares.copy()
            for square in range(SQUARES):
                near = {kinds[square].action, *(kinds[other].action for other in SURROUNDINGS[square])}
                if action not in near:
                    shares[square] = [1.0] + [0.0] * (group.size - 1)
        result.append(shares)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Limit:
    """What the box holds of a piece: its group, for how many each of the group's numbers stands, how many there are."""

    group: int
    values: tuple[int, ...]
    most: int
    name: str

    def used(self, numbers: NDArray[np.int64]) -> int:
        return sum(self.values[number] for number in numbers[:, self.group])


def _limits(numbers: NDArray[np.int64]) -> list[_Limit]:
    """What the box holds (rules 1.2, 1.3, 1.5, 2.1).

    Camels of a colour are limited by as many colours as are seen, and there are none of a colour that is not.
    """
    limits = []
    for number, group in enumerate(GROUPS):
        if group.kind == "camel":
            seen = [colour for index, colour in enumerate(Colour, 1) if (numbers[:, number] == index).any()]
            for index, colour in enumerate(Colour, 1):
                values = tuple(int(place == index) for place in range(group.size))
                most = camels_in_box(colour, len(seen)) if colour in seen else 0
                limits.append(_Limit(number, values, most, f"{colour} camel"))
        else:
            most = {"palm": PALMS, "palace": PALACES}.get(group.kind, 0)
            if group.kind in TRIBE_LETTERS:
                most = MEEPLE_COUNTS[TRIBE_LETTERS.index(group.kind)]
            limits.append(_Limit(number, tuple(range(group.size)), most, group.kind))
    return limits


def _keep_to_the_box(chances: Chances, numbers: NDArray[np.int64], forced: list[list[str]]) -> None:
    """Change numbers in place, always the least sure one, until the box holds all that is read."""
    limits = _limits(numbers)
    for limit in limits:
        others = [other for other in limits if other.group == limit.group and other is not limit]
        while limit.used(numbers) > limit.most:
            # A camel too many is no camel of a colour that is used up either.
            full = [other.values for other in others if other.used(numbers) >= other.most]
            best: tuple[float, int, int] | None = None
            for square in range(SQUARES):
                now = int(numbers[square, limit.group])
                if limit.values[now] == 0:
                    continue
                shares = chances[limit.group][square]
                fewer = max(
                    (
                        number
                        for number, value in enumerate(limit.values)
                        if value < limit.values[now] and not any(values[number] for values in full)
                    ),
                    key=lambda number: shares[number],
                )
                cost = float(np.log(max(shares[now], 1e-12)) - np.log(max(shares[fewer], 1e-12)))
                if best is None or cost < best[0]:
                    best = (cost, square, fewer)
            assert best is not None
            _, square, fewer = best
            numbers[square, limit.group] = fewer
            forced[square].append(f"one more {limit.name} seen than the box holds")


def _tally(chances: Chances, square: int, numbers: tuple[int, ...], forced: tuple[str, ...]) -> Tally:
    chance = 1.0
    for shares, number in zip(chances, numbers, strict=True):
        chance *= float(shares[square, number])
    others = [(chance * ratio, changed) for ratio, changed in _other_numbers(chances, square, numbers)]
    return Tally(numbers, chance, tuple(others[:3]), forced)


def _other_numbers(chances: Chances, square: int, numbers: tuple[int, ...]) -> list[tuple[float, tuple[int, ...]]]:
    """The other readings of a tile by how likely they are, in parts of the one taken, likeliest first.

    One number is changed; or two, one piece fewer of a kind and one more of another: a piece mistaken makes both
    doubtful, and then they are told wrong together or not at all.
    """
    # By group and number: how likely in parts of the number taken, and how many pieces more that is.
    single: dict[tuple[int, int], float] = {}
    more: dict[tuple[int, int], int] = {}
    for group, (shares, number) in enumerate(zip(chances, numbers, strict=True)):
        for other in range(shares.shape[1]):
            if other != number and shares[square, other] > LEAST_CHANCE:
                single[group, other] = float(shares[square, other] / max(shares[square, number], 1e-12))
                more[group, other] = min(other, 1) - min(number, 1) if group == _CAMEL_GROUP else other - number
    ups = [change for change in single if more[change] == 1]
    downs = [change for change in single if more[change] == -1]
    pairs = [(min(single[up], single[down]), up, down) for up in ups for down in downs if up[0] != down[0]]
    result = []
    for _, up, down in sorted(pairs, reverse=True):
        together = min(single[up], single[down])
        if together > LEAST_CHANCE:
            single[up] -= together
            single[down] -= together
            result.append((together, _changed(numbers, up, down)))
    result += [(ratio, _changed(numbers, change)) for change, ratio in single.items() if ratio > LEAST_CHANCE]
    return sorted(result, key=lambda item: -item[0])


def _changed(numbers: tuple[int, ...], *changes: tuple[int, int]) -> tuple[int, ...]:
    result = list(numbers)
    for group, number in changes:
        result[group] = number
    return tuple(result)


def _looks_like_start(numbers: NDArray[np.int64]) -> bool:
    meeples = numbers[:, _MEEPLE_GROUPS].sum(axis=1)
    rest = np.delete(numbers, _MEEPLE_GROUPS, axis=1)
    return not rest.any() and int((meeples == MEEPLES_A_TILE_AT_START).sum()) >= START_TILES


def _best(chances: Chances) -> float:
    """The log chance of the likeliest meeples of all tiles."""
    return float(sum(np.log(chances[group].max(axis=1)).sum() for group in _MEEPLE_GROUPS))


def _start_logs(chances: Chances) -> NDArray[np.float64]:
    """Log chances (30, 35) of each tile's holding each of `_START_HANDS`."""
    hands = [
        [np.log(chances[group][:, hand[place]]) for place, group in enumerate(_MEEPLE_GROUPS)] for hand in _START_HANDS
    ]
    return np.asarray(np.array(hands).sum(axis=1).T)


def _start(chances: Chances, logs: NDArray[np.float64]) -> list[Tally]:
    """The likeliest starting board: three meeples a tile, and all ninety of the box on it (rules 2.3, 2.4)."""
    free = logs.argmax(axis=1)
    chosen = _whole_bag(logs, free.copy())
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    tallies = []
    for square in range(SQUARES):
        order = [int(hand) for hand in np.argsort(-shares[square], kind="stable") if hand != chosen[square]]
        plain = tuple(int(chances[group][square].argmax()) for group in _MEEPLE_GROUPS)
        forced = []
        if plain != tuple(_START_HANDS[free[square]].tolist()):
            forced.append("three meeples taken, as on every tile of a starting board")
        if chosen[square] != free[square]:
            forced.append("chosen so that all ninety meeples of the box are on the board")
        tallies.append(
            Tally(
                _start_numbers(int(chosen[square])),
                float(shares[square, chosen[square]]),
                tuple((float(shares[square, hand]), _start_numbers(hand)) for hand in order[:3]),
                tuple(forced),
            )
        )
    return tallies


def _start_numbers(hand: int) -> tuple[int, ...]:
    numbers = [0] * len(GROUPS)
    for place, group in enumerate(_MEEPLE_GROUPS):
        numbers[group] = int(_START_HANDS[hand, place])
    return tuple(numbers)


def _whole_bag(logs: NDArray[np.float64], chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Change hands, at the least loss of likelihood, until every meeple of the bag lies on the board.

    `logs` are the log chances (30, 35) of the hands of `_START_HANDS`. One meeple too many of a colour is
    made another along the cheapest chain of changes, a tile each (successive shortest paths).
    """
    tribes = len(TRIBE_LETTERS)
    by_hand = {tuple(hand.tolist()): number for number, hand in enumerate(_START_HANDS)}
    while True:
        spare = _START_HANDS[chosen].sum(axis=0) - MEEPLE_COUNTS
        if not spare.any():
            return chosen
        # cost[c, d]: what it costs to turn one c into a d on the tile where that is cheapest.
        cost = np.full((tribes, tribes), np.inf)
        change: dict[tuple[int, int], tuple[int, int]] = {}
        for square, hand in enumerate(chosen):
            for one in range(tribes):
                if not _START_HANDS[hand, one]:
                    continue
                for other in range(tribes):
                    if other == one:
                        continue
                    numbers = _START_HANDS[hand].copy()
                    numbers[one] -= 1
                    numbers[other] += 1
                    changed = by_hand[tuple(numbers.tolist())]
                    loss = float(logs[square, hand] - logs[square, changed])
                    if loss < cost[one, other]:
                        cost[one, other] = loss
                        change[one, other] = (square, changed)
        source, target = int(spare.argmax()), int(spare.argmin())
        path = min(
            (
                (source, *middle, target)
                for length in range(tribes - 1)
                for middle in itertools.permutations([t for t in range(tribes) if t not in (source, target)], length)
                if len({change.get(step, (-1, -1))[0] for step in itertools.pairwise((source, *middle, target))})
                == length + 1
            ),
            key=lambda path: sum(cost[step] for step in itertools.pairwise(path)),
        )
        for step in itertools.pairwise(path):
            square, changed = change[step]
            chosen[square] = changed
