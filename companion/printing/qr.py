"""QR codes as vector squares that phones and the photo reader find again."""

from __future__ import annotations

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from companion.printing.geometry import Box
from companion.printing.page import Document

QUIET_MODULES = 4
"""White modules that the standard wants around a code."""

LEAST_MODULE_MM = 0.5
"""Smaller modules are lost in a phone's photo of a whole page."""


def qr_matrix(text: str) -> list[list[bool]]:
    """The dark modules of the text's QR code at error level M, row by row, without the quiet zone."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make(fit=True)
    return [list(row) for row in code.get_matrix()]


def qr_modules(text: str, box: Box) -> list[Box]:
    """The dark modules in mm, as large as the box allows with the quiet zone inside it.

    Raises ValueError if the modules would be smaller than `LEAST_MODULE_MM`.
    """
    matrix = qr_matrix(text)
    side = min(box.w, box.h)
    module = side / (len(matrix) + 2 * QUIET_MODULES)
    if module < LEAST_MODULE_MM:
        raise ValueError(f"a QR code of {len(text)} characters does not fit into {side:.0f} mm")
    x = box.x + QUIET_MODULES * module
    y = box.y + QUIET_MODULES * module
    return [
        Box(x + column * module, y + row * module, module, module)
        for row, line in enumerate(matrix)
        for column, dark in enumerate(line)
        if dark
    ]


def draw_qr(page: Document, text: str, box: Box) -> None:
    """Draw the text's QR code black on white into the top left of the box, quiet zone included."""
    side = min(box.w, box.h)
    page.box(Box(box.x, box.y, side, side), fill="#FFFFFF")
    page.squares(qr_modules(text, box), "#000000")
