"""From the networks' own scores to probabilities that hold: of tiles read with 0.9, nine in ten are right."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from companion.vision.numerics import platt_scale


@cache
def _fitted() -> dict[str, tuple[float, float]]:
    """Two numbers by kind of score: slope and offset on the logit scale, or the two weights of a pool.

    Fitted on rendered photos held out of training.
    """
    text = (files("companion.vision") / "weights" / "calibration.json").read_text(encoding="utf-8")
    return {name: (float(values[0]), float(values[1])) for name, values in json.loads(text).items()}


def forget() -> None:
    """Read the fitted curves anew at the next use."""
    _fitted.cache_clear()


def piece_probability(kind: str, score: float) -> float:
    """The probability that a detection of this score is a piece of its class, one of `pieces.PIECE_CLASSES`."""
    return platt_scale(score, _fitted()[kind])


def tile_probability(score: float) -> float:
    """The probability that a tile whose kind was given this score is of that kind."""
    return platt_scale(score, _fitted()["tile"])


def pool_weights() -> dict[str, tuple[float, float]]:
    """The weights of counting and of detection by kind of piece, for `pieces.pool_count_probs`."""
    return {kind: _fitted()[f"pool {kind}"] for kind in ("meeple", "camel", "palm", "palace")}


def whole_probability(confidence: float) -> float:
    """The probability that a tile is wholly right whose parts' probabilities multiply to this."""
    return platt_scale(confidence, _fitted()["whole"])
