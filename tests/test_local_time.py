"""The time here, in any zone that a system may be set to, and in UTC where Python can make nothing of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.local_time import local, noon_of, now, today
from tests.cli.scored import ANNA_LINES, BORIS_LINES, type_in

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


@pytest.mark.parametrize("name", ["UTC+0300", "GMT+0200", "UTC-0500", "<x>+99", "UTC+24"])
def test_an_offset_of_a_day_or_more_is_utc(zone: Zone, name: str) -> None:
    zone(name)
    assert now().utcoffset() == timedelta(0)
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


@pytest.mark.parametrize("name", ["<+14>-14", "<-12>12", "UTC+0300"])
def test_days_at_the_edge_of_the_calendar_stay_in_it(zone: Zone, name: str) -> None:
    zone(name)
    for day in ("0001-01-01", "9999-12-31"):
        noon = noon_of(day)
        assert noon is not None and noon.date().isoformat() == day and noon.astimezone(UTC)
    for moment in (datetime.min, datetime.max):
        assert local(moment.replace(tzinfo=UTC)).year == moment.year
    assert [noon_of(day) for day in ("", "2026-02-30", "yesterday", "0000-01-01")] == [None] * 4


def test_commands_work_in_a_zone_that_cannot_be_used(
    zone: Zone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    zone("UTC+0300")
    record = tmp_path / "game.txt"
    type_in(monkeypatch, "quit")
    assert main(["play", str(record), "--players", "2", "--seed", "1"]) == 0
    assert f"date: {datetime.now(UTC).date()}" in record.read_text(encoding="utf-8")
    type_in(monkeypatch, "pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES)
    assert main(["score", "--ask", "--bgstats", "--json"]) == 0
    assert main(["history"]) == 0
    told = capsys.readouterr()
    assert "Anna" in told.out and "unforeseen" not in told.err
