"""The score as a person reads it: a table of points, who has won or leads, and how each category was counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.cli.locale import translate
from companion.cli.output import console
from companion.language.phrase import Phrase, joined, say_as, term
from companion.rules.engine.scoring import CATEGORIES, NONE, NOT_KNOWN, GameResult, Score, category_name
from companion.rules.model.components import Colour
from companion.table.results import standing

STYLES: dict[Colour, str] = {
    Colour.BLACK: "bold",
    Colour.ORANGE: "bold dark_orange",
    Colour.BLUE: "bold blue",
    Colour.PINK: "bold magenta",
}
WON = "* "
"""Marks who has won."""


def print_result(result: GameResult, names: Mapping[Colour, str], *, title: str = "") -> None:
    """Print how a game stands on standard output, under a title such as its date and place.

    A star marks who has won; while the game goes on, or while something that counts is unknown, nobody has.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, show_footer=True, show_edge=False, pad_edge=False)
    table.add_column(term("VP"), footer=say_as("of the score", "total"))
    scores = result.scores
    for colour, score in scores.items():
        word = translate(term(colour))
        heading = Text(f"{names[colour]}\n{word}" if names.get(colour) else word, style=STYLES[colour])
        mark = WON if colour in result.winners and len(scores) > 1 else ""
        table.add_column(heading, footer=Text(mark + str(score.total), style="bold"), justify="right")
    for category in CATEGORIES:
        cells = [
            "?" if score.arithmetic[category] == NOT_KNOWN else str(score.points[category]) for score in scores.values()
        ]
        table.add_row(category_name(category), *cells)
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


def verdict(result: GameResult, names: Mapping[Colour, str]) -> Phrase:
    """The sentence of `standing`, marked where somebody has won."""
    mark = WON if result.winners and len(result.scores) > 1 else ""
    return joined("", (mark, standing(result, names)))


def record_title(date: str | None, place: str | None) -> str:
    """When and where a game was played, in one line; nothing where neither is known."""
    return ", ".join(part for part in (date, place) if part)


def _worth_telling(result: Score) -> Iterator[tuple[str, str]]:
    """Categories whose arithmetic says more than their points do, with the sum where there is one."""
    for category, how in result.arithmetic.items():
        points = result.points[category]
        if how not in {NONE, NOT_KNOWN, f"{points} GC", f"{points}"}:
            yield category, joined("", (how, f" = {points}")) if re.search(r" [+x] |\d[-+*x]\d", how) else how
