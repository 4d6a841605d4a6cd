"""What all parts of a set-up card are drawn with: headings with numbers, panels, icons with words, counted names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from companion.language.catalogue import translate
from companion.language.glossary import plural_form
from companion.language.phrase import counted
from companion.printing.core.board import BoardColours
from companion.printing.core.geometry import Box
from companion.printing.core.icons import Drawing, draw_icon
from companion.printing.core.kinds import djinn_key
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table
from companion.printing.core.typefaces import Face
from companion.printing.core.words import djinn_power

_HAIRLINE_MM = 0.2
_RADIUS_MM = 1.2
_NUMBER_MM = 4.8
_HINT_MM = 2.4
"""Between the heading of a step and its hint."""
_LEADING = 1.2
"""From line to line, as a share of the type size."""
_STEP_PT = 0.25
_NEARLY = 0.88
"""What is too wide by no more than this stays on one line, a little smaller."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A page with the template and words that a card is drawn by, and the language that names are counted in."""

    page: Document
    template: Table
    words: Table
    language: str

    @property
    def colours(self) -> BoardColours:
        """Those of tiles and pieces."""
        template, palette = self.template, self.template.palette
        values = palette.red_value, palette.blue_value
        return BoardColours(template.tribes, template.camels, template.grounds, *values, palette.ink)

    def counted(self, count: int, key: str) -> str:
        """So many of a thing of the glossary: "8 camels", "50 GC"."""
        if forms := self.words.counted.get(key.replace(" ", "_")):
            return f"{count} {forms[min(plural_form(self.language, count), len(forms) - 1)]}"
        return translate(counted(count, key), self.language)

    def power(self, djinn: str) -> str:
        """What a djinn does."""
        return self.words.powers.get(djinn_key(djinn)) or djinn_power(djinn, self.language)

    def step(self, box: Box, number: int, text: str, hint: str = "") -> None:
        """The heading of a step: its number in a ring, what to do, and quietly beside it what else is to be known."""
        palette, size = self.template.palette, self.template.type.heading_pt
        quiet_size = self.template.type.text_pt
        ring = Box(box.x, box.centre[1] - _NUMBER_MM / 2, _NUMBER_MM, _NUMBER_MM)
        self.page.box(ring, fill=palette.card, stroke=palette.accent, width=0.35, radius=_NUMBER_MM / 2)
        with self.page.tagged(Tag.HEADING_2):
            self.page.text(ring, str(number), 8.5, face=Face.BOLD, colour=palette.accent, align="centre")
            left = _NUMBER_MM + 1.6
            words = Box(box.x + left, box.y, box.w - left, box.h)
            said = self.page.room_before(words, hint, quiet_size, _HINT_MM)
            width = self.page.text(said, text, size, face=Face.BOLD, colour=palette.accent)
        used = left + width + _HINT_MM
        rest = Box(box.x + used, box.y + 0.3, box.w - used, box.h)
        self.page.text(rest, hint, quiet_size, colour=palette.quiet)

    def panel(self, box: Box, *, dashed: bool = False) -> None:
        """A card's ground, or the dashed outline of a place that stays empty."""
        palette = self.template.palette
        if not dashed:
            self.page.box(box, fill=palette.card, stroke=palette.line, width=_HAIRLINE_MM, radius=_RADIUS_MM)
            return
        corners = (box.x, box.y, box.right, box.bottom)
        for x1, y1, x2, y2 in _sides(*corners):
            self.page.line(x1, y1, x2, y2, colour=palette.line, width=_HAIRLINE_MM, dash=1.0)

    def icon(self, drawing: Drawing, box: Box, *, tint: str | None = None) -> None:
        """An icon, filled with the icons' own colour if no other is given."""
        palette = self.template.palette
        chosen = palette.icon if tint is None else tint
        draw_icon(self.page, drawing, box, ink=palette.ink, tint=chosen)

    def beside(self, box: Box, text: str, *, side: float = 4.4, size: float | None = None) -> Box:
        """Write words, on two lines if need be; the box for the icon at their left, at most `side` mm high."""
        side = min(side, box.h * 0.86)
        words = Box(box.x + side + 1.2, box.y, box.w - side - 1.2, box.h)
        self.lines(words, text, size or self.template.type.small_pt)
        return Box(box.x, box.centre[1] - side / 2, side, side)

    def lines(
        self, box: Box, text: str, size: float, *, most: int = 2, align: Align = "left", colour: str | None = None
    ) -> None:
        """Write a text on one line, or on up to `most` where it is too wide, in the middle of the box's height.

        It is set smaller where it needs to be, but not below `MIN_TYPE_PT`; what has no room then is cut.
        """
        lines, size = self._broken(text, size, box, most)
        height = size * _LEADING / PT_PER_MM
        top = box.y + (box.h - height * len(lines)) / 2
        for line, row in zip(lines, Box(box.x, top, box.w, 0).rows([height] * len(lines)), strict=True):
            self.page.text(row, line, size, colour=colour or self.template.palette.ink, align=align)

    def _broken(self, text: str, size: float, box: Box, most: int) -> tuple[Sequence[str], float]:
        """The lines of a text and the size at which they fit, or the least size with the rest on the last line."""
        whole = self.page.width(text, size)
        if whole > box.w and whole * _NEARLY <= box.w and size * _NEARLY >= MIN_TYPE_PT:
            nearly = size * box.w / whole - 1e-6
            if nearly * _LEADING / PT_PER_MM <= box.h:
                return [text], nearly
        while True:
            lines = self.page.wrapped(text, size, box.w)
            fits = len(lines) <= most and all(self.page.width(line, size) <= box.w for line in lines)
            if fits and len(lines) * size * _LEADING / PT_PER_MM <= box.h + 1e-6:
                return lines, size
            if size <= MIN_TYPE_PT:
                return [*lines[: most - 1], " ".join(lines[most - 1 :])] if len(lines) > most else lines, size
            size = max(size - _STEP_PT, MIN_TYPE_PT)


@cache
def _sides(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float, float, float]]:
    return [
        (left, top, right, top),
        (right, top, right, bottom),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
    ]
