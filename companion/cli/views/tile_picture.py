"""A small picture in the terminal: two pixels a character, one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

    from companion.vision.load import Picture

LINES = 20
"""Height of a picture in characters: a square one is twice as many wide."""

UPPER_HALF = "▀"


class TilePicture:
    """A picture (H, W, 3), BGR, to print with rich: shown on a terminal with enough colours, else nothing."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The picture's lines, as wide as the terminal lets it."""
        coloured = console.color_system in ("truecolor", "256") and not console.no_color
        if not (coloured and console.is_terminal) or options.ascii_only:
            return
        columns = round(2 * LINES * self._picture.shape[1] / self._picture.shape[0])
        yield from picture_lines(self._picture, min(columns, options.max_width - 2))


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
