"""The figures of `companion accuracy` as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from companion.lab.accuracy.scores import PhotoScore, PieceTally, by_scenario, reliability
from companion.vision.board.pieces import PIECE_CLASSES

RELIABILITY_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Edges of the bins of confidences; finer where most tiles lie."""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}%"


def scenario_table(scores: Sequence[PhotoScore]) -> str:
    """A table of the scores by scenario, and of all together."""
    scenarios = []
    for name, group in [*by_scenario(scores).items(), ("all", list(scores))]:
        tiles = 30 * len(group)
        scenarios.append(
            [
                name,
                str(len(group)),
                _share(sum(score.identity for score in group), tiles),
                _share(sum(score.whole for score in group), tiles),
                f"{sum(score.exact for score in group)}/{len(group)}",
                f"{sum(score.flagged for score in group) / len(group):.1f}",
                str(sum(score.unflagged_wrong for score in group)),
            ]
        )
    return _table(
        ["scenario", "photos", "tiles told", "wholly right", "boards exact", "flags a board", "wrong, not flagged"],
        scenarios,
    )


def accuracy_table(scores: Sequence[PhotoScore]) -> str:
    """Four tables: per photo, per scenario, per class of piece, and how far confidences can be trusted."""
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
    trust = [
        [f"{found.low:.2f}-{found.high:.2f}", str(found.tiles), _percent(found.right)]
        for found in reliability(scores, RELIABILITY_EDGES)
    ]
    faults = [f"{score.name}: {score.fault}" for score in scores if score.fault]
    parts = [
        _table(["photo", "scenario", "tiles told", "wholly right", "flagged", "wrong, not flagged", "seconds"], photos),
        scenario_table(scores),
        _table(["piece", "there", "read", "precision", "recall"], classes),
        _table(["confidence", "tiles", "right"], trust),
        *faults,
    ]
    return "\n\n".join(parts)
