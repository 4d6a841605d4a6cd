"""How likely a tile is unknown, and from where it is called so: hardly any tile of the box is, in whatever printing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from companion.errors import UnusableInputError
from companion.lab.training.dataset import NO_KIND, load_example
from companion.rules.model.board import SQUARES
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import STRANGE_PRINTING, score_tiles, strangeness
from companion.vision.numerics import Float64

FALSE_ALARMS = 0.007
"""Share of the box's tiles that may be called unknown, over the styles of training, which are harder than printings
are: of tiles at hand it is a fifth of that."""

PRIOR_PRECISION = 1.0
"""Of the Gaussian prior on the weights: a few examples must not make them large."""


@dataclass(frozen=True, slots=True)
class TileFigures:
    """What was seen of N tiles: what speaks for `strangers` (N, 3), whether it is `strange`, and told `right` alone."""

    strangers: Float64
    strange: Float64
    right: Float64


@dataclass(frozen=True, slots=True)
class UnknownCurve:
    """Weights on what the network says and on how well a tile fits, an offset, and from which chance it is unknown."""

    network: float
    fit: float
    offset: float
    least: float

    def chances(self, strangers: Float64) -> Float64:
        """The chances (N,) of being unknown for what speaks for it (N, 3)."""
        return np.asarray(expit(strangers @ [self.network, self.fit, STRANGE_PRINTING] + self.offset))


def measure_tiles(paths: Iterable[Path]) -> TileFigures:
    """Run the tile network on the boards of stored examples, rectified as they truly lie."""
    strangers, strange, right = [], [], []
    for path in paths:
        example = load_example(path)
        scores = score_tiles(rectify(example.picture, example.homography))
        strangers.append(strangeness(scores))
        strange.append(example.kinds == NO_KIND)
        right.append(scores.probabilities.sum(axis=2).argmax(axis=1) == example.kinds)
    return TileFigures(*(np.concatenate(values).astype(np.float64) for values in (strangers, strange, right)))


def fit_unknown(figures: TileFigures) -> UnknownCurve:
    """The logistic regression, and the least chance at which no more than `FALSE_ALARMS` of known tiles are unknown.

    How strange the printing is stays out of the regression: in the styles of training it tells little, and in those
    that nobody knows it keeps whole boards from being called unknown. Raises UnusableInputError unless there are tiles
    of both sorts.
    """
    strangers, tiles = int(figures.strange.sum()), len(figures.strange)
    if not 0 < strangers < tiles:
        raise UnusableInputError(
            f"{strangers} of {tiles} tiles are none of the box: to tell unknown ones from others takes some of both"
        )
    inputs = np.column_stack([figures.strangers[:, :2], np.ones(len(figures.strange))])

    def nll_and_gradient(weights: Float64) -> tuple[float, Float64]:
        logits, drawn = inputs @ weights, weights * [1, 1, 0]
        nll = (np.logaddexp(0, logits) - figures.strange * logits).sum() + PRIOR_PRECISION / 2 * (drawn @ drawn)
        return float(nll), inputs.T @ (expit(logits) - figures.strange) + PRIOR_PRECISION * drawn

    weights = minimize(nll_and_gradient, np.zeros(3), jac=True, method="L-BFGS-B").x
    network, fit, offset = (round(float(weight), 4) for weight in weights)
    known = np.sort(UnknownCurve(network, fit, offset, 1.0).chances(figures.strangers[figures.strange == 0]))
    least = float(known[int(np.ceil((1 - FALSE_ALARMS) * len(known))) - 1])
    return UnknownCurve(network, fit, offset, round(least + 1e-4, 4))


def figures_text(figures: TileFigures, curve: UnknownCurve) -> str:
    """The figures in a line."""
    strange, known = figures.strange == 1, figures.strange == 0
    told = curve.chances(figures.strangers) >= curve.least
    right, alarms = figures.right[known].mean(), told[known].mean()
    found = told[strange].mean() if strange.any() else 0.0
    return (
        f"{len(figures.strange) // SQUARES} boards: {right:.2%} of {known.sum()} kinds told right, tile by tile; "
        f"called unknown from {curve.least}: {alarms:.2%} of these tiles, {found:.1%} of {strange.sum()} that are none"
    )


def write_unknown(path: Path, curve: UnknownCurve) -> None:
    """Write the curve where the reader finds it."""
    values = {"network": curve.network, "fit": curve.fit, "offset": curve.offset, "from": curve.least}
    path.write_text(json.dumps(values) + "\n", encoding="utf-8")
