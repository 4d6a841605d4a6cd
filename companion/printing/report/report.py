"""The report on a recorded game as a PDF: result and curves, and round by round what was played and what it brought.

With a review it says what luck and each decision were worth, and beside each turn what was lost against the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from companion.advisor.account import GameSummary
from companion.advisor.review import GameReview
from companion.drawing.palette import PAPER
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CATEGORY_ICONS, draw_icon, draw_tribes_rule
from companion.printing.core.kinds import REPORT, REVIEW
from companion.printing.core.page import HowToPrint, PrintJob, begin
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, filled, pick_words, template_kind
from companion.printing.core.typefaces import Face
from companion.printing.core.vector import SCREEN, Vector
from companion.printing.report.charts import draw_categories, draw_scores
from companion.printing.report.pages import HEADING_MM, NOTE_MM, FlowTable, Pages, TableColumn
from companion.printing.report.rounds import Advice, BoardsOf, Rounds
from companion.rules.engine.scoring import CATEGORIES

_CATEGORY_MM, _NUMBER_MM = 38.0, 15.0
_ON_A_PHONE = Box(0, 0, 82, 66)
_MIN_CHARTS = 0.6
"""Share of their height down to which charts are made lower to fit the page."""


def draw_result(pages: Pages, summary: GameSummary) -> None:
    """The winner or leader, and the final table."""
    result, words = summary.result, pages.words
    players = ", ".join(pages.called(colour) for colour in result.ahead)
    sentence = words.unknown
    if result.winners:
        sentence = words.won if len(result.winners) == 1 else words.shared
    elif not result.finished and not result.unknown:
        sentence = words.leads
    sentence_said = filled(sentence, players=players, total=result.scores[result.ahead[0]].total)
    pages.paragraph(sentence_said, pages.sizes.heading_pt, face=Face.BOLD)
    pages.y += pages.gap / 2
    _draw_table(pages, summary)
    pages.y += pages.gap


def _draw_table(pages: Pages, summary: GameSummary) -> None:
    scores, sizes, palette = summary.result.scores, pages.sizes, pages.palette
    height = pages.template.parts.row
    width, side = (pages.w - _CATEGORY_MM) / len(scores), 0.72 * height
    columns = [TableColumn(pages.words.category, _CATEGORY_MM), *(TableColumn(colour, width) for colour in scores)]
    table = FlowTable(pages, columns, height, side=1)
    for category in CATEGORIES:
        row = table.row(height)
        first = row.cells[0]
        icon = Box(first.x, first.centre[1] - side / 2, side, side)
        draw_icon(pages.document, CATEGORY_ICONS[category], icon, ink=palette.ink, tint=PAPER)
        place = Box(first.x + side + 1.5, first.y, first.w - side - 1.5, first.h)
        pages.text(place, pages.labels[category], sizes.text_pt, tag=row.parts[0])
        for cell, part, score in zip(row.cells[1:], row.parts[1:], scores.values(), strict=True):
            points = score.known[category]
            shown = "?" if points is None else str(points)
            pages.text(_number_box(cell), shown, sizes.text_pt, align="right", tag=part)
    row = table.row(height, ground=palette.card, rule=palette.quiet, width=0.3)
    pages.text(row.cells[0], pages.labels["total"], sizes.text_pt, face=Face.BOLD, tag=row.parts[0])
    for cell, part, colour in zip(row.cells[1:], row.parts[1:], scores, strict=True):
        mark = "★ " if colour in summary.result.winners and len(scores) > 1 else ""
        total = mark + summary.result.total_words(colour)
        pages.text(_number_box(cell), total, sizes.heading_pt, face=Face.BOLD, align="right", tag=part)


def _number_box(cell: Box) -> Box:
    return Box(cell.x, cell.y, min(cell.w, _NUMBER_MM), cell.h)


def draw_charts(pages: Pages, summary: GameSummary, below: float = 0.0) -> None:
    """Everybody's points over the game, and by category, over that many mm of what is read with them."""
    parts, words = pages.template.parts, pages.words
    # On shorter paper both are a little lower, rather than one alone on a page.
    room = pages.bottom - pages.y - 2 * (HEADING_MM + NOTE_MM + pages.gap / 2)
    shares = (min(1.0, (room - kept) / (parts.scores + parts.bars)) for kept in (below, 0.0))
    share = next((share for share in shares if share >= _MIN_CHARTS), 1.0)
    # Before the first round there is no curve, only where it begins.
    if summary.rounds:
        pages.chart(
            words.scores,
            words.scores_note,
            parts.scores * share,
            lambda box: draw_scores(pages.document, box, summary, pages.template, words),
        )
        pages.y += pages.gap / 2
    pages.chart(
        words.bars,
        words.bars_note,
        parts.bars * share,
        lambda box: draw_categories(pages.document, box, summary, pages.template, pages.labels),
    )
    pages.y += pages.gap / 2


