"""A photo in which an owner shows his pieces: on the calibration card, or in a row beside the sultanate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.vision.board.likeness import ShownPiece, likeness_of
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.colour.paint_card import CardReading, read_card, shows_card
from companion.vision.colour.paints import the_piece
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.scan import scan_photo
from companion.vision.numerics import Float64
from companion.vision.own.beside import find_beside
from companion.vision.own.field import card_pieces
from companion.vision.own.row import FoundPiece, ShownRow, find_row, row_pieces, with_unseen

MOST_NUMBERED = 30
"""More things than this beside the board are not told apart in a picture."""

ALIKE = 1.0
"""Squared distance under which two kinds of piece are hardly told apart by their likeness."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside the sultanate of a photo: `found` numbered as the photo shows it, from left to right."""

    photo: Picture
    lattice: Lattice
    found: tuple[FoundPiece, ...]

    def row(self) -> ShownRow:
        """The row among it. Raises PhotoError if there is none in the order that is told."""
        return find_row(self.photo, self.lattice, self.found)

    def pieces(self, places: Mapping[str, int]) -> list[ShownPiece]:
        """The pictures of pieces by class; `places` are theirs in `found`."""
        return row_pieces(self.photo, self.lattice, ShownRow(self.found, tuple(places.items())))


def read_shown_card(photo: Picture) -> tuple[CardReading, list[ShownPiece]] | None:
    """The calibration card of a photo and the pieces on it; None where there is no such card. Raises PhotoError."""
    if not shows_card(photo):
        return None
    reading = read_card(photo)
    return reading, card_pieces(photo, reading)


def look_beside(photo: Picture) -> Beside:
    """What lies beside the sultanate of a photo. Raises PhotoError if no sultanate is in it."""
    scan = scan_photo(photo)
    if scan.lattice is None:
        assert scan.fault is not None, "there is a board, or a fault that says why not"
        raise scan.fault
    found = with_unseen(scan.lattice, find_beside(photo, scan.lattice))
    across = scan.lattice.homography
    numbered = sorted(found[:MOST_NUMBERED], key=lambda one: _left(across, one)) + found[MOST_NUMBERED:]
    return Beside(photo, scan.lattice, tuple(numbered))


def _left(homography: Float64, one: FoundPiece) -> float:
    u, _, w = homography @ (*one.foot, 1.0)
    return float(u / w)


def alike_pieces(pieces: list[ShownPiece]) -> list[tuple[str, str]]:
    """The names of pieces that are too much alike to be told apart by what they look like."""
    likeness = likeness_of(pieces)
    squared = ((likeness.points[:, None] - likeness.points[None]) ** 2).sum(axis=2)
    names = [the_piece(PIECE_CLASSES[place]) for place in likeness.classes]
    return [
        (names[first], names[second])
        for first in range(len(names))
        for second in range(first + 1, len(names))
        if likeness.classes[first] != likeness.classes[second] and squared[first, second] < ALIKE
    ]
