"""Pieces compared with one another: those of one kind of one box look alike, whatever shape and paint the box has.

The piece network's own features, put through a projection, are points: near where two pieces are of one kind. Each
piece of a board is compared with all others, each of which counts as what the network takes it for. So a green thing
that differs from the other fifteen merchants is a palm.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.components import Colour, Tribe
from companion.vision import fitted
from companion.vision.board.pieces import (
    GROUPS,
    MIN_PROB,
    MIN_SCORE,
    PIECE_CLASSES,
    SAME_FOOT_TILES,
    PieceDetection,
    PieceFeatures,
    PieceNetOutput,
    detect_pieces,
    detection_probs,
)
from companion.vision.board.rectify import TILE_PX, board_to_cells
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import Float32, Float64, log_sum_exp, min_cost_assignment, safe_logit, sampled, softmax

TILE_MM = 64.0
"""Side of a tile with its share of the gaps."""

FEATURES_MM = (0.0, 8.0)
"""So far above a foot, in the photo, features are taken: of the foot, and of the body."""

UNSEEN = 0.02
"""Score of a class that the piece network sees nothing of at a place."""

NOTHING = len(PIECE_CLASSES)
"""The place of "no piece" behind those of `PIECE_CLASSES`."""

UNLABELLED = -1
"""In place of a class: a detection without a label."""

LABEL_WEIGHT = 2.0
"""A labelled detection counts as this many pieces."""

COUNT_DOUBT = 0.15
"""Share of the numbers counted that may be anything, where the detections have changed."""


@dataclass(frozen=True, slots=True)
class PieceComparison:
    """How pieces are compared, as it was fitted (`companion.lab.training.piece_embeddings`).

    `projection` (features, dimensions) makes points of features. A class's logit is `slope` times that of its score,
    its `bias` (12,), and `power` times the logarithm of how densely pieces of the class lie around. Beside them,
    `prior` pieces of every class lie where density is `unlike`.
    """

    projection: Float32
    slope: float
    bias: Float64
    power: float
    prior: float
    unlike: float


@cache
def fitted_comparison() -> PieceComparison:
    """What `weights/piece_embeddings.json` holds."""
    stored = json.loads((files("companion.vision") / "weights" / "piece_embeddings.json").read_text(encoding="utf-8"))
    return PieceComparison(
        np.array(stored["projection"], dtype=np.float32),
        bias=np.array(stored["bias"], dtype=np.float64),
        **{name: float(stored[name]) for name in SCALARS},
    )


SCALARS = ("slope", "power", "prior", "unlike")
"""The single numbers of a `PieceComparison`, by their names in the file."""


def upward(homography: Float64, x: float, y: float) -> tuple[float, float]:
    """The direction on the board, of length 1, that is straight up in the photo: there a piece's body is seen.

    `homography` maps board coordinates to px of the photo.
    """
    at = homography @ (x, y, 1.0)
    above = np.linalg.inv(homography) @ (at[0], at[1] - at[2], at[2])
    dx, dy = above[:2] / above[2] - (x, y)
    length = float(np.hypot(dx, dy))
    return float(dx) / length, float(dy) / length


def place_features(features: PieceFeatures, feet: Float64, up: Float64) -> Float32:
    """The features (N, 320) of pieces whose `feet` (N, 2) are in board coordinates; `up` (N, 2) as by `upward`."""
    parts = []
    for above_mm in FEATURES_MM:
        x, y = (feet + up * (above_mm / TILE_MM)).T
        for maps, stride in ((features.fine, HEAT_STRIDE), (features.coarse, 2 * HEAT_STRIDE)):
            parts.append(sampled(maps, *board_to_cells(x, y, stride)))  # type: ignore[arg-type]
    return np.concatenate(parts, axis=1)


def class_scores(output: PieceNetOutput, seen: Sequence[PieceDetection]) -> Float64:
    """The scores (N, 11) of each class where detections are, as the piece network gave them."""
    cells = np.array([board_to_cells(one.x, one.y, HEAT_STRIDE) for one in seen]).reshape(-1, 2)
    reach = SAME_FOOT_TILES * TILE_PX / HEAT_STRIDE
    scores = np.full((len(seen), len(PIECE_CLASSES)), UNSEEN)
    for place, peaks in enumerate(output.peaks):
        if len(peaks):
            near = np.hypot(cells[:, None, 0] - peaks[None, :, 0], cells[:, None, 1] - peaks[None, :, 1]) <= reach
            scores[:, place] = np.maximum(UNSEEN, np.where(near, peaks[None, :, 2], 0.0).max(axis=1))
    return scores


def class_logits(scores: Float64, comparison: PieceComparison) -> Float64:
    """Logits (N, 12) of what stands at places, of `PIECE_CLASSES` and nothing, by scores (N, 11) alone.

    At most one piece stands at a place, so that its classes exclude one another.
    """
    logits = np.array([[safe_logit(float(score)) for score in row] for row in scores]).reshape(-1, NOTHING)
    return comparison.slope * np.pad(logits, ((0, 0), (0, 1))) + comparison.bias


def compared_logits(
    logits: Float64, points: Float64, comparison: PieceComparison, labels: NDArray[np.int64]
) -> Float64:
    """The logits (N, 12) of pieces with what they look like: `points` are theirs, `logits` those by score alone.

    A kernel density for each class over the board's other pieces, each in parts of what it may be. `labels` (N,)
    are the classes that a person gave, and `UNLABELLED`.
    """
    beliefs = softmax(logits, axis=1)
    beliefs[labels != UNLABELLED] = LABEL_WEIGHT * np.eye(NOTHING + 1)[labels[labels != UNLABELLED]]
    nearness = np.exp(-((points[:, None] - points[None]) ** 2).sum(axis=2))
    np.fill_diagonal(nearness, 0.0)
    similar, number = nearness @ beliefs, beliefs.sum(axis=0) - beliefs
    density = np.log((similar + comparison.prior * comparison.unlike) / (number + comparison.prior))
    return np.asarray(logits + comparison.power * (density - log_sum_exp(density, axis=1)[:, None]))


def doubt_in_circle(logits: Float64, seen: Sequence[PieceDetection]) -> None:
    """Let builders in a tile's circle for the camel be blue camels as well, by changing their logits (N, 12)."""
    builder, camel = PIECE_CLASSES.index(Tribe.BUILDER.letter), PIECE_CLASSES.index(Colour.BLUE.letter)
    for row, one in zip(logits, seen, strict=True):
        if math.hypot(one.x % 1 - fitted.CAMEL_SPOT[0], one.y % 1 - fitted.CAMEL_SPOT[1]) < fitted.SPOT_TILES:
            row[camel] = max(row[camel], row[builder] - fitted.BLUE_IN_SPOT)


