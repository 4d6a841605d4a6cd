"""The score sheet as a PDF: a pad of empty ones, or one filled in (rules 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from companion.errors import UsageError
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.icons import CATEGORY_ICONS, draw_icon, draw_tribe
from companion.printing.core.page import Document
from companion.printing.core.ruler import draw_ruler
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.score.fields import add_fields
from companion.printing.score.filled import Filling, draw_filling
from companion.printing.score.layout import CATEGORY_ROWS, PageBoxes, SlipBoxes, lay_out
from companion.printing.score.template import Layout, ScoreTemplate, ScoreWords, load_score_template, pick_layout
from companion.rules.engine.result import GameResult
from companion.rules.model.components import SET_PRICES_GC, Colour, Tribe

_WHITE = "#FFFFFF"
_HAIRLINE_MM = 0.15
_FRAME_MM = 0.4
_DOTS_MM = 0.5
_LEADING = 1.25


def score_pad(
    *,
    players: int = 4,
    paper: str = "a4",
    per_page: int = 4,
    pages: int = 1,
    language: str = "en",
    names: Sequence[str] = (),
    full_ink: bool = True,
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF of empty score sheets, `per_page` to the page with cut marks, for 2 to 4 players.

    `names` are printed over the columns; light ink leaves every surface white. Raises UsageError for a
    paper, language or number that there is not, UnusableInputError for a bad template,
    MissingDependencyError if no font has a letter.
    """
    chosen = load_score_template(template)
    if players not in (2, 3, 4):
        raise UsageError(f"a sheet is for 2, 3 or 4 players, not {players}")
    if len(names) not in (0, players):
        raise UsageError(f"{players} players need {players} names, not {len(names)}")
    layout = pick_layout(chosen, str(per_page))
    boxes = lay_out(chosen, paper_box(paper), layout, players)
    words = pick_words(chosen.words, language)
    sheet = _Sheet(chosen, layout, words, boxes, language, Fonts(font_dir), full_ink=full_ink)
    for number in range(pages):
        if number:
            sheet.page.next_page()
        sheet.draw_page()
        for slip in boxes.slips:
            sheet.draw_names(slip, names)
    return sheet.page.to_bytes()


