"""The set-up card as a PDF: how to lay the table, and the position's code as text and QR code (rules 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Unpack

from companion.drawing.palette import PAPER
from companion.language.catalogue import catalogued, translate
from companion.language.phrase import decimal
from companion.notation.codes import encode
from companion.printing.core.geometry import SAFE_MM, Boxes
from companion.printing.core.icons import draw_tribes_rule
from companion.printing.core.kinds import SETUP
from companion.printing.core.page import HowToPrint, begin, draw_ruler
from companion.printing.core.qr import draw_code_text, draw_qr
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, filled
from companion.printing.core.typefaces import Face
from companion.printing.setup import steps
from companion.printing.setup.layout import lay_out, lay_out_halves, on_half
from companion.rules.engine.legality import check_form
from companion.rules.model.position import Position

_MARK_MM = 3.0


@dataclass(frozen=True, slots=True)
class LaidTable:
    """What a card is of: a table that is set up, its seed, and the spread of a fair one in VP; None is not printed."""

    position: Position
    seed: int | None = None
    spread: float | None = None


def setup_card(
    position: Position, *, seed: int | None = None, spread: float | None = None, **how: Unpack[HowToPrint]
) -> bytes:
    """A PDF of one page for a table that is set up (rules 2); the seed is printed if given.

    So is the `spread` of a fair set-up: how far its first turns lie apart by the advisor's measure, in VP. Raises what
    `setup_pack` raises.
    """
    return setup_pack([LaidTable(position, seed, spread)], **how)


def setup_pack(
    tables: Sequence[LaidTable],
    *,
    per_page: int = 1,
    full_ink: bool = True,
    progress: Callable[[int], None] | None = None,
    **how: Unpack[HowToPrint],
) -> bytes:
    """A PDF with a card a page, as `setup_card` draws one, or two; without `full_ink` all surfaces are white.

    `progress` is told how many cards are drawn. Raises what `begin` raises, and ImpossiblePositionError if no table can
    look so.
    """
    for table in tables:
        check_form(table.position)
    job = begin(SETUP, **how)
    chosen = job.template if full_ink else in_light_ink(job.template)
    if per_page == 1:
        sheet, places = job.paper, [lay_out(chosen, job.paper)]
    else:
        chosen = on_half(chosen)
        sheet, places = lay_out_halves(chosen, job.paper)
    page = job.document(paper=sheet)
    pen = steps.Pen(page, chosen, job.words, catalogued(job.language))
    for number, table in enumerate(tables):
        place = number % per_page
        if number and not place:
            page.next_page()
        if per_page > 1 and not place:
            middle = sheet.w / 2
            with page.ornament():
                for y in (SAFE_MM, sheet.h - SAFE_MM - _MARK_MM):
                    page.line(middle, y, middle, y + _MARK_MM, colour=chosen.palette.ink, width=0.15)
        _draw_card(pen, places[place], table)
        if progress is not None:
            progress(number + 1)
    return page.to_bytes()


def _draw_card(pen: steps.Pen, boxes: Boxes, table: LaidTable) -> None:
    position = table.position
    with pen.page.tagged(Tag.SECTION):
        _draw_header(pen, boxes, table)
        steps.draw_players(pen, boxes, position)
        steps.draw_tiles(pen, boxes, position)
        steps.draw_bag(pen, boxes, position)
        steps.draw_legend(pen, boxes)
        steps.draw_bids(pen, boxes, position.bid_order or ())
        steps.draw_row(pen, boxes, position.row or ())
        steps.draw_djinns(pen, boxes, position.djinns or ())
        steps.draw_reach(pen, boxes)
        _draw_code(pen, boxes, encode(position))
    with pen.page.ornament():
        draw_ruler(pen.page, boxes.ruler, boxes.ruler_text, pen.words.scale, pen.template.palette.quiet)


def _draw_header(pen: steps.Pen, boxes: Boxes, table: LaidTable) -> None:
    page, palette, sizes, words = pen.page, pen.template.palette, pen.template.type, pen.words
    title, subtitle = boxes.title.rows([boxes.title.h * 0.62, boxes.title.h * 0.38])
    page.text(title, words.title, sizes.title_pt, face=Face.TITLE, colour=palette.accent, tag=Tag.HEADING_1)
    page.text(subtitle, words.subtitle, sizes.subtitle_pt, colour=palette.quiet)
    above, below = boxes.facts.rows([boxes.facts.h * 0.62, boxes.facts.h * 0.38])
    players = pen.counted(len(table.position.colours), "player")
    page.text(above, players, sizes.heading_pt * 1.2, face=Face.BOLD, colour=palette.ink, align="right")
    about = [f"{words.seed}: {table.seed}"] if table.seed is not None else []
    if table.spread is not None:
        about.append(filled(words.fair, spread=translate(decimal(table.spread), pen.language)))
    if about:
        page.text(below, " · ".join(about), sizes.subtitle_pt, colour=palette.quiet, align="right")
    draw_tribes_rule(page, boxes.ornament, tints=pen.template.tribes, ink=palette.ink, accent=palette.accent)


def _draw_code(pen: steps.Pen, boxes: Boxes, code: str) -> None:
    page, sizes, palette = pen.page, pen.template.type, pen.template.palette
    draw_qr(page, code, boxes.qr)
    page.text(boxes.code_heading, pen.words.code, sizes.text_pt, face=Face.BOLD, colour=palette.ink)
    page.text(boxes.photo, pen.words.photo, sizes.small_pt, colour=palette.quiet)
    draw_code_text(page, code, boxes.code, sizes.text_pt, colour=palette.ink)


def in_light_ink(template: Table) -> Table:
    """The template with white in place of every colour that fills something: shapes, letters and words tell enough."""
    surfaces = dict.fromkeys(("card", "red_value", "blue_value", "icon"), PAPER)
    white = {name: Table(dict.fromkeys(template[name], PAPER)) for name in ("grounds", "tribes", "camels")}
    return Table({**template, **white, "palette": Table({**template.palette, **surfaces})})
