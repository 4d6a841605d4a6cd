"""An emblem for each djinn: what the power is about, in lines and shapes that read in black and white.

An emblem is drawn on a field of 40 by 24. Its parts are drawings on the grid of 24 by 24 that `core.icons` has too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.palette import PAPER
from companion.printing.core.geometry import Box, Outline, parse_outline
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CARD_ICONS, CATEGORY_ICONS, MEEPLE, Drawing
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Surface
from companion.printing.core.typefaces import Face
from companion.rules.model.components import TileAction

FIELD = (40.0, 24.0)
"""Width and height of the field that emblems are drawn on."""

STAR = (
    "M12 0.6 L15.1 4.5 L20.1 3.9 L19.5 8.9 L23.4 12 L19.5 15.1 L20.1 20.1 L15.1 19.5 L12 23.4 L8.9 19.5 L3.9 20.1 "
    "L4.5 15.1 L0.6 12 L4.5 8.9 L3.9 3.9 L8.9 4.5 Z"
)
"""The star of eight points on which values stand."""

_FLAT_TILE: Drawing = (
    ("tint", "M12 1 L23.4 11 L23.4 13.6 L12 23.4 L0.6 13.6 L0.6 11 Z"),
    ("line", "M0.6 11 L12 20.8 L23.4 11 M12 20.8 L12 23.4"),
)
"""A tile lying on the table; wider than high."""
_DAGGER: Drawing = (
    ("tint", "M12 0.8 Q15 6 13.8 14.4 L10.2 14.4 Q9 6 12 0.8 Z"),
    ("line", "M12 4.4 L12 12.4"),
    ("solid", "M6 13.6 Q12 15.6 18 13.6 L17.4 16.2 Q12 17.8 6.6 16.2 Z"),
    ("tint", "M10.7 16.8 L13.3 16.8 L13.1 21 L10.9 21 Z"),
    ("solid", "O12 22 1.5"),
)
_SHIELD: Drawing = (
    ("tint", "M12 1 Q17 4 21.6 4 Q22 16 12 23 Q2 16 2.4 4 Q7 4 12 1 Z"),
    ("line", "M12 3 Q16.4 5.4 20.2 5.6 Q20 15.4 12 21.2 Q4 15.4 3.8 5.6 Q7.6 5.4 12 3 Z"),
)
_HAMMER: Drawing = (
    ("tint", "M10.6 9.4 L13.4 9.4 L13.8 23 L10.2 23 Z"),
    ("tint", "M3.4 2.4 L18.4 2.4 Q21.6 3.4 22.6 7.6 Q20 6.6 18.4 9.4 L3.4 9.4 Z"),
    ("line", "M6.4 2.4 L6.4 9.4"),
)
_CARD: Drawing = (
    ("tint", "M5.4 1 L18.6 1 Q20 1 20 2.4 L20 21.6 Q20 23 18.6 23 L5.4 23 Q4 23 4 21.6 L4 2.4 Q4 1 5.4 1 Z"),
)
_ARROW: Drawing = (("solid", "M1 9.4 L13 9.4 L13 4.4 L23 12 L13 19.6 L13 14.6 L1 14.6 Z"),)
"""An arrow to the right; turned by degrees where it points elsewhere."""
_OVER: Drawing = (
    ("line", "M1.4 20 Q2.4 4.4 12 4.4 Q19.4 4.4 20.6 14"),
    ("solid", "M16.6 13 L24 13 L20.8 20.6 Z"),
)
"""A curved arrow from one thing over to the next."""
_PLUS: Drawing = (
    ("tint", "O12 12 11"),
    ("solid", "M10 5.4 L14 5.4 L14 10 L18.6 10 L18.6 14 L14 14 L14 18.6 L10 18.6 L10 14 L5.4 14 L5.4 10 L10 10 Z"),
)
_DISC: Drawing = (("tint", "O12 12 10.8"), ("line", "O12 12 8.8"))
_GOLD = CATEGORY_ICONS["gold"]
_LAMP = CATEGORY_ICONS["djinns"]
_VIZIER = CATEGORY_ICONS["viziers"]
_ELDER = CATEGORY_ICONS["elders"]
_GOODS = CATEGORY_ICONS["goods"]
_PALM = CATEGORY_ICONS["palms"]
_PALACE = CATEGORY_ICONS["palaces"]
_FAKIR = CARD_ICONS["fakir"]


@dataclass(frozen=True, slots=True)
class EmblemPart:
    """A drawing in a box of the field, turned clockwise by degrees; `tint` names a colour of the template."""

    drawing: Drawing
    x: float
    y: float
    w: float
    h: float
    tint: str
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a box of the field, in ink or, where it stands on a star that is dark, in white."""

    text: str
    x: float
    y: float
    w: float
    h: float
    white: bool = False


Emblem = tuple[EmblemPart | Figure, ...]


