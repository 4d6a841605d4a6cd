"""Set-up cards and score sheets scanned: a photo of their code begins that game, or keeps that result."""

from __future__ import annotations

import asyncio
import threading

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.history.kept import GameKey
from companion.language.phrase import say
from companion.notation.outcome import Outcome
from companion.progress import TellShare
from companion.table.scanning import ScannedCodes
from companion.web.game_views import sent_number
from companion.web.responder import Responder
from companion.web.scans import PhotoForms, ResultCache
from companion.web.uploads import sent_form

SCAN = "companion.table.scanning:scan_codes"
"""What looks for codes, for a worker."""

MAX_SCANS = 60


def scan_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _ScanPages(responder)
    return [
        Route("/scans", pages.send, methods=["POST"]),
        Route("/scans/{scan}", pages.scan),
        Route("/scans/{scan}/results", pages.keep, methods=["POST"]),
    ]


class _ScanPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services
        self._forms = PhotoForms(responder)
        self._results: ResultCache[ScannedCodes] = ResultCache(MAX_SCANS)
        self._keeping = threading.Lock()

    async def send(self, request: Request) -> Response:
        """Photos of cards; the page of their codes comes when they are looked through."""
        photos = await self._forms.photos(request)

        async def look(tell: TellShare) -> str:
            found: ScannedCodes = await self._services.reader.run(SCAN, photos, tell=tell)
            return f"/scans/{self._results.put(found)}"

        job = self._services.jobs.begin(say("Looking for the code"), look, back="/")
        return self._responder.go_on(request, f"/jobs/{job.key}")

    async def scan(self, request: Request) -> Response:
        """What the codes tell; of several tables the one that was chosen by its number from 1."""
        key = request.path_params["scan"]
        found = self._results.get(key)
        chosen = sent_number(request.query_params.get("table"), say("the number of a code"))
        tables = found.tables
        if chosen is not None and 1 <= chosen <= len(tables):
            tables = (tables[chosen - 1],)
        table = tables[0] if len(tables) == 1 else None
        return self._responder.page(
            request,
            "scan.html",
            scan_key=key,
            tables=found.tables,
            table=table,
            outcome=None if table is None else found.outcome_of(table),
            results=list(enumerate(found.lone_outcomes, 1)),
        )

    async def keep(self, request: Request) -> Response:
        """Keep a result whose table no code tells; one that is kept already is not kept twice."""
        self._responder.check_open()
        found = self._results.get(request.path_params["scan"])
        async with sent_form(request) as form:
            number = sent_number(form.get("result"), say("the number of a code"))
        results = found.lone_outcomes
        if number is None or not 1 <= number <= len(results):
            raise HTTPException(404)
        new = await asyncio.to_thread(self._keep, results[number - 1])
        return self._responder.go_on(request, "/history", say("Kept.") if new else say("This result was kept before."))

    def _keep(self, outcome: Outcome) -> bool:
        history = self._services.history
        # A double tap sends it twice at once.
        with self._keeping:
            if history.has_outcome(outcome.text):
                return False
            key: GameKey = history.begin(outcome.text, summary="score")
            history.finish(key)
            return True
