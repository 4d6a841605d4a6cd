"""Score sheets without a board: opened from a file."""

from __future__ import annotations

from pathlib import Path

from companion.errors import NotationError
from companion.language.phrase import say
from companion.notation.score_sheet import ScoreSheet, is_sheet, parse_sheet
from companion.opening.source import Content
from companion.opening.text import decode_text

MAX_BYTES = 20_000
"""More than four players' lines take."""


def load_sheet(source: str) -> ScoreSheet | None:
    """The score sheet in a file; None if it is something else.

    Raises NotationError for one that cannot be read.
    """
    path = Path(source)
    try:
        # A pipe would be waited for, and what is taken from it is gone for whoever opens it next.
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(64)
            if not is_sheet(head.decode("utf-8", "replace")):
                return None
            content = head + file.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        return None
    if len(content) > MAX_BYTES:
        raise NotationError(say("{file}: it is too long for a score sheet", file=source))
    text = decode_text(Content(source, content))
    try:
        return parse_sheet(text)
    except NotationError as error:
        raise NotationError(say("{file}: {error}", file=source, error=error)) from None
