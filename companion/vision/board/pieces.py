"""Which pieces stand on which tile: detections of their feet, counts a tile, and both pooled into one distribution."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from companion.rules.model.board import COLUMNS, ROWS, SQUARES, Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision import fitted
from companion.vision.board.calibration import piece_probability, pool_weights
from companion.vision.board.rectify import cells_to_board
from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE, forward, normalise
from companion.vision.numerics import Float32, Float64, Points, find_peaks, log_linear_pool, sigmoid, softmax

CAMELS: tuple[str, ...] = tuple(colour.letter for colour in Colour)
PIECE_CLASSES: tuple[str, ...] = (*TRIBE_LETTERS, *CAMELS, "palm", "palace")
"""Classes in the order of the network's channels: meeples and camels by their letters of the notation."""

MIN_SCORE = 0.05
"""Feet fainter than this are not even doubted."""

SAME_FOOT_TILES = 0.09
"""Two classes seen closer together than this are one piece in doubt, not two pieces."""

SAME_PIECE_TILES = 0.15
"""Feet of one class closer together than this are one piece seen twice: a meeple is wider."""

EDGE_BLUR_TILES = 0.03
"""How exactly a foot is placed: nearer to an edge than this, it may stand on the next tile."""

MIN_STRAY = 0.002
"""Chances of standing on the next tile below this are not followed."""

OFF_BOARD_TILES = 0.12
"""Feet farther outside the board than this belong to no tile."""

MAX_MEEPLES = 10
MAX_BUILDINGS = 5
"""Greatest numbers that are distinguished; more of a kind on one tile count as these."""


@dataclass(frozen=True, slots=True)
class CountGroup:
    """The logits `first` to `first + size - 1` are over the numbers 0, 1, ... of one piece class on a tile."""

    kind: str
    first: int
    size: int

    @property
    def pooled_as(self) -> str:
        """The kind of piece whose `calibration.pool_weights` hold for it: meeples of all colours share one."""
        return "meeple" if self.kind in TRIBE_LETTERS else self.kind


_SIZES = dict.fromkeys(TRIBE_LETTERS, MAX_MEEPLES + 1) | {"camel": len(Colour) + 1}
_SIZES |= dict.fromkeys(("palm", "palace"), MAX_BUILDINGS + 1)

GROUPS: tuple[CountGroup, ...] = tuple(
    CountGroup(kind, end - _SIZES[kind], _SIZES[kind])
    for kind, end in zip(_SIZES, accumulate(_SIZES.values()), strict=True)
)
"""Meeples by colour, then the camel (0 none, then by colour in the order of `Colour`), palms and palaces."""

CAMEL_GROUP = next(number for number, group in enumerate(GROUPS) if group.kind == "camel")
"""The place of the camel among `GROUPS`."""

COUNT_LOGITS = sum(group.size for group in GROUPS)


def pieces_on(tile: Tile) -> list[str]:
    """The classes of all pieces on a tile, one for each."""
    names = [letter for letter, number in zip(TRIBE_LETTERS, tile.meeples, strict=True) for _ in range(number)]
    names += [tile.camel.letter] if tile.camel is not None else []
    return [*names, *["palm"] * tile.palms, *["palace"] * tile.palaces]


CountProbs = tuple[Float64, ...]
"""For each of `GROUPS` the distribution over its numbers on each tile, (30, size)."""

MIN_PROB = 1e-5
"""No number is ever impossible by the network's counting."""

MIN_DETECTION_PROB = 0.01
"""Least probability of a number that follows from the detections: one may be hidden, or two may look like one."""

_ALONG, _BACK = slice(None), slice(None, None, -1)
VIEWS = ((_ALONG, _ALONG, _ALONG), (_ALONG, _BACK, _BACK), (_ALONG, _ALONG, _BACK))
"""How a picture or heatmap (channels, rows, columns) is looked at: as it lies, half-turned, and mirrored; each undoes
itself."""

OUTPUTS = ("heat", "counts", "fine", "coarse")
"""What the network gives: see `PieceNetOutput` and `PieceFeatures`."""


