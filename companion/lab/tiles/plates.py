"""What a tile's value stands on, and how it shows red or blue."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.sketch import Colour, Points, Sketch, toned
from companion.lab.tiles.numerals import Lettering, ring, set_figures, soft

_WHITE: Colour = (240, 246, 248)
_BLACK: Colour = (30, 30, 34)


def _box(x: float, y: float, half: tuple[float, float]) -> Points:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]


def _disc(x: float, y: float, r: float) -> Points:
    return ring(x, y, r, 40)


def _square(x: float, y: float, r: float) -> Points:
    return soft(_box(x, y, (0.92 * r, 0.92 * r)))


def _diamond(x: float, y: float, r: float) -> Points:
    return ring(x, y, 1.25 * r, 4)


def _crest(x: float, y: float, r: float) -> Points:
    half = np.array([(0, -0.95), (0.85, -0.95), (0.85, 0.2), (0.5, 0.75), (0, 1.1)])
    return np.vstack([half, half[-2:0:-1] * [-1, 1]]) * r + [x, y]


def _hexagon(x: float, y: float, r: float) -> Points:
    return ring(x, y, 1.08 * r, 6)


def _toothed(x: float, y: float, r: float) -> Points:
    return ring(x, y, 1.12 * r, 32, inner=0.98 * r)


def _drop(x: float, y: float, r: float) -> Points:
    turn = np.linspace(0.25 * np.pi, 1.75 * np.pi, 30)
    round_part = np.column_stack([x + r * np.sin(turn), y - r * np.cos(turn)])
    return np.vstack([round_part, [(x, y - 1.42 * r)]])


def _oval(x: float, y: float, r: float) -> Points:
    return (ring(x, y, r, 40) - [x, y]) * [1.25, 0.9] + [x, y]


def _banner(x: float, y: float, r: float) -> Points:
    return np.array([(-0.8, -1.3), (0.8, -1.3), (0.8, 1.15), (0, 0.8), (-0.8, 1.15)]) * r + [x, y]


def _star(x: float, y: float, r: float) -> Points:
    return ring(x, y, 1.35 * r, 16, inner=1.0 * r)


def _scroll(x: float, y: float, r: float) -> Points:
    wave = np.linspace(-1.3, 1.3, 16)
    upper = np.column_stack([wave, -0.75 + 0.1 * np.sin(4 * wave)])
    return np.vstack([upper, upper[::-1] * [1, -1] + [0, 0.06]]) * r + [x, y]


SHAPES = 12
"""Plates whose outlines nobody thought of: a few waves around a circle."""

_SALT = 41_018


def wavy(number: int, wide: float = 1.0) -> Callable[[float, float, float], Points]:
    """An outline of its own for each number, about a circle's, or wider than tall."""
    rng = np.random.default_rng((_SALT, number))
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    far = np.ones(len(turn))
    for waves in rng.choice(np.arange(2, 13), 3, replace=False):
        far += float(rng.uniform(0, 0.35 / waves)) * np.cos(waves * turn + float(rng.uniform(0, 2 * np.pi)))
    # A superellipse: from nearly a diamond over a circle to nearly a square.
    power = float(rng.uniform(1.3, 5.0))
    far *= (np.abs(np.sin(turn)) ** power + np.abs(np.cos(turn)) ** power) ** (-1 / power)
    outline = np.column_stack([np.sin(turn), -np.cos(turn)]) * far[:, None] * [wide * float(rng.uniform(0.9, 1.2)), 1.0]

    def shape(x: float, y: float, r: float) -> Points:
        return 1.05 * r * outline + [x, y]

    return shape


PLATES: Mapping[str, Callable[[float, float, float], Points] | None] = {
    "disc": _disc,
    "square": _square,
    "diamond": _diamond,
    "crest": _crest,
    "hexagon": _hexagon,
    "toothed": _toothed,
    "oval": _oval,
    "none": None,
    "drop": _drop,
    "banner": _banner,
    "star": _star,
    "scroll": _scroll,
    **{f"shape-{number}": wavy(number) for number in range(SHAPES)},
}
"""Outlines round a place and a radius, by family; "none" is a value without a plate."""

SCHEMES = ("white-on-colour", "gold-on-colour", "black-on-colour", "colour-on-pale", "colour-on-dark-rim")
"""Ways in which the value's red or blue shows; without a plate it is the figures' own."""


def value_plate(
    sketch: Sketch,
    text: str,
    place: tuple[float, float],
    radius: float,
    plate: str,
    scheme: str,
    colour: Colour,
    lettering: Lettering,
) -> None:
    """A tile's value at a place, on a plate of a radius."""
    x, y = place
    outline = PLATES[plate]
    tall = radius * (1.05 if len(text) == 1 else 0.85)
    if outline is None:
        set_figures(sketch, text, place, tall * 1.45, lettering, colour, _WHITE)
        return
    grown, shape = outline(x, y, radius * 1.12), outline(x, y, radius)
    if scheme in ("colour-on-pale", "colour-on-dark-rim"):
        rim = colour if scheme == "colour-on-pale" else _BLACK
        sketch.polygon(grown, rim, None)
        sketch.polygon(shape, (214, 232, 240), None)
        set_figures(sketch, text, place, tall, lettering, colour)
        return
    rims: tuple[Colour, ...] = (_WHITE, (90, 170, 210), toned(colour, 0.45))
    sketch.polygon(grown, rims[sum(map(ord, plate)) % len(rims)], _BLACK, 0.003)
    sketch.polygon(shape, colour, None)
    fills: dict[str, Colour] = {"white-on-colour": _WHITE, "gold-on-colour": (120, 214, 246), "black-on-colour": _BLACK}
    rim_colour = toned(colour, 0.4) if scheme != "black-on-colour" else None
    set_figures(sketch, text, place, tall, lettering, fills[scheme], rim_colour)
