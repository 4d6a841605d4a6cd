"""The examples in docstrings: each is run as it stands."""

from __future__ import annotations

import doctest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "companion"
NEEDS_TORCH = "companion.lab.training."
"""PyTorch is for whoever trains networks: what needs it is tried only where it is installed."""


def modules_with_examples() -> list[str]:
    """Their whole names."""
    return sorted(
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
        if any(line.lstrip().startswith(">>> ") for line in path.read_text(encoding="utf-8").splitlines())
    )


def test_there_are_examples() -> None:
    assert len(modules_with_examples()) > 30


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_give_what_they_say(name: str) -> None:
    if name.startswith(NEEDS_TORCH) and find_spec("torch") is None:
        pytest.skip("PyTorch is not installed")
    failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried > 0 and failed == 0
