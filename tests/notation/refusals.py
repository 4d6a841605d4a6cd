"""Texts that are refused, each with words of the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from companion.errors import NotationError


def check_refused(read: Callable[[Any], object], cases: Iterable[tuple[Any, str]]) -> None:
    """Each text is refused with a message that holds the words."""
    missed = {}
    for text, words in cases:
        with pytest.raises(NotationError) as refused:
            read(text)
        if words not in str(refused.value):
            missed[words] = str(refused.value)
    assert not missed, missed
