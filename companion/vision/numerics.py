"""The arithmetic that all stages of the reader share: probabilities, homographies, peaks, the assignment problem."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
"""What networks take and give."""

Float64 = NDArray[np.float64]
"""What is reckoned with."""

GreyImage = NDArray[np.uint8]
"""A picture without colour: (height, width), 8 bits."""

Points = NDArray[np.float64]
"""Points as (N, 2), x before y."""

MIN_SCORE = 1e-6
"""Scores are kept so far from 0 and 1 before their logit is taken, which is infinite there."""


def project(homography: Float64, points: Points) -> Points:
    """Where a homography (3, 3) moves points (N, 2)."""
    mapped = np.hstack([points, np.ones((len(points), 1))]) @ homography.T
    # A point on the horizon of a guess that is wrong lies nowhere.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mapped[:, :2] / mapped[:, 2:3])


def scaled_and_moved(scale: float, x: float = 0.0, y: float = 0.0) -> Float64:
    """The homography that makes everything that many times larger, from (0, 0) on, and then moves it by (x, y)."""
    return np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]], dtype=np.float64)


def scaled_down(picture: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """The picture made smaller by averaging; as it is at a scale of 1 or more."""
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def cross(one: Float64, other: Float64) -> float:
    """How far one direction (x, y) is from another: the sine of the angle times both lengths."""
    return float(one[0] * other[1] - one[1] * other[0])


def brightest_channel(picture: NDArray[np.uint8]) -> GreyImage:
    """The highest of the three channels at each pixel of a picture (H, W, 3)."""
    # Two maxima of whole channels take a twentieth of the time of one along the short last axis.
    return np.maximum(np.maximum(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2])


def darkest_channel(picture: NDArray[np.uint8]) -> GreyImage:
    """The lowest of the three channels at each pixel of a picture (H, W, 3)."""
    return np.minimum(np.minimum(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2])


def percentile(values: NDArray[np.generic], share: float, axis: int) -> Float64:
    """What that many hundredths of values lie below, along an axis, between two of them as far as need be.

    NumPy's own loads its masked arrays for it, which takes as long as all else that it loads.
    """
    place = share / 100 * (values.shape[axis] - 1)
    low = int(place)
    high = min(low + 1, values.shape[axis] - 1)
    ordered = np.partition(values, (low, high), axis=axis)
    below, above = (np.take(ordered, rank, axis=axis).astype(np.float64) for rank in (low, high))
    return np.asarray(below + (place - low) * (above - below))


def softmax(logits: Float64, axis: int = -1) -> Float64:
    """Probabilities along an axis that are proportional to the exponentials of logits; dtype as given."""
    # Only differences count: with the largest logit at 0 no exponential overflows.
    exponentials = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=axis, keepdims=True))


def log_sum_exp(logits: Float64, axis: int = -1) -> Float64:
    """The logarithm of the sum of the exponentials of logits along an axis."""
    most = logits.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(logits - most).sum(axis=axis)) + most.squeeze(axis))


def sigmoid(logits: Float32) -> Float32:
    """Independent probabilities from logits of any shape."""
    return (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)


def log_linear_pool(distributions: Sequence[Float64], weights: Sequence[float]) -> Float64:
    """Several opinions on the same rows of probabilities (N, size) as one: the product of their powers, normalised.

    `weights` are the powers: 1 believes an opinion as it is, 0 ignores it. All probabilities must be above 0.
    """
    logits = sum(weight * np.log(one) for weight, one in zip(weights, distributions, strict=True))
    return softmax(np.asarray(logits), axis=1)


def platt_scale(score: float, curve: tuple[float, float]) -> float:
    """The probability that a score (0 to 1) means by a curve: slope and offset on the logit scale (Platt scaling)."""
    slope, offset = curve
    return 1 / (1 + math.exp(-(slope * safe_logit(score) + offset)))


def safe_logit(score: float) -> float:
    """The logit of a score (0 to 1), finite for 0 and 1 too."""
    clipped = min(max(score, MIN_SCORE), 1 - MIN_SCORE)
    return math.log(clipped / (1 - clipped))


def find_peaks(heatmap: Float32, threshold: float) -> Points:
    """Local maxima of a heatmap as (N, 3): x and y in cells, subpixel, and the score; highest first."""
    # A cell is a maximum where dilation by its eight neighbours leaves it as it is.
    dilated = cv2.dilate(heatmap, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heatmap >= dilated) & (heatmap >= threshold))
    padded = np.pad(heatmap, 1, mode="edge").astype(np.float64)
    peaks = np.empty((len(rows), 3))
    for index, (row, column) in enumerate(zip(rows, columns, strict=True)):
        window = padded[row : row + 3, column : column + 3]
        weight = window.sum()
        # The centre of mass of the 3 x 3 cells around gives where between the cells the peak lies.
        peaks[index] = (
            column + (window[:, 2].sum() - window[:, 0].sum()) / weight,
            row + (window[2].sum() - window[0].sum()) / weight,
            heatmap[row, column],
        )
    return peaks[np.argsort(-peaks[:, 2], kind="stable")]


def sampled(maps: Float32, x: Float64, y: Float64) -> Float32:
    """Maps (C, H, W) between their cells, bilinear, at places x and y (N,) in cells: (N, C). Outside, at the edge."""
    height, width = maps.shape[1:]
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    left, top = np.minimum(x.astype(int), width - 2), np.minimum(y.astype(int), height - 2)
    across, down = x - left, y - top
    corners = (
        ((1 - across) * (1 - down), maps[:, top, left]),
        (across * (1 - down), maps[:, top, left + 1]),
        ((1 - across) * down, maps[:, top + 1, left]),
        (across * down, maps[:, top + 1, left + 1]),
    )
    return np.asarray(sum(weight * values for weight, values in corners).T, dtype=np.float32)


def centred(features: Float32) -> Float32:
    """Features (N, F) about their mean, each of length 1: what all tiles of a printing share identifies none."""
    about = features - features.mean(axis=0)
    return np.asarray(about / np.maximum(np.linalg.norm(about, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def min_cost_assignment(costs: Float64) -> list[int]:
    """For each row of a square matrix the column it is given, each column once, at least total cost.

    The Hungarian method with potentials. SciPy has the same as `linear_sum_assignment`, at forty megabytes: too much
    for thirty rows.
    """
    size = len(costs)
    row_potential = np.zeros(size + 1)
    column_potential = np.zeros(size + 1)
    row_of = np.zeros(size + 1, dtype=int)
    came_from = np.zeros(size + 1, dtype=int)
    # Rows and columns count from 1; column 0 holds the row that is being added. Each row is added along the cheapest
    # alternating path to a free column, found as by Dijkstra on reduced costs, which the potentials keep from falling
    # below 0.
    for row in range(1, size + 1):
        row_of[0] = row
        slack = np.full(size + 1, np.inf)
        visited = np.zeros(size + 1, dtype=bool)
        column = 0
        while row_of[column]:
            visited[column] = True
            here = row_of[column]
            reduced = costs[here - 1] - row_potential[here] - column_potential[1:]
            better = ~visited[1:] & (reduced < slack[1:])
            slack[1:][better] = reduced[better]
            came_from[1:][better] = column
            nearest = int(np.where(visited, np.inf, slack)[1:].argmin()) + 1
            step = slack[nearest]
            row_potential[row_of[visited]] += step
            column_potential[visited] -= step
            slack[~visited] -= step
            column = nearest
        while column:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    chosen = [0] * size
    for column in range(1, size + 1):
        chosen[row_of[column] - 1] = column - 1
    return chosen
