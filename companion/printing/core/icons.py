"""Little drawings of our own, line art that reads in grey: categories, tribes, tiles, goods.

Each drawing is a tuple of strokes on a square of 24 by 24: how it is painted and its path
(`outline.parse_outline`). "tint" is filled with the tint and outlined, "line" outlined only,
"solid" filled with the ink.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache

from companion.printing.core.geometry import GRID, Box, parse_outline
from companion.printing.core.surface import Surface
from companion.rules.model.components import TileAction, Tribe

Drawing = tuple[tuple[str, str], ...]

_PALM: Drawing = (
    ("line", "M12.5 22 Q14.5 15.5 12 10"),
    ("tint", "M12 9.6 Q8 4.4 2.6 7.2 Q6 8 7 11.6 Q9 9.4 12 9.6 Z"),
    ("tint", "M12 9.6 Q16 4.4 21.4 7.2 Q18 8 17 11.6 Q15 9.4 12 9.6 Z"),
    ("tint", "M12 9.6 Q6.6 9.6 4.6 15.6 Q9.6 14.6 12 9.6 Z"),
    ("tint", "M12 9.6 Q17.4 9.6 19.4 15.6 Q14.4 14.6 12 9.6 Z"),
    ("tint", "M12 9.6 Q9.6 4.6 12 1.8 Q14.4 4.6 12 9.6 Z"),
)

_PALACE: Drawing = (
    ("tint", "M7 21.5 L7 12.5 Q7 6.5 12 4.2 Q17 6.5 17 12.5 L17 21.5 Z"),
    ("line", "M12 4.2 L12 1.8"),
    ("tint", "M2.5 21.5 L2.5 11.5 Q2.5 9.4 4.4 8.2 Q6.3 9.4 6.3 11.5 L6.3 21.5 Z"),
    ("tint", "M17.7 21.5 L17.7 11.5 Q17.7 9.4 19.6 8.2 Q21.5 9.4 21.5 11.5 L21.5 21.5 Z"),
    ("solid", "M10 21.5 L10 17.4 Q10 15.4 12 14.2 Q14 15.4 14 17.4 L14 21.5 Z"),
    ("line", "M1.5 21.5 L22.5 21.5"),
)

CATEGORY_ICONS: dict[str, Drawing] = {
    "gold": (
        ("tint", "O12 12 9.6"),
        ("line", "O12 12 6.9"),
        ("solid", "M12 8 L14.9 12 L12 16 L9.1 12 Z"),
    ),
    "viziers": (
        ("tint", "M3.5 22 Q4.5 13.6 12 13.6 Q19.5 13.6 20.5 22 Z"),
        ("tint", "O12 10.4 4"),
        ("tint", "M6.2 8.8 Q2.6 1.8 12 1.6 Q21.4 1.8 17.8 8.8 Q12 10.6 6.2 8.8 Z"),
        ("line", "M6.2 8.6 Q9 4.6 15 2.2 M17.8 8.6 Q16.4 6.4 13 4.6"),
    ),
    "elders": (
        ("tint", "M5 22 Q6 13.2 12 13.2 Q18 13.2 19 22 Z"),
        ("tint", "O12 7.4 4.6"),
        ("tint", "M8 9.6 Q12 12 16 9.6 Q15.4 16.6 12 19 Q8.6 16.6 8 9.6 Z"),
        ("line", "M21.4 22 L21.4 7 Q21.4 4.6 19.4 4.6"),
    ),
    "djinns": (
        ("tint", "M4.4 14.2 L16 14.2 Q20.6 14.2 22.6 10.8 Q22.2 18.6 13.6 19.6 L8.6 19.6 Q5.2 18.6 4.4 14.2 Z"),
        ("line", "M4.6 14.8 Q1.2 13.6 1.8 16 Q2.6 18.2 6.2 18"),
        ("line", "M7.4 22 L14.6 22 L12.8 19.6 L9.4 19.6 Z"),
        ("line", "M8.4 14.2 Q10.2 11.4 12 14.2"),
        ("line", "M10.2 12.4 Q6.4 10.2 9.6 7.6 Q13 4.8 9.4 2"),
    ),
    "palms": _PALM,
    "palaces": _PALACE,
    "tiles": (
        (
            "tint",
            "M4 2.5 L20 2.5 Q21.5 2.5 21.5 4 L21.5 20 Q21.5 21.5 20 21.5 L4 21.5 Q2.5 21.5 2.5 20 L2.5 4 Q2.5 "
            "2.5 4 2.5 Z",
        ),
        (
            "solid",
            "M6 19 L6.4 14.4 Q6.6 11.6 8.6 11.4 Q9.6 8.6 11 8.6 Q12.4 8.6 13.4 11.2 Q15 11.4 15.4 9.6 Q15.6 "
            "6.4 17.4 6.2 "
            "L19.4 7 L19.2 8.2 L17.6 8.4 Q17.6 13.2 15.6 14.6 L15.8 19 L14.4 19 L13.8 15.4 L9 15.4 L7.8 17 L7.6 19 Z",
        ),
    ),
    "goods": (
        ("tint", "M3 9 L9.6 4.4 L16 4.4 L16 6 L8 20 L6.4 20 Z"),
        ("tint", "M8 6 L20 6 Q21 6 21 7 L21 20.6 Q21 21.6 20 21.6 L8 21.6 Q7 21.6 7 20.6 L7 7 Q7 6 8 6 Z"),
        ("line", "M11 11.4 L12.8 9.2 L15.2 9.2 L17 11.4 L14 17.6 Z"),
        ("line", "M11 11.4 L17 11.4"),
    ),
    "total": (
        ("tint", "M3 18.6 L2 7.4 L7.6 11.8 L12 4.4 L16.4 11.8 L22 7.4 L21 18.6 Z"),
        ("line", "M3.4 21.6 L20.6 21.6"),
        ("solid", "O12 14.8 1.3"),
        ("solid", "O7.2 15.2 0.9"),
        ("solid", "O16.8 15.2 0.9"),
    ),
}
"""A drawing for each category of a score and for the total."""

TRIBE_SHAPES: dict[Tribe, str] = {
    Tribe.VIZIER: "O12 12 10.6",
    Tribe.ELDER: (
        "M12.0 0.6 L15.9 7.5 L23.6 9.0 L18.3 14.8 L19.2 22.7 L12.0 19.4 L4.8 22.7 L5.7 14.8 L0.4 9.0 L8.1 7.5 Z"
    ),
    Tribe.BUILDER: "M12 1.4 L23.4 22 L0.6 22 Z",
    Tribe.MERCHANT: "M2.6 2.6 L21.4 2.6 L21.4 21.4 L2.6 21.4 Z",
    Tribe.ASSASSIN: "M12 0.2 L23.2 12 L12 23.8 L0.8 12 Z",
}
"""The shape of each tribe's meeples, so that they can be told apart without colour."""

