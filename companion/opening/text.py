"""Text that holds a position: a position file, five rows of tiles, a code, or a game record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError, NotationError, UnusableInputError
from companion.language.phrase import indented, joined, say
from companion.notation.files import parse_position
from companion.notation.names import check_names
from companion.notation.records import is_record
from companion.notation.records.lines import FIRST_LINE, Record, format_record
from companion.notation.score_sheet import ScoreSheet, is_sheet, parse_sheet
from companion.opening.source import WANTED_RECORD, Content, Source, read_source
from companion.rules.model.position import Position
from companion.storage import SavedFile

if TYPE_CHECKING:
    from companion.notation.records.replay import Replayed


_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class SheetAloneError(NotationError):
    """A score sheet without a board, and nothing else."""

    def __init__(self, name: str, sheet: ScoreSheet) -> None:
        self.name = name
        self.sheet = sheet
        super().__init__(say("{name} is a score sheet without a board; only companion score reads those", name=name))


def parse_text(content: Content) -> tuple[Position, Replayed | None]:
    """The position in a text, and the game if it's a record. Raises as `replay`, and SheetAloneError."""
    try:
        text = decode_text(content)
        if is_sheet(text):
            sheet = parse_sheet(text)
            check_names(sheet.players.values())
            raise SheetAloneError(content.name, sheet)
        if not is_record(text):
            return parse_position(text), None
        played = play_record(text, content.name)
        return played.state.position, played
    except NotationError as error:
        message = str(error)
        if not content.name or message.startswith(content.name):
            raise
        below = joined("", (content.name, ":\n", indented(message, "  ")))
        raise NotationError(joined(": ", (content.name, message)) if "\n" not in message else below) from None


def decode_text(content: Content) -> str:
    """The text of a source, in UTF-8, or UTF-16 with a byte order mark. Raises NotationError if it isn't text."""
    data, name = content.data, content.name
    if not data.strip():
        raise NotationError("{name}: it is empty; {wanted}", name=name, wanted=content.wanted)
    if content.foreign is not None:
        raise NotationError("{name} is {foreign}", name=name, foreign=content.foreign)
    encoding = next((codec for mark, codec in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotationError(
            "{name}: not text in UTF-8 (byte {start} cannot be read): a damaged file, or one of another kind",
            name=name,
            start=error.start + 1,
        ) from None
    if "\0" in text:
        raise NotationError("{name}: not text: a damaged file, or one of another kind", name=name)
    return text


def play_record(text: str, name: str, *, last: int | None = None) -> Replayed:
    """The record in a text, played to its end or to line number `last`; errors name it."""
    # Positions needn't wait for the engine that plays games.
    from companion.notation.records.header import check_players
    from companion.notation.records.lines import parse_record
    from companion.notation.records.replay import replay

    try:
        record = parse_record(text, last=last)
        check_players(record.header)
        return replay(record)
    except (IllegalMoveError, UnusableInputError) as error:
        kinds = (IllegalMoveError, NotationError, UnusableInputError)
        kind = next(kind for kind in kinds if isinstance(error, kind))
        raise kind(joined(", ", (name, str(error)))) from None


def open_record(source: Source, *, last: int | None = None) -> Replayed:
    """A record from a file or standard input (`-`), played to its end or line `last`. Raises as `replay`."""
    name, text = _read(source)
    return play_record(text, name, last=last)


def open_broken_record(source: Source) -> tuple[Replayed, int | None]:
    """A record that may break off in a line, without that line, and the line's number; raises as `open_record`."""
    name, text = _read(source)
    whole = text[: text.rfind("\n") + 1]
    torn = None if whole == text or not whole else whole.count("\n") + 1
    return play_record(whole or text, name), torn


def _read(source: Source) -> tuple[str, str]:
    """A record's name in messages, and its text."""
    content = read_source(source, WANTED_RECORD)
    if content.is_picture:
        raise UnusableInputError("{content} is a picture; give a game record, which is text", content=content.name)
    text = decode_text(content)
    if not is_record(text):
        raise NotationError(
            "{content}: not a game record: a record begins with the line {first_line!r}",
            content=content.name or say("the code"),
            first_line=FIRST_LINE,
        )
    return content.name, text


def save_record(file: SavedFile, record: Record) -> None:
    """Write a record to disk, whole or not at all; raises what `SavedFile.save` raises."""
    file.save(format_record(record).encode("utf-8", "replace"))
