"""What phones send: read with limits on size, time and number, and never under a name of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from companion.errors import UnusableInputError
from companion.inputs import LIMITS, format_hint, is_picture, is_raw
from companion.language.phrase import Phrase, say
from companion.notation.tokens import whole_number
from companion.table.photos import photo_name


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Limits on what is sent to this server."""

    bytes_of_photos: int = 100_000_000
    """All photos of one form together."""
    bytes_of_form: int = 200_000
    """A form without photos."""
    silence_s: float = 20.0
    """How long a sender may be silent."""
    whole_s: float = 300.0
    """How long all of it may take."""
    fields: int = 120
    field_bytes: int = 20_000


UPLOAD_LIMITS = UploadLimits()

_NO_FORM = say("This form can't be read: open the page again and send it from there.")


class TooMuchSentError(UnusableInputError):
    """More was sent than is taken, too slowly, or in too many parts; `http_status` says which."""

    def __init__(self, message: Phrase, http_status: int) -> None:
        super().__init__(message)
        self.http_status = http_status


@asynccontextmanager
async def sent_form(
    request: Request, limits: UploadLimits = UPLOAD_LIMITS, *, photos: bool = False
) -> AsyncIterator[FormData]:
    """The form that was sent, with its `photos` if it may have any, which stay in memory.

    Raises TooMuchSentError for more than `limits`, UnusableInputError for what is no form.
    """
    most = limits.bytes_of_photos if photos else limits.bytes_of_form
    _check_announced(request, most)
    limited = Request(request.scope, _Limited(request, most, limits).receive)
    try:
        form = await _parsed(limited, limits, with_files=photos)
    except MultiPartException:
        raise UnusableInputError(_NO_FORM) from None
    except ClientDisconnect:
        raise TooMuchSentError(say("The connection broke before everything arrived; send it again."), 400) from None
    try:
        yield form
    finally:
        await form.close()


class _InMemory(MultiPartParser):
    """Reads a form with files, none of which goes to disk: how large they are together is limited already."""

    spool_max_size = 0
    """As `SpooledTemporaryFile` has it: without an end."""


async def _parsed(request: Request, limits: UploadLimits, *, with_files: bool) -> FormData:
    """The form of a request, which is an empty one for what is none. Raises MultiPartException for a damaged one."""
    kind, _ = parse_options_header(request.headers.get("content-type"))
    most = {"max_fields": limits.fields, "max_part_size": limits.field_bytes}
    async with aclosing(request.stream()) as stream:
        if kind == b"multipart/form-data":
            return await _InMemory(
                request.headers, stream, max_files=limits.fields if with_files else 0, **most
            ).parse()
        if kind == b"application/x-www-form-urlencoded":
            return await FormParser(request.headers, stream, **most).parse()
    return FormData()


class _Limited:
    """Hands on what comes in, until it is too much or takes too long."""

    def __init__(self, request: Request, most: int, limits: UploadLimits) -> None:
        self._request = request
        self._most = most
        self._limits = limits
        self._so_far = 0
        self._until = asyncio.get_running_loop().time() + limits.whole_s

    async def receive(self) -> Message:
        left = self._until - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._request.receive(), max(0.01, min(left, self._limits.silence_s)))
        except TimeoutError:
            raise TooMuchSentError(
                say("This came too slowly and was cancelled; move closer to the router."), 408
            ) from None
        self._so_far += len(message.get("body", b""))
        if self._so_far > self._most:
            raise _too_large(self._most)
        return message


def _check_announced(request: Request, most: int) -> None:
    announced = whole_number(request.headers.get("content-length", "0"))
    if announced is not None and announced > most:
        raise _too_large(most)


def _too_large(most: int) -> TooMuchSentError:
    return TooMuchSentError(
        say("This is larger than {size:g} MB, the most that can be sent at once.", size=most / 1e6), 413
    )


def sent_photos(form: FormData, field: str = "photos") -> list[UploadFile]:
    """The files of a form's field, told to be pictures by their first bytes; a field left empty has none.

    Raises UnusableInputError for what is no picture, is too large or is not there, and for too many.
    """
    files = [file for file in form.getlist(field) if isinstance(file, UploadFile) and file.size]
    if not files:
        raise UnusableInputError(say("No photo was sent: take one, or choose one."))
    if len(files) > LIMITS.photos:
        raise UnusableInputError(
            say(
                "{number} photos were sent; {most} of one table are read together at most",
                number=len(files),
                most=LIMITS.photos,
            )
        )
    for number, file in enumerate(files):
        _check_photo(file, photo_name(number, len(files)))
    return files


def _check_photo(file: UploadFile, name: Phrase) -> None:
    content = file.file.read()
    file.file.seek(0)
    if not is_picture(content) or is_raw(content):
        raise UnusableInputError(
            say("{name} isn't a picture that can be read{why}", name=name, why=format_hint(content))
        )
    if len(content) > LIMITS.photo_bytes:
        raise UnusableInputError(
            say("{name} is larger than {largest:g} MB; make it smaller", name=name, largest=LIMITS.photo_bytes / 1e6)
        )
