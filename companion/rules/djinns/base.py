"""What a djinn is: a name, a worth, a cost and the few hooks that its power needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.components import Colour, Tribe
from companion.rules.events import Event
from companion.rules.worth import Worth


class Cost(StrEnum):
    """What using a power costs (rules 11)."""

    NONE = "none"
    ELDER_OR_FAKIR = "1 elder or 1 fakir"
    ELDER_AND_ELDER_OR_FAKIR = "1 elder and 1 elder or fakir"
    FAKIR = "1 fakir"
    FAKIRS = "1 or more fakirs"


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the killer gets of a victim: itself in front of him, GC, cards from the top of the resource deck."""

    kept: bool = False
    gold: int = 0
    cards: int = 0


@dataclass(frozen=True, slots=True)
class Djinn:
    """A djinn: its name, worth in VP and the cost of its power; each hook is None where it has none.

    `revalue` changes what things are worth to its owner at the end (rules 10, 11).
    `pays` is what the owner gets in GC when something happens in anybody's turn.
    `reaps` is what he gets of a victim of his assassins, by its tribe and by the GC that one builder
    would have earned where it was killed.
    `guards` says that his viziers and elders cannot be killed (rules 5.4).
    """

    name: str
    vp: int
    cost: Cost = Cost.NONE
    revalue: Callable[[Worth], Worth] | None = None
    pays: Callable[[Event, Colour], int] | None = None
    reaps: Callable[[Tribe, int], Spoils] | None = None
    guards: bool = False
