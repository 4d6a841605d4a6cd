"""Photos that are looked through once and not kept: what was found in them stays in memory alone, for a while."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Generic, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from companion.inputs import LIMITS
from companion.language.phrase import say
from companion.web.answers import Answers
from companion.web.reading_pages import MAX_UPLOADS, UPLOADS_S
from companion.web.tickets import RateLimit
from companion.web.uploads import UPLOAD_LIMITS, sent_form, sent_photos

_NO_LONGER = say("This photo is no longer kept: take a new one.")

Found = TypeVar("Found")


class Finds(Generic[Found]):
    """Finds of one kind by keys that are drawn by lot; `most` are remembered, the oldest are forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._finds: OrderedDict[str, Found] = OrderedDict()

    def put(self, found: Found) -> str:
        """Remember something new, and give its key."""
        key = secrets.token_urlsafe(9)
        self._finds[key] = found
        while len(self._finds) > self._most:
            self._finds.popitem(last=False)
        return key

    def get(self, key: str) -> Found:
        """What has that key. Raises HTTPException if it is gone, or never was."""
        if key not in self._finds:
            raise HTTPException(410, _NO_LONGER)
        return self._finds[key]

    def change(self, key: str, found: Found) -> None:
        """Remember something else in its place."""
        if key in self._finds:
            self._finds[key] = found


class PhotoForms:
    """Takes forms with photos at the pace and with the limits of all photos, and keeps none of them."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._pace = RateLimit(MAX_UPLOADS, UPLOADS_S, answers.services.clock)

    async def photos(self, request: Request) -> list[bytes]:
        """The photos of a form. Raises HTTPException where too many come, and what `sent_photos` raises."""
        self._answers.check_open()
        address = request.client.host if request.client else ""
        if self._pace.is_over(address):
            raise HTTPException(429, say("So many photos at once are too many; wait a minute."))
        self._pace.count(address)
        async with sent_form(request, UPLOAD_LIMITS, photos=LIMITS.photos) as form:
            return [await photo.read() for photo in sent_photos(form)]
