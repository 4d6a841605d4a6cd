"""The library as a stranger uses it: small, lazy, typed, named in one place, and enough for the command line."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import companion

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "companion"
HEAVY = {"numpy", "cv2", "typer", "rich", "PIL", "reportlab", "qrcode", "pytesseract", "pillow_heif", "platformdirs"}
GUIDE = PROJECT / "docs" / "library.md"


def test_the_import_alone_loads_nothing() -> None:
    code = "import sys, companion; print(*sorted(name for name in sys.modules if name.split('.')[0] != 'companion'))"
    bare = "import sys, importlib, typing; print(*sorted(sys.modules))"
    loaded, before = (
        set(subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, check=True).stdout.split())
        for one in (code, bare)
    )
    assert not loaded & HEAVY
    assert loaded - before <= {"__future__"}


@pytest.mark.parametrize("name", companion.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    found = getattr(companion, name)
    assert name in dir(companion)
    if name != "__version__":
        assert found.__doc__
        assert f"`{name}`" in GUIDE.read_text(encoding="utf-8")


def test_a_name_that_is_not_there_is_said_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = companion.nonsense  # type: ignore[attr-defined]


def test_type_checkers_see_the_names_that_run() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    typed = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert typed == companion._HOME_OF


def test_the_guide_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    text = GUIDE.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert examples.count(">>>") > 20
    case = doctest.DocTestParser().get_doctest(examples, {}, "library.md", str(GUIDE), 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(case, out=told.append)
    assert not told, "".join(told)


def _is_public(module: str) -> bool:
    return any(module == public or module.startswith(f"{public}.") for public in companion.PUBLIC_MODULES)


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "cli").rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE / "cli"))
)
def test_the_command_line_imports_what_a_stranger_could(path: Path) -> None:
    own = {"companion.cli", "companion.lab"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("companion"):
            continue
        module = node.module or ""
        names = [alias.name for alias in node.names]
        if module == "companion":
            assert set(names) <= set(companion.__all__), names
        elif ".".join(module.split(".")[:2]) not in own:
            assert _is_public(module), f"line {node.lineno}: {module} is not public"
            assert not [name for name in names if name.startswith("_")], f"line {node.lineno}: {names}"


def test_public_modules_are_there_and_named_once() -> None:
    assert list(companion.PUBLIC_MODULES) == sorted(set(companion.PUBLIC_MODULES))
    for name in companion.PUBLIC_MODULES:
        place = PROJECT / name.replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").is_file(), name
