"""One direction of imports: each part of the package knows only those below it, and starts without heavy libraries."""

from __future__ import annotations

import ast
import operator
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from itertools import accumulate
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "companion"
SAMPLES = PROJECT / "samples"

FOUNDATION = "drawing errors inputs language resources storage system"
BELOW = {
    "system": "",
    "drawing": "",
    "language": "system",
    "errors": "language",
    "resources": "errors language",
    "inputs": "errors language",
    "arguments": "errors language",
    "storage": "errors language resources",
    "rules": "errors language",
    "notation": "errors language rules",
    "simulation": "errors language rules",
    "advisor": f"{FOUNDATION} arguments rules notation simulation",
    "vision": f"{FOUNDATION} rules notation",
    "tracking": f"{FOUNDATION} rules",
    "opening": f"{FOUNDATION} rules notation vision tracking",
    "history": f"{FOUNDATION} rules notation",
    "printing": f"{FOUNDATION} rules notation advisor history",
    "table": f"{FOUNDATION} arguments rules notation advisor vision tracking printing opening history",
    "asking": f"{FOUNDATION} rules notation advisor vision tracking printing opening history table",
    "web": f"{FOUNDATION} rules notation advisor vision tracking printing opening history table asking",
    "cli": f"{FOUNDATION} rules notation simulation advisor vision tracking printing opening history table asking web",
    "lab": f"{FOUNDATION} rules notation simulation advisor vision tracking printing opening history table asking cli",
    "__main__": "cli",
    "__init__": f"{FOUNDATION} arguments rules notation simulation advisor vision tracking printing opening table",
}
"""What each part may import besides itself."""

LAYERS = {
    "rules": "model | engine",
    "notation": "* | records",
    "vision": "* | locate | board | cards | reading",
    "advisor": "* | search",
    "printing": "core | score setup | cards hint | report",
    "web": "store | pages | server",
    "cli": "* | views | dialogue | inputs | searching | commands | app | main",
    "lab": "rendering arena | training fitting | world | accuracy | commands | __main__",
}
"""Inside a part its folders and files, lowest first; `*` is all that aren't named. Those of one layer stand apart."""

HEAVY = (
    "PIL bidi cv2 jinja2 numpy onnxruntime pikepdf platformdirs psutil pytesseract qrcode reportlab rich sqlite3 "
    "starlette uvicorn"
)
MAY_PRINT = {"cli", "lab"}


@dataclass(frozen=True, slots=True)
class Facts:
    """What tests ask of a file: the names it imports, and what it calls by plain names."""

    imported: frozenset[str]
    calls: frozenset[str]


def _imported(node: ast.AST) -> Iterator[str]:
    """Full names of what a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports name the package: no leading dots"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _called(node: ast.AST) -> Iterator[str]:
    """The name that a call is of, with that of its module, if it is so plain."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            yield f"{module}.{name}"