def _part(drawing: Drawing, x: float, y: float, size: float, tint: str, turned: float = 0.0) -> EmblemPart:
    return EmblemPart(drawing, x, y, size, size, tint, turned)


def _worth(text: str, x: float, y: float, size: float) -> Emblem:
    """What something is worth with the power: a number on a star."""
    return (
        EmblemPart((("tint", STAR),), x, y, size, size, "accent"),
        Figure(text, x, y + size * 0.22, size, size * 0.56, white=True),
    )


def _coin(text: str, x: float, y: float, size: float) -> Emblem:
    return (_part(_DISC, x, y, size, "gold"), Figure(text, x, y + size * 0.2, size, size * 0.6))


_INCOME: Emblem = (*_coin("2", 29.4, 10.2, 10), *_coin("1", 23.4, 3.2, 9))
"""1 GC for the owner's own doing, 2 GC for another's."""

EMBLEMS: dict[str, Emblem] = {
    "Al-Amin": (
        _part(_FAKIR, 1.0, 6.4, 13, "fakir"),
        _part(_FAKIR, 10.4, 6.4, 13, "fakir"),
        _part(_ARROW, 23.6, 10.4, 5, "ink"),
        _part(_GOODS, 27.2, 5.6, 12.6, "goods"),
    ),
    "Anun-Nak": (
        EmblemPart(_FLAT_TILE, 6, 12.4, 28, 11.4, "tile"),
        _part(MEEPLE, 7.6, 2.8, 8, "builder"),
        _part(MEEPLE, 16, 0.4, 8, "assassin"),
        _part(MEEPLE, 24.4, 2.8, 8, "vizier"),
        _part(_ARROW, 9.8, 11.2, 3.6, "ink", 90),
        _part(_ARROW, 18.2, 9, 3.6, "ink", 90),
        _part(_ARROW, 26.6, 11.2, 3.6, "ink", 90),
    ),
    "Ba'al": (_part(_LAMP, 2, 2.4, 20, "djinn"), *_INCOME),
    "Boaz": (
        _part(_SHIELD, 8.4, 0.4, 23.2, "shield"),
        _part(_VIZIER, 11.4, 6.2, 9.4, "vizier"),
        _part(_ELDER, 19.4, 6.2, 9.4, "elder"),
    ),
    "Bouraq": (
        _part(ACTION_ICONS[TileAction.VILLAGE], 3.2, 8.4, 14.6, "village"),
        _part(_PALACE, 17.4, 2.6, 20.4, "palace"),
        _part(_PLUS, 12.4, 1, 8.4, "paper"),
    ),
    "Echidna": (
        _part(_HAMMER, 2, 3, 18, "builder", -18),
        Figure("×2", 20.6, 2.4, 12, 8.4),
        *(_part(_GOLD, 19 + 6.2 * number, 12.2, 8.6, "gold") for number in range(2)),
        _part(_GOLD, 31.4, 12.2, 8.6, "gold"),
    ),
    "Enki": (
        _part(ACTION_ICONS[TileAction.OASIS], 10.4, 0.4, 22.6, "palm"),
        _part(_PLUS, 5.4, 1.4, 8.4, "paper"),
    ),
    "Hagis": (
        EmblemPart(_FLAT_TILE, 0.6, 12.4, 19, 11.2, "village"),
        EmblemPart(_FLAT_TILE, 20.4, 12.4, 19, 11.2, "tile"),
        _part(ACTION_ICONS[TileAction.VILLAGE], 5.2, 9.6, 9.4, "village"),
        _part(_PALACE, 24.2, 6.6, 11.6, "palace"),
        EmblemPart(_OVER, 10.4, 0.8, 16, 7, "ink"),
    ),
    "Haurvatat": (_part(_PALM, 4.4, 0.8, 22.4, "palm"), *_worth("5", 25, 9.6, 11.6)),
    "Iblis": (
        _part(_DAGGER, 5.6, 0.8, 22.4, "assassin", 42),
        _part(_DAGGER, 12, 0.8, 22.4, "assassin", -42),
    ),
    "Jafaar": (_part(_VIZIER, 3.6, 0.8, 22.4, "vizier"), *_worth("3", 25.6, 9.6, 11.6)),
    "Kandicha": (
        _part(_DAGGER, 0.6, 1, 22, "assassin", 28),
        _part(_ARROW, 19.4, 10.2, 4.4, "ink"),
        _part(_GOODS, 25, 0.8, 10.2, "goods"),
        _part(_GOLD, 30.6, 7.6, 8.4, "gold"),
        _part(_VIZIER, 24.4, 13.2, 10.2, "vizier"),
    ),
    "Kumarbi": (
        _part(_FAKIR, 1.4, 6, 15.4, "fakir"),
        *_coin("8", 19, 1.4, 9.6),
        *_coin("5", 29.4, 12.6, 9.6),
        EmblemPart(_OVER, 28, 2.2, 8.4, 10, "ink"),
    ),
    "Lamia": (
        EmblemPart(_FLAT_TILE, 0.6, 12.4, 19, 11.2, "palm"),
        EmblemPart(_FLAT_TILE, 20.4, 12.4, 19, 11.2, "tile"),
        _part(ACTION_ICONS[TileAction.OASIS], 5.6, 9.8, 9, "paper"),
        _part(_PALM, 24.4, 6.6, 11.4, "palm"),
        EmblemPart(_OVER, 10.4, 0.8, 16, 7, "ink"),
    ),
    "Leta": (EmblemPart(_FLAT_TILE, 5.4, 10.8, 29.2, 13, "tile"), _part(CAMEL, 12, 0.6, 16.4, "camel")),
    "Marid": (
        EmblemPart(_FLAT_TILE, 0.6, 12, 25, 11.6, "tile"),
        _part(CAMEL, 2.4, 7.4, 11.4, "camel"),
        _part(MEEPLE, 13.6, 1, 8.6, "merchant"),
        _part(_ARROW, 16, 10.2, 3.8, "ink", 90),
        *_coin("2", 30, 11.2, 9.4),
        *_coin("1", 25.6, 3, 8.4),
    ),
    "Monkir": (_part(_PALACE, 2, 2, 20.6, "palace"), *_INCOME),
    "Nekir": (_part(_DAGGER, 1.4, 1, 22, "assassin", 28), *_INCOME),
    "Shamhat": (_part(_ELDER, 3.6, 0.8, 22.4, "elder"), *_worth("4", 25.6, 9.6, 11.6)),
    "Sibittis": (
        _part(_CARD, 1.6, 5.6, 17.4, "card"),
        _part(_LAMP, 5.4, 9.4, 9.8, "djinn"),
        _part(_CARD, 21, 5.6, 17.4, "card"),
        _part(_LAMP, 24.8, 9.4, 9.8, "djinn"),
        _part(_CARD, 10.2, 0.4, 19.4, "paper"),
        _part(_LAMP, 13.8, 4, 12.2, "djinn"),
    ),
    "Sloar": (
        *(_part(_CARD, 7.6 + 0.9 * number, 4.6 - 0.7 * number, 18.4, "card") for number in range(3)),
        _part(_CARD, 13.2, 0.6, 19.4, "paper"),
        _part(_GOODS, 17, 4.4, 11.8, "goods"),
        _part(_ARROW, 32.2, 8.4, 6, "ink"),
    ),
    "Utug": (
        EmblemPart(_FLAT_TILE, 5.4, 10.8, 29.2, 13, "tile"),
        _part(MEEPLE, 7.4, 8.2, 8.6, "builder"),
        _part(MEEPLE, 25, 8.2, 8.6, "merchant"),
        _part(CAMEL, 13, 1.2, 15, "camel"),
    ),
    "Dhenim": (_part(_VIZIER, 1.6, 1.4, 21.4, "vizier"), *_INCOME),
}
"""The emblem of each djinn by its name (rules 11)."""


