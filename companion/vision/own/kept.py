"""The pictures of an owner's pieces, as they are kept in the user's data folder."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.errors import UnusableInputError, system_reason
from companion.language.phrase import say
from companion.resources import data_folder
from companion.storage import write_private
from companion.vision.board.likeness import CROP_MM, ShownPiece
from companion.vision.board.pieces import PIECE_CLASSES

FILE_NAME = "pieces.json"
FORMAT = 1

MAX_BYTES = 2_000_000
"""A file larger than this was not put there by the program."""

MAX_PIECES = 99


def pieces_path() -> Path:
    """Where the pictures of the owner's pieces are kept, in the user's data folder."""
    return data_folder() / FILE_NAME


def format_pieces(pieces: Sequence[ShownPiece]) -> str:
    """The pieces as JSON with their pictures in it, as `parse_pieces` reads them: one file, whole or not there."""
    listed = []
    for piece in pieces:
        _, content = cv2.imencode(".png", piece.picture)
        picture = base64.b64encode(content.tobytes()).decode("ascii")
        white = [round(part, 2) for part in piece.level]
        listed.append({"piece": piece.kind, "white_bgr": white, "png": picture})
    return json.dumps({"pieces": FORMAT, "shown": listed}, indent=1) + "\n"


def parse_pieces(text: str) -> tuple[ShownPiece, ...]:
    """The pieces of a file. Raises ValueError if it is damaged or of another version."""
    document = json.loads(text)
    if not isinstance(document, dict) or document.get("pieces") != FORMAT:
        raise ValueError("not pieces of this version")
    shown = document.get("shown")
    if not isinstance(shown, list) or not 0 < len(shown) <= MAX_PIECES:
        raise ValueError("no pieces")
    return tuple(_parse_piece(entry) for entry in shown)


def _parse_piece(entry: object) -> ShownPiece:
    if not isinstance(entry, dict) or entry.get("piece") not in PIECE_CLASSES:
        raise ValueError("no such piece")
    level = entry.get("white_bgr")
    if not isinstance(level, list) or len(level) != 3 or not all(8 <= float(part) <= 512 for part in level):
        raise ValueError("no white level")
    blue, green, red = (float(part) for part in level)
    try:
        content = base64.b64decode(str(entry.get("png")), validate=True)
    except binascii.Error:
        raise ValueError("no picture") from None
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if picture is None or picture.shape != (CROP_MM[1], CROP_MM[0], 3):
        raise ValueError("no picture of a piece")
    return ShownPiece(str(entry["piece"]), np.asarray(picture, dtype=np.uint8), (blue, green, red))


def load_pieces(path: Path) -> tuple[ShownPiece, ...]:
    """The pieces in a file, none if there is no such file. Raises UnusableInputError if it cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("too large")
        return parse_pieces(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UnusableInputError(
            say("cannot read your own pieces, {path}: {reason}", path=path, reason=system_reason(error))
        ) from None
    except (ValueError, TypeError, OverflowError, RecursionError, cv2.error):
        raise UnusableInputError(
            say(
                "{path} is damaged or of another version: show your pieces anew with companion learn, or drop "
                "what was learnt with companion learn --forget",
                path=path,
            )
        ) from None


def save_pieces(path: Path, pieces: Sequence[ShownPiece]) -> None:
    """Keep pieces for this user alone, in place of those shown before.

    Raises UnusableInputError if they cannot be kept there, NoRoomError if the disk is full.
    """
    write_private(path, format_pieces(pieces).encode())
