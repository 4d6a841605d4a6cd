"""One direction of imports: each part of the package knows only those below it, and starts without heavy libraries."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "companion"
SAMPLES = PROJECT / "samples"

FOUNDATION = {
    *(
        "errors",
        "inputs",
        "language",
        "palette",
        "resources",
        "programs",
        "progress",
        "storage",
        "installation",
        "local_time",
    ),
}
BELOW: dict[str, set[str]] = {
    "installation": set(),
    "errors": {"language"},
    "resources": {"errors", "language"},
    "language": {"installation"},
    "programs": set(),
    "progress": set(),
    "local_time": set(),
    "label_placement": set(),
    "palette": set(),
    "inputs": {"errors", "language"},
    "storage": {"errors", "language", "resources"},
    "rules": {"errors", "language"},
    "notation": {"errors", "language", "rules"},
    "simulation": {"errors", "language", "rules"},
    "advisor": {*FOUNDATION, "rules", "notation", "simulation"},
    "arena": {*FOUNDATION, "rules", "notation", "simulation", "advisor"},
    "vision": {*FOUNDATION, "label_placement", "rules", "notation"},
    "printing": {*FOUNDATION, "label_placement", "rules", "notation", "advisor", "history"},
    "opening": {*FOUNDATION, "rules", "notation", "vision"},
    "history": {*FOUNDATION, "rules", "notation"},
    "table": {*FOUNDATION, "rules", "notation", "advisor", "vision", "opening", "history"},
    "web": {
        *FOUNDATION,
        "rules",
        "notation",
        "advisor",
        "vision",
        "printing",
        "opening",
        "history",
        "table",
    },
    "health": {*FOUNDATION, "rules", "notation", "vision", "printing", "history"},
    "cli": {
        *FOUNDATION,
        "rules",
        "notation",
        "simulation",
        "advisor",
        "arena",
        "vision",
        "printing",
        "opening",
        "history",
        "table",
        "web",
        "health",
        "lab",
    },
    "lab": {*FOUNDATION, "rules", "notation", "simulation", "advisor", "arena", "vision", "printing"},
    "__main__": {"cli"},
    "__init__": {*FOUNDATION, "rules", "notation", "simulation", "advisor", "arena", "vision", "printing", "opening"},
}
"""What each part may import besides itself."""

HEAVY = (
    "cv2",
    "numpy",
    "pytesseract",
    "reportlab",
    "pikepdf",
    "bidi",
    "qrcode",
    "PIL",
    "rich",
    "platformdirs",
    "sqlite3",
    "torch",
    "starlette",
    "uvicorn",
    "jinja2",
    "psutil",
)
MAY_PRINT = {"cli", "lab"}


def _part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported(tree: ast.AST) -> Iterator[str]:
    """The full names of modules that a file imports, at its top and inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the package: no leading dots"
            module = node.module or ""
            # "from companion import x" names a part only with what follows.
            yield from (f"companion.{alias.name}" for alias in node.names) if module == "companion" else (module,)


FILES = sorted(PACKAGE.rglob("*.py"))


@dataclass(frozen=True, slots=True)
class Facts:
    """What tests ask of a file: kept instead of its tree, since all files' trees together take 200 MB."""

    imported: tuple[str, ...]
    """Full names of the modules that it imports."""
    named: tuple[str, ...]
    """The same with each name behind "import", which may be a module too."""
    for_types: frozenset[str]
    """Those of `named` that only a type checker imports."""
    classes: tuple[str, ...]
    calls: tuple[tuple[str, int], ...]
    """What is called by its plain name or out of a module, with the line."""


