"""What tests of commands share: a plain terminal, games in files, and a review without a search."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.advisor.search import reviewing
from tests.advisor.scripted_judge import ScriptedJudge
from tests.cli.ran import Patch, written
from tests.cli.scored import END
from tests.notation.examples import EXAMPLE_TOML


@pytest.fixture
def narrow_plain_terminal(monkeypatch: Patch) -> None:
    """A terminal of 80 columns without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def end(tmp_path: Path) -> str:
    """The path of a file with a finished game."""
    return written(tmp_path / "end.toml", END)


@pytest.fixture
def table(tmp_path: Path, narrow_plain_terminal: None) -> str:
    """The path of a file with the position of the documentation."""
    return written(tmp_path / "table.toml", EXAMPLE_TOML)


@pytest.fixture
def judged(monkeypatch: Patch) -> list[tuple[int, int]]:
    """Budgets and seeds that a review was asked with; a judge with values made by hand answers in place of a search."""
    made: list[tuple[int, int]] = []

    def judge(playouts: int, seed: int) -> ScriptedJudge:
        made.append((playouts, seed))
        return ScriptedJudge(noise=9.0)

    monkeypatch.setattr(reviewing, "SearchJudge", judge)
    monkeypatch.setenv("COLUMNS", "80")
    return made
