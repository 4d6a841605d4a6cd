"""An address as a QR code in the terminal: of this table, or of a play for an app."""

from __future__ import annotations

from companion.cli.output import console
from companion.printing.core.qr import QUIET_MODULES, qr_matrix

_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules above each other as one letter, light on dark: (upper is dark, lower is dark)."""


def shows_qr(text: str) -> bool:
    """Whether standard output is a terminal that shows a QR code of that text."""
    return draws_qr() and len(qr_lines(text)[0]) <= console().width


def draws_qr() -> bool:
    """Whether standard output is a terminal that has what QR codes are made of: blocks, and colours to say outright."""
    screen = console()
    return screen.is_terminal and not screen.options.ascii_only and not lacks_colour()


def lacks_colour() -> bool:
    """Whether standard output is a terminal that shows no colours, or is to show none, as NO_COLOR and TERM=dumb say.

    Its text is dark on light or light on dark, which nothing tells, and most phones read no code that is light on dark.
    """
    screen = console()
    return screen.is_terminal and (screen.no_color or screen.color_system is None)


def is_window_for(text: str) -> bool:
    """Whether the whole of a QR code of a long text is in the window at once."""
    columns, lines = long_qr_size(text)
    return columns <= console().width and lines < console().size.height


def long_qr_size(text: str) -> tuple[int, int]:
    """How many columns and lines the QR code of a long text takes."""
    lines = qr_lines(text, is_long=True)
    return len(lines[0]), len(lines)


def print_qr(text: str, *, is_long: bool = False) -> None:
    """Print a QR code on standard output, a terminal that shows it; `is_long` as in `qr_matrix`."""
    # Said outright, for terminals are dark or light, and their own black and white may be anything.
    for line in qr_lines(text, is_long=is_long):
        console().print(line, style="#ffffff on #000000", markup=False, highlight=False, no_wrap=True)


def qr_lines(text: str, *, is_long: bool = False) -> list[str]:
    """The code in lines of half blocks, its quiet zone included: light is drawn, dark is left out."""
    matrix = qr_matrix(text, is_long=is_long)
    rim = QUIET_MODULES // 2
    side = len(matrix) + 2 * rim

    def dark(row: int, column: int) -> bool:
        inside = rim <= row < rim + len(matrix) and rim <= column < rim + len(matrix)
        return inside and matrix[row - rim][column - rim]

    return [
        "".join(_HALVES[dark(row, column), dark(row + 1, column)] for column in range(side))
        for row in range(0, side, 2)
    ]