def score_form(
    *,
    players: int = 4,
    paper: str = "a4",
    language: str = "en",
    names: Sequence[str] = (),
    full_ink: bool = True,
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF of one score sheet with fields to type into, which the viewer adds up. Raises as `score_pad` does."""
    chosen = load_score_template(template)
    if players not in (2, 3, 4):
        raise UsageError(f"a sheet is for 2, 3 or 4 players, not {players}")
    if len(names) not in (0, players):
        raise UsageError(f"{players} players need {players} names, not {len(names)}")
    layout = pick_layout(chosen, "1")
    boxes = lay_out(chosen, paper_box(paper), layout, players)
    words = pick_words(chosen.words, language)
    sheet = _Sheet(chosen, layout, words, boxes, language, Fonts(font_dir), full_ink=full_ink)
    sheet.draw_page()
    for slip in boxes.slips:
        add_fields(sheet.page, slip, layout, words, names)
    return sheet.page.to_bytes()


def check_sheet(language: str = "en", template: Path | None = None) -> None:
    """Refuse early what a sheet could not be drawn with, before anybody types what is to stand on it.

    Raises UsageError for a language that there is not, UnusableInputError for a bad template.
    """
    pick_words(load_score_template(template).words, language)


def filled_sheet(
    result: GameResult,
    *,
    names: Mapping[Colour, str] = MappingProxyType({}),
    paper: str = "a4",
    code: str | None = None,
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
    date: str = "",
    place: str = "",
) -> bytes:
    """A PDF of one sheet with everybody's points, the arithmetic in small, the winner marked (rules 9.3, 10).

    Nobody is marked while the game goes on. Who has no name in `names` is called by colour; `date` and `place`
    are written into the head; `code` is the position's FT1 code, printed as text and
    QR code at the foot. Raises as `score_pad` does.
    """
    chosen = load_score_template(template)
    layout = pick_layout(chosen, chosen.filled.layout)
    foot = chosen.filled.code if code else 0.0
    boxes = lay_out(
        chosen, paper_box(paper), layout, len(result.scores), code=foot, goods_share=chosen.filled.goods_share
    )
    words = pick_words(chosen.words, language)
    sheet = _Sheet(chosen, layout, words, boxes, language, Fonts(font_dir), full_ink=True)
    sheet.draw_page(date, place)
    filling = Filling(result, names, code, language)
    for slip in boxes.slips:
        draw_filling(sheet.page, slip, chosen, layout, words, filling)
    return sheet.page.to_bytes()


class _Sheet:
    """Draws what empty and filled sheets share."""

    def __init__(
        self,
        template: ScoreTemplate,
        layout: Layout,
        words: ScoreWords,
        boxes: PageBoxes,
        language: str,
        fonts: Fonts,
        *,
        full_ink: bool,
    ) -> None:
        self._template = template
        self._palette = template.palette
        self._layout = layout
        self._words = words
        self._boxes = boxes
        self._full = full_ink
        title = f"{words.title} – {words.subtitle}"
        self.page = Document(boxes.paper, fonts, title=title, language=language)

    def draw_page(self, date: str = "", place: str = "") -> None:
        """Everything but names and numbers; a date and a place that are not known leave room to write them."""
        for mark in self._boxes.marks:
            width = self._template.marks.width
            self.page.line(mark.x1, mark.y1, mark.x2, mark.y2, colour=self._palette.ink, width=width)
        draw_ruler(self.page, self._boxes.ruler, self._boxes.ruler_text, self._words.scale, self._palette.quiet)
        for slip in self._boxes.slips:
            self._draw_header(slip, (date, place))
            self._draw_table(slip)
            if slip.sets is not None:
                self._draw_sets(slip.sets)

    def draw_names(self, slip: SlipBoxes, names: Sequence[str]) -> None:
        """The players' names over the columns, or room to write them."""
        for number, box in enumerate(slip.names):
            if names:
                size = self._layout.label_pt
                self.page.text(
                    box.inset(0.8), names[number], size, face=Face.BOLD, colour=self._palette.ink, align="centre"
                )
            else:
                room = box.inset(1.2)
                y = room.bottom - 0.6
                self.page.line(room.x, y, room.right, y, colour=self._palette.quiet, width=_HAIRLINE_MM)

    def _draw_header(self, slip: SlipBoxes, filled: tuple[str, str]) -> None:
        palette, layout, words = self._palette, self._layout, self._words
        title, subtitle = slip.title.rows([slip.title.h * 0.62, slip.title.h * 0.38])
        self.page.text(title, words.title, layout.title_pt, face=Face.TITLE, colour=palette.accent)
        self.page.text(subtitle, words.subtitle, layout.subtitle_pt, colour=palette.quiet)
        for box, word, text in zip(slip.blanks, (words.date, words.place), filled, strict=True):
            line = Box(box.x, box.bottom - box.h * 0.7, box.w, box.h * 0.7)
            width = self.page.text(line, word, layout.small_pt, colour=palette.quiet)
            y = line.y + line.h * 0.78
            self.page.line(line.x + width + 1.2, y, line.right, y, colour=palette.line, width=_HAIRLINE_MM)
            if text:
                room = Box(line.x + width + 2.0, line.y, line.w - width - 2.0, line.h)
                self.page.text(room, text, layout.small_pt, face=Face.BOLD, colour=palette.ink)
        self._draw_ornament(slip.ornament)

    def _draw_ornament(self, box: Box) -> None:
        """A rule with the five tribes' shapes on it."""
        size, gap = box.h, box.h * 0.45
        row = size * len(Tribe) + gap * (len(Tribe) - 1)
        x, middle = box.x, box.centre[1]
        for tribe in Tribe:
            fill = getattr(self._template.tribes, tribe.noun) if self._full else _WHITE
            draw_tribe(self.page, tribe, Box(x, box.y, size, size), fill=fill, ink=self._palette.ink, width=0.18)
            x += size + gap
        for offset in (-0.35, 0.35):
            y = middle + offset
            self.page.line(box.x + row + 2, y, box.right, y, colour=self._palette.accent, width=0.2)

    def _draw_table(self, slip: SlipBoxes) -> None:
        palette = self._palette
        players = slip.names_label.inset(1.2)
        self.page.text(
            Box(players.x, players.y + players.h * 0.3, players.w, players.h * 0.7),
            self._words.players,
            self._layout.small_pt,
            colour=palette.quiet,
        )
        for number, (label, cells) in enumerate(zip(slip.labels, slip.cells, strict=True)):
            row = Box(label.x, label.y, cells[-1].right - label.x, label.h)
            last = number == len(CATEGORY_ROWS) - 1
            if self._full and not last and number % 2 == 0:
                self.page.box(row, fill=palette.band)
            if self._full and last:
                self.page.box(label, fill=palette.ink)
            if number and not last:
                self.page.line(row.x, row.y, row.right, row.y, colour=palette.line, width=_HAIRLINE_MM)
            self._draw_label(label, CATEGORY_ROWS[number], light=self._full and last)
        self._draw_frame(slip)

    def _draw_frame(self, slip: SlipBoxes) -> None:
        palette = self._palette
        top, total = slip.labels[0], slip.labels[-1]
        right = slip.cells[0][-1].right
        for column in slip.cells[0]:
            self.page.line(column.x, top.y, column.x, total.bottom, colour=palette.line, width=_HAIRLINE_MM)
        self.page.box(Box(total.x, total.y, right - total.x, total.h), stroke=palette.ink, width=_FRAME_MM)
        for cell in slip.cells[-1][1:]:
            self.page.line(cell.x, cell.y, cell.x, cell.bottom, colour=palette.ink, width=_FRAME_MM)
        self.page.box(Box(top.x, top.y, right - top.x, total.bottom - top.y), stroke=palette.ink, width=_FRAME_MM)

    def _draw_label(self, box: Box, category: str, *, light: bool) -> None:
        palette, layout = self._palette, self._layout
        size = min(layout.icon, box.h - 1.0)
        margin = min(1.6, (layout.icon - size) / 2 + 1.2)
        icon = Box(box.x + margin, box.y + (box.h - size) / 2, size, size)
        tint = self._tint(category)
        draw_icon(
            self.page,
            CATEGORY_ICONS[category],
            icon,
            ink=_WHITE if light else palette.ink,
            tint=None if light else tint,
        )
        words = Box(icon.right + 1.6, box.y, box.right - icon.right - 2.2, box.h)
        hints = self.page.wrapped(getattr(self._words.hints, category), layout.hint_pt, words.w)
        heights = [layout.label_pt * _LEADING, *[layout.hint_pt * _LEADING] * len(hints)]
        block = sum(heights) / PT_PER_MM
        top = Box(words.x, words.y + (words.h - block) / 2, words.w, block)
        label, *below = top.rows([height / PT_PER_MM for height in heights])
        ink, quiet = (_WHITE, _WHITE) if light else (palette.ink, palette.quiet)
        self.page.text(label, getattr(self._words.labels, category), layout.label_pt, face=Face.BOLD, colour=ink)
        for hint, line in zip(hints, below, strict=True):
            self.page.text(line, hint, layout.hint_pt, colour=quiet)

    def _tint(self, category: str) -> str:
        return getattr(self._template.tints, category) if self._full else _WHITE

    def _draw_sets(self, box: Box) -> None:
        """What sets of different goods are worth (rules 7.1, 10.7): size above, points below."""
        palette, layout = self._palette, self._layout
        prices = SET_PRICES_GC[1:]
        head = min(layout.label, box.w * 0.3)
        cells = box.columns([head, *[(box.w - head) / len(prices)] * len(prices)])
        icon = min(layout.icon, box.h - 1.2)
        draw_icon(
            self.page,
            CATEGORY_ICONS["goods"],
            Box(box.x + 1.2, box.y + (box.h - icon) / 2, icon, icon),
            ink=palette.ink,
            tint=self._tint("goods"),
        )
        text = Box(box.x + icon + 2.8, box.y, head - icon - 3.8, box.h).rows([box.h * 0.42, box.h * 0.58])
        for part, word in zip(text, (self._words.sets, self._words.points), strict=True):
            self.page.text(part, word, layout.hint_pt, colour=palette.quiet)
        for size, (cell, price) in enumerate(zip(cells[1:], prices, strict=True), 1):
            upper, lower = cell.rows([cell.h * 0.42, cell.h * 0.58])
            self.page.text(upper, str(size), layout.small_pt * 0.85, colour=palette.quiet, align="centre")
            self.page.text(lower, str(price), layout.small_pt * 1.2, face=Face.BOLD, colour=palette.ink, align="centre")
            self.page.line(
                cell.x, box.y + 0.8, cell.x, box.bottom - 0.8, colour=palette.line, width=_HAIRLINE_MM, dash=_DOTS_MM
            )
