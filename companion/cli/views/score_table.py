"""The score as a person reads it: a table of points, who has won or leads, and how each category was counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from companion.cli.output import console
from companion.rules.engine.result import GameResult
from companion.rules.engine.scoring import CATEGORIES, Score
from companion.rules.model.components import Colour

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
    table.add_column("VP", footer="total")
    scores = result.scores
    for colour, score in scores.items():
        heading = Text(f"{names[colour]}\n{colour}" if names.get(colour) else str(colour), style=STYLES[colour])
        mark = WON if colour in result.crowned and len(scores) > 1 else ""
        table.add_column(heading, footer=Text(mark + str(score.total), style="bold"), justify="right")
    for category in CATEGORIES:
        cells = [
            "?" if score.arithmetic[category] == "not known" else str(score.points[category])
            for score in scores.values()
        ]
        table.add_row(category, *cells)
    counted = Table.grid(padding=(0, 2))
    for colour, score in scores.items():
        for place, (category, how) in enumerate(_worth_telling(score)):
            if place == 0 and counted.row_count:
                counted.add_row()
            who = Text(names.get(colour) or str(colour), style=STYLES[colour]) if place == 0 else ""
            counted.add_row(who, category, Text(how))
    out = console()
    if title:
        out.print(Text(title, style="bold"))
    out.print()
    out.print(table)
    out.print()
    out.print(Text(verdict(result, names)))
    if counted.row_count:
        out.print()
        out.print(counted)


def player_name(colour: Colour, names: Mapping[Colour, str]) -> str:
    """How a player is spoken of: "Anna (pink)", or the colour where there is no name."""
    name = names.get(colour)
    return f"{name} ({colour})" if name else str(colour)


def verdict(result: GameResult, names: Mapping[Colour, str]) -> str:
    """One sentence about who has won, or who leads while the game goes on or something is unknown (rules 9.3)."""
    ahead = result.ahead
    total = result.scores[ahead[0]].total
    known = " in what is known" if result.unknown else ""
    going_on = "" if result.finished else "; the game is not over"
    mark = WON if result.crowned else ""
    who = listed([player_name(colour, names) for colour in ahead])
    if len(result.scores) == 1:
        return f"{who} has {total} points{known}{going_on}."
    if len(ahead) > 1:
        verb = "share the win" if result.crowned else f"are level{known}"
        return f"{mark}{who} {verb} with {total} points each{going_on}."
    by = total - max(score.total for colour, score in result.scores.items() if colour not in ahead)
    verb = "wins" if result.crowned else f"leads{known}"
    return f"{mark}{who} {verb} with {total} points, {by} ahead{going_on}."


def result_document(result: GameResult) -> dict[str, object]:
    """How a game stands, for JSON: the points, whether the game is over, and who has won or leads.

    `assumed` is there when something that counts is not known.
    """
    who = "winners" if result.finished else "leaders"
    document: dict[str, object] = {
        "players": {str(colour): {**score.points, "total": score.total} for colour, score in result.scores.items()},
        "finished": result.finished,
        who: [str(colour) for colour in result.ahead],
    }
    if result.unknown:
        document["assumed"] = list(result.unknown)
    return document


def record_title(date: str | None, place: str | None) -> str:
    """When and where a game was played, in one line; nothing where neither is known."""
    return ", ".join(part for part in (date, place) if part)


def _worth_telling(result: Score) -> Iterator[tuple[str, str]]:
    """Categories whose arithmetic says more than their points do, with the sum where there is one."""
    for category, how in result.arithmetic.items():
        points = result.points[category]
        if how not in {"none", "not known", f"{points} GC", f"{points}"}:
            yield category, f"{how} = {points}" if re.search(r" [+x] |\d[-+*x]\d", how) else how


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: "pink", "pink and blue", "pink, blue and black"."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
