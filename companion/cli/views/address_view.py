"""An address as a QR code in the terminal."""

from __future__ import annotations

from companion.cli.output import console
from companion.printing.core.qr import QUIET_MODULES, qr_matrix

_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules above each other as one letter, light on dark: (upper is dark, lower is dark)."""


def shows_qr(text: str) -> bool:
    """Whether standard output is a terminal that shows a QR code of that text."""
    screen = console()
    return screen.is_terminal and not screen.options.ascii_only and len(qr_lines(text)[0]) <= screen.width


def print_qr(text: str) -> None:
    """Print a QR code on standard output, a terminal that shows it."""
    # Said outright, for terminals are dark or light; phones want dark on light.
    for line in qr_lines(text):
        console().print(line, style="white on black", markup=False, highlight=False, no_wrap=True)


def qr_lines(text: str) -> list[str]:
    """The code in lines of half blocks, its quiet zone included: light is drawn, dark is left out."""
    matrix = qr_matrix(text)
    rim = QUIET_MODULES // 2
    side = len(matrix) + 2 * rim

    def dark(row: int, column: int) -> bool:
        inside = rim <= row < rim + len(matrix) and rim <= column < rim + len(matrix)
        return inside and matrix[row - rim][column - rim]

    return [
        "".join(_HALVES[dark(row, column), dark(row + 1, column)] for column in range(side))
        for row in range(0, side, 2)
    ]
