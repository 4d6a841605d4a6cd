"""What people name, read with care: files alone, never more than they may hold, and told apart by content."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from companion.errors import UnusableInputError, system_reason, with_odd_signs
from companion.language.phrase import say


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes beyond which an input is refused before it is read whole, or before a pixel is decoded."""

    text_bytes: int = 1_000_000
    """A position file or game record; a game of four takes some 20,000."""
    template_bytes: int = 200_000
    """A template of a print; the largest of the project's own has 9,000."""
    photo_bytes: int = 80_000_000
    """A photo file; a PNG of 48 megapixels passes."""
    photo_pixels: int = 64_000_000
    """A 48-megapixel phone photo passes; a header that claims 30,000 x 30,000 does not."""
    min_side_px: int = 200
    """Shorter side of a photo."""
    longest_strip: int = 10
    """The long side of a photo in short ones; a phone's panorama has four to six."""
    photos: int = 8
    """Photos of one table that are read together: all are in memory at once."""


LIMITS = Limits()
"""The sizes that all commands keep to."""

HEAD_BYTES = 32
"""Bytes from the start of a file that tell what it is."""

MAX_SHOWN = 100
"""Characters of a name that messages repeat."""

_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1", b"heif")
_AVIF_BRANDS = (b"avif", b"avis")
_BMP_HEADERS = (12, 16, 40, 52, 56, 64, 108, 124)
"""Lengths in bytes that the header of a BMP may have: "BM" alone may begin a text."""

_PICTURES = re.compile(
    rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*|II\+\0|MM\0\+|P[1-6][\s#]",
    re.DOTALL,
)
"""JPEG, PNG, GIF, WebP, TIFF and BigTIFF in both orders of bytes, PBM, PGM and PPM."""

_RAW = re.compile(
    rb"....ftypcrx|FUJIFILMCCD-RAW|II\*\0....CR"
    rb"|II\*\0\x08\0\0\0..\xfe\0\x04\0\x01\0\0\0\x01|MM\0\*\0\0\0\x08..\0\xfe\0\x04\0\0\0\x01\0\0\0\x01",
    re.DOTALL,
)
"""Raw files: CR3, RAF, CR2, and a TIFF whose first picture is a preview, as in DNG, NEF and ARW."""

_BEGINNINGS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF", say("a PDF; send a photo or a picture of the page")),
    (0, b"PK\x03\x04", say("an archive or a document; take the photo out of it")),
    (0, b"\x1aE\xdf\xa3", say("a video; take a photo")),
    (8, b"AVI ", say("a video; take a photo")),
    (0, b"\xff\x0a", say("JPEG XL; share or save it as JPEG")),
    (4, b"JXL ", say("JPEG XL; share or save it as JPEG")),
    (0, b"8BPS", say("a Photoshop file; save it as JPEG")),
    (0, b"%!PS", say("PostScript; send a photo")),
    (4, b"ftyp", say("a video; take a photo")),
)
"""Where a mark stands, the mark, and what a file is that has it; the first that fits counts."""

_HANDED_OVER = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")
"""What the shell has opened for us, as in `companion check <(...)`: a pipe there has its writer already."""

