"""From which probability a tile is called unknown: so that hardly any tile of the box is, in whatever printing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.lab.training.dataset import NO_KIND, load_example
from companion.rules.model.board import SQUARES
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import score_tiles, unknown_chances
from companion.vision.numerics import Float64

FALSE_ALARMS = 0.001
"""Share of the box's tiles that may be called unknown."""

LEAST = 0.1
"""Below this nothing is called unknown, however well that would work on examples."""


@dataclass(frozen=True, slots=True)
class TileFigures:
    """What was seen of N tiles: how `unknown` each is, whether it is `strange`, and told `right` by itself."""

    unknown: Float64
    strange: Float64
    right: Float64


def measure_tiles(paths: Iterable[Path]) -> TileFigures:
    """Run the tile network on the boards of stored examples, rectified as they truly lie."""
    unknown, strange, right = [], [], []
    for path in paths:
        example = load_example(path)
        scores = score_tiles(rectify(example.picture, example.homography))
        unknown.append(unknown_chances(scores))
        strange.append(example.kinds == NO_KIND)
        right.append(scores.probabilities.sum(axis=2).argmax(axis=1) == example.kinds)
    return TileFigures(*(np.concatenate(values).astype(np.float64) for values in (unknown, strange, right)))


def fit_threshold(figures: TileFigures) -> float:
    """The least probability at which no more than `FALSE_ALARMS` of the known tiles are called unknown."""
    known = np.sort(figures.unknown[figures.strange == 0])
    return round(max(float(known[int(np.ceil((1 - FALSE_ALARMS) * len(known))) - 1]) + 1e-4, LEAST), 4)


def figures_text(figures: TileFigures, threshold: float) -> str:
    """The figures in a line."""
    strange, known = figures.strange == 1, figures.strange == 0
    told = figures.unknown >= threshold
    right, alarms = figures.right[known].mean(), told[known].mean()
    found = told[strange].mean() if strange.any() else 0.0
    return (
        f"{len(figures.unknown) // SQUARES} boards: {right:.2%} of {known.sum()} kinds told right, tile by tile; "
        f"called unknown from {threshold}: {alarms:.2%} of these tiles, {found:.1%} of {strange.sum()} that are none"
    )


def write_threshold(path: Path, threshold: float) -> None:
    """Write the threshold where the reader finds it."""
    path.write_text(json.dumps({"from": threshold}) + "\n", encoding="utf-8")
