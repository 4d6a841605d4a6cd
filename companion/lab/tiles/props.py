"""What pictures of tiles are put together from, seen from the side: palms, houses, stalls, towers, domes."""

from __future__ import annotations

import numpy as np

from companion.lab.tiles.sketch import Colour, Sketch, lump, smooth, toned

INK: Colour = (34, 44, 60)

_MEEPLE = np.array(
    [(0, -0.5), (0.16, -0.42), (0.15, -0.25), (0.48, -0.1), (0.46, 0.08), (0.22, 0.06), (0.4, 0.44), (0.38, 0.5)]
    + [(0.12, 0.5), (0, 0.3)]
)
MEEPLE_SHAPE = np.vstack([_MEEPLE, _MEEPLE[-2:0:-1] * [-1, 1]])


def side_palm(sketch: Sketch, x: float, y: float, tall: float, leaf: Colour, trunk: Colour = (70, 100, 140)) -> None:
    """A palm seen from its side, its foot at (x, y)."""
    lean = sketch.jitter(0.12) * tall
    top = np.array([x + lean, y - tall])
    line = np.array([(x, y), (x + 0.2 * lean, y - 0.5 * tall), top])
    sketch.line(smooth(np.vstack([line, line[::-1]]), 1)[:6], trunk, max(0.07 * tall, 0.004))
    sketch.line([tuple(line[1]), tuple(top)], trunk, max(0.06 * tall, 0.004))
    for turn in np.linspace(-2.0, 2.0, int(sketch.rng.integers(6, 9))):
        way = np.array([np.sin(turn), -0.75 * np.cos(turn)])
        tip = top + 0.55 * tall * way + [0, 0.1 * tall * abs(np.sin(turn))]
        sketch.polygon([top, top + 0.3 * tall * way + [0, -0.08 * tall], tip, top + 0.28 * tall * way], leaf, None)


def block(
    sketch: Sketch, x: float, y: float, wide: float, tall: float, colour: Colour, rim: Colour | None = INK
) -> None:
    """A house of one block with a door, its foot at (x, y)."""
    body = np.array([(0, 0), (wide, 0), (wide, -tall), (0, -tall)]) + [x - wide / 2, y]
    # Twice, which makes its smoothed edge firmer: the pictures of a seed must stay as they are.
    for _ in range(2):
        sketch.polygon(body, colour, rim, 0.003)
    shade = np.array([(0.68 * wide, 0), (wide, 0), (wide, -tall), (0.68 * wide, -tall)]) + [x - wide / 2, y]
    sketch.polygon(shade, toned(colour, 0.8), None)
    door = np.array([(-0.1, 0), (-0.1, -0.35), (0, -0.5), (0.1, -0.35), (0.1, 0)]) * [wide, tall]
    sketch.polygon(door + [x, y], toned(colour, 0.35), None)


def cupola(sketch: Sketch, x: float, y: float, r: float, colour: Colour, rim: Colour | None = INK) -> None:
    """A pointed dome of a radius."""
    half = np.array([(0.9, 0), (1.0, -0.35), (0.75, -0.85), (0.3, -1.2), (0, -1.6)])
    sketch.polygon(np.vstack([half, half[-2::-1] * [-1, 1]]) * r + [x, y], colour, rim, 0.003)


def keep(
    sketch: Sketch, x: float, y: float, wide: float, tall: float, colour: Colour, rim: Colour | None = INK
) -> None:
    """A tower with battlements."""
    block(sketch, x, y, wide, tall, colour, rim)
    for notch in np.linspace(-0.5, 0.38, 4):
        mark = np.array([(0, 0), (0.14, 0), (0.14, -0.16), (0, -0.16)]) * wide + [x + notch * wide, y - tall]
        sketch.polygon(mark, colour, rim, 0.002)


def tree(sketch: Sketch, x: float, y: float, tall: float, leaf: Colour) -> None:
    """A round tree."""
    sketch.line([(x, y), (x, y - 0.5 * tall)], (50, 80, 110), max(0.1 * tall, 0.004))
    sketch.polygon(smooth(lump(sketch, x, y - 0.65 * tall, 0.35 * tall, 8, 0.1), 2), leaf, (34, 60, 50), 0.003)


def camel_spot(sketch: Sketch) -> None:
    """The pale round spot where the owner's camel goes."""
    x, y = 0.8, 0.83
    turn = np.linspace(0, 2 * np.pi, 49)
    ring = np.column_stack([x + 0.135 * np.cos(turn), y + 0.135 * np.sin(turn)])
    sketch.wash(ring, (176, 212, 230), 0.72, 0.004)
    sketch.line(ring + [0.004, 0.006], (84, 118, 150), 0.006)
    sketch.line(ring, (206, 230, 242), 0.005)