@cache
def _facts() -> dict[str, Facts]:
    """What is in every module of the package, by its full name."""
    facts = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("companion", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        facts[name] = Facts(
            frozenset(one for node in nodes if isinstance(node, ast.stmt) for one in _imported(node)),
            frozenset(one for node in nodes if isinstance(node, ast.Call) for one in _called(node)),
        )
    return facts


def _part(name: str) -> str:
    return (name.split(".")[1:] or ["__init__"])[0]


def _modules(names: frozenset[str]) -> set[str]:
    """The package's own modules among imported names, each of which may name something inside a module."""
    return {name if name in _facts() else name.rpartition(".")[0] for name in names} & _facts().keys()


def test_imports_go_one_way() -> None:
    allowed = {part: {part, *below.split()} for part, below in BELOW.items()}
    against = {
        (name, other)
        for name, facts in _facts().items()
        for other in _modules(facts.imported) - {"companion"}
        if _part(other) not in allowed[_part(name)]
    }
    assert against == set()


def _layer(name: str) -> tuple[int, str] | None:
    """The number of a module's layer inside its part, and the word that it goes by there."""
    part, inside = _part(name), name.split(".")[2:3]
    if part not in LAYERS or not inside:
        return None
    words = {word: number for number, layer in enumerate(LAYERS[part].split(" | ")) for word in layer.split()}
    word = inside[0] if inside[0] in words else "*"
    return words[word], word


def test_imports_go_one_way_inside_a_part() -> None:
    against = set()
    for name, facts in _facts().items():
        for other in _modules(facts.imported):
            upper, lower = _layer(name), _layer(other)
            if _part(name) == _part(other) and upper and lower and upper[1] != lower[1] and lower[0] >= upper[0]:
                against.add((name, other))
    assert against == set()
    assert {path.parents[1].name for path in PACKAGE.glob("*/*/__init__.py")} == set(LAYERS)


def test_nothing_imports_in_a_circle() -> None:
    try:
        TopologicalSorter({name: _modules(facts.imported) - {name} for name, facts in _facts().items()}).prepare()
    except CycleError as error:
        pytest.fail(f"imported in a circle: {' -> '.join(error.args[1])}")


def test_rules_need_the_standard_library_alone() -> None:
    imported = {
        name.split(".")[0] for module, facts in _facts().items() if _part(module) == "rules" for name in facts.imported
    }
    assert imported <= {*sys.stdlib_module_names, "companion"}


def test_every_package_that_is_imported_is_declared() -> None:
    """What another package brings along may be another one, or gone, with its next version."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split("[^a-z0-9-]", line.lower())[0] for line in project["dependencies"]}
    homes = {name: {home.lower().replace("_", "-") for home in of} for name, of in packages_distributions().items()}
    imported = {
        name.split(".")[0] for module, facts in _facts().items() if _part(module) != "lab" for name in facts.imported
    } - {*sys.stdlib_module_names, "companion"}
    assert {name for name in imported if not declared & homes.get(name, set())} == set()


def test_only_the_command_line_prints_and_leaves() -> None:
    leaving = {"print", "sys.exit", "exit", "input"}
    assert [name for name, facts in _facts().items() if facts.calls & leaving and _part(name) not in MAY_PRINT] == []


def _loaded(codes: Iterable[str], watched: set[str], folder: Path) -> list[set[str]]:
    """Which of the modules watched for are loaded after each piece of code, all run in one new process."""
    told = f"import sys; print('loaded', *sorted({watched!r} & set(sys.modules)))"
    lines = "\n".join(f"{code}; {told}" for code in codes)
    done = subprocess.run([sys.executable, "-c", lines], cwd=folder, capture_output=True, text=True, check=True)
    return [set(line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("loaded")]


def _command(words: str) -> str:
    return f"from companion.cli.main import main; assert main({words.split()!r}) == 0"


def test_heavy_libraries_wait_for_the_command_that_uses_them(tmp_path: Path) -> None:
    codes = ("import companion.notation.files, companion.advisor.explanation", "import companion.cli.app")
    *bare, helped = _loaded((*codes, _command("--version"), _command("--help")), set(HEAVY.split()), tmp_path)
    assert bare == [set()] * 3 and helped <= {"rich"}


NOT_IN_PRINTS = "numpy cv2 lxml babel reportlab.graphics companion.vision companion.simulation"
"""What no print needs that is drawn by itself, each of them tenths of a second to load."""

PRINTS: dict[str, set[str]] = {
    "cards -o c.pdf": set(),
    "kit -o k.pdf": set(),
    "setup --seed 7 -o s.pdf": {"qrcode"},
    f"score {SAMPLES / 'end.toml'} --pdf e.pdf": {"rich", "companion.asking", "companion.cli.dialogue"},
}
"""Commands that print, one after another, and what each of them loads besides."""


def test_a_print_loads_what_it_draws_with_and_no_more(tmp_path: Path) -> None:
    watched = {*HEAVY.split(), *NOT_IN_PRINTS.split(), "companion.asking", "companion.cli.dialogue"}
    loaded = _loaded(map(_command, PRINTS), watched, tmp_path)
    wanted = accumulate(PRINTS.values(), operator.or_, initial={"reportlab", "pikepdf", "PIL"})
    assert loaded == list(wanted)[1:]
