"""Families of paint and finish: what the pieces of one box are painted with, and what is easily confused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.lab.rendering.foreign import CAMEL_PAINTS, MEEPLE_PAINTS
from companion.lab.rendering.pieces import CAMEL, CAMEL_HSV, MEEPLE, MEEPLE_HSV, PALACE, PALM, Hsv, make_paint
from companion.lab.rendering.textures import Floats
from companion.rules.model.components import Colour, Tribe


@dataclass(frozen=True, slots=True)
class Material:
    """What a kind of piece is made of.

    `roughness` 0 mirrors and 1 is matt; `metallic` 0 or 1; `coat` is a clear lacquer, 0 to 1; `grain` how much the
    wood shows through, 0 to 1; `pores` how rough the wood feels; `second` the second tone's linear BGR or None.
    """

    roughness: float
    metallic: float
    coat: float
    grain: float
    pores: float
    second: Floats | None = None


@dataclass(frozen=True, slots=True)
class FigurePaints:
    """Paints of meeples and camels in one production, and how far one box strays from them (1 as printings do)."""

    meeples: Mapping[Tribe, Hsv]
    camels: Mapping[Colour, Hsv]
    strays: float


def _shifted(
    paints: Mapping[Tribe, Hsv], camels: Mapping[Colour, Hsv], pale: float, bright: float, strays: float = 1.0
) -> FigurePaints:
    def one(hsv: Hsv) -> Hsv:
        return hsv[0], min(hsv[1] * pale, 1.0), min(hsv[2] * bright, 0.97)

    return FigurePaints({t: one(h) for t, h in paints.items()}, {c: one(h) for c, h in camels.items()}, strays)


_SKY_BLUE: dict[Tribe, Hsv] = {
    **MEEPLE_HSV,
    Tribe.BUILDER: (203, 0.72, 0.74),
    Tribe.MERCHANT: (112, 0.62, 0.58),
    Tribe.ELDER: (40, 0.1, 0.93),
}
_DEEP: dict[Tribe, Hsv] = {
    Tribe.VIZIER: (44, 0.95, 0.8),
    Tribe.ELDER: (38, 0.16, 0.8),
    Tribe.BUILDER: (232, 0.9, 0.4),
    Tribe.MERCHANT: (152, 0.9, 0.27),
    Tribe.ASSASSIN: (352, 0.92, 0.5),
}
_LIGHT: dict[Tribe, Hsv] = {
    Tribe.VIZIER: (50, 0.6, 0.95),
    Tribe.ELDER: (200, 0.02, 0.95),
    Tribe.BUILDER: (212, 0.6, 0.88),
    Tribe.MERCHANT: (104, 0.55, 0.72),
    Tribe.ASSASSIN: (4, 0.68, 0.86),
}
_LIGHT_CAMELS: dict[Colour, Hsv] = {
    Colour.BLACK: (220, 0.12, 0.25),
    Colour.ORANGE: (28, 0.72, 0.95),
    Colour.BLUE: (190, 0.62, 0.76),
    Colour.PINK: (328, 0.42, 0.9),
}

FIGURE_PAINTS: Mapping[str, FigurePaints] = {
    "usual": FigurePaints(MEEPLE_HSV, CAMEL_HSV, 1.0),
    "stray": FigurePaints(MEEPLE_HSV, CAMEL_HSV, 2.0),
    "sky-blue": FigurePaints(_SKY_BLUE, CAMEL_HSV, 1.0),
    "deep": FigurePaints(_DEEP, CAMEL_HSV, 1.2),
    "light": FigurePaints(_LIGHT, _LIGHT_CAMELS, 1.2),
    "worn": _shifted(MEEPLE_HSV, CAMEL_HSV, 0.72, 1.1, 1.3),
    "other-production": FigurePaints(MEEPLE_PAINTS, CAMEL_PAINTS, 0.6),
    "chalk": _shifted(MEEPLE_PAINTS, CAMEL_PAINTS, 0.62, 1.15, 0.6),
}
"""Paints of meeples and camels by family."""

_GREEN = ((130, 0.75, 0.42), (140, 0.7, 0.25), (110, 0.65, 0.55), (95, 0.6, 0.5), (85, 0.55, 0.65), (145, 0.5, 0.5))
_WOOD = ((32, 0.42, 0.75), (36, 0.33, 0.82), (28, 0.5, 0.62), (24, 0.6, 0.42))
_BROWN = ((24, 0.6, 0.42), (20, 0.55, 0.27), (26, 0.6, 0.36), (16, 0.5, 0.32))
_GOLD = ((42, 0.72, 0.76), (38, 0.75, 0.7), (45, 0.55, 0.78), (34, 0.7, 0.62))
_SILVER = ((215, 0.05, 0.72), (40, 0.03, 0.58), (210, 0.08, 0.48))
_SAND = ((40, 0.25, 0.84), (36, 0.34, 0.78), (44, 0.3, 0.88))
_WHITE = ((45, 0.05, 0.9), (210, 0.03, 0.9), (38, 0.1, 0.92))
_GREY = ((40, 0.05, 0.55), (210, 0.06, 0.45), (30, 0.07, 0.66))
_DARK = ((30, 0.4, 0.2), (220, 0.25, 0.22), (300, 0.1, 0.18), (150, 0.4, 0.2))
_BRICK = ((16, 0.62, 0.6), (20, 0.68, 0.55), (24, 0.6, 0.68), (30, 0.72, 0.82))
_PASTEL = ((5, 0.35, 0.78), (185, 0.35, 0.6), (60, 0.35, 0.85), (340, 0.35, 0.7))

AS_MERCHANTS, AS_ELDERS, AS_VIZIERS = "as-merchants", "as-elders", "as-viziers"

PALM_PAINTS: Mapping[str, tuple[Hsv, ...]] = {
    AS_MERCHANTS: (),
    "green": _GREEN,
    "wood": _WOOD,
    "brown": _BROWN,
    "gold": _GOLD,
    "silver": _SILVER,
    "dark": _DARK,
    "pastel": _PASTEL,
    "teal": ((172, 0.6, 0.45), (165, 0.55, 0.3)),
    "olive": ((66, 0.6, 0.42), (60, 0.5, 0.34)),
    "straw": ((50, 0.5, 0.82), (54, 0.42, 0.74)),
}
"""First paints of palms by family; none: the paint of this box's merchants."""

