"""What is painted on each kind of tile, all drawings of our own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.lab.rendering.sketch import (
    CLOTHS,
    INK,
    SANDSTONE,
    Points,
    Sketch,
    bush,
    cypress,
    dome,
    folk,
    house,
    lump,
    palm,
    rock,
    smooth,
    stall,
    toned,
    tower,
    wall,
    water,
)

MIDDLE = (0.47, 0.43)
"""Where pictures are centred: left of the value and above the badges."""


def _around(sketch: Sketch, count: int, near: float, far: float) -> Points:
    """Places round the middle, from the back to the front so that near things hide far ones."""
    turn = 2 * np.pi * (np.arange(count) + sketch.rng.uniform(-0.3, 0.3, count)) / count
    reach = sketch.rng.uniform(near, far, count)
    places = np.column_stack([MIDDLE[0] + reach * np.cos(turn), MIDDLE[1] + 0.92 * reach * np.sin(turn)])
    return np.asarray(places[np.argsort(places[:, 1])], np.float64)


def _clear(x: float, y: float) -> bool:
    """Whether a place is out of the way of value, badge and camel's spot."""
    return not (x > 0.68 and y < 0.32) and not (x < 0.46 and y > 0.64) and not (x > 0.66 and y > 0.7)


def oasis(sketch: Sketch) -> None:
    """A pool bent round a sandy spit, in a ring of palms, bushes and boulders."""
    x, y = MIDDLE
    sketch.wash(smooth(lump(sketch, x, y, 0.31, 10, 0.1)), (84, 130, 128), 0.55, 0.04)
    for px, py in _around(sketch, 22, 0.24, 0.33):
        if _clear(px, py):
            bush(sketch, px, py, float(sketch.rng.uniform(0.025, 0.045)))
    turn = np.linspace(0.4, 1.75 * np.pi, 9)
    outer = np.column_stack([x + 0.22 * np.cos(turn), y + 0.2 * np.sin(turn)])
    inner = np.column_stack([x + 0.06 + 0.075 * np.cos(turn[::-1]), y + 0.01 + 0.07 * np.sin(turn[::-1])])
    pool = np.vstack([outer, inner]) + sketch.rng.normal(0, 0.008, (18, 2))
    water(sketch, smooth(pool))
    for px, py in _around(sketch, 7, 0.25, 0.32):
        if _clear(px, py) and px < x + 0.1:
            rock(sketch, px, py, float(sketch.rng.uniform(0.03, 0.06)))
    for px, py in _around(sketch, 15, 0.25, 0.36):
        if _clear(px, py):
            palm(sketch, px, py, float(sketch.rng.uniform(0.05, 0.08)))
    stall(sketch, x + 0.14, y - 0.02, 0.07)
    palm(sketch, x + 0.08, y + 0.04, 0.045)


def village(sketch: Sketch) -> None:
    """Mud-brick houses round a well, rocks behind."""
    x, y = MIDDLE
    sketch.wash(smooth(lump(sketch, x, y, 0.33, 10, 0.08)), (120, 160, 190), 0.6, 0.05)
    for px, py in _around(sketch, 16, 0.3, 0.38):
        if _clear(px, py):
            (rock if py < y or sketch.rng.random() < 0.3 else bush)(
                sketch, px, py, float(sketch.rng.uniform(0.02, 0.045))
            )
    homes = _around(sketch, 12, 0.2, 0.27)
    for number, (px, py) in enumerate(homes):
        if not _clear(px, py):
            continue
        size = sketch.rng.uniform(0.07, 0.115, 2)
        turn = np.arctan2(py - y, px - x) + np.pi / 2 + sketch.jitter(0.1)
        colour = toned(SANDSTONE, float(sketch.rng.uniform(0.9, 1.15)))
        house(
            sketch, px, py, (float(size[0]), float(size[1])), float(sketch.rng.uniform(0.03, 0.06)), colour, float(turn)
        )
        if number % 5 == 4:
            dome(sketch, px, py - 0.03, 0.03, toned(SANDSTONE, 1.05))
    sketch.ellipse(x, y + 0.02, (0.035, 0.028), toned(SANDSTONE, 0.8))
    sketch.ellipse(x, y + 0.015, (0.022, 0.016), (150, 110, 60))
    palm(sketch, x - 0.1, y + 0.06, 0.045)
    for _ in range(9):
        folk(sketch, x + sketch.jitter(0.07), y + 0.03 + sketch.jitter(0.05))


