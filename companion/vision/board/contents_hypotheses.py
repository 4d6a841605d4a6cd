"""What stands on a tile as a whole: the likeliest contents on all that was seen, each with its probability.

A piece that may be a merchant or a palm is one or the other: numbers of two kinds, each for itself, cannot say so. Feet
can, since one foot is one piece, and so can the views of the network, each of which counts a tile in one way.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision.board.calibration import change_weights, contents_weights, piece_probability
from companion.vision.board.pieces import (
    CAMEL_GROUP,
    CAMELS,
    GROUPS,
    MIN_PROB,
    PieceDetection,
    PieceNetOutput,
    all_detections,
    count_probs,
    min_distance,
)
from companion.vision.numerics import Float64, log_sum_exp, softmax

Numbers = tuple[int, ...]
"""How many of each of `pieces.GROUPS` stand on a tile."""

CANDIDATES = 24
"""How many of the likeliest contents are looked at by each way of estimating them."""

CANDIDATES_BY_FEET = 60
"""How many are followed while feet are added one by one."""

RANKED = 16
"""How many of the likeliest contents may be offered, whatever kind of mistake they would mend."""

UNSEEN_NATS = 3.0
"""What speaks against each piece by which a tile differs from what its feet say: it is hidden, or was made up."""

NUMBERS_TRIED = 6
"""How many numbers of one kind of piece are tried, likeliest first."""

CHANGES: tuple[str, ...] = (
    "merchant to palm",
    "palm to merchant",
    "vizier or elder to palace",
    "palace to vizier or elder",
    "builder to blue camel",
    "blue camel to builder",
    "palm more",
    "palm fewer",
    "palace more",
    "palace fewer",
    "meeple more",
    "meeple fewer",
    "camel",
    "meeple of another colour",
    "several",
)
"""The kinds of mistake that are distinguished, from what was read to what is so."""

_BY_KIND = {group.kind: number for number, group in enumerate(GROUPS)}
_PALM, _PALACE, _MERCHANT, _BUILDER = _BY_KIND["palm"], _BY_KIND["palace"], _BY_KIND["g"], _BY_KIND["b"]
_BLUE = CAMELS.index(Colour.BLUE.letter) + 1

_SWAPS: Mapping[tuple[int, int], str] = {
    (_MERCHANT, _PALM): "merchant to palm",
    (_PALM, _MERCHANT): "palm to merchant",
    (_BY_KIND["y"], _PALACE): "vizier or elder to palace",
    (_BY_KIND["w"], _PALACE): "vizier or elder to palace",
    (_PALACE, _BY_KIND["y"]): "palace to vizier or elder",
    (_PALACE, _BY_KIND["w"]): "palace to vizier or elder",
    (_BUILDER, CAMEL_GROUP): "builder to blue camel",
    (CAMEL_GROUP, _BUILDER): "blue camel to builder",
}
"""One piece fewer of the first group and one more of the second."""


def change_between(read: Numbers, other: Numbers) -> str:
    """Which of `CHANGES` leads from one reading's numbers to another's; both by `pieces.GROUPS`."""
    more = {group: there - here for group, (here, there) in enumerate(zip(read, other, strict=True)) if here != there}
    if CAMEL_GROUP in more:
        if len(more) == 1:
            return "camel"
        if {read[CAMEL_GROUP], other[CAMEL_GROUP]} != {0, _BLUE}:
            return "several"
        more[CAMEL_GROUP] = 1 if other[CAMEL_GROUP] else -1
    if len(more) == 1:
        ((group, change),) = more.items()
        noun = {_PALM: "palm", _PALACE: "palace"}.get(group, "meeple")
        return f"{noun} {'more' if change == 1 else 'fewer'}" if abs(change) == 1 else "several"
    if sorted(more.values()) != [-1, 1]:
        return "several"
    fewer, gained = swapped = min(more, key=more.__getitem__), max(more, key=more.__getitem__)
    if max(fewer, gained) < len(TRIBE_LETTERS):
        return "meeple of another colour"
    return _SWAPS.get(swapped, "several")


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What may stand on a tile, likeliest first: `numbers` (N, groups) with their log-probabilities (N,)."""

    numbers: NDArray[np.int64]
    log_probs: Float64

    def as_numbers(self, place: int) -> Numbers:
        return tuple(int(number) for number in self.numbers[place])

    def probability(self, numbers: Numbers) -> float:
        """The probability of these contents; 0 for such as were not looked at."""
        same = (self.numbers == np.array(numbers)).all(axis=1)
        return float(np.exp(self.log_probs[same][0])) if same.any() else 0.0


