"""From the networks' own scores to chances that hold: of tiles read with 0.9, nine in ten are right."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files


@cache
def _fitted() -> dict[str, tuple[float, float]]:
    """Slope and offset on the logit scale by kind of score; fitted on rendered photos held out of training."""
    text = (files("companion.vision") / "weights" / "calibration.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return {name: (float(values["slope"]), float(values["offset"])) for name, values in document.items()}


def forget() -> None:
    """Read the fitted curves anew at the next use."""
    _fitted.cache_clear()


def _recalibrate(name: str, score: float) -> float:
    slope, offset = _fitted()[name]
    clipped = min(max(score, 1e-6), 1 - 1e-6)
    logit = math.log(clipped / (1 - clipped))
    return 1 / (1 + math.exp(-(slope * logit + offset)))


def piece_probability(kind: str, heat: float) -> float:
    """The chance that a foot of this heat is a piece of its class, one of `pieces.PIECE_CLASSES`."""
    return _recalibrate(kind, heat)


def tile_probability(score: float) -> float:
    """The chance that a tile whose kind was given this score is of that kind."""
    return _recalibrate("tile", score)


def whole_probability(confidence: float) -> float:
    """The chance that a tile is wholly right whose parts' chances multiply to this."""
    return _recalibrate("whole", confidence)
