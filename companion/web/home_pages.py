"""The first page, the phone's language and seat, and the files that pages load."""

from __future__ import annotations

import asyncio
import mimetypes

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import UnusableInputError
from companion.history.kept import KeptGame
from companion.language.choice import known_language
from companion.language.phrase import Phrase, say
from companion.rules.model.components import Colour
from companion.web.guard import set_session_cookie
from companion.web.languages import LANGUAGE_COOKIE
from companion.web.responder import Responder, own_path, session_of
from companion.web.services import Services
from companion.web.sessions import COOKIE_AGE_S
from companion.web.setup_form import SetUpForm
from companion.web.templating import ASSETS, asset_checksum
from companion.web.uploads import sent_form

MAX_GAMES_SHOWN = 60


def home_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _HomePages(responder)
    return [
        Route("/", pages.home),
        Route("/language", pages.language, methods=["POST"]),
        Route("/seat", pages.seat, methods=["POST"]),
        Route("/assets/{name}", pages.asset),
        Route("/favicon.ico", pages.favicon),
    ]


class _HomePages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def home(self, request: Request) -> Response:
        context = await asyncio.to_thread(home_context, self._services)
        return self._responder.page(request, "home.html", context, asked=SetUpForm())

    async def language(self, request: Request) -> Response:
        async with sent_form(request) as form:
            chosen, path = known_language(str(form.get("language", ""))), own_path(str(form.get("path", "/")))
        answer = self._responder.go_on(request, path)
        if chosen is not None:
            answer.set_cookie(LANGUAGE_COOKIE, chosen, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="strict")
        return answer

    async def seat(self, request: Request) -> Response:
        async with sent_form(request) as form:
            wanted, path = str(form.get("seat", "")), own_path(str(form.get("path", "/")))
        if wanted and wanted not in set(Colour):
            raise UnusableInputError(say("there is no seat of that colour"))
        answer = self._responder.go_on(request, path)
        # What was to be said to the seat before is not for this one.
        self._services.toasts.pop(session_of(request).device, None)
        session = session_of(request).at(Colour(wanted) if wanted else None)
        set_session_cookie(answer, self._services.cookie, session, self._services.key)
        return answer

    async def favicon(self, request: Request) -> Response:
        """The icon of what is no page and names none, such as a picture or a PDF."""
        return self._responder.go_on(request, "/assets/icon-192.png")

    async def asset(self, request: Request) -> Response:
        """A file that pages load.

        Its address in a page changes with it, so that phones may keep it; where another file names it (a module, the
        manifest) they ask whether it is still the same.
        """
        known = await asyncio.to_thread(lambda: {path.name: path for path in ASSETS.iterdir() if path.is_file()})
        path = known.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        checksum = asset_checksum(path.name)
        is_dated = request.query_params.get("v") == checksum
        headers = {
            "Cache-Control": "private, max-age=31536000, immutable" if is_dated else "private, no-cache",
            "ETag": f'"{checksum}"',
        }
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        content = await asyncio.to_thread(path.read_bytes)
        return Response(content, media_type=kind, headers=headers)


_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What browsers insist on, whatever the system's own list says."""


def home_context(services: Services) -> dict[str, object]:
    """What the first page shows besides its forms: the latest games, and what happened to their file."""
    history = services.history
    games = [listed_game(game) for game in history.games(most=MAX_GAMES_SHOWN)]
    return {"games": games, "file_told": history.notices}


def listed_game(game: KeptGame) -> dict[str, object]:
    """A game as it stands in a list of games."""
    return {
        "key": game.key,
        "started": game.date,
        "place": game.place,
        "players": list(game.players.items()),
        "points": {colour: result.total for colour, result in game.results.items()},
        "winners": game.winners,
        "stage": _stage(game),
    }


def _stage(game: KeptGame) -> Phrase | None:
    return say("finished") if game.finished is not None else None