def ranked(numbers: NDArray[np.int64], scores: Float64) -> Hypotheses:
    """Contents (N, groups) with scores in nats (N,), as hypotheses: normalised, likeliest first."""
    log_probs = scores - log_sum_exp(scores)
    order = np.argsort(-log_probs, kind="stable")
    return Hypotheses(numbers[order], log_probs[order])


@dataclass(frozen=True, slots=True)
class TileFeatures:
    """The contents that were looked at for a tile, (N, groups), and what speaks for each in nats, (N, 3).

    The columns: by the feet, one piece a foot; by counting, in the mean of the network's views; and how many pieces.
    """

    numbers: NDArray[np.int64]
    features: Float64


def contents_hypotheses(output: PieceNetOutput) -> tuple[Hypotheses, ...]:
    """What may stand on each of the thirty tiles, by square, on what the piece network saw."""
    weights = np.array(contents_weights())
    return tuple(ranked(tile.numbers, tile.features @ weights) for tile in tile_features(output))


def tile_features(output: PieceNetOutput, curves: Mapping[str, tuple[float, ...]] | None = None) -> list[TileFeatures]:
    """What is looked at for each tile, and what speaks for it; `curves` of detections as in `piece_probability`."""
    by_feet = _numbers_by_feet(_feet(output, curves))
    mean = [np.log(group) for group in count_probs(output.counts)]
    counted_likeliest = _likeliest_products(mean)
    views = [[np.log(group) for group in count_probs(view)] for view in output.all_views]
    result = []
    for square in range(SQUARES):
        seen = heapq.nlargest(CANDIDATES_BY_FEET, by_feet[square].items(), key=lambda item: item[1])
        by_counts = map(tuple, counted_likeliest[square].tolist())
        numbers = np.array(list(dict.fromkeys([*by_counts, *(numbers for numbers, _ in seen[:CANDIDATES])])))
        feet = np.array([one for one, _ in seen])
        log_probs = np.log(np.array([chance for _, chance in seen]))
        speaks_feet = log_sum_exp(log_probs - UNSEEN_NATS * _pieces_apart(numbers, feet), axis=1)
        counted = np.stack([_sum_over_groups([group[square] for group in view], numbers) for view in views], axis=1)
        speaks_counts = log_sum_exp(counted, axis=1) - math.log(len(views))
        result.append(TileFeatures(numbers, np.stack([speaks_feet, speaks_counts, number_of_pieces(numbers)], axis=1)))
    return result


def number_of_pieces(numbers: NDArray[np.int64]) -> Float64:
    """How many pieces contents (N, groups) are; a camel of any colour is one."""
    counted = numbers.astype(np.float64)
    counted[:, CAMEL_GROUP] = np.minimum(counted[:, CAMEL_GROUP], 1)
    return np.asarray(counted.sum(axis=1))


def other_readings(hypotheses: Hypotheses, taken: Numbers, most: int) -> tuple[tuple[float, Numbers], ...]:
    """The other contents of a tile, with their probabilities, likeliest first, at most `most`.

    How sure the reading is was measured for itself; among the others, some mistakes are commoner than their
    probabilities say, and how much so was fitted by kind of mistake (`CHANGES`).
    """
    slope, by_change = change_weights()
    likeliest = enumerate(hypotheses.log_probs[:RANKED])
    others = [(numbers, float(log)) for place, log in likeliest if (numbers := hypotheses.as_numbers(place)) != taken]
    if not others:
        return ()
    scores = np.array([slope * log + by_change[change_between(taken, numbers)] for numbers, log in others])
    shares = softmax(scores) * (1 - hypotheses.probability(taken))
    order = np.argsort(-shares, kind="stable")[:most]
    return tuple((float(shares[place]), others[place][0]) for place in order)


def pooled_hypotheses(seen: Sequence[Hypotheses], weight: float) -> Hypotheses:
    """What several photos saw on a tile as one log-linear pool; `weight` is that of all photos together.

    What a photo did not look at is a little less likely there than all that it did.
    """
    numbers = sorted({one.as_numbers(place) for one in seen for place in range(len(one.numbers))})
    logs = np.empty((len(seen), len(numbers)))
    for row, one in zip(logs, seen, strict=True):
        known = {one.as_numbers(place): float(log) for place, log in enumerate(one.log_probs)}
        floor = float(one.log_probs.min()) - 1.0
        row[:] = [known.get(number, floor) for number in numbers]
    return ranked(np.array(numbers), weight * logs.mean(axis=0))


