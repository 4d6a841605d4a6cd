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

NAMING = 1
"""Taps for each tile that is named as wrong, out of the list of the doubtful ones."""


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """What a reading asks of a person who answers with the truth, as `companion read --ask` goes on.

    He answers tile by tile, or names those that are wrong first, whichever is less. `answers` counts lines, `taps`
    what is tapped for them: `CHOOSING` for each tile whose truth is among the readings offered, `TYPING` for others,
    `NAMING` for each that is named, and `FINDING` for a mistake that is not flagged. `places` has for each wrong tile
    the place of the truth among the other readings offered, from 1 on; None where it is not there or the tile is not
    flagged.
    """

    taps: int
    answers: int
    places: tuple[int | None, ...]

    def among_first(self, number: int) -> int:
        """Wrong tiles whose truth is among the first so many other readings."""
        return sum(place is not None and place <= number for place in self.places)


def count_answers(readings: Sequence[TileReading], truth: Board) -> AnswerCount:
    """Answer every doubtful tile with the truth, and mend what was not flagged."""
    pairs = list(zip(readings, truth, strict=True))
    wrong = [(seen, true) for seen, true in pairs if seen.tile != true]
    silent = [seen for seen, _ in wrong if not seen.is_doubtful]
    doubtful = [(seen, true) for seen, true in pairs if seen.is_doubtful]
    taps = sum(_choosing(seen, true) for seen, true in doubtful) + len(silent) * (FINDING + TYPING)
    answers = len(doubtful) + len(silent)
    if doubtful:
        # With none to be named it is one word, that all are right.
        named = sum(NAMING + _choosing(seen, true) for seen, true in wrong) if wrong else CHOOSING
        taps = min(taps, named + FINDING * len(silent))
        answers = min(answers, 1 + len(wrong))
    return AnswerCount(taps, answers, tuple(_place(seen, true) if seen.is_doubtful else None for seen, true in wrong))


def _choosing(seen: TileReading, true: Tile) -> int:
    return TYPING if _place(seen, true) is None else CHOOSING


def _place(seen: TileReading, true: Tile) -> int | None:
    """Where the truth stands among the readings offered: 0 is as it was read, None nowhere."""
    return seen.offered.index(true) if true in seen.offered else None