ACTION_ICONS: dict[TileAction, Drawing] = {
    TileAction.OASIS: (
        *_PALM,
        ("line", "M1.6 22 Q4.2 20 6.8 22 Q9.4 24 12 22 Q14.6 20 17.2 22 Q19.8 24 22.4 22"),
    ),
    TileAction.VILLAGE: (
        ("tint", "M1.6 21.6 L1.6 13 Q1.6 8.4 6.4 8.4 Q11.2 8.4 11.2 13 L11.2 21.6 Z"),
        ("tint", "M11.2 21.6 L11.2 9 L22.4 9 L22.4 21.6 Z"),
        ("line", "M10.4 9 L23.2 9"),
        ("tint", "M13 9 Q13 4 16.8 3 Q20.6 4 20.6 9 Z"),
        ("solid", "M4.9 21.6 L4.9 17.6 Q4.9 16 6.4 16 Q7.9 16 7.9 17.6 L7.9 21.6 Z"),
        ("solid", "M15.2 21.6 L15.2 17 L18.4 17 L18.4 21.6 Z"),
        ("line", "M0.8 21.6 L23.2 21.6"),
    ),
    TileAction.SMALL_MARKET: (
        ("line", "M4 9.4 L4 22 M20 9.4 L20 22"),
        (
            "tint",
            "M3.4 3.4 L20.6 3.4 L23 9.4 Q20.4 12.4 17.5 9.6 Q14.8 12.4 12 9.6 Q9.2 12.4 6.5 9.6 Q3.6 12.4 1 9.4 Z",
        ),
        ("line", "M8.6 3.4 L6.5 9.6 M15.4 3.4 L17.5 9.6 M12 3.4 L12 9.6"),
        ("tint", "M4 16 L20 16 L20 22 L4 22 Z"),
        ("solid", "O9 14.4 1.5"),
        ("solid", "O13 14.4 1.5"),
    ),
    TileAction.LARGE_MARKET: (
        ("line", "M2 8 L2 22 M22 8 L22 22 M12 8 L12 14"),
        (
            "tint",
            "M1.6 2 L22.4 2 L23.6 7.6 Q21.4 10.2 19.4 7.8 Q16.8 10.4 14.6 7.8 Q12 10.4 9.4 7.8 Q7.2 10.4 4.6 "
            "7.8 Q2.6 10.2 0.4 7.6 Z",
        ),
        ("line", "M5.6 2 L4.6 7.8 M9.8 2 L9.4 7.8 M14.2 2 L14.6 7.8 M18.4 2 L19.4 7.8"),
        ("tint", "M2 16 L22 16 L22 22 L2 22 Z"),
        ("line", "M12 16 L12 22"),
        ("solid", "O5 14.3 1.4"),
        ("solid", "O8.6 14.3 1.4"),
        ("tint", "M14.4 16 L15 12.4 L19 12.4 L19.6 16 Z"),
    ),
    TileAction.SACRED_PLACE: (
        ("tint", "M2 22 L2 12 Q2 4.4 12 1.6 Q22 4.4 22 12 L22 22 Z"),
        ("line", "M5.6 22 L5.6 13 Q5.6 7.4 12 5.2 Q18.4 7.4 18.4 13 L18.4 22"),
        (
            "solid",
            "M12 9.4 L13.3 12.3 L16.2 11.2 L15.1 14.1 L18 15.4 L15.1 16.7 L16.2 19.6 L13.3 18.5 L12 21.4 L10.7 18.5 "
            "L7.8 19.6 L8.9 16.7 L6 15.4 L8.9 14.1 L7.8 11.2 L10.7 12.3 Z",
        ),
        ("line", "M1 22 L23 22"),
    ),
}
"""A drawing for each kind of tile."""

