"""A command run as a user runs it, and what it prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.cli.main import main

Capsys = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


class Printed(NamedTuple):
    """What a command printed."""

    out: str
    err: str


def ran(capsys: Capsys, words: Sequence[str], status: int = 0) -> Printed:
    """What was printed up to the end of a command, which ends with that status."""
    assert main(words) == status
    return Printed(*capsys.readouterr())


def printed_json(capsys: Capsys, words: Sequence[str], status: int = 0) -> Any:
    """The document that a command prints with --json."""
    return json.loads(ran(capsys, [*words, "--json"], status).out)


def written(path: Path, text: str) -> str:
    """The name of a file, once the text is in it."""
    path.write_text(text, encoding="utf-8")
    return str(path)
