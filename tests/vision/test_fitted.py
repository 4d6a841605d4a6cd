"""The reader's constants that were fitted lie in one file, and are used from there."""

from __future__ import annotations

from pathlib import Path

import companion.vision
from companion.vision import fitted

FOLDER = Path(companion.vision.__file__).parent


def test_what_was_fitted_is_used_and_nowhere_else_defined() -> None:
    names = {name for name in vars(fitted) if name.isupper()}
    assert len(names) >= 30
    sources = {path: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py") if path.name != "fitted.py"}
    assert {name for name in names if not any(f"fitted.{name}" in source for source in sources.values())} == set()
    again = {name for source in sources.values() for name in names if f"\n{name} = " in source}
    assert again == set()
