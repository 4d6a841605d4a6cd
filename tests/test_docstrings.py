"""The examples in docstrings: each is run as it stands."""

from __future__ import annotations

import doctest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pytest import Subtests

PACKAGE = Path(__file__).resolve().parents[1] / "companion"
TRAINING = PACKAGE / "lab" / "training"
"""Only who trains networks has PyTorch."""


def test_examples_give_what_they_say(subtests: Subtests) -> None:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if "\n    >>> " in path.read_text(encoding="utf-8")]
    assert len(paths) > 20
    for path in paths:
        if TRAINING in path.parents and find_spec("torch") is None:
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        with subtests.test(name):
            failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
            assert tried > 0 and failed == 0
