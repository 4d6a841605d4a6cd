"""Tiles of no kind in the base game's box, and boards of a printing that is hardly known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.language.phrase import Phrase, listed, say
from companion.rules.model.board import SQUARE_NAMES
from companion.vision.board.calibration import unknown_from
from companion.vision.board.reading import DOUBT_BELOW, BoardEvidence, TileReading
from companion.vision.board.tiles import mean_probability

STRANGE_CONFIDENCE = 0.05
"""The confidence of a tile that is none of the box: whatever is read there is hardly right."""

PRINTING_BELOW = 0.7
"""Mean probability of the thirty tiles under which their printing is one that the tile network hardly knows."""


def with_strangers(
    tiles: Sequence[TileReading], evidence: BoardEvidence
) -> tuple[tuple[TileReading, ...], tuple[str, ...]]:
    """The readings of a board's tiles with doubts about what is not of the base game, and notes about the whole."""
    told = list(tiles)
    strange: list[str] = []
    if evidence.known is None and evidence.unknown is not None:
        for square, chance in enumerate(evidence.unknown):
            if chance >= unknown_from():
                strange.append(SQUARE_NAMES[square])
                told[square] = _doubted(
                    told[square],
                    STRANGE_CONFIDENCE,
                    say("an unknown tile at {square} (an expansion's?)", square=SQUARE_NAMES[square]),
                )
    notes: list[str] = []
    if strange:
        notes.append(
            say(
                "tiles that are none of the base game's thirty, perhaps an expansion's: {squares}; "
                "what is read there is a guess, and expansions are not known",
                squares=listed(strange),
            )
        )
    if evidence.known is None and mean_probability(evidence.tiles) < PRINTING_BELOW:
        notes.append(
            say(
                "these tiles are of a printing that is hardly known: compare every one, or have yours learnt once "
                "from a photo of all thirty (companion learn --tiles)"
            )
        )
    return tuple(told), tuple(notes)


def _doubted(tile: TileReading, confidence: float, doubt: Phrase) -> TileReading:
    assert confidence < DOUBT_BELOW
    return replace(tile, confidence=min(tile.confidence, confidence), doubts=(doubt, *tile.doubts))
