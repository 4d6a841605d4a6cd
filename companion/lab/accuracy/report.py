"""The figures of a set of photos, with intervals that say how far so few can be trusted, as Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from companion.lab.accuracy.scores import PhotoScore, PieceTally, by_scenario, cause_counts, reliability
from companion.rules.model.board import SQUARES
from companion.vision.board.pieces import PIECE_CLASSES

RELIABILITY_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Edges of the bins of confidences; finer where most tiles lie."""


LEVEL_Z = 1.96
"""Standard deviations to either side that hold 95 of 100."""

RESAMPLES = 2000
"""Sets of photos drawn with replacement for a bootstrap interval."""


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """A figure and its interval of 95%, all None where there is nothing to count."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class SetFigures:
    """How a set of photos was read.

    Shares from 0 to 1: `identity` tiles told, `whole` tiles wholly right, `exact` boards without a mistake, `flagged`
    mistakes that are flagged. `doubtful` is in tiles a board.
    """

    photos: int
    identity: IntervalEstimate
    whole: IntervalEstimate
    exact: IntervalEstimate
    flagged: IntervalEstimate
    doubtful: IntervalEstimate


def set_figures(scores: Sequence[PhotoScore]) -> SetFigures:
    """The figures of photos read. Intervals are by photo: tiles of one photo go wrong together."""

    def ratio(part: Callable[[PhotoScore], float], whole: Callable[[PhotoScore], float]) -> IntervalEstimate:
        return bootstrap_ratio([part(score) for score in scores], [whole(score) for score in scores])

    def tiles(_: PhotoScore) -> float:
        return SQUARES

    def wrong(score: PhotoScore) -> float:
        # A photo that is not read says so: nothing of it is offered, and nothing wrong is silent.
        return 0 if score.fault else score.wrong

    return SetFigures(
        photos=len(scores),
        identity=ratio(lambda score: score.identity, tiles),
        whole=ratio(lambda score: score.whole, tiles),
        exact=wilson(sum(score.exact for score in scores), len(scores)),
        flagged=ratio(lambda score: wrong(score) - score.unflagged_wrong, wrong),
        doubtful=ratio(lambda score: score.flagged, lambda _: 1),
    )


def wilson(part: int, whole: int) -> IntervalEstimate:
    """A share of independent cases with Wilson's interval, which holds for few cases and for none or all of them."""
    if not whole:
        return IntervalEstimate(None)
    share, z2 = part / whole, LEVEL_Z**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    half = LEVEL_Z / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    return IntervalEstimate(share, max(middle - half, 0.0), min(middle + half, 1.0))


def bootstrap_ratio(parts: Sequence[float], wholes: Sequence[float]) -> IntervalEstimate:
    """The sum of the parts over that of the wholes, with a percentile interval over photos drawn with replacement."""
    over = np.array(wholes, dtype=np.float64)
    if not over.sum():
        return IntervalEstimate(None)
    under = np.array(parts, dtype=np.float64)
    drawn = np.random.default_rng(0).integers(len(over), size=(RESAMPLES, len(over)))
    sums = over[drawn].sum(axis=1)
    low, high = np.quantile(under[drawn].sum(axis=1)[sums > 0] / sums[sums > 0], (0.025, 0.975))
    return IntervalEstimate(float(under.sum() / over.sum()), float(low), float(high))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Texts as a table with a head."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}%"


PHOTO_HEAD = ("photo", "scenario", "tiles told", "wholly right", "flagged", "wrong, not flagged", "seconds")

SET_HEAD = ("tiles told", "wholly right", "boards exact", "mistakes flagged", "doubtful tiles a board")


def figures_table(groups: Mapping[str, Sequence[PhotoScore]], what: str = "photos") -> str:
    """A row of figures with their intervals for each set of photos; sets without photos are left out."""
    rows = []
    for name, scores in groups.items():
        if scores:
            seen = set_figures(scores)
            shares = (seen.identity, seen.whole, seen.exact, seen.flagged)
            cells = [_cell(share, "{:.1f}% ({:.0f}-{:.0f})", 100) for share in shares]
            rows.append([name, str(seen.photos), *cells, _cell(seen.doubtful, "{:.1f} ({:.1f}-{:.1f})", 1)])
    return markdown_table([what, "number", *SET_HEAD], rows)


def _cell(estimate: IntervalEstimate, form: str, unit: float) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    return form.format(unit * estimate.value, unit * estimate.low, unit * estimate.high)


def cause_table(scores: Sequence[PhotoScore]) -> str:
    """What the mistakes are, the commonest first, and how many of each are flagged."""
    counted = cause_counts(mistake for score in scores for mistake in score.mistakes)
    return markdown_table(
        ["mistake", "tiles", "flagged"], [[cause, str(tiles), str(seen)] for cause, tiles, seen in counted]
    )


def confidence_table(scores: Sequence[PhotoScore]) -> str:
    """How many tiles are right of those of each confidence."""
    rows = [
        [f"{part.low:.2f}-{part.high:.2f}", str(part.tiles), _percent(part.right)]
        for part in reliability(scores, RELIABILITY_EDGES)
    ]
    return markdown_table(["confidence", "tiles", "right"], rows)


def accuracy_table(scores: Sequence[PhotoScore]) -> str:
    """Tables with a row a photo, per scenario and class of piece, of confidences, and of mistakes by cause."""
    photos = [
        [
            score.name,
            score.scenario,
            f"{score.identity}/30" if not score.fault else "not read",
            f"{score.whole}/30",
            str(score.flagged),
            str(score.unflagged_wrong),
            f"{score.seconds:.2f}",
        ]
        for score in scores
    ]
    classes = []
    for index, name in enumerate(PIECE_CLASSES):
        tally = reduce(add, (score.pieces[index] for score in scores), PieceTally())
        classes.append([name, str(tally.true), str(tally.read), _percent(tally.precision), _percent(tally.recall)])
    parts = [
        markdown_table(PHOTO_HEAD, photos),
        figures_table({**by_scenario(scores), "all": scores}, "scenario"),
        markdown_table(["piece", "there", "read", "precision", "recall"], classes),
        confidence_table(scores),
    ]
    if any(score.mistakes for score in scores):
        parts.append(cause_table(scores))
    parts += [f"{score.name}: {score.fault}" for score in scores if score.fault]
    return "\n\n".join(parts)
