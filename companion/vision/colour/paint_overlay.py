"""The calibration card with what was measured drawn on it."""

from __future__ import annotations

import cv2
import numpy as np

from companion.notation.fiducials import CARD_PIECES, FIELD_MM, field_corner, field_dots
from companion.vision.colour.paint_card import PX_PER_MM, CardReading
from companion.vision.colour.paints import GAMMA, Light
from companion.vision.load import Picture

_RING = (40, 40, 255)
_SWATCH_MM = 8.0


def draw_card(reading: CardReading) -> Picture:
    """The card from straight above: rings where paint was measured, and beside each field its paint as measured.

    The swatches are, from the top: where it shines, well lit, in its own shade.
    """
    canvas = reading.card.copy()
    for number, piece in enumerate(CARD_PIECES):
        for (x, y), measured in zip(field_dots(number), reading.covered[piece].ravel(), strict=True):
            if measured:
                cv2.circle(canvas, (_px(x), _px(y)), _px(0.8), _RING, 1, cv2.LINE_AA)
        left, top = field_corner(number)
        paint = reading.paints.by_piece[piece]
        for place, colour in enumerate((paint.highlight, paint.lit, paint.shaded)):
            x, y = left + FIELD_MM + 1, top + (place + 0.5) * FIELD_MM / 3 - _SWATCH_MM / 2
            corners = ((_px(x), _px(y)), (_px(x + _SWATCH_MM), _px(y + _SWATCH_MM)))
            cv2.rectangle(canvas, *corners, _on_screen(colour), -1)
            cv2.rectangle(canvas, *corners, (60, 60, 60), 1)
    return np.asarray(canvas, dtype=np.uint8)


def _px(millimetres: float) -> int:
    return round(millimetres * PX_PER_MM)


def _on_screen(colour: Light) -> tuple[float, float, float]:
    blue, green, red = (255 * min(part, 1.0) ** (1 / GAMMA) for part in colour)
    return blue, green, red
