"""What a tile's value stands on, and how it shows red or blue."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.tiles.numerals import Lettering, ring, set_figures
from companion.lab.tiles.sketch import Colour, Points, Sketch, toned

_WHITE: Colour = (240, 246, 248)
_BLACK: Colour = (30, 30, 34)


def _drop(x: float, y: float, r: float) -> Points:
    turn = np.linspace(0.25 * np.pi, 1.75 * np.pi, 30)
    round_part = np.column_stack([x + r * np.sin(turn), y - r * np.cos(turn)])
    return np.vstack([round_part, [(x, y - 1.42 * r)]])


def _banner(x: float, y: float, r: float) -> Points:
    return np.array([(-0.8, -1.3), (0.8, -1.3), (0.8, 1.15), (0, 0.8), (-0.8, 1.15)]) * r + [x, y]


def _star(x: float, y: float, r: float) -> Points:
    return ring(x, y, 1.35 * r, 16, inner=1.0 * r)


def _scroll(x: float, y: float, r: float) -> Points:
    wave = np.linspace(-1.3, 1.3, 16)
    upper = np.column_stack([wave, -0.75 + 0.1 * np.sin(4 * wave)])
    return np.vstack([upper, upper[::-1] * [1, -1] + [0, 0.06]]) * r + [x, y]


PLATES: Mapping[str, Callable[[float, float, float], Points]] = {
    "drop": _drop,
    "banner": _banner,
    "star": _star,
    "scroll": _scroll,
}
"""Outlines round a place and a radius, by family."""

SCHEMES = ("white-on-colour", "gold-on-colour", "black-on-colour", "colour-on-pale", "colour-on-dark-rim")
"""Ways in which the value's red or blue shows."""


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
