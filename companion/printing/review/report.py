"""The report on a game as a PDF: its players, the curve of the margins, what decided it, every bid and turn."""

from __future__ import annotations

from pathlib import Path

from companion.advisor.advice import Estimate
from companion.advisor.review import DecisionKind, DecisiveTurn, GameReview, PlayerReview, ReviewedDecision
from companion.language.catalogue import catalogued
from companion.language.phrase import Phrase
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.gluing import glued
from companion.printing.core.icons import draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.tagging import Tag
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.review.chart import curve_svg, margin_chart
from companion.printing.review.numbers import error_of, number, signed, with_error
from companion.printing.review.pages import Pages
from companion.printing.review.tables import FlowTable, TableColumn
from companion.printing.review.template import ReportTemplate, ReportWords, load_report_template
from companion.printing.setup.template import load_setup_template

_HAIRLINE_MM = 0.15
_RADIUS_MM = 1.2
_NOTE_MM = 4.5
"""Room for the line below the curve."""
_PLAYER_COLUMNS = (0.2, 0.11, 0.11, 0.11, 0.11, 0.15, 0.13, 0.08)
"""Shares of the width: name, start, luck, turns, bids, rest, margin, points."""
_LINE_MM, _PLAYER_MM, _VALUE_MM, _LOSS_MM = 9.0, 26.0, 13.0, 24.0
"""Columns of the table of decisions; what was played has the rest."""
_PADDING_MM = 0.5
"""Above and below the words of a row."""

_KEEP_MM = 20.0
"""What stays below a heading on its page."""


def check_report(language: str = "en", template: Path | None = None, font_dir: Path | None = None) -> None:
    """Refuse what a report could not be drawn with, before a game is looked back on for it.

    Raises UsageError for a language or a folder of fonts that there is not, UnusableInputError for a bad template.
    """
    pick_words(load_report_template(template).words, language)
    Fonts(font_dir)


def review_svg(
    review: GameReview, *, language: str = "en", template: Path | None = None, font_dir: Path | None = None
) -> bytes:
    """The curve of a game's margins as an SVG picture. Raises what `review_report` raises."""
    chosen = load_report_template(template)
    return curve_svg(review, chosen, pick_words(chosen.words, language), Fonts(font_dir))


