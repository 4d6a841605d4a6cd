"""How much a person has to do until a photo's reading is right: answers given with the truth, and taps counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules.model.board import Board, Tile
from companion.vision.board.reading import TileReading

CHOOSING = 1
"""Taps for a reading that is offered: Enter for the one that was read, or another one's number."""

TYPING = 3
"""Taps for a tile that is not offered and has to be typed."""

FINDING = 1
"""Taps more for a mistake that is not flagged: the board has to be compared until it is found."""


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """What a reading asks of a person who answers with the truth, as `companion read --ask` goes on.

    `taps` are for all tiles: `CHOOSING` for each doubtful tile whose truth is among the readings offered, `TYPING` for
    others, `FINDING` and `TYPING` for a mistake that is not flagged. `places` has for each wrong tile the place of the
    truth among the other readings offered, from 1 on; None where it is not there or the tile is not flagged.
    """

    taps: int
    places: tuple[int | None, ...]

    def among_first(self, number: int) -> int:
        """Wrong tiles whose truth is among the first so many other readings."""
        return sum(place is not None and place <= number for place in self.places)


def count_answers(readings: Sequence[TileReading], truth: Board) -> AnswerCount:
    """Answer every doubtful tile with the truth, and mend what was not flagged."""
    taps = 0
    places: list[int | None] = []
    for seen, true in zip(readings, truth, strict=True):
        place = _place(seen, true)
        if seen.is_doubtful:
            taps += TYPING if place is None else CHOOSING
        elif seen.tile != true:
            taps += FINDING + TYPING
        if seen.tile != true:
            places.append(place if seen.is_doubtful else None)
    return AnswerCount(taps, tuple(places))


def _place(seen: TileReading, true: Tile) -> int | None:
    """Where the truth stands among the readings offered: 0 is as it was read, None nowhere."""
    return seen.offered.index(true) if true in seen.offered else None
