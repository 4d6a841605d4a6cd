"""What the rules allow, used over the whole board: distributions of numbers -> the likeliest possible contents."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.language.phrase import say, term
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
    Tribe,
    camels_in_box,
)
from companion.vision.board.pieces import GROUPS, MIN_PROB, CountProbs
from companion.vision.numerics import Float64, softmax

START_TILES = 22
"""With three meeples on so many tiles and nothing else anywhere, the board is a starting one (rules 2.4)."""

MAX_START_NLL = 20.0
"""By how much, in nats over all tiles, a starting board may be less likely than the board without that prior.

A few hidden meeples come to less; the first turn of a game, one tile emptied and others with four, to more.
"""

MEEPLES_A_TILE_AT_START = TOTAL_MEEPLES // SQUARES

_MEEPLE_GROUPS = tuple(number for number, group in enumerate(GROUPS) if group.kind in TRIBE_LETTERS)
_NOUNS: dict[str, str] = {
    **{letter: term(tribe.noun) for letter, tribe in zip(TRIBE_LETTERS, Tribe, strict=True)},
    "palm": term("palms"),
    "palace": term("palaces"),
}
_CAMEL_GROUP = next(number for number, group in enumerate(GROUPS) if group.kind == "camel")
_START_CONTENTS: NDArray[np.int64] = np.array(
    [
        numbers
        for numbers in itertools.product(range(MEEPLES_A_TILE_AT_START + 1), repeat=len(TRIBE_LETTERS))
        if sum(numbers) == MEEPLES_A_TILE_AT_START
    ]
)
"""Every way to have three meeples on a tile, (35, 5)."""

_START_NUMBERS = [
    tuple(int(hand[_MEEPLE_GROUPS.index(group)]) if group in _MEEPLE_GROUPS else 0 for group in range(len(GROUPS)))
    for hand in _START_CONTENTS
]
"""The same as the numbers of `pieces.GROUPS`."""


@dataclass(frozen=True, slots=True)
class TileContents:
    """What is taken to stand on a tile, and what else may.

    `numbers` has a number for each of `pieces.GROUPS`; `probability` is that all of them are right;
    `others` are the next likeliest readings with their probabilities, likeliest first;
    `forced` tells in words where the rules, not the picture, decided.
    """

    numbers: tuple[int, ...]
    probability: float
    others: tuple[tuple[float, tuple[int, ...]], ...] = ()
    forced: tuple[str, ...] = field(default=())


def infer_contents(probs: CountProbs, kinds: Sequence[TileKind]) -> list[TileContents]:
    """What stands on each of the thirty tiles, by square, on all the evidence.

    No kind of piece stands more often than the box holds it (rules 1), palms stand on or beside an oasis
    and palaces on or beside a village (rules 6.1, 6.2, 11.2), and a starting board has three meeples on every
    tile (rules 2.4).
    """
    probs = _without_impossible(probs, kinds)
    numbers = np.stack([row.argmax(axis=1) for row in probs], axis=1)
    if not _is_start(probs, numbers):
        forced: list[list[str]] = [[] for _ in range(SQUARES)]
        _limit_to_box(probs, numbers, forced)
        return [
            _contents(probs, square, tuple(int(number) for number in numbers[square]), tuple(forced[square]))
            for square in range(SQUARES)
        ]
    return _start(probs)


def _without_impossible(probs: CountProbs, kinds: Sequence[TileKind]) -> CountProbs:
    """The distributions with palms far from every oasis and palaces far from every village ruled out."""
    result = []
    for group, row in zip(GROUPS, probs, strict=True):
        action = {"palm": TileAction.OASIS, "palace": TileAction.VILLAGE}.get(group.kind)
        if action is not None:
            row = row.copy()
            for square in range(SQUARES):
                near = {kinds[square].action, *(kinds[other].action for other in SURROUNDINGS[square])}
                if action not in near:
                    row[square] = [1.0] + [0.0] * (group.size - 1)
        result.append(row)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Limit:
    """What the box holds of a piece: its group, for how many each of the group's numbers stands, how many there are."""

    group: int
    values: tuple[int, ...]
    available: int
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
                limits.append(_Limit(number, values, most, say("{colour} camel", colour=colour)))
        else:
            most = {"palm": PALMS, "palace": PALACES}.get(group.kind, 0)
            if group.kind in TRIBE_LETTERS:
                most = MEEPLE_COUNTS[TRIBE_LETTERS.index(group.kind)]
            limits.append(_Limit(number, tuple(range(group.size)), most, _NOUNS[group.kind]))
    return limits


def _limit_to_box(probs: CountProbs, numbers: NDArray[np.int64], forced: list[list[str]]) -> None:
    """Change numbers in place, always the least sure one, until the box holds all that is read."""
    limits = _limits(numbers)
    for limit in limits:
        others = [other for other in limits if other.group == limit.group and other is not limit]
        while limit.used(numbers) > limit.available:
            # A camel too many is no camel of a colour that is used up either.
            full = [other.values for other in others if other.used(numbers) >= other.available]
            best: tuple[float, int, int] | None = None
            for square in range(SQUARES):
                now = int(numbers[square, limit.group])
                if limit.values[now] == 0:
                    continue
                row = probs[limit.group][square]
                fewer = max(
                    (
                        number
                        for number, value in enumerate(limit.values)
                        if value < limit.values[now] and not any(values[number] for values in full)
                    ),
                    key=lambda number: row[number],
                )
                # What giving up the likeliest number loses of the log-likelihood: the cheapest tile pays.
                cost = float(np.log(max(row[now], 1e-12)) - np.log(max(row[fewer], 1e-12)))
                if best is None or cost < best[0]:
                    best = (cost, square, fewer)
            assert best is not None
            _, square, fewer = best
            numbers[square, limit.group] = fewer
            forced[square].append(say("one more {limit} seen than the box holds", limit=limit.name))


