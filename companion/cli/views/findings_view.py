"""What is there and what is missing on a machine: in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.text import Text

from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.views.tables import facts
from companion.health import Finding, State
from companion.language.phrase import joined, say, say_as

_PARTS = {
    "program": say_as("part", "program"),
    "photos": say_as("part", "photos"),
    "prints": say_as("part", "prints"),
    "phones": say_as("part", "phones"),
    "terminal": say_as("part", "terminal"),
}


def findings_document(findings: Sequence[Finding]) -> dict[str, object]:
    """What `--json` prints: each finding, and whether all that is needed is there."""
    return {
        "ok": all(finding.state is not State.MISSING for finding in findings),
        "checks": [asdict(finding) for finding in findings],
    }


def print_findings(findings: Sequence[Finding]) -> None:
    """Print what was found, part by part, and then what to do."""
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
    out.print(Text(translate(_summary(findings))))
    if remedies:
        out.print(say("\nWhat to do:"))
        out.print(facts(remedies))


def _summary(findings: Sequence[Finding]) -> str:
    names = {state: joined(", ", [one.name for one in findings if one.state is state]) for state in State}
    if missing := names[State.MISSING]:
        return say("Something required is missing: {missing}.", missing=missing)
    if limited := names[State.LIMITED]:
        return say("Everything required is there; limited: {limited}.", limited=limited)
    return say("Everything is there.")
