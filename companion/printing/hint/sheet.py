"""A hint as a page: the board with the best turn's arrows, and below it the best turns in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.advisor.advice import TurnAdvice
from companion.advisor.wording import TurnWords, equals
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.hint.board import draw_turn_on_board, drawing_size
from companion.printing.hint.marks import turn_marks
from companion.printing.setup.template import load_setup_template

MOST_TURNS = 3
"""Turns in words on the page."""

_SIDE_MM, _TOP_MM, _FOOT_MM = 16.0, 12.0, 14.0
_TITLE_MM = 11.0
_BOARD_MM, _SMALLER_MM = 150.0, (136.0, 122.0)
"""Width of the drawn board, and what it may become so that all is on one page."""

_TITLE_PT, _HEAD_PT, _TEXT_PT, _NOTE_PT = 20.0, 11.0, 9.5, 7.5
_LEADING = 1.32
_GAP_MM = 2.6


def hint_sheet(
    advice: TurnAdvice, words: Sequence[TurnWords], *, paper: str = "a4", reasons: bool = True, start_only: bool = False
) -> bytes:
    """A PDF of the best turns, on one page if a smaller board makes that possible; else it goes on over the page.

    Without `reasons` it has the paths alone, with `start_only` no more than where the best turn begins. Raises
    UsageError for a paper that there is not.
    """
    for width in (_BOARD_MM, *_SMALLER_MM):
        page = _written(advice, words, paper, width, reasons=reasons, start_only=start_only)
        if page.pages == 1:
            return page.document.to_bytes()
    return _written(advice, words, paper, _BOARD_MM, reasons=reasons, start_only=start_only).document.to_bytes()


def _written(
    advice: TurnAdvice, words: Sequence[TurnWords], paper: str, width: float, *, reasons: bool, start_only: bool
) -> _Writer:
    """The page, with a board of that width in mm."""
    template, sheet = load_setup_template(None), paper_box(paper)
    title = f"Best turns for {advice.to_move}"
    page = _Writer(Document(sheet, Fonts(), title=title, language="en"), sheet)
    head = page.take(_TITLE_MM)
    page.document.text(head, title, _TITLE_PT, face=Face.TITLE, colour=template.palette.accent)
    if not words:
        page.write(f"No turn to suggest for {advice.to_move}.", _TEXT_PT)
        return page
    room = page.take(drawing_size(width) + 2)
    board = Box(room.centre[0] - width / 2, room.y, width, drawing_size(width))
    marks = turn_marks(words[0], start_only=start_only)
    draw_turn_on_board(page.document, board, advice.position.board, marks, template)
    shown = words[:1] if start_only else words[:MOST_TURNS]
    for number, one in enumerate(shown, 1):
        page.take(_GAP_MM)
        if start_only:
            page.write(f"Look at {one.start}.", _HEAD_PT, Face.BOLD)
            continue
        page.write(f"{number}. {one.headline if reasons else one.path or one.headline}", _HEAD_PT, Face.BOLD)
        for reason in one.reasons if reasons else ():
            page.write(reason, _TEXT_PT, indent=5.0)
    if not start_only and (alike := equals([one.turn.equal for one in shown])):
        page.take(_GAP_MM)
        page.write(alike, _TEXT_PT)
    if advice.assumed and reasons:
        page.take(_GAP_MM)
        page.write(" ".join(advice.assumed), _NOTE_PT)
    return page


class _Writer:
    """Writes down a page, and goes on over the page where there is no more room."""

    def __init__(self, document: Document, paper: Box) -> None:
        self.document = document
        self.pages = 1
        self._paper = paper
        self._y = _TOP_MM

    def take(self, height: float) -> Box:
        """The next part of the page, of that height."""
        if self._y + height > self._paper.h - _FOOT_MM:
            self.document.next_page()
            self.pages += 1
            self._y = _TOP_MM
        box = Box(_SIDE_MM, self._y, self._paper.w - 2 * _SIDE_MM, height)
        self._y += height
        return box

    def write(self, text: str, size: float, face: Face = Face.REGULAR, indent: float = 0.0) -> None:
        """A paragraph."""
        width = self._paper.w - 2 * _SIDE_MM - indent
        for line in self.document.wrapped(text, size, width, face):
            box = self.take(size * _LEADING / PT_PER_MM)
            self.document.text(Box(box.x + indent, box.y, width, box.h), line, size, face=face)
