"""The figures of `companion accuracy` as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add

from companion.lab.accuracy.failures import cause_counts
from companion.lab.accuracy.figures import IntervalEstimate, set_figures
from companion.lab.accuracy.scores import PhotoScore, PieceTally, by_scenario, reliability
from companion.vision.board.pieces import PIECE_CLASSES

RELIABILITY_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Edges of the bins of confidences; finer where most tiles lie."""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}%"


PHOTO_HEAD = (
    *("photo", "scenario", "tiles told", "wholly right", "flagged", "wrong, not flagged", "first other reading"),
    *("taps", "seconds"),
)

SET_HEAD = (
    *("tiles told", "wholly right", "boards exact", "mistakes flagged", "doubtful tiles a board"),
    *("first other reading", "first three", "taps", "answers"),
)


def figures_table(groups: Mapping[str, Sequence[PhotoScore]], what: str = "photos") -> str:
    """A row of figures with their intervals for each set of photos; sets without photos are left out."""
    rows = []
    for name, scores in groups.items():
        if scores:
            seen = set_figures(scores)
            shares = (seen.identity, seen.whole, seen.exact, seen.flagged)
            rows.append(
                [
                    name,
                    str(seen.photos),
                    *map(_share_cell, shares),
                    _number_cell(seen.doubtful),
                    *map(_share_cell, (seen.first, seen.first_three)),
                    _number_cell(seen.taps),
                    _number_cell(seen.answers),
                ]
            )
    return _table([what, "number", *SET_HEAD], rows)


def _share_cell(found: IntervalEstimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "-"
    return f"{100 * found.value:.1f}% ({100 * found.low:.0f}-{100 * found.high:.0f})"


def _number_cell(found: IntervalEstimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "-"
    return f"{found.value:.1f} ({found.low:.1f}-{found.high:.1f})"


def scenario_table(scores: Sequence[PhotoScore]) -> str:
    """A table of the scores by scenario, and of all together."""
    return figures_table({**by_scenario(scores), "all": scores}, "scenario")


def cause_table(scores: Sequence[PhotoScore]) -> str:
    """What the mistakes are, the commonest first, and how many of each are flagged."""
    counted = cause_counts(one for score in scores if score.failed for one in score.failed.mistakes)
    return _table(["mistake", "tiles", "flagged"], [[cause, str(tiles), str(seen)] for cause, tiles, seen in counted])


def accuracy_table(scores: Sequence[PhotoScore]) -> str:
    """The tables of `set_tables` below one row per photo."""
    photos = [
        [
            score.name,
            score.scenario,
            f"{score.identity}/30" if not score.fault else "not read",
            f"{score.whole}/30",
            str(score.flagged),
            str(score.unflagged_wrong),
            f"{score.first}/{score.wrong}",
            str(score.taps),
            f"{score.seconds:.2f}",
        ]
        for score in scores
    ]
    faults = [f"{score.name}: {score.fault}" for score in scores if score.fault]
    return "\n\n".join([_table(PHOTO_HEAD, photos), set_tables(scores), *faults])


def set_tables(scores: Sequence[PhotoScore]) -> str:
    """Tables per scenario, per class of piece, of confidences and how far they hold, and of mistakes by cause."""
    classes = []
    for index, name in enumerate(PIECE_CLASSES):
        tally = reduce(add, (score.pieces[index] for score in scores), PieceTally())
        classes.append([name, str(tally.true), str(tally.read), _percent(tally.precision), _percent(tally.recall)])
    trust = [
        [f"{found.low:.2f}-{found.high:.2f}", str(found.tiles), _percent(found.right)]
        for found in reliability(scores, RELIABILITY_EDGES)
    ]
    parts = [
        scenario_table(scores),
        _table(["piece", "there", "read", "precision", "recall"], classes),
        _table(["confidence", "tiles", "right"], trust),
    ]
    if any(score.failed for score in scores):
        parts.append(cause_table(scores))
    return "\n\n".join(parts)
