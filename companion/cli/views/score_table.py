"""The score as a person reads it: a table of points, who has won or leads, and how each category was counted.

The result code of a score sheet too, in words and as JSON (docs/json.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.output import console, print_json
from companion.cli.views.tables import Column, figures
from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.notation.outcome import Outcome
from companion.rules.engine.scoring import CATEGORIES, NONE, GameResult, Score, category_name
from companion.rules.model.components import Colour
from companion.table.counted_games import what_was_unknown
from companion.table.results import player_name, standing

STYLES: dict[Colour, str] = {
    Colour.BLACK: "bold",
    Colour.ORANGE: "bold dark_orange",
    Colour.BLUE: "bold blue",
    Colour.PINK: "bold magenta",
}
WON = "* "
"""Marks who has won."""


def print_result(result: GameResult, names: Mapping[Colour, str], *, title: str = "") -> None:
    """Print how a game stands, under a title; a star marks who has won, if all that counts is known."""
    scores = result.scores
    players = []
    for colour, score in scores.items():
        word = translate(term(colour))
        heading = Text(f"{names[colour]}\n{word}" if names.get(colour) else word, style=STYLES[colour])
        mark = WON if colour in result.winners and len(scores) > 1 else ""
        total = Text(f"{mark}{result.total_words(colour)}", style="bold")
        players.append((heading, total, list(score.known.values())))
    table = points_table(players)
    counted = Table.grid(padding=(0, 2))
    for colour, score in scores.items():
        for place, (category, how) in enumerate(_worth_telling(score)):
            if place == 0 and counted.row_count:
                counted.add_row()
            who = Text(names.get(colour) or translate(term(colour)), style=STYLES[colour]) if place == 0 else ""
            counted.add_row(who, category_name(category), Text(translate(how)))
    out = console()
    if title:
        out.print(Text(title, style="bold"))
    out.print()
    out.print(table)
    out.print()
    out.print(Text(translate(verdict(result, names))))
    if counted.row_count:
        out.print()
        out.print(counted)


def points_table(players: Iterable[tuple[str | Text, str | Text, Sequence[int | None]]]) -> Table:
    """Points by category, a column a player: of each the heading, the total, and the points, None where not known."""
    known = list(players)
    columns = [Column(heading, total, is_number=True) for heading, total, _ in known]
    cells = [["?" if number is None else str(number) for number in points] for *_, points in known]
    first = Column(term("VP"), say_as("of the score", "total"))
    return figures([first, *columns], zip(map(category_name, CATEGORIES), *cells, strict=True))


def verdict(result: GameResult, names: Mapping[Colour, str]) -> Phrase:
    """The sentence of `standing`, marked where somebody has won."""
    mark = WON if result.winners and len(result.scores) > 1 else ""
    return joined("", (mark, standing(result, names)))


def record_title(date: str | None, place: str | None) -> str:
    """When and where a game was played, in one line; nothing where neither is known."""
    return ", ".join(part for part in (date, place) if part)


def _worth_telling(result: Score) -> Iterator[tuple[str, str]]:
    """Categories whose arithmetic says more than their points do, with the sum where there is one."""
    for (category, how), points in zip(result.arithmetic.items(), result.known.values(), strict=True):
        if points is not None and how not in {NONE, f"{points} GC", f"{points}"}:
            yield category, joined("", (how, f" = {points}")) if re.search(r" [+x] |\d[-+*x]\d", how) else how


def print_outcome(outcome: Outcome, *, as_json: bool = False) -> None:
    """Print it on standard output: as a table, or the totals if the code has no more."""
    if as_json:
        print_json({"result": outcome_document(outcome)})
        return
    where = record_title(outcome.date, outcome.place)
    heading = say("The score sheet holds a result")
    if where:
        heading = say("The score sheet holds a result: {where}", where=where)
    if outcome.points:
        scores = {colour: Score.of_points(points) for colour, points in outcome.points.items()}
        result = GameResult(scores, outcome.finished, what_was_unknown(outcome))
        print_result(result, outcome.names, title=heading)
        return
    screen = console()
    lines = [joined(" ", (player_name(colour, outcome.names), str(total))) for colour, total in outcome.totals.items()]
    if not outcome.finished:
        lines.append(say("The game wasn't over."))
    for line in (heading, *lines):
        screen.print(line, markup=False, highlight=False)


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
