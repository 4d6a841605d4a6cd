"""A photo and its truth as files."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from companion.lab.rendering.textures import Image
from companion.lab.rendering.truth import Truth
from companion.notation.tokens import format_rows
from companion.rules.model.board import SQUARE_NAMES

JPEG_QUALITY = 85


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