@dataclass(frozen=True, slots=True)
class PieceDetection:
    """A piece seen: its class, where it stands in board coordinates (tile sides), and how probable."""

    kind: str
    x: float
    y: float
    probability: float

    @property
    def square(self) -> int:
        """The tile it stands on."""
        column = min(max(int(self.x), 0), COLUMNS - 1)
        row = min(max(int(self.y), 0), ROWS - 1)
        return row * COLUMNS + column

    @property
    def squares(self) -> tuple[tuple[int, float], ...]:
        """The tiles that it may stand on, each with its probability: its own, and the next one if the edge is near."""
        row, column = divmod(self.square, COLUMNS)
        beyond = [
            (distance, next_row * COLUMNS + next_column)
            for distance, next_row, next_column in (
                (self.x - column, row, column - 1),
                (column + 1 - self.x, row, column + 1),
                (self.y - row, row - 1, column),
                (row + 1 - self.y, row + 1, column),
            )
            if 0 <= next_row < ROWS and 0 <= next_column < COLUMNS
        ]
        distance, square = min(beyond)
        stray = 0.5 * math.erfc(max(distance, 0.0) / EDGE_BLUR_TILES / math.sqrt(2))
        if stray < MIN_STRAY:
            return ((self.square, 1.0),)
        return ((self.square, 1.0 - stray), (square, stray))


@dataclass(frozen=True, slots=True)
class PieceFeatures:
    """The piece network's features over the board, by which pieces are compared (`piece_embeddings`).

    `fine` (48, H, W) has `HEAT_STRIDE` px of the board a cell, `coarse` (112, H / 2, W / 2) twice as many.
    """

    fine: Float32
    coarse: Float32


@dataclass(frozen=True, slots=True)
class PieceNetOutput:
    """What the piece network makes of a board.

    `peaks` are those of the heatmaps of the pieces' feet, for each of `PIECE_CLASSES` (N, 3): x and y in cells, and the
    score; `counts` (30, `COUNT_LOGITS`) the probabilities of the numbers on each tile by square, laid out as `GROUPS`
    tell. `views` (views, 30, `COUNT_LOGITS`) are those of each look at the board, of which `counts` is the mean unless
    more became known since. `features` are the mean over the looks.
    """

    peaks: tuple[Points, ...]
    counts: Float32
    views: Float32 | None = None
    features: PieceFeatures | None = None

    @property
    def all_views(self) -> Float32:
        """The numbers counted in each look (views, 30, `COUNT_LOGITS`), with what became known since in all of them."""
        if self.views is None:
            return self.counts[None]
        since = np.maximum(self.counts, MIN_PROB) / np.maximum(self.views.mean(axis=0), MIN_PROB)
        return np.asarray(self.views * since, dtype=np.float32)


def run_piece_net(board: Picture) -> PieceNetOutput:
    """Where pieces stand on a rectified board, and how many, as the network sees it.

    The mean over all `VIEWS`: where they disagree it is honest about it.
    """
    picture = normalise(board)
    features: list[Float32] = []
    heatmaps, counts = [], []
    for view in VIEWS:
        heat, count_logits, *maps = forward("pieces", picture[view][None], OUTPUTS)
        heatmaps.append(sigmoid(heat[0])[view])
        # Features are large: their sum is kept, not those of every look.
        if not features:
            features = [part[0][view].copy() for part in maps]
        else:
            for total, part in zip(features, maps, strict=True):
                total += part[0][view]
        del maps
        # Each group of logits is a distribution of its own over the numbers 0, 1, ...
        groups = [softmax(count_logits[0][group.first : group.first + group.size], axis=0) for group in GROUPS]
        counts.append(np.concatenate(groups)[view])
    for total in features:
        total /= np.float32(len(VIEWS))
    feet = np.ascontiguousarray(np.mean(heatmaps, axis=0), dtype=np.float32)
    views = np.array(counts, dtype=np.float32).reshape(len(counts), COUNT_LOGITS, SQUARES).transpose(0, 2, 1)
    return PieceNetOutput(
        tuple(find_peaks(channel, MIN_SCORE) for channel in feet),
        np.ascontiguousarray(views.mean(axis=0)),
        np.ascontiguousarray(views),
        PieceFeatures(*features),
    )


@dataclass(frozen=True, slots=True)
class DetectedPieces:
    """The pieces on a board: the network's output, detections with calibrated probabilities, how many on each tile."""

    output: PieceNetOutput
    detections: tuple[PieceDetection, ...]
    counts: CountProbs


