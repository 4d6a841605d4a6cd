"""Work that somebody waits for, shown with how far it has come: photos read, turns thought about, set-ups shuffled.

A job goes on while nobody looks, and lives as long as the server does.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from companion.errors import CompanionError
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, say
from companion.system.progress import TellShare
from companion.web.store.live_events import Event, EventHub
from companion.web.store.worker import UNFORESEEN, TooManyJobsError

_LOG = logging.getLogger(__name__)

FAULT_LASTS_S = 5.0
"""How long a fault is the answer, until all phones that wait have seen it."""

MAX_PAGE_JOBS = 60
"""Jobs with a page of their own that are remembered."""

Result = TypeVar("Result")
Work = Callable[[TellShare], Awaitable[Result]]
"""Does a job, telling how far it has come."""


@dataclass(slots=True)
class Job(Generic[Result]):
    """A job: its `share` (0 to 1) and what it is `doing`; in the end its `result`, or the `fault` why there is none.

    `ended_s` is when that was, by the clock of the loop; `is_put_off` is a job that was not begun for want of room.
    """

    share: float = 0.0
    doing: str = say("waiting for its turn")
    result: Result | None = None
    fault: str = ""
    ended_s: float | None = None
    is_put_off: bool = False
    task: asyncio.Task[None] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether there is a result, or none to come."""
        return self.ended_s is not None

    @property
    def may_be_repeated(self) -> bool:
        """Whether it failed, and all pages that wait for it have seen that."""
        now = asyncio.get_running_loop().time()
        return bool(self.fault) and now - (self.ended_s or now) >= FAULT_LASTS_S


def start(
    work: Work[Result], hub: EventHub, topic: str, *, ended: str = "done", tells_progress: bool = True
) -> Job[Result]:
    """Begin a job; pages that listen to `topic` are told how far it has come, and with the event `ended` of its end."""
    job: Job[Result] = Job()

    def tell(share: float, doing: str) -> None:
        job.share, job.doing = share, doing
        if tells_progress:
            hub.publish(topic, "progress", None)

    async def run() -> None:
        try:
            job.result = await work(tell)
        except CompanionError as error:
            job.fault, job.is_put_off = str(error), isinstance(error, TooManyJobsError)
        except Exception:
            # Nobody must wait for ever.
            job.fault = UNFORESEEN
            _LOG.exception("a job could not be done")
        finally:
            job.ended_s = asyncio.get_running_loop().time()
            hub.publish(topic, ended, None)

    job.task = asyncio.create_task(run())
    return job


def progress_events(job: Job[Result], hub: EventHub, topic: str, language: str) -> StreamingResponse:
    """How far a job has come, as it comes."""

    async def events() -> AsyncIterator[bytes]:
        async for event in hub.subscribe(topic, Event("progress", None)):
            if job.has_ended:
                yield Event("done", None).to_bytes()
                return
            if event.startswith(b"event: progress\n"):
                progress = {"share": round(job.share, 3), "say": translate(job.doing, language)}
                yield Event("progress", progress).to_bytes()
            else:
                yield event

    return event_stream(events())


def event_stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    """An answer that goes on with an event now and then."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


class ResultCache(Generic[Result]):
    """Results of one kind in memory, by random keys; `most` are kept, the oldest are dropped first."""

    def __init__(self, most: int, gone: Phrase) -> None:
        self._most = most
        self._gone = gone
        self._results: OrderedDict[str, Result] = OrderedDict()

    def put(self, result: Result, key: str = "") -> str:
        """Keep a result, and give its key."""
        key = key or secrets.token_urlsafe(9)
        self._results[key] = result
        while len(self._results) > self._most:
            self._results.popitem(last=False)
        return key

    def get(self, key: str) -> Result:
        """The result of a key. Raises HTTPException, with the words `gone`, if it is gone, or never was."""
        if key not in self._results:
            raise HTTPException(410, self._gone)
        return self._results[key]


@dataclass(slots=True)
class PageJob:
    """A job whose page leads on to the address that is its result: `title` says what it does, `back` where it began."""

    title: Phrase
    back: str
    job: Job[str]


class PageJobs(ResultCache[PageJob]):
    """All jobs with a page of their own."""

    def __init__(self, hub: EventHub) -> None:
        super().__init__(MAX_PAGE_JOBS, say("This is no longer available: start it again."))
        self._hub = hub

    def begin(self, title: Phrase, work: Work[str], *, back: str) -> str:
        """Begin a job; the address of its page."""
        key = secrets.token_urlsafe(9)
        return "/jobs/" + self.put(PageJob(title, back, start(work, self._hub, key)), key)
