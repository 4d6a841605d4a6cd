"""The pieces on a calibration card as they are compared with those on a board."""

from __future__ import annotations

import numpy as np

from companion.notation.fiducials import CARD_MM, CARD_PIECES
from companion.vision.board.likeness import TILE_MM, ShownPiece, piece_picture
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify
from companion.vision.colour.paint_card import CardReading
from companion.vision.colour.paints import GAMMA
from companion.vision.colour.recolour import CREAM
from companion.vision.load import Picture
from companion.vision.networks import BRIGHT_PERCENTILE


def card_pieces(photo: Picture, reading: CardReading) -> list[ShownPiece]:
    """The pictures of the pieces on the card of a photo (H, W, 3), BGR, that was read."""
    # The card as a board: as large as it is, its sides in tile sides.
    homography = reading.homography @ np.diag([TILE_MM, TILE_MM, 1.0])
    canvas = rectify(photo, homography)
    first = round(MARGIN_TILES * TILE_PX)
    width, height = (round(side / TILE_MM * TILE_PX) for side in CARD_MM)
    card = canvas[first : first + height, first : first + width]
    paper = np.percentile(card.reshape(-1, 3), BRIGHT_PERCENTILE, axis=0)
    # The bright end of a board is its tiles' cream; that of the card is white paper.
    blue, green, red = (
        max(float(white) * cream ** (1 / GAMMA), 8.0) for white, cream in zip(paper, CREAM, strict=True)
    )
    pieces = []
    for kind in CARD_PIECES:
        x, y = reading.middle(kind)
        pieces.append(ShownPiece(kind, piece_picture(canvas, homography, x / TILE_MM, y / TILE_MM), (blue, green, red)))
    return pieces