@cache
def _facts(path: Path) -> Facts:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    checked = [node for node in nodes if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return Facts(
        tuple(_imported(tree)),
        tuple(_named(nodes)),
        frozenset(_named(inner for node in checked for inner in ast.walk(node))),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        tuple((called, node.lineno) for node in nodes if isinstance(node, ast.Call) and (called := _called(node.func))),
    )


def _named(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # What is no module is a name inside the one before "import".
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _called(function: ast.expr) -> str:
    match function:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name(module), name):
            return f"{module}.{name}"
    return ""


def test_imports_go_one_way() -> None:
    against = set()
    for path in FILES:
        part = _part(path)
        for name in _facts(path).imported:
            package, _, rest = name.partition(".")
            if package == "companion" and not rest.startswith("__") and rest.split(".")[0] not in {part, *BELOW[part]}:
                against.add((str(path.relative_to(PACKAGE)), name))
    assert against == set()


LAYERS: dict[str, tuple[frozenset[str], ...]] = {
    "rules": (frozenset({"model"}), frozenset({"engine"})),
    "notation": (frozenset({"*"}), frozenset({"records"})),
    "vision": (
        frozenset({"*"}),
        frozenset({"locate"}),
        frozenset({"board"}),
        frozenset({"cards"}),
        frozenset({"reading"}),
    ),
    "advisor": (frozenset({"*"}), frozenset({"search"})),
    "arena": (frozenset({"bots"}), frozenset({"*"})),
    "printing": (
        frozenset({"core"}),
        frozenset({"score", "setup"}),
        frozenset({"cards", "hint"}),
        frozenset({"report"}),
    ),
    "cli": (
        frozenset({"*"}),
        frozenset({"views"}),
        frozenset({"dialogue"}),
        frozenset({"inputs"}),
        frozenset({"searching"}),
        frozenset({"commands"}),
        frozenset({"app"}),
        frozenset({"main"}),
    ),
    "lab": (
        frozenset({"rendering"}),
        frozenset({"accuracy", "training", "fitting"}),
        frozenset({"judging", "world"}),
        frozenset({"tiles"}),
        frozenset({"commands"}),
        frozenset({"__main__"}),
    ),
}
"""Inside a part: its folders and files, lowest first; `*` stands for all that are not named.

Those of one layer do not import one another.
"""

USERS_OF_THE_LAB: set[str] = set()


def _name(path: Path) -> str:
    return ".".join(("companion", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {_name(path): path for path in FILES}


@cache
def _graph(*, for_types: bool = True) -> dict[str, set[str]]:
    """For each module of the package those that it imports, inside functions too, and `for_types` alone."""
    graph: dict[str, set[str]] = {name: set() for name in MODULES}
    for name, path in MODULES.items():
        facts = _facts(path)
        for imported in facts.named:
            if for_types or imported not in facts.for_types:
                whole = imported if imported in MODULES else imported.rpartition(".")[0]
                graph[name] |= {whole} & set(MODULES)
    return graph


def _layer(part: str, name: str) -> tuple[int, str] | None:
    """The layer of a module inside its part, and the folder or file of the part that it belongs to."""
    inside = name.split(".")[2:]
    if not inside:
        return None
    for number, layer in enumerate(LAYERS[part]):
        if inside[0] in layer:
            return number, inside[0]
    return next(((number, "*") for number, layer in enumerate(LAYERS[part]) if "*" in layer), None)


def test_imports_go_one_way_inside_a_part() -> None:
    against = set()
    for part in LAYERS:
        for name, imported in _graph().items():
            own = _layer(part, name) if name.startswith(f"companion.{part}.") else None
            for other in imported:
                below = _layer(part, other) if other.startswith(f"companion.{part}.") else None
                if own is not None and below is not None and own[1] != below[1] and below[0] >= own[0]:
                    against.add((name.removeprefix("companion."), other.removeprefix("companion.")))
    assert against == set()


def test_every_part_with_folders_has_its_layers_named() -> None:
    for part, layers in LAYERS.items():
        folders = {path.name for path in (PACKAGE / part).iterdir() if path.is_dir() and any(path.glob("*.py"))}
        assert folders <= set().union(*layers), part
    assert {path.parents[1].name for path in PACKAGE.glob("*/*/__init__.py")} == set(LAYERS)


def test_nothing_imports_in_a_circle() -> None:
    graph = {name: imported - {name} for name, imported in _graph(for_types=False).items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"imported in a circle: {' -> '.join(error.args[1])}")


def test_only_two_commands_use_the_lab() -> None:
    for name, imported in _graph().items():
        uses_lab = any(f"{other}.".startswith("companion.lab.") for other in imported)
        if uses_lab and not name.startswith("companion.lab."):
            assert name in USERS_OF_THE_LAB


def test_no_class_name_stands_twice() -> None:
    places = defaultdict(list)
    for name, path in MODULES.items():
        for defined in _facts(path).classes:
            places[defined].append(name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_rules_need_the_standard_library_alone() -> None:
    imported = {name.split(".")[0] for path in (PACKAGE / "rules").rglob("*.py") for name in _facts(path).imported}
    assert imported <= {*sys.stdlib_module_names, "companion"}


def test_only_the_command_line_prints_and_leaves() -> None:
    calls = {
        (str(path.relative_to(PACKAGE)), line, called)
        for path in FILES
        if _part(path) not in MAY_PRINT
        for called, line in _facts(path).calls
    }
    assert {call for call in calls if call[2] in {"print", "sys.exit", "exit", "input"}} == set()


@pytest.mark.parametrize(
    "code",
    [
        "import companion.notation.files, companion.advisor.explanation",
        "import companion.cli.app",
        "from companion.cli.main import main; main(['--version'])",
    ],
)
def test_heavy_libraries_wait_for_the_command_that_uses_them(code: str) -> None:
    code += f"; import sys; print('loaded', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


def test_help_waits_for_no_library_of_a_command() -> None:
    drawn_by_rich = "import sys; from companion.cli.main import main; assert main(['--help']) == 0"
    code = f"{drawn_by_rich}; print('loaded', *sorted(set({HEAVY!r}) - {{'rich'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


DRAWING = {"reportlab", "pikepdf", "PIL"}
"""What every PDF is made with."""

NOT_IN_PRINTS = (
    "numpy",
    "cv2",
    "lxml",
    "babel",
    "reportlab.graphics",
    "companion.vision",
    "companion.simulation",
    "companion.arena",
    "companion.lab",
)
"""What no print needs that is drawn by itself, each of them tenths of a second to load."""

PRINTS: dict[str, set[str]] = {
    "sheet -o p.pdf": set(),
    "sheet --form -o p.pdf": set(),
    "cards -o p.pdf": set(),
    "kit -o p.pdf": set(),
    "setup --seed 7 -o p.pdf": {"qrcode"},
    f"score {SAMPLES / 'end.toml'} --pdf p.pdf": {"qrcode", "rich", "companion.cli.dialogue"},
}
"""Commands that print, and what each of them loads besides."""


@pytest.mark.parametrize("words", PRINTS, ids=lambda words: re.sub(r"\S*[./]\S*", "", words))
def test_a_print_loads_what_it_draws_with_and_no_more(words: str, tmp_path: Path) -> None:
    watched = {*HEAVY, *NOT_IN_PRINTS, "rich", "companion.cli.dialogue"}
    code = f"import sys; from companion.cli.main import main; assert main({words.split()!r}) == 0"
    code += f"; print('loaded', *sorted({watched!r} & set(sys.modules)))"
    code += "; print('commands', *(name for name in sys.modules if name.startswith('companion.cli.commands.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    *_, loaded, commands = done.stdout.splitlines()
    assert set(loaded.split()[1:]) == {*DRAWING, *PRINTS[words]}
    assert commands == f"commands companion.cli.commands.{words.split()[0]}"


def test_no_command_is_looked_for_that_is_not_there() -> None:
    from companion.cli.app import NAMES

    assert sorted(NAMES) == sorted(path.stem for path in (PACKAGE / "cli/commands").glob("[a-z]*.py"))