def compared(output: PieceNetOutput, homography: Float64) -> PieceNetOutput:
    """What the piece network saw on an upright rectified board, as its pieces make it likelier of one another.

    `homography` maps the board's coordinates to px of the photo. Scores become probabilities; numbers counted change as
    far as the detections on their tile do.
    """
    pieces = pieces_to_compare(output, homography)
    return output if pieces is None else pieces.compared()


@dataclass(frozen=True, slots=True)
class PiecesToCompare:
    """A board's pieces, to be compared with one another; and once more when a person corrects tiles.

    `output` is what the piece network saw, `seen` the detections in it, with their `points` (N, dimensions) and their
    `logits` (N, 12) by score alone.
    """

    output: PieceNetOutput
    seen: tuple[PieceDetection, ...]
    points: Float64
    logits: Float64

    def compared(self, corrections: Mapping[int, Sequence[int]] | None = None) -> PieceNetOutput:
        """What the network saw, as the pieces make it likelier of one another.

        `corrections` are the pieces on corrected tiles, by square, as places in `PIECE_CLASSES`.
        """
        comparison = fitted_comparison()
        known = _labelled_classes(self.seen, self.logits, corrections or {})
        logits = compared_logits(self.logits, self.points, comparison, known)
        doubt_in_circle(logits, self.seen)
        before, after = softmax(self.logits, axis=1), softmax(logits, axis=1)
        after[known != UNLABELLED] = np.eye(NOTHING + 1)[known[known != UNLABELLED]]
        peaks = []
        for place in range(len(PIECE_CLASSES)):
            scored = [
                (*board_to_cells(one.x, one.y, HEAT_STRIDE), float(probs[place]))
                for one, probs in zip(self.seen, after, strict=True)
                if probs[place] >= MIN_SCORE
            ]
            points = np.array(scored, dtype=np.float64).reshape(-1, 3)
            peaks.append(points[np.argsort(-points[:, 2], kind="stable")])
        counts = _recounted(self.output.counts, self.seen, before, after)
        return replace(self.output, peaks=tuple(peaks), counts=counts)