def review_report(
    review: GameReview,
    *,
    title: str = "",
    paper: str = "a4",
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF about a game; `title` is its date and place.

    Raises UsageError for a paper or language that there is not, UnusableInputError for a bad template,
    MissingDependencyError if the program's own fonts are gone.
    """
    chosen = load_report_template(template)
    words = pick_words(chosen.words, language)
    fonts = Fonts(font_dir)
    document = Document(paper_box(paper), fonts, title=f"{words.title} – {words.subtitle}", language=language)
    pages = Pages(
        document,
        chosen,
        gap=chosen.parts.gap,
        names=review.names,
        colours=words.colours,
        page_words=words.page,
        language=catalogued(language),
    )
    report = ReviewParts(pages, fonts, chosen, words, review)
    report.draw_header(title)
    report.draw_players()
    report.draw_curve()
    report.draw_decisive()
    pages.next_page()
    report.draw_decisions()
    report.draw_note()
    pages.number_page()
    return document.to_bytes()


class ReviewParts:
    """The parts of a report that a review gives, each below the one before."""

    def __init__(
        self, pages: Pages, fonts: Fonts, template: ReportTemplate, words: ReportWords, review: GameReview
    ) -> None:
        self._pages, self._fonts, self._template, self._words, self._review = pages, fonts, template, words, review
        self._document, self._palette, self._sizes = pages.document, pages.palette, pages.sizes

    def draw_header(self, title: str) -> None:
        """Title, date and place, and a rule with the five tribes' shapes."""
        page, palette, sizes = self._document, self._palette, self._sizes
        height = self._template.parts.header
        upper, _, rule = Box(self._pages.x, self._pages.y, self._pages.w, height).rows([height - 4.6, 1.2, 3.4])
        left, right = upper.columns([upper.w * 0.55, upper.w * 0.45])
        above, below = left.rows([left.h * 0.62, left.h * 0.38])
        with page.tagged(Tag.HEADING_1):
            page.text(above, self._words.title, sizes.title_pt, face=Face.TITLE, colour=palette.accent)
        page.text(below, self._words.subtitle, sizes.subtitle_pt, colour=palette.quiet)
        page.text(right, title, sizes.subtitle_pt, face=Face.BOLD, colour=palette.ink, align="right")
        draw_tribes_rule(page, rule, fill=self._template.tribes.of, ink=palette.ink, accent=palette.accent)
        self._pages.y = rule.bottom + self._template.parts.gap

    def draw_players(self) -> None:
        """A row a player: from the margin at the start, by luck and losses, to the one at the end."""
        words, height = self._words, self._template.parts.player
        heads = ["", words.start, words.luck, words.turns, words.bids, words.rest, words.margin, words.points]
        box = Box(self._pages.x, self._pages.y, self._pages.w, height)
        with self._document.tagged(Tag.TABLE):
            with self._document.tagged(Tag.ROW):
                for cell, head in zip(self._player_cells(box), heads, strict=True):
                    with self._document.tagged(Tag.HEADER_CELL, across=True):
                        self._pages.text(cell, head, self._sizes.small_pt, colour=self._palette.quiet, align="right")
            for player in self._review.players:
                box = Box(self._pages.x, box.bottom, self._pages.w, height)
                self._document.line(box.x, box.y, box.right, box.y, colour=self._palette.line, width=_HAIRLINE_MM)
                with self._document.tagged(Tag.ROW):
                    self._draw_player(box, player)
        self._pages.y = box.bottom + self._template.parts.gap

    def _player_cells(self, box: Box) -> list[Box]:
        return [cell.inset(0.6, 0) for cell in box.columns([box.w * share for share in _PLAYER_COLUMNS])]

    def _draw_player(self, box: Box, player: PlayerReview) -> None:
        cells = self._player_cells(box)
        with self._document.tagged(Tag.HEADER_CELL):
            self._pages.name(cells[0], player.colour, self._sizes.heading_pt)
        result = self._review.result
        points = "?" if result.unknown else str(result.scores[player.colour].total)
        language = self._pages.language
        losses = [Estimate(-one.value, one.error) for one in (player.loss, player.bids_loss)]
        shown = [with_error(one, language) for one in (player.start, player.luck, *losses)]
        shown += [signed(player.rest, language), with_error(player.margin, language), points]
        for cell, text in zip(cells[1:], shown, strict=True):
            with self._document.tagged(Tag.CELL):
                self._pages.text(cell, text, self._sizes.text_pt, align="right")

    def draw_curve(self) -> None:
        """The curve over the whole width, with what its signs mean below it."""
        height = self._template.parts.curve
        self._pages.heading(self._words.curve, keep=height + _NOTE_MM)
        chart = margin_chart(self._review, self._template, self._words, self._fonts, width=self._pages.w, height=height)
        self._document.picture(
            chart, self._pages.x, self._pages.y, alternative=f"{self._words.curve}. {self._words.curve_note}"
        )
        self._pages.y += height
        note = Box(self._pages.x, self._pages.y, self._pages.w, _NOTE_MM)
        self._pages.text(note, self._words.curve_note, self._sizes.small_pt, colour=self._palette.quiet)
        self._pages.y = note.bottom + self._template.parts.gap

    def draw_decisive(self) -> None:
        """The turns that decided the game, in words, each with what would have been better."""
        if not self._review.decisive:
            return
        self._pages.heading(self._words.decisive)
        for place, one in enumerate(self._review.decisive, 1):
            self._draw_decisive(place, one)
        self._pages.y += self._template.parts.gap - 1.4

    def _draw_decisive(self, rank: int, one: DecisiveTurn) -> None:
        size, decision, language = self._sizes.text_pt, one.decision, self._pages.language
        said = filled(
            self._words.swing,
            line=decision.line,
            player=self._pages.called(decision.colour),
            winner=self._pages.called(one.winner),
            before=signed(one.before, language),
            after=signed(one.after, language),
            swing=with_error(one.swing, language),
        )
        rows = [(said, Face.BOLD), (self._said(decision, decision.said), Face.REGULAR)]
        if decision.loss.value > 0:
            best = self._said(decision, decision.best_said)
            lost = number(decision.loss.value, language)
            rows.append((filled(self._words.better, loss=lost, best=best), Face.REGULAR))
        width = self._pages.w - 12
        lines = [(line, face) for text, face in rows for line in self._document.wrapped(glued(text), size, width, face)]
        step = self._pages.step(size)
        box = self._pages.placed(step * len(lines) + 2.4)
        self._document.box(
            box, fill=self._palette.card, stroke=self._palette.line, width=_HAIRLINE_MM, radius=_RADIUS_MM
        )
        place = Box(box.x, box.y + 1.2, 9, step)
        self._pages.text(
            place, str(rank), self._sizes.heading_pt, face=Face.TITLE, colour=self._palette.accent, align="centre"
        )
        for place_in, (line, face) in enumerate(lines):
            self._pages.text(Box(box.x + 10, box.y + 1.2 + place_in * step, width, step), line, size, face=face)
        self._pages.y = box.bottom + 1.4

    def draw_decisions(self) -> None:
        """A row a bid or turn; doubtful and bad ones stand on a ground of their own, with their mark."""
        self._pages.heading(self._words.decisions, keep=_KEEP_MM)
        words = self._words
        columns = (
            TableColumn(words.line, _LINE_MM, "right"),
            TableColumn(words.player, _PLAYER_MM),
            TableColumn(words.played, None),
            TableColumn(words.value, _VALUE_MM, "right"),
            TableColumn(words.loss, _LOSS_MM, "right"),
        )
        table = FlowTable(self._pages, columns, self._sizes.small_pt)
        before = None
        for one in self._review.decisions:
            self._draw_decision(table, one, new_round=one.round != before)
            before = one.round

    def _draw_decision(self, table: FlowTable, one: ReviewedDecision, *, new_round: bool) -> None:
        size, palette, pages = self._sizes.small_pt, self._palette, self._pages
        step = pages.step(size)
        played = self._document.wrapped(glued(self._said(one, one.said)), size, table.room(2))
        better = self._document.wrapped(glued(self._said(one, one.best_said)), size, table.room(2)) if one.mark else []
        row = table.row(
            step * (len(played) + len(better)) + 2 * _PADDING_MM,
            ground={"?": palette.doubtful, "??": palette.bad}.get(one.mark),
            rule=palette.quiet if new_round else palette.line,
        )
        line, player, what, value, loss = (Box(cell.x, cell.y + _PADDING_MM, cell.w, step) for cell in row.cells)
        tagged = self._document.tagged
        with tagged(row.parts[0]):
            pages.text(line, str(one.line), size, colour=palette.quiet, align="right")
        with tagged(row.parts[1]):
            pages.name(player, one.colour, size)
        with tagged(row.parts[2]):
            for number_of, text in enumerate(played + better):
                place = Box(what.x, what.y + number_of * step, what.w, step)
                pages.text(place, text, size, colour=palette.ink if number_of < len(played) else palette.quiet)
        with tagged(row.parts[3]):
            pages.text(value, signed(one.played.value, pages.language), size, align="right")
        if one.loss.value > 0:
            with tagged(row.parts[4]):
                lost = loss_words(one, pages.language)
                pages.text(loss, lost, size, face=Face.BOLD if one.mark else Face.REGULAR, align="right")

    def draw_note(self) -> None:
        """What the numbers mean, and what was assumed, at the end."""
        self._pages.y += self._pages.gap / 2
        self._pages.notation_key(self._words.steps, load_setup_template(None))
        for text in (self.meaning(), *self._review.assumed, *self._review.notes):
            self._pages.paragraph(self._pages.said(text), self._sizes.small_pt, colour=self._palette.quiet)

    def meaning(self) -> str:
        """What the numbers mean."""
        return filled(self._words.note, lanes=self._review.lanes)

    def _said(self, decision: ReviewedDecision, what: Phrase) -> str:
        said = self._pages.said(what)
        return filled(self._words.bid, bid=said) if decision.kind is DecisionKind.BID else said


def loss_words(one: ReviewedDecision, language: str) -> str:
    """What a bid or turn lost against the best, with its error and mark: "2.1 ± 0.4 ?"."""
    return f"{number(one.loss.value, language)}{error_of(one.loss, language)} {one.mark}".rstrip()