def small_market(sketch: Sketch) -> None:
    """A square yard behind a wall with four towers, a fountain and a few stalls."""
    x, y = MIDDLE
    half = 0.23
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + [x, y]
    sketch.wash(square, (140, 190, 215), 0.7, 0.01)
    sketch.shade([square[0], square[1], square[1] + [0, 0.05], square[0] + [0, 0.05]], 0.35)
    wall(sketch, square, 0.034, toned(SANDSTONE, 1.05))
    for px, py in (square[0], square[1]):
        tower(sketch, px, py + 0.02, 0.075, 0.05)
    water(sketch, smooth(lump(sketch, x, y, 0.035, 8, 0.02), 2))
    places = [(i, j) for j in range(4) for i in range(4) if not (1 <= i <= 2 and 1 <= j <= 2)]
    for i, j in places:
        px, py = x + (i - 1.5) * 0.105 + sketch.jitter(0.01), y + (j - 1.5) * 0.105 + sketch.jitter(0.01)
        stall(sketch, px, py, float(sketch.rng.uniform(0.05, 0.075)))
    for _ in range(24):
        folk(sketch, x + sketch.rng.uniform(-0.18, 0.18), y + sketch.rng.uniform(-0.17, 0.18))
    for px, py in (square[3], square[2]):
        if _clear(px, py - 0.02):
            tower(sketch, px, py + 0.02, 0.075, 0.05)
    gate = [
        (x - 0.05, y + half - 0.03),
        (x + 0.05, y + half - 0.03),
        (x + 0.05, y + half + 0.03),
        (x - 0.05, y + half + 0.03),
    ]
    sketch.polygon(gate, toned(SANDSTONE, 0.55))
    for _ in range(5):
        px, py = x + sketch.rng.uniform(-0.38, 0.38), y + sketch.rng.choice([-1, 1]) * sketch.rng.uniform(0.3, 0.36)
        if _clear(px, py):
            bush(sketch, px, py, 0.018)


def large_market(sketch: Sketch) -> None:
    """A crowded many-sided town of roofs and awnings, streets like spokes."""
    x, y = MIDDLE
    turn = np.linspace(0, 2 * np.pi, 9, endpoint=False) + 0.2
    ring = np.column_stack([x + 0.34 * np.cos(turn), y + 0.33 * np.sin(turn)])
    sketch.wash(ring, (132, 176, 204), 0.8, 0.01)
    wall(sketch, ring, 0.026)
    things = []
    for reach, count in ((0.27, 22), (0.19, 15), (0.115, 9)):
        for k in range(count):
            angle = 2 * np.pi * k / count + reach * 9
            things.append((x + reach * np.cos(angle), y + 0.95 * reach * np.sin(angle), angle))
    for px, py, angle in sorted(things, key=lambda thing: thing[1]):
        if not _clear(px, py):
            continue
        if sketch.rng.random() < 0.5:
            stall(sketch, px, py, float(sketch.rng.uniform(0.045, 0.065)))
        else:
            size = sketch.rng.uniform(0.04, 0.062, 2)
            colour = toned((120, 150, 196), float(sketch.rng.uniform(0.85, 1.15)))
            house(sketch, px, py, (float(size[0]), float(size[1])), 0.022, colour, float(angle + np.pi / 2))
    sketch.ellipse(x, y, (0.055, 0.05), (140, 186, 210))
    sketch.polygon([(x - 0.02, y), (x, y - 0.05), (x + 0.02, y)], CLOTHS[0])
    for _ in range(26):
        folk(sketch, x + sketch.jitter(0.13), y + sketch.jitter(0.12))