def _feet(
    output: PieceNetOutput, curves: Mapping[str, tuple[float, ...]] | None
) -> list[tuple[PieceDetection, dict[str, float]]]:
    """Each foot seen, with the probabilities of the classes that it may be; the rest is that nothing stands there."""
    feet: list[tuple[PieceDetection, dict[str, float]]] = []
    for one in all_detections(output.peaks):
        near = next((f for f in feet if math.hypot(f[0].x - one.x, f[0].y - one.y) <= min_distance(f[0], one)), None)
        chance = piece_probability(one.kind, one.probability, curves)
        if near is None:
            feet.append((one, {one.kind: chance}))
        else:
            # The same class again is the same piece seen twice.
            near[1].setdefault(one.kind, chance)
    return [(one, _exclusive(probabilities)) for one, probabilities in feet]


def _exclusive(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Probabilities of classes estimated each for itself, as those of classes of which one at most is there."""
    odds = {kind: probability / max(1 - probability, MIN_PROB) for kind, probability in probabilities.items()}
    whole = 1 + sum(odds.values())
    return {kind: odd / whole for kind, odd in odds.items()}


def _numbers_by_feet(feet: Iterable[tuple[PieceDetection, Mapping[str, float]]]) -> list[dict[Numbers, float]]:
    """The probabilities of numbers on each tile when each foot is one of its classes or nothing."""
    result: list[dict[Numbers, float]] = [{(0,) * len(GROUPS): 1.0} for _ in range(SQUARES)]
    for foot, probabilities in feet:
        for square, share in foot.squares:
            there = {kind: probability * share for kind, probability in probabilities.items()}
            result[square] = _with_foot(result[square], there)
    return result


def _with_foot(before: Mapping[Numbers, float], probabilities: Mapping[str, float]) -> dict[Numbers, float]:
    nothing = 1 - sum(probabilities.values())
    after: dict[Numbers, float] = {}
    for numbers, probability in before.items():
        after[numbers] = after.get(numbers, 0.0) + probability * nothing
        for kind, share in probabilities.items():
            more = _one_more(numbers, kind)
            if more is not None:
                after[more] = after.get(more, 0.0) + probability * share
    likeliest = heapq.nlargest(CANDIDATES_BY_FEET, after.items(), key=lambda item: item[1])
    whole = sum(probability for _, probability in likeliest)
    return {numbers: probability / whole for numbers, probability in likeliest if probability > 0}


def _one_more(numbers: Numbers, kind: str) -> Numbers | None:
    """The contents with one piece more; None for a second camel (rules 4.9). The greatest number stays."""
    if kind in CAMELS:
        if numbers[CAMEL_GROUP]:
            return None
        group, number = CAMEL_GROUP, CAMELS.index(kind) + 1
    else:
        group = _BY_KIND[kind]
        number = min(numbers[group] + 1, GROUPS[group].size - 1)
    return (*numbers[:group], number, *numbers[group + 1 :])


def _likeliest_products(logs: Sequence[Float64]) -> NDArray[np.int64]:
    """The likeliest combinations of numbers estimated each for itself, best first: (30, up to `CANDIDATES`, groups).

    `logs` are the log-probabilities (30, size) of each group's numbers.
    """
    squares = np.arange(SQUARES)[:, None]
    scores, numbers = np.zeros((SQUARES, 1)), np.zeros((SQUARES, 1, 0), dtype=np.int64)
    for log in logs:
        tried = np.argsort(-log, axis=1, kind="stable")[:, :NUMBERS_TRIED]
        grown = (scores[:, :, None] + log[squares, tried][:, None]).reshape(SQUARES, -1)
        order = np.argsort(-grown, axis=1, kind="stable")[:, :CANDIDATES]
        scores = grown[squares, order]
        added = tried[squares, order % tried.shape[1]]
        numbers = np.concatenate([numbers[squares, order // tried.shape[1]], added[:, :, None]], axis=2)
    return numbers


def _sum_over_groups(logs: Sequence[Float64], numbers: NDArray[np.int64]) -> Float64:
    return np.asarray(sum(log[numbers[:, group]] for group, log in enumerate(logs)))


def _pieces_apart(one: NDArray[np.int64], other: NDArray[np.int64]) -> Float64:
    """By how many pieces each of one's contents (N, groups) differs from each of the other's (M, groups), (N, M)."""
    apart = np.abs(one[:, None] - other[None]).astype(np.float64)
    a, b = one[:, None, CAMEL_GROUP], other[None, :, CAMEL_GROUP]
    apart[:, :, CAMEL_GROUP] = np.where(a == b, 0, np.where((a == 0) | (b == 0), 1, 2))
    return np.asarray(apart.sum(axis=2))
