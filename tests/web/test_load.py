"""Several phones at once at a real server: the short form of `python -m tests.web.load`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.web.load import Measured, broken_bounds, crowd, percentile
from tests.web.test_serve import served


@pytest.mark.slow
def test_phones_at_once_get_whole_pages(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        found = asyncio.run(crowd(server, phones=6, senders=0, seconds=3.0))
    assert found.faults == []
    assert len(found.pages) >= 6 and found.memory > 0


def test_shares_of_times() -> None:
    assert [percentile([3.0, 1.0, 2.0, 4.0], share) for share in (0.5, 0.95, 1.0)] == [2.0, 4.0, 4.0]


def test_bounds_are_those_of_pages_while_photos_are_read() -> None:
    quick, slow = [0.01] * 19, [0.01] * 18
    assert broken_bounds(Measured(pages=[9.0] * 20, meanwhile=[*quick, 9.0], memory=1400)) == []
    assert broken_bounds(Measured(pages=[0.01] * 99, meanwhile=[*slow, 9.0, 9.0])) == ["9000 ms for pages, not 200"]
    assert broken_bounds(Measured(pages=quick, memory=1600, faults=["x"])) == [
        "1600 MB of memory, not 1500",
        "1 faults",
    ]
