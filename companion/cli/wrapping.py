"""Text broken into lines between words, as wide as a terminal shows it: Hangul takes two columns a letter."""

from __future__ import annotations

import re
import shutil

TIE = "\xa0"
"""A space that no line is broken at; it is printed as a plain one."""

_BETWEEN_WORDS = re.compile(r"[ \t\n]+")


MAX_WIDTH = 100
"""Columns that text is broken at in a wider terminal: longer lines are hard to read."""


def text_width() -> int:
    """Columns that text takes in this terminal."""
    return min(shutil.get_terminal_size().columns, MAX_WIDTH)


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
    return [line.replace(TIE, " ") for line in (*lines, line)]


def broken(line: str, width: int, indent: str = "") -> str:
    """A line broken between words where it is wider than that; what follows is indented as it is, and `indent` more."""
    from rich.cells import cell_len

    if cell_len(line) <= width:
        return line.replace(TIE, " ")
    head = line[: len(line) - len(line.lstrip())]
    return "\n".join(wrapped(line, width, head, head + indent))
