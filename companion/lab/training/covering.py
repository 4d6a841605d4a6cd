"""Fit and measure what tells a hand over the board from the game (`companion.vision.board.covering`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from companion.lab.rendering.obstacles import Obstacle, draw_obstacle, lay_over
from companion.lab.training.dataset import load_example
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.covering import CELL_PX, covered_squares, covering_cells
from companion.vision.board.pieces import PieceFeatures, run_piece_net
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify
from companion.vision.numerics import Float32, Float64

OFF_TILES = 0.015
"""So far off a board is found."""

CLEARLY = 0.1
"""Cells that are covered by more than this, and by less than all but this, teach nothing."""

PRIOR = 1e-3
"""How strongly the weights of standardised features are drawn to 0."""


def looked_at(paths: Sequence[Path]) -> Iterator[tuple[PieceFeatures, Obstacle | None]]:
    """What the piece network sees of each example, as it is and with something drawn over it."""
    for seed, path in enumerate(paths):
        rng, example = np.random.default_rng(seed), load_example(path)
        obstacle = draw_obstacle(rng)
        over = lay_over(example.picture, example.homography, obstacle, rng)
        for picture, covered_by in ((example.picture, None), (over, obstacle)):
            off = np.eye(3)
            off[:2, 2] = rng.normal(0, OFF_TILES, 2)
            features = run_piece_net(rectify(picture, example.homography @ off)).features
            assert features is not None
            yield features, covered_by


def fit_covering(seen: Iterator[tuple[PieceFeatures, Obstacle | None]], target: Path) -> None:
    """Write the weights of features that tell covered cells: a logistic regression."""
    cells: list[Float32] = []
    covered: list[NDArray[np.bool_]] = []
    for features, obstacle in seen:
        one = covering_cells(features)
        shares = np.zeros(one.shape[:2]) if obstacle is None else obstacle.shares(TILE_PX // CELL_PX, MARGIN_TILES)
        clear = abs(shares - 0.5) > 0.5 - CLEARLY
        cells.append(one[clear])
        covered.append(shares[clear] > 0.5)
    inputs, outputs = np.concatenate(cells), np.concatenate(covered)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-3
    inputs = np.column_stack([(inputs - mean) / spread, np.ones(len(inputs), np.float32)])

    def loss_and_gradient(weights: Float64) -> tuple[float, Float64]:
        logits, drawn = inputs @ weights.astype(np.float32), PRIOR * np.append(weights[:-1], 0)
        loss = (np.logaddexp(0, logits) - outputs * logits).mean() + drawn @ weights / 2
        return float(loss), inputs.T @ (expit(logits) - outputs).astype(np.float32) / len(inputs) + drawn

    best = minimize(loss_and_gradient, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x
    weights = best[:-1] / spread
    fitted = {"weights": [float(f"{one:.4g}") for one in weights], "offset": round(float(best[-1] - weights @ mean), 3)}
    target.write_text(json.dumps(fitted) + "\n", encoding="utf-8")


def measure_covering(seen: Iterator[tuple[PieceFeatures, Obstacle | None]]) -> str:
    """How many tiles are taken for covered in photos, as a line for those as they are and one for the others."""
    plain, alarmed, noticed, hidden, found, free, false = 0, 0, 0, 0, 0, 0, 0
    for features, obstacle in seen:
        named = covered_squares(features)
        if obstacle is None:
            plain, alarmed = plain + 1, alarmed + bool(named)
            continue
        middles = obstacle.shares(8).reshape(ROWS, 8, COLUMNS, 8)[:, 2:6, :, 2:6].mean(axis=(1, 3)).ravel()
        under, beside = (
            np.flatnonzero(middles >= 0.5).tolist(),
            np.flatnonzero(obstacle.shares().ravel() < 0.02).tolist(),
        )
        noticed, hidden, found = noticed + bool(named), hidden + len(under), found + len(named.intersection(under))
        free, false = free + len(beside), false + len(named.intersection(beside))
    return (
        f"{alarmed} of {plain} photos without anything over the board taken for covered\n"
        f"{noticed} of {plain} with something noticed: {found} of {hidden} tiles whose middle is half covered, and "
        f"{false} of {free} that nothing touches"
    )
