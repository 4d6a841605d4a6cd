"""Mistakes by their cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.rules.model.board import Tile
from companion.rules.model.components import Colour
from companion.vision.board.contents_hypotheses import change_between

ANOTHER_TILE = "another tile"
CAUSES: Mapping[str, str] = {
    "palm to merchant": "a merchant read as a palm",
    "merchant to palm": "a palm read as a merchant",
    "palace to vizier or elder": "a vizier or elder read as a palace",
    "vizier or elder to palace": "a palace read as a vizier or elder",
    "blue camel to builder": "a builder read as a blue camel",
    "builder to blue camel": "a blue camel read as a builder",
    "palm more": "a palm missed",
    "palm fewer": "a palm too many",
    "palace more": "a palace missed",
    "palace fewer": "a palace too many",
    "meeple more": "a meeple missed",
    "meeple fewer": "a meeple too many",
    "camel": "a camel missed, made up or of another colour",
    "meeple of another colour": "a meeple taken for one of another colour",
    "several": "several pieces at once",
}
"""What happened, by the change that would mend it (`contents_hypotheses.CHANGES`)."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A tile read wrongly: what was read, what is so, whether flagged."""

    read: Tile
    true: Tile
    is_flagged: bool

    @property
    def cause(self) -> str:
        """What happened, in words."""
        if self.read.kind is not self.true.kind:
            return ANOTHER_TILE
        return CAUSES[change_between(_numbers(self.read), _numbers(self.true))]


def _numbers(tile: Tile) -> tuple[int, ...]:
    """What stands on a tile, by `pieces.GROUPS`."""
    camel = 0 if tile.camel is None else tuple(Colour).index(tile.camel) + 1
    return (*tile.meeples, camel, tile.palms, tile.palaces)


def cause_counts(mistakes: Iterable[Mistake]) -> list[tuple[str, int, int]]:
    """Causes with how many mistakes are theirs and how many of these are flagged, the commonest first."""
    seen = list(mistakes)
    flagged = Counter(one.cause for one in seen if one.is_flagged)
    return [(cause, count, flagged[cause]) for cause, count in Counter(one.cause for one in seen).most_common()]
