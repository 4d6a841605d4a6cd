"""What a filled-in score sheet has besides an empty one: names, numbers, sums, the winner, the codes at the foot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CATEGORY_ICONS
from companion.printing.core.qr import draw_code_text, draw_qr
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.printing.score.contents import SheetContents
from companion.printing.score.heads import ColumnHead
from companion.printing.score.pen import ScorePen, fitting_lines, line_mm
from companion.printing.score.sums import arithmetic_text, fitted_sum
from companion.printing.score.template import MIN_CAPTION_PT
from companion.rules.model.components import Colour

if TYPE_CHECKING:
    from companion.rules.engine.scoring import GameResult, Score

_NUMBER_HEIGHT = 1.05
"""Height kept for a number as a share of its type size."""
_GAP_MM = 3.0
_CROWN_MM = 1.5
"""Between the winner's crown and the total."""
_WILD = "(*"
"""What the arithmetic of goods ends in where fakirs stand for some: "(* = 2 fakirs, Al-Amin)"."""


class Filling(SheetContents):
    """The points of everybody, with their arithmetic in small.

    `names` by player; `code` is the position's FT1 code or None; `date` and `place` are those of the game or "". Only
    the winners of a game that is over are marked, and only if nothing that counts is unknown.
    """

    def __init__(
        self, result: GameResult, names: Mapping[Colour, str], code: str | None, date: str = "", place: str = ""
    ) -> None:
        self._result = result
        self._names = names
        self._code = code
        self._blanks = {"date": date, "place": place}
        self._colours = list(result.scores)

    @property
    def heads(self) -> list[ColumnHead]:
        """The heads of the columns; a name that nobody knows is left to be written in."""
        crowned = self._result.winners
        return [ColumnHead((colour,), self._names.get(colour, ""), colour in crowned) for colour in self._colours]

    def draw_blank(self, pen: ScorePen, box: Box, name: str) -> None:
        """See `SheetContents`."""
        pen.page.text(box, self._blanks[name], pen.layout.small_pt, face=Face.BOLD, colour=pen.palette.ink)

    def draw_note(self, pen: ScorePen, box: Box) -> None:
        """See `SheetContents`: whether the game is not over yet."""
        if self._result.finished:
            return
        said = translate(say("The game is not over: points are as they stand."), pen.language)
        with pen.page.tagged(Tag.PARAGRAPH):
            size = pen.layout.subtitle_pt
            lines = fitting_lines(pen.page.wrapped(said, size, box.w, Face.BOLD), size, box.h)
            pen.lines(box, lines, size, face=Face.BOLD, colour=pen.palette.accent)

    def draw_points(self, pen: ScorePen, box: Box, category: str, column: int) -> None:
        """See `SheetContents`."""
        score = self._score(column)
        if category == "total":
            _draw_total(pen, box, score.total, won=self._colours[column] in self._result.winners)
        else:
            _draw_points(
                pen, box, getattr(score, category), printed_sum(score, category, pen.language, pen.words.arithmetic)
            )

    def draw_cards(self, pen: ScorePen, box: Box, good: str, column: int) -> None:
        """See `SheetContents`."""
        cards, size = printed_cards(self._score(column), good), pen.layout.small_pt
        pen.page.text(box.inset(0.6, 0), cards, size, colour=pen.palette.ink, align="centre")

    def draw_sets(self, pen: ScorePen, box: Box, column: int) -> None:
        """See `SheetContents`."""
        room = box.inset(0.6, 0.3)
        text = printed_sets(self._score(column))
        lines, size = fitted_sum(pen.page, text, pen.layout.small_pt, room)
        pen.lines(room, lines, size, colour=pen.palette.ink, align="centre")

    def draw_foot(self, pen: ScorePen, box: Box) -> None:
        """The result as a QR code for any phone; before it the position's code as QR and as text if there is one."""
        # Drawing an empty pad does without the rules.
        from companion.printing.score.outcome import outcome_text

        halves = box.columns([(box.w - _GAP_MM) / 2] * 2, _GAP_MM)
        words, size = pen.words, pen.layout.small_pt
        if self._code is not None:
            beside = _draw_code(pen, halves.pop(0), self._code, words.code)
            draw_code_text(pen.page, self._code, beside, size, colour=pen.palette.ink)
        place = halves[0]
        square = Box(place.x, place.y, place.h, place.h)
        text = outcome_text(self._result, self._names, self._blanks["date"], self._blanks["place"], square)
        beside = _draw_code(pen, place, text, words.result)
        lines = pen.page.balanced(words.result_hint, size, beside.w)
        with pen.page.tagged(Tag.PARAGRAPH):
            pen.lines(Box(beside.x, beside.y, beside.w, line_mm(size) * len(lines)), lines, size)

    def _score(self, column: int) -> Score:
        return self._result.scores[self._colours[column]]


