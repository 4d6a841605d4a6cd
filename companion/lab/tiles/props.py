"""What pictures of tiles are put together from, seen from the side: palms, houses, stalls, towers, domes."""

from __future__ import annotations

import numpy as np

from companion.lab.rendering.sketch import Colour, Sketch, lump, smooth, toned

INK: Colour = (34, 44, 60)
SANDS: tuple[Colour, ...] = ((128, 172, 208), (150, 190, 220), (110, 150, 190), (170, 200, 214))
LEAVES: tuple[Colour, ...] = ((60, 120, 80), (80, 150, 90), (50, 100, 70), (90, 160, 130))
ROOFS: tuple[Colour, ...] = ((60, 80, 170), (80, 110, 190), (110, 90, 70), (60, 60, 110))
DOMES: tuple[Colour, ...] = ((170, 90, 50), (150, 130, 60), (90, 150, 200), (140, 90, 120))


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


def awning(sketch: Sketch, x: float, y: float, wide: float, colours: tuple[Colour, Colour]) -> None:
    """A stall under a striped awning."""
    for post in (-0.45, 0.45):
        sketch.line([(x + post * wide, y), (x + post * wide, y - 0.6 * wide)], (50, 70, 100), 0.008)
    for stripe in range(5):
        left, right = -0.55 + 0.22 * stripe, -0.33 + 0.22 * stripe
        shape = np.array([(left, -0.5), (right, -0.5), (0.8 * right, -0.85), (0.8 * left, -0.85)]) * wide + [x, y]
        sketch.polygon(shape, colours[stripe % 2], None)
    sketch.polygon(
        np.array([(-0.45, -0.2), (0.45, -0.2), (0.45, 0), (-0.45, 0)]) * wide + [x, y], (90, 130, 170), INK, 0.003
    )


def keep(
    sketch: Sketch, x: float, y: float, wide: float, tall: float, colour: Colour, rim: Colour | None = INK
) -> None:
    """A tower with battlements."""
    block(sketch, x, y, wide, tall, colour, rim)
    for notch in np.linspace(-0.5, 0.38, 4):
        mark = np.array([(0, 0), (0.14, 0), (0.14, -0.16), (0, -0.16)]) * wide + [x + notch * wide, y - tall]
        sketch.polygon(mark, colour, rim, 0.002)


def temple(sketch: Sketch, x: float, y: float, wide: float, colour: Colour, rim: Colour | None = INK) -> None:
    """Steps, columns and a gable."""
    for step in range(3):
        half = wide * (0.6 - 0.06 * step)
        sketch.polygon(
            [
                (x - half, y - 0.05 * wide * step),
                (x + half, y - 0.05 * wide * step),
                (x + half, y - 0.05 * wide * (step + 1)),
                (x - half, y - 0.05 * wide * (step + 1)),
            ],
            toned(colour, 0.8 + 0.1 * step),
            rim,
            0.002,
        )
    for column in np.linspace(-0.4, 0.4, 5):
        shaft = np.array([(-0.04, -0.15), (0.04, -0.15), (0.035, -0.6), (-0.035, -0.6)]) * wide
        sketch.polygon(shaft + [x + column * wide, y], toned(colour, 1.1), rim, 0.002)
    sketch.polygon(np.array([(-0.55, -0.6), (0.55, -0.6), (0, -0.9)]) * wide + [x, y], colour, rim, 0.003)


def tree(sketch: Sketch, x: float, y: float, tall: float, leaf: Colour) -> None:
    """A round tree."""
    sketch.line([(x, y), (x, y - 0.5 * tall)], (50, 80, 110), max(0.1 * tall, 0.004))
    sketch.polygon(smooth(lump(sketch, x, y - 0.65 * tall, 0.35 * tall, 8, 0.1), 2), leaf, (34, 60, 50), 0.003)


def pond(sketch: Sketch, x: float, y: float, wide: float, colour: Colour) -> None:
    """A pond seen from its side."""
    sketch.ellipse(x, y, (wide, 0.4 * wide), colour, (110, 90, 60))
    for dx in (-0.4, 0.1, 0.4):
        sketch.line([(x + (dx - 0.12) * wide, y), (x + (dx + 0.12) * wide, y)], toned(colour, 1.3), 0.004)


def things(sketch: Sketch, code: str, x: float, y: float, size: float) -> None:
    """What a kind of tile is known by, seen from its side, on a foot in the middle of (x, y) and some `size` tall."""
    rng, pick = sketch.rng, sketch.pick
    if code == "O8":
        pond(sketch, x, y, 0.75 * size, (190, 150, 70))
        for dx in rng.uniform(-0.9, 0.9, int(rng.integers(2, 5))):
            side_palm(sketch, x + float(dx) * size, y - 0.02, size * float(rng.uniform(0.75, 1.1)), pick(LEAVES))
    elif code == "V5":
        for dx in (-0.75, -0.3, 0.25, 0.72):
            tall = size * float(rng.uniform(0.4, 0.75))
            block(sketch, x + dx * size, y + sketch.jitter(0.01), 0.5 * size, tall, pick(SANDS))
            if rng.random() < 0.4:
                cupola(sketch, x + dx * size, y - tall, 0.18 * size, pick(SANDS))
    elif code == "M6":
        awning(sketch, x, y, 1.3 * size, (pick(ROOFS), (220, 232, 238)))
    elif code == "M4":
        for dx, dy in ((-0.6, -0.35), (0.55, -0.3), (0, -0.1), (-0.8, 0.15), (0.8, 0.2)):
            awning(sketch, x + dx * size, y + dy * size, 0.62 * size, (pick(ROOFS), (220, 232, 238)))
    elif code == "S6":
        temple(sketch, x, y, 1.3 * size, (150, 170, 200))
    elif code == "S10":
        for dx, tall in ((-0.7, 0.7), (0.7, 0.75), (-0.35, 0.95), (0.35, 0.9), (0, 1.25)):
            keep(sketch, x + dx * size, y, 0.4 * size, tall * size, (80, 110, 160))
    elif code == "S12":
        temple(sketch, x, y, 0.8 * size, (170, 200, 190))
        for dx in (-0.95, -0.65, 0.65, 0.95):
            tree(sketch, x + dx * size, y + 0.03, 0.7 * size, pick(LEAVES))
        pond(sketch, x, y + 0.16 * size, 0.4 * size, (200, 160, 80))
    else:
        blue = pick(DOMES)
        block(sketch, x, y, 1.4 * size, 0.45 * size, (190, 210, 220))
        cupola(sketch, x, y - 0.45 * size, 0.42 * size, blue)
        for dx in (-0.85, 0.85):
            block(sketch, x + dx * size, y, 0.14 * size, 0.95 * size, (190, 210, 220))
            cupola(sketch, x + dx * size, y - 0.95 * size, 0.1 * size, blue)