def canyon(sketch: Sketch) -> None:
    """A shrine at the end of a stair in a ring of red cliffs (the four sacred places of 6)."""
    x, y = MIDDLE
    reds = ((96, 112, 166), (84, 96, 146), (110, 130, 184), (74, 82, 124))
    sketch.wash(smooth(lump(sketch, x, y, 0.33, 10, 0.08)), (66, 82, 120), 0.75, 0.03)
    for px, py in _around(sketch, 34, 0.17, 0.36):
        if _clear(px, py):
            rock(sketch, px, py, float(sketch.rng.uniform(0.035, 0.075)), reds)
    sketch.polygon(smooth(lump(sketch, x, y + 0.02, 0.15, 9, 0.06)), (140, 164, 206))
    for step in range(6):
        wide, top = 0.05 + 0.012 * step, y + 0.05 + 0.022 * step
        sketch.polygon(
            [(x - wide, top), (x + wide, top), (x + wide, top + 0.02), (x - wide, top + 0.02)],
            toned((150, 178, 212), 1 - 0.06 * step),
        )
    for k in range(7):
        angle = np.pi + np.pi * k / 6
        px, py = x + 0.12 * np.cos(angle), y + 0.03 + 0.085 * np.sin(angle)
        house(sketch, px, py, (0.028, 0.028), 0.06, (150, 172, 204))
    dome(sketch, x, y + 0.03, 0.055, (96, 150, 206), (150, 176, 208))


def citadel(sketch: Sketch) -> None:
    """A dark fortress in terraces up to a keep (the sacred place of 10)."""
    x, y = MIDDLE
    browns = ((60, 84, 132), (52, 72, 112), (74, 100, 150))
    sketch.wash(smooth(lump(sketch, x, y, 0.35, 11, 0.09)), (48, 62, 90), 0.8, 0.03)
    for px, py in _around(sketch, 20, 0.29, 0.37):
        if _clear(px, py):
            rock(sketch, px, py, float(sketch.rng.uniform(0.03, 0.05)), browns)
    for level, half in enumerate((0.27, 0.2, 0.13)):
        top = y + 0.06 - 0.075 * level
        house(sketch, x, top, (2 * half, 1.7 * half), 0.06, toned((72, 104, 156), 0.8 + 0.12 * level))
        for side in (-1, 1):
            tower(sketch, x + side * half, top - 0.4 * half, 0.06, 0.08, toned((72, 104, 156), 0.85 + 0.1 * level))
            if _clear(x + side * half, top + 0.6 * half):
                tower(sketch, x + side * half, top + 0.6 * half, 0.06, 0.07, toned((72, 104, 156), 0.9 + 0.1 * level))
    tower(sketch, x, y - 0.1, 0.11, 0.14, (84, 122, 176))
    sketch.line([(x, y - 0.27), (x, y - 0.36)], INK, 0.005)
    sketch.polygon([(x, y - 0.36), (x + 0.07, y - 0.34), (x, y - 0.315)], CLOTHS[0])


