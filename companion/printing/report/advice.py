"""What a review adds to a report: luck and skill, the curve of the margins, the turns that decided the game."""

from __future__ import annotations

from companion.advisor.advice import Estimate
from companion.advisor.review import DecisiveTurn, GameReview, PlayerReview, ReviewedDecision
from companion.printing.core.geometry import Box
from companion.printing.core.lettering import glued
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, filled
from companion.printing.core.typefaces import Face
from companion.printing.report.charts import draw_margins
from companion.printing.report.pages import Pages, error_of, number, signed, with_error

_HAIRLINE_MM = 0.15
_RADIUS_MM = 1.2
_PLAYER_COLUMNS = (0.2, 0.11, 0.11, 0.11, 0.11, 0.15, 0.13, 0.08)
"""Shares of the width: name, start, luck, turns, bids, rest, margin, points."""


class Advice:
    """The parts of a report that a review gives, each below the one before."""

    def __init__(self, pages: Pages, template: Table, words: Table, review: GameReview) -> None:
        self._pages, self._template, self._words, self._review = pages, template, words, review
        self._document, self._palette, self._sizes = pages.document, pages.palette, pages.sizes

    def draw(self) -> None:
        """All of them, and what their numbers mean."""
        self._draw_players()
        self._pages.chart(
            self._words.curve,
            self._words.curve_note,
            self._template.parts.curve,
            lambda box: draw_margins(self._document, box, self._review, self._template, self._words),
        )
        self._pages.y += self._pages.gap
        self._draw_decisive()
        meaning = filled(self._words.note, lanes=self._review.lanes)
        self._pages.paragraph(meaning, self._sizes.small_pt, colour=self._palette.quiet)

    def _draw_players(self) -> None:
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
        self._pages.y = box.bottom + self._pages.gap

    def _player_cells(self, box: Box) -> list[Box]:
        return [cell.inset(0.6, 0) for cell in box.columns([box.w * share for share in _PLAYER_COLUMNS])]

    def _draw_player(self, box: Box, player: PlayerReview) -> None:
        cells = self._player_cells(box)
        with self._document.tagged(Tag.HEADER_CELL):
            self._pages.name(cells[0], player.colour, self._sizes.heading_pt)
        result = self._review.result
        points = "?" if result.unknown else str(result.scores[player.colour].total)
        language = self._pages.language
        losses = [Estimate(-estimate.value, estimate.error) for estimate in (player.loss, player.bids_loss)]
        shown = [with_error(estimate, language) for estimate in (player.start, player.luck, *losses)]
        shown += [signed(player.rest, language), with_error(player.margin, language), points]
        for cell, text in zip(cells[1:], shown, strict=True):
            with self._document.tagged(Tag.CELL):
                self._pages.text(cell, text, self._sizes.text_pt, align="right")

    def _draw_decisive(self) -> None:
        if not self._review.decisive:
            return
        self._pages.heading(self._words.decisive)
        for place, turn in enumerate(self._review.decisive, 1):
            self._draw_turn(place, turn)
        self._pages.y += self._pages.gap - 1.4

    def _draw_turn(self, rank: int, turn: DecisiveTurn) -> None:
        size, decision, language = self._sizes.text_pt, turn.decision, self._pages.language
        sentence = filled(
            self._words.swing,
            line=decision.line,
            player=self._pages.called(decision.colour),
            winner=self._pages.called(turn.winner),
            before=signed(turn.before, language),
            after=signed(turn.after, language),
            swing=with_error(turn.swing, language),
        )
        rows = [(sentence, Face.BOLD), (self._pages.said(decision.said), Face.REGULAR)]
        if decision.loss.value > 0:
            best = self._pages.said(decision.best_said)
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
        for number_of, (line, face) in enumerate(lines):
            self._pages.text(Box(box.x + 10, box.y + 1.2 + number_of * step, width, step), line, size, face=face)
        self._pages.y = box.bottom + 1.4


def loss_words(decision: ReviewedDecision, language: str) -> str:
    """What a bid or turn lost against the best, with its error and mark: "2.1 ± 0.4 ?"."""
    return f"{number(decision.loss.value, language)}{error_of(decision.loss, language)} {decision.mark}".rstrip()
