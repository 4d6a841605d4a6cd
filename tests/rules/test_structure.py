"""The shape of the package as its import statements show it: no circles, and the model below the engine.

Every import counts: those inside functions and those for type checkers alone as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def module_name(path: Path) -> str:
    """The dotted name of a module's file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted((ROOT / "companion").rglob("*.py"))}


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules of the package that a file imports, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            # "from companion.rules.engine import rounds" imports a module, "from ... import NAME" a name of one.
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in MODULES else node.module


def imports() -> dict[str, set[str]]:
    """What each module of the package imports."""
    return {name: set(imported(ast.parse(path.read_text(encoding="utf-8")))) for name, path in MODULES.items()}


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of two or more modules that can all reach one another (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], order[other])
        if lowest[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1 or name in graph[name]:
                found.append(sorted(group))

    for name in graph:
        if name not in order:
            visit(name)
    return found


def test_circles_are_found_where_there_are_some() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"e"}}
    assert circles(graph) == [["a", "b", "c"], ["e"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_modules_import_one_another_in_a_circle() -> None:
    found = circles(imports())
    # A position may be a record, and a record begins with a position.
    assert [group for group in found if not all(name.startswith("companion.opening") for name in group)] == []


def test_the_model_knows_nothing_of_the_engine() -> None:
    for name, others in imports().items():
        if name.startswith("companion.rules.model"):
            assert not [other for other in others if other.startswith("companion.rules.engine")], name
