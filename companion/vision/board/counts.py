"""How the piece network's counts are laid out: logits over the number of each kind of piece on a tile."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.model.components import TRIBE_LETTERS, Colour

MOST_MEEPLES = 10
MOST_BUILDINGS = 5
"""Greatest numbers that are told apart; more of a kind on one tile count as these."""


@dataclass(frozen=True, slots=True)
class CountGroup:
    """The logits `first` to `first + size - 1` are over the numbers 0, 1, ... of one piece class on a tile."""

    kind: str
    first: int
    size: int

    @property
    def trusted_as(self) -> str:
        """The kind of piece whose trust (`calibration.trust`) holds for it: meeples of all colours share one."""
        return "meeple" if self.kind in TRIBE_LETTERS else self.kind


def _groups() -> tuple[CountGroup, ...]:
    sizes = [(letter, MOST_MEEPLES + 1) for letter in TRIBE_LETTERS]
    sizes += [("camel", len(Colour) + 1), ("palm", MOST_BUILDINGS + 1), ("palace", MOST_BUILDINGS + 1)]
    groups, first = [], 0
    for kind, size in sizes:
        groups.append(CountGroup(kind, first, size))
        first += size
    return tuple(groups)


GROUPS: tuple[CountGroup, ...] = _groups()
"""Meeples by colour, then the camel (0 none, then by colour in the order of `Colour`), palms and palaces."""

COUNT_LOGITS = sum(group.size for group in GROUPS)
