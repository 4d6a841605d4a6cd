"""The rounds of a report - bids, boards with arrows, what each turn brought - and what a review adds to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from companion.advisor.account import GameSummary, RecordedBid, RecordedTurn, RoundSummary
from companion.advisor.advice import Estimate
from companion.advisor.review import DecisiveTurn, GameReview, PlayerReview, ReviewedDecision
from companion.language.phrase import joined, say
from companion.printing.core.board import FOR_ROUNDS, FOR_TURNS, KEY_MM, BoardFrame, draw_board, draw_tribe_names
from companion.printing.core.geometry import Box
from companion.printing.core.lettering import glued
from companion.printing.core.surface import Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, filled
from companion.printing.core.typefaces import Face
from companion.printing.hint import drawing
from companion.printing.report.charts import draw_margins
from companion.printing.report.pages import (
    CELL_SIDE_MM,
    HEAD_LEADING,
    HEADING_MM,
    FlowTable,
    Pages,
    TableColumn,
    TableRow,
    error_of,
    number,
    signed,
    with_error,
)
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.board import Board
from companion.rules.model.events import AssassinsKilled, TileClaimed

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
        widths = [self._pages.w * share for share in _PLAYER_COLUMNS]
        columns = [TableColumn(head, width, "right") for head, width in zip(heads, widths, strict=True)]
        table = FlowTable(self._pages, columns, height, side=0.6)
        for player in self._review.players:
            self._draw_player(table.row(height), player)
        self._pages.y += self._pages.gap

    def _draw_player(self, row: TableRow, player: PlayerReview) -> None:
        with self._document.tagged(row.parts[0]):
            self._pages.name(row.cells[0], player.colour, self._sizes.heading_pt)
        result = self._review.result
        points = "?" if result.unknown else str(result.scores[player.colour].total)
        language = self._pages.language
        losses = [Estimate(-estimate.value, estimate.error) for estimate in (player.loss, player.bids_loss)]
        shown = [with_error(estimate, language) for estimate in (player.start, player.luck, *losses)]
        shown += [signed(player.rest, language), with_error(player.margin, language), points]
        for cell, part, text in zip(row.cells[1:], row.parts[1:], shown, strict=True):
            self._pages.text(cell, text, self._sizes.text_pt, align="right", tag=part)

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


_TURN_MM, _PLAYER_MM, _GAIN_MM, _LOSS_MM = 9.0, 33.0, 13.0, 25.0
"""Columns of a round's table; what was played has the rest."""

_PADDING_MM = 0.5
"""Above and below the words of a row."""

_BELOW_BIDS_MM, _LEAST_BOARD_MM = 1.0, 100.0

_TURN_KEEP_MM = 16.0
"""What stays below a turn's board, or below the bids where there is none, on their page."""

TextLine = tuple[str, float, str]
"""Words of a row with their size in points and their colour."""


class BoardsOf(StrEnum):
    """What a report has a board for."""

    ROUND = "round"
    TURN = "turn"
    NONE = "none"


