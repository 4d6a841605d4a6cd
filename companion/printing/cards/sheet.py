"""Reference cards as a PDF: nine to a page, each page of fronts followed by its backs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from companion.printing.cards import layout
from companion.printing.cards.aids import AIDS, draw_panel
from companion.printing.cards.djinn_card import draw_back, draw_djinn_card
from companion.printing.cards.pages import draw_aid_page, draw_table_page, draw_track_page
from companion.printing.core.geometry import Box
from companion.printing.core.kinds import CARDS
from companion.printing.core.page import Document, HowToPrint, begin, check_copies
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import Colour

_MARK_WIDTH_MM = 0.15
BLEED_MM = 2.0


@dataclass(frozen=True, slots=True)
class Cutting:
    """How cards are printed to be cut: bleed in mm, crop marks, backs, how the paper is turned, where backs go."""

    bleed: float = BLEED_MM
    marks: bool = True
    backs: bool = True
    flip: layout.Flip = layout.Flip.LONG
    offset: tuple[float, float] = (0.0, 0.0)


def cards_pdf(
    *,
    names: Sequence[str] | None = None,
    copies: int | None = None,
    cutting: Cutting | None = None,
    full_ink: bool = True,
    **how: Unpack[HowToPrint],
) -> bytes:
    """A PDF of reference cards: of these djinns and rules by name, or of all; `copies` as in `all_cards`.

    Raises what `begin` raises, and UsageError for an offset that cannot be printed.
    """
    job = begin(CARDS, **how)
    look, page = layout.CardLook(job.template, job.words, full_ink), job.document()
    page.bookmark(look.words.subtitle)
    draw_cards(page, all_cards(names, copies), look, cutting or Cutting())
    return page.to_bytes()


def kit_pdf(
    *, copies: int | None = None, cutting: Cutting | None = None, full_ink: bool = True, **how: Unpack[HowToPrint]
) -> bytes:
    """The player aid, the djinns in a table, the bid track and the reference cards in one PDF with bookmarks.

    `copies` are as in `all_cards`. Raises what `cards_pdf` raises.
    """
    job = begin(CARDS, **how)
    words = job.words
    look = layout.CardLook(job.template, words, full_ink)
    page = replace(job, words=Table({**words, "subtitle": words.kit.subtitle})).document()
    for name, draw in (
        (words.aid.title, draw_aid_page),
        (words.table.title, draw_table_page),
        (words.track.title, draw_track_page),
    ):
        page.bookmark(name)
        draw(page, look)
        page.next_page()
    cutting = cutting or Cutting()
    if cutting.backs:
        # Nothing is printed behind the third page: fronts of cards lie on the first side of a sheet.
        page.next_page()
    page.bookmark(words.subtitle)
    draw_cards(page, all_cards(None, copies), look, cutting)
    return page.to_bytes()


def all_cards(names: Sequence[str] | None = None, copies: int | None = None) -> list[str]:
    """The cards of a print by name: djinns, promo included, then cards of rules, each as often as `copies` says.

    If that is None, the rules have as many copies as fill the last page, though no more than there are players.
    """
    check_copies(1 if copies is None else copies)
    wanted = [*EVERY_DJINN, *AIDS] if names is None else names
    djinns, rules = ([name for name in wanted if name in known] for known in (EVERY_DJINN, AIDS))
    if copies is None and rules:
        copies = min(1 + -len(wanted) % layout.ON_A_PAGE // len(rules), len(Colour))
    return djinns + rules * (1 if copies is None else copies)


def draw_cards(page: Document, names: Sequence[str], look: layout.CardLook, cutting: Cutting) -> None:
    """Draw cards from the page that is begun on: pages of nine, with their backs if wanted."""
    layout.check_offset(page.paper, cutting.offset)
    for first in range(0, len(names), layout.ON_A_PAGE):
        if first:
            page.next_page()
        part = names[first : first + layout.ON_A_PAGE]
        places = layout.card_places(page.paper, len(part))
        titles = [name if name in EVERY_DJINN else look.words[name].title for name in (part[0], part[-1])]
        page.bookmark(" – ".join(dict.fromkeys(titles)), level=1)
        _draw_ground(page, places, look.surface(look.palette.ground), look, cutting)
        for name, place in zip(part, places, strict=True):
            if name in EVERY_DJINN:
                draw_djinn_card(page, place, EVERY_DJINN[name], look)
            else:
                frame = place.inset(look.template.card.frame)
                draw_panel(page, frame, name, look, look.sizes.title_pt, look.sizes.text_pt, heading=Tag.HEADING_1)
        if cutting.backs:
            page.next_page()
            behind = [layout.back_box(place, page.paper, cutting.flip, cutting.offset) for place in places]
            _draw_ground(page, behind, look.surface(look.palette.back), look, cutting)
            for name, place in zip(part, behind, strict=True):
                draw_back(page, place, look, djinn=name in EVERY_DJINN)


def _draw_ground(page: Document, places: Sequence[Box], colour: str, look: layout.CardLook, cutting: Cutting) -> None:
    for box in layout.bleed_boxes(page.paper, places, cutting.bleed):
        page.box(box, fill=colour)
    if cutting.marks:
        for mark in layout.crop_marks(page.paper, places, cutting.bleed):
            page.line(*mark, colour=look.palette.ink, width=_MARK_WIDTH_MM)
