"""The way of a photo to a reading, stage by stage."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.rules.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.components import COLOUR_BY_LETTER, TRIBE_LETTERS, Tribe
from companion.rules.position import Position
from companion.vision.alternative import likeliest_other, with_piece
from companion.vision.calibration import piece_probability, tile_probability, whole_probability
from companion.vision.evidence import Crowd, weigh
from companion.vision.glimpse import Glimpse, beside_board, glimpse
from companion.vision.identity import check_identity
from companion.vision.known import OtherTilesError, is_known_half_turned, known_tiles
from companion.vision.lattice import Lattice
from companion.vision.load import Picture, decode_photo, load_photo
from companion.vision.networks import piece_heat
from companion.vision.paints import Paints
from companion.vision.pieces import Foot, find_feet
from companion.vision.reading import Reading, TileReading
from companion.vision.recolour import recolour
from companion.vision.rectify import rectify
from companion.vision.tiles import TileSight, assign_tiles, half_turn, is_half_turned, tile_probabilities

DOUBT_FROM = 0.08
"""Chance of another reading from which it is worth a word."""

EDGE_BLUR_TILES = 0.03
"""How exactly a foot is placed: nearer to an edge than this, it may stand on the next tile."""

HALF_TURN = np.array([[-1, 0, COLUMNS], [0, -1, ROWS], [0, 0, 1]], dtype=np.float64)
"""Board coordinates of a board turned by 180 degrees as those of the board."""

_NOUNS = {
    **{letter: tribe.noun for letter, tribe in zip(TRIBE_LETTERS, Tribe, strict=True)},
    **{letter: f"{colour} camel" for letter, colour in COLOUR_BY_LETTER.items()},
    "palm": "palm",
    "palace": "palace",
}


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
    sights = assign_tiles(probabilities) if known is None else known_tiles(probabilities, known)
    feet = [
        Foot(foot.kind, foot.x, foot.y, piece_probability(foot.kind, foot.probability))
        for foot in find_feet(piece_heat(board if paints is None else recolour(board, paints)))
    ]
    readings = tuple(_read_tile(sight, crowd) for sight, crowd in zip(sights, weigh(feet), strict=True))
    scaled = homography / homography[2, 2]
    return Reading(
        position=Position(board=tuple(reading.tile for reading in readings)),
        tiles=readings,
        turned=_turned(homography),
        homography=tuple((float(a), float(b), float(c)) for a, b, c in scaled),
    )


def _turned(homography: NDArray[np.float64]) -> int:
    """Degrees by which the board's x axis points clockwise from the photo's, at the board's middle."""
    ends = np.array([(1.0, ROWS / 2, 1.0), (COLUMNS - 1.0, ROWS / 2, 1.0)]) @ homography.T
    (x0, y0), (x1, y1) = ends[:, :2] / ends[:, 2:3]
    return round(math.degrees(math.atan2(y1 - y0, x1 - x0))) % 360


def _read_tile(sight: TileSight, crowd: Crowd) -> TileReading:
    kinds = [foot.kind for foot in crowd.stands]
    camels = [COLOUR_BY_LETTER[kind] for kind in kinds if kind in COLOUR_BY_LETTER]
    tile = Tile(
        kind=sight.kind,
        meeples=tuple(kinds.count(letter) for letter in TRIBE_LETTERS),
        camel=camels[0] if camels else None,
        palms=kinds.count("palm"),
        palaces=kinds.count("palace"),
    )
    certainty = tile_probability(sight.probability)
    doubts: list[tuple[float, str]] = []
    if sight.other_probability > max(DOUBT_FROM, sight.probability * DOUBT_FROM):
        doubts.append((sight.other_probability, f"perhaps the tile is {sight.other.code}"))
    confidence = certainty
    for foot in crowd.stands:
        stray = _chance_on_next_tile(foot)
        confidence *= foot.probability * (1.0 - stray)
        if foot.probability < 1 - DOUBT_FROM:
            doubts.append(
                (
                    1 - foot.probability,
                    f"perhaps no {_NOUNS[foot.kind]}"
                    if kinds.count(foot.kind) == 1
                    else f"perhaps one {_NOUNS[foot.kind]} fewer",
                )
            )
        if stray > DOUBT_FROM:
            doubts.append((stray, f"the {_NOUNS[foot.kind]} may stand on {_next_square(foot)}"))
    for foot in crowd.left_out:
        confidence *= 1.0 - min(foot.probability, 0.9)
        if foot.probability > DOUBT_FROM:
            doubts.append((foot.probability, f"perhaps one more {_NOUNS[foot.kind]}"))
    doubts += [(0.5, text) for text in crowd.forced]
    doubts.sort(key=lambda doubt: -doubt[0])
    return TileReading(
        tile=tile,
        confidence=round(whole_probability(confidence), 4),
        raw_confidence=confidence,
        doubts=tuple(dict.fromkeys(text for _, text in doubts)),
        feet=tuple((foot.kind, round(foot.x, 3), round(foot.y, 3)) for foot in crowd.stands),
        other=likeliest_other(tile, _other_tiles(tile, sight, crowd)),
    )


def _other_tiles(tile: Tile, sight: TileSight, crowd: Crowd) -> Iterator[tuple[float, Tile]]:
    """What else the tile may be, each one change away, with its chance."""
    yield sight.other_probability, replace(tile, kind=sight.other)
    for foot in crowd.stands:
        yield max(1 - foot.probability, _chance_on_next_tile(foot)), with_piece(tile, foot.kind, -1)
    for foot in crowd.left_out:
        yield foot.probability, with_piece(tile, foot.kind)


def _chance_on_next_tile(foot: Foot) -> float:
    """Chance that a foot this close to an edge stands beyond it."""
    return 0.5 * math.erfc(max(foot.edge_distance, 0.0) / EDGE_BLUR_TILES / math.sqrt(2))


def _next_square(foot: Foot) -> str:
    """The name of the tile beyond the edge that a foot is nearest to."""
    row, column = divmod(foot.square, COLUMNS)
    choices: Sequence[tuple[float, int, int]] = (
        (foot.x - column, 0, -1),
        (column + 1 - foot.x, 0, 1),
        (foot.y - row, -1, 0),
        (row + 1 - foot.y, 1, 0),
    )
    _, down, right = min(
        choice for choice in choices if 0 <= row + choice[1] < ROWS and 0 <= column + choice[2] < COLUMNS
    )
    return SQUARE_NAMES[(row + down) * COLUMNS + column + right]