def draw_emblem(
    page: Surface, emblem: Emblem, box: Box, *, ink: str, tints: dict[str, str], weight: float = 0.34
) -> None:
    """Draw an emblem as large as fits into the middle of a box, its lines `weight` mm thick."""
    with page.ornament():
        _draw_parts(page, emblem, box, ink, tints, weight)


def _draw_parts(page: Surface, emblem: Emblem, box: Box, ink: str, tints: dict[str, str], weight: float) -> None:
    scale = min(box.w / FIELD[0], box.h / FIELD[1])
    left, top = box.centre[0] - FIELD[0] * scale / 2, box.centre[1] - FIELD[1] * scale / 2
    for part in emblem:
        place = Box(left + part.x * scale, top + part.y * scale, part.w * scale, part.h * scale)
        if isinstance(part, Figure):
            colour = PAPER if part.white and tints["accent"] != PAPER else ink
            page.text(
                place, part.text, max(place.h * PT_PER_MM, MIN_TYPE_PT), face=Face.BOLD, colour=colour, align="centre"
            )
            continue
        for paint, text in part.drawing:
            outline = turned(parse_outline(text), part.turned)
            if paint == "solid":
                page.outline(outline, place, fill=ink)
            else:
                fill = tints[part.tint] if paint == "tint" else None
                page.outline(outline, place, fill=fill, stroke=ink, width=weight)


def turned(outline: Outline, degrees: float) -> Outline:
    """The outline turned clockwise about the middle of its square."""
    if not degrees:
        return outline
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def moved(numbers: tuple[float, ...]) -> tuple[float, ...]:
        pairs = [(x - 0.5, y - 0.5) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        return tuple(value for x, y in pairs for value in (0.5 + x * cos - y * sin, 0.5 + x * sin + y * cos))

    return tuple((command, moved(numbers)) for command, numbers in outline)
