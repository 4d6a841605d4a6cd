"""From the networks' own scores to chances that hold: of tiles read with 0.9, nine in ten are right."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files


@cache
def _fitted() -> dict[str, tuple[float, float]]:
    """Two numbers by kind of score: slope and offset on the logit scale, or a trust's two powers.

    Fitted on rendered photos held out of training.
    """
    text = (files("companion.vision") / "weights" / "calibration.json").read_text(encoding="utf-8")
    return {name: (float(values[0]), float(values[1])) for name, values in json.loads(text).items()}


def forget() -> None:
    """Read the fitted curves anew at the next use."""
    _fitted.cache_clear()


def recalibrated(score: float, curve: tuple[float, float]) -> float:
    """The chance that a score means by a curve of slope and offset on the logit scale."""
    slope, offset = curve
    clipped = min(max(score, 1e-6), 1 - 1e-6)
    logit = math.log(clipped / (1 - clipped))
    return 1 / (1 + math.exp(-(slope * logit + offset)))


def piece_probability(kind: str, heat: float) -> float:
    """The chance that a foot of this heat is a piece of its class, one of `pieces.PIECE_CLASSES`."""
    return recalibrated(heat, _fitted()[kind])


def tile_probability(score: float) -> float:
    """The chance that a tile whose kind was given this score is of that kind."""
    return recalibrated(score, _fitted()["tile"])


def trust() -> dict[str, tuple[float, float]]:
    """How far counting and seeing are trusted by kind of piece: the powers of `tallies.fuse`."""
    return {kind: _fitted()[f"trust {kind}"] for kind in ("meeple", "camel", "palm", "palace")}


def whole_probability(confidence: float) -> float:
    """The chance that a tile is wholly right whose parts' chances multiply to this."""
    return recalibrated(confidence, _fitted()["whole"])
