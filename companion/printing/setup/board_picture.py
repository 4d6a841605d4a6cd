"""The sultanate as a picture: each tile with its kind, value and meeples, readable without colour."""

from __future__ import annotations

from collections.abc import Sequence

from companion.printing.core.geometry import Box
from companion.printing.core.icons import ACTION_ICONS, draw_icon, draw_tribe
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.template import PerTribe
from companion.printing.core.typefaces import Face
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.board import Tile
from companion.rules.model.components import Tribe

# All as shares of the tile's side.
_EDGE = 0.06
_ICON = 0.40
_DISC = 0.36
_MEEPLE = 0.285
_CORNER = 0.07

_LETTER_SHARES: dict[Tribe, float] = {
    Tribe.VIZIER: 0.62,
    Tribe.ELDER: 0.52,
    Tribe.BUILDER: 0.52,
    Tribe.MERCHANT: 0.66,
    Tribe.ASSASSIN: 0.56,
}
"""Size of a meeple's letter as a share of its shape."""
_LETTER_DROPS: dict[Tribe, float] = {Tribe.ELDER: 0.03, Tribe.BUILDER: 0.17}
"""How far below the middle a capital stands, as shares of the shape: a triangle is widest at its foot."""
_SYLLABLE_SHARE = 0.84
"""Hangul fills its square, capitals do not."""


def draw_tile(page: Surface, box: Box, tile: Tile, letters: PerTribe, template: SetupTemplate) -> None:
    """Draw a tile of a set-up with its meeples; camels, palms and palaces are not drawn."""
    palette, side = template.palette, box.w
    ground = getattr(template.grounds, tile.kind.action.name.lower())
    edge = _EDGE * side

    def draw_ground(at: Box) -> None:
        page.box(at, fill=ground, stroke=palette.ink, width=0.25, radius=_CORNER * side)
        icon = Box(at.x + edge, at.y + edge, _ICON * side, _ICON * side)
        draw_icon(page, ACTION_ICONS[tile.kind.action], icon, ink=palette.ink, tint="#FFFFFF", weight=1.05)

    page.stamp(stamp_name("tile", tile.kind.action.name, box), box, draw_ground)
    disc = Box(box.right - edge - _DISC * side, box.y + edge, _DISC * side, _DISC * side)
    draw_value(page, disc, str(tile.kind.vp), blue=tile.kind.blue, template=template)
    meeples = [tribe for tribe in Tribe for _ in range(tile.meeples[tribe])]
    line = Box(box.x + edge, box.y + 0.53 * side, side - 2 * edge, 0.40 * side)
    _draw_meeples(page, line, meeples, letters, template)


def draw_value(page: Surface, box: Box, text: str, *, blue: bool, template: SetupTemplate) -> None:
    """Draw a value on a disc in its colour; blue ones have a second ring, so that they show in grey."""
    palette = template.palette
    fill = palette.blue_value if blue else palette.red_value
    on_it = palette.ink if is_light(fill) else "#FFFFFF"

    def draw_disc(at: Box) -> None:
        page.box(at, fill=fill, stroke=palette.ink, width=0.2, radius=at.w / 2)
        if blue:
            page.box(at.inset(at.w * 0.08), stroke=on_it, width=at.w * 0.05, radius=at.w * 0.42)

    page.stamp(stamp_name("value", "blue" if blue else "red", box), box, draw_disc)
    page.text(box, text, max(box.h * 0.58 * PT_PER_MM, page.least_pt), face=Face.BOLD, colour=on_it, align="centre")


def draw_meeple(
    page: Surface,
    box: Box,
    tribe: Tribe,
    template: SetupTemplate,
    letters: PerTribe | None = None,
    *,
    least_pt: float = 0.0,
) -> None:
    """Draw a meeple as its tribe's shape in its colour with its letter, the notation's if no others are given.

    Where letters would be smaller than `least_pt` they are left out: the shape says what it is.
    """
    fill = getattr(template.tribes, tribe.noun)
    ink = template.palette.ink
    shape = stamp_name("meeple", tribe.name, box)
    page.stamp(shape, box, lambda at: draw_tribe(page, tribe, at, fill=fill, ink=ink, width=0.22))
    letter: str = tribe.letter.upper() if letters is None else getattr(letters, tribe.noun)
    drop = _LETTER_DROPS.get(tribe, 0.0) * box.h
    share = _LETTER_SHARES[tribe] * (_SYLLABLE_SHARE if "가" <= letter <= "힣" else 1.0)
    colour = ink if is_light(fill) else "#FFFFFF"
    place = Box(box.x, box.y + drop, box.w, box.h)
    if box.h * min(_LETTER_SHARES.values()) * PT_PER_MM < least_pt:
        return
    size = max(box.h * share * PT_PER_MM, page.least_pt)
    page.text(place, letter, size, face=Face.BOLD, colour=colour, align="centre")


def _draw_meeples(
    page: Surface, box: Box, meeples: Sequence[Tribe], letters: PerTribe, template: SetupTemplate
) -> None:
    size = min(_MEEPLE / (1 - 2 * _EDGE) * box.w, box.h)
    size = min(size, box.w / max(len(meeples), 1))
    gap = (box.w - max(3, len(meeples)) * size) / 4
    width = len(meeples) * size + (len(meeples) - 1) * gap
    for number, tribe in enumerate(meeples):
        x = box.x + (box.w - width) / 2 + number * (size + gap)
        draw_meeple(page, Box(x, box.y + (box.h - size) / 2, size, size), tribe, template, letters)


def stamp_name(what: str, which: str, box: Box) -> str:
    """The name of a drawing of that kind at that size, for `Surface.stamp`."""
    return f"{what}-{which.lower()}-{round(100 * box.w)}-{round(100 * box.h)}"


def is_light(colour: str) -> bool:
    """Whether dark letters read better on it (relative luminance of ITU-R BT.709)."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 150
