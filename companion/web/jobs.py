"""Work that somebody waits for, shown with how far it has come: photos looked through, fair set-ups looked for.

A job goes on while nobody looks. Its page leads on to where its outcome is shown. Jobs live as long as the server does.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.language.phrase import Phrase, say
from companion.progress import TellShare
from companion.web.events import EventHub
from companion.web.worker import UNFORESEEN

MAX_JOBS = 60
"""Jobs remembered; the oldest that have ended are forgotten first."""

Work = Callable[[TellShare], Awaitable[str]]
"""Does a job, telling how far it has come, and gives the address of the page where its outcome is shown."""


@dataclass(slots=True)
class PageJob:
    """A job that a page waits for.

    `title` says what is being done and `back` where to go if it fails; `share` (0 to 1) and `doing` are how far it has
    come. In the end `leads_to` is the address of its outcome, or `fault` why there is none.
    """

    key: str
    title: Phrase
    back: str
    share: float = 0.0
    doing: str = ""
    leads_to: str = ""
    fault: str = ""
    task: asyncio.Task[None] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether there is an outcome, or none to come."""
        return bool(self.leads_to or self.fault)


class PageJobs:
    """All jobs, by keys that are drawn by lot."""

    def __init__(self, hub: EventHub) -> None:
        self._hub = hub
        self._jobs: dict[str, PageJob] = {}

    def begin(self, title: Phrase, work: Work, *, back: str) -> PageJob:
        """Begin a job."""
        job = PageJob(secrets.token_urlsafe(9), title, back, doing=say("waiting for its turn"))
        self._jobs[job.key] = job
        for old in [one.key for one in self._jobs.values() if one.has_ended][: max(0, len(self._jobs) - MAX_JOBS)]:
            del self._jobs[old]
        job.task = asyncio.create_task(self._do(job, work))
        return job

    def find(self, key: str) -> PageJob | None:
        """The job of that key; None if there is none, or none any more."""
        return self._jobs.get(key)

    async def _do(self, job: PageJob, work: Work) -> None:
        def tell(share: float, doing: str) -> None:
            job.share, job.doing = share, doing
            self._hub.publish(job.key, "progress", None)

        try:
            job.leads_to = await work(tell)
        except CompanionError as error:
            job.fault = str(error)
        except Exception:
            # Nobody must wait for ever; what it was goes to the log.
            job.fault = UNFORESEEN
            raise
        finally:
            self._hub.publish(job.key, "done", None)
