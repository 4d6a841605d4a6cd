"""Boxes of pieces to measure a reader on: other outlines and finishes, paints that start from other colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rendering.carving import Blot, stepped
from companion.rendering.pieces import (
    CAMEL,
    MEEPLE,
    PALACE,
    PALM,
    PIECE_KINDS,
    Box,
    Cut,
    Finish,
    Hsv,
    Paint,
    make_paint,
    squared,
)
from companion.rules.components import Colour, Tribe

Reals = NDArray[np.float64]


def _chunky() -> tuple[Blot, float]:
    """A meeple with a big head, stubby arms and hardly any gap between its legs."""
    blot = Blot()
    blot.oval(0, 12.6, 4.3, 4.2)
    blot.polygon([(-8, 9.6), (8, 9.6), (8, 5.4), (5.6, 5.2), (7.4, 0), (-7.4, 0), (-5.6, 5.2), (-8, 5.4)])
    blot.oval(0, 0, 1.4, 2.4, cut=True)
    return blot, 0


def _robed() -> tuple[Blot, float]:
    """A figure in a robe: a round head on a bell, two hands at its sides."""
    blot = Blot()
    blot.oval(0, 13.4, 2.9, 3.1)
    blot.polygon([(-3.4, 11), (3.4, 11), (4.4, 6), (6.8, 0), (-6.8, 0), (-4.4, 6)])
    blot.oval(-5.1, 6.6, 2.2, 1.7)
    blot.oval(5.1, 6.6, 2.2, 1.7)
    return blot, 0


def _two_humps() -> tuple[Blot, float]:
    """A camel of two humps on four straight legs."""
    blot = Blot()
    blot.oval(-1.5, 8.2, 8.2, 3.6)
    blot.oval(-5, 11.4, 2.9, 3.2)
    blot.oval(1.6, 11.4, 2.9, 3.2)
    for x in (-8, -4.6, 1.8, 5):
        blot.block(x, 2.6, 0, 8)
    blot.polygon([(3.6, 7), (7.2, 6.2), (10.4, 13.8), (8, 15.6)])
    blot.oval(10.6, 14.8, 2.9, 1.8)
    return blot, 0


def _sitting() -> tuple[Blot, float]:
    """A camel that sits: a low round body, its neck upright."""
    blot = Blot()
    blot.block(-0.6, 20, 0, 4.6)
    blot.oval(-2.4, 4.6, 8, 6.6)
    blot.block(7.2, 3.6, 2, 13)
    blot.oval(9, 13, 3.4, 2.2)
    blot.block(0, 60, -8, 0, cut=True)
    return blot, 0


def _umbrella() -> tuple[Blot, float]:
    """A bent palm under an uneven umbrella of broad leaves."""
    blot = Blot()
    blot.polygon([(-4.4, 0), (0, 0), (0.6, 7), (4, 15), (1.4, 16), (-2.6, 8)])
    blot.polygon([(-8.5, 11.5), (-6.5, 17), (0, 21.5), (7.5, 20.4), (11.4, 15.5), (11, 12.4), (7.6, 15), (6, 12.6)])
    blot.polygon([(6, 12.6), (3.5, 16), (-1, 15.4), (-3.4, 10.6), (-4.6, 14.6), (-8.5, 11.5), (-6.5, 17), (0, 21)])
    blot.oval(1.2, 14.4, 1.7, 1.7)
    return blot, 11.0


def _twins() -> tuple[Blot, float]:
    """Two palms that spring from one foot, one taller than the other."""
    blot = Blot()
    blot.polygon([(-3.6, 0), (3.6, 0), (7, 11), (4.6, 11.6), (0.4, 3.4), (-4, 16), (-6.4, 15.4)])
    for x, y, size in ((-5.2, 17.4, 6.0), (6.2, 12.6, 5.0)):
        for turn in np.radians([-15, 35, 90, 145, 195]):
            tip = np.array([x + size * np.cos(turn), y + size * np.sin(turn)])
            line = np.linspace([x, y], tip, 4)
            blot.bough(line, np.array([2.6, 3.2, 2.4, 1.2]))
    return blot, 8.0


def _fan() -> tuple[Blot, float]:
    """A fan palm: half a disc cut into blades, on a thin trunk in a pot."""
    blot = Blot()
    blot.polygon([(-3.6, 5), (3.6, 5), (2.4, 0), (-2.4, 0)])
    blot.block(0, 2.8, 4, 15)
    turn = np.radians(np.linspace(-20, 200, 15))
    reach = np.where(np.arange(15) % 2, 6.6, 10.0)
    rim = np.column_stack([reach * np.cos(turn), 13 + reach * np.sin(turn)])
    blot.polygon(np.vstack([rim, [[0, 11]]]))
    return blot, 9.6


def _minarets() -> tuple[Blot, float]:
    """A tomb under an onion dome between two pairs of minarets, the outer ones lower."""
    blot = Blot()
    blot.block(0, 26, 0, 2.2)
    blot.block(0, 13, 0, 10)
    blot.oval(0, 12.6, 5.2, 4.2)
    blot.polygon([(-3, 15.6), (3, 15.6), (0, 20.5)])
    for x, high in ((-11.6, 12), (-8.6, 15.5), (8.6, 15.5), (11.6, 12)):
        blot.block(x, 2.3, 0, high)
        blot.oval(x, high, 1.6, 1.5)
    blot.polygon([(-2.4, -1), (2.4, -1), (2.4, 4.6), (0, 7.4), (-2.4, 4.6)], cut=True)
    return blot, 10.0


def _stairs() -> tuple[Blot, float]:
    """A stepped temple with a long stair at one side and a shrine on its top."""
    blot = Blot()
    for width, low, high in ((22, 0, 4), (17, 3.6, 8), (12, 7.6, 12), (5, 11.6, 16)):
        blot.block(-1, width, low, high)
    blot.polygon([(4, 11.5), (13.5, 0), (9, 0), (3, 8)])
    return blot, 8.0


def _fort() -> tuple[Blot, float]:
    """A fort of slanting walls with horned corners and a keyhole of a gate."""
    blot = Blot()
    blot.polygon([(-11.5, 0), (11.5, 0), (8.5, 14), (6.2, 11), (-6.2, 11), (-8.5, 14)])
    blot.polygon([(-3.4, 10.6), (3.4, 10.6), (2.2, 17.5), (0, 16), (-2.2, 17.5)])
    blot.block(0, 2.6, -2, 4, cut=True)
    blot.oval(0, 5, 2.6, 2.4, cut=True)
    return blot, 10.6


def _tent() -> tuple[Blot, float]:
    """A palace like a tent: two sagging roofs, a ball on each mast."""
    blot = Blot()
    blot.polygon([(-12, 0), (12, 0), (12, 6), (-12, 6)])
    for x, high, half in ((-4, 17.5, 8.0), (6, 13.5, 6.4)):
        blot.polygon([(x - half, 5.8), (x - 0.4 * half, 8), (x, high), (x + 0.4 * half, 8), (x + half, 5.8)])
        blot.oval(x, high, 1.5, 1.5)
    return blot, 6.0


OUTLINES: dict[str, tuple[Callable[[], tuple[Blot, float]], ...]] = {
    MEEPLE: (_chunky, _robed),
    CAMEL: (_two_humps, _sitting),
    PALM: (_umbrella, _twins, _fan),
    PALACE: (_minarets, _stairs, _fort, _tent),
}
"""Shapes by kind, each with the height in mm up to which it has the second tone of pieces in two tones."""

_THICKNESS_MM = {MEEPLE: (10.0, 12.0), CAMEL: (9.0, 12.0), PALM: (7.0, 12.0), PALACE: (7.0, 13.0)}

MEEPLE_PAINTS: dict[Tribe, Hsv] = {
    Tribe.VIZIER: (47, 0.76, 0.93),
    Tribe.ELDER: (42, 0.14, 0.93),
    Tribe.BUILDER: (213, 0.72, 0.7),
    Tribe.MERCHANT: (118, 0.62, 0.5),
    Tribe.ASSASSIN: (8, 0.74, 0.66),
}
CAMEL_PAINTS: dict[Colour, Hsv] = {
    Colour.BLACK: (235, 0.22, 0.2),
    Colour.ORANGE: (29, 0.82, 0.86),
    Colour.BLUE: (193, 0.74, 0.64),
    Colour.PINK: (325, 0.52, 0.82),
}


@dataclass(frozen=True, slots=True)
class Coat:
    """How palms or palaces are painted: hue, saturation and value of both tones, gloss and grain."""

    first: Hsv
    second: Hsv | None
    gloss: float
    grain: float


COATS: dict[str, tuple[Coat, ...]] = {
    PALM: (
        Coat((72, 0.62, 0.42), None, 0.1, 0.1),
        Coat((160, 0.72, 0.38), (40, 0.55, 0.85), 0.5, 0.02),
        Coat((150, 0.35, 0.68), None, 0.35, 0.03),
        Coat((10, 0.48, 0.7), None, 1.4, 0.05),
        Coat((44, 0.22, 0.92), (110, 0.3, 0.3), 0.15, 0.2),
    ),
    PALACE: (
        Coat((8, 0.32, 0.72), None, 0.1, 0.08),
        Coat((50, 0.5, 0.52), None, 1.6, 0.03),
        Coat((6, 0.55, 0.38), (44, 0.24, 0.92), 0.2, 0.1),
        Coat((145, 0.22, 0.55), (48, 0.3, 0.7), 0.5, 0.04),
        Coat((300, 0.08, 0.24), (36, 0.45, 0.58), 0.6, 0.03),
    ),
}
"""Coats of palms and palaces: olive, lacquer, mint, copper, birch; rose stone, brass, cream and roofs of tiles or
verdigris, ebony on bronze."""


def foreign_cut(kind: str, number: int, rng: np.random.Generator) -> Cut:
    """The cut of the shape of that number in `OUTLINES`, its proportions up to 6% off."""
    blot, low_mm = OUTLINES[kind][number]()
    outline = stepped(blot.traced(0.3))
    outline = outline - [0, outline[:, 1].min()]
    thickness = float(rng.uniform(*_THICKNESS_MM[kind]))
    scale = rng.uniform(0.94, 1.06, 2)
    return squared(outline * scale, thickness, float(rng.uniform(0.3, 0.7)), outline[:, 1] < low_mm)


def _one(things: Sequence[Coat], rng: np.random.Generator) -> Coat:
    return things[int(rng.integers(len(things)))]


def foreign_box(rng: np.random.Generator) -> Box:
    """The pieces of a copy of the game that training never sees."""
    paints: dict[tuple[str, str], Paint] = {(MEEPLE, t.letter): make_paint(p, rng) for t, p in MEEPLE_PAINTS.items()}
    paints |= {(CAMEL, colour.letter): make_paint(hsv, rng) for colour, hsv in CAMEL_PAINTS.items()}
    wood = Finish(None, float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.03, 0.12)))
    finishes = {MEEPLE: wood, CAMEL: wood}
    for kind in (PALM, PALACE):
        coat = _one(COATS[kind], rng)
        paints[kind, ""] = make_paint(coat.first, rng)
        second = None if coat.second is None else make_paint(coat.second, rng)
        finishes[kind] = Finish(second, coat.gloss, coat.grain)
    cuts = {kind: foreign_cut(kind, int(rng.integers(len(OUTLINES[kind]))), rng) for kind in PIECE_KINDS}
    return Box(cuts, paints, finishes)
