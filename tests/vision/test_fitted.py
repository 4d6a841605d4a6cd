"""The reader's constants: those that were fitted lie in one file with what they were fitted on, the others say why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import companion.vision
from companion.vision import fitted

FOLDER = Path(companion.vision.__file__).parent


def undocumented(path: Path) -> Iterator[str]:
    """The constants that are numbers, or tuples of some, in groups without blank lines that no string explains."""
    lines, group = path.read_text(encoding="utf-8").splitlines(), list[str]()
    for statement in ast.parse("\n".join(lines)).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            names = [one.id for one in ast.walk(statement) if isinstance(one, ast.Name)]
            value = statement.value
            kinds = {type(one) for one in ast.walk(value)}
            numbers = [one.value for one in ast.walk(value) if isinstance(one, ast.Constant)]
            plain = kinds <= {ast.Constant, ast.Tuple, ast.Load, ast.UnaryOp, ast.USub} and bool(numbers)
            if plain and all(isinstance(number, int | float) for number in numbers):
                group += [f"{path.name}: {name}" for name in names if name.isupper()]
            if statement.end_lineno == len(lines) or not lines[statement.end_lineno or 0]:
                yield from group
                group = []
        else:
            group = []


def test_every_number_says_why_it_is_so() -> None:
    assert [name for path in sorted(FOLDER.rglob("*.py")) for name in undocumented(path)] == []


def test_what_was_fitted_is_used_and_nowhere_else_defined() -> None:
    names = {name for name in vars(fitted) if name.isupper()}
    assert len(names) >= 30
    sources = {path: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py") if path.name != "fitted.py"}
    assert {name for name in names if not any(f"fitted.{name}" in source for source in sources.values())} == set()
    again = {name for source in sources.values() for name in names if f"\n{name} = " in source}
    assert again == set()