PALACE_PAINTS: Mapping[str, tuple[Hsv, ...]] = {
    AS_ELDERS: (),
    AS_VIZIERS: (),
    "gold": _GOLD,
    "sand": _SAND,
    "white": _WHITE,
    "grey": _GREY,
    "silver": _SILVER,
    "wood": _WOOD,
    "brown": _BROWN,
    "brick": _BRICK,
    "dark": _DARK,
    "pastel": _PASTEL,
    "terracotta": ((10, 0.58, 0.72), (8, 0.5, 0.62)),
    "slate": ((214, 0.3, 0.4), (200, 0.22, 0.34)),
    "lilac": ((275, 0.3, 0.66), (262, 0.4, 0.5)),
    "honey": ((48, 0.7, 0.9), (50, 0.8, 0.84)),
}
"""First paints of palaces by family; none: the paint of this box's elders or viziers."""

METALS = ("gold", "silver")

_AS = {AS_MERCHANTS: Tribe.MERCHANT, AS_ELDERS: Tribe.ELDER, AS_VIZIERS: Tribe.VIZIER}


def stray(hsv: Hsv, far: float, rng: np.random.Generator) -> Hsv:
    """A paint as far off as boxes of one production are from one another, times `far`."""
    return (
        (hsv[0] + far * float(rng.uniform(-6, 6))) % 360,
        min(hsv[1] * float(rng.uniform(0.78, 1.1)) ** far, 1.0),
        min(hsv[2] * float(rng.uniform(0.82, 1.2)) ** far, 1.0),
    )


def draw_paints(drawn: Mapping[str, str], rng: np.random.Generator) -> dict[tuple[str, str], Floats]:
    """The paints (linear BGR) of one box of the drawn families by kind and letter; palms and palaces have no letter."""
    figures = FIGURE_PAINTS[drawn["figure_paint"]]
    base = {(MEEPLE, tribe.letter): stray(hsv, figures.strays, rng) for tribe, hsv in figures.meeples.items()}
    base |= {(CAMEL, colour.letter): stray(hsv, figures.strays, rng) for colour, hsv in figures.camels.items()}
    if base[MEEPLE, Tribe.BUILDER.letter][0] < 207 and rng.random() < 0.4:
        # Light blue builders beside camels of nearly the same blue, as one maker's paints may be.
        hue, saturation, value = base[MEEPLE, Tribe.BUILDER.letter]
        base[CAMEL, Colour.BLUE.letter] = (hue - 6 - float(rng.uniform(0, 8)), saturation, value * 0.85)
    paints = {key: make_paint(hsv, rng) for key, hsv in base.items()}
    for kind, families in ((PALM, PALM_PAINTS), (PALACE, PALACE_PAINTS)):
        family = drawn[f"{kind}_paint"]
        choices = families[family]
        if choices:
            paints[kind, ""] = make_paint(stray(choices[int(rng.integers(len(choices)))], 0.7, rng), rng)
        else:
            paints[kind, ""] = make_paint(base[MEEPLE, _AS[family].letter], rng)
    return paints


def _wood(rng: np.random.Generator) -> Material:
    """Wood under thin paint or stain."""
    grain, pores = float(rng.uniform(0.03, 0.35)), float(rng.uniform(0.1, 0.8))
    return Material(float(rng.uniform(0.35, 0.8)), 0.0, float(rng.uniform(0, 0.5)) ** 2, grain, pores)


def _smooth(rng: np.random.Generator) -> Material:
    """Plastic or lacquer."""
    return Material(float(rng.uniform(0.12, 0.5)), 0.0, float(rng.uniform(0, 0.8)), 0.0, 0.0)


def draw_materials(
    drawn: Mapping[str, str], palace_tones: Sequence[str], rng: np.random.Generator
) -> dict[str, Material]:
    """What each kind of piece of one box is made of; palaces' second tones are of the families `palace_tones`."""
    tones = {PALM: _BROWN + _WOOD, PALACE: tuple(hsv for name in palace_tones for hsv in PALACE_PAINTS[name][:1])}
    figures = (_wood if rng.random() < 0.75 else _smooth)(rng)
    materials = {MEEPLE: figures, CAMEL: figures if rng.random() < 0.7 else _smooth(rng)}
    for kind in (PALM, PALACE):
        made = figures if rng.random() < 0.4 else (_wood if rng.random() < 0.6 else _smooth)(rng)
        family = drawn[f"{kind}_paint"]
        if family in METALS and rng.random() < 0.4:
            made = Material(float(rng.uniform(0.18, 0.5)), 1.0, 0.0, 0.0, float(rng.uniform(0, 0.3)))
        second = None
        if rng.random() < (0.45 if kind == PALM else 0.3):
            second = make_paint(tones[kind][int(rng.integers(len(tones[kind])))], rng)
        materials[kind] = Material(made.roughness, made.metallic, made.coat, made.grain, made.pores, second)
    return materials
