"""The key to drawn boards: each tribe's meeple, as it stands there with its letter, and its name beside it."""

from __future__ import annotations

from companion.language.catalogue import translate
from companion.language.phrase import term
from companion.printing.core.geometry import Box
from companion.printing.core.surface import Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.words import with_colour
from companion.printing.setup.board_picture import draw_meeple
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.components import Tribe

KEY_MM = 6.2
"""Height of the row."""

_MEEPLE_MM = 4.6
_BESIDE_MM, _BETWEEN_MM, _LEAST_BETWEEN_MM = 1.0, 4.0, 1.5


def draw_tribe_names(surface: Surface, row: Box, size: float, template: SetupTemplate, language: str) -> None:
    """Draw the five meeples with their names and colours, in type of `size` pt, in a row of `KEY_MM` from its left.

    Where the row is too short they stand closer, in smaller type.
    """
    said = [with_colour(translate(term(tribe.noun, plural=True), language), tribe, language) for tribe in Tribe]
    room = row.w - len(said) * (_MEEPLE_MM + _BESIDE_MM + 0.5) - (len(said) - 1) * _LEAST_BETWEEN_MM
    size = max(min(size, room / sum(surface.width(name, 1.0) for name in said)), surface.least_pt)
    spare = room - sum(surface.width(name, size) for name in said)
    between = min(_LEAST_BETWEEN_MM + max(spare, 0.0) / (len(said) - 1), _BETWEEN_MM)
    x, y = row.x, row.centre[1] - _MEEPLE_MM / 2
    with surface.tagged(Tag.LIST):
        for tribe, name in zip(Tribe, said, strict=True):
            place = Box(x, y, _MEEPLE_MM, _MEEPLE_MM)
            width = surface.width(name, size) + 0.5
            with surface.tagged(Tag.LIST_ITEM):
                with surface.tagged(Tag.LABEL):
                    draw_meeple(surface, place, tribe, template)
                with surface.tagged(Tag.LIST_BODY):
                    surface.text(Box(place.right + _BESIDE_MM, y, width, _MEEPLE_MM), name, size)
            x = place.right + _BESIDE_MM + width + between