CARD_ICONS: dict[str, Drawing] = {
    "fakir": (
        ("tint", "M2.4 20.6 Q3 17 9 16.6 Q7.4 12 12 11.4 Q16.6 12 15 16.6 Q21 17 21.6 20.6 Q12 23.4 2.4 20.6 Z"),
        ("tint", "O12 8 3"),
        ("tint", "M7.9 6.8 Q7.4 2 12 2 Q16.6 2 16.1 6.8 Q12 4.6 7.9 6.8 Z"),
        ("line", "M6.4 20 Q12 17.6 17.6 20"),
    ),
    "ivory": (
        ("tint", "M3 3.6 Q5 17.6 21.6 20 Q10.4 24 3.6 15.4 Q-0.4 9.4 3 3.6 Z"),
        ("tint", "M11.4 3 Q12 11.4 22 13.8 Q13.6 16.4 10 11 Q8.4 7 11.4 3 Z"),
    ),
    "jewels": (
        ("tint", "M6.4 4 L17.6 4 L22.6 10 L12 21.6 L1.4 10 Z"),
        ("line", "M1.4 10 L22.6 10"),
        ("line", "M6.4 4 L8.4 10 L12 21.6 L15.6 10 L17.6 4"),
        ("line", "M8.4 10 L12 4 L15.6 10"),
    ),
    "gold": (
        ("tint", "M7.6 11.4 L9 5 L15 5 L16.4 11.4 Z"),
        ("tint", "M1.6 19.4 L3 13 L9 13 L10.4 19.4 Z"),
        ("tint", "M13.6 19.4 L15 13 L21 13 L22.4 19.4 Z"),
    ),
    "papyrus": (
        ("tint", "M6 5.4 L18 5.4 L18 18.6 L6 18.6 Z"),
        ("tint", "M5 2.6 L19 2.6 Q20.6 2.6 20.6 4.2 Q20.6 5.8 19 5.8 L5 5.8 Q3.4 5.8 3.4 4.2 Q3.4 2.6 5 2.6 Z"),
        (
            "tint",
            "M5 18.2 L19 18.2 Q20.6 18.2 20.6 19.8 Q20.6 21.4 19 21.4 L5 21.4 Q3.4 21.4 3.4 19.8 Q3.4 18.2 5 18.2 Z",
        ),
        ("line", "M8.6 9 L15.4 9 M8.6 12 L15.4 12 M8.6 15 L13 15"),
    ),
    "silk": (
        ("tint", "M8 4.4 L21 4.4 L21 13 L8 13 Z"),
        ("tint", "M8 8 Q14 8 14 14 Q14 20 20 20.6 Q10 22.6 5 20 Z"),
        ("tint", "O6 12 3.6 7.8"),
        ("line", "O6 12 1.4 3.4"),
    ),
    "spice": (
        ("tint", "M4.6 12.4 Q8 3.6 12 3.6 Q16 3.6 19.4 12.4 Z"),
        ("tint", "M2 12.4 L22 12.4 Q21.4 19.4 15 20.4 L9 20.4 Q2.6 19.4 2 12.4 Z"),
        ("solid", "O10 9.4 0.8"),
        ("solid", "O13.6 8 0.8"),
        ("solid", "O14.4 10.8 0.8"),
        ("line", "M8.4 22.2 L15.6 22.2"),
    ),
    "fish": (
        (
            "tint",
            "M1.6 12 Q6.4 4.6 12.6 5.6 Q16.6 6.4 18.4 10.6 L22.6 6.8 L21.8 12 L22.6 17.2 L18.4 13.4 Q16.6 "
            "17.6 12.6 18.4 Q6.4 19.4 1.6 12 Z",
        ),
        ("solid", "O6.6 10.8 1.1"),
        ("line", "M9.8 8.4 Q12 12 9.8 15.6"),
        ("line", "M13.4 10 Q14.6 12 13.4 14"),
    ),
    "wheat": (
        ("line", "M12 22.4 L12 7"),
        ("tint", "M12 7.4 Q9.4 4.6 12 1.2 Q14.6 4.6 12 7.4 Z"),
        ("tint", "M12 11.6 Q7.2 11 7 6.6 Q11.4 7 12 11.6 Z"),
        ("tint", "M12 11.6 Q16.8 11 17 6.6 Q12.6 7 12 11.6 Z"),
        ("tint", "M12 16 Q7.2 15.4 7 11 Q11.4 11.4 12 16 Z"),
        ("tint", "M12 16 Q16.8 15.4 17 11 Q12.6 11.4 12 16 Z"),
        ("tint", "M12 20.4 Q7.2 19.8 7 15.4 Q11.4 15.8 12 20.4 Z"),
        ("tint", "M12 20.4 Q16.8 19.8 17 15.4 Q12.6 15.8 12 20.4 Z"),
    ),
    "pottery": (
        ("line", "M9 6 Q4.4 5.4 5 10.4 M15 6 Q19.6 5.4 19 10.4"),
        (
            "tint",
            "M8.6 2.4 L15.4 2.4 L14.6 6.4 Q20 9 18.6 14 Q17.4 18.6 14.4 21.6 L9.6 21.6 Q6.6 18.6 5.4 14 Q4 9 9.4 6.4 Z",
        ),
        ("line", "M5.3 12 L18.7 12 M5.8 14.8 L18.2 14.8"),
    ),
}
"""A drawing for each resource card."""

