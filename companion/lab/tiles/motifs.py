"""What is painted on tiles by other hands: the same eight kinds as scenes, emblems, plans, carpets, and more."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.lab.rendering.sketch import Colour, Sketch, bush, folk, lump, rock, smooth, stall, toned
from companion.lab.rendering.tile_pictures import PAINTERS
from companion.lab.tiles.numerals import ring
from companion.lab.tiles.other_hands import cutout, linework, silhouette
from companion.lab.tiles.props import INK, LEAVES, ROOFS, SANDS, things

Motif = Callable[[Sketch, str, Colour], None]
"""Paints the picture of a kind of tile, by its code, on a sheet of a ground's colour."""


def _painted(sketch: Sketch, code: str, ground: Colour) -> None:
    PAINTERS[code](sketch)


def _horizon(sketch: Sketch, code: str, ground: Colour) -> None:
    level = float(sketch.rng.uniform(0.5, 0.66))
    sky = sketch.pick([(220, 190, 150), (200, 210, 220), (160, 180, 230), (230, 170, 120)])
    for band in range(10):
        top, low = level * band / 10, level * (band + 1) / 10 + 0.005
        sketch.polygon([(0, top), (1, top), (1, low), (0, low)], toned(sky, 0.8 + 0.04 * band), None)
    dunes = np.column_stack([np.linspace(-0.1, 1.1, 9), level - 0.05 + 0.04 * sketch.rng.standard_normal(9)])
    sketch.polygon(np.vstack([dunes, [(1.1, 1.1), (-0.1, 1.1)]]), toned(ground, 0.9), None)
    things(sketch, code, 0.47 + sketch.jitter(0.03), level + 0.08, float(sketch.rng.uniform(0.26, 0.36)))


def _emblem(sketch: Sketch, code: str, ground: Colour) -> None:
    x, y, reach = 0.48, 0.44, float(sketch.rng.uniform(0.3, 0.38))
    sketch.polygon(ring(x, y, reach, 48), toned(ground, float(sketch.rng.uniform(0.75, 1.12))), INK, 0.006)
    things(sketch, code, x, y + 0.42 * reach, 0.62 * reach)


def _plan(sketch: Sketch, code: str, ground: Colour) -> None:
    x, y, rng = 0.48, 0.44, sketch.rng
    if code == "O8":
        sketch.polygon(smooth(lump(sketch, x, y, 0.2, 9, 0.15)), (200, 150, 70), None)
        for turn in np.linspace(0, 2 * np.pi, 12, endpoint=False):
            sketch.polygon(ring(x + 0.28 * np.cos(turn), y + 0.26 * np.sin(turn), 0.05, 7), sketch.pick(LEAVES), None)
    elif code in ("V5", "M6", "M4"):
        count = {"V5": 9, "M6": 12, "M4": 34}[code]
        if code == "M6":
            sketch.polygon(
                np.array([(-0.25, -0.24), (0.25, -0.24), (0.25, 0.24), (-0.25, 0.24)]) + [x, y],
                toned(ground, 1.08),
                INK,
                0.012,
            )
        for place in range(count):
            turn, far = 2.4 * place, (0.06 + 0.24 * np.sqrt(place / count)) * (0.75 if code == "M6" else 1)
            px, py, half = x + far * np.cos(turn), y + far * np.sin(turn), 0.045 if code == "V5" else 0.028
            roof = sketch.pick(SANDS if code == "V5" else ROOFS)
            sketch.polygon(
                np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half * (1.6 if code == "V5" else 1) + [px, py],
                roof,
                INK,
                0.003,
            )
    elif code == "S6":
        for _ in range(26):
            px, py = rng.uniform(0.18, 0.78), rng.uniform(0.14, 0.74)
            rock(sketch, px, py, float(rng.uniform(0.03, 0.07)), ((120, 130, 160), (100, 110, 150)))
        sketch.polygon(ring(x, y, 0.12, 30), (170, 190, 214), INK, 0.006)
    elif code == "S10":
        for level, half in enumerate((0.3, 0.23, 0.15, 0.08)):
            sketch.polygon(ring(x, y, half * 1.3, 4, np.pi / 4), toned((80, 105, 150), 0.7 + 0.18 * level), INK, 0.006)
    elif code == "S12":
        for row in range(4):
            for column in range(4):
                bed = np.array([(0, 0), (0.13, 0), (0.13, 0.13), (0, 0.13)]) + [
                    x - 0.3 + 0.15 * column,
                    y - 0.3 + 0.15 * row,
                ]
                sketch.polygon(bed, sketch.pick(LEAVES) if (row + column) % 2 else (200, 160, 90), None)
    else:
        sketch.polygon(ring(x, y, 0.34, 16, inner=0.27), (190, 210, 220), INK, 0.004)
        for reach, colour in ((0.2, (170, 90, 50)), (0.13, (200, 130, 70)), (0.05, (80, 190, 230))):
            sketch.polygon(ring(x, y, reach, 40), colour, INK, 0.003)


