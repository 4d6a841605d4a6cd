"""Text that holds a position: a position file, five rows of tiles, a code, or a game record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError, NotationError, UnusableInputError
from companion.language.phrase import indented, joined, say
from companion.notation.files import parse_position
from companion.notation.records import is_record
from companion.opening.source import WANTED, Content
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.notation.records.replay import Replayed

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def parse_text(content: Content) -> tuple[Position, Replayed | None]:
    """The position that a text holds, and the game, played back, if it is a record. Faults name the text.

    Raises NotationError for what is neither, IllegalMoveError for a record that the rules forbid, UnusableInputError
    and ImpossiblePositionError as `replay`.
    """
    try:
        text = decode_text(content)
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
    """The text of a source, in UTF-8, or UTF-16 where a byte order mark says so.

    Raises NotationError for what is empty or no text, with what it is if that is known.
    """
    data, name = content.data, content.name
    if not data.strip():
        raise NotationError(say("{name}: it is empty; {wanted}", name=name, wanted=WANTED))
    if content.foreign is not None:
        raise NotationError(say("{name} is {foreign}", name=name, foreign=content.foreign))
    encoding = next((codec for mark, codec in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotationError(
            say(
                "{name}: not text in UTF-8 (byte {start} cannot be read): a damaged file, or one of another kind",
                name=name,
                start=error.start + 1,
            )
        ) from None
    if "\0" in text:
        raise NotationError(say("{name}: not text: a damaged file, or one of another kind", name=name))
    return text


def play_record(text: str, name: str, *, last: int | None = None) -> Replayed:
    """The record that a text holds, played to its end or to line number `last`; faults name it."""
    # Positions need not wait for the engine that plays games.
    from companion.notation.records.lines import parse_record
    from companion.notation.records.replay import replay

    try:
        return replay(parse_record(text, last=last))
    except IllegalMoveError as error:
        raise IllegalMoveError(joined(", ", (name, str(error)))) from None
    except NotationError as error:
        raise NotationError(joined(", ", (name, str(error)))) from None
    except UnusableInputError as error:
        raise UnusableInputError(joined(", ", (name, str(error)))) from None
