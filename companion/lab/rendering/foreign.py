"""Boxes of pieces to measure a reader on: other outlines and finishes, paints that start from other colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    low_mm,
    make_paint,
    outlines,
    squared,
)
from companion.rules.model.components import Colour, Tribe

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
    """The cut of the foreign outline of that number, its proportions up to 6% off."""
    outline = outlines("foreign", kind)[number]
    # Feet are reckoned to reach as far to the left of their place as to the right.
    outline = outline - [(outline[:, 0].min() + outline[:, 0].max()) / 2, outline[:, 1].min()]
    thickness = float(rng.uniform(*_THICKNESS_MM[kind]))
    scale = rng.uniform(0.94, 1.06, 2)
    return squared(outline * scale, thickness, float(rng.uniform(0.3, 0.7)), outline[:, 1] < low_mm(kind)[number])


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
        coat = COATS[kind][int(rng.integers(len(COATS[kind])))]
        paints[kind, ""] = make_paint(coat.first, rng)
        second = None if coat.second is None else make_paint(coat.second, rng)
        finishes[kind] = Finish(second, coat.gloss, coat.grain)
    cuts = {kind: foreign_cut(kind, int(rng.integers(len(outlines("foreign", kind)))), rng) for kind in PIECE_KINDS}
    return PieceSet(cuts, paints, finishes)