def gardens(sketch: Sketch) -> None:
    """Green terraces in a lake, with canals and cypresses (the sacred place of 12)."""
    x, y = MIDDLE[0] + 0.02, MIDDLE[1] + 0.04
    edge = [
        (0.03, 0.1),
        (0.1, 0.03),
        (0.5, 0.05),
        (0.9, 0.03),
        (0.97, 0.1),
        (0.95, 0.5),
        (0.97, 0.9),
        (0.9, 0.97),
        (0.5, 0.95),
        (0.1, 0.97),
        (0.03, 0.9),
        (0.05, 0.5),
    ]
    lake = smooth(np.asarray(edge), 2)
    sketch.polygon(lake, (196, 150, 70), None)
    sketch.wash((lake - 0.5) * 0.82 + 0.5, (170, 120, 50), 0.6, 0.05)
    for _ in range(40):
        px, py = sketch.rng.uniform(0.06, 0.94, 2)
        sketch.line([(px - 0.02, py), (px, py - 0.005), (px + 0.02, py)], (222, 190, 120), 0.003)
    for half, colour in (
        (0.33, (150, 186, 196)),
        (0.3, (92, 150, 118)),
        (0.2, (150, 186, 196)),
        (0.175, (104, 168, 132)),
    ):
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + [x, y]
        sketch.shade(square + [0.012, 0.018], 0.3)
        sketch.polygon(square, colour)
    for a, b in (((-0.33, -0.035), (0.33, 0.035)), ((-0.035, -0.33), (0.035, 0.33))):
        canal = [(x + a[0], y + a[1]), (x + b[0], y + a[1]), (x + b[0], y + b[1]), (x + a[0], y + b[1])]
        sketch.polygon(canal, (214, 176, 96), (150, 180, 190), 0.008)
    for px, py in _around(sketch, 24, 0.22, 0.36):
        if _clear(px, py):
            (cypress if sketch.rng.random() < 0.5 else bush)(
                sketch, px + 0.02, py + 0.06, float(sketch.rng.uniform(0.025, 0.04))
            )
    water(sketch, smooth(lump(sketch, x, y, 0.075, 10, 0.02)), (200, 160, 80))
    for k in range(8):
        angle = 2 * np.pi * k / 8
        house(sketch, x + 0.1 * np.cos(angle), y + 0.09 * np.sin(angle), (0.02, 0.02), 0.04, (190, 210, 222))


def palace(sketch: Sketch) -> None:
    """A court of blue domes and minarets before a formal garden (the sacred place of 15)."""
    x, y = MIDDLE
    stone, blue = (168, 190, 212), (176, 84, 44)
    for px, py in _around(sketch, 22, 0.3, 0.37):
        if _clear(px, py):
            bush(sketch, px, py, float(sketch.rng.uniform(0.02, 0.035)))
    court = np.array([[-0.27, -0.22], [0.27, -0.22], [0.27, 0.27], [-0.27, 0.27]]) + [x, y]
    sketch.polygon(court, toned(stone, 0.95))
    for i in (-1, 1):
        for j in (0, 1):
            bed = np.array([[0, 0], [0.17, 0], [0.17, 0.075], [0, 0.075]]) * [i, 1] + [
                x + 0.03 * i,
                y + 0.08 + 0.095 * j,
            ]
            sketch.polygon(bed, (86, 146, 112), (150, 190, 190), 0.006)
            bush(sketch, float(bed[:, 0].mean()), float(bed[:, 1].mean()), 0.022)
    water(
        sketch,
        np.array([[x - 0.018, y + 0.08], [x + 0.018, y + 0.08], [x + 0.018, y + 0.25], [x - 0.018, y + 0.25]]),
        (205, 150, 70),
    )
    house(sketch, x, y - 0.05, (0.42, 0.16), 0.07, stone)
    for k in (-0.2, 0.2):
        dome(sketch, x + k, y - 0.08, 0.06, toned(blue, 1.1), stone)
    dome(sketch, x, y - 0.06, 0.125, blue, stone)
    for k in (-0.27, 0.27):
        for dy in (-0.14, 0.2):
            if _clear(x + k, y + dy):
                house(sketch, x + k, y + dy, (0.035, 0.035), 0.14, stone)
                dome(sketch, x + k, y + dy - 0.14, 0.026, toned(blue, 1.2), stone)


PAINTERS: dict[str, Callable[[Sketch], None]] = {
    "O8": oasis,
    "V5": village,
    "M6": small_market,
    "M4": large_market,
    "S6": canyon,
    "S10": citadel,
    "S12": gardens,
    "S15": palace,
}
"""Who paints the picture of which kind of tile, by its code."""
