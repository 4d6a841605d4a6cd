"""What the result code of a score sheet tells: in words, and as JSON (docs/json.md)."""

from __future__ import annotations

from typing import Any

from companion.cli.output import console, print_json
from companion.cli.views.score_table import print_result, record_title
from companion.language.phrase import joined, say
from companion.notation.outcome import Outcome
from companion.rules.engine.scoring import CATEGORIES, NOT_KNOWN, GameResult, Score
from companion.table.counted_games import what_was_unknown
from companion.table.results import player_name


def print_outcome(outcome: Outcome, *, as_json: bool = False) -> None:
    """Print it on standard output: as a table, or the totals if the code has no more."""
    if as_json:
        print_json({"result": outcome_document(outcome)})
        return
    where = record_title(outcome.date, outcome.place)
    heading = (
        say("The score sheet holds a result: {where}", where=where) if where else say("The score sheet holds a result")
    )
    if outcome.points:
        print_result(_result(outcome), outcome.names, title=heading)
        return
    screen = console()
    lines = [joined(" ", (player_name(colour, outcome.names), str(total))) for colour, total in outcome.totals.items()]
    if not outcome.finished:
        lines.append(say("The game was not over."))
    for line in (heading, *lines):
        screen.print(line, markup=False, highlight=False)


def _result(outcome: Outcome) -> GameResult:
    """How the game stood, with the points of each category as they are."""
    scores = {}
    for colour, points in outcome.points.items():
        known: dict[str, Any] = {category: told or 0 for category, told in zip(CATEGORIES, points, strict=True)}
        scores[colour] = Score(**known, how=tuple(NOT_KNOWN if told is None else str(told) for told in points))
    return GameResult(scores, outcome.finished, what_was_unknown(outcome))


def outcome_document(outcome: Outcome) -> dict[str, object]:
    """The result as plain values; points that were not known are None, and missing where the code has totals alone."""
    players: dict[str, object] = {}
    for colour, total in outcome.totals.items():
        name = {"name": outcome.names[colour]} if colour in outcome.names else {}
        points = dict(zip(CATEGORIES, outcome.points.get(colour, ()), strict=False))
        players[str(colour)] = {**name, **points, "total": total}
    return {
        "date": outcome.date or None,
        "place": outcome.place or None,
        "finished": outcome.finished,
        "players": players,
    }
