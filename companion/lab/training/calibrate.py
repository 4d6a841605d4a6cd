"""Fit how far the reader's scores can be trusted, on rendered photos held out of training."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit

from companion.errors import PhotoError, UnusableInputError
from companion.lab.training.batches import right_numbers, true_counts
from companion.lab.training.dataset import Example, load_example
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.board.calibration import CHANGE, board_mean_logit, printing_mean_logits, tile_probabilities
from companion.vision.board.constraints import infer_contents
from companion.vision.board.contents_hypotheses import CHANGES, TileFeatures, change_between, ranked, tile_features
from companion.vision.board.piece_embeddings import compared
from companion.vision.board.pieces import (
    GROUPS,
    PIECE_CLASSES,
    PieceDetection,
    PieceNetOutput,
    count_probs,
    detect_pieces,
    detection_probs,
    pool_count_probs,
    run_piece_net,
)
from companion.vision.board.rectify import rectify
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import TileClassification, assign_tiles, recognise_tiles
from companion.vision.load import Picture
from companion.vision.locate.grid import HALF_TURN
from companion.vision.locate.lattice import find_lattice
from companion.vision.numerics import platt_scale, project, safe_logit

SAME_FOOT_TILES = 0.12
PRIOR_PRECISION = 2.0
"""Of the Gaussian prior on slope and offset, around 1 and 0: a few examples must not bend the curve."""

CLIPPED_SCORE = 1e-6
"""Scores nearer to 0 or 1 are taken for this: their logits would be infinite."""

UNFITTED_JOINT = (0.5, 0.8, 0.0)
"""Weights of what speaks for a tile's contents where there is nothing to go by (`contents_hypotheses.TileFeatures`)."""

Cases = list[tuple[float, float, bool]]
"""Of tiles: how sure before it is calibrated, how clear its printing or its board, whether it is right."""


