"""The owner's own set: pictures of tiles with what stands on them, as a person typed or picked it.

Each is a picture and a small JSON file of one name in a folder. The oldest make room for new ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.errors import NotationError, UnusableInputError, system_reason
from companion.language.phrase import say
from companion.notation.tokens import format_tile, parse_tile
from companion.resources import data_folder
from companion.rules.model.board import Tile
from companion.storage import private_folder, write_private
from companion.vision.colour.learnt import SeenPiece, parse_piece
from companion.vision.load import Picture

MAX_EXAMPLES = 400
"""Examples kept, some 30 KB each."""

PICTURE_PX = 96
"""Side of an example's picture. It stays: by its pixels an answer is known again."""

MAX_BYTES, MAX_TEXT_BYTES = 200_000, 20_000
"""A picture or a text larger than this was not put there by the program."""

_FORMAT = 2
"""Those of the first are passed over: some of them hold readings that nobody had confirmed."""


@dataclass(frozen=True, slots=True)
class OwnExample:
    """A tile of the owner's set: `tile` as the person says, `read` as the program read it, `on` the day (ISO 8601).

    `picture` is the file of the tile from straight above with a rim around, as `rectify.crop_tile` cuts it;
    `pieces` are those that were seen on it, with their colours, and `photo` tells photos apart.
    """

    picture: Path
    tile: Tile
    read: Tile
    on: str
    pieces: tuple[SeenPiece, ...] = ()
    photo: str = ""

    def load_picture(self) -> Picture:
        """The tile's picture, BGR. Raises UnusableInputError if the file is gone or damaged."""
        try:
            content = self.picture.read_bytes()
        except OSError as error:
            raise UnusableInputError(
                say("cannot read {picture}: {reason}", picture=self.picture, reason=system_reason(error))
            ) from None
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
        if picture is None:
            raise UnusableInputError(
                say("{picture} is damaged; `companion examples --forget` clears the folder", picture=self.picture)
            )
        return np.asarray(picture, dtype=np.uint8)


def examples_folder() -> Path:
    """Where the user's examples are kept; it need not be there yet."""
    return data_folder() / "examples"


def save_example(
    folder: Path,
    picture: Picture,
    tile: Tile,
    read: Tile,
    on: str,
    pieces: Sequence[SeenPiece] = (),
    photo: str = "",
) -> Path:
    """Keep a tile's picture and what it shows, in place of an older answer to the same picture.

    `on` is the day, ISO 8601; `pieces` are those seen on the tile, `photo` is a key that tells photos
    apart (`picture_key`). Returns the picture's file. Raises UnusableInputError if it cannot be written.
    """
    _, content = cv2.imencode(".png", picture)
    key = picture_key(picture)
    document: dict[str, object] = {
        "example": _FORMAT,
        "tile": format_tile(tile),
        "read": format_tile(read),
        "on": on,
        "photo": photo,
        "seen": [piece.as_list() for piece in pieces],
    }
    try:
        private_folder(folder)
        for older in folder.glob(f"*-{key}.*"):
            older.unlink(missing_ok=True)
        path = folder / f"{on}-{key}.png"
        write_private(path, content.tobytes())
        # The text comes last: a picture without it is no example.
        write_private(path.with_suffix(".json"), json.dumps(document).encode())
        for old in _pictures(folder)[:-MAX_EXAMPLES]:
            _remove(old)
    except OSError as error:
        raise UnusableInputError(
            say("cannot keep an example in {folder}: {reason}", folder=folder, reason=system_reason(error))
        ) from None
    return path


def has_examples(folder: Path) -> bool:
    """Whether a folder holds any example, without looking at it."""
    with suppress(OSError):
        return any(folder.glob("*.png"))
    return False


def recall(folder: Path, picture: Picture) -> Tile | None:
    """What a person said of this very picture, pixel by pixel, before; None if nothing."""
    with suppress(OSError):
        for path in folder.glob(f"*-{picture_key(picture)}.png"):
            example = _load(path)
            if example is not None:
                return example.tile
    return None


def picture_key(picture: Picture) -> str:
    """A key of a picture, another one for every other picture."""
    return hashlib.sha256(picture.tobytes()).hexdigest()[:16]


def load_examples(folder: Path) -> list[OwnExample]:
    """The examples in a folder, oldest first; what is damaged is passed over."""
    return [example for path in _pictures(folder) if (example := _load(path)) is not None]


def forget_examples(folder: Path) -> int:
    """Delete every example in a folder, and nothing else; how many there were.

    Raises UnusableInputError if one cannot be deleted.
    """
    pictures = _pictures(folder)
    try:
        for path in pictures:
            _remove(path)
    except OSError as error:
        raise UnusableInputError(
            say("cannot delete the examples in {folder}: {reason}", folder=folder, reason=system_reason(error))
        ) from None
    return len(pictures)


def _pictures(folder: Path) -> list[Path]:
    """The pictures that have their text beside them, oldest first: their names begin with the day."""
    with suppress(OSError):
        return sorted(path for path in folder.glob("????-??-??-*.png") if path.with_suffix(".json").is_file())
    return []


def _remove(path: Path) -> None:
    path.with_suffix(".json").unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _load(path: Path) -> OwnExample | None:
    try:
        text = path.with_suffix(".json")
        if path.stat().st_size > MAX_BYTES or text.stat().st_size > MAX_TEXT_BYTES:
            return None
        document = json.loads(text.read_text(encoding="utf-8"))
        if document["example"] != _FORMAT:
            return None
        pieces = tuple(parse_piece(values) for values in document.get("seen", []))
        tile, read = parse_tile(document["tile"]), parse_tile(document["read"])
        return OwnExample(path, tile, read, str(document["on"]), pieces, str(document.get("photo", "")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, NotationError):
        return None
