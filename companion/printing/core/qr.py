"""QR codes as vector squares that phones and the photo reader find again."""

from __future__ import annotations

from functools import lru_cache

from companion.errors import UnusableInputError
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM
from companion.printing.core.tagging import Tag

QUIET_MODULES = 4
"""White modules that the standard wants around a code."""

MIN_MODULE_MM = 0.5
"""Smaller modules are lost in a phone's photo of a whole page."""

GROUP = 5
"""Letters that stand together in a printed code."""

_LEADING = 1.5

MAX_LONG_BYTES = 2953
"""What the largest code at error level L holds."""


@lru_cache(maxsize=8)
def qr_matrix(text: str, *, is_long: bool = False) -> tuple[tuple[bool, ...], ...]:
    """The dark modules of the text's QR code, row by row, without the quiet zone.

    At error level M; one that `is_long` has level L, so that its modules are as large as they can be. It holds
    `MAX_LONG_BYTES`.
    """
    # Loads all that can draw such a code as a picture, and few prints have one.
    from qrcode.constants import ERROR_CORRECT_L, ERROR_CORRECT_M
    from qrcode.main import QRCode

    code = QRCode(error_correction=ERROR_CORRECT_L if is_long else ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make(fit=True)
    return tuple(tuple(row) for row in code.get_matrix())


def qr_modules(text: str, box: Box, *, is_long: bool = False) -> list[Box]:
    """The dark modules in mm, as large as the box allows with the quiet zone inside it.

    Raises UnusableInputError if the modules would be smaller than `MIN_MODULE_MM`.
    """
    matrix = qr_matrix(text, is_long=is_long)
    side = min(box.w, box.h)
    module = side / (len(matrix) + 2 * QUIET_MODULES)
    if module < MIN_MODULE_MM:
        needed = MIN_MODULE_MM * (len(matrix) + 2 * QUIET_MODULES)
        raise UnusableInputError(
            "a QR code of {number} characters needs {needed:.0f} mm, but the template leaves {side:.0f} mm: "
            "make `code` larger",
            number=len(text),
            needed=needed,
            side=side,
        )
    x = box.x + QUIET_MODULES * module
    y = box.y + QUIET_MODULES * module
    return [
        Box(x + column * module, y + row * module, module, module)
        for row, line in enumerate(matrix)
        for column, dark in enumerate(line)
        if dark
    ]


def draw_qr(page: Document, text: str, box: Box, *, is_long: bool = False) -> None:
    """Draw the text's QR code black on white into the top left of the box, quiet zone included."""
    side = min(box.w, box.h)
    with page.tagged(Tag.FIGURE, alternative=f"QR: {text}"):
        page.box(Box(box.x, box.y, side, side), fill="#FFFFFF")
        page.squares(qr_modules(text, box, is_long=is_long), "#000000")


def grouped(code: str) -> str:
    """A position code with a hyphen after every five letters, which readers of codes skip.

    >>> grouped("FT1-ABCDEFGH")
    'FT1-ABCDE-FGH'
    """
    prefix, _, letters = code.partition("-")
    return "-".join([prefix, *(letters[start : start + GROUP] for start in range(0, len(letters), GROUP))])


def draw_code_text(page: Document, code: str, box: Box, size: float, *, colour: str) -> None:
    """Write a position code in groups, as many to the line as fit, lines from the top; smaller if it must be."""
    # Lines are of whole groups and of like length, each but the last ending in its hyphen.
    spaced = grouped(code).replace("-", "- ")
    while len(lines := page.balanced(spaced, size, box.w)) * size * _LEADING / PT_PER_MM > box.h and size > MIN_TYPE_PT:
        size = max(size - 0.25, MIN_TYPE_PT)
    with page.tagged(Tag.PARAGRAPH):
        page.lines(box, (line.replace(" ", "") for line in lines), size, _LEADING, colour=colour)
