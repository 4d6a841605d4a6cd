"""The record that docs/records.md shows, played, and changed in places."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from companion.notation.records.lines import parse_record
from companion.notation.records.replay import Replayed, replay

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/records.md"
THREE_ROUNDS = Path(__file__).with_name("three_rounds.txt")
"""The same record as a file: three rounds of two players, left before the fourth."""

FIRST_MOVE = "blue: a2 > b2b > c2y > d2b; 2 builders: 4 GC; pass"
MARKET_TURN = "blue: e3 > d3w > c3y; 2 viziers; buy silk; sell silk: 1 GC"
REFILL = "refill: ivory, gold\n"


def played(text: str) -> Replayed:
    return replay(parse_record(text))


@cache
def example() -> str:
    """The record in the documentation."""
    found = re.search(r"^```record\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def changed(old: str, new: str) -> str:
    assert example().count(old) == 1
    return example().replace(old, new)
