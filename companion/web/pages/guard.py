"""Who is let in: the key once, then a cookie; the right host, requests from the own pages alone, headers that hold.

All that is answered goes through here, assets too. Without the key there is one page, and no word of what is there.
"""

from __future__ import annotations

import ipaddress
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response

from companion.language.catalogue import translate
from companion.language.phrase import Phrase, say
from companion.web.pages.addresses import HostNames, whole_address
from companion.web.pages.visit import LANGUAGE_COOKIE, asked_language
from companion.web.store.sessions import (
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
"""How many wrong keys a minute are looked at from one address."""

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
_SHUT = (
    say("This table opens with its key"),
    say("Scan the QR code that companion serve shows on the computer, or type the whole address beneath it."),
    say("If this phone was in before, the key has changed: scan again."),
)
_TOO_MANY = (
    say("Too many wrong keys"),
    say("Wait a minute, then scan the QR code on the computer, or type the whole address beneath it."),
)
_FOREIGN = (
    say("Nothing was changed"),
    say("This came from another page. Open the table itself, and do it there."),
)
_MAX_NAME = 80
"""Letters of a name that are said back."""

_STYLE = (
    "body{font:1.15rem/1.5 system-ui,sans-serif;max-width:34rem;margin:auto;padding:2rem 1.2rem;overflow-wrap:anywhere}"
    "h1{font-size:1.5rem;line-height:1.25}:root{color-scheme:light dark}"
)
_STYLED_POLICY = POLICY.replace(
    "style-src 'self'", f"style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"
)
"""Without the key no style sheet is given out, so that pages of the guard bring their own."""

_WELCOME = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={path}"><title>→</title>'
    '<a href="{path}">→</a>\n'
)


class Guard:
    """Lets requests through to the table's app that may come in.

    `cookie` is the name of the cookie that a phone gets for the key; `names` are those of this machine; `clock`
    tells seconds.
    The session of the phone is in `request.state.session` afterwards.
    """

    def __init__(self, app: ASGIApp, *, key: str, cookie: str, names: HostNames, clock: Callable[[], float]) -> None:
        self._app = app
        self._key = key
        self._cookie = cookie
        self._names = names
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
        chosen = cookie_parser(headers.get("cookie", "")).get(LANGUAGE_COOKIE)
        language = asked_language(chosen, headers.get("accept-language", ""))
        address = scope["client"][0] if scope.get("client") else ""
        if self._wrong_keys.is_over(address) and (scope["path"].startswith(KEY_PATH) or not self._session(headers)):
            return _page(429, language, *_TOO_MANY)
        comes_with_key = scope["path"].startswith(KEY_PATH)
        if comes_with_key and not is_key(scope["path"].removeprefix(KEY_PATH).rstrip("/"), self._key):
            self._wrong_keys.count(address)
            return _page(403, language, *_SHUT)
        if not comes_with_key and self._session(headers) is None:
            return _page(403, language, *_SHUT)
        # Who has no key does not even learn that a name is wrong.
        if not self._names.have(headers.get("host", "")):
            return _unknown_name(scope, headers.get("host", ""), scope["path"] if comes_with_key else "/", language)
        if comes_with_key:
            return self._welcome(headers)
        if scope["method"] not in ("GET", "HEAD") and not self._is_from_own_page(headers):
            return _page(403, language, *_FOREIGN)
        return None

    def _welcome(self, headers: Headers) -> Response:
        """The answer to the key: a cookie, and a page that goes on by itself.

        A redirect would not do: browsers send no strict cookie along one that began on a page of somebody else.
        """
        known = self._session(headers)
        # Who is new is asked whose phone it is.
        answer = HTMLResponse(_WELCOME.format(path="/who" if known is None else "/"))
        set_session_cookie(answer, self._cookie, known or new_session(), self._key)
        return answer

    def _session(self, headers: Headers) -> Session | None:
        # Not by `http.cookies`, which reads no further than to the first cookie that is not as the standard says; those
        # of all programs of a machine come together.
        cookie = cookie_parser(headers.get("cookie", "")).get(self._cookie)
        return None if cookie is None else read_session(cookie, self._key)

    def _is_from_own_page(self, headers: Headers) -> bool:
        """Whether a browser says that one of this table's pages sent the request.

        A proxy may put its own name for the table into the place of the one that the phone knows, which was told then.
        """
        origin = headers.get("origin")
        if origin is not None:
            host = origin.partition("://")[2]
            return host == headers.get("host") or self._names.were_given(host)
        return headers.get("sec-fetch-site") == "same-origin"


def set_session_cookie(answer: Response, name: str, session: Session, key: str) -> None:
    """Give a phone its session as a cookie that no script reads and no other page sends."""
    answer.set_cookie(
        name, sign_session(session, key), max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="strict"
    )


def _unknown_name(scope: Scope, host: str, path: str, language: str) -> Response:
    """What somebody with the key reads under a name that isn't this machine's: the address that this line came to."""
    name, (reached, port) = host[:_MAX_NAME], scope["server"]
    address = ipaddress.ip_address(reached)
    words: Phrase = say("To let this name in, start it with: companion serve --host-name NAME")
    link = ""
    # A proxy beside the table comes to an address that phones have nothing of.
    if not address.is_loopback:
        link = whole_address(str(getattr(address, "ipv4_mapped", None) or address), port, path)
        words = say("Open it by its address:")
    return _page(403, language, say("This table doesn't know the name {name}", name=name), words, link=link)


def _page(status: int, language: str, title: Phrase, *sentences: Phrase, link: str = "") -> Response:
    """A page for somebody who isn't in, who gets none of the table's templates and assets."""
    heading, *paragraphs = (escape(translate(words, language)) for words in (title, *sentences))
    if link:
        paragraphs.append(f'<a href="{escape(link)}">{escape(link)}</a>')
    content = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{heading}</title><style>{_STYLE}</style><h1>{heading}</h1>"
        + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    )
    return HTMLResponse(content + "\n", status, {"Content-Security-Policy": _STYLED_POLICY})


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