_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_AS_IT_IS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def shown(name: str | Path) -> str:
    """A name as messages repeat it: not without end, and never nothing."""
    text = str(name)
    return (text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…") or say("with an empty name")


def exists(path: str | Path) -> bool:
    """Whether something stands under a name; what cannot be looked at is taken to be there.

    >>> exists(""), exists("no such name")
    (False, False)
    """
    try:
        # An empty name would be this folder.
        return bool(str(path)) and Path(path).lstat() is not None
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        return not _no_name(error)


def open_file(path: str | Path, wanted: str = say("name a file")) -> BinaryIO:
    """A file opened to be read; `wanted` says what to give instead. Pipes that the shell didn't open would be waited
    for. Raises UnusableInputError for what is not there, cannot be read, or is no file.
    """
    name = shown(path)
    try:
        if not str(path):
            raise FileNotFoundError
        handed_over = _HANDED_OVER.fullmatch(str(path)) is not None
        if not handed_over:
            # Opening alone can change a device or wake the writer of a pipe.
            _check_kind(os.stat(path), name, wanted)  # noqa: PTH116
        handle = os.open(path, os.O_RDONLY | _NO_WAITING | _AS_IT_IS)
    except (FileNotFoundError, NotADirectoryError):
        named = with_odd_signs(name, str(path))
        raise UnusableInputError("there is no file {name}; {wanted}", name=named, wanted=wanted) from None
    except ValueError:
        raise UnusableInputError(
            "there is no file {name!r}: no file can have that name; {wanted}", name=name, wanted=wanted
        ) from None
    except OSError as error:
        if _no_name(error):
            raise UnusableInputError("there is no file {name}; {wanted}", name=name, wanted=wanted) from None
        raise unreadable(name, error) from None
    try:
        status = os.fstat(handle)
        if not (handed_over and stat.S_ISFIFO(status.st_mode)):
            _check_kind(status, name, wanted)
        if sys.platform != "win32":
            # Opened so that nothing is waited for; Windows knows neither that nor its undoing for files.
            os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_file(path: str | Path, max_bytes: int, wanted: str = say("name a file")) -> bytes:
    """What a file holds. Raises UnusableInputError as `open_file`, and for more than `max_bytes`."""
    return read_input(path, "", wanted, lambda head: (max_bytes, say("; give a smaller file")))[1]


def read_input(
    origin: str | Path | BinaryIO, name: str, wanted: str, most_bytes: Callable[[bytes], tuple[int, str]]
) -> tuple[str, bytes]:
    """What a file or open stream holds, after its name in messages. `most_bytes` tells from the first `HEAD_BYTES` how
    many there may be, and the end of the message for more. Raises as `open_file`.
    """
    if isinstance(origin, str | Path):
        with open_file(origin, wanted) as stream:
            return read_input(stream, name or shown(origin), wanted, most_bytes)
    try:
        content = origin.read(HEAD_BYTES) or b""
        largest, too_large = most_bytes(content)
        content += origin.read(largest + 1 - len(content)) or b""
    except OSError as error:
        raise unreadable(name, error) from None
    if len(content) > largest:
        if (foreign := foreign_kind(content)) is not None:
            raise UnusableInputError("{name} is {foreign}", name=name, foreign=foreign)
        raise UnusableInputError(
            "{name} is larger than {largest:g} MB{too_large}", name=name, largest=largest / 1e6, too_large=too_large
        )
    return name, content


def unreadable(name: str, error: OSError) -> UnusableInputError:
    """The fault of a file that is there and cannot be read."""
    return UnusableInputError("cannot read {name}: {reason}", name=name, reason=system_reason(error))


def _no_name(error: OSError) -> bool:
    """Whether no file can have the name, so that none has."""
    import errno

    return error.errno == errno.ENAMETOOLONG


def _check_kind(status: os.stat_result, name: str, wanted: str) -> None:
    """Raises UnusableInputError for what is no regular file."""
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise UnusableInputError("{name} is a folder; {wanted}", name=name, wanted=wanted)
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        raise UnusableInputError(
            "{name} is a pipe, not a file; send it to standard input instead, and name it -", name=name
        )
    raise UnusableInputError("{name} is a device, not a file; {wanted}", name=name, wanted=wanted)


def is_picture(head: bytes) -> bool:
    """Whether a file that begins with these bytes, 32 of them or all, is a picture of a kind that is read.

    >>> is_picture(b"P6 640 480 255 "), is_picture(b"board = ")
    (True, False)
    """
    if _PICTURES.match(head) or is_heic(head):
        return True
    if head[4:8] == b"ftyp":
        return head[8:12] in _AVIF_BRANDS
    return head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in _BMP_HEADERS


def is_heic(head: bytes) -> bool:
    """Whether a file that begins so is HEIC, as iPhones take photos."""
    return head[4:8] == b"ftyp" and head[8:12] in _HEIC_BRANDS


def is_raw(content: bytes) -> bool:
    r"""Whether a file is what a camera calls raw; the pictures in it are small previews.

    >>> is_raw(b"II*\0\x10\0\0\0CR"), is_raw(b"II*\0\x08\0\0\0")
    (True, False)
    """
    return _RAW.match(content) is not None


def format_hint(content: bytes) -> str:
    """What a file is that is no picture to be read, and what to do, to end a sentence with."""
    kind = foreign_kind(content)
    if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS:
        kind = say("a damaged or unsupported AVIF; share or save it as JPEG")
    if kind is not None:
        return say(": it is {kind}", kind=kind)
    if b"\0" not in content[:1000] and _is_text(content[:1000]):
        return say(": it is text; give a photo as JPEG, PNG or HEIC")
    return say("; JPEG, PNG and HEIC are")


def foreign_kind(content: bytes) -> str | None:
    """What a file is that is neither a picture to be read nor text of this program's, and what to do instead.

    >>> foreign_kind(b"%PDF-1.7")
    'a PDF; send a photo or a picture of the page'

    None for what is not known.
    """
    if is_raw(content):
        return say("a camera's raw file; save it as JPEG")
    if is_picture(content):
        return None
    for start, mark, words in _BEGINNINGS:
        if content[start : start + len(mark)] == mark:
            return words
    head = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"<svg" in head:
        return say("a drawing in SVG; send a photo")
    if head.startswith((b"<!doctype html", b"<html")):
        return say("a web page; save the photo itself")
    return None


def _is_text(content: bytes) -> bool:
    """Whether bytes, perhaps cut inside a character, are text in UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(content) - 1 and error.reason == "unexpected end of data"
    return True
