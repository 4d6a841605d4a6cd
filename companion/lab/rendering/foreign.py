"""Boxes of pieces to measure a reader on: other outlines and finishes, paints that start from other colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.carving import Blot, stepped
from companion.lab.rendering.pieces import (
    CAMEL,
    MEEPLE,
    PALACE,
    PALM,
    PIECE_KINDS,
    Cut,
    Finish,
    Hsv,
    LinearColour,
    PieceSet,
    make_paint,
    squared,
)
from companion.rules.model.components import Colour, Tribe

Reals = NDArray[np.float64]


def _tall() -> tuple[Blot, float]:
    """A slim grown-up cut by laser: square shoulders, arms at its sides, long legs."""
    blot = Blot()
    blot.oval(0, 17, 2.5, 2.7)
    blot.block(0, 2.6, 13, 15.5)
    blot.polygon([(-4.2, 14), (4.2, 14), (5.6, 12.8), (5.8, 6.4), (3.6, 6.2), (3.6, 0), (-3.6, 0), (-3.6, 6.2)])
    blot.polygon([(-4.2, 14), (-5.6, 12.8), (-5.8, 6.4), (-3.4, 6.2), (0, 12)])
    blot.polygon([(-0.9, -1), (0.9, -1), (0.6, 6.4), (-0.6, 6.4)], cut=True)
    return blot, 0


def _cheering() -> tuple[Blot, float]:
    """A figure that throws up both arms, its feet apart."""
    blot = Blot()
    blot.oval(0, 12.2, 2.5, 2.9)
    blot.polygon([(-3, 9.6), (3, 9.6), (3, 5), (6, 0), (-6, 0), (-3, 5)])
    blot.polygon([(-2.2, 6), (2.2, 6), (1.4, 11), (-1.4, 11)])
    for side in (-1, 1):
        blot.polygon([(2 * side, 9.8), (5.6 * side, 15), (8 * side, 13.6), (3 * side, 5.6)])
        blot.oval(7 * side, 14.8, 1.6, 1.6)
    blot.polygon([(-2.4, -1), (2.4, -1), (0, 3.8)], cut=True)
    return blot, 0


def _pawn() -> tuple[Blot, float]:
    """A pawn of a race game: a ball and a collar on a cone with a foot."""
    blot = Blot()
    blot.block(0, 13, 0, 2.8)
    blot.polygon([(-5, 2.4), (5, 2.4), (2.3, 11), (-2.3, 11)])
    blot.oval(0, 11, 4, 1.3)
    blot.oval(0, 14.6, 3.5, 3.5)
    return blot, 0


def _striding() -> tuple[Blot, float]:
    """A camel that strides out on four thin legs, its hump a peak, its head stretched forward."""
    blot = Blot()
    blot.oval(-1.5, 9.2, 7.8, 3)
    blot.polygon([(-6.4, 10.4), (-2.4, 15.6), (-0.8, 15.6), (3, 10.4)])
    for hip, foot in ((-7.6, -9.8), (-5.6, -3.8), (2.6, 0.6), (4.4, 7)):
        blot.polygon([(hip - 1.4, 9), (hip + 1.4, 9), (foot + 1.2, 0), (foot - 1.2, 0)])
    blot.polygon([(3, 10.4), (5.6, 7.6), (10, 12), (10, 15.6), (7.4, 15.4)])
    blot.polygon([(7.6, 15.6), (9, 16.6), (13, 14.8), (13, 12.8), (9.4, 12.6)])
    return blot, 0


def _stacking() -> tuple[Blot, float]:
    """A square-cut camel that others can stand on: legs, back and head in steps."""
    blot = Blot()
    blot.polygon([(-10, 0), (-5.2, 0), (-5.2, 4), (3.2, 4), (3.2, 0), (8, 0), (8, 9.4), (-10, 9.4)])
    blot.polygon([(2.2, 9), (1, 13), (-5.4, 13), (-6.8, 9)])
    blot.polygon([(4.4, 9), (8, 9), (8.2, 11.6), (11.8, 11.6), (11.8, 15.8), (4.8, 15.8)])
    return blot, 0


def _laden() -> tuple[Blot, float]:
    """A camel under two bales, its head held high and its tail hanging."""
    blot = Blot()
    blot.oval(-1.6, 7.6, 8, 3.2)
    blot.polygon([(-9.2, 0), (-6, 0), (-4.8, 7), (-9.2, 8)])
    blot.polygon([(1.6, 7), (3.2, 0), (6.4, 0), (6.2, 8)])
    blot.polygon([(-9, 9.4), (-11.4, 5), (-9.8, 4), (-8, 6.6)])
    blot.oval(-5, 12, 3.4, 3.2)
    blot.oval(1.4, 12, 3.4, 3.2)
    blot.block(-1.8, 6.4, 8, 11)
    blot.polygon([(3.8, 7), (6.4, 5.6), (9.6, 11), (9.4, 16.4), (6.8, 16.8), (6.6, 12)])
    blot.polygon([(6.8, 16.8), (12, 15.4), (12, 13.4), (8, 13)])
    return blot, 0


def _arching() -> tuple[Blot, float]:
    """A coconut palm: a curved trunk on a mound, fronds that arch over and hang."""
    blot = Blot()
    blot.oval(0.6, 0, 5, 2.2)
    rise = np.linspace(0, 1, 8)
    trunk = np.column_stack([2.4 - 7 * rise + 4.6 * rise**2, 17 * rise])
    blot.bough(trunk, np.linspace(3.8, 2.6, 8))
    reach = np.linspace(0, 1, 9)
    for way, up, fall in ((-8, 6, 11), (-8.6, 14, 13), (-2.4, 15, 9), (4.6, 15, 10), (9, 13, 14), (7.6, 5, 10)):
        frond = np.column_stack([way * reach, up * reach - fall * reach**2]) + trunk[-1]
        blot.bough(frond, np.interp(reach, [0, 0.5, 1], [2, 2.7, 1.2]))
    blot.block(0, 60, -8, 0, cut=True)
    return blot, 13.0


def _ringed() -> tuple[Blot, float]:
    """A printed palm: a trunk of cups one in another under a star of pointed leaves."""
    blot = Blot()
    blot.block(0, 8, 0, 1.8)
    for low in (1.4, 5, 8.6):
        blot.polygon([(-1.5, low), (1.5, low), (2.3, low + 4), (-2.3, low + 4)])
    for turn in np.radians([-20, 17, 53, 90, 127, 163, 200]):
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        leaf = [0 * along, 5 * along + 2.3 * across, 10 * along, 5 * along - 2.3 * across]
        blot.polygon(np.array(leaf) + [0, 14.5])
    blot.oval(0, 14.5, 3, 3)
    return blot, 10.6


def _cypress() -> tuple[Blot, float]:
    """A slim tree out of another game, like a flame on a short stem."""
    blot = Blot()
    blot.block(0, 3.6, 0, 6)
    blot.polygon([(-3, 4), (3, 4), (5.2, 8.6), (5, 13), (3.4, 18.6), (0, 25.5), (-3.4, 18.6), (-5, 13), (-5.2, 8.6)])
    return blot, 4.4


def _keep() -> tuple[Blot, float]:
    """A round keep like the rook of chess, its battlements wider than its walls."""
    blot = Blot()
    blot.block(0, 17, 0, 3)
    blot.polygon([(-7, 2.6), (7, 2.6), (5.4, 13), (-5.4, 13)])
    blot.polygon([(-5.4, 12), (5.4, 12), (7.6, 14.4), (7.6, 19.6), (-7.6, 19.6), (-7.6, 14.4)])
    for x in (-2.9, 2.9):
        blot.block(x, 2, 17, 21, cut=True)
    blot.block(0, 3.8, -1, 5, cut=True)
    blot.oval(0, 5, 1.9, 1.9, cut=True)
    return blot, 12.6


def _town() -> tuple[Blot, float]:
    """A town hall as from a game of settling: a low wing beside a gabled house."""
    blot = Blot()
    blot.polygon([(-11, 0), (9.6, 0), (9.6, 12), (4, 18), (-1.6, 12), (-1.6, 8.6), (-11, 8.6)])
    blot.block(7.8, 2.2, 10, 18)
    return blot, 8.4


def _pagoda() -> tuple[Blot, float]:
    """A palace of the east: two roofs with lifted eaves, a spike on top."""
    blot = Blot()
    blot.block(0, 20, 0, 2.2)
    blot.block(0, 15, 2, 7)
    blot.polygon([(-12.4, 9), (-9, 6), (9, 6), (12.4, 9), (5.4, 10.4), (-5.4, 10.4)])
    blot.block(0, 9.6, 9.6, 14)
    blot.polygon([(-9, 15.6), (-6.4, 12.8), (6.4, 12.8), (9, 15.6), (1.6, 18.6), (-1.6, 18.6)])
    blot.polygon([(-1.5, 18), (1.5, 18), (0.8, 22.4), (-0.8, 22.4)])
    blot.block(0, 3.8, -1, 4.6, cut=True)
    return blot, 6.2


def _arcade() -> tuple[Blot, float]:
    """A long hall of three arches under one wide dome and two small ones."""
    blot = Blot()
    blot.block(0, 25, 0, 8)
    blot.block(0, 12.6, 7, 10.4)
    blot.oval(0, 10.4, 7, 6.6)
    blot.block(0, 2.4, 16, 20)
    for side in (-1, 1):
        blot.oval(9.6 * side, 8, 2.6, 2.9)
        blot.block(7.6 * side, 3.4, -1, 3.2, cut=True)
        blot.oval(7.6 * side, 3.2, 1.7, 1.7, cut=True)
    blot.block(0, 5, -1, 4, cut=True)
    blot.oval(0, 4, 2.5, 2.4, cut=True)
    return blot, 8.2


OUTLINES: dict[str, tuple[Callable[[], tuple[Blot, float]], ...]] = {
    MEEPLE: (_tall, _cheering, _pawn),
    CAMEL: (_striding, _stacking, _laden),
    PALM: (_arching, _ringed, _cypress),
    PALACE: (_keep, _town, _pagoda, _arcade),
}
"""Shapes by kind, each with the height in mm up to which it has the second tone of pieces in two tones."""

_THICKNESS_MM = {MEEPLE: (8.0, 11.0), CAMEL: (8.5, 12.0), PALM: (6.5, 10.0), PALACE: (8.0, 14.0)}

MEEPLE_PAINTS: dict[Tribe, Hsv] = {
    Tribe.VIZIER: (55, 0.66, 0.94),
    Tribe.ELDER: (205, 0.03, 0.94),
    Tribe.BUILDER: (219, 0.66, 0.82),
    Tribe.MERCHANT: (97, 0.6, 0.6),
    Tribe.ASSASSIN: (349, 0.82, 0.58),
}
CAMEL_PAINTS: dict[Colour, Hsv] = {
    Colour.BLACK: (10, 0.08, 0.22),
    Colour.ORANGE: (20, 0.78, 0.96),
    Colour.BLUE: (196, 0.66, 0.78),
    Colour.PINK: (331, 0.44, 0.93),
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
        Coat((33, 0.42, 0.8), None, 0.1, 0.14),
        Coat((104, 0.66, 0.47), (20, 0.52, 0.36), 0.3, 0.04),
        Coat((152, 0.6, 0.33), None, 0.6, 0.02),
        Coat((64, 0.6, 0.66), (36, 0.46, 0.82), 0.2, 0.1),
        Coat((46, 0.62, 0.76), None, 1.4, 0.02),
        Coat((84, 0.35, 0.82), None, 0.8, 0.01),
    ),
    PALACE: (
        Coat((29, 0.36, 0.82), None, 0.1, 0.14),
        Coat((45, 0.66, 0.8), None, 1.5, 0.02),
        Coat((215, 0.06, 0.78), None, 1.5, 0.02),
        Coat((38, 0.1, 0.58), None, 0.05, 0.12),
        Coat((12, 0.64, 0.66), (41, 0.26, 0.9), 0.15, 0.06),
        Coat((208, 0.48, 0.56), (42, 0.12, 0.88), 0.4, 0.03),
        Coat((24, 0.5, 0.43), None, 0.4, 0.08),
        Coat((277, 0.38, 0.5), None, 0.7, 0.02),
    ),
}
"""Coats of palms and palaces: bare, painted and stained wood, metal, stone and print, some in two tones."""


def foreign_cut(kind: str, number: int, rng: np.random.Generator) -> Cut:
    """The cut of the shape of that number in `OUTLINES`, its proportions up to 6% off."""
    blot, low_mm = OUTLINES[kind][number]()
    outline = stepped(blot.traced(0.3))
    # Feet are reckoned to reach as far to the left of their place as to the right.
    outline = outline - [(outline[:, 0].min() + outline[:, 0].max()) / 2, outline[:, 1].min()]
    thickness = float(rng.uniform(*_THICKNESS_MM[kind]))
    scale = rng.uniform(0.94, 1.06, 2)
    return squared(outline * scale, thickness, float(rng.uniform(0.3, 0.7)), outline[:, 1] < low_mm)


def _one(things: Sequence[Coat], rng: np.random.Generator) -> Coat:
    return things[int(rng.integers(len(things)))]


def _finish(rng: np.random.Generator) -> Finish:
    """How meeples or camels are finished: wood under thin paint, or smooth plastic."""
    if rng.random() < 0.6:
        return Finish(None, float(rng.uniform(0.05, 0.35)), float(rng.uniform(0.04, 0.13)))
    return Finish(None, float(rng.uniform(0.5, 0.9)), float(rng.uniform(0.0, 0.03)))


def foreign_piece_set(rng: np.random.Generator) -> PieceSet:
    """The pieces of a copy of the game that training never sees."""
    paints: dict[tuple[str, str], LinearColour] = {
        (MEEPLE, t.letter): make_paint(p, rng) for t, p in MEEPLE_PAINTS.items()
    }
    paints |= {(CAMEL, colour.letter): make_paint(hsv, rng) for colour, hsv in CAMEL_PAINTS.items()}
    finishes = {MEEPLE: _finish(rng), CAMEL: _finish(rng)}
    for kind in (PALM, PALACE):
        coat = _one(COATS[kind], rng)
        paints[kind, ""] = make_paint(coat.first, rng)
        second = None if coat.second is None else make_paint(coat.second, rng)
        finishes[kind] = Finish(second, coat.gloss, coat.grain)
    cuts = {kind: foreign_cut(kind, int(rng.integers(len(OUTLINES[kind]))), rng) for kind in PIECE_KINDS}
    return PieceSet(cuts, paints, finishes)
