"""Where a command's position comes from: a file, a code, a game record, standard input or a photo.

They are told apart by content.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from companion.cli.progress import progress
from companion.cli.views.reading_view import doubt_lines
from companion.errors import NotationError, UnusableInputError
from companion.notation import codes
from companion.notation.files import parse_position
from companion.notation.records.lines import is_record
from companion.rules.engine.legality import check_position, oddities
from companion.rules.model.position import Position
from companion.rules.model.state import Stage

if TYPE_CHECKING:
    from companion.notation.records.lines import Header
    from companion.notation.records.replay import Replayed
    from companion.vision.reading.reading import Reading

LARGEST_TEXT = 1_000_000
"""Bytes that a position file may have."""

LARGEST_PHOTO = 100_000_000
"""Bytes that a photo on standard input may have."""

_STANDARD_INPUT = "-"
_WANTED = "give a position file, a code FT1-…, or - for standard input"
_PICTURES = re.compile(rb"\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP|BM|II\*\0|MM\0\*|....ftyp", re.DOTALL)
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A position and where it came from.

    `notes` are sentences worth telling the user on standard error; `reading` is the photo's reading,
    None when the position was text; `header` the record's, None when it was no game record.
    """

    position: Position
    notes: tuple[str, ...] = ()
    reading: Reading | None = None
    header: Header | None = None


def load_position(source: str, *, photo_allowed: bool = False) -> Loaded:
    """The position of a POSITION argument: a file, a code, `-`, or a photo where one is allowed.

    A game record gives the position after its last line.

    Raises UnusableInputError (or NotationError, PhotoError) if there is none to be had, IllegalMoveError
    for a record that the rules forbid, and ImpossiblePositionError with every fault if it cannot stand on
    a table.
    """
    loaded = read_position(source, photo_allowed=photo_allowed)
    check_position(loaded.position)
    return loaded


def read_position(source: str, *, photo_allowed: bool = False) -> Loaded:
    """The same as `load_position`, but an impossible position is handed over as well."""
    if source == _STANDARD_INPUT:
        return _from_standard_input(photo_allowed)
    path = _existing(source)
    if path is None:
        if codes.looks_like_code(source):
            return _loaded(codes.decode(source))
        raise UnusableInputError(f"there is no file {_shown(source)}; {_WANTED}")
    if path.is_dir():
        raise UnusableInputError(f"{_shown(source)} is a folder; {_WANTED}")
    name = _shown(source)
    try:
        with path.open("rb") as file:
            content = file.read(16)
            if not _PICTURES.match(content):
                if path.stat().st_size > LARGEST_TEXT:
                    raise _too_large(name)
                content += _rest(file, content)
    except OSError as error:
        raise UnusableInputError(f"cannot read {name}: {error.strerror}") from None
    return _from_photo(path, name, photo_allowed) if _PICTURES.match(content) else _from_text(content, name)


def _existing(source: str) -> Path | None:
    """The path if something is there; a name that no file can have is nowhere."""
    try:
        path = Path(source)
        # An empty name would be this folder.
        return path if source and path.exists() else None
    except (OSError, ValueError):
        return None


def _shown(source: str) -> str:
    return (source if len(source) <= 100 else source[:100] + "…") or "with an empty name"


def _rest(file: BinaryIO, head: bytes) -> bytes:
    """What follows the head, and one byte more than is allowed at most: pipes do not tell their size."""
    return file.read(LARGEST_TEXT + 1 - len(head))


def _from_standard_input(photo_allowed: bool) -> Loaded:
    name = "standard input"
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return _from_text(sys.stdin.read(LARGEST_TEXT + 1).encode(), name)
    head = stream.read(16)
    if not _PICTURES.match(head):
        return _from_text(head + _rest(stream, head), name)
    if not photo_allowed:
        raise _no_photo(name)
    with progress("reading the photo"):
        from companion.vision.colour.paints import own_paints
        from companion.vision.reading.pipeline import read_bytes

        return _from_reading(read_bytes(piped_photo(head), name, own_paints(os.environ)))


def piped_photo(head: bytes = b"") -> bytes:
    """A photo's bytes from standard input, after the head that was read already.

    Raises UnusableInputError if there are too many.
    """
    content = head + sys.stdin.buffer.read(LARGEST_PHOTO + 1)
    if len(content) > LARGEST_PHOTO:
        raise UnusableInputError(
            f"the picture on standard input is larger than {LARGEST_PHOTO // 10**6} MB; give a smaller one"
        )
    return content