def score_chart(summary: GameSummary, *, language: str = "en") -> bytes:
    """Everybody's points over a game of a round at least, as an SVG file for a phone."""
    job = begin(REPORT, language=language)
    title, note = job.words.scores, job.words.scores_note
    picture = Vector(_ON_A_PHONE, job.fonts, ground=None, title=title, note=note, zoom=SCREEN)
    draw_scores(picture, _ON_A_PHONE, summary, job.template, job.words)
    return picture.to_bytes()


def begin_report(**how: Unpack[HowToPrint]) -> tuple[PrintJob, Table]:
    """The job, and the template of what a review adds; one of the two templates may be the user's own.

    Call it alone to refuse bad options before a game is reviewed. Raises as `begin` does.
    """
    own = how.get("template")
    if own is not None and template_kind(own) == REVIEW.name:
        usual: HowToPrint = {**how, "template": None}
        return begin(REPORT, **usual), REVIEW.load(own)
    return begin(REPORT, **how), REVIEW.load()


def game_report(
    summary: GameSummary,
    review: GameReview | None = None,
    *,
    boards: BoardsOf = BoardsOf.ROUND,
    **how: Unpack[HowToPrint],
) -> bytes:
    """A PDF about a game, with the advice of a review if there is one; a template is of either part.

    Raises what `begin` raises.
    """
    job, advice = begin_report(**how)
    pages = Pages(job.document(), job.template, job.words, summary.names)
    _draw_title(pages, summary)
    draw_result(pages, summary)
    rounds, notes = Rounds(pages, summary, review, boards), _notes(pages, summary, review)
    if review is None:
        # Rather than on a page of their own at the end.
        step = pages.step(pages.sizes.small_pt)
        lines = sum(len(pages.document.wrapped(note, pages.sizes.small_pt, pages.w)) for note in notes)
        draw_charts(pages, summary, rounds.key_height + lines * step + pages.gap / 2)
        _draw_notes(pages, notes)
        rounds.draw()
    else:
        draw_charts(pages, summary)
        pages.next_page()
        pages.heading(job.words.advice)
        Advice(pages, advice, pick_words(advice, pages.language), review).draw()
        rounds.draw()
        _draw_notes(pages, notes)
    pages.number_page()
    return pages.document.to_bytes()


def _draw_title(pages: Pages, summary: GameSummary) -> None:
    template, palette = pages.template, pages.palette
    height = template.parts.title
    upper, _, rule = pages.placed(height).rows([height - 5, 1.4, 3.6])
    above, below = upper.rows([upper.h * 0.62, upper.h * 0.38])
    pages.text(
        above, pages.words.title, template.type.title_pt, face=Face.TITLE, colour=palette.accent, tag=Tag.HEADING_1
    )
    left, right = below.columns([below.w * 0.4, below.w * 0.6])
    pages.text(left, pages.words.subtitle, template.type.subtitle_pt, colour=palette.quiet)
    when = ", ".join(filter(None, (summary.date, summary.place)))
    pages.text(right, when, template.type.subtitle_pt, face=Face.BOLD, align="right")
    draw_tribes_rule(pages.document, rule, tints=template.tribes, ink=palette.ink, accent=palette.accent)
    pages.y = rule.bottom + pages.gap


def _notes(pages: Pages, summary: GameSummary, review: GameReview | None) -> list[str]:
    notes = [*summary.notes, *summary.result.unknown]
    notes += [note for note in review.assumed if note not in notes] if review is not None else [pages.words.without]
    return [pages.said(note) for note in notes]


def _draw_notes(pages: Pages, notes: Sequence[str]) -> None:
    pages.y += pages.gap / 2
    for text in notes:
        pages.paragraph(text, pages.sizes.small_pt, colour=pages.palette.quiet)
