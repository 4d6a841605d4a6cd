"""Every kind of page is drawn as it was approved: each text, each shape, where it was and in its colours."""

from __future__ import annotations

import difflib

import pytest

from tests.printing.approved import FOLDER, PRINTS, drawn


@pytest.mark.parametrize("name", PRINTS)
def test_a_page_is_as_approved(name: str) -> None:
    approved = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(approved, drawn(PRINTS[name]()), "approved", "now", lineterm="", n=0))
    assert not difference, "\n".join(
        [*difference[:20], "Look at the page; if it is right: python -m tests.printing.approved"]
    )


def test_nothing_is_approved_that_is_not_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PRINTS)
