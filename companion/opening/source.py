"""What a person names, as bytes and what they are: a file, standard input, a code, or bytes as they are."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from companion.errors import NotationError
from companion.inputs import LIMITS, exists, open_file, read_stream, shown, unreadable
from companion.notation.codes import looks_like_code
from companion.vision.formats import HEAD_BYTES, foreign_kind, is_picture

Source = str | Path | bytes
"""A file's name, "-" for standard input, a position code; or a file's bytes themselves."""

STANDARD_INPUT = "-"
WANTED = "give a position file, a game record, a code FT1-…, a photo, or - for standard input"
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Content:
    """What a source holds.

    `name` is what messages call it, empty for a code; `is_picture` is told by its first bytes.
    """

    name: str
    data: bytes
    is_picture: bool


def read_source(source: Source) -> Content:
    """What a source holds, no more of it than `LIMITS` allow for what it is.

    Raises UnusableInputError for what is not there, cannot be read, is no file, or is too large.
    """
    if isinstance(source, bytes):
        return _content(io.BytesIO(source), "the input")
    if str(source) == STANDARD_INPUT:
        return _content(standard_input(), "standard input")
    if isinstance(source, str) and looks_like_code(source) and not exists(source):
        return Content("", source.encode(), is_picture=False)
    with open_file(source, WANTED) as stream:
        return _content(stream, shown(source))


def standard_input() -> BinaryIO:
    """Standard input's bytes."""
    stream = getattr(sys.stdin, "buffer", None)
    # Whoever runs commands from Python may have put text in its place.
    return stream if stream is not None else io.BytesIO(sys.stdin.read(LIMITS.text_bytes + 1).encode())


def _content(stream: BinaryIO, name: str) -> Content:
    try:
        head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise unreadable(name, error) from None
    if is_picture(head):
        return Content(name, read_stream(stream, name, LIMITS.photo_bytes, head, "; make the photo smaller"), True)
    text = ", which no position file or game record is, and it is no picture that can be read"
    return Content(name, read_stream(stream, name, LIMITS.text_bytes, head, text), False)


def decode_text(content: Content) -> str:
    """The text of a source, in UTF-8, or UTF-16 where a byte order mark says so.

    Raises NotationError for what is empty or no text, with what it is if that is known.
    """
    data = content.data
    if not data.strip():
        raise NotationError(f"{content.name}: it is empty; {WANTED}")
    kind = foreign_kind(data)
    if kind is not None:
        raise NotationError(f"{content.name} is {kind}")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotationError(
            f"{content.name}: not text in UTF-8 (byte {error.start + 1} cannot be read): a damaged file, or one of "
            "another kind"
        ) from None
    if "\0" in text:
        raise NotationError(f"{content.name}: not text: a damaged file, or one of another kind")
    return text
