"""The record of a kept game, whole, whatever was put right at its table in between."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.history.contents import TextKind
from companion.history.results import GamePart
from companion.notation.records.lines import format_record, parse_record
from companion.notation.records.replay import joined_record


def whole_record(parts: Sequence[GamePart]) -> str | None:
    """The record of a game from its parts in order, as text; None where the game was never played by the rules.

    Raises NotationError for a text that cannot be read.
    """
    texts = tuple(part.text for part in parts if part.kind is TextKind.RECORD)
    return _joined(texts) if len(texts) > 1 else next(iter(texts), None)


# A page shows it each time that somebody looks.
@lru_cache(maxsize=64)
def _joined(texts: tuple[str, ...]) -> str:
    return format_record(joined_record([parse_record(text) for text in texts]))
