"""`companion doctor`: what is there and what is missing on this machine, each with its remedy."""

from __future__ import annotations

import os
import sys

import typer

from companion.cli.options import AsJson
from companion.cli.output import print_json
from companion.errors import ExitStatus


def doctor(as_json: AsJson = False) -> None:
    """Check what is installed and what is missing on this machine, and what to do about it.

    Example: companion doctor
    """
    from companion.cli.views.findings_view import findings_document, print_findings
    from companion.health import State, examine

    findings = list(examine(os.environ, sys.stdout))
    if as_json:
        print_json(findings_document(findings))
    else:
        print_findings(findings)
    if any(finding.state is State.MISSING for finding in findings):
        raise typer.Exit(int(ExitStatus.MISSING))
