"""Game records: a whole game as text, read, written and played back (docs/records.md)."""

import re

FIRST_LINE_PATTERN = re.compile(r"five tribes record(?:\s+(?P<version>\S+))?", re.IGNORECASE)
"""How the first line of a record is written; it stands here so that a text can be told from a record cheaply."""


def is_record(text: str) -> bool:
    """Whether a text means to be a record, of whatever version."""
    return FIRST_LINE_PATTERN.match(text.lstrip("\ufeff \t\r\n")) is not None
