"""Fit how far the reader's scores can be trusted, on rendered photos held out of training."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit

from companion.errors import PhotoError
from companion.lab.training.batches import count_classes, true_counts
from companion.lab.training.dataset import Example, load_example
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.board.constraints import infer_contents
from companion.vision.board.pieces import (
    GROUPS,
    PIECE_CLASSES,
    PieceDetection,
    count_probs,
    detect_pieces,
    detection_probs,
    pool_count_probs,
    run_piece_net,
)
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import (
    HALF_TURN,
    KINDS,
    TileClassification,
    assign_tiles,
    recognise_tiles,
)
from companion.vision.load import Picture
from companion.vision.locate.lattice import find_lattice
from companion.vision.numerics import Float32, platt_scale, project

SAME_FOOT_TILES = 0.12
PRIOR_PRECISION = 2.0
"""Of the Gaussian prior on slope and offset, around 1 and 0: a few examples must not bend the curve."""

CLIPPED_SCORE = 1e-6
"""Scores nearer to 0 or 1 are taken for this: their logits would be infinite."""

MIN_CHANCE = 1e-9
"""A score that said the opposite with certainty counts as this chance, or the log loss would be infinite."""

Pairs = list[tuple[float, bool]]
"""Scores (0 to 1), and whether what they were given for is so."""


def fit_platt(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Platt scaling: the slope and offset on the logit scale that make scores the probabilities that they should be.

    The maximum of the posterior: the likelihood of the pairs times a prior of `PRIOR_PRECISION` around leaving the
    scores as they are.
    """
    scores = np.clip(np.array([score for score, _ in pairs]), CLIPPED_SCORE, 1 - CLIPPED_SCORE)
    right = np.array([float(ok) for _, ok in pairs])
    inputs = np.stack([logit(scores), np.ones_like(scores)], axis=1)
    unchanged = np.array([1.0, 0.0])

    def nll_and_gradient(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = inputs @ parameters
        away = parameters - unchanged
        # log(1 + e^x) - x where right: the log loss without ever taking the logarithm of a rounded 0.
        nll = (np.logaddexp(0, logits) - right * logits).sum() + PRIOR_PRECISION / 2 * (away @ away)
        return float(nll), inputs.T @ (expit(logits) - right) + PRIOR_PRECISION * away

    slope, offset = minimize(nll_and_gradient, unchanged, jac=True, method="BFGS").x
    return round(float(slope), 4), round(float(offset), 4)


def _half_turned(example: Example) -> Example:
    """The same photo with its truth for the board turned by 180 degrees."""
    feet = example.feet.copy()
    feet[:, 1:3] = (COLUMNS, ROWS) - feet[:, 1:3]
    return replace(
        example,
        homography=example.homography @ HALF_TURN,
        feet=feet,
        squares=np.where(example.squares < 0, -1, SQUARES - 1 - example.squares),
        kinds=example.kinds[::-1].copy(),
        turns=((example.turns + 2) % 4)[::-1].copy(),
    )


def _locate(
    example: Example,
) -> tuple[Example, NDArray[np.float64], Picture, NDArray[np.float64]] | None:
    """The lattice found in an example's photo: (truth the same way round, homography, board, tiles).

    None if it is not found, or elsewhere than it lies. Boards whose tiles are turned by quarters have no
    right way up: both count.
    """
    picture = example.picture
    try:
        homography = find_lattice(picture).homography
        board = recognise_tiles(rectify(picture, homography), homography)
    except PhotoError:
        return None
    ends = np.array([(0.5, 0.5), (5.5, 4.5)])
    for truth in (example, _half_turned(example)):
        if np.abs(project(np.linalg.inv(board.homography) @ truth.homography, ends) - ends).max() < 0.4:
            return truth, board.homography, board.picture, board.probabilities
    return None


@dataclass(frozen=True, slots=True)
class PhotoOutputs:
    """What the networks made of one photo, and the truth.

    `feet` with their heat as probability and `hits`, whether each is a piece of its class; `counts`
    (30, COUNT_LOGITS); `sights` the tiles; `kinds` and `true` the right kinds (30,) and pieces (30, 11).
    """

    feet: tuple[PieceDetection, ...]
    hits: tuple[bool, ...]
    counts: Float32
    sights: tuple[TileClassification, ...]
    kinds: NDArray[np.int64]
    true: NDArray[np.int64]


def run_networks(example: Example) -> PhotoOutputs | None:
    """Read an example as far as the networks go; None if its sultanate is not found."""
    located = _locate(example)
    if located is None:
        return None
    example, homography, board, probabilities = located
    seen = run_piece_net(board)
    true = project(np.linalg.inv(homography) @ example.homography, example.feet[:, 1:3])
    free = np.ones(len(true), dtype=bool)
    feet, hits = detect_pieces(seen.peaks), []
    for foot in feet:
        same = free & (example.feet[:, 0] == PIECE_CLASSES.index(foot.kind))
        distances = np.where(same, np.hypot(true[:, 0] - foot.x, true[:, 1] - foot.y), np.inf)
        hit = len(true) > 0 and bool(distances.min() < SAME_FOOT_TILES)
        if hit:
            free[int(distances.argmin())] = False
        hits.append(hit)
    return PhotoOutputs(
        tuple(feet), tuple(hits), seen.counts, tuple(assign_tiles(probabilities)), example.kinds, true_counts(example)
    )


def fit_pool_weights(
    seen: Sequence[PhotoOutputs], curves: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The weights of `pieces.pool_count_probs` that make the true numbers likeliest, by kind of piece."""
    by_counts = [count_probs(one.counts) for one in seen]
    by_detections = [detection_probs(_calibrated(one.feet, curves)) for one in seen]
    result = {}
    for kind in dict.fromkeys(group.pooled_as for group in GROUPS):
        pairs = []
        for number in (number for number, group in enumerate(GROUPS) if group.pooled_as == kind):
            right = np.concatenate([count_classes(one.true)[number].ravel() for one in seen]).astype(int)
            pairs.append(
                (
                    np.log(np.concatenate([probabilities[number] for probabilities in by_counts])),
                    np.log(np.concatenate([probabilities[number] for probabilities in by_detections])),
                    right,
                )
            )
        result[f"pool {kind}"] = _best_pool_weights(pairs)
    return result


def _best_pool_weights(
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]],
) -> tuple[float, float]:
    """The two weights, 0 or more, of least negative log-likelihood.

    `pairs` are (log probabilities by counts, the same by detections, right classes), a row a tile.
    """

    def nll(weights: NDArray[np.float64]) -> float:
        total = 0.0
        for by_counts, by_detections, right in pairs:
            logits = weights[0] * by_counts + weights[1] * by_detections
            total -= float(log_softmax(logits, axis=1)[np.arange(len(right)), right].sum())
        return total

    # The pool's likelihood is concave in its weights: any start leads to the one best.
    best = minimize(nll, np.array([0.6, 0.4]), method="L-BFGS-B", bounds=[(0, None), (0, None)]).x
    return round(float(best[0]), 4), round(float(best[1]), 4)


def _calibrated(feet: Sequence[PieceDetection], curves: Mapping[str, tuple[float, float]]) -> list[PieceDetection]:
    return [
        PieceDetection(foot.kind, foot.x, foot.y, platt_scale(foot.probability, curves[foot.kind])) for foot in feet
    ]


def whole_pairs(seen: Sequence[PhotoOutputs], curves: Mapping[str, tuple[float, float]]) -> Pairs:
    """(confidence, right) of every tile as a whole, before it is calibrated as a whole."""
    weights = {kind.removeprefix("pool "): value for kind, value in curves.items() if kind.startswith("pool ")}
    pairs: Pairs = []
    for one in seen:
        probs = pool_count_probs(count_probs(one.counts), detection_probs(_calibrated(one.feet, curves)), weights)
        tallies = infer_contents(probs, [sight.kind for sight in one.sights])
        right = count_classes(one.true).reshape(len(GROUPS), -1).astype(int)
        for square, (sight, tally) in enumerate(zip(one.sights, tallies, strict=True)):
            kind_right = KINDS.index(sight.kind) == one.kinds[square]
            pairs.append(
                (
                    platt_scale(sight.probability, curves["tile"]) * tally.probability,
                    bool(kind_right and tally.numbers == tuple(right[:, square].tolist())),
                )
            )
    return pairs


def fit_all(paths: Sequence[Path], say: Callable[[str], None]) -> dict[str, tuple[float, float]]:
    """All of the reader's curves, from stored examples that no network was trained on.

    The curve of whole tiles is fitted on photos that the curves of the parts were not.
    """
    outputs = [run_networks(load_example(path)) for path in paths]
    seen = [one for one in outputs if one is not None]
    say(f"{len(seen)} of {len(outputs)} boards found")
    even, odd = seen[::2], seen[1::2]
    curves = {
        name: fit_platt(
            [
                (foot.probability, hit)
                for one in even
                for foot, hit in zip(one.feet, one.hits, strict=True)
                if foot.kind == name
            ]
        )
        for name in PIECE_CLASSES
    }
    curves["tile"] = fit_platt(
        [
            (sight.probability, KINDS.index(sight.kind) == one.kinds[square])
            for one in even
            for square, sight in enumerate(one.sights)
        ]
    )
    curves |= fit_pool_weights(even, curves)
    whole = whole_pairs(odd, curves)
    curves["whole"] = fit_platt(whole)
    say(f"{len(whole)} whole tiles, {sum(right for _, right in whole)} right, log loss {log_loss(whole):.4f}")
    return curves


def write_calibration(target: Path, curves: dict[str, tuple[float, float]]) -> None:
    """Write the curves as the JSON file that the reader loads."""
    lines = [f" {json.dumps(name)}: {json.dumps(list(values))}" for name, values in curves.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    """Mean negative log-likelihood of the scores, in nats: smaller is better."""
    return sum(-math.log(max(score if ok else 1 - score, MIN_CHANCE)) for score, ok in pairs) / max(len(pairs), 1)
