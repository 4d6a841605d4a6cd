"""Several phones at once at a real server: the short form of `python -m tests.web.load`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.web.load import crowd, percentile
from tests.web.test_serve import served


@pytest.mark.slow
def test_phones_at_once_get_whole_pages(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        found = asyncio.run(crowd(server, phones=6, senders=0, seconds=3.0))
    assert found.faults == []
    assert len(found.pages) >= 6 and found.memory > 0


def test_shares_of_times() -> None:
    assert [percentile([3.0, 1.0, 2.0, 4.0], share) for share in (0.5, 0.95, 1.0)] == [2.0, 4.0, 4.0]
