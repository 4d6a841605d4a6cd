"""What several commands' options have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from companion.errors import NotationError, UsageError


class Paper(StrEnum):
    """Sizes of paper that the prints are made for."""

    A4 = "a4"
    LETTER = "letter"


@contextmanager
def reading_option(name: str) -> Iterator[None]:
    """A name or colour that cannot be read inside is wrong usage of that option: raises UsageError."""
    try:
        yield
    except NotationError as error:
        raise UsageError(f"{name}: {error}") from None
