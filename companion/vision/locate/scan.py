"""What a photo holds, told at a first look: a position code, the sultanate, both or neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.errors import PhotoError
from companion.notation.codes import decode
from companion.notation.tokens import format_tile
from companion.rules.model.board import SQUARES
from companion.rules.model.position import Player, Position
from companion.vision.load import Picture, is_grey
from companion.vision.locate.lattice import Lattice
from companion.vision.locate.markers import find_board
from companion.vision.locate.qr import CODE_START, find_codes
from companion.vision.reading.reading import Reading, TileReading

TILES_FROM_CODE = "The tiles are those of the code in the picture; only the pieces on them were read."
BOARD_OF_CODE = "The board is still as the code in the picture says, so the rest of the code was taken too."

MISREAD_TILES = 3
"""With no more tiles than this in doubt and otherwise as in the code, the board is the code's."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What was found in a photo, before any tile was read.

    `coded` is the reading that a position code in it gives, `lattice` where the sultanate lies; `fault` says
    why no sultanate was found, None where one was.
    """

    coded: Reading | None = None
    lattice: Lattice | None = None
    fault: PhotoError | None = None


def glimpse(photo: Picture) -> Glimpse:
    """Look for position codes and for the sultanate in a photo (H, W, 3), BGR.

    Raises PhotoError if there are codes of two positions, NotationError for a damaged or newer code.
    """
    texts = find_codes(photo)
    ours = [text for text in texts if CODE_START.match(text)]
    coded = read_codes(ours) if ours else None
    if is_grey(photo):
        grey = "the photo has no colour; the reader tells tiles and meeples by colour: send a colour photo"
        return Glimpse(coded, fault=PhotoError(grey))
    try:
        return Glimpse(coded, find_board(photo))
    except PhotoError as error:
        if texts and not ours:
            error = PhotoError(f"the QR code in the photo is not one of this program's ({_shown(texts[0])}); {error}")
        return Glimpse(coded, fault=error)


def read_codes(texts: Sequence[str]) -> Reading:
    """The position that the QR codes in a photo hold; the same code seen twice is one."""
    position, *others = [decode(text) for text in texts]
    if any(other != position for other in others):
        raise PhotoError("there are codes of two positions in the photo: photograph one card or sheet at a time")
    tiles = tuple(TileReading(tile, confidence=1.0) for tile in position.board)
    return Reading(position, tiles, turned=0, code=texts[0].strip())


def beside_board(reading: Reading, coded: Position) -> Reading:
    """What a board that was read and a code of its tiles tell together; a reading of the code alone stays.

    While the board is still the code's, all of the code holds. Once pieces have moved, the cards and the
    tracks may have changed too: only who plays is taken over.
    """
    if reading.code is not None:
        return reading
    differing = [square for square in range(SQUARES) if reading.tiles[square].tile != coded.board[square]]
    if len(differing) > MISREAD_TILES or any(not reading.tiles[square].is_doubtful for square in differing):
        players = tuple(Player(colour) for colour in coded.colours)
        return replace(
            reading, position=replace(reading.position, players=players), notes=(*reading.notes, TILES_FROM_CODE)
        )
    tiles = list(reading.tiles)
    for square in differing:
        seen = tiles[square]
        doubt = f"taken from the code; the photo shows {format_tile(seen.tile)}"
        tiles[square] = replace(seen, tile=coded.board[square], doubts=(doubt, *seen.doubts), feet=(), other=seen.tile)
    return replace(reading, position=coded, tiles=tuple(tiles), notes=(*reading.notes, BOARD_OF_CODE))


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= 40 else plain[:40] + "…")
