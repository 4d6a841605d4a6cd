"""The time here, in any zone that a system may be set to, and in UTC where Python can make nothing of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from companion.system.local_time import local, noon_of, now, today

Zone = Callable[[str], None]


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Zone]:
    """Sets the zone of this process, and takes it back."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone is the system's here")

    def use(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield use
    monkeypatch.undo()
    time.tzset()


def test_an_offset_of_a_day_or_more_is_utc(zone: Zone) -> None:
    for name in ("UTC+0300", "GMT+0200", "UTC-0500", "<x>+99", "UTC+24"):
        zone(name)
        assert now().utcoffset() == timedelta(0), name
        assert noon_of("2026-02-14") == datetime(2026, 2, 14, 12, tzinfo=UTC)
        assert local(datetime(2026, 11, 22, 20, 15, tzinfo=UTC)).hour == 20


def test_a_zone_that_can_be_used_is(zone: Zone) -> None:
    zone("CET-1CEST,M3.5.0,M10.5.0/3")
    assert local(datetime(2026, 7, 1, 22, 30, tzinfo=UTC)).isoformat() == "2026-07-02T00:30:00+02:00"
    assert noon_of("2026-02-14") == datetime(2026, 2, 14, 11, tzinfo=UTC)
    zone("<+14>-14")
    noon = noon_of("2026-02-14")
    assert noon is not None and noon.date().isoformat() == "2026-02-14" and noon.astimezone(UTC).day == 13
    assert today() == datetime.now().date().isoformat()


def test_days_at_the_edge_of_the_calendar_stay_in_it(zone: Zone) -> None:
    for name in ("<+14>-14", "<-12>12", "UTC+0300"):
        zone(name)
        for day in ("0001-01-01", "9999-12-31"):
            noon = noon_of(day)
            assert noon is not None and noon.date().isoformat() == day and noon.astimezone(UTC)
        for moment in (datetime.min, datetime.max):
            assert local(moment.replace(tzinfo=UTC)).year == moment.year
    assert [noon_of(day) for day in ("", "2026-02-30", "yesterday", "0000-01-01")] == [None] * 4
