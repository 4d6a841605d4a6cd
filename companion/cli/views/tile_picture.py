"""A small picture in the terminal: two pixels a character, one above the other."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from companion.vision.load import Picture

LINES = 20
"""Height of a picture in characters: a square one is twice as many wide."""

UPPER_HALF = "▀"


def show_picture(picture: Picture) -> None:
    """Show a picture (H, W, 3), BGR, on standard error if that is a terminal with enough colours; else nothing."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    coloured = console.color_system in ("truecolor", "256") and not console.no_color
    if not (coloured and sys.stderr.isatty()) or console.options.ascii_only:
        return
    columns = round(2 * LINES * picture.shape[1] / picture.shape[0])
    for line in picture_lines(picture, min(columns, console.width - 2)):
        console.print(line)


def picture_lines(picture: Picture, columns: int) -> list[Text]:
    """The lines of text, for rich, that show a picture that many characters wide."""
    import cv2
    from rich.style import Style
    from rich.text import Text

    height = max(2, round(picture.shape[0] * columns / picture.shape[1] / 2) * 2)
    small = cv2.resize(picture, (columns, height), interpolation=cv2.INTER_AREA)
    lines: list[Text] = []
    for upper, lower in zip(small[::2], small[1::2], strict=True):
        line = Text("  ")
        for top, bottom in zip(upper, lower, strict=True):
            line.append(UPPER_HALF, Style(color=_colour(top), bgcolor=_colour(bottom)))
        lines.append(line)
    return lines


def _colour(pixel: Iterable[int]) -> str:
    blue, green, red = map(int, pixel)
    return f"#{red:02x}{green:02x}{blue:02x}"
