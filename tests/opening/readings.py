"""Photos that read as wished, where a test is about what is done with a reading."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import numpy as np
import pytest

from companion.opening.source import Content
from companion.rules.model.position import Position
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading, TileReading


def photo_reading_as(
    position: Position,
    monkeypatch: pytest.MonkeyPatch,
    path: Path,
    *,
    doubtful: tuple[int, ...] = (),
    notes: tuple[str, ...] = (),
    homography: tuple[tuple[float, float, float], ...] | None = None,
    shade: int = 0,
) -> str:
    """Writes a picture, and lets every photo be read as the position with these squares doubtful; the file's name.

    All photos are of this `shade`, 0 to 255, which tells one picture from another.
    """
    tiles = tuple(TileReading(tile, 0.4 if square in doubtful else 0.99) for square, tile in enumerate(position.board))
    reading = Reading(position, tiles, turned=0, homography=homography, notes=notes)

    def read_photos(contents: list[Content], *_: object, **__: object) -> PhotoSession:
        shots = tuple(Shot(photo.name, np.full((200, 200, 3), shade, np.uint8)) for photo in contents)
        return PhotoSession(shots, reading)

    monkeypatch.setitem(sys.modules, "companion.opening.photos", types.SimpleNamespace(read_photos=read_photos))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    return str(path)
