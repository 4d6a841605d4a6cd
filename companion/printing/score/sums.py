"""The small sums under the points, in the sheet's language and in lines that never break a product or an amount."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.language.catalogue import catalogued, translate
from companion.printing.core.geometry import Box
from companion.printing.core.surface import Surface
from companion.printing.score.pen import fitting_lines, line_mm
from companion.printing.score.template import MIN_CAPTION_PT

NO_BREAK = "\N{NO-BREAK SPACE}"
_PLUS = " + "
_WORD = re.compile(r"not known|[A-Za-z]+(?:[-'][A-Za-z]+)*")
_TIMES = re.compile(r"(?<=\d )x(?= \d)")
_STEP_PT = 0.25


def arithmetic_text(how: str, language: str, words: Mapping[str, str]) -> str:
    """The arithmetic of a category as it is printed.

    `words` are those that a template of the user's own has for English ones; djinns' names are none of them.
    """
    if words:
        return _WORD.sub(lambda match: words.get(match[0], match[0]), how)
    # A template of the user's own may speak a language that the program does not.
    said = translate(how, catalogued(language))
    return _TIMES.sub("×", said)


def unbroken(text: str) -> str:
    """A sum whose lines can end after a plus alone: "15 + 2 × 8" breaks before neither ×, 8 nor +.

    >>> unbroken("15 + 2 x 8") == f"15{NO_BREAK}+ 2{NO_BREAK}x{NO_BREAK}8"
    True
    """
    terms = [term.replace(" ", NO_BREAK) for term in text.split(_PLUS)]
    return f"{NO_BREAK}+ ".join(terms)


def sum_lines(page: Surface, text: str, size: float, width: float) -> list[str]:
    """A sum in lines no wider than `width` mm; a term that is wider by itself is broken at its spaces."""
    lines: list[str] = []
    for line in page.wrapped(unbroken(text), size, width):
        plain = line.replace(NO_BREAK, " ")
        lines += [plain] if page.width(plain, size) <= width else page.wrapped(plain, size, width)
    return lines


def fitted_sum(page: Surface, text: str, size: float, room: Box) -> tuple[list[str], float]:
    """The sum in lines that fit the room, and their type size: smaller if need be, the rest on the last line."""
    lines = sum_lines(page, text, size, room.w)
    while len(lines) * line_mm(size) > room.h and size > MIN_CAPTION_PT:
        size = max(size - _STEP_PT, MIN_CAPTION_PT)
        lines = sum_lines(page, text, size, room.w)
    return fitting_lines(lines, size, room.h), size
