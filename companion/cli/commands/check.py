"""`companion check`: what is where, what is left in the box, and every fault of an impossible position."""

from __future__ import annotations

import typer

from companion.cli.inputs import opened_position, tell
from companion.cli.options import PositionInput
from companion.cli.output import note, print_json
from companion.errors import ExitStatus, fault_line
from companion.language.phrase import say, say_many
from companion.rules.engine.legality import missing_players, problems


def check(given: PositionInput) -> None:
    """Check a position against what's in the box: exit status 0 if it's possible, 5 if not.

    Example: companion check table.toml
    """
    opened = opened_position(given, checked=False)
    faults = problems(opened.position)
    if given.as_json:
        found = [{"where": fault.where, "rule": fault.rule, "message": fault.message} for fault in faults]
        print_json({"valid": not faults, "problems": found})
    else:
        from companion.cli.output import console
        from companion.cli.views.count_tables import count_tables

        screen = console()
        screen.print(count_tables(opened.position))
        for fault in faults:
            screen.print(fault_line(fault), style="bold red")
        verdict = say("This position is possible.")
        if faults:
            verdict = say_many(
                "This position is impossible: {count} problem.",
                "This position is impossible: {count} problems.",
                len(faults),
            )
        screen.print(verdict, style="bold")
    tell(opened)
    for sentence in missing_players(opened.position):
        note(sentence)
    if faults:
        raise typer.Exit(int(ExitStatus.IMPOSSIBLE))
