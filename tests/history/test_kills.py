"""The short form of `python -m tests.history.kills`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_whoever_is_killed_while_writing_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    # In a program of its own, as forking one that has threads is not safe.
    words = [sys.executable, "-m", "tests.history.kills", "12", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = re.fullmatch(r"12 kills, (\d+) answered changes, none lost\n", done.stdout)
    assert found is not None and int(found[1]) >= 12
