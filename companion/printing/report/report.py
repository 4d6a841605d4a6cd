"""The report on a recorded game as a PDF: result and curves, and round by round what was played and what it brought.

With a review it has the review's parts too, and beside each turn what was lost against the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path

from companion.advisor.account import BidTold, GameTold, RoundTold, TurnTold
from companion.advisor.review import GameReview, ReviewedDecision
from companion.language.catalogue import translate
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.icons import CATEGORY_ICONS, draw_icon, draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.surface import Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.hint.board import draw_board, drawing_size
from companion.printing.report.boards import draw_round, draw_turn, turn_letter
from companion.printing.report.charts import category_chart, score_chart
from companion.printing.report.template import GameReportTemplate, GameReportWords, load_game_report_template
from companion.printing.review.chart import CurveLook, signed
from companion.printing.review.pages import HEADING_MM, Pages
from companion.printing.review.report import ReviewParts
from companion.printing.review.template import load_report_template
from companion.printing.score.template import load_score_template
from companion.printing.setup.template import load_setup_template
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

_HAIRLINE_MM = 0.15
_TURN_MM, _PLAYER_MM, _GAIN_MM, _LOSS_MM = 9.0, 30.0, 13.0, 25.0
"""Columns of a round's table; what was played has the rest."""
_CATEGORY_MM, _NUMBER_MM = 38.0, 15.0
_NOTE_MM = 4.5
_LOWEST_CHARTS = 0.6
"""Share of their height down to which charts are made lower to fit the page."""


class BoardsOf(StrEnum):
    """What a report has a board for."""

    ROUND = "round"
    TURN = "turn"
    NONE = "none"


def check_game_report(language: str = "en", template: Path | None = None, font_dir: Path | None = None) -> None:
    """Refuse what a report could not be drawn with, before a game is looked back on for it.

    Raises UsageError for a language or a folder of fonts that there is not, UnusableInputError for a bad template.
    """
    pick_words(load_game_report_template(template).words, language)
    Fonts(font_dir)


