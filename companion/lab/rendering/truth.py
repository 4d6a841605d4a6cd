"""What a rendered picture shows, exactly, and both as files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.textures import Image
from companion.notation.tokens import format_rows
from companion.rules.model.board import SQUARE_NAMES, Board

JPEG_QUALITY = 85

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PieceTruth:
    """One piece in the picture.

    `kind` is "meeple", "camel", "palm" or "palace"; `colour` the notation's letter (meeples y w b g r,
    camels K O B P, else empty); `square` the tile it stands on, None beside the sultanate; `pose`
    "standing" or "lying". `foot_px` is where it touches the tile, `centre_px` the middle of its body,
    `box_px` its bounds (left, top, right, bottom), all in px; `visible` the share of it not hidden.
    """

    kind: str
    colour: str
    square: int | None
    pose: str
    foot_px: tuple[float, float]
    centre_px: tuple[float, float]
    box_px: tuple[float, float, float, float]
    visible: float


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One tile in the picture: its square, its kind's code, its corners in px and its quarter turns.

    The corners begin with the tile's own top left (left of the value disc) and go round clockwise as
    printed; `turn` counts quarter turns clockwise against the board.
    """

    square: int
    code: str
    corners_px: Corners
    turn: int


@dataclass(frozen=True, slots=True)
class Truth:
    """All that a rendered picture shows.

    `corners_px` are the sultanate's corners at a1, f1, f5 and a5; `homography` (3, 3) takes
    (column, row, 1) in tile sides from a1's outer corner to px on the tops of the tiles, as near as a
    homography comes to a bent picture; `size` is (width, height) in px.
    """

    board: Board
    size: tuple[int, int]
    corners_px: Corners
    homography: NDArray[np.float64]
    tiles: tuple[TileTruth, ...]
    pieces: tuple[PieceTruth, ...]


def store_photo(folder: Path, name: str, picture: Image, document: dict[str, object]) -> None:
    """Write a photo and its truth beside it, as `accuracy` takes them: where there is a truth, there is a whole photo.

    Each is written beside its place and renamed.
    """
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    for suffix, content in ((".jpg", coded.tobytes()), (".json", json.dumps(document).encode())):
        part = folder / f"{name}{suffix}.part"
        part.write_bytes(content)
        part.replace(folder / f"{name}{suffix}")


def truth_document(truth: Truth) -> dict[str, object]:
    """The truth as plain numbers and texts, to be written as JSON; places in px, `visible` from 0 to 1."""
    return {
        "rows": format_rows(truth.board),
        "size": list(truth.size),
        "corners_px": truth.corners_px,
        "homography": truth.homography.tolist(),
        "tiles": [
            {
                "tile": SQUARE_NAMES[tile.square],
                "kind": tile.code,
                "turned_deg": 90 * tile.turn,
                "corners_px": tile.corners_px,
            }
            for tile in truth.tiles
        ],
        "pieces": [
            {
                "kind": piece.kind,
                "colour": piece.colour,
                "tile": None if piece.square is None else SQUARE_NAMES[piece.square],
                "pose": piece.pose,
                "foot_px": piece.foot_px,
                "centre_px": piece.centre_px,
                "box_px": piece.box_px,
                "visible": piece.visible,
            }
            for piece in truth.pieces
        ],
    }