def calibrated_pieces(output: PieceNetOutput) -> DetectedPieces:
    """The pieces on a board, by what the network saw or by what is to be taken for it."""
    detections = [
        replace(one, probability=piece_probability(one.kind, one.probability)) for one in detect_pieces(output.peaks)
    ]
    pooled = pool_count_probs(count_probs(output.counts), detection_probs(detections), pool_weights())
    return DetectedPieces(output, tuple(detections), pooled)


def detect_pieces(peaks: Sequence[Points]) -> list[PieceDetection]:
    """Every piece seen on the board, likeliest first, with its score as probability; faint ones too.

    `peaks` are those of the heatmaps over the rectified board, as `PieceNetOutput` has them.
    """
    accepted: list[PieceDetection] = []
    for one in all_detections(peaks):
        # One foot is one piece: of several classes at one place, and of one class very near, the likeliest stays.
        if all(np.hypot(one.x - other.x, one.y - other.y) > min_distance(one, other) for other in accepted):
            accepted.append(one)
    return accepted


def all_detections(peaks: Sequence[Points]) -> list[PieceDetection]:
    """The same with every class that was seen at one place."""
    detections = []
    for kind, feet in zip(PIECE_CLASSES, peaks, strict=True):
        for x_cell, y_cell, score in feet:
            x, y = cells_to_board(x_cell, y_cell, HEAT_STRIDE)
            if -OFF_BOARD_TILES <= x <= COLUMNS + OFF_BOARD_TILES and -OFF_BOARD_TILES <= y <= ROWS + OFF_BOARD_TILES:
                detections.append(PieceDetection(kind, float(x), float(y), float(score)))
    return sorted(detections, key=lambda one: -one.probability)


def min_distance(one: PieceDetection, other: PieceDetection) -> float:
    """How far apart two detections must be, in tile sides, to be two pieces."""
    if one.kind != other.kind:
        return SAME_FOOT_TILES
    return fitted.LARGE_PIECE_TILES.get(one.kind, SAME_PIECE_TILES)


def count_probs(counts: Float32) -> CountProbs:
    """The distributions that the network found by counting; `counts` is (30, COUNT_LOGITS)."""
    wide = np.maximum(counts.astype(np.float64), MIN_PROB)
    return tuple(wide[:, group.first : group.first + group.size] for group in GROUPS)


def detection_probs(detections: Sequence[PieceDetection]) -> CountProbs:
    """The distributions that follow from the detections, each being there or not with its own probability.

    A detection near an edge counts for both tiles, for each as far as it may stand there.
    """
    there: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for detection in detections:
        for square, share in detection.squares:
            there[detection.kind, square].append(detection.probability * share)
    result = []
    for group in GROUPS:
        if group.kind == "camel":
            rows = [_camel([there[letter, square] for letter in CAMELS]) for square in range(SQUARES)]
        else:
            rows = [_number(group, there[group.kind, square]) for square in range(SQUARES)]
        result.append(np.maximum(np.array(rows), MIN_DETECTION_PROB))
    return tuple(result)


def _number(group: CountGroup, probabilities: Sequence[float]) -> Float64:
    """The distribution of how many pieces are there when each is there with its own probability (Poisson binomial)."""
    distribution = np.zeros(group.size)
    distribution[0] = 1.0
    for probability in probabilities:
        grown = distribution * (1 - probability)
        # One piece more in all that it may be added to; beyond the greatest number distinguished it stays that.
        grown[1:] += distribution[:-1] * probability
        grown[-1] += distribution[-1] * probability
        distribution = grown
    return distribution


def _camel(probabilities: Sequence[Sequence[float]]) -> Float64:
    """The distribution over no camel and each colour: at most one camel stands on a tile (rules 4.9)."""
    there = np.array([1 - np.prod([1 - one for one in colour]) for colour in probabilities])
    there = np.clip(there, 0.0, 1 - MIN_PROB)
    # Of all ways in which each may be there or not, those with one camel or none: their odds against none.
    odds = np.concatenate([[1.0], there / (1 - there)])
    return np.asarray(odds / odds.sum())


def pool_count_probs(
    counted: CountProbs, detected: CountProbs, weights: Mapping[str, tuple[float, float]]
) -> CountProbs:
    """Both as one log-linear pool. `weights` holds those of counting and of detection by kind of group."""
    return tuple(
        log_linear_pool((one, other), weights[group.pooled_as])
        for group, one, other in zip(GROUPS, counted, detected, strict=True)
    )