class Rounds:
    """Draws a game round by round; with a review each turn has what was lost against the best."""

    def __init__(self, pages: Pages, summary: GameSummary, review: GameReview | None, boards: BoardsOf) -> None:
        self._summary, self._review, self._boards = summary, review, boards
        self._pages, self._document, self._words = pages, pages.document, pages.words
        self._sizes, self._palette = pages.sizes, pages.palette
        self._reviewed = iter(review.decisions if review is not None else ())
        words, size = self._words, self._sizes.small_pt
        wanted = {words.steps: True, words.marks: review, words.arrows: boards is not BoardsOf.NONE}
        self._key = [text for text, shown in wanted.items() if shown]
        lines = sum(len(self._document.wrapped(text, size, pages.w)) for text in self._key)
        self.key_height = lines * pages.step(size) + KEY_MM

    def draw(self) -> None:
        """Round by round the bids, the boards and the turns; how they are written where there's room on a page."""
        key_first = self._pages.y + self.key_height <= self._pages.bottom
        if key_first:
            self._draw_key()
        if not self._summary.turns and self._boards is not BoardsOf.NONE:
            self._draw_start()
        for part in self._summary.rounds:
            self._draw_round(part)
            self._pages.y += self._pages.gap
        if not key_first:
            self._draw_key()

    def _draw_start(self) -> None:
        width = self._pages.template.parts.turn_board
        self._pages.heading(self._words.start_board, keep=FOR_TURNS.height_for(width))
        with self._document.tagged(Tag.FIGURE, alternative=self._words.start_board):
            draw_board(self._document, self._board_box(width), self._summary.start.position.board)
        self._pages.y += FOR_TURNS.height_for(width) + self._pages.gap

    def _board_box(self, width: float, keep: float = 0.0, frame: BoardFrame = FOR_TURNS) -> Box:
        """Room for a board of that width, and that many mm below it on the same page."""
        width = min(width, self._pages.w)
        room = self._pages.placed(frame.height_for(width) + keep)
        return Box(room.centre[0] - width / 2, room.y, width, frame.height_for(width))

    def _draw_round(self, part: RoundSummary) -> None:
        pages, size = self._pages, self._sizes.text_pt
        bids = ", ".join(self._bid_said(bid, next(self._reviewed, None)) for bid in part.bids)
        bids = bids and f"{self._words.bids} {bids}"
        decisions = [next(self._reviewed, None) for _ in part.turns]
        texts = [self._turn_lines(turn, decision) for turn, decision in zip(part.turns, decisions, strict=True)]
        keep = len(self._document.wrapped(bids, size, pages.w)) * pages.step(size) + _BELOW_BIDS_MM
        board = part.before.position.board if self._boards is BoardsOf.ROUND and part.before is not None else None
        # With its board a round stands on one page as a whole, and two on a page where their boards can be so small.
        rows = pages.step(self._sizes.small_pt) * HEAD_LEADING + sum(map(self._row_height, texts))
        spare = (pages.bottom - pages.top - pages.gap - 0.1) / 2 - HEADING_MM - keep - rows
        width = min(pages.template.parts.round_board, max(spare / FOR_ROUNDS.height_for(1), _LEAST_BOARD_MM))
        keep += _TURN_KEEP_MM if board is None else rows + FOR_ROUNDS.height_for(width)
        pages.heading(self._title(part), keep=keep)
        if bids:
            pages.paragraph(bids, size)
            pages.y += _BELOW_BIDS_MM
        if board is not None:
            box = self._board_box(width, frame=FOR_ROUNDS)
            with self._document.tagged(Tag.FIGURE, alternative=filled(self._words.board, round=self._title(part))):
                draw_round(self._document, box, part, board, pages.template.curves, pages.language)
            pages.y = box.bottom
        table = None
        for turn, decision, lines in zip(part.turns, decisions, texts, strict=True):
            if self._boards is BoardsOf.TURN:
                self._draw_turn_board(part, turn)
                table = None
            table = table or self._table()
            self._draw_turn(table, turn, decision, lines)
            if self._boards is BoardsOf.TURN:
                self._pages.y += self._pages.gap / 2

    def _draw_turn_board(self, part: RoundSummary, turn: RecordedTurn) -> None:
        caption = filled(self._words.board, round=f"{self._title(part)}, {turn_letter(turn.place)}")
        box = self._board_box(self._pages.template.parts.turn_board, keep=_TURN_KEEP_MM)
        with self._document.tagged(Tag.FIGURE, alternative=caption):
            draw_board(self._document, box, turn.before.position.board)
            marks = drawing.marks_of(turn.sowing, turn.events)
            drawing.draw_marks(self._document, box, marks, self._pages.language)
        self._pages.y = box.bottom + 1

    def _title(self, part: RoundSummary) -> str:
        if part.number:
            return filled(self._words.round_title, number=part.number)
        return self._pages.said(say("The round in progress when the record begins"))

    def _bid_said(self, bid: RecordedBid, decision: ReviewedDecision | None) -> str:
        words = f"{self._pages.called(bid.colour)} {self._pages.said(bid.said)}"
        if decision is not None and decision.mark:
            lost = number(decision.loss.value, self._pages.language)
            words += f" ({self._words.loss} {lost} {decision.mark})"
        return words

    def _table(self) -> FlowTable:
        words = self._words
        columns = [
            TableColumn(words.turn, _TURN_MM),
            TableColumn(words.player, _PLAYER_MM),
            TableColumn(words.played, None),
            TableColumn(words.gain, _GAIN_MM, "right"),
        ]
        columns += [TableColumn(words.loss, _LOSS_MM, "right")] if self._review is not None else []
        return FlowTable(self._pages, columns)

    def _row_height(self, lines: Sequence[TextLine]) -> float:
        return sum(self._pages.step(at) for _, at, _ in lines) + 2 * _PADDING_MM

    def _draw_turn(
        self, table: FlowTable, turn: RecordedTurn, decision: ReviewedDecision | None, lines: Sequence[TextLine]
    ) -> None:
        pages, size = self._pages, self._sizes.text_pt
        marks = {"?": self._palette.doubtful, "??": self._palette.bad}
        row = table.row(self._row_height(lines), ground=marks.get(decision.mark) if decision is not None else None)
        cells = [Box(cell.x, cell.y + _PADDING_MM, cell.w, pages.step(size)) for cell in row.cells]
        tagged = self._document.tagged
        pages.text(cells[0], turn_letter(turn.place), size, face=Face.BOLD, tag=row.parts[0])
        with tagged(row.parts[1]):
            pages.name(cells[1], turn.colour, size)
        y = cells[2].y
        with tagged(row.parts[2]):
            for text, at, colour in lines:
                pages.text(Box(cells[2].x, y, cells[2].w, pages.step(at)), text, at, colour=colour)
                y += pages.step(at)
        with tagged(row.parts[3]):
            gain = signed(float(turn.gain), self._pages.language, 0)
            pages.text(cells[3], gain, size, face=Face.BOLD, align="right")
        if decision is not None:
            self._draw_loss(cells[4], row, turn, decision)

    def _turn_lines(self, turn: RecordedTurn, decision: ReviewedDecision | None) -> list[TextLine]:
        """What a turn's row says, in lines that its column has room for."""
        room = self._pages.w - _TURN_MM - _PLAYER_MM - _GAIN_MM - 2 * CELL_SIDE_MM
        room -= _LOSS_MM if self._review is not None else 0.0
        return [
            (line, size, colour)
            for text, size, colour in self._turn_texts(turn, decision)
            for line in self._document.wrapped(glued(text), size, room)
        ]

    def _turn_texts(self, turn: RecordedTurn, decision: ReviewedDecision | None) -> Iterator[TextLine]:
        yield self._pages.said(turn.said), self._sizes.text_pt, self._palette.ink
        parts = [
            f"{self._pages.labels[category]} {signed(float(turn.brought[category]), self._pages.language, 0)}"
            for category in CATEGORIES
            if turn.brought[category]
        ]
        yield ", ".join(parts) or self._words.nothing, self._sizes.small_pt, self._palette.quiet
        if decision is not None and decision.mark:
            best = self._pages.said(decision.best_said)
            yield filled(self._words.better, turn=best), self._sizes.small_pt, self._palette.accent

    def _draw_loss(self, cell: Box, row: TableRow, turn: RecordedTurn, decision: ReviewedDecision) -> None:
        pages, size = self._pages, self._sizes.small_pt
        assert self._review is not None
        drawn = [draw for draw in self._review.draws if draw.line == turn.line and not draw.refill]
        with self._document.tagged(row.parts[4]):
            face = Face.BOLD if decision.mark else Face.REGULAR
            pages.text(cell, loss_words(decision, self._pages.language), size, face=face, align="right")
            if drawn:
                luck = signed(sum(draw.luck[turn.colour].value for draw in drawn), self._pages.language)
                below = Box(cell.x, cell.bottom, cell.w, pages.step(size))
                words = filled(self._words.luck, luck=luck)
                pages.text(below, words, size, colour=self._palette.quiet, align="right")

    def _draw_key(self) -> None:
        """How turns are written, and what marks and arrows mean, all of it on one page."""
        pages = self._pages
        pages.placed(self.key_height)
        for place, text in enumerate(self._key):
            pages.paragraph(text, self._sizes.small_pt, colour=self._palette.quiet)
            if not place:
                draw_tribe_names(self._document, pages.placed(KEY_MM), self._sizes.small_pt, pages.language)
                pages.y += KEY_MM
        pages.y += pages.gap


