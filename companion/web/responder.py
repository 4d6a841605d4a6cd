"""What all pages have in common: their language, the phone's seat, a sentence left over from the page before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from companion.language.phrase import Phrase, say
from companion.table.seats import Seat, Spectator
from companion.web.languages import LANGUAGE_COOKIE, asked_language
from companion.web.services import Services
from companion.web.sessions import Session
from companion.web.templating import render

_SHOWN_ONLY = say("This table is only shown here; whoever started it lets nobody change it.")


@dataclass(frozen=True, slots=True)
class Responder:
    """Makes answers to requests, with what all of them need."""

    services: Services

    def page(
        self,
        request: Request,
        template: str,
        context: Mapping[str, object] = MappingProxyType({}),
        /,
        *,
        status: int = 200,
        **more: object,
    ) -> Response:
        """A page of a context, and of what stands beside it, in the language of the phone."""
        session = session_of(request)
        return HTMLResponse(
            render(
                template,
                page_language(request),
                **{
                    "seat": None if self.services.read_only else session.seat,
                    "read_only": self.services.read_only,
                    "path": path_of(request),
                    "toast": self._toast(request),
                    "fault": None,
                    **context,
                    **more,
                },
            ),
            status,
        )

    def _toast(self, request: Request) -> Phrase | None:
        """What is left over from the page before, for a page that somebody looks at and no script fetches."""
        if request.headers.get("sec-fetch-dest") == "empty":
            return None
        return self.services.toasts.pop(session_of(request).device, None)

    def go_on(self, request: Request, path: str, toast: Phrase | None = None) -> Response:
        """On to another page of this table, which a sentence is shown on once."""
        if toast is not None:
            self.services.toast(session_of(request).device, toast)
        return RedirectResponse(path, 303)

    def seat(self, request: Request) -> Seat:
        """Who looks: the seat of the phone that asks; where nothing may be changed nobody has one."""
        return Spectator.SPECTATOR if self.services.read_only else session_of(request).seat

    def check_open(self) -> None:
        """Raises HTTPException where nothing may be changed."""
        if self.services.read_only:
            raise HTTPException(403, _SHOWN_ONLY)


def session_of(request: Request) -> Session:
    """The phone that asks."""
    session: Session = request.state.session
    return session


def page_language(request: Request) -> str:
    """The language that the phone is spoken to in."""
    return asked_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))


def path_of(request: Request) -> str:
    """The address of the page asked for, within this table."""
    return quote(request.url.path) + (f"?{request.url.query}" if request.url.query else "")


def own_path(path: str) -> str:
    r"""An address that a form names, if it lies within this table; else the first page.

    >>> own_path("/games/x?level=2"), own_path("//elsewhere"), own_path("https://elsewhere"), own_path("/a\\b")
    ('/games/x?level=2', '/', '/', '/')
    """
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if plain and path.isprintable() and len(path) < 300 else "/"


def render_fault(request: Request, words: str, status: int) -> Response:
    """A page that says what is wrong and leads back."""
    session: Session | None = getattr(request.state, "session", None)
    parts = request.url.path.split("/")
    back = "/".join(parts[:3]) if parts[1:2] in (["games"], ["readings"]) and len(parts) > 3 else "/"
    context: dict[str, object] = {"seat": None if session is None else session.seat, "fault": words, "status": status}
    page = render("fault.html", page_language(request), **context, back=back, path="/", read_only=False, toast=None)
    return HTMLResponse(page, status)
