"""The direction of imports, and what a bare `--help` may cost."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent
SIBLINGS = {"advisor", "vision", "printing", "rendering"}
ALLOWED = {
    "errors": set(),
    "rules": {"errors"},
    "notation": {"errors", "rules"},
    **{name: {"errors", "rules", "notation", "resources"} for name in SIBLINGS},
    "training": {"errors", "rules", "notation", "resources", *SIBLINGS},
}
HEAVY = {"cv2", "numpy", "reportlab", "qrcode", "PIL", "pytesseract", "torch"}


def imported(path: Path) -> set[str]:
    """Modules that a file imports anywhere, "companion.rules.board" and the like."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_point_one_way(package: str) -> None:
    files = [ROOT / f"{package}.py"] if package == "errors" else sorted((ROOT / package).rglob("*.py"))
    assert files or package == "training"
    for path in files:
        own = {name.split(".")[1] for name in imported(path) if name.startswith("companion.")}
        assert own <= ALLOWED[package] | {package}, f"{path} imports {own}"


def test_rules_need_the_standard_library_alone() -> None:
    for path in sorted((ROOT / "rules").rglob("*.py")):
        foreign = {name.split(".")[0] for name in imported(path)} - set(sys.stdlib_module_names) - {"companion"}
        assert not foreign, f"{path} imports {foreign}"


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from companion.cli.main import main; assert main(['--help']) == 0;"
        f"loaded = {HEAVY!r} & set(sys.modules); assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, timeout=60)