def turn_letter(place: int) -> str:
    """The letter of a turn by its place in the round from 0: A for the first."""
    return chr(ord("A") + place)


def draw_round(
    surface: Surface, box: Box, summary: RoundSummary, board: Board, tints: Mapping[str, str], language: str
) -> None:
    """A board with the steps of all turns of a round, in the players' colours and with the turns' letters.

    Beside the tiles stands who is killed there and which are claimed, after the letter of the turn.
    """
    project, grid = FOR_ROUNDS.projection(box), FOR_ROUNDS.grid
    draw_board(surface, box, board, FOR_ROUNDS)
    for turn in summary.turns:
        if turn.sowing is not None:
            drawing.draw_tile_rim(surface, project, grid, turn.sowing.start, tints[turn.colour.value])
    laid: list[drawing.Arrow] = []
    for turn in summary.turns:
        if turn.sowing is not None:
            arrows = drawing.lay_arrows(turn.sowing, grid, others=laid)
            ink = tints[turn.colour.value]
            drawing.draw_arrows(surface, project, arrows, ink=ink, prefix=turn_letter(turn.place))
            laid += arrows
    labels: dict[int, str] = {}
    colours: dict[int, str] = {}
    for turn in summary.turns:
        events = [event for event in turn.events if isinstance(event, AssassinsKilled | TileClaimed)]
        for square, what in drawing.marks_of(None, events).labels.items():
            words = say("{what}: {value}", what=turn_letter(turn.place), value=what)
            labels[square] = joined(", ", (labels[square], words)) if square in labels else words
            colours.setdefault(square, tints[turn.colour.value])
    marks = drawing.TurnMarks(None, labels)
    for label in drawing.place_board_labels(surface, box, marks, language, laid, FOR_ROUNDS):
        drawing.draw_label(surface, label, colours[label.square])
