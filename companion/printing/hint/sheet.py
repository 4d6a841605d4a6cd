"""A hint as pages: the board with the best turn's arrows, and below it the best turns or bids in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.advice import AdviceLevel, BidAdvice, TurnAdvice
from companion.advisor.bid_wording import best_bid_turn, bid_equals, bid_line, bid_look_words, no_bid_words, purpose
from companion.advisor.turn_wording import TurnWords, best_ways, equals, look_words, words_of
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, joined, say, term
from companion.palette import ACCENT
from companion.printing.core.board import FOR_TURNS, KEY_MM, draw_tribe_names
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.lettering import glued
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.hint.drawing import NO_MARKS, TurnMarks, draw_turn_on_board, turn_marks
from companion.rules.model.board import Board

_SIDE_MM, _TOP_MM, _FOOT_MM = 16.0, 12.0, 14.0
_TITLE_MM = 11.0
_BOARD_MM = (150.0, 140.0, 130.0)
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
    words: Sequence[TurnWords] | None = None,
    *,
    paper: str = "a4",
    language: str = "en",
    level: AdviceLevel = AdviceLevel.FULL,
) -> bytes:
    """A PDF of the best turns, on one page if a smaller board makes that possible; else it goes on over the page.

    No more is on it than `level` tells: where the best turn begins, the paths alone, or the reasons as well. Raises
    UsageError for an unknown paper.
    """
    words = best_ways(words_of(advice)) if words is None else words
    player = term(str(advice.to_move))
    title = say("Best turns for {player}", player=player)
    if not words:
        nothing = [[_Paragraph(say("No turn to suggest for {player}.", player=player), _TEXT_PT)]]
        return _sheet(title, None, nothing, paper, language)
    shown = say("The board with the best turn's steps as numbered arrows")
    board = _ShownBoard(advice.position.board, turn_marks(words[0], level), shown)
    return _sheet(title, board, _turns(advice, words, level), paper, language)


def bid_sheet(
    advice: BidAdvice,
    *,
    most: int | None = None,
    paper: str = "a4",
    language: str = "en",
    level: AdviceLevel = AdviceLevel.FULL,
) -> bytes:
    """A PDF of the bids, or the `most` best: what they are worth and for, below the board with the best one's turn.

    A nudge names the place to bid for alone. Raises UsageError for an unknown paper.
    """
    if not advice.bids:
        title = no_bid_words(advice)
        return _sheet(title, _ShownBoard(advice.position.board, NO_MARKS, say("The board")), (), paper, language)
    title = say("Bids for {player}", player=term(str(advice.player)))
    best = best_bid_turn(advice)
    shown = say("The board") if best is None else say("The board with the turn that the best bid is for")
    marks = NO_MARKS if best is None or level is AdviceLevel.NUDGE else turn_marks(best, level)
    board = _ShownBoard(advice.position.board, marks, shown)
    return _sheet(title, board, _bids(advice, most, level), paper, language)


@dataclass(frozen=True, slots=True)
class _ShownBoard:
    """The board of a sheet with what is marked on it, and what it shows in words."""

    board: Board
    marks: TurnMarks
    said: Phrase


def _sheet(
    title: Phrase, shown: _ShownBoard | None, groups: Iterable[Sequence[_Paragraph]], paper: str, language: str
) -> bytes:
    """A board with groups of paragraphs below it; a group is not broken over pages where one page has room for it."""
    sheet = paper_box(paper)
    head = translate(title, language)
    page = _Writer(Document(sheet, Fonts(), title=head, language=language))
    page.document.text(page.take(_TITLE_MM), head, _TITLE_PT, face=Face.TITLE, colour=ACCENT, tag=Tag.HEADING_1)
    translated = [
        [replace(paragraph, text=translate(paragraph.text, language)) for paragraph in group] for group in groups
    ]
    if shown is not None:
        below = KEY_MM + sum(map(page.height, translated))
        width = next((width for width in _BOARD_MM if FOR_TURNS.height_for(width) + below <= page.left), _BOARD_MM[0])
        room = page.take(FOR_TURNS.height_for(width))
        board = Box(room.centre[0] - width / 2, room.y, width, FOR_TURNS.height_for(width))
        with page.document.tagged(Tag.FIGURE, alternative=translate(shown.said, language)):
            draw_turn_on_board(page.document, board, shown.board, shown.marks, language)
        draw_tribe_names(page.document, page.take(KEY_MM), _NOTE_PT, language)
    for group in translated:
        page.write(group)
    return page.document.to_bytes()


def _turns(advice: TurnAdvice, words: Sequence[TurnWords], level: AdviceLevel) -> Iterator[list[_Paragraph]]:
    reasons = level is AdviceLevel.FULL
    if level is AdviceLevel.NUDGE:
        yield [_heading(look_words(words[0].start))]
        return
    for number, turn in enumerate(words, 1):
        headline = turn.headline if reasons else turn.path or turn.headline
        told = map(_reason, turn.reasons if reasons else ())
        yield [_heading(joined("", (f"{number}. ", headline))), *told]
    if alike := equals([turn.turn for turn in words]):
        yield [_Paragraph(alike, _TEXT_PT, above=_GAP_MM)]
    if reasons:
        yield from _assumptions(advice.assumed)


def _bids(advice: BidAdvice, most: int | None, level: AdviceLevel) -> Iterator[list[_Paragraph]]:
    if level is AdviceLevel.NUDGE:
        yield [_heading(bid_look_words(advice))]
        return
    for bid in advice.bids[:most]:
        reason = purpose(advice, bid)
        yield [_heading(bid_line(bid)), *([_reason(reason)] if reason else [])]
    if alike := bid_equals(advice):
        yield [_Paragraph(alike, _TEXT_PT, above=_GAP_MM)]
    yield from _assumptions(advice.assumed)


def _assumptions(assumed: Sequence[str]) -> Iterator[list[_Paragraph]]:
    if assumed:
        yield [_Paragraph(joined(" ", assumed), _NOTE_PT, above=_GAP_MM)]


def _heading(text: str) -> _Paragraph:
    return _Paragraph(text, _HEAD_PT, Face.BOLD, Tag.HEADING_2, above=_GAP_MM)


def _reason(text: str) -> _Paragraph:
    return _Paragraph(text, _TEXT_PT, indent=_INDENT_MM)


class _Writer:
    """Writes down a page, and goes on over the page where there is no more room."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._y = _TOP_MM
        self._width, self._bottom = document.paper.w - 2 * _SIDE_MM, document.paper.h - _FOOT_MM

    @property
    def left(self) -> float:
        """How much room is left on the page, in mm."""
        return self._bottom - self._y

    def take(self, height: float) -> Box:
        """The next part of the page, of that height."""
        if height > self.left:
            self.document.next_page()
            self._y = _TOP_MM
        box = Box(_SIDE_MM, self._y, self._width, height)
        self._y += height
        return box

    def height(self, group: Sequence[_Paragraph]) -> float:
        """How high paragraphs are on the page, in mm."""
        return sum(paragraph.above + len(self._lines(paragraph)) * _line_mm(paragraph) for paragraph in group)

    def _lines(self, paragraph: _Paragraph) -> list[str]:
        width = self._width - paragraph.indent
        return self.document.wrapped(glued(paragraph.text), paragraph.size, width, paragraph.face)

    def write(self, group: Sequence[_Paragraph]) -> None:
        """Paragraphs that stay together: on the next page where this one has too little room and a page has enough."""
        height = self.height(group)
        if self.left < height <= self._bottom - _TOP_MM:
            self.document.next_page()
            self._y = _TOP_MM
        for paragraph in group:
            if self._y > _TOP_MM:
                self.take(paragraph.above)
            with self.document.tagged(paragraph.tag):
                for line in self._lines(paragraph):
                    box = self.take(_line_mm(paragraph))
                    place = Box(box.x + paragraph.indent, box.y, box.w - paragraph.indent, box.h)
                    self.document.text(place, line, paragraph.size, face=paragraph.face)


def _line_mm(paragraph: _Paragraph) -> float:
    return paragraph.size * _LEADING / PT_PER_MM
