"""Text broken into lines between words, as wide as a terminal shows it: Hangul takes two columns a letter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

TIE = "\xa0"
"""A space that no line is broken at; it is printed as a plain one."""

_BETWEEN_WORDS = re.compile(r"[ \t\n]+")


def wrapped(text: str, width: int, head: str = "", indent: str = "") -> list[str]:
    """Lines of a text: the first begins with `head`, the others with `indent`. No word is broken.

    >>> wrapped("one two three", 9, "- ", "  ")
    ['- one two', '  three']
    """
    from rich.cells import cell_len

    lines: list[str] = []
    line, used = head, cell_len(head)
    begun = False
    for word in _BETWEEN_WORDS.split(text.strip(" \t\n")):
        wide = cell_len(word)
        if begun and used + 1 + wide > width:
            lines.append(line)
            line, used, begun = indent, cell_len(indent), False
        line += f" {word}" if begun else word
        used += wide + begun
        begun = True
    return [one.replace(TIE, " ") for one in (*lines, line)]


def broken(line: str, width: int, indent: str = "") -> str:
    """A line broken between words where it is wider than that; what follows is indented as it is, and `indent` more."""
    from rich.cells import cell_len

    if cell_len(line) <= width:
        return line.replace(TIE, " ")
    head = line[: len(line) - len(line.lstrip())]
    return "\n".join(wrapped(line, width, head, head + indent))


def measure_line_ends() -> None:
    """Have Rich take the space off a line's end by the columns the line takes.

    Rich counts letters there. A line of Hangul that is one space too wide kept it so, and lost its last letter to an
    ellipsis.
    """
    from rich.text import Text

    Text.rstrip_end = _without_end  # type: ignore[assignment, method-assign]


def _without_end(text: Text, size: int) -> None:
    """Take from the end of a text the white space beyond `size` columns."""
    from rich.cells import cell_len

    plain = text.plain
    beyond = min(len(plain) - len(plain.rstrip()), cell_len(plain) - size)
    if beyond > 0:
        text.right_crop(beyond)
