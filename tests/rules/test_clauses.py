"""Every clause of the rules has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

LAST = {1: 6, 2: 7, 3: 4, 4: 8, 5: 6, 6: 5, 7: 1, 8: 1, 9: 3, 10: 7, 11: 12, 12: 2}
"""The last clause of each chapter."""

NUMBER = re.compile(r"(?<![0-9.])(1[0-2]|[1-9])[._](1[0-2]|[1-9])(?![0-9])")


def test_every_clause_is_named_by_a_test() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    named = {tuple(map(int, number)) for source in sources for number in NUMBER.findall(source)}
    assert {(chapter, clause) for chapter, last in LAST.items() for clause in range(1, last + 1)} <= named
