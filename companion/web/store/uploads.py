"""What phones send: read with limits on size, time and number, never under a name of theirs, and answered once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive

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
    """How long all of it may take in any case."""
    bytes_a_s: float = 4_000.0
    """What comes no slower than this may take longer."""
    fields: int = 120
    field_bytes: int = 20_000


UPLOAD_LIMITS = UploadLimits()

_NO_FORM = say("This form can't be read: open the page again and send it from there.")


TOKEN = "token"
"""The field of forms that tells one filled-in page from another."""

MAX_SENDINGS = 2000


class Sendings:
    """What forms with a token led to, so that one that comes twice, at once or later, is answered once."""

    def __init__(self) -> None:
        self._answers: OrderedDict[bytes, asyncio.Future[Response | None]] = OrderedDict()

    async def once(self, path: str, form: FormData, answer: Callable[[], Awaitable[Response]]) -> Response:
        """The answer to a form, or the one that the same form at the same path was given before.

        Only what led on to another page has changed something; a form that was refused may be sent again.
        """
        if not form.get(TOKEN):
            return await answer()
        key = sha256(repr((path, form.multi_items())).encode()).digest()
        while (known := self._answers.get(key)) is not None:
            if (given := await asyncio.shield(known)) is not None:
                return given
        self._answers[key] = known = asyncio.get_running_loop().create_future()
        while len(self._answers) > MAX_SENDINGS:
            self._answers.popitem(last=False)
        led_on: Response | None = None
        try:
            given = await answer()
            led_on = given if "location" in given.headers else None
        finally:
            if led_on is None:
                self._answers.pop(key, None)
            known.set_result(led_on)
        return given


class TooMuchSentError(UnusableInputError):
    """More was sent than is taken, too slowly, or in too many parts; `http_status` says which."""

    def __init__(self, message: Phrase, http_status: int) -> None:
        super().__init__(message)
        self.http_status = http_status


@asynccontextmanager
async def sent_form(request: Request, *, photos: bool = False) -> AsyncIterator[FormData]:
    """The form that was sent, with its `photos` if it may have any, which stay in memory.

    Raises TooMuchSentError for more than `UPLOAD_LIMITS`, UnusableInputError for what is no form.
    """
    most = UPLOAD_LIMITS.bytes_of_photos if photos else UPLOAD_LIMITS.bytes_of_form
    announced = whole_number(request.headers.get("content-length", "0")) or 0
    if announced > most:
        raise _too_large(most)
    whole_s = max(UPLOAD_LIMITS.whole_s, announced / UPLOAD_LIMITS.bytes_a_s)
    try:
        form = await _parsed(Request(request.scope, _limited(request, most, whole_s)), with_files=photos)
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


async def _parsed(request: Request, *, with_files: bool) -> FormData:
    """The form of a request, which is an empty one for what is none. Raises MultiPartException for a damaged one."""
    kind, _ = parse_options_header(request.headers.get("content-type"))
    fields = UPLOAD_LIMITS.fields
    most = {"max_fields": fields, "max_part_size": UPLOAD_LIMITS.field_bytes}
    async with aclosing(request.stream()) as stream:
        if kind == b"multipart/form-data":
            return await _InMemory(request.headers, stream, max_files=fields if with_files else 0, **most).parse()
        if kind == b"application/x-www-form-urlencoded":
            return await FormParser(request.headers, stream, **most).parse()
    return FormData()


def _limited(request: Request, most: int, whole_s: float) -> Receive:
    """What hands on what comes in, until it is too much or takes too long."""
    now = asyncio.get_running_loop().time
    until, so_far = now() + whole_s, 0

    async def receive() -> Message:
        nonlocal so_far
        try:
            patience_s = max(0.01, min(until - now(), UPLOAD_LIMITS.silence_s))
            message = await asyncio.wait_for(request.receive(), patience_s)
        except TimeoutError:
            words = say("This came too slowly and was cancelled; move closer to the router.")
            raise TooMuchSentError(words, 408) from None
        so_far += len(message.get("body", b""))
        if so_far > most:
            raise _too_large(most)
        return message

    return receive


def _too_large(most: int) -> TooMuchSentError:
    words = say("This is larger than {size:g} MB, the most that can be sent at once.", size=most / 1e6)
    return TooMuchSentError(words, 413)


def sent_photos(form: FormData) -> list[bytes]:
    """The photos of a form, told to be pictures by their first bytes; a field left empty has none.

    Raises UnusableInputError for what is no picture, is too large or is not there, and for too many.
    """
    files = [file.file.read() for file in form.getlist("photos") if isinstance(file, UploadFile) and file.size]
    if not files:
        raise UnusableInputError("No photo was sent: take one, or choose one.")
    if len(files) > LIMITS.photos:
        raise UnusableInputError(
            "{number} photos given; at most {photos} of the same table can be read together",
            number=len(files),
            photos=LIMITS.photos,
        )
    for number, content in enumerate(files):
        check_photo(photo_name(number, len(files)), content)
    return files


def check_photo(name: str, content: bytes) -> None:
    """Raises UnusableInputError for what is no picture, by its first bytes, and for one that is too large."""
    largest = LIMITS.photo_bytes
    if not is_picture(content) or is_raw(content):
        raise UnusableInputError("{name} is not a picture that can be read{why}", name=name, why=format_hint(content))
    if len(content) > largest:
        raise UnusableInputError(
            "{name} is larger than {largest:g} MB; make it smaller", name=name, largest=largest / 1e6
        )
