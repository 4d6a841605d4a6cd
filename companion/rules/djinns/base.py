"""What a djinn is: a name, a worth, a cost and the few hooks that its power needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.worth import Worth


class Cost(StrEnum):
    """What using a power costs (rules 11)."""

    NONE = "none"
    ELDER_OR_FAKIR = "1 elder or 1 fakir"
    ELDER_AND_ELDER_OR_FAKIR = "1 elder and 1 elder or fakir"
    FAKIR = "1 fakir"
    FAKIRS = "1 or more fakirs"


@dataclass(frozen=True, slots=True)
class Djinn:
    """A djinn: its name, worth in VP and the cost of its power; each hook is None where it has none.

    `revalue` changes what things are worth to its owner at the end (rules 10, 11).
    """

    name: str
    vp: int
    cost: Cost = Cost.NONE
    revalue: Callable[[Worth], Worth] | None = None
