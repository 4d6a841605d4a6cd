"""Fit how far the reader's scores can be trusted, on rendered photos held out of training."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.rules.board import COLUMNS, ROWS, SQUARES
from companion.training.examples import Example, load_example
from companion.vision.lattice import find_lattice
from companion.vision.networks import piece_heat
from companion.vision.pieces import PIECE_CLASSES, find_feet
from companion.vision.pipeline import HALF_TURN, read_board
from companion.vision.plane import project
from companion.vision.rectify import rectify
from companion.vision.tiles import KINDS, assign_tiles, half_turn, is_half_turned, tile_probabilities

SAME_FOOT_TILES = 0.12
PRIOR = 2.0
"""Weight of the pull towards trusting a score as it is: a few examples must not bend the curve."""

Pairs = list[tuple[float, bool]]


def fit(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Slope and offset on the logit scale that make scores the chances that they should be."""
    scores = np.clip(np.array([score for score, _ in pairs]), 1e-6, 1 - 1e-6)
    right = np.array([float(ok) for _, ok in pairs])
    logits = np.log(scores / (1 - scores))
    inputs = np.stack([logits, np.ones_like(logits)], axis=1)
    values = np.array([1.0, 0.0])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ values, -30, 30)))
        slope = inputs.T @ (likely - right) + PRIOR * (values - (1.0, 0.0))
        bend = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + PRIOR * np.eye(2)
        step = np.linalg.solve(bend, slope)
        values = values - step
        if np.abs(step).max() < 1e-7:
            break
    return round(float(values[0]), 4), round(float(values[1]), 4)


def _upright(example: Example) -> tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.float64]] | None:
    """The lattice found in an example's photo as (homography, rectified board, tile probabilities)."""
    picture = example.picture
    try:
        homography = find_lattice(picture).homography
    except PhotoError:
        return None
    board = rectify(picture, homography)
    probabilities = tile_probabilities(board)
    if is_half_turned(probabilities):
        probabilities = half_turn(probabilities)
        homography = homography @ HALF_TURN
        board = np.ascontiguousarray(board[::-1, ::-1])
    middles = project(np.linalg.inv(homography) @ example.homography, np.array([(0.5, 0.5), (5.5, 4.5)]))
    if np.abs(middles - [(0.5, 0.5), (5.5, 4.5)]).max() > 0.4:
        return None
    return homography, board, probabilities


def collect(paths: Sequence[Path]) -> tuple[dict[str, Pairs], Pairs]:
    """(score, right) of every foot by class, and of every tile's kind, over stored examples."""
    feet: dict[str, Pairs] = {name: [] for name in PIECE_CLASSES}
    kinds: Pairs = []
    for path in paths:
        example = load_example(path)
        found = _upright(example)
        if found is None:
            continue
        homography, board, probabilities = found
        for square, sight in enumerate(assign_tiles(probabilities)):
            kinds.append((sight.probability, KINDS.index(sight.kind) == example.kinds[square]))
        true = project(np.linalg.inv(homography) @ example.homography, example.feet[:, 1:3])
        free = np.ones(len(true), dtype=bool)
        for foot in find_feet(piece_heat(board)):
            same = free & (example.feet[:, 0] == PIECE_CLASSES.index(foot.kind))
            distances = np.where(same, np.hypot(true[:, 0] - foot.x, true[:, 1] - foot.y), np.inf)
            hit = len(true) > 0 and bool(distances.min() < SAME_FOOT_TILES)
            if hit:
                free[int(distances.argmin())] = False
            feet[foot.kind].append((foot.probability, hit))
    return feet, kinds


def collect_whole(paths: Sequence[Path]) -> Pairs:
    """(confidence, right) of every tile as a whole, with the calibration that is in force for its parts."""
    pairs: Pairs = []
    for path in paths:
        example = load_example(path)
        found = _upright(example)
        if found is None:
            continue
        true = np.zeros((SQUARES, len(PIECE_CLASSES)), dtype=int)
        for kind, x, y, _ in example.feet:
            if 0 <= x < COLUMNS and 0 <= y < ROWS:
                true[int(y) * COLUMNS + int(x), int(kind)] += 1
        picture = example.picture
        reading = read_board(picture, find_lattice(picture))
        for square, tile in enumerate(reading.tiles):
            counts = [0] * len(PIECE_CLASSES)
            for kind, _, _ in tile.feet:
                counts[PIECE_CLASSES.index(kind)] += 1
            right = tile.tile.kind is KINDS[int(example.kinds[square])] and counts == true[square].tolist()
            pairs.append((tile.raw_confidence, right))
    return pairs


def write_calibration(target: Path, curves: dict[str, tuple[float, float]]) -> None:
    """Write the curves as the JSON file that the reader loads."""
    document = {name: {"slope": slope, "offset": offset} for name, (slope, offset) in curves.items()}
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    """Mean surprise of the scores, in nats: smaller is better."""
    return sum(-math.log(max(score if ok else 1 - score, 1e-9)) for score, ok in pairs) / max(len(pairs), 1)