CAMEL: Drawing = (
    (
        "tint",
        "M2 22 L2.6 15.6 Q3 11.8 5.8 11.4 Q7.4 6.4 9.6 6.4 Q11.8 6.4 13.4 11 Q16.2 11.2 16.6 8.2 Q17 3.2 "
        "19.8 2.6 L22.8 3.8 "
        "L22.4 6 L19.8 6.4 Q19.8 14.2 16.8 16 L17 22 L14.6 22 L13.8 17.2 L6.6 17.2 L4.8 19.4 L4.6 22 Z",
    ),
)
"""A camel, the players' marker of ownership."""

MEEPLE: Drawing = (
    (
        "tint",
        "M12 1.6 Q16 1.6 16 5.6 Q16 7.8 14.8 9 Q20.6 10.4 23 13.4 Q23.4 16 20.8 16 L16.8 15.4 Q17.6 19 20.6 22.4 "
        "L14.4 22.4 Q13.4 19.6 12 18.6 Q10.6 19.6 9.6 22.4 L3.4 22.4 Q6.4 19 7.2 15.4 L3.2 16 Q0.6 16 1 13.4 "
        "Q3.4 10.4 9.2 9 Q8 7.8 8 5.6 Q8 1.6 12 1.6 Z",
    ),
)
"""A meeple, standing."""

