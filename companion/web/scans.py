"""Photos that are looked through once and not kept: what was found in them stays in memory alone, for a while."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Generic, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from companion.inputs import LIMITS
from companion.language.phrase import say
from companion.web.reading_pages import MAX_UPLOADS, UPLOADS_S
from companion.web.responder import Responder
from companion.web.sessions import RateLimit
from companion.web.uploads import UPLOAD_LIMITS, sent_form, sent_photos

_NO_LONGER = say("This photo is no longer kept: take a new one.")

Result = TypeVar("Result")


class ResultCache(Generic[Result]):
    """Results of one kind in memory, by random keys; `most` are kept, the oldest are dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[str, Result] = OrderedDict()

    def put(self, found: Result) -> str:
        """Keep a new result, and give its key."""
        key = secrets.token_urlsafe(9)
        self._results[key] = found
        while len(self._results) > self._most:
            self._results.popitem(last=False)
        return key

    def get(self, key: str) -> Result:
        """The result of a key. Raises HTTPException if it is gone, or never was."""
        if key not in self._results:
            raise HTTPException(410, _NO_LONGER)
        return self._results[key]

    def change(self, key: str, found: Result) -> None:
        """Keep another result in its place."""
        if key in self._results:
            self._results[key] = found


class PhotoForms:
    """Takes forms with photos at the pace and with the limits of all photos, and keeps none of them."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._pace = RateLimit(MAX_UPLOADS, UPLOADS_S, responder.services.clock)

    async def photos(self, request: Request) -> list[bytes]:
        """The photos of a form. Raises HTTPException where too many come, and what `sent_photos` raises."""
        self._responder.check_open()
        address = request.client.host if request.client else ""
        if self._pace.is_over(address):
            raise HTTPException(429, say("So many photos at once are too many; wait a minute."))
        self._pace.count(address)
        async with sent_form(request, UPLOAD_LIMITS, photos=LIMITS.photos) as form:
            return [await photo.read() for photo in sent_photos(form)]
