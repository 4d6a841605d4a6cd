"""The report on a recorded game as a PDF: result and curves, and round by round what was played and what it brought.

With a review it has the review's parts too, and beside each turn what was lost against the best.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from companion.advisor.account import GameTold
from companion.advisor.review import GameReview
from companion.language.catalogue import catalogued
from companion.printing.core.geometry import paper_box
from companion.printing.core.icons import draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.tagging import Tag
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.report.boards import BoardsOf as BoardsOf
from companion.printing.report.look import ReportLook
from companion.printing.report.result import draw_charts, draw_result
from companion.printing.report.rounds import Rounds
from companion.printing.report.template import load_game_report_template
from companion.printing.review.pages import Pages
from companion.printing.review.report import ReviewParts
from companion.printing.review.template import load_report_template
from companion.printing.score.template import load_score_template
from companion.printing.setup.template import load_setup_template


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

    pages = Pages(
        document,
        chosen,
        gap=chosen.parts.gap,
        names=told.names,
        colours=words.colours,
        page_words=words.page,
        language=catalogued(language),
    )
    labels = asdict(pick_words(load_score_template(None).words, pages.language).labels)
    look = ReportLook(pages, fonts, chosen, words, labels, load_setup_template(None))
    _draw_title(look, told)
    draw_result(look, told)
    draw_charts(look, told)
    if review is not None:
        _draw_advice(look, review)
    Rounds(look, told, review, boards).draw()
    _draw_notes(look, told, review)
    pages.number_page()
    return document.to_bytes()


def _draw_title(look: ReportLook, told: GameTold) -> None:
    """Title, date and place, and a rule with the five tribes' shapes."""
    pages, template, palette = look.pages, look.template, look.template.palette
    height = template.parts.title
    upper, _, rule = pages.placed(height).rows([height - 5, 1.4, 3.6])
    above, below = upper.rows([upper.h * 0.62, upper.h * 0.38])
    with look.document.tagged(Tag.HEADING_1):
        pages.text(above, look.words.title, template.type.title_pt, face=Face.TITLE, colour=palette.accent)
    left, right = below.columns([below.w * 0.4, below.w * 0.6])
    pages.text(left, look.words.subtitle, template.type.subtitle_pt, colour=palette.quiet)
    when = ", ".join(filter(None, (told.date, told.place)))
    pages.text(right, when, template.type.subtitle_pt, face=Face.BOLD, align="right")
    draw_tribes_rule(look.document, rule, fill=template.tribes.of, ink=palette.ink, accent=palette.accent)
    pages.y = rule.bottom + pages.gap


def _draw_advice(look: ReportLook, review: GameReview) -> None:
    """The review's parts: luck and skill, the curve of the margins, the turns that decided the game."""
    template, pages = load_report_template(None), look.pages
    parts = ReviewParts(pages, look.fonts, template, pick_words(template.words, look.language), review)
    pages.next_page()
    pages.heading(look.words.advice)
    parts.draw_players()
    parts.draw_curve()
    parts.draw_decisive()
    pages.paragraph(parts.meaning(), pages.sizes.small_pt, colour=pages.palette.quiet)


def _draw_notes(look: ReportLook, told: GameTold, review: GameReview | None) -> None:
    """What was assumed, and what else is to be known of the record."""
    pages = look.pages
    said = [*told.notes, *told.result.unknown]
    said += [one for one in review.assumed if one not in said] if review is not None else [look.words.without]
    pages.y += pages.gap / 2
    for text in said:
        pages.paragraph(pages.said(text), pages.sizes.small_pt, colour=pages.palette.quiet)
