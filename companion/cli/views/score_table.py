"""The score as a person reads it: a table of points, the winner, and how each category was counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.cli.dialogue.asking import player_name
from companion.cli.output import console
from companion.rules.engine.scoring import CATEGORIES, Score, winners
from companion.rules.model.components import Colour

STYLES: dict[Colour, str] = {
    Colour.BLACK: "bold",
    Colour.ORANGE: "bold dark_orange",
    Colour.BLUE: "bold blue",
    Colour.PINK: "bold magenta",
}


def print_scores(scores: Mapping[Colour, Score], names: Mapping[Colour, str], *, complete: bool) -> None:
    """Print the scores on standard output.

    `complete` says that nothing that counts is unknown; otherwise the total is a lower bound and nobody has won yet.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    best = winners(scores)
    table = Table(box=box.SIMPLE, show_footer=True, show_edge=False, pad_edge=False)
    table.add_column("VP", footer="total")
    for colour, result in scores.items():
        heading = Text(f"{names[colour]}\n{colour}" if names.get(colour) else str(colour), style=STYLES[colour])
        mark = "* " if colour in best and len(scores) > 1 else ""
        table.add_column(heading, footer=Text(mark + str(result.total), style="bold"), justify="right")
    for category in CATEGORIES:
        cells = [
            "?" if result.arithmetic[category] == "not known" else str(result.points[category])
            for result in scores.values()
        ]
        table.add_row(category, *cells)
    counted = Table.grid(padding=(0, 2))
    for colour, result in scores.items():
        for place, (category, how) in enumerate(_worth_telling(result)):
            if place == 0 and counted.row_count:
                counted.add_row()
            who = Text(names.get(colour) or str(colour), style=STYLES[colour]) if place == 0 else ""
            counted.add_row(who, category, Text(how))
    out = console()
    out.print()
    out.print(table)
    out.print()
    out.print(Text(verdict(scores, names, complete=complete)))
    if counted.row_count:
        out.print()
        out.print(counted)


def verdict(scores: Mapping[Colour, Score], names: Mapping[Colour, str], *, complete: bool) -> str:
    """One sentence about who wins, or who is ahead while something is unknown (rules 9.3)."""
    best = winners(scores)
    total = scores[best[0]].total
    who = [player_name(colour, names) for colour in best]
    if len(scores) == 1:
        return f"{who[0]} has {total} points{'' if complete else ' in what is known'}."
    if len(best) > 1:
        together = f"{', '.join(who[:-1])} and {who[-1]}"
        verb = "share the win" if complete else "are level in what is known"
        return f"* {together} {verb} with {total} points each."
    ahead = total - max(result.total for colour, result in scores.items() if colour not in best)
    if complete:
        return f"* {who[0]} wins with {total} points, {ahead} ahead."
    return f"* {who[0]} leads in what is known with {total} points, {ahead} ahead."


def _worth_telling(result: Score) -> Iterator[tuple[str, str]]:
    """Categories whose arithmetic says more than their points do, with the sum where there is one."""
    for category, how in result.arithmetic.items():
        points = result.points[category]
        if how not in {"none", "not known", f"{points} GC", f"{points}"}:
            yield category, f"{how} = {points}" if re.search(r" [+x] |\d[-+*x]\d", how) else how
