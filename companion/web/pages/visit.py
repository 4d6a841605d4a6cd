"""One request to the table: who asks, in which language, from which seat, and how it is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.errors import ConflictError
from companion.language.choice import known_language
from companion.language.phrase import Phrase, say
from companion.rules.model.components import Colour
from companion.table.seats import Seat, Spectator
from companion.web.pages.templating import render
from companion.web.store.services import Services
from companion.web.store.sessions import Session
from companion.web.store.uploads import sent_form, sent_photos

LANGUAGE_COOKIE = "language"
_MAX_HEADER = 400
_MAX_PATH = 300

FETCHED = "x-requested-with"
"""The header by which this table's scripts say that they ask, and nobody looks at the answer; "form" where they go on
by themselves to what a form led to. Browsers' own Sec-Fetch-Dest doesn't come to a plain http:// address of a home
network.
"""

_SHOWN_ONLY = say("This table is only shown here; nobody can change it.")

NO_CONTEXT: Mapping[str, object] = MappingProxyType({})
CACHE_HEADERS = {"Cache-Control": "private, no-cache", "ETag": '"as-read"'}
"""The headers of a picture of a photo, which never changes: a phone asks whether it is still there."""


class Visit:
    """A request of a phone that was let in; `form` is what it sent, where it is a form."""

    form: FormData

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.session: Session = request.state.session
        self.language = page_language(request)

    @property
    def read_only(self) -> bool:
        """Whether the phone that asks only looks on."""
        return self.services.read_only or self.session.seat is Spectator.SPECTATOR

    @property
    def seat(self) -> Seat:
        """The seat of the phone that asks; where nothing may be changed nobody has one."""
        return Spectator.SPECTATOR if self.read_only else self.session.seat

    def param(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    def field(self, name: str) -> str:
        """A field of the form, "" if it is not there."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def fields(self) -> dict[str, str]:
        """All fields of the form; of those that are there several times, the last."""
        return {name: str(value) for name, value in self.form.items()}

    async def photos(self) -> list[bytes]:
        """The photos of a form, read here. Raises HTTPException where too many come, and what `sent_photos` raises."""
        self.check_open()
        address = self.request.client.host if self.request.client else ""
        if self.services.uploads.is_over(address):
            raise HTTPException(429, say("That's too many photos at once; wait a minute."))
        self.services.uploads.count(address)
        async with sent_form(self.request, photos=True) as form:
            return sent_photos(form)

    def page(
        self, template: str, context: Mapping[str, object] = NO_CONTEXT, /, *, fault: object = None, **more: object
    ) -> Response:
        """A page of a context, and of what stands beside it, in the language of the phone.

        `fault` are words or an error; with a fault the page's status is 409 for a ConflictError, else 422.
        """
        everywhere = {
            "seat": None if self.read_only else self.session.seat,
            "read_only": self.read_only,
            "path": quote(self.request.url.path) + (f"?{self.request.url.query}" if self.request.url.query else ""),
            "notice": None if FETCHED in self.request.headers else self.services.notices.pop(self.session.device, None),
            "fault": fault,
        }
        status = 200 if not fault else 409 if isinstance(fault, ConflictError) else 422
        return HTMLResponse(render(template, self.language, **{**everywhere, **context, **more}), status)

    def go_on(self, path: str, notice: Phrase | None = None, change: int | None = None) -> Response:
        """On to another page of this table, which shows a sentence once; `change` as in `Notice`."""
        if notice is not None:
            self.services.notify(self.session.device, notice, change)
        if self.request.headers.get(FETCHED) == "form":
            return Response(status_code=204, headers={"Location": path})
        return RedirectResponse(path, 303)

    def check_open(self) -> None:
        """Raises HTTPException where nothing may be changed."""
        if self.read_only:
            raise HTTPException(403, _SHOWN_ONLY)


VisitType = TypeVar("VisitType", bound=Visit)
Handler = Callable[[VisitType], Awaitable[Response]]


def get(path: str, handler: Handler[Any], visits: type[Visit] = Visit) -> Route:
    """The route of a page; `visits` are what its handler takes."""

    async def endpoint(request: Request) -> Response:
        return await handler(visits(request))

    return Route(path, endpoint)


def post(
    path: str, handler: Handler[Any], visits: type[Visit] = Visit, *, reads_form: bool = True, changes: bool = True
) -> Route:
    """The route of a form, answered once; without `changes` it is taken where nothing may be changed too."""

    async def endpoint(request: Request) -> Response:
        visit = visits(request)
        if changes:
            visit.check_open()
        if not reads_form:
            return await handler(visit)
        async with sent_form(request) as visit.form:
            return await visit.services.sendings.once(request.url.path, visit.form, lambda: handler(visit))

    return Route(path, endpoint, methods=["POST"])


def page_language(request: Request) -> str:
    """The language that the phone is spoken to in."""
    return asked_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))


def asked_language(chosen: str | None, header: str) -> str:
    """The language of `LANGUAGES` for a page; `chosen` on the phone, `header` is its Accept-Language.

    >>> asked_language(None, "fr;q=0.9, uk-UA;q=0.8, en;q=0.3"), asked_language("it", "ru"), asked_language("xx", "")
    ('uk', 'it', 'en')
    """
    if chosen and (language := known_language(chosen)) is not None:
        return language
    wishes = []
    for number, wish in enumerate(header[:_MAX_HEADER].split(",")):
        name, _, weight = wish.partition(";")
        if (language := known_language(name)) is not None:
            wishes.append((-_weight(weight), number, language))
    return min(wishes)[2] if wishes else "en"


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 1.0


def own_path(path: str) -> str:
    r"""An address that a form names, if it lies within this table; else the first page.

    >>> own_path("/games/x?level=2"), own_path("//elsewhere"), own_path("https://elsewhere"), own_path("/a\\b")
    ('/games/x?level=2', '/', '/', '/')
    """
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if plain and path.isprintable() and len(path) < _MAX_PATH else "/"


def render_fault(request: Request, words: str, status: int, *, back: str | None = None) -> Response:
    """A page that says what is wrong and leads `back`, or else to the page's game or reading."""
    session: Session | None = getattr(request.state, "session", None)
    parts = request.url.path.split("/")
    within = parts[1:2] in (["games"], ["readings"]) and len(parts) > 3
    context: dict[str, Any] = {
        "seat": session.seat if session is not None and isinstance(session.seat, Colour) else None,
        "fault": words,
        "status": status,
        "back": back or ("/".join(parts[:3]) if within else "/"),
        "path": "/",
        "read_only": False,
        "notice": None,
    }
    return HTMLResponse(render("fault.html", page_language(request), **context), status)


def picture(content: bytes | None, **headers: str) -> Response:
    """A picture of a photo, which a phone keeps only if `headers` say so. Raises HTTPException if there is none."""
    if content is None:
        raise HTTPException(404)
    return Response(content, media_type="image/jpeg", headers={"Cache-Control": "no-store"} | headers)


def cached_picture(request: Request, content: bytes | None) -> Response:
    """A picture that never changes; a phone asks whether it is still there before it shows it again."""
    if content is not None and request.headers.get("if-none-match") == CACHE_HEADERS["ETag"]:
        return Response(status_code=304, headers=CACHE_HEADERS)
    return picture(content, **CACHE_HEADERS)
