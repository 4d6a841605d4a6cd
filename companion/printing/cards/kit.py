"""The kit: player aid, table of djinns, reference cards and bid track aid, all in one PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.printing.cards.look import CardLook
from companion.printing.cards.pages import draw_aid_page, draw_table_page
from companion.printing.cards.sheet import Cutting, all_cards, draw_cards
from companion.printing.cards.template import load_cards_template
from companion.printing.cards.track_page import draw_track_page
from companion.printing.core.geometry import paper_box
from companion.printing.core.page import Document
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import Fonts


def kit_pdf(
    *,
    copies: int = 1,
    cutting: Cutting | None = None,
    paper: str = "a4",
    language: str = "en",
    full_ink: bool = True,
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """The kit as a PDF with bookmarks; `copies` is how many there are of each card of rules.

    `template` is a file of the user's own, of reference cards. Raises UsageError for a paper, language or offset that
    there is not, UnusableInputError for a bad template, MissingDependencyError if the program's own fonts are gone.
    """
    chosen = load_cards_template(template)
    look = CardLook(chosen, pick_words(chosen.words, language), full_ink)
    words = look.words
    title = f"{words.title} – {words.kit.subtitle}"
    page = Document(paper_box(paper), Fonts(font_dir), title=title, language=language)
    sheets: tuple[tuple[str, Callable[[], list[str] | None]], ...] = (
        (words.aid.title, lambda: draw_aid_page(page, look)),
        (words.table.title, lambda: draw_table_page(page, look)),
        # Fronts of cards begin on the first side of a sheet.
        (words.subtitle, lambda: draw_cards(page, all_cards(None, copies), look, cutting or Cutting())),
        (words.track.title, lambda: draw_track_page(page, look)),
    )
    labels: list[str] = []
    for number, (name, draw) in enumerate(sheets):
        if number:
            page.next_page()
        page.bookmark(name)
        labels += draw() or [name]
    page.label_pages(labels)
    return page.to_bytes()
