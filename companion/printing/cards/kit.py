"""The kit: player aid, table of djinns, bid track aid, reference cards, corner markers, all in one PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.errors import UnusableInputError, UsageError
from companion.language.phrase import say
from companion.printing.cards.look import CardLook
from companion.printing.cards.pages import draw_aid_page, draw_table_page
from companion.printing.cards.sheet import Cutting, all_cards, draw_cards
from companion.printing.cards.template import NAME as CARDS_NAME
from companion.printing.cards.template import load_cards_template
from companion.printing.cards.track_page import draw_track_page
from companion.printing.core.geometry import paper_box
from companion.printing.core.page import Document
from companion.printing.core.template import pick_words, template_kind
from companion.printing.core.typefaces import Fonts
from companion.printing.markers.pages import draw_calibration_card, draw_corner_markers
from companion.printing.markers.template import NAME as MARKERS_NAME
from companion.printing.markers.template import load_markers_template


def kit_pdf(
    *,
    copies: int = 1,
    cutting: Cutting | None = None,
    paper: str = "a4",
    language: str = "en",
    full_ink: bool = True,
    templates: Sequence[Path] = (),
    font_dir: Path | None = None,
) -> bytes:
    """The kit as a PDF with bookmarks; `copies` is how many there are of each card of rules.

    `templates` are files of the user's own, of reference cards and of markers, one of each at most. Raises UsageError
    for a paper, language or offset that there is not, or two templates for one thing; UnusableInputError for a bad
    template, MissingDependencyError if the program's own fonts are gone.
    """
    own = _by_kind(templates)
    chosen = load_cards_template(own.get(CARDS_NAME))
    look = CardLook(chosen, pick_words(chosen.words, language), full_ink)
    words = look.words
    markers = load_markers_template(own.get(MARKERS_NAME))
    marker_words = pick_words(markers.words, language)
    # What is cut out has nothing strange on its back: cards have backs, and the markers come last, on an odd page.
    title = f"{words.title} – {words.kit.subtitle}"
    page = Document(paper_box(paper), Fonts(font_dir), title=title, language=language)
    sheets: tuple[tuple[str, Callable[[], list[str] | None]], ...] = (
        (words.aid.title, lambda: draw_aid_page(page, look)),
        (words.table.title, lambda: draw_table_page(page, look)),
        (words.track.title, lambda: draw_track_page(page, look)),
        (marker_words.card_title, lambda: draw_calibration_card(page, markers, marker_words)),
        (words.subtitle, lambda: draw_cards(page, all_cards(None, copies), look, cutting or Cutting())),
        (marker_words.title, lambda: draw_corner_markers(page, markers, marker_words)),
    )
    labels: list[str] = []
    for number, (name, draw) in enumerate(sheets):
        if number:
            page.next_page()
        page.bookmark(name)
        labels += draw() or [name]
    page.label_pages(labels)
    return page.to_bytes()


def _by_kind(templates: Sequence[Path]) -> dict[str, Path]:
    """The user's own templates by the name of the project's that each stands for."""
    found: dict[str, Path] = {}
    for path in templates:
        kind = template_kind(path)
        name = f"{kind}.toml"
        if name not in (CARDS_NAME, MARKERS_NAME):
            raise UnusableInputError(
                say(
                    "the template {path} is of the kind {kind}; the kit takes reference_cards and markers",
                    path=path,
                    kind=repr(kind),
                )
            )
        if name in found:
            raise UsageError(
                say(
                    "{first} and {second} are both templates of {kind}; give one",
                    first=found[name],
                    second=path,
                    kind=kind,
                )
            )
        found[name] = path
    return found
