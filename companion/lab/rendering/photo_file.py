"""A picture of a given board as a file, and its truth as a document."""

from __future__ import annotations

import cv2
import numpy as np

from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.truth import Truth
from companion.notation.tokens import format_rows
from companion.rules.model.board import SQUARE_NAMES, Board

ROW = "_row"
"""Ends the name of a photo in which an owner shows his pieces in a row, for the photo of that name without it."""

TILES = "_tiles"
"""The same for a photo in which he shows his thirty tiles with nothing on them."""

JPEG_QUALITY = 85


def photo_of(
    board: Board, *, seed: int, scenario: str = "table", width: int = 2000, lossless: bool = False
) -> tuple[bytes, Truth]:
    """A picture as a phone would take of a board on a table, as a JPEG file (or PNG), with its truth.

    `scenario` is one of `profiles.PROFILES`; `width` in px, the height being three quarters of it. The same
    seed always gives the same picture. Raises KeyError for an unknown scenario.
    """
    rng = np.random.default_rng(seed)
    picture, truth = render(sample_scene(rng, board, scenario), rng, (width, round(width * 3 / 4)))
    options = [] if lossless else [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    coded = cv2.imencode(".png" if lossless else ".jpg", picture, options)[1]
    return coded.tobytes(), truth


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