def _from_photo(path: Path, name: str, photo_allowed: bool) -> Loaded:
    if not photo_allowed:
        raise _no_photo(name)
    with progress(f"reading {name}"):
        from companion.vision.colour.paints import own_paints
        from companion.vision.reading.pipeline import read_photo

        return _from_reading(read_photo(path, own_paints(os.environ)))


def _from_reading(reading: Reading) -> Loaded:
    return Loaded(reading.position, (*doubt_lines(reading), *oddities(reading.position)), reading)


def _no_photo(name: str) -> UnusableInputError:
    return UnusableInputError(
        f"{name} is a picture, but this command needs a position: read the photo with `companion read` first, then"
        " give the position file that it writes"
    )


def _too_large(name: str) -> UnusableInputError:
    return UnusableInputError(f"{name} is larger than {LARGEST_TEXT // 10**6} MB, which no position file is; {_WANTED}")


def _from_text(content: bytes, name: str) -> Loaded:
    if len(content) > LARGEST_TEXT:
        raise _too_large(name)
    try:
        text = _decoded(content)
        return _from_record(text, name) if is_record(text) else _loaded(parse_position(text))
    except NotationError as error:
        raise NotationError(
            f"{name}: {error}" if "\n" not in str(error) else f"{name}:\n{_indented(str(error))}"
        ) from None


def _from_record(text: str, name: str) -> Loaded:
    """The position after the last line of a game record."""
    from companion.opening.record import replayed

    played = replayed(text, name)
    position = played.state.position
    return Loaded(position, (*oddities(position), *_where_it_stops(played, name)), header=played.record.header)


def _where_it_stops(played: Replayed, name: str) -> Iterator[str]:
    """A sentence about a record that ends between two turns or inside one, where that bears on the position."""
    state = played.state
    mover = state.mover
    if played.owes_refill:
        yield f"{name} ends after the round's last turn: the row and the djinns are not refilled yet (rules 8.1)."
    elif state.stage in (Stage.SOW, Stage.TRIBE):
        yield f"{name} breaks off inside {mover}'s turn; what {mover} has in hand is not on the board."
    elif state.stage is Stage.KEEP:
        yield f"{name} breaks off inside {mover}'s turn; the djinns that {mover} drew are not in the position."
    elif state.stage is Stage.TILE:
        yield f"{name} breaks off inside {mover}'s turn, before the action of the tile (rules 6)."
    elif state.stage in (Stage.CLOSE, Stage.SELL):
        yield f"{name} stops before the end of {mover}'s turn: powers and sales may still come (rules 7)."


def read_text(source: str) -> tuple[str, str]:
    """The text of a file, or of standard input for `-`, and the name to call it by.

    Raises UnusableInputError or NotationError if it cannot be read or is no text.
    """
    name = _shown(source)
    if source == _STANDARD_INPUT:
        name = "standard input"
        stream = getattr(sys.stdin, "buffer", None)
        content = stream.read(LARGEST_TEXT + 1) if stream else sys.stdin.read(LARGEST_TEXT + 1).encode()
    else:
        path = _existing(source)
        if path is None or not path.is_file():
            raise UnusableInputError(f"there is no file {name}; name a game record, or - for standard input")
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST_TEXT + 1)
        except OSError as error:
            raise UnusableInputError(f"cannot read {name}: {error.strerror}") from None
    if len(content) > LARGEST_TEXT:
        raise UnusableInputError(f"{name} is larger than {LARGEST_TEXT // 10**6} MB, which no game record is")
    try:
        return _decoded(content), name
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from None


def _indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.splitlines())


def _loaded(position: Position) -> Loaded:
    return Loaded(position, tuple(oddities(position)))


def _decoded(content: bytes) -> str:
    """The text, in UTF-8, or UTF-16 where a byte order mark says so."""
    if not content.strip():
        raise NotationError(f"it is empty; {_WANTED}")
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotationError(
            f"not text in UTF-8 (byte {error.start + 1} cannot be read): a damaged file, or one of another kind"
        ) from None
    if "\0" in text:
        raise NotationError("not text: a damaged file, or one of another kind")
    return text
