"""Who is let in: the key once, then a cookie; the right host, requests from the own pages alone, headers that hold.

All that is answered goes through here, assets too. Without the key there is one sentence, and no word of what is there.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from companion.language.catalogue import translate
from companion.language.phrase import Phrase, say
from companion.web.languages import asked_language
from companion.web.sessions import (
    COOKIE_AGE_S,
    RateLimit,
    Session,
    is_key,
    new_session,
    read_session,
    sign_session,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEY_PATH = "/k/"

MAX_WRONG_KEYS, WRONG_KEYS_S = 10, 60.0
"""So many wrong keys a minute are looked at from one address."""

POLICY = (
    "default-src 'none'; img-src 'self' blob: data:; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": browsers then send the origin "null" with forms, which tells nothing of where they come from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
_SHUT = say("There is nothing here without the key of this table.")
_TOO_MANY = say("Too many wrong keys; try again in a minute.")
_FOREIGN = say("This came from another page, so nothing was changed.")
_WELCOME = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>→</title>'
    '<a href="/">→</a>\n'
)


class Guard:
    """Lets requests through to the table's app that may come in.

    `cookie` is the name of the cookie that a phone gets for the key; `names` are the names of this machine by which it
    may be called, besides any plain address; `clock` tells seconds.
    The session of the phone is in `request.state.session` afterwards.
    """

    def __init__(
        self, app: ASGIApp, *, key: str, cookie: str, names: Iterable[str], clock: Callable[[], float]
    ) -> None:
        self._app = app
        self._key = key
        self._cookie = cookie
        self._names = frozenset(name.lower() for name in names)
        self._wrong_keys = RateLimit(MAX_WRONG_KEYS, WRONG_KEYS_S, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused(scope, receive, _with_headers(send))
            return
        scope.setdefault("state", {})["session"] = self._session(headers)
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """What is answered to a request that does not come in; None for one that does."""
        language = asked_language(None, headers.get("accept-language", ""))
        address = scope["client"][0] if scope.get("client") else ""
        if not self._is_own_host(headers.get("host", "")):
            return _bare(_SHUT, 403, language)
        if self._wrong_keys.is_over(address) and (scope["path"].startswith(KEY_PATH) or not self._session(headers)):
            return _bare(_TOO_MANY, 429, language)
        if scope["path"].startswith(KEY_PATH):
            return self._with_key(scope["path"].removeprefix(KEY_PATH), address, headers, language)
        if self._session(headers) is None:
            return _bare(_SHUT, 403, language)
        if scope["method"] not in ("GET", "HEAD") and not _is_from_own_page(headers):
            return _bare(_FOREIGN, 403, language)
        return None

    def _with_key(self, given: str, address: str, headers: Headers, language: str) -> Response:
        """The answer to a key: a cookie, and a page that goes on by itself.

        A redirect would not do: browsers send no strict cookie along one that began on a page of somebody else.
        """
        if not is_key(given.rstrip("/"), self._key):
            self._wrong_keys.count(address)
            return _bare(_SHUT, 403, language)
        answer = HTMLResponse(_WELCOME)
        set_session_cookie(answer, self._cookie, self._session(headers) or new_session(), self._key)
        return answer

    def _session(self, headers: Headers) -> Session | None:
        # Not by `http.cookies`, which reads no further than to the first cookie that is not as the standard says; those
        # of all programs of a machine come together.
        cookie = cookie_parser(headers.get("cookie", "")).get(self._cookie)
        return None if cookie is None else read_session(cookie, self._key)

    def _is_own_host(self, host: str) -> bool:
        """Whether a request was meant for this machine.

        A plain address is: only names can be turned to another machine behind a browser's back (DNS rebinding).
        """
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        name = name.strip("[]").lower()
        try:
            return bool(ipaddress.ip_address(name))
        except ValueError:
            return name in self._names


def set_session_cookie(answer: Response, name: str, session: Session, key: str) -> None:
    """Give a phone its session as a cookie that no script reads and no other page sends."""
    answer.set_cookie(
        name, sign_session(session, key), max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="strict"
    )


def _is_from_own_page(headers: Headers) -> bool:
    """Whether a browser says that one of this table's pages sent the request."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.partition("://")[2] == headers.get("host")
    return headers.get("sec-fetch-site") == "same-origin"


def _bare(words: Phrase, status: int, language: str) -> Response:
    return PlainTextResponse(translate(words, language) + "\n", status)


def _with_headers(send: Send) -> Send:
    """The same with the headers that every answer has; what may be kept for longer says so itself."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
