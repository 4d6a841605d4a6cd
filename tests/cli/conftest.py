"""What tests of commands share: a plain terminal, and a finished game in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ran import Patch
from tests.cli.scored import END


@pytest.fixture
def narrow_plain_terminal(monkeypatch: Patch) -> None:
    """A terminal of 80 columns without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def end(tmp_path: Path) -> str:
    """The path of a file with a finished game."""
    path = tmp_path / "end.toml"
    path.write_text(END, encoding="utf-8")
    return str(path)
