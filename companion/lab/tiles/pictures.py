"""Pictures of the kinds of tiles by other hands: silhouettes, contours, cut paper."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.lab.tiles.numerals import ring
from companion.lab.tiles.props import INK, block, cupola, keep, side_palm, tree
from companion.lab.tiles.sketch import Colour, Points, Sketch, lump, smooth, toned


def silhouette(sketch: Sketch, code: str) -> None:
    """Black against an evening sky, in another arrangement."""
    for band in range(14):
        share = band / 14
        sky = (150 - 90 * share, 120 + 60 * share, 190 + 50 * share)
        sketch.polygon([(0, 0.75 * share), (1, 0.75 * share), (1, 0.82), (0, 0.82)], sky, None)
    sketch.polygon(ring(0.5, 0.5, 0.2, 40), (120, 210, 250), None)
    black: Colour = (36, 30, 40)
    ridge = np.column_stack([np.linspace(0, 1, 12), 0.72 + 0.03 * sketch.rng.standard_normal(12)])
    sketch.polygon(np.vstack([ridge, [(1, 1), (0, 1)]]), black, None)
    if code == "O8":
        for px, tall in ((0.25, 0.3), (0.4, 0.42), (0.7, 0.36)):
            side_palm(sketch, px, 0.76, tall, black, black)
    elif code == "V5":
        for px, tall in ((0.2, 0.1), (0.34, 0.18), (0.5, 0.12), (0.66, 0.2), (0.8, 0.11)):
            block(sketch, px, 0.76, 0.15, tall, black, None)
    elif code in ("M6", "M4"):
        for px in (0.5,) if code == "M6" else (0.22, 0.4, 0.6, 0.78):
            wide = 0.34 if code == "M6" else 0.17
            sketch.polygon(
                np.array([(-0.5, 0), (-0.5, -0.5), (0, -1), (0.5, -0.5), (0.5, 0)]) * wide + [px, 0.76], black, None
            )
    elif code == "S6":
        sketch.polygon(smooth(lump(sketch, 0.5, 0.72, 0.3, 9, 0.1), 1), black, None)
        sketch.polygon(ring(0.5, 0.68, 0.09, 30), (90, 170, 230), None)
    elif code == "S10":
        for px, tall in ((0.25, 0.25), (0.4, 0.38), (0.55, 0.48), (0.72, 0.3)):
            keep(sketch, px, 0.76, 0.14, tall, black, None)
    elif code == "S12":
        for px, tall in zip(np.linspace(0.15, 0.85, 8), sketch.rng.uniform(0.14, 0.3, 8), strict=True):
            tree(sketch, float(px), 0.76, float(tall), black)
    else:
        for px, r in ((0.28, 0.09), (0.5, 0.16), (0.72, 0.09)):
            cupola(sketch, px, 0.74, r, black, None)
        for px in (0.15, 0.85):
            block(sketch, px, 0.76, 0.035, 0.42, black, None)


def linework(sketch: Sketch, code: str) -> None:
    """Thin contours and no colour at all."""

    def draw(points: list[tuple[float, float]] | Points) -> None:
        sketch.line(points, INK, 0.008)

    x, y = 0.5, 0.5
    if code == "O8":
        for reach in (0.26, 0.2, 0.13):
            draw(smooth(lump(sketch, x, y, reach, 9, 0.06)))
        for turn in np.linspace(0, 2 * np.pi, 7, endpoint=False):
            start = (x + 0.3 * np.cos(turn), y + 0.3 * np.sin(turn))
            draw([start, (x + 0.38 * np.cos(turn + 0.1), y + 0.38 * np.sin(turn + 0.1))])
    elif code == "V5":
        for px, py in ((0.34, 0.4), (0.6, 0.36), (0.5, 0.62), (0.28, 0.64), (0.72, 0.6)):
            draw(
                np.array([(-0.09, 0.08), (-0.09, -0.04), (0, -0.12), (0.09, -0.04), (0.09, 0.08), (-0.09, 0.08)])
                + [px, py]
            )
    elif code in ("M6", "M4"):
        grid = 2 if code == "M6" else 4
        for line in np.linspace(-0.26, 0.26, grid + 1):
            draw([(x + line, y - 0.26), (x + line, y + 0.26)])
            draw([(x - 0.26, y + line), (x + 0.26, y + line)])
    elif code == "S6":
        for reach in np.linspace(0.08, 0.34, 6):
            draw(lump(sketch, x, y, float(reach), 11, 0.12))
    elif code == "S10":
        draw(np.vstack([ring(x, y, 0.34, 16, inner=0.27), ring(x, y, 0.34, 16, inner=0.27)[:1]]))
        draw(np.vstack([ring(x, y, 0.18, 4), ring(x, y, 0.18, 4)[:1]]))
    elif code == "S12":
        for turn in np.linspace(0, 2 * np.pi, 8, endpoint=False):
            petal = ring(x + 0.17 * np.cos(turn), y + 0.17 * np.sin(turn), 0.13, 30)
            draw(np.vstack([petal, petal[:1]]))
    else:
        for px, r in ((0.5, 0.17), (0.26, 0.09), (0.74, 0.09)):
            half = np.array([(0.9, 0.9), (0.9, 0), (1.0, -0.35), (0.75, -0.85), (0.3, -1.2), (0, -1.6)])
            draw(np.vstack([half, half[-2::-1] * [-1, 1]]) * r + [px, 0.62])


def cutout(sketch: Sketch, code: str) -> None:
    """Layers of bright paper."""
    hues: Mapping[str, tuple[Colour, Colour]] = {
        "O8": ((150, 200, 110), (220, 170, 60)),
        "V5": ((120, 200, 240), (80, 140, 230)),
        "M6": ((200, 170, 230), (120, 100, 210)),
        "M4": ((230, 200, 150), (210, 130, 80)),
        "S6": ((190, 190, 220), (110, 110, 170)),
        "S10": ((120, 150, 200), (60, 70, 120)),
        "S12": ((170, 220, 160), (90, 160, 70)),
        "S15": ((230, 200, 170), (190, 100, 40)),
    }
    pale, full = hues[code]
    sketch.polygon([(0, 0), (1, 0), (1, 1), (0, 1)], toned(pale, 1.1), None)
    for layer in range(4):
        base = 0.4 + 0.13 * layer
        hill = np.column_stack([np.linspace(0, 1, 10), base + 0.05 * np.sin(np.linspace(0, 6, 10) + 2 * layer)])
        colour = tuple(p + (f - p) * (layer + 1) / 4 for p, f in zip(pale, full, strict=True))
        sketch.wash(np.vstack([hill - [0, 0.012], [(1, 1), (0, 1)]]), (40, 52, 70), 0.25, 0.006)
        sketch.polygon(np.vstack([hill, [(1, 1), (0, 1)]]), (colour[0], colour[1], colour[2]), None)
    white: Colour = (236, 242, 246)
    if code == "O8":
        for px, r in ((0.35, 0.12), (0.6, 0.15)):
            sketch.polygon(ring(px, 0.4, r, 14, inner=0.4 * r), (70, 150, 60), None)
            sketch.polygon(
                np.array([(-0.015, 0), (0.015, 0), (0.02, 0.25), (-0.02, 0.25)]) + [px, 0.42], (50, 90, 140), None
            )
    elif code == "V5":
        for px, py in ((0.3, 0.5), (0.5, 0.4), (0.68, 0.53)):
            sketch.polygon(np.array([(-0.09, 0.1), (-0.09, -0.06), (0.09, -0.06), (0.09, 0.1)]) + [px, py], white, None)
            sketch.polygon(ring(px, py - 0.06, 0.08, 30), (60, 90, 210), None)
    elif code in ("M6", "M4"):
        for px, py in ((0.48, 0.45),) if code == "M6" else ((0.3, 0.36), (0.62, 0.34), (0.4, 0.58), (0.7, 0.56)):
            r = 0.2 if code == "M6" else 0.11
            for wedge in range(8):
                turn = np.pi * wedge / 4
                tent = [
                    (px, py),
                    (px + r * np.cos(turn), py + r * np.sin(turn)),
                    (px + r * np.cos(turn + 0.79), py + r * np.sin(turn + 0.79)),
                ]
                sketch.polygon(tent, white if wedge % 2 else (70, 70, 200), None)
    elif code == "S6":
        for px, tall in ((0.3, 0.25), (0.48, 0.4), (0.66, 0.3)):
            sketch.polygon([(px - 0.1, 0.68), (px, 0.68 - tall), (px + 0.1, 0.68)], (130, 140, 180), None)
    elif code == "S10":
        half = np.array([(-0.25, 0.2), (-0.25, -0.2), (-0.15, -0.2), (-0.15, -0.1), (-0.05, -0.1), (-0.05, -0.28)])
        sketch.polygon(np.vstack([half, half[::-1] * [-1, 1]]) + [0.48, 0.5], (70, 80, 120), None)
    elif code == "S12":
        for px, py in ((0.28, 0.4), (0.48, 0.3), (0.66, 0.42), (0.4, 0.58), (0.62, 0.62)):
            sketch.polygon(
                ring(px, py, 0.1, 12, inner=0.06), sketch.pick([(120, 90, 220), (90, 200, 240), (200, 120, 200)]), None
            )
    else:
        sketch.polygon(ring(0.48, 0.42, 0.2, 40), (200, 110, 50), None)
        sketch.polygon(np.array([(-0.24, 0.22), (-0.24, 0.0), (0.24, 0.0), (0.24, 0.22)]) + [0.48, 0.45], white, None)
        sketch.polygon(ring(0.48, 0.18, 0.05, 10, inner=0.02), (70, 200, 240), None)