def fit_platt(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Platt scaling: the slope and offset on the logit scale that make scores the probabilities that they should be.

    The maximum of the posterior: the likelihood of the pairs times a prior of `PRIOR_PRECISION` around leaving the
    scores as they are.
    """
    scores = np.clip(np.array([score for score, _ in pairs]), CLIPPED_SCORE, 1 - CLIPPED_SCORE)
    inputs = np.stack([logit(scores), np.ones_like(scores)], axis=1)
    slope, offset = _fit_logistic(inputs, [ok for _, ok in pairs])
    return slope, offset


def fit_clearness(cases: Cases) -> tuple[float, ...]:
    """Slope, offset and weight of the mean_logit that make confidences hold (`whole_probability`, and of kinds)."""
    inputs = np.array([(safe_logit(sure), 1.0, mean_logit) for sure, mean_logit, _ in cases]).reshape(-1, 3)
    return _fit_logistic(inputs, [ok for _, _, ok in cases])


def _fit_logistic(inputs: NDArray[np.float64], oks: Sequence[bool]) -> tuple[float, ...]:
    """The likeliest weights of inputs (n, k), drawn to leaving the first, a logit, as it is."""
    right, unchanged = np.array(oks, dtype=np.float64), np.eye(inputs.shape[1])[0]

    def nll_and_gradient(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = inputs @ parameters
        away = parameters - unchanged
        # log(1 + e^x) - x where right: the log loss without ever taking the logarithm of a rounded 0.
        nll = (np.logaddexp(0, logits) - right * logits).sum() + PRIOR_PRECISION / 2 * (away @ away)
        return float(nll), inputs.T @ (expit(logits) - right) + PRIOR_PRECISION * away

    best = minimize(nll_and_gradient, unchanged, jac=True, method="BFGS").x
    return tuple(round(float(value), 4) for value in best)


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


def _locate(example: Example) -> tuple[Example, NDArray[np.float64], Picture, NDArray[np.float64]] | None:
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

    `feet` with their heat as probability and `hits`, whether each is a piece of its class; `output` of the piece
    network; `sights` the tiles; `kinds` (30,) and `numbers` (30, groups) of `pieces.GROUPS` are the right ones.
    """

    feet: tuple[PieceDetection, ...]
    hits: tuple[bool, ...]
    output: PieceNetOutput
    sights: tuple[TileClassification, ...]
    kinds: NDArray[np.int64]
    numbers: NDArray[np.int64]


def run_networks(example: Example) -> PhotoOutputs | None:
    """Read an example as far as the networks go; None if its sultanate is not found."""
    located = _locate(example)
    if located is None:
        return None
    example, homography, board, probabilities = located
    seen = compared(run_piece_net(board), homography)
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
    numbers = right_numbers(true_counts(example))
    return PhotoOutputs(tuple(feet), tuple(hits), seen, tuple(assign_tiles(probabilities)), example.kinds, numbers)


def fit_pool_weights(
    seen: Sequence[PhotoOutputs], curves: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The weights of `pieces.pool_count_probs` that make the true numbers likeliest, by kind of piece."""
    by_counts = [count_probs(one.output.counts) for one in seen]
    by_detections = [detection_probs(_calibrated(one.feet, curves)) for one in seen]
    result = {}
    for kind in dict.fromkeys(group.pooled_as for group in GROUPS):
        pairs = []
        for number in (number for number, group in enumerate(GROUPS) if group.pooled_as == kind):
            counted, detected = (
                np.log(np.concatenate([one[number] for one in by])) for by in (by_counts, by_detections)
            )
            pairs.append((counted, detected, np.concatenate([one.numbers[:, number] for one in seen])))
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


def fit_contents(tiles: Sequence[Sequence[TileFeatures]], seen: Sequence[PhotoOutputs]) -> tuple[float, ...]:
    """The weights that make the true contents likeliest among all that were looked at (a conditional logit)."""
    cases = []
    for photo, one in zip(tiles, seen, strict=True):
        for tile, true in zip(photo, one.numbers, strict=True):
            right = np.flatnonzero((tile.numbers == true).all(axis=1))
            if len(right):
                cases.append((tile.features, int(right[0])))
    return _fit_choice(cases, np.array(UNFITTED_JOINT))


def fit_changes(
    tiles: Sequence[Sequence[TileFeatures]], seen: Sequence[PhotoOutputs], weights: tuple[float, ...]
) -> Mapping[str, tuple[float, ...]]:
    """How the other readings of a tile are best ranked, on the tiles whose likeliest contents are wrong."""
    cases = []
    for photo, one in zip(tiles, seen, strict=True):
        for tile, true in zip(photo, one.numbers, strict=True):
            hypotheses = ranked(tile.numbers, tile.features @ np.array(weights))
            right = np.flatnonzero((hypotheses.numbers[1:] == true).all(axis=1))
            if len(right):
                features = np.zeros((len(hypotheses.numbers) - 1, 1 + len(CHANGES)))
                features[:, 0] = hypotheses.log_probs[1:]
                for place, row in enumerate(features, 1):
                    row[1 + CHANGES.index(change_between(hypotheses.as_numbers(0), hypotheses.as_numbers(place)))] = 1.0
                cases.append((features, int(right[0])))
    slope, *by_change = _fit_choice(cases, np.array([1.0] + [0.0] * len(CHANGES)))
    return {"others": (slope,)} | {CHANGE + name: (nats,) for name, nats in zip(CHANGES, by_change, strict=True)}


def _fit_choice(cases: Sequence[tuple[NDArray[np.float64], int]], unfitted: NDArray[np.float64]) -> tuple[float, ...]:
    """The weights of features (N, features) under which the right one of N is likeliest, drawn to the unfitted ones."""

    def nll_and_gradient(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        away = weights - unfitted
        nll, gradient = PRIOR_PRECISION / 2 * float(away @ away), PRIOR_PRECISION * away
        for features, right in cases:
            logs = log_softmax(features @ weights)
            nll -= float(logs[right])
            gradient = gradient + np.exp(logs) @ features - features[right]
        return nll, gradient

    best = minimize(nll_and_gradient, unfitted, jac=True, method="L-BFGS-B").x
    return tuple(round(float(weight), 4) for weight in best)


def kind_cases(one: PhotoOutputs) -> Cases:
    """Every tile's kind, before it is calibrated."""
    scores = [sight.probability for sight in one.sights]
    rights = [KINDS.index(sight.kind) == kind for sight, kind in zip(one.sights, one.kinds, strict=True)]
    return list(zip(scores, printing_mean_logits(scores), rights, strict=True))


def whole_cases(
    tiles: Sequence[Sequence[TileFeatures]], seen: Sequence[PhotoOutputs], curves: Mapping[str, tuple[float, ...]]
) -> Cases:
    """Every tile as a whole, before it is calibrated as a whole."""
    weights = {
        name.removeprefix("pool "): curve for name, curve in pairs_of(curves).items() if name.startswith("pool ")
    }
    cases: Cases = []
    for photo, one in zip(tiles, seen, strict=True):
        probs = pool_count_probs(
            count_probs(one.output.counts), detection_probs(_calibrated(one.feet, pairs_of(curves))), weights
        )
        hypotheses = [ranked(tile.numbers, tile.features @ np.array(curves["contents"])) for tile in photo]
        contents = infer_contents(probs, [sight.kind for sight in one.sights], hypotheses)
        scores = [sight.probability for sight in one.sights]
        kinds = tile_probabilities(scores, printing_mean_logits(scores), curves["tile"])
        sure = [known * tally.probability for known, tally in zip(kinds, contents, strict=True)]
        mean_logit = board_mean_logit(sure)
        for square, (sight, tally) in enumerate(zip(one.sights, contents, strict=True)):
            kind_right = KINDS.index(sight.kind) == one.kinds[square]
            numbers_right = tally.numbers == tuple(one.numbers[square].tolist())
            cases.append((sure[square], mean_logit, bool(kind_right and numbers_right)))
    return cases


def pairs_of(curves: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, float]]:
    """Those of the fitted values that are pairs: curves, and weights of pools."""
    return {name: (value[0], value[1]) for name, value in curves.items() if len(value) == 2}


Board = TypeVar("Board")


def halves(boards: Sequence[Board]) -> tuple[list[Board], list[Board]]:
    """The boards in two halves, parted at random, for the same number of boards always in the same way."""
    # By position each half would be of one sort of pieces: photos for `calibrate` show two in turn.
    order = np.random.default_rng(0).permutation(len(boards)).tolist()
    return [boards[number] for number in order[::2]], [boards[number] for number in order[1::2]]


def fit_all(paths: Sequence[Path], say: Callable[[str], None]) -> dict[str, tuple[float, ...]]:
    """All of the reader's curves and weights, from stored examples that no network was trained on.

    The curve of whole tiles is fitted on photos that the rest was not. Raises UnusableInputError where fewer than two
    boards are found.
    """
    outputs = [run_networks(load_example(path)) for path in paths]
    seen = [one for one in outputs if one is not None]
    say(f"{len(seen)} of {len(outputs)} boards found")
    if len(seen) < 2:
        raise UnusableInputError(f"{len(seen)} of {len(outputs)} boards found: confidences are fitted on two or more")
    first, second = halves(seen)
    by_class = {
        name: fit_platt(
            [
                (foot.probability, hit)
                for one in first
                for foot, hit in zip(one.feet, one.hits, strict=True)
                if foot.kind == name
            ]
        )
        for name in PIECE_CLASSES
    }
    curves: dict[str, tuple[float, ...]] = {**by_class}
    curves["tile"] = fit_clearness([case for one in first for case in kind_cases(one)])
    curves |= fit_pool_weights(first, by_class)
    tiles = [tile_features(one.output, by_class) for one in first]
    curves["contents"] = fit_contents(tiles, first)
    curves |= fit_changes(tiles, first, curves["contents"])
    cases = whole_cases([tile_features(one.output, by_class) for one in second], second, curves)
    curves["whole"] = fit_clearness(cases)
    say(f"{len(cases)} whole tiles, {sum(right for _, _, right in cases)} right")
    return curves


def write_calibration(target: Path, curves: Mapping[str, tuple[float, ...]]) -> None:
    """Write the curves as the JSON file that the reader loads."""
    lines = [f" {json.dumps(name)}: {json.dumps(list(values))}" for name, values in curves.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