def pieces_to_compare(output: PieceNetOutput, homography: Float64) -> PiecesToCompare | None:
    """The pieces of a board that can be compared, as in `compared`; None if there are none."""
    seen = detect_pieces(output.peaks)
    if not seen or output.features is None:
        return None
    comparison = fitted_comparison()
    feet = np.array([(one.x, one.y) for one in seen])
    up = np.array([upward(homography, one.x, one.y) for one in seen])
    points = (place_features(output.features, feet, up) @ comparison.projection).astype(np.float64)
    logits = class_logits(class_scores(output, seen), comparison)
    # Features are large, and what is needed of them are the points.
    return PiecesToCompare(replace(output, features=None), tuple(seen), points, logits)


def _labelled_classes(
    seen: Sequence[PieceDetection], logits: Float64, corrections: Mapping[int, Sequence[int]]
) -> NDArray[np.int64]:
    """The class (N,) of each detection on a corrected tile: each of the pieces there once, or nothing.

    One near the edge of its tile may be the next tile's, and is `UNLABELLED` where it is none of those.
    """
    classes = np.full(len(seen), UNLABELLED)
    for square, standing in corrections.items():
        here = [number for number, one in enumerate(seen) if one.square == square]
        # Each piece is one of the detections; the others are nothing.
        size = max(len(here), len(standing))
        costs = np.zeros((size, size))
        for row, number in enumerate(here):
            nothing = logits[number, NOTHING]
            costs[row, : len(standing)] = [nothing - logits[number, place] for place in standing]
        for row, column in enumerate(min_cost_assignment(costs)):
            if row < len(here) and column < len(standing):
                classes[here[row]] = standing[column]
            elif row < len(here) and len(seen[here[row]].squares) == 1:
                classes[here[row]] = NOTHING
    return classes


def _recounted(counts: Float32, seen: Sequence[PieceDetection], before: Float64, after: Float64) -> Float32:
    """The numbers counted (30, COUNT_LOGITS), in parts of how much likelier the detections have become to make them."""
    first, second = (
        detection_probs(
            [
                PieceDetection(kind, one.x, one.y, float(probs[place]))
                for one, probs in zip(seen, table, strict=True)
                for place, kind in enumerate(PIECE_CLASSES)
            ]
        )
        for table in (before, after)
    )
    result = counts.astype(np.float64)
    for group, old, new in zip(GROUPS, first, second, strict=True):
        span = slice(group.first, group.first + group.size)
        # A number counted is doubted where the detections have changed.
        moved = 0.5 * np.abs(new / new.sum(axis=1, keepdims=True) - old / old.sum(axis=1, keepdims=True)).sum(axis=1)
        doubt = COUNT_DOUBT * moved[:, None]
        counted = (1 - doubt) * np.maximum(result[:, span], MIN_PROB) + doubt / group.size
        changed = counted * (new / old)
        result[:, span] = changed / changed.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(result, dtype=np.float32)
