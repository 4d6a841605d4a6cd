"""The report on a recorded game as a PDF: result and curves, and round by round what was played and what it brought.

With a review it says what luck and each decision were worth, and beside each turn what was lost against the best.
"""

from __future__ import annotations

from typing import Unpack

from companion.advisor.account import GameSummary
from companion.advisor.review import GameReview
from companion.printing.core.icons import draw_tribes_rule
from companion.printing.core.kinds import REPORT, REVIEW
from companion.printing.core.page import HowToPrint, PrintJob, begin
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, pick_words, template_kind
from companion.printing.core.typefaces import Face
from companion.printing.report.advice import Advice
from companion.printing.report.pages import Pages
from companion.printing.report.result import draw_charts, draw_result
from companion.printing.report.rounds import BoardsOf, Rounds


def check_report(**how: Unpack[HowToPrint]) -> None:
    """Refuse what a report could not be drawn with, before a game is looked back on for it. Raises as `begin` does."""
    _begin(how)


def _begin(how: HowToPrint) -> tuple[PrintJob, Table]:
    """The job, and the template of what a review adds; one of the two templates may be the user's own."""
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
    job, advice = _begin(how)
    pages = Pages(job.document(), job.template, job.words, summary.names)
    _draw_title(pages, summary)
    draw_result(pages, summary)
    draw_charts(pages, summary)
    if review is not None:
        pages.next_page()
        pages.heading(job.words.advice)
        Advice(pages, advice, pick_words(advice, pages.language), review).draw()
    Rounds(pages, summary, review, boards).draw()
    _draw_notes(pages, summary, review)
    pages.number_page()
    return pages.document.to_bytes()


def _draw_title(pages: Pages, summary: GameSummary) -> None:
    template, palette = pages.template, pages.palette
    height = template.parts.title
    upper, _, rule = pages.placed(height).rows([height - 5, 1.4, 3.6])
    above, below = upper.rows([upper.h * 0.62, upper.h * 0.38])
    with pages.document.tagged(Tag.HEADING_1):
        pages.text(above, pages.words.title, template.type.title_pt, face=Face.TITLE, colour=palette.accent)
    left, right = below.columns([below.w * 0.4, below.w * 0.6])
    pages.text(left, pages.words.subtitle, template.type.subtitle_pt, colour=palette.quiet)
    when = ", ".join(filter(None, (summary.date, summary.place)))
    pages.text(right, when, template.type.subtitle_pt, face=Face.BOLD, align="right")
    draw_tribes_rule(pages.document, rule, tints=template.tribes, ink=palette.ink, accent=palette.accent)
    pages.y = rule.bottom + pages.gap


def _draw_notes(pages: Pages, summary: GameSummary, review: GameReview | None) -> None:
    notes = [*summary.notes, *summary.result.unknown]
    notes += [note for note in review.assumed if note not in notes] if review is not None else [pages.words.without]
    pages.y += pages.gap / 2
    for text in notes:
        pages.paragraph(pages.said(text), pages.sizes.small_pt, colour=pages.palette.quiet)
