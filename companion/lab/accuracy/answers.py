"""How much a person has to do until a photo's reading is right: answers given with the truth, and taps counted."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.model.board import SQUARES, Board, Tile
from companion.vision.board.decision import confirmed, decided_anew
from companion.vision.board.reading import Reading, TileReading

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

    He answers tile by tile, or names those that are wrong, all at first or, as on the page, one after another until he
    says that all is right, whichever is less; after each answer the others are decided anew. `answers` counts lines,
    `taps` what is tapped for them: `CHOOSING` for each tile whose truth is among the readings offered, `TYPING` for
    others, `NAMING` for each that is named, and `FINDING` for a mistake that is not flagged. `places` has for each
    wrong tile the place of the truth among the other readings offered at first, from 1 on; None where it is not there
    or the tile is not flagged.
    """

    taps: int
    answers: int
    places: tuple[int | None, ...]

    def among_first(self, number: int) -> int:
        """Wrong tiles whose truth is among the first so many other readings."""
        return sum(place is not None and place <= number for place in self.places)


def count_answers(reading: Reading, truth: Board) -> AnswerCount:
    """Answer every doubtful tile with the truth, and mend what was not flagged."""
    wrong = [(seen, true) for seen, true in zip(reading.tiles, truth, strict=True) if seen.tile != true]
    ways = [_mended(reading, truth, FINDING + TYPING)]
    if reading.doubtful:
        taps, answers = _mended(reading, truth)
        ways = [_one_by_one(reading, truth), _named_first(reading, truth), (max(taps, CHOOSING), answers + 1)]
    return AnswerCount(
        min(taps for taps, _ in ways),
        min(answers for _, answers in ways),
        tuple(_place(seen, true) if seen.is_doubtful else None for seen, true in wrong),
    )


def _one_by_one(reading: Reading, truth: Board) -> tuple[int, int]:
    """Taps and answers of who answers tile by tile, and mends the rest."""
    taps = answers = 0
    told: set[int] = set()
    while left := [square for square in reading.doubtful if square not in told]:
        square = left[0]
        taps += _choosing(reading.tiles[square], truth[square])
        answers += 1
        told.add(square)
        reading = decided_anew(reading, square, truth[square])
    mended = _mended(reading, truth, FINDING + TYPING)
    return taps + mended[0], answers + mended[1]


def _named_first(reading: Reading, truth: Board) -> tuple[int, int]:
    """Taps and answers of who names all flagged tiles that are wrong, or says that none is, and mends the rest."""
    wrong = [square for square in reading.doubtful if reading.tiles[square].tile != truth[square]]
    reading = confirmed(reading, [square for square in reading.doubtful if square not in wrong])
    taps = NAMING * len(wrong) if wrong else CHOOSING
    for square in wrong:
        taps += _choosing(reading.tiles[square], truth[square])
        reading = decided_anew(reading, square, truth[square])
    mended = _mended(reading, truth)
    return taps + mended[0], 1 + len(wrong) + mended[1]


def _mended(reading: Reading, truth: Board, silent: int | None = None) -> tuple[int, int]:
    """Taps and answers of who goes on until all is right, first with what is flagged, then with what he finds.

    What he finds costs so many taps, or without `silent`, that he names it and chooses.
    """
    taps = answers = 0
    # Each tile is told once at most, so that this ends.
    for _ in range(SQUARES):
        wrong = [square for square in range(SQUARES) if reading.tiles[square].tile != truth[square]]
        if not wrong:
            break
        square = next((one for one in reading.doubtful if one in wrong), wrong[0])
        seen = reading.tiles[square]
        named = NAMING + _choosing(seen, truth[square])
        taps += named if seen.is_doubtful else FINDING + named if silent is None else silent
        answers += 1
        reading = decided_anew(reading, square, truth[square])
    return taps, answers


def _choosing(seen: TileReading, true: Tile) -> int:
    return TYPING if _place(seen, true) is None else CHOOSING


def _place(seen: TileReading, true: Tile) -> int | None:
    """Where the truth stands among the readings offered: 0 is as it was read, None nowhere."""
    return seen.offered.index(true) if true in seen.offered else None