def _carpet(sketch: Sketch, code: str, ground: Colour) -> None:
    number = list(PAINTERS).index(code)
    hues: tuple[Colour, ...] = (
        (90, 150, 90),
        (120, 170, 210),
        (150, 120, 170),
        (170, 140, 90),
        (120, 120, 150),
        (70, 90, 130),
        (120, 160, 130),
        (160, 110, 80),
    )
    colour, step = toned(hues[number], float(sketch.rng.uniform(0.85, 1.2))), float(sketch.rng.uniform(0.1, 0.17))
    corners = int(sketch.rng.integers(3, 9))
    for row in range(int(1 / step) + 1):
        for column in range(int(1 / step) + 1):
            px, py = (column + 0.5 * (row % 2)) * step, row * step
            sketch.polygon(ring(px, py, 0.4 * step, corners, 0.3 * row), colour, None)
            sketch.polygon(ring(px, py, 0.18 * step, corners), toned(ground, 1.05), None)
    if sketch.rng.random() < 0.6:
        things(sketch, code, 0.48, 0.6, 0.24)


def _bare(sketch: Sketch, code: str, ground: Colour) -> None:
    """Hardly anything: somebody on the way."""
    for _ in range(int(sketch.rng.integers(0, 8))):
        folk(sketch, float(sketch.rng.uniform(0.1, 0.9)), float(sketch.rng.uniform(0.1, 0.9)))


def _clutter(sketch: Sketch, code: str, ground: Colour) -> None:
    """Small things all over: pebbles, bushes, stalls, people."""
    for _ in range(int(sketch.rng.integers(12, 30))):
        px, py = (float(v) for v in sketch.rng.uniform(0.05, 0.95, 2))
        kind = int(sketch.rng.integers(4))
        if kind == 0:
            rock(sketch, px, py, float(sketch.rng.uniform(0.015, 0.04)))
        elif kind == 1:
            bush(sketch, px, py, float(sketch.rng.uniform(0.015, 0.04)))
        elif kind == 2 and code.startswith("M"):
            stall(sketch, px, py, float(sketch.rng.uniform(0.05, 0.09)))
        else:
            folk(sketch, px, py)
    things(sketch, code, 0.47, 0.55, 0.22)


def _shapes(sketch: Sketch, code: str, ground: Colour) -> None:
    """Anything at all: blots, stars and lines of a few colours, large and small."""
    rng = sketch.rng
    palette: list[Colour] = [tuple(float(v) for v in rng.uniform(10, 245, 3)) for _ in range(int(rng.integers(2, 6)))]  # type: ignore[misc]
    largest = float(rng.uniform(0.05, 0.4))
    for _ in range(int(rng.integers(4, 60))):
        x, y = (float(v) for v in rng.uniform(-0.05, 1.05, 2))
        reach = float(rng.uniform(0.01, largest))
        colour = palette[int(rng.integers(len(palette)))]
        what = int(rng.integers(4))
        if what == 0:
            sketch.polygon(smooth(lump(sketch, x, y, reach, 9, 0.3)), colour, None)
        elif what == 1:
            corners = 2 * int(rng.integers(3, 9))
            sketch.polygon(ring(x, y, reach, corners, inner=reach * float(rng.uniform(0.3, 0.9))), colour, None)
        elif what == 2:
            sketch.polygon(ring(x, y, reach, int(rng.integers(3, 9)), float(rng.uniform(0, 6))), colour, INK, 0.004)
        else:
            bent = np.cumsum(rng.normal(0, reach, (5, 2)), axis=0) + [x, y]
            sketch.line(bent, colour, float(rng.uniform(0.004, 0.03)))


def _flood(sketch: Sketch, code: str, ground: Colour) -> None:
    """Colours that run into one another, with no thing in them."""
    rng = sketch.rng
    coarse = rng.uniform(20, 240, (int(rng.integers(2, 8)), int(rng.integers(2, 8)), 3)).astype(np.float32)
    wash = cv2.resize(coarse, (sketch.side, sketch.side), interpolation=cv2.INTER_CUBIC)
    share = float(rng.uniform(0.3, 1.0))
    sketch.sheet[...] = np.clip(share * wash + (1 - share) * sketch.sheet, 0, 255).astype(np.uint8)


MOTIFS: Mapping[str, Motif] = {
    "painted": _painted,
    "horizon": _horizon,
    "emblem": _emblem,
    "plan": _plan,
    "carpet": _carpet,
    "bare": _bare,
    "clutter": _clutter,
    "silhouette": silhouette,
    "linework": linework,
    "cutout": cutout,
    "shapes": _shapes,
    "flood": _flood,
}
"""Who paints, by family."""


def mottled(sketch: Sketch, colour: Colour, depth: float) -> None:
    """Cover the sheet with a ground that is a little uneven."""
    coarse = sketch.rng.standard_normal((8, 8)).astype(np.float32) * depth
    shade = cv2.resize(coarse, (sketch.side, sketch.side), interpolation=cv2.INTER_CUBIC)[..., None]
    sketch.sheet[...] = np.clip(np.asarray(colour, np.float32) * (1 + shade), 0, 255).astype(np.uint8)
