"""The key to drawn boards: each tribe's meeple, as it stands there with its letter, and its name beside it."""

from __future__ import annotations

from companion.language.catalogue import translate
from companion.language.phrase import term
from companion.printing.core.geometry import Box
from companion.printing.core.surface import Surface
from companion.printing.core.tagging import Tag
from companion.printing.setup.board_picture import draw_meeple
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.components import Tribe

KEY_MM = 6.2
"""Height of the row."""

_MEEPLE_MM = 4.6
_BESIDE_MM, _BETWEEN_MM = 1.0, 5.0


def draw_tribe_names(surface: Surface, row: Box, size: float, template: SetupTemplate, language: str) -> None:
    """Draw the five meeples with their names, in type of `size` pt, in a row of `KEY_MM` from its left."""
    x, y = row.x, row.centre[1] - _MEEPLE_MM / 2
    with surface.tagged(Tag.LIST):
        for tribe in Tribe:
            name = translate(term(tribe.noun), language)
            place = Box(x, y, _MEEPLE_MM, _MEEPLE_MM)
            width = surface.width(name, size) + 0.5
            with surface.tagged(Tag.LIST_ITEM):
                with surface.tagged(Tag.LABEL):
                    draw_meeple(surface, place, tribe, template)
                with surface.tagged(Tag.LIST_BODY):
                    surface.text(Box(place.right + _BESIDE_MM, y, width, _MEEPLE_MM), name, size)
            x = place.right + width + _BETWEEN_MM
