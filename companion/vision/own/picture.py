"""A photo of an owner's pieces with what was found drawn on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.numerics import project
from companion.vision.own.row import FoundPiece

LONG_SIDE_PX = 1800
_INK, _PAPER = (30, 26, 22), (240, 246, 250)


def draw_found(photo: Picture, lattice: Lattice, found: Sequence[FoundPiece], labels: Sequence[str]) -> Picture:
    """A copy of the photo, at most `LONG_SIDE_PX` long, with a label beside each thing that was found."""
    scale = min(1.0, LONG_SIDE_PX / max(photo.shape[:2]))
    canvas = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo.copy()
    side = lattice.tile_px * scale
    radius, text = max(round(side * 0.22), 8), max(side / 170, 0.45)
    for one, label in zip(found, labels, strict=True):
        x, y = (round(float(value) * scale) for value in project(lattice.homography, np.array([one.foot]))[0])
        cv2.circle(canvas, (x, y), radius, _PAPER, 3, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), radius, _INK, 1, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(label, cv2.FONT_HERSHEY_SIMPLEX, text, 2)
        left, base = x - width // 2, y + radius + height + 6
        cv2.rectangle(canvas, (left - 4, base - height - 5), (left + width + 4, base + 5), _PAPER, -1)
        cv2.putText(canvas, label, (left, base), cv2.FONT_HERSHEY_SIMPLEX, text, _INK, 2, cv2.LINE_AA)
    return np.asarray(canvas, dtype=np.uint8)