def game_report(
    told: GameTold,
    review: GameReview | None = None,
    *,
    boards: BoardsOf = BoardsOf.ROUND,
    paper: str = "a4",
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF about a game, with the advice of a review if there is one.

    Raises UsageError for a paper or language that there is not, UnusableInputError for a bad template.
    """
    chosen = load_game_report_template(template)
    words = pick_words(chosen.words, language)
    fonts = Fonts(font_dir)
    document = Document(paper_box(paper), fonts, title=f"{words.title} – {words.subtitle}", language=language)

    def called(colour: Colour) -> str:
        word: str = getattr(words.colours, colour.value)
        return f"{told.names[colour]} ({word})" if told.names.get(colour) else word

    pages = Pages(
        document,
        chosen.page,
        chosen.type,
        chosen.palette,
        chosen.curves,
        gap=chosen.parts.gap,
        called=called,
        page_words=words.page,
    )
    report = _GameReport(pages, fonts, chosen, words, told, review, language)
    report.draw_title()
    report.draw_result()
    report.draw_charts()
    if review is not None:
        report.draw_advice(review)
    report.draw_rounds(boards)
    report.draw_notes()
    pages.number_page()
    return document.to_bytes()


class _GameReport:
    """Draws the report part by part."""

    def __init__(
        self,
        pages: Pages,
        fonts: Fonts,
        template: GameReportTemplate,
        words: GameReportWords,
        told: GameTold,
        review: GameReview | None,
        language: str,
    ) -> None:
        self._pages, self._fonts, self._template, self._words = pages, fonts, template, words
        self._told, self._review, self._language = told, review, language
        self._document, self._palette, self._sizes = pages.document, template.palette, template.type
        self._labels = asdict(pick_words(load_score_template(None).words, language).labels)
        self._board_look = load_setup_template(None)
        self._look = CurveLook(template.curves, template.palette, template.type, words.colours, words.round)

    def draw_title(self) -> None:
        """Title, date and place, and a rule with the five tribes' shapes."""
        pages, words, sizes, palette = self._pages, self._words, self._sizes, self._palette
        upper, _, rule = pages.placed(self._template.parts.title).rows([self._template.parts.title - 5, 1.4, 3.6])
        above, below = upper.rows([upper.h * 0.62, upper.h * 0.38])
        with self._document.tagged(Tag.HEADING_1):
            pages.text(above, words.title, sizes.title_pt, face=Face.TITLE, colour=palette.accent)
        left, right = below.columns([below.w * 0.4, below.w * 0.6])
        pages.text(left, words.subtitle, sizes.subtitle_pt, colour=palette.quiet)
        when = ", ".join(filter(None, (self._told.date, self._told.place)))
        pages.text(right, when, sizes.subtitle_pt, face=Face.BOLD, align="right")
        draw_tribes_rule(self._document, rule, fill=self._template.tribes.of, ink=palette.ink, accent=palette.accent)
        pages.y = rule.bottom + pages.gap

    def draw_result(self) -> None:
        """Who has won or leads, and the final table."""
        pages, result = self._pages, self._told.result
        players = ", ".join(pages.called(colour) for colour in result.ahead)
        sentence = self._words.unknown
        if result.crowned:
            sentence = self._words.won if len(result.crowned) == 1 else self._words.shared
        elif not result.finished and not result.unknown:
            sentence = self._words.leads
        said = filled(sentence, players=players, total=result.scores[result.ahead[0]].total)
        pages.paragraph(said, self._sizes.heading_pt, face=Face.BOLD)
        pages.y += pages.gap / 2
        with self._document.tagged(Tag.TABLE):
            self._draw_table()
        pages.y += pages.gap

    def _draw_table(self) -> None:
        pages, scores = self._pages, self._told.result.scores
        height = self._template.parts.row
        width = (pages.w - _CATEGORY_MM) / len(scores)

        def cells() -> list[Box]:
            row = pages.placed(height)
            pages.y = row.bottom
            return [cell.inset(1, 0) for cell in row.columns([_CATEGORY_MM, *[width] * len(scores)])]

        first, *others = cells()
        with self._document.tagged(Tag.ROW):
            with self._document.tagged(Tag.HEADER_CELL, across=True):
                pages.text(first, self._words.category, self._sizes.small_pt, colour=self._palette.quiet)
            for cell, colour in zip(others, scores, strict=True):
                with self._document.tagged(Tag.HEADER_CELL, across=True):
                    pages.name(cell, colour, self._sizes.text_pt, face=Face.BOLD)
        for category in CATEGORIES:
            first, *others = cells()
            self._document.line(
                first.x - 1, first.y, others[-1].right + 1, first.y, colour=self._palette.line, width=_HAIRLINE_MM
            )
            side = 0.72 * height
            icon = Box(first.x, first.centre[1] - side / 2, side, side)
            draw_icon(self._document, CATEGORY_ICONS[category], icon, ink=self._palette.ink, tint="#FFFFFF")
            with self._document.tagged(Tag.ROW):
                with self._document.tagged(Tag.HEADER_CELL):
                    place = Box(first.x + side + 1.5, first.y, first.w - side - 1.5, first.h)
                    pages.text(place, self._labels[category], self._sizes.text_pt)
                for cell, score in zip(others, scores.values(), strict=True):
                    known = score.arithmetic[category] != "not known"
                    with self._document.tagged(Tag.CELL):
                        shown = str(score.points[category]) if known else "?"
                        pages.text(_number_box(cell), shown, self._sizes.text_pt, align="right")
        first, *others = cells()
        self._document.box(Box(pages.x, first.y, pages.w, height), fill=self._palette.card)
        self._document.line(pages.x, first.y, pages.x + pages.w, first.y, colour=self._palette.quiet, width=0.3)
        with self._document.tagged(Tag.ROW):
            with self._document.tagged(Tag.HEADER_CELL):
                pages.text(first, self._labels["total"], self._sizes.text_pt, face=Face.BOLD)
            for cell, (colour, score) in zip(others, scores.items(), strict=True):
                mark = "★ " if colour in self._told.result.crowned and len(scores) > 1 else ""
                with self._document.tagged(Tag.CELL):
                    total = f"{mark}{score.total}"
                    pages.text(_number_box(cell), total, self._sizes.heading_pt, face=Face.BOLD, align="right")

    def draw_charts(self) -> None:
        """Everybody's points over the game, and by category."""
        parts, words, pages = self._template.parts, self._words, self._pages
        charts = [
            (words.scores, words.scores_note, parts.scores, score_chart),
            (words.bars, words.bars_note, parts.bars, None),
        ]
        # On shorter paper both are a little lower, rather than one alone on a page.
        room = pages.bottom - pages.y - len(charts) * (HEADING_MM + _NOTE_MM + pages.gap / 2)
        share = min(1.0, room / (parts.scores + parts.bars))
        for heading, note, wanted, curve in charts:
            height = wanted * (share if share >= _LOWEST_CHARTS else 1.0)
            pages.heading(heading, keep=height + _NOTE_MM)
            if curve is not None:
                drawing = curve(self._told, self._look, self._fonts, width=pages.w, height=height)
            else:
                drawing = category_chart(
                    self._told, self._look, self._labels, self._fonts, width=pages.w, height=height
                )
            self._document.picture(drawing, pages.x, pages.y, alternative=f"{heading}. {note}")
            pages.y += height
            line = pages.placed(_NOTE_MM)
            pages.text(line, note, self._sizes.small_pt, colour=self._palette.quiet)
            pages.y = line.bottom + pages.gap / 2

    def draw_advice(self, review: GameReview) -> None:
        """The review's parts: luck and skill, the curve of the margins, the turns that decided the game."""
        template = load_report_template(None)
        parts = ReviewParts(self._pages, self._fonts, template, pick_words(template.words, self._language), review)
        self._pages.next_page()
        self._pages.heading(self._words.advice)
        parts.draw_players()
        parts.draw_curve()
        parts.draw_decisive()
        self._pages.paragraph(parts.meaning(), self._sizes.small_pt, colour=self._palette.quiet)

    def draw_rounds(self, boards: BoardsOf) -> None:
        """Round by round the bids, the boards and the turns."""
        if boards is not BoardsOf.NONE or self._review is not None:
            self._pages.next_page()
        if not self._told.turns and boards is not BoardsOf.NONE:
            self._draw_start()
        reviewed = iter(self._review.decisions if self._review is not None else ())
        for one in self._told.rounds:
            if boards is BoardsOf.ROUND and not self._pages.at_top:
                self._pages.next_page()
            self._draw_round(one, boards, reviewed)
            self._pages.y += self._pages.gap
        if self._review is not None:
            self._pages.paragraph(self._words.marks, self._sizes.small_pt, colour=self._palette.quiet)

    def _draw_start(self) -> None:
        width = self._template.parts.turn_board
        self._pages.heading(self._words.start_board, keep=drawing_size(width))
        with self._document.tagged(Tag.FIGURE, alternative=self._words.start_board):
            draw_board(self._document, self._board_box(width), self._told.start.position.board, self._board_look)
        self._pages.y += drawing_size(width) + self._pages.gap

    def _board_box(self, width: float) -> Box:
        width = min(width, self._pages.w)
        room = self._pages.placed(drawing_size(width))
        return Box(room.centre[0] - width / 2, room.y, width, drawing_size(width))

    def _draw_round(self, one: RoundTold, boards: BoardsOf, reviewed: Iterator[ReviewedDecision]) -> None:
        pages = self._pages
        pages.heading(filled(self._words.round_title, number=one.number), keep=20)
        if one.bids:
            bids = [self._bid_said(bid, next(reviewed, None)) for bid in one.bids]
            pages.paragraph(f"{self._words.bids} {', '.join(bids)}", self._sizes.text_pt)
            pages.y += 1
        if boards is BoardsOf.ROUND and one.before is not None:
            box = self._board_box(self._template.parts.round_board)
            with self._document.tagged(Tag.FIGURE, alternative=filled(self._words.round_board, number=one.number)):
                board = one.before.position.board
                draw_round(self._document, box, one, board, self._template.curves, self._board_look)
            pages.y = box.bottom + pages.gap / 2
        for number, turn in enumerate(one.turns):
            decision = next(reviewed, None)
            if boards is BoardsOf.TURN:
                self._draw_turn_board(one, turn)
            self._draw_turn(turn, decision, heads=number == 0 or boards is BoardsOf.TURN)

    def _draw_turn_board(self, one: RoundTold, turn: TurnTold) -> None:
        width = min(self._template.parts.turn_board, self._pages.w)
        # The turn's words stand on the page of its board.
        room = self._pages.placed(drawing_size(width) + 16)
        box = Box(room.centre[0] - width / 2, room.y, width, drawing_size(width))
        said = filled(self._words.turn_board, turn=turn_letter(turn.place), number=one.number)
        with self._document.tagged(Tag.FIGURE, alternative=said):
            draw_turn(self._document, box, turn, self._board_look, self._language)
        self._pages.y = box.bottom + 1

    def _bid_said(self, bid: BidTold, decision: ReviewedDecision | None) -> str:
        said = f"{self._pages.called(bid.colour)} {bid.text}"
        if decision is not None and decision.mark:
            said += f" ({self._words.loss} {decision.loss.value:.1f} {decision.mark})"
        return said

    def _cells(self, box: Box) -> list[Box]:
        loss = _LOSS_MM if self._review is not None else 0.0
        played = box.w - _TURN_MM - _PLAYER_MM - _GAIN_MM - loss
        widths = [_TURN_MM, _PLAYER_MM, played, _GAIN_MM, *([loss] if loss else [])]
        return [cell.inset(0.8, 0) for cell in box.columns(widths)]

    def _draw_heads(self) -> None:
        words, size = self._words, self._sizes.small_pt
        box = self._pages.placed(self._pages.step(size) * 1.2)
        heads: list[tuple[str, Align]] = [
            (words.turn, "left"),
            (words.player, "left"),
            (words.played, "left"),
            (words.gain, "right"),
        ]
        heads += [(words.loss, "right")] if self._review is not None else []
        with self._document.tagged(Tag.PARAGRAPH):
            for cell, (text, align) in zip(self._cells(box), heads, strict=True):
                self._pages.text(cell, text, size, colour=self._palette.quiet, align=align)
        self._pages.y = box.bottom

    def _draw_turn(self, turn: TurnTold, decision: ReviewedDecision | None, *, heads: bool) -> None:
        """A row of a round's table: who, what was played, what it brought by category, and what was better."""
        pages, size, small = self._pages, self._sizes.text_pt, self._sizes.small_pt
        room = self._cells(Box(0, 0, pages.w, 1))[2].w
        lines: list[tuple[str, float, str]] = []
        for text, at, colour in self._turn_lines(turn, decision):
            lines += [(line, at, colour) for line in self._document.wrapped(text, at, room)]
        height = sum(pages.step(at) for _, at, _ in lines) + 1.4
        before = pages.y
        head_room = pages.step(small) * 1.2
        box = pages.placed(height + head_room)
        if heads or box.y < before:
            self._draw_heads()
        box = Box(pages.x, pages.y, pages.w, height)
        ground = {"?": self._palette.doubtful, "??": self._palette.bad}.get(decision.mark) if decision else None
        if ground is not None:
            self._document.box(box, fill=ground)
        self._document.line(box.x, box.y, box.right, box.y, colour=self._palette.line, width=_HAIRLINE_MM)
        first = Box(box.x, box.y + 0.7, box.w, pages.step(size))
        cells = self._cells(first)
        pages.text(cells[0], turn_letter(turn.place), size, face=Face.BOLD)
        pages.name(cells[1], turn.colour, size)
        y = first.y
        with self._document.tagged(Tag.PARAGRAPH):
            for text, at, colour in lines:
                pages.text(Box(cells[2].x, y, room, pages.step(at)), text, at, colour=colour)
                y += pages.step(at)
        pages.text(cells[3], signed(float(turn.gain), 0), size, face=Face.BOLD, align="right")
        if decision is not None:
            self._draw_loss(cells[4], turn, decision)
        pages.y = box.bottom

    def _turn_lines(self, turn: TurnTold, decision: ReviewedDecision | None) -> Iterator[tuple[str, float, str]]:
        yield turn.text, self._sizes.text_pt, self._palette.ink
        parts = [
            f"{self._labels[category]} {signed(float(points), 0)}"
            for category, points in turn.brought.items()
            if points
        ]
        yield ", ".join(parts) or self._words.nothing, self._sizes.small_pt, self._palette.quiet
        if decision is not None and decision.mark:
            best = decision.best_text.partition(" ")[2]
            yield filled(self._words.better, turn=best), self._sizes.small_pt, self._palette.accent

    def _draw_loss(self, cell: Box, turn: TurnTold, decision: ReviewedDecision) -> None:
        """What was lost against the best, and the luck of what was drawn in the turn."""
        pages, size = self._pages, self._sizes.small_pt
        error = f" ± {decision.loss.error:.1f}" if decision.loss.error else ""
        face = Face.BOLD if decision.mark else Face.REGULAR
        said = f"{decision.loss.value:.1f}{error} {decision.mark}".rstrip()
        pages.text(cell, said, size, face=face, align="right")
        assert self._review is not None
        drawn = [draw for draw in self._review.draws if draw.line == turn.line and not draw.text.startswith("refill")]
        if drawn:
            luck = signed(sum(draw.luck[turn.colour].value for draw in drawn))
            below = Box(cell.x, cell.bottom, cell.w, pages.step(size))
            pages.text(below, filled(self._words.luck, luck=luck), size, colour=self._palette.quiet, align="right")

    def draw_notes(self) -> None:
        """What was assumed, and what else is to be known of the record."""
        review = self._review
        said = [*self._told.notes, *self._told.result.unknown]
        said += [one for one in review.assumed if one not in said] if review is not None else [self._words.without]
        self._pages.y += self._pages.gap / 2
        for text in said:
            self._pages.paragraph(translate(text, self._language), self._sizes.small_pt, colour=self._palette.quiet)


def _number_box(cell: Box) -> Box:
    """Where numbers stand in a column: under the beginning of its name."""
    return Box(cell.x, cell.y, min(cell.w, _NUMBER_MM), cell.h)
