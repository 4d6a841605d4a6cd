"""The page that waits for a job, see `jobs`."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.web.events import Event
from companion.web.jobs import PageJob
from companion.web.responder import Responder, page_language

_NO_LONGER = say("This is no longer kept here: begin it once more.")


def job_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of the page that waits for a job."""
    pages = _JobPages(responder)
    return [Route("/jobs/{job}", pages.job), Route("/jobs/{job}/events", pages.events)]


class _JobPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def job(self, request: Request) -> Response:
        """How far a job has come, or on to its outcome."""
        job = self._found(request)
        if job.leads_to:
            return self._responder.go_on(request, job.leads_to)
        return self._responder.page(
            request, "job.html", status=422 if job.fault else 200, job=job, fault=job.fault or None
        )

    async def events(self, request: Request) -> Response:
        """How far a job has come, as it comes."""
        job = self._found(request)
        return StreamingResponse(
            self._progress(job, page_language(request)),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    async def _progress(self, job: PageJob, language: str) -> AsyncIterator[bytes]:
        async for line in self._services.hub.subscribe(job.key, Event("progress", None)):
            if job.has_ended:
                yield Event("done", None).to_bytes()
                return
            if line.startswith(b"event: progress\n"):
                told = {"share": round(job.share, 3), "say": translate(job.doing, language)}
                yield Event("progress", told).to_bytes()
            else:
                yield line

    def _found(self, request: Request) -> PageJob:
        job = self._services.jobs.find(request.path_params["job"])
        if job is None:
            raise HTTPException(410, _NO_LONGER)
        return job