def printed_cards(score: Score, good: str) -> str:
    """The cards of a good that a score was counted from, those that fakirs stand for starred: "2", "1*", "1 + 1*"."""
    wild = sum(good in sold.wild for sold in score.sets)
    own = sum(good in sold.goods for sold in score.sets) - wild
    return " + ".join([str(own)] * bool(own) + [f"{wild}*"] * bool(wild))


def printed_sets(score: Score) -> str:
    """The prices of the sets that a score was counted from; "" if points alone are known."""
    return " + ".join(str(sold.price) for sold in score.sets)


def printed_sum(score: Score, category: str, language: str, words: Mapping[str, str]) -> str:
    """The small sum under a category's points, as it is printed; "" where it would say the points again.

    Of goods only what the grid below does not say: what fakirs stand for. `words` as for `arithmetic_text`.
    """
    # As above.
    from companion.rules.engine.scoring import NONE

    how, points = score.arithmetic[category], getattr(score, category)
    if how in (NONE, str(points), f"{points} GC", f"{points} VP"):
        return ""
    said = arithmetic_text(how, language, words)
    if category == "goods" and score.sets:
        return said[said.index(_WILD) :] if _WILD in said else ""
    return said


def _draw_code(pen: ScorePen, box: Box, text: str, heading: str) -> Box:
    """A QR code at the left with a heading beside it; what is free below the heading."""
    size = pen.layout.small_pt
    draw_qr(pen.page, text, box)
    beside = Box(box.x + box.h + 1, box.y, box.w - box.h - 1, box.h).inset(0, box.h * 0.11)
    head, free = beside.rows([size * 1.7 / PT_PER_MM, beside.h - size * 1.7 / PT_PER_MM])
    with pen.page.tagged(Tag.HEADING_2):
        pen.page.text(head, heading, size, face=Face.BOLD, colour=pen.palette.ink)
    return free


def _draw_points(pen: ScorePen, cell: Box, points: int, how: str) -> None:
    """The points with their sum below, both together in the middle of the cell; alone where it is too low for two."""
    page, palette, number_pt = pen.page, pen.palette, pen.template.filled.number_pt
    room = cell.inset(1.0, 0.6)
    most = room.h - line_mm(MIN_CAPTION_PT) if how else room.h
    if most < MIN_TYPE_PT * _NUMBER_HEIGHT / PT_PER_MM:
        how, most = "", room.h
    number = min(number_pt * _NUMBER_HEIGHT / PT_PER_MM, most)
    lines, size = fitted_sum(page, how, pen.template.filled.sum_pt, Box(room.x, 0, room.w, room.h - number))
    sums = len(lines) * line_mm(size)
    top = room.y + (room.h - number - sums) / 2
    page.text(Box(room.x, top, room.w, number), str(points), number_pt, colour=palette.ink, align="centre")
    pen.lines(Box(room.x, top + number, room.w, sums), lines, size, align="centre")


def _draw_total(pen: ScorePen, cell: Box, total: int, *, won: bool) -> None:
    size = pen.template.filled.number_pt * 1.25
    crown = min(cell.h * 0.42, cell.w * 0.22) if won else 0.0
    if won:
        pen.page.box(cell.inset(0.2), fill=pen.palette.winner)
    room = Box(cell.x + crown, cell.y, cell.w - crown, cell.h)
    inner = room.inset(_CROWN_MM, 0)
    width = pen.page.text(inner, str(total), size, face=Face.BOLD, colour=pen.palette.ink, align="centre")
    if won:
        box = Box(room.centre[0] - width / 2 - _CROWN_MM - crown, cell.centre[1] - crown / 2, crown, crown)
        pen.icon(CATEGORY_ICONS["total"], box, pen.template.tints.total)
