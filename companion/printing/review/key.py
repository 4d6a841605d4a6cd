"""How turns are written, for readers of a report: an example in words, and each tribe's meeple with letter and name."""

from __future__ import annotations

from companion.printing.core.geometry import Box
from companion.printing.core.tagging import Tag
from companion.printing.core.template import PerTribe
from companion.printing.review.pages import Pages
from companion.printing.setup.board_picture import draw_meeple
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.components import Tribe

_MEEPLE_MM = 4.6
_AROUND_MM, _BETWEEN_MM = 0.8, 5.0


def draw_notation_key(pages: Pages, steps: str, tribes: PerTribe, boards: SetupTemplate) -> None:
    """The example, and below it the meeples as they stand on boards that are drawn by that template."""
    size, document = pages.sizes.small_pt, pages.document
    pages.paragraph(steps, size, colour=pages.palette.quiet)
    row = pages.placed(_MEEPLE_MM + 2 * _AROUND_MM)
    x, y = row.x, row.y + _AROUND_MM
    with document.tagged(Tag.LIST):
        for tribe in Tribe:
            name: str = getattr(tribes, tribe.noun)
            place = Box(x, y, _MEEPLE_MM, _MEEPLE_MM)
            width = document.width(name, size) + 0.5
            with document.tagged(Tag.LIST_ITEM):
                with document.tagged(Tag.LABEL):
                    draw_meeple(document, place, tribe, boards)
                with document.tagged(Tag.LIST_BODY):
                    pages.text(Box(place.right + 1, y, width, _MEEPLE_MM), name, size)
            x = place.right + width + _BETWEEN_MM
    pages.y = row.bottom
