"""Which test is about which clause of the rules: docs/rules-coverage.md, made from the tests' own names.

`python -m tests.rules.clauses` writes the page anew. A test names the clauses that it is about in its
name or in the id of its case: `test_5_4_...`, `test_rules_10_2_...`, `[11.8 ...]`; `ruling` after the
number says that it is about the ruling; a djinn's test names the djinn after 11.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.notation.names import fold
from companion.rules.engine.djinns import EVERY_DJINN

PAGE = Path(__file__).parents[2] / "docs" / "rules-coverage.md"

_LAST = {1: 6, 2: 7, 3: 4, 4: 8, 5: 6, 6: 5, 7: 1, 8: 1, 9: 3, 10: 7, 11: 12, 12: 2}
CLAUSES = [f"{chapter}.{number}" for chapter, last in _LAST.items() for number in range(1, last + 1)]
"""Every numbered clause of the rules."""

RULINGS = ["3.4 ruling", "4.5 ruling", "5.4 ruling", "9.2 ruling", "11 ruling"]
"""Rulings within clauses; the clauses 11.1 to 11.12 are rulings themselves."""

DJINNS = [f"11 {name}" for name in EVERY_DJINN]
"""The table of djinns, and the promo djinn, which the rules do not list."""

ROWS = [*CLAUSES[: CLAUSES.index("11.1")], "11", *DJINNS, *CLAUSES[CLAUSES.index("11.1") :], *RULINGS]

_NUMBER = re.compile(r"(?<![0-9.])(1[0-2]|[1-9])[._](1[0-2]|[1-9])(?![0-9])(_ruling)?")


def clauses_of(node: str) -> set[str]:
    """The clauses that a test is about, by its id ("tests/...::test_5_4_...[...]")."""
    name = node.split("::", 1)[1].removeprefix("test_").replace("rules_", "")
    found = set()
    for number in _NUMBER.finditer(name):
        clause = f"{number[1]}.{number[2]}"
        if clause in CLAUSES:
            found.add(clause)
            if number[3]:
                found.add(f"{clause} ruling")
    if name.startswith("11_ruling"):
        found.add("11 ruling")
    words = "".join(character for character in fold(name) if character.isalnum())
    if name.startswith(("11", "promo")) or "test_scoring" in node or "test_djinn_events" in node:
        found.update(f"11 {djinn}" for djinn in EVERY_DJINN if fold(djinn).replace("-", "") in words)
    return found or ({"11"} if name.startswith("11_") else set())


def collected() -> list[str]:
    """The ids of all tests of the rules, without running one."""

    class Collector:
        nodes: list[str] = []

        def pytest_collection_finish(self, session: pytest.Session) -> None:
            self.nodes = [item.nodeid for item in session.items]

    collector = Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", str(Path(__file__).parent)], plugins=[collector])
    return collector.nodes


def named_by_clause(nodes: Iterable[str]) -> dict[str, list[str]]:
    """The names of test functions by row of the table, each once, in order."""
    rows: dict[str, dict[str, None]] = {row: {} for row in ROWS}
    for node in nodes:
        for clause in clauses_of(node):
            path, function = node.split("[", 1)[0].split("::", 1)
            rows[clause][f"{Path(path).name}::{function}"] = None
    return {row: list(names) for row, names in rows.items()}


def page(rows: dict[str, list[str]]) -> str:
    """The page as Markdown."""
    lines = [
        "# Which test is about which clause",
        "",
        "Made from the names of the tests in `tests/rules` by `python -m tests.rules.clauses`; a test compares it.",
        "The twin in `tests/rules/twin` plays all of it a second time, from the rules alone, and must agree.",
        "",
        "| rules | tests |",
        "|---|---|",
    ]
    lines += [f"| {row} | {'<br>'.join(f'`{name}`' for name in names)} |" for row, names in rows.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(named_by_clause(collected())), encoding="utf-8")
