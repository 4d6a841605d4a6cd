"""The turn clock of a game: switched on and off, paused, and going on."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, say
from companion.web.game_views import requested_view, sent_number
from companion.web.responder import Responder
from companion.web.uploads import sent_form

MAX_LIMIT_MINUTES = 600

_TOLD: dict[str, Phrase] = {
    "on": say("The clock runs."),
    "off": say("The clock is off."),
    "pause": say("The clock is paused."),
    "go-on": say("The clock goes on."),
}


def clock_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    return [Route("/games/{key}/clock", _ClockPages(responder).set_clock, methods=["POST"])]


class _ClockPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def set_clock(self, request: Request) -> Response:
        """Do with the clock what a form says, and tell all phones."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            wanted = str(form.get("clock", ""))
            minutes = sent_number(form.get("limit"), say("the longest turn"))
        if wanted not in _TOLD:
            raise UnusableInputError(say("a clock is switched on or off, paused, or goes on"))
        limit = None if not minutes else 60 * min(minutes, MAX_LIMIT_MINUTES)
        clocks = self._services.clocks
        if wanted in ("on", "off"):
            await asyncio.to_thread(clocks.switch, seen.key, on=wanted == "on", limit_s=limit)
        else:
            await asyncio.to_thread(clocks.pause, seen.key, paused=wanted == "pause")
        self._services.hub.publish(seen.key, "clock", None)
        return self._responder.go_on(request, f"/games/{seen.key}", _TOLD[wanted])
