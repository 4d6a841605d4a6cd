"""From the networks' own scores to probabilities that hold: of tiles read with 0.9, nine in ten are right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from companion.vision.numerics import platt_scale, safe_logit

CHANGE = "change "
"""What the names of the weights by kind of mistake begin with."""

CLIPPED_LOGIT = 5.0
"""How clear a single tile is counts so far for its board or printing."""

UNSUREST = 8
"""How many tiles of a board show how well its printing is known: a quarter of it, more than pieces may hide."""


@cache
def _fitted() -> dict[str, tuple[float, ...]]:
    """Numbers by kind of score: slope and offset on the logit scale, or the weights of what is put together.

    Fitted on rendered photos held out of training.
    """
    text = (files("companion.vision") / "weights" / "calibration.json").read_text(encoding="utf-8")
    return {name: tuple(map(float, values)) for name, values in json.loads(text).items()}


def piece_probability(kind: str, score: float, curves: Mapping[str, tuple[float, ...]] | None = None) -> float:
    """The probability that a detection of this score is a piece of its class, one of `pieces.PIECE_CLASSES`.

    `curves` are slopes and offsets by class in place of the fitted ones.
    """
    slope, offset = (_fitted() if curves is None else curves)[kind]
    return platt_scale(score, (slope, offset))


def tile_probabilities(
    scores: Sequence[float], mean_logits: Sequence[float], curve: tuple[float, ...] | None = None
) -> tuple[float, ...]:
    """The probabilities that the tiles of a board whose kinds were given these scores are of those kinds.

    In a strange printing a tile may be misread with a high score, but then others are unsure, so each tile's
    probability depends on them: `mean_logits` are those of its printing (`printing_mean_logits`). `curve` holds slope,
    offset and the mean logit's weight in place of the fitted ones.
    """
    slope, offset, by_printing = _fitted()["tile"] if curve is None else curve
    return tuple(
        platt_scale(score, (slope, offset + by_printing * clear))
        for score, clear in zip(scores, mean_logits, strict=True)
    )


def printing_mean_logits(scores: Sequence[float]) -> list[float]:
    """How clearly the printing of each tile is known: the mean logit of the `UNSUREST` least sure others, clipped."""
    logits = [_clipped_logit(score) for score in scores]
    order = sorted(range(len(logits)), key=logits.__getitem__)[: UNSUREST + 1]
    result = []
    for place in range(len(logits)):
        others = [logits[other] for other in order if other != place][:UNSUREST]
        result.append(sum(others) / max(len(others), 1))
    return result


def pool_weights() -> dict[str, tuple[float, float]]:
    """The weights of counting and of detection by kind of piece, for `pieces.pool_count_probs`."""
    fitted = {kind: _fitted()[f"pool {kind}"] for kind in ("meeple", "camel", "palm", "palace")}
    return {kind: (counting, detection) for kind, (counting, detection) in fitted.items()}


def contents_weights() -> tuple[float, ...]:
    """The weights of what speaks for a tile's contents, in the order of `contents_hypotheses.TileFeatures`."""
    return _fitted()["contents"]


def change_weights() -> tuple[float, dict[str, float]]:
    """How other readings of a tile are ranked: the weight of their log-probability, and nats by change."""
    values = _fitted()
    changes = {name.removeprefix(CHANGE): value[0] for name, value in values.items() if name.startswith(CHANGE)}
    return values["others"][0], changes


def whole_probability(confidence: float, mean_logit: float) -> float:
    """The probability that a tile is wholly right whose parts' probabilities multiply to this.

    `mean_logit` is that of its board (`board_mean_logit`): of odd pieces more is misread than the parts say.
    """
    slope, offset, by_board = _fitted()["whole"]
    return platt_scale(confidence, (slope, offset + by_board * mean_logit))


def board_mean_logit(confidences: Sequence[float]) -> float:
    """How clearly a board is read: the mean logit of its tiles' confidences before they are calibrated, clipped."""
    return sum(map(_clipped_logit, confidences)) / len(confidences)


def _clipped_logit(score: float) -> float:
    return min(max(safe_logit(score), -CLIPPED_LOGIT), CLIPPED_LOGIT)
