"""A hint as a page: the board with the best turn's arrows, and below it the best turns in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.advice import TurnAdvice
from companion.advisor.level import AdviceLevel
from companion.advisor.wording import TurnWords, equals
from companion.language.catalogue import translate
from companion.language.phrase import joined, say, term
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.gluing import glued
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.hint.board import draw_turn_on_board, drawing_size
from companion.printing.hint.key import KEY_MM, draw_tribe_names
from companion.printing.hint.marks import turn_marks
from companion.printing.setup.template import load_setup_template

MOST_TURNS = 3
"""Turns in words on the page."""

_SIDE_MM, _TOP_MM, _FOOT_MM = 16.0, 12.0, 14.0
_TITLE_MM = 11.0
_BOARD_MM = (150.0, 136.0, 122.0)
"""Width of the drawn board, and what it may become so that all is on one page."""

_TITLE_PT, _HEAD_PT, _TEXT_PT, _NOTE_PT = 20.0, 11.0, 9.5, 7.5
_LEADING = 1.32
_GAP_MM = 2.6
_INDENT_MM = 5.0


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Words that follow one another: their size in points, how far they stand in, and the room above them, in mm."""

    text: str
    size: float
    face: Face = Face.REGULAR
    tag: Tag = Tag.PARAGRAPH
    indent: float = 0.0
    above: float = 0.0


def hint_sheet(
    advice: TurnAdvice,
    words: Sequence[TurnWords],
    *,
    paper: str = "a4",
    language: str = "en",
    level: AdviceLevel = AdviceLevel.FULL,
) -> bytes:
    """A PDF of the best turns, on one page if a smaller board makes that possible; else it goes on over the page.

    No more is on it than `level` tells: where the best turn begins, the paths alone, or the reasons as well. Raises
    UsageError for a paper that there is not.
    """
    template, sheet = load_setup_template(None), paper_box(paper)
    title = translate(say("Best turns for {player}", player=term(str(advice.to_move))), language)
    page = _Writer(Document(sheet, Fonts(), title=title, language=language), sheet)
    head = page.take(_TITLE_MM)
    with page.document.tagged(Tag.HEADING_1):
        page.document.text(head, title, _TITLE_PT, face=Face.TITLE, colour=template.palette.accent)
    if not words:
        nothing = say("No turn to suggest for {player}.", player=term(str(advice.to_move)))
        page.write(_Paragraph(translate(nothing, language), _TEXT_PT))
        return page.document.to_bytes()
    paragraphs = [replace(one, text=translate(one.text, language)) for one in _paragraphs(advice, words, level)]
    below = KEY_MM + sum(page.height(one) for one in paragraphs)
    width = next((width for width in _BOARD_MM if drawing_size(width) + below <= page.left), _BOARD_MM[0])
    room = page.take(drawing_size(width))
    board = Box(room.centre[0] - width / 2, room.y, width, drawing_size(width))
    marks = turn_marks(words[0], level)
    shown = say("The board with the best turn's steps as numbered arrows")
    with page.document.tagged(Tag.FIGURE, alternative=translate(shown, language)):
        draw_turn_on_board(page.document, board, advice.position.board, marks, template, language)
    draw_tribe_names(page.document, page.take(KEY_MM), _NOTE_PT, template, language)
    for one in paragraphs:
        page.write(one)
    return page.document.to_bytes()


def _paragraphs(advice: TurnAdvice, words: Sequence[TurnWords], level: AdviceLevel) -> Iterator[_Paragraph]:
    """What stands below the board."""
    reasons = level is AdviceLevel.FULL
    if level is AdviceLevel.NUDGE:
        yield _heading(say("Look at {start}.", start=words[0].start))
    else:
        shown = words[:MOST_TURNS]
        for number, one in enumerate(shown, 1):
            said = one.headline if reasons else one.path or one.headline
            yield _heading(joined("", (f"{number}. ", said)))
            if reasons:
                yield from (_Paragraph(reason, _TEXT_PT, indent=_INDENT_MM) for reason in one.reasons)
        if alike := equals([one.turn.equal for one in shown]):
            yield _Paragraph(alike, _TEXT_PT, above=_GAP_MM)
    if advice.assumed and reasons:
        yield _Paragraph(joined(" ", advice.assumed), _NOTE_PT, above=_GAP_MM)


def _heading(text: str) -> _Paragraph:
    return _Paragraph(text, _HEAD_PT, Face.BOLD, Tag.HEADING_2, above=_GAP_MM)


class _Writer:
    """Writes down a page, and goes on over the page where there is no more room."""

    def __init__(self, document: Document, paper: Box) -> None:
        self.document = document
        self._paper = paper
        self._y = _TOP_MM
        self._width = paper.w - 2 * _SIDE_MM

    @property
    def left(self) -> float:
        """How much room is left on the page, in mm."""
        return self._paper.h - _FOOT_MM - self._y

    def take(self, height: float) -> Box:
        """The next part of the page, of that height."""
        if height > self.left:
            self.document.next_page()
            self._y = _TOP_MM
        box = Box(_SIDE_MM, self._y, self._width, height)
        self._y += height
        return box

    def height(self, one: _Paragraph) -> float:
        """How high a paragraph is on the page, in mm."""
        return one.above + len(self._lines(one)) * _line_mm(one)

    def _lines(self, one: _Paragraph) -> list[str]:
        return self.document.wrapped(glued(one.text), one.size, self._width - one.indent, one.face)

    def write(self, one: _Paragraph) -> None:
        """A paragraph."""
        if one.above:
            self.take(one.above)
        with self.document.tagged(one.tag):
            for line in self._lines(one):
                box = self.take(_line_mm(one))
                place = Box(box.x + one.indent, box.y, box.w - one.indent, box.h)
                self.document.text(place, line, one.size, face=one.face)


def _line_mm(one: _Paragraph) -> float:
    return one.size * _LEADING / PT_PER_MM
