"""Time as the clock on the wall has it, in the system's zone; in UTC where the system has none that can be used.

Python refuses zones whose offset is a day or more, as of `TZ=UTC+0300`, which systems read as three hundred hours, and
times that a zone would move out of the years 1 to 9999.
"""

from __future__ import annotations

from datetime import UTC, datetime

_UNUSABLE = (ValueError, OverflowError, OSError)


def now() -> datetime:
    """The time here, with its zone."""
    return local(datetime.now(UTC))


def today() -> str:
    """The day here, as records have it: 2026-02-14."""
    return now().date().isoformat()


def local(moment: datetime) -> datetime:
    """A moment, a time with a zone, as it is told here."""
    try:
        return moment.astimezone()
    except _UNUSABLE:
        return moment


def noon_of(day: str) -> datetime | None:
    """Noon here of a day like 2026-02-14, a time that UTC has too; None for what is no day."""
    try:
        noon = datetime.fromisoformat(f"{day}T12:00:00")
    except ValueError:
        return None
    try:
        return noon.astimezone(UTC).astimezone()
    except _UNUSABLE:
        return noon.replace(tzinfo=UTC)
