"""The ground that tiles are printed on, and the rims around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.lab.tiles.sketch import Colour, Sketch, toned


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    """A colour (BGR) of a hue in degrees, its saturation and value from 0 to 1."""
    phase = (np.array([240.0, 120.0, 0.0]) - hue + 180) % 360 - 180
    share = np.clip(2 - np.abs(phase) / 60, 0, 1)
    blue, green, red = 255 * value * (1 - saturation * (1 - share))
    return float(blue), float(green), float(red)


def drawn(
    rng: np.random.Generator, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> Colour:
    """A colour between two hues in degrees, two saturations and two values."""
    return _hsv(float(rng.uniform(*hue)) % 360, float(rng.uniform(*saturation)), float(rng.uniform(*value)))


PAPERS: Mapping[str, Callable[[np.random.Generator], Colour]] = {
    "dusk": lambda rng: drawn(rng, (262, 300), (0.2, 0.4), (0.25, 0.45)),
    "home-paper": lambda rng: drawn(rng, (190, 230), (0.0, 0.03), (0.93, 1.0)),
    "pastel": lambda rng: drawn(rng, (150, 185), (0.15, 0.3), (0.8, 0.95)),
}
"""Colours (BGR) of the ground, by family."""

RIMS = ("none", "pale", "dark", "double", "wide", "value")
"""Rims around a tile; "value" has the red or blue of its value."""


def lay_ground(sketch: Sketch, ground: Colour, depth: float) -> None:
    """Cover a sheet with the ground, a little uneven."""
    coarse = sketch.rng.standard_normal((8, 8)).astype(np.float32) * depth
    shade = cv2.resize(coarse, (sketch.side, sketch.side), interpolation=cv2.INTER_CUBIC)[..., None]
    sketch.sheet[...] = np.clip(np.asarray(ground, np.float32) * (1 + shade), 0, 255).astype(np.uint8)


def draw_rim(sketch: Sketch, rim: str, width: float, ground: Colour, value: Colour) -> None:
    """A rim of a width around the sheet."""
    colours: dict[str, Colour] = {
        "pale": (224, 236, 240),
        "dark": (40, 48, 60),
        "double": (50, 70, 100),
        "value": value,
    }
    if rim == "none":
        return
    colour = colours.get(rim, toned(ground, 0.7))
    half = width / 2
    box = np.array([(half, half), (1 - half, half), (1 - half, 1 - half), (half, 1 - half), (half, half)])
    sketch.line(box, colour, width)
    if rim == "double":
        sketch.line((box - 0.5) * (1 - 4 * width) + 0.5, colour, width / 2)
