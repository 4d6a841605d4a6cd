"""Photos of a table read to the end, with the pictures that a person looks at while he answers doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PhotoError
from companion.inputs import LIMITS, read_file
from companion.language.phrase import say
from companion.notation.outcome import ResultAloneError
from companion.notation.tokens import parse_board
from companion.opening.photos import read_photos
from companion.opening.source import Content, Inputs
from companion.progress import TellShare
from companion.resources import check_address_space
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.table.photos import SeenTable, photo_name
from companion.vision.load import Picture
from companion.vision.reading.merge import BoardUnseenError
from companion.vision.reading.overlay import (
    LONG_SIDE_PX,
    doubt_pictures,
    encode_picture,
    tile_pictures,
)
from companion.vision.reading.table import Homography, TableReading

_SCAN, _BOARD, _CARDS, _PICTURES = 0.40, 0.35, 0.20, 0.05
"""The parts of the time that the stages take, of photos of a whole board."""

_JPEG = ".jpg"


def see_photos(files: Sequence[str], own_set: bool, board: str, tell: TellShare) -> SeenTable:
    """The photos of one table in these files, read together, as `pipeline.read_table` reads them.

    `own_set` reads them with the user's own tiles, if they were learnt; `board` is that of the game that they are of,
    as `format_board` writes it, "" for a new one. Raises PhotoError for what cannot be read.
    """
    tell(0.0, say("opening"))
    check_address_space()
    contents = tuple(
        Content(photo_name(number, len(files)), read_file(Path(path), LIMITS.photo_bytes), is_picture=True)
        for number, path in enumerate(files)
    )
    share = _Share(len(files), tell)
    game = parse_board(board) if board else None
    try:
        table, photos = read_photos(Inputs(photos=contents), own_set=own_set, board=game, tell=share.stage)
    except BoardUnseenError as error:
        # Phones have no commands.
        raise PhotoError(error.in_short) from None
    except ResultAloneError as error:
        raise PhotoError(
            say(
                "{name} shows a score sheet with a result and no position: scan it on the first page, as a set-up "
                "card is",
                name=error.name,
            )
        ) from None
    tell(1 - _PICTURES, say("cutting out what is doubtful"))
    pictures = doubt_pictures(photos.shots, photos.goods, table)
    crops = {label: encode_picture(picture, _JPEG) for label, picture in pictures.cards.items()}
    if not table.views:
        return SeenTable(_plain(table, None), replace(table.reading, evidence=None), crops=crops)
    views = [(photos.shots[number].picture, np.array(homography)) for number, homography in table.views.items()]
    tiles = tile_pictures(views, range(SQUARES))
    crops |= {SQUARE_NAMES[square]: encode_picture(picture, _JPEG) for square, picture in tiles.items()}
    view, scale = _view(photos.board_photo(table))
    plain = _plain(table, scale)
    return SeenTable(plain, plain.reading, encode_picture(view, _JPEG), (view.shape[1], view.shape[0]), crops)


class _Share:
    """Makes shares of the whole of the stages that the reader tells, in the order in which it comes to them."""

    def __init__(self, photos: int, tell: TellShare) -> None:
        self._photos = photos
        self._tell = tell
        self._scanned = 0
        self._read = 0

    def stage(self, stage: str) -> None:
        """A stage begins: all photos are scanned first, then each one's board and cards are read."""
        if stage.endswith(": looking for the board"):
            self._tell(_SCAN * self._scanned / self._photos, stage)
            self._scanned += 1
            return
        board = stage.endswith(": reading the board")
        if board:
            self._read += 1
        done = max(0, self._read - 1) * (_BOARD + _CARDS) + (0.0 if board else _BOARD)
        self._tell(min(_SCAN + done / self._photos, 1 - _PICTURES), stage)


def _view(photo: Picture) -> tuple[Picture, float]:
    """The photo as large as it is shown, and by how much it was made smaller."""
    scale = min(1.0, LONG_SIDE_PX / max(photo.shape[:2]))
    if scale == 1.0:
        return photo, scale
    return np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _plain(table: TableReading, scale: float | None) -> TableReading:
    """The reading with the homography of a picture made smaller."""
    homography = table.reading.homography
    if homography is not None and scale is not None:
        matrix = np.diag([scale, scale, 1.0]) @ np.array(homography)
        homography = _rows(matrix)
    return replace(table, reading=replace(table.reading, homography=homography))


def _rows(matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Homography:
    first, second, third = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
    return first, second, third
