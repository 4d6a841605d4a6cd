"""The 50 mm scale that shows whether a page was printed at its true size."""

from __future__ import annotations

from companion.printing.core.geometry import Box
from companion.printing.core.page import Document

RULER_MM = 50.0
RULER_HEIGHT_MM = 4.0
RULER_GAP_MM = 1.0
"""Between the ruler and what the printer may leave blank."""
_HAIRLINE_MM = 0.15
_TEXT_PT = 7.0


def draw_ruler(page: Document, box: Box, text_box: Box, text: str, colour: str) -> None:
    """Draw the scale into a box of 50 mm, a stroke every 5 mm, and what to do beside it; readers pass over it."""
    with page.ornament():
        _draw(page, box, text_box, text, colour)


def _draw(page: Document, box: Box, text_box: Box, text: str, colour: str) -> None:
    page.line(box.x, box.bottom, box.right, box.bottom, colour=colour, width=_HAIRLINE_MM)
    for millimetre in range(0, int(RULER_MM) + 1, 5):
        height = box.h * (1.0 if millimetre % 50 == 0 else 0.6 if millimetre % 10 == 0 else 0.35)
        x = box.x + millimetre
        page.line(x, box.bottom - height, x, box.bottom, colour=colour, width=_HAIRLINE_MM)
    page.text(text_box, text, _TEXT_PT, colour=colour)
