"""An address as a QR code in the terminal: of this table, or of a play for an app."""

from __future__ import annotations

from functools import cached_property

from companion.cli.output import console
from companion.printing.core.qr import QUIET_MODULES, qr_matrix

_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules above each other as one letter, light on dark: (upper is dark, lower is dark)."""


def lacks_colour() -> bool:
    """Whether standard output is a terminal without colours: nothing tells then whether it's dark on light."""
    screen = console()
    return screen.is_terminal and (screen.no_color or screen.color_system is None)


class QrInTerminal:
    """A QR code of a text in lines of half blocks, its quiet zone included; `is_long` as in `qr_matrix`."""

    def __init__(self, text: str, *, is_long: bool = False) -> None:
        self._text, self._is_long = text, is_long

    @cached_property
    def lines(self) -> list[str]:
        """The code: light is drawn, dark is left out."""
        matrix = qr_matrix(self._text, is_long=self._is_long)
        rim = QUIET_MODULES // 2
        side = len(matrix) + 2 * rim

        def dark(row: int, column: int) -> bool:
            inside = rim <= row < rim + len(matrix) and rim <= column < rim + len(matrix)
            return inside and matrix[row - rim][column - rim]

        rows = range(0, side, 2)
        return ["".join(_HALVES[dark(row, column), dark(row + 1, column)] for column in range(side)) for row in rows]

    @property
    def columns(self) -> int:
        return len(self.lines[0])

    @property
    def can_be_drawn(self) -> bool:
        """Whether standard output is a terminal with what codes are made of: blocks, and colours to say outright."""
        screen = console()
        return screen.is_terminal and not screen.options.ascii_only and not lacks_colour()

    @property
    def fits_width(self) -> bool:
        """Whether the terminal shows it, some of it perhaps only after scrolling."""
        return self.can_be_drawn and self.columns <= console().width

    @property
    def fits_window(self) -> bool:
        """Whether the whole of it is in the window at once."""
        return self.fits_width and len(self.lines) < console().size.height

    def print(self) -> None:
        # Colours said outright, for terminals are dark or light, and their own black and white may be anything.
        for line in self.lines:
            console().print(line, style="#ffffff on #000000", no_wrap=True)
