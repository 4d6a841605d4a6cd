"""`companion doctor`: what is there and what is missing on this machine, each with its remedy."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from companion.cli.locale import translate
from companion.cli.options import AsJson
from companion.cli.output import console, print_json
from companion.errors import ExitStatus
from companion.language.phrase import joined, say, say_as

if TYPE_CHECKING:
    from companion.health import Finding

_PARTS = {
    "program": say_as("part", "program"),
    "photos": say_as("part", "photos"),
    "prints": say_as("part", "prints"),
    "phones": say_as("part", "phones"),
    "terminal": say_as("part", "terminal"),
}


def doctor(as_json: AsJson = False) -> None:
    """Check what is installed and what is missing on this machine, and what to do about it.

    Example: companion doctor
    """
    from companion.health import State, examine

    findings = list(examine(os.environ, sys.stdout))
    lacks = any(finding.state is State.MISSING for finding in findings)
    if as_json:
        print_json({"ok": not lacks, "checks": list(map(asdict, findings))})
    else:
        _print(findings)
    if lacks:
        raise typer.Exit(int(ExitStatus.MISSING))


def _print(findings: Sequence[Finding]) -> None:
    """Print what was found, part by part, and then what to do."""
    from rich.text import Text

    from companion.cli.views.tables import facts
    from companion.health import State

    marks = {
        State.OK: Text(translate(say("ok")), style="green"),
        State.LIMITED: Text(translate(say("! limited")), style="yellow"),
        State.MISSING: Text(translate(say("x missing")), style="bold red"),
    }
    rows, part = [], ""
    for finding in findings:
        heading = "" if finding.part == part else _PARTS.get(finding.part, "")
        part = finding.part
        rows.append((heading, finding.name, marks[finding.state], Text(translate(finding.found), overflow="fold")))
    remedies = [(finding.name, finding.remedy) for finding in findings if finding.remedy]
    out = console()
    out.print(facts(rows))
    out.print()
    names = {state: joined(", ", [one.name for one in findings if one.state is state]) for state in State}
    if missing := names[State.MISSING]:
        summary = say("Something required is missing: {missing}.", missing=missing)
    elif limited := names[State.LIMITED]:
        summary = say("Everything required is there; limited: {limited}.", limited=limited)
    else:
        summary = say("Everything is there.")
    out.print(Text(translate(summary)))
    if remedies:
        out.print(say("\nWhat to do:"))
        out.print(facts(remedies))