def _contents(probs: CountProbs, square: int, numbers: tuple[int, ...], forced: tuple[str, ...]) -> TileContents:
    probability = 1.0
    for group, number in zip(probs, numbers, strict=True):
        probability *= float(group[square, number])
    others = [(probability * ratio, changed) for ratio, changed in _other_numbers(probs, square, numbers)]
    return TileContents(numbers, probability, tuple(others[:3]), forced)


def _other_numbers(probs: CountProbs, square: int, numbers: tuple[int, ...]) -> list[tuple[float, tuple[int, ...]]]:
    """The other readings of a tile by how likely they are, in parts of the one taken, likeliest first.

    One number is changed; or two, one piece fewer of a kind and one more of another: a piece mistaken makes both
    doubtful, and then they are told wrong together or not at all.
    """
    # By group and number: how likely in parts of the number taken, and how many pieces more that is.
    single: dict[tuple[int, int], float] = {}
    more: dict[tuple[int, int], int] = {}
    for group, (row, number) in enumerate(zip(probs, numbers, strict=True)):
        for other in range(row.shape[1]):
            if other != number and row[square, other] > MIN_PROB:
                single[group, other] = float(row[square, other] / max(row[square, number], 1e-12))
                more[group, other] = min(other, 1) - min(number, 1) if group == _CAMEL_GROUP else other - number
    ups = [change for change in single if more[change] == 1]
    downs = [change for change in single if more[change] == -1]
    pairs = [(min(single[up], single[down]), up, down) for up in ups for down in downs if up[0] != down[0]]
    result = []
    for _, up, down in sorted(pairs, reverse=True):
        together = min(single[up], single[down])
        if together > MIN_PROB:
            single[up] -= together
            single[down] -= together
            result.append((together, _changed(numbers, up, down)))
    result += [(ratio, _changed(numbers, change)) for change, ratio in single.items() if ratio > MIN_PROB]
    return sorted(result, key=lambda item: -item[0])


def _changed(numbers: tuple[int, ...], *changes: tuple[int, int]) -> tuple[int, ...]:
    result = list(numbers)
    for group, number in changes:
        result[group] = number
    return tuple(result)


def _is_start(probs: CountProbs, numbers: NDArray[np.int64]) -> bool:
    """Whether the board looks like a starting one and is hardly less likely to be one than what it looks like."""
    meeples = numbers[:, _MEEPLE_GROUPS].sum(axis=1)
    rest = np.delete(numbers, _MEEPLE_GROUPS, axis=1)
    if rest.any() or int((meeples == MEEPLES_A_TILE_AT_START).sum()) < START_TILES:
        return False
    likeliest = float(sum(np.log(probs[group].max(axis=1)).sum() for group in _MEEPLE_GROUPS))
    return likeliest - float(_start_log_likelihoods(probs).max(axis=1).sum()) < MAX_START_NLL


def _start_log_likelihoods(probs: CountProbs) -> Float64:
    """Log-likelihoods (30, 35) of each tile's holding each of `_START_CONTENTS`."""
    hands = [
        [np.log(probs[group][:, hand[place]]) for place, group in enumerate(_MEEPLE_GROUPS)] for hand in _START_CONTENTS
    ]
    return np.asarray(np.array(hands).sum(axis=1).T)


def _start(probs: CountProbs) -> list[TileContents]:
    """The likeliest starting board: three meeples a tile, and all ninety of the box on it (rules 2.3, 2.4)."""
    logs = _start_log_likelihoods(probs)
    free = logs.argmax(axis=1)
    chosen = _whole_bag(logs, free.copy())
    posterior = softmax(logs, axis=1)
    contents = []
    for square in range(SQUARES):
        order = [int(hand) for hand in np.argsort(-posterior[square], kind="stable") if hand != chosen[square]]
        plain = tuple(int(probs[group][square].argmax()) for group in _MEEPLE_GROUPS)
        forced = []
        if plain != tuple(_START_CONTENTS[free[square]].tolist()):
            forced.append(say("three meeples taken, as on every tile of a starting board"))
        if chosen[square] != free[square]:
            forced.append(say("chosen so that all ninety meeples of the box are on the board"))
        contents.append(
            TileContents(
                _START_NUMBERS[chosen[square]],
                float(posterior[square, chosen[square]]),
                tuple((float(posterior[square, hand]), _START_NUMBERS[hand]) for hand in order[:3]),
                tuple(forced),
            )
        )
    return contents


def _whole_bag(logs: Float64, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Change tiles, at the least loss of likelihood, until every meeple of the bag lies on the board.

    `logs` are the log-likelihoods (30, 35) of the rows of `_START_CONTENTS`. One meeple too many of a colour is
    made another along the cheapest chain of changes, a tile each (successive shortest paths).
    """
    tribes = len(TRIBE_LETTERS)
    by_hand = {tuple(hand.tolist()): number for number, hand in enumerate(_START_CONTENTS)}
    while True:
        spare = _START_CONTENTS[chosen].sum(axis=0) - MEEPLE_COUNTS
        if not spare.any():
            return chosen
        # cost[c, d]: what it costs to turn one c into a d on the tile where that is cheapest.
        cost = np.full((tribes, tribes), np.inf)
        change: dict[tuple[int, int], tuple[int, int]] = {}
        for square, hand in enumerate(chosen):
            for one in range(tribes):
                if not _START_CONTENTS[hand, one]:
                    continue
                for other in range(tribes):
                    if other == one:
                        continue
                    numbers = _START_CONTENTS[hand].copy()
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
