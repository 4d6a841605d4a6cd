"""The report on a game as a PDF: its players, the curve of the margins, what decided it, every bid and turn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.advisor.advice import Estimate
from companion.advisor.review import DecisionKind, DecisiveTurn, GameReview, PlayerReview, ReviewedDecision
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.icons import draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.surface import Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.review.chart import curve_svg, margin_chart, signed
from companion.printing.review.pages import HEADING_MM, LEADING, Pages
from companion.printing.review.template import ReportTemplate, ReportWords, load_report_template
from companion.rules.model.components import Colour

_HAIRLINE_MM = 0.15
_RADIUS_MM = 1.2
_NOTE_MM = 4.5
"""Room for the line below the curve."""
_PLAYER_COLUMNS = (0.2, 0.11, 0.11, 0.11, 0.11, 0.15, 0.13, 0.08)
"""Shares of the width: name, start, luck, turns, bids, rest, margin, points."""
_LINE_MM, _PLAYER_MM, _VALUE_MM, _LOSS_MM = 9.0, 22.0, 13.0, 24.0
"""Columns of the table of decisions; what was played has the rest."""
_MM_PER_PT = 25.4 / 72


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
    MissingDependencyError if no font has a letter of a name.
    """
    chosen = load_report_template(template)
    words = pick_words(chosen.words, language)
    fonts = Fonts(font_dir)
    document = Document(paper_box(paper), fonts, title=f"{words.title} – {words.subtitle}", language=language)
    pages = Pages(
        document,
        chosen.page,
        chosen.type,
        chosen.palette,
        chosen.curves,
        gap=chosen.parts.gap,
        called=lambda colour: called(review.names, colour, words),
        page_words=words.page,
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


def called(names: Mapping[Colour, str], colour: Colour, words: ReportWords) -> str:
    """How a player is spoken of: "Anna (pink)", or the colour where there is no name."""
    word: str = getattr(words.colours, colour.value)
    name = names.get(colour)
    return f"{name} ({word})" if name else word


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
        losses = [Estimate(-one.value, one.error) for one in (player.loss, player.bids_loss)]
        shown = [_with_error(one) for one in (player.start, player.luck, *losses)]
        shown += [signed(player.rest), _with_error(player.margin), points]
        for cell, text in zip(cells[1:], shown, strict=True):
            with self._document.tagged(Tag.CELL):
                self._pages.text(cell, text, self._sizes.text_pt, align="right")

    def draw_curve(self) -> None:
        """The curve over the whole width, with what its signs mean below it."""
        height = self._template.parts.curve
        self._pages.y = self._pages.placed(HEADING_MM + height + _NOTE_MM).y
        self._pages.heading(self._words.curve)
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
        for number, one in enumerate(self._review.decisive, 1):
            self._draw_decisive(number, one)
        self._pages.y += self._template.parts.gap - 1.4

    def _draw_decisive(self, number: int, one: DecisiveTurn) -> None:
        size, decision = self._sizes.text_pt, one.decision
        said = filled(
            self._words.swing,
            line=decision.line,
            player=self._pages.called(decision.colour),
            winner=self._pages.called(one.winner),
            before=signed(one.before),
            after=signed(one.after),
            swing=_with_error(one.swing),
        )
        rows = [(said, Face.BOLD), (self._said(decision, decision.text), Face.REGULAR)]
        if decision.loss.value > 0:
            best = self._said(decision, decision.best_text)
            rows.append((filled(self._words.better, loss=f"{decision.loss.value:.1f}", best=best), Face.REGULAR))
        width = self._pages.w - 12
        lines = [(line, face) for text, face in rows for line in self._document.wrapped(text, size, width, face)]
        step = size * _MM_PER_PT * LEADING
        box = self._pages.placed(step * len(lines) + 2.4)
        self._document.box(
            box, fill=self._palette.card, stroke=self._palette.line, width=_HAIRLINE_MM, radius=_RADIUS_MM
        )
        place = Box(box.x, box.y + 1.2, 9, step)
        self._pages.text(
            place, str(number), self._sizes.heading_pt, face=Face.TITLE, colour=self._palette.accent, align="centre"
        )
        for place_in, (line, face) in enumerate(lines):
            self._pages.text(Box(box.x + 10, box.y + 1.2 + place_in * step, width, step), line, size, face=face)
        self._pages.y = box.bottom + 1.4

    def draw_decisions(self) -> None:
        """A row a bid or turn; doubtful and bad ones stand on a ground of their own, with their mark."""
        self._pages.heading(self._words.decisions)
        self._draw_heads()
        for number, one in enumerate(self._review.decisions):
            new_round = number > 0 and one.round != self._review.decisions[number - 1].round
            self._draw_decision(one, new_round=new_round)

    def _decision_cells(self, box: Box) -> list[Box]:
        played = box.w - _LINE_MM - _PLAYER_MM - _VALUE_MM - _LOSS_MM
        widths = [_LINE_MM, _PLAYER_MM, played, _VALUE_MM, _LOSS_MM]
        return [cell.inset(0.8, 0) for cell in box.columns(widths)]

    def _draw_heads(self) -> None:
        words, step = self._words, self._sizes.small_pt * _MM_PER_PT * 1.6
        heads: list[tuple[str, Align]] = [
            (words.line, "right"),
            (words.player, "left"),
            (words.played, "left"),
            (words.value, "right"),
            (words.loss, "right"),
        ]
        for cell, (head, align) in zip(
            self._decision_cells(Box(self._pages.x, self._pages.y, self._pages.w, step)), heads, strict=True
        ):
            self._pages.text(cell, head, self._sizes.small_pt, colour=self._palette.quiet, align=align)
        self._pages.y += step

    def _draw_decision(self, one: ReviewedDecision, *, new_round: bool) -> None:
        sizes, palette = self._sizes, self._palette
        step = sizes.small_pt * _MM_PER_PT * LEADING
        room = self._decision_cells(Box(0, 0, self._pages.w, 1))[2].w
        played = self._document.wrapped(self._said(one, one.text), sizes.small_pt, room)
        better = self._document.wrapped(self._said(one, one.best_text), sizes.small_pt, room) if one.mark else []
        before = self._pages.y
        box = self._pages.placed(step * (len(played) + len(better)) + 1.0)
        if box.y < before:
            self._draw_heads()
            box = Box(box.x, self._pages.y, box.w, box.h)
        ground = {"?": palette.doubtful, "??": palette.bad}.get(one.mark)
        if ground is not None:
            self._document.box(box, fill=ground)
        strong = new_round or box.y < before
        self._document.line(
            box.x, box.y, box.right, box.y, colour=palette.quiet if strong else palette.line, width=_HAIRLINE_MM
        )
        cells = [Box(cell.x, cell.y + 0.5, cell.w, step) for cell in self._decision_cells(box)]
        self._pages.text(cells[0], str(one.line), sizes.small_pt, colour=palette.quiet, align="right")
        self._pages.name(cells[1], one.colour, sizes.small_pt)
        for number, line in enumerate(played + better):
            place = Box(cells[2].x, cells[2].y + number * step, cells[2].w, step)
            self._pages.text(place, line, sizes.small_pt, colour=palette.ink if number < len(played) else palette.quiet)
        self._pages.text(cells[3], signed(one.played.value), sizes.small_pt, align="right")
        if one.loss.value > 0:
            loss = f"{one.loss.value:.1f} ± {one.loss.error or 0.0:.1f} {one.mark}".rstrip()
            self._pages.text(
                cells[4], loss, sizes.small_pt, face=Face.BOLD if one.mark else Face.REGULAR, align="right"
            )
        self._pages.y = box.bottom

    def draw_note(self) -> None:
        """What the numbers mean, and what was assumed, at the end."""
        self._pages.y += self._pages.gap / 2
        for text in (self.meaning(), *self._review.assumed, *self._review.notes):
            self._pages.paragraph(text, self._sizes.small_pt, colour=self._palette.quiet)

    def meaning(self) -> str:
        """What the numbers mean."""
        return filled(self._words.note, lanes=self._review.lanes)

    def _said(self, decision: ReviewedDecision, text: str) -> str:
        said = _without_player(text)
        return filled(self._words.bid, bid=said) if decision.kind is DecisionKind.BID else said


def _with_error(one: Estimate) -> str:
    return signed(one.value) + (f" ± {one.error:.1f}" if one.error else "")


def _without_player(text: str) -> str:
    """A turn or bid as a record writes it without its player, whose name stands beside it."""
    return text.partition(" ")[2]
