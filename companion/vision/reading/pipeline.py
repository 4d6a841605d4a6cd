"""The way of a photo to a reading, stage by stage."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.errors import PhotoError
from companion.rules.model.board import Board
from companion.vision.board.board_evidence import HALF_TURN, BoardSight
from companion.vision.board.calibration import piece_probability, trust
from companion.vision.board.identity import check_identity
from companion.vision.board.known import OtherTilesError, check_known, is_known_half_turned
from companion.vision.board.pieces import Foot, find_feet
from companion.vision.board.rectify import rectify
from companion.vision.board.tallies import fuse, seen_chances, told_chances
from companion.vision.board.tiles import half_turn, is_half_turned, tile_probabilities
from companion.vision.board.verdict import decide
from companion.vision.colour.paints import Paints
from companion.vision.colour.recolour import recolour
from companion.vision.load import Picture, decode_photo, load_photo
from companion.vision.locate.lattice import Lattice
from companion.vision.locate.scan import Glimpse, beside_board, glimpse
from companion.vision.networks import PieceSight, piece_sight
from companion.vision.reading.reading import Reading


def read_photo(path: Path, paints: Paints | None = None) -> Reading:
    """Read a photo file, with the owner's paints if they are known.

    Raises PhotoError, or NotationError for a damaged or newer position code in it.
    """
    return read_picture(load_photo(path), paints)


def read_bytes(content: bytes, name: str, paints: Paints | None = None) -> Reading:
    """Read a photo from a file's bytes; `name` is what messages call it. Otherwise as `read_photo`."""
    return read_picture(decode_photo(content, name), paints)


def read_picture(photo: Picture, paints: Paints | None = None) -> Reading:
    """Read a photo (H, W, 3), BGR: the sultanate, the position code of a card or sheet, or both.

    With both, the code tells which tile lies where and only the pieces are read. Raises PhotoError if neither
    is found, if two codes are, or if the code is of another table; NotationError for a damaged or newer code.
    `paints` are the owner's from a calibration, if there is one.
    """
    seen = glimpse(photo)
    reading = read_seen(photo, seen, seen.coded, paints)
    return reading if seen.coded is None else beside_board(reading, seen.coded.position)


def read_seen(photo: Picture, seen: Glimpse, coded: Reading | None, paints: Paints | None = None) -> Reading:
    """Read the board of a photo of which is known what it holds, or take the code in it where there is no board.

    `coded` is a code of the same table, from this photo or another. Raises as `read_picture`.
    """
    if seen.lattice is None:
        if seen.coded is None:
            raise seen.fault or PhotoError("no sultanate found in the photo")
        return seen.coded
    try:
        return read_board(photo, seen.lattice, None if coded is None else coded.position.board, paints)
    except OtherTilesError as error:
        if error.is_table or seen.coded is None:
            raise
        return seen.coded


def read_board(photo: Picture, lattice: Lattice, known: Board | None = None, paints: Paints | None = None) -> Reading:
    """Read the thirty tiles of a sultanate whose place in the photo is known.

    `known` is a board of the same tiles, if there is one: then only the pieces are read. Raises
    OtherTilesError if other tiles lie there, PhotoError for another game or a mirrored picture. `paints` are the
    owner's from a calibration, if there is one.
    """
    homography = lattice.homography
    board = rectify(photo, homography)
    probabilities = tile_probabilities(board)
    if known is None:
        check_identity(board, probabilities)
    if is_half_turned(probabilities) if known is None else is_known_half_turned(probabilities, known):
        probabilities = half_turn(probabilities)
        homography = homography @ HALF_TURN
        board = np.ascontiguousarray(board[::-1, ::-1])
    if known is not None:
        check_known(probabilities, known)
    sight = piece_sight(board if paints is None else recolour(board, paints))
    feet = calibrated_feet(sight)
    chances = fuse(told_chances(sight.counts), seen_chances(feet), trust())
    return decide(BoardSight(probabilities, chances, tuple(feet), homography, known))


def calibrated_feet(sight: PieceSight) -> list[Foot]:
    """The feet seen, each with the chance that a piece of its class stands there."""
    return [
        Foot(foot.kind, foot.x, foot.y, piece_probability(foot.kind, foot.probability))
        for foot in find_feet(sight.heat)
    ]
