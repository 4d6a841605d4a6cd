"""How much of its advice a hint tells."""

from __future__ import annotations

from enum import StrEnum


class AdviceLevel(StrEnum):
    """How much a hint tells: which tile to lift, the path as well, or everything."""

    NUDGE = "nudge"
    PATH = "path"
    FULL = "full"
