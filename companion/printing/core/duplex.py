"""Fronts and backs of one sheet: where the back of what is printed on one side lies on the other."""

from __future__ import annotations

from enum import StrEnum

from companion.printing.core.geometry import Box


class Flip(StrEnum):
    """Over which edge a printer turns an upright page to print its other side."""

    LONG = "long"
    SHORT = "short"


def back_box(front: Box, paper: Box, flip: Flip, offset: tuple[float, float] = (0.0, 0.0)) -> Box:
    """The box on the back page that lies behind one on the front page of the same sheet.

    `offset` moves it by mm to the right and down, for printers that do not hit the front exactly.
    """
    x, y = front.x, front.y
    if flip is Flip.LONG:
        x = paper.w - front.right
    else:
        y = paper.h - front.bottom
    return Box(x + offset[0], y + offset[1], front.w, front.h)
