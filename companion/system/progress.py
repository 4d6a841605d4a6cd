"""How work that takes a while tells its progress."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

TellShare = Callable[[float, str], None]
"""Takes the share that is done, 0 to 1, and the stage that begins, in words of the program's own."""


class ReadingStep(Enum):
    """What is done next with a photo."""

    OPEN = auto()
    SCAN = auto()
    BOARD = auto()
    CARDS = auto()
    TITLES = auto()


TellStep = Callable[[ReadingStep, str], None]
"""Takes the step that begins, and says it in words for a line of progress."""
