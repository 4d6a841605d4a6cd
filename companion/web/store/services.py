"""What the pages are made with: everything that has a state or touches the world, handed in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from companion.errors import CompanionError
from companion.history.database import History
from companion.language.phrase import Phrase, say
from companion.web.store.adviser import Adviser
from companion.web.store.clocks import TurnClocks
from companion.web.store.jobs import PageJobs, ResultCache
from companion.web.store.live_events import EventHub
from companion.web.store.sent_photos import SEE, PhotoJobs
from companion.web.store.sessions import COOKIE, SPECTATORS_COOKIE, RateLimit
from companion.web.store.uploads import Sendings
from companion.web.store.worker import Worker

READER_MEMORY = 3_000_000_000
"""Address space in bytes that the reader may have: reading the largest photo touches less than half of it."""

ADVISER_MEMORY = 2_000_000_000

MAX_UPLOADS, UPLOADS_S = 30, 60.0
"""How many forms with photos a minute are taken from one address."""

MAX_SCANS, MAX_HANDS = 60, 40
"""Photos of codes, and of what a player has, that are remembered; one of a hand takes some 0.3 MB."""

MAX_NOTICES = 200

BackgroundTask = Callable[["Services", int | None], Awaitable[int | None]]
"""What is done every second or so, with what it gave last."""

_PHOTO_GONE = say("This photo is no longer available: take a new one.")


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the next page of a phone; `change` is the revision of a game that it tells of, if it does."""

    words: Phrase
    change: int | None = None


@dataclass(slots=True)
class Services:
    """All that the server holds while it runs.

    `workers` are the process that looks at photos, and others. `now` gives times with their zone, `clock` seconds that
    only go up, `random` seeds of set-ups. `read_only` shows games and changes none. `notices` are for the next page of
    each phone, `address` is where other machines find the table, if they do, `background` what runs beside the pages,
    `scans` and `hands` what was found on photos that are not kept, `sendings` what forms led to.
    """

    key: str
    history: History
    photos: PhotoJobs
    adviser: Adviser
    hub: EventHub
    workers: tuple[Worker, ...]
    now: Callable[[], datetime]
    clock: Callable[[], float]
    random: Random
    read_only: bool = False
    address: str = ""
    background: tuple[BackgroundTask, ...] = ()
    notices: dict[str, Notice] = field(default_factory=dict)
    scans: ResultCache[Any] = field(default_factory=lambda: ResultCache(MAX_SCANS, _PHOTO_GONE))
    hands: ResultCache[Any] = field(default_factory=lambda: ResultCache(MAX_HANDS, _PHOTO_GONE))
    sendings: Sendings = field(default_factory=Sendings)
    jobs: PageJobs = field(init=False)
    clocks: TurnClocks = field(init=False)
    uploads: RateLimit = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = PageJobs(self.hub)
        self.clocks = TurnClocks(self.history, self.clock, may_write=not self.read_only)
        self.uploads = RateLimit(MAX_UPLOADS, UPLOADS_S, self.clock)

    @property
    def cookie(self) -> str:
        """The name of the cookie that lets a phone in again."""
        return SPECTATORS_COOKIE if self.read_only else COOKIE

    @property
    def reader(self) -> Worker:
        """The process that looks at photos."""
        return self.workers[0]

    @property
    def today(self) -> str:
        """The day, as records have it: 2026-02-14."""
        return self.now().date().isoformat()

    def notify(self, device: str, words: Phrase, change: int | None = None) -> None:
        """Keep a sentence for the next page of a phone, and which revision of a game it tells of."""
        self.notices[device] = Notice(words, change)
        while len(self.notices) > MAX_NOTICES:
            self.notices.pop(next(iter(self.notices)))

    def close(self) -> None:
        """End what runs beside, and let go of the history."""
        self.hub.close()
        with suppress(CompanionError):
            # Times since the last banking are lost where the file does not do as it should; nothing else is.
            self.clocks.save()
        for worker in self.workers:
            worker.close()
        self.history.close()


def table_services(*, photos: Path, see: str = SEE, **others: Any) -> Services:
    """Services with a process that reads photos and one that thinks, neither begun yet.

    `photos` is the folder where photos are kept, `see` what reads them; the others as in `Services`.
    """
    hub, workers = EventHub(), (Worker("reader", READER_MEMORY), Worker("adviser", ADVISER_MEMORY))
    jobs, adviser = PhotoJobs(photos, workers, hub, see=see), Adviser(workers[1], hub)
    return Services(photos=jobs, adviser=adviser, hub=hub, workers=workers, **others)
