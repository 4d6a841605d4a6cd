"""One direction of imports: each part of the package knows only those below it, and starts without heavy libraries."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "companion"

FOUNDATION = {"errors", "inputs", "resources", "programs", "storage"}
BELOW: dict[str, set[str]] = {
    "errors": set(),
    "resources": {"errors"},
    "programs": set(),
    "inputs": {"errors"},
    "storage": {"errors", "resources"},
    "rules": {"errors"},
    "notation": {"errors", "rules"},
    "advisor": {*FOUNDATION, "rules", "notation"},
    "vision": {*FOUNDATION, "rules", "notation"},
    "printing": {*FOUNDATION, "rules", "notation"},
    "opening": {*FOUNDATION, "rules", "notation", "vision"},
    "health": {*FOUNDATION, "rules", "notation", "vision", "printing"},
    "cli": {*FOUNDATION, "rules", "notation", "advisor", "vision", "printing", "opening", "health", "lab"},
    "lab": {*FOUNDATION, "rules", "notation", "vision", "printing"},
    "__main__": {"cli"},
    "__init__": set(),
}
"""What each part may import besides itself."""

HEAVY = ("cv2", "numpy", "pytesseract", "reportlab", "qrcode", "PIL", "rich", "platformdirs", "torch")
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    part = _part(path)
    for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
        package, _, rest = name.partition(".")
        if package == "companion" and not rest.startswith("__"):
            assert rest.split(".")[0] in {part, *BELOW[part]}, f"{part} imports {name}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_need_the_standard_library_alone(path: Path) -> None:
    for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
        assert name.split(".")[0] in {*sys.stdlib_module_names, "companion"}, name


@pytest.mark.parametrize(
    "path", [path for path in FILES if _part(path) not in MAY_PRINT], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_only_the_command_line_prints_and_leaves(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in {"print", "sys.exit", "exit", "input"}, f"line {node.lineno}"


@pytest.mark.parametrize(
    "code",
    [
        "import companion.notation.files, companion.advisor.hint",
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
