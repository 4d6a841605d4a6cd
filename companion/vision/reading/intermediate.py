"""What the reader went by, as pictures: the board from above, the pieces it saw, and what may stand on each tile."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, SQUARE_NAMES, SQUARES
from companion.vision.board.decision import decide_board, tile_with_contents
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.piece_corrections import given_before
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify, tile_within
from companion.vision.board.tiles import TileClassification
from companion.vision.load import Picture
from companion.vision.reading.overlay import PIECE_BGR, PIECE_SIGN, write_left
from companion.vision.reading.session import PhotoSession

LISTED = 6
"""How many of the contents that were weighed are listed a tile, the likeliest."""

_RIM, _LETTERS_PX, _LINE_PX, _ZOOM = 0.2, 15, 20, 1.5
_DIMMED, _SURE = 0.45, 0.99
_WHITE, _YELLOW = (255, 255, 255), (90, 220, 255)
"""Sizes in tile sides and px, and shares of light and chance, at which letters can be read on a photo."""


def intermediate_pictures(session: PhotoSession) -> Iterator[tuple[str, Picture]]:
    """For each photo that shows the board three pictures with their names: "1-board", "1-pieces" and "1-tiles".

    The first is the board straight from above, as networks see it; the second every foot that was seen, the fainter the
    less likely; the third lists what may stand on each tile by this photo alone, likeliest first.
    """
    for number, shot in enumerate(session.shots, 1):
        if shot.board is None:
            continue
        board = rectify(shot.picture, shot.board.homography)
        yield f"{number}-board", board
        yield f"{number}-pieces", _pieces(board, shot.board)
        yield f"{number}-tiles", _tiles(board, shot.board)


def _pieces(board: Picture, evidence: BoardEvidence) -> Picture:
    """The board, dimmed, with a disc on each foot: its letter, and in percent how likely a doubtful one is."""
    canvas = np.asarray(board * _DIMMED, dtype=np.uint8)
    for one in sorted(evidence.detections, key=lambda one: one.probability):
        centre = tuple(round((place + MARGIN_TILES) * TILE_PX) for place in (one.x, one.y))
        disc = canvas.copy()
        cv2.circle(disc, centre, TILE_PX // 11, PIECE_BGR[one.kind], -1, cv2.LINE_AA)
        cv2.addWeighted(disc, one.probability, canvas, 1 - one.probability, 0, canvas)
        sign = PIECE_SIGN.get(one.kind, one.kind)
        text = sign if one.probability >= _SURE else f"{sign} {one.probability:.0%}"
        write_left(canvas, text, (centre[0] + TILE_PX // 9, centre[1]), _LETTERS_PX, _WHITE)
    return canvas


def _tiles(board: Picture, evidence: BoardEvidence) -> Picture:
    """All tiles in their places, each over the list of what may stand there and how likely that is."""
    hypotheses, reading = given_before(evidence), decide_board(evidence)
    cells = []
    for square in range(SQUARES):
        picture = cv2.resize(tile_within(board, square, _RIM), None, fx=_ZOOM, fy=_ZOOM, interpolation=cv2.INTER_CUBIC)
        listed = np.zeros(((LISTED + 2) * _LINE_PX, picture.shape[1], 3), np.uint8)
        read = reading.tiles[square]
        heading = f"{SQUARE_NAMES[square]}  {read.tile}  {read.confidence:.0%}"
        write_left(listed, heading, (6, _LINE_PX // 2 + 3), _LETTERS_PX, _YELLOW if read.is_doubtful else _WHITE)
        one, kind = hypotheses[square], TileClassification(read.tile.kind, 1.0, read.tile.kind, 0.0, 0)
        for place, numbers in enumerate(one.numbers[:LISTED]):
            line = f"{np.exp(one.log_probs[place]):4.0%}  {tile_with_contents(kind, numbers)}"
            write_left(listed, line, (6, (place + 1) * _LINE_PX + _LINE_PX // 2 + 6), _LETTERS_PX, _WHITE)
        cells.append(np.vstack([picture, listed]))
    rows = [np.hstack(cells[first : first + COLUMNS]) for first in range(0, SQUARES, COLUMNS)]
    return np.vstack(rows)
