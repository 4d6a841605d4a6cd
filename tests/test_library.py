"""The library as a stranger uses it: small, lazy, typed, named in one place, and readable."""

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


def test_every_public_name_is_there_and_documented(subtests: pytest.Subtests) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for name in companion.__all__:
        with subtests.test(msg=name):
            assert getattr(companion, name).__doc__ or name == "SQUARE_NAMES"
            assert name in dir(companion) and (f"`{name}`" in guide or name == "__version__")
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