MARKER: Drawing = (
    ("tint", "M6 22 Q6.4 12.6 9.6 10.4 L14.4 10.4 Q17.6 12.6 18 22 Z"),
    ("tint", "O12 6.6 4.6"),
    ("line", "M4.4 22 L19.6 22"),
)
"""A turn marker."""


@cache
def _looks(drawing: Drawing, ink: str, tint: str | None, weight: float) -> int:
    """A drawing in its colours as a number: it has no name of its own, and this one is the same in every run."""
    return zlib.crc32(repr((drawing, ink, tint, weight)).encode())


def draw_icon(page: Surface, drawing: Drawing, box: Box, *, ink: str, tint: str | None, weight: float = 1.3) -> None:
    """Draw an icon into a box; `weight` is the line's width on the 24 grid, `tint` None leaves shapes unfilled.

    It is a stamp: a page has most of its icons several times.
    """
    width = weight * min(box.w, box.h) / GRID

    def draw(at: Box) -> None:
        for paint, text in drawing:
            outline = parse_outline(text)
            if paint == "solid":
                page.outline(outline, at, fill=ink)
            else:
                page.outline(outline, at, fill=tint if paint == "tint" else None, stroke=ink, width=width)

    page.form_xobject(
        f"icon-{_looks(drawing, ink, tint, weight):08x}-{round(100 * box.w)}-{round(100 * box.h)}", box, draw
    )


def draw_tribe(page: Surface, tribe: Tribe, box: Box, *, fill: str | None, ink: str, width: float = 0.25) -> None:
    """Draw a tribe's shape into a box, outlined in ink."""
    page.outline(parse_outline(TRIBE_SHAPES[tribe]), box, fill=fill, stroke=ink, width=width)


def draw_tribes_rule(page: Surface, box: Box, *, tints: Mapping[str, str], ink: str, accent: str) -> None:
    """Draw a double rule as wide as a box that begins with the five tribes' shapes, as high as it."""
    x = box.x
    for tribe in Tribe:
        draw_tribe(page, tribe, Box(x, box.y, box.h, box.h), fill=tints[tribe.noun], ink=ink, width=0.18)
        x += box.h * 1.45
    for offset in (-0.35, 0.35):
        y = box.centre[1] + offset
        page.line(x + 1, y, box.right, y, colour=accent, width=0.2)
