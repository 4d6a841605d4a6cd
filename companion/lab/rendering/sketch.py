"""A sheet to draw on, and the small things that pictures of tiles are made of: rocks, trees, houses, domes.

Places and sizes are shares of the sheet's side, x to the right and y down; colours are BGR, 0 to 255.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.lab.rendering.textures import Image

Colour = tuple[float, float, float]
Points = NDArray[np.float64]

INK: Colour = (38, 52, 74)
CREAM: Colour = (158, 200, 226)
PALE: Colour = (196, 224, 238)
SANDSTONE: Colour = (128, 172, 208)
GREENS: tuple[Colour, ...] = ((62, 118, 96), (54, 100, 78), (70, 134, 118), (46, 84, 70), (88, 150, 128))
ROCKS: tuple[Colour, ...] = ((104, 122, 160), (120, 136, 166), (92, 104, 138), (130, 148, 182))
CLOTHS: tuple[Colour, ...] = (
    (60, 70, 186),
    (170, 110, 60),
    (70, 150, 200),
    (120, 80, 150),
    (90, 140, 90),
    (190, 200, 215),
)

_SHIFT = 4


def toned(colour: Colour, factor: float) -> Colour:
    """The colour lighter (above 1) or darker."""
    blue, green, red = (min(max(c * factor, 0), 255) for c in colour)
    return blue, green, red


def _blurred(mask: Image, sigma: float) -> Image:
    """The mask blurred; wide blurs are made on a smaller copy, which looks the same."""
    step = max(int(sigma / 3), 1)
    if step == 1:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)
    size = (mask.shape[1], mask.shape[0])
    small = cv2.resize(mask, (max(size[0] // step, 1), max(size[1] // step, 1)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / step), size), np.uint8)


class Sketch:
    """A square sheet of `side` px with pen and brush; `rng` makes every stroke a little different."""

    def __init__(self, side: int, rng: np.random.Generator, ground: Colour) -> None:
        self.side = side
        self.rng = rng
        self.sheet: Image = np.full((side, side, 3), ground, np.uint8)

    def px(self, points: ArrayLike) -> NDArray[np.int32]:
        """Points in the fixed-point px that OpenCV draws with."""
        return np.round(np.asarray(points, np.float64) * self.side * (1 << _SHIFT)).astype(np.int32)

    def width(self, share: float) -> int:
        """A line's width in px, at least 1."""
        return max(round(share * self.side), 1)

    def polygon(self, points: ArrayLike, fill: Colour, ink: Colour | None = INK, pen: float = 0.004) -> None:
        """A filled polygon with an inked rim, or none."""
        px = self.px(points)
        cv2.fillPoly(self.sheet, [px], fill, cv2.LINE_AA, _SHIFT)
        if ink is not None:
            cv2.polylines(self.sheet, [px], True, ink, self.width(pen), cv2.LINE_AA, _SHIFT)

    def ellipse(
        self, x: float, y: float, half: tuple[float, float], fill: Colour, ink: Colour | None = INK, pen: float = 0.004
    ) -> None:
        """A filled ellipse of half width and half height, with an inked rim or none."""
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.polygon(np.column_stack([x + half[0] * np.cos(turn), y + half[1] * np.sin(turn)]), fill, ink, pen)

    def line(self, points: ArrayLike, ink: Colour = INK, pen: float = 0.004) -> None:
        """A line through the points."""
        cv2.polylines(self.sheet, [self.px(points)], False, ink, self.width(pen), cv2.LINE_AA, _SHIFT)

    def shade(self, points: ArrayLike, strength: float = 0.35, blur: float = 0.012) -> None:
        """Darken the inside of a polygon softly, as a shadow or a wash."""
        self.wash(points, (40, 52, 70), strength, blur)

    def wash(self, points: ArrayLike, colour: Colour, strength: float, blur: float = 0.015) -> None:
        """Colour the inside of a polygon, softly at the rim and not hiding what is there."""
        places = np.asarray(points, np.float64)
        reach = 3 * blur + 0.01
        left, top = np.clip(np.floor((places.min(0) - reach) * self.side).astype(int), 0, self.side - 1)
        right, bottom = np.clip(np.ceil((places.max(0) + reach) * self.side).astype(int), 1, self.side)
        rows, columns = slice(int(top), int(bottom)), slice(int(left), int(right))
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [self.px(places - np.array([left, top]) / self.side)], 255, cv2.LINE_AA, _SHIFT)
        share = _blurred(mask, max(blur * self.side, 0.3)).astype(np.float32)
        share = share[..., None] * np.float32(strength / 255)
        part = self.sheet[rows, columns]
        part[...] = (part * (1 - share) + np.asarray(colour, np.float32) * share).astype(np.uint8)

    def pick(self, colours: Sequence[Colour]) -> Colour:
        """One of the colours, a little lighter or darker."""
        return toned(colours[int(self.rng.integers(len(colours)))], float(self.rng.uniform(0.9, 1.12)))

    def jitter(self, amount: float) -> float:
        """A random number around 0, of that deviation."""
        return float(self.rng.normal(0, amount))


def lump(sketch: Sketch, x: float, y: float, size: float, corners: int = 9, rough: float = 0.16) -> Points:
    """An uneven closed outline around a place."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False) + sketch.rng.uniform(0, 0.6)
    reach = size * (1 + rough * sketch.rng.standard_normal(corners))
    return np.column_stack([x + reach * np.cos(turn), y + 0.82 * reach * np.sin(turn)])


def smooth(points: Points, times: int = 3) -> Points:
    """The closed line with its corners rounded."""
    for _ in range(times):
        after = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after], 1).reshape(-1, 2)
    return points


def rock(sketch: Sketch, x: float, y: float, size: float, colours: Sequence[Colour] = ROCKS) -> None:
    """A boulder lit from the top left."""
    outline = lump(sketch, x, y, size, 8)
    colour = sketch.pick(colours)
    sketch.shade(outline + [size * 0.25, size * 0.3], 0.35)
    sketch.polygon(outline, toned(colour, 0.72))
    lit = (outline - [x, y]) * 0.72 + [x - 0.16 * size, y - 0.2 * size]
    sketch.polygon(lit, toned(colour, 1.14), None)
    sketch.line(outline[1:4] * 0.6 + np.array([x, y]) * 0.4, toned(colour, 0.6), 0.003)


def palm(sketch: Sketch, x: float, y: float, size: float) -> None:
    """A palm seen from above: a star of curved leaves."""
    sketch.shade(lump(sketch, x + 0.5 * size, y + 0.55 * size, 0.7 * size), 0.3)
    leaves = int(sketch.rng.integers(7, 10))
    start = float(sketch.rng.uniform(0, 1))
    for leaf in range(leaves):
        turn = start + 2 * np.pi * leaf / leaves + sketch.jitter(0.1)
        along = np.array([np.cos(turn), 0.85 * np.sin(turn)])
        across = np.array([-along[1], along[0]])
        length = size * float(sketch.rng.uniform(0.8, 1.1))
        root = np.array([x, y])
        bow = 0.18 * length
        points = [
            root,
            root + 0.45 * length * along + 0.16 * length * across,
            root + length * along + bow * across,
            root + 0.5 * length * along - 0.1 * length * across,
        ]
        sketch.polygon(points, sketch.pick(GREENS), (30, 56, 44), 0.003)
    sketch.ellipse(x, y, (0.12 * size, 0.12 * size), (60, 96, 128), None)


def bush(sketch: Sketch, x: float, y: float, size: float) -> None:
    """A clump of leaves, lit from the top left."""
    sketch.shade(lump(sketch, x + 0.2 * size, y + 0.25 * size, size), 0.3)
    for number in range(7):
        away = size * (0.65 if number < 5 else 0.25)
        turn = 2 * np.pi * number / 5 + sketch.jitter(0.3)
        place = (x + away * np.cos(turn), y + 0.8 * away * np.sin(turn))
        colour = sketch.pick(GREENS)
        sketch.polygon(smooth(lump(sketch, *place, 0.5 * size, 7), 2), toned(colour, 0.85), (34, 60, 50), 0.003)
        sketch.ellipse(
            place[0] - 0.12 * size, place[1] - 0.14 * size, (0.24 * size, 0.18 * size), toned(colour, 1.25), None
        )


def cypress(sketch: Sketch, x: float, y: float, size: float) -> None:
    """A slim dark tree, seen from the side."""
    shape = [
        (x, y - 2 * size),
        (x + 0.4 * size, y - 0.8 * size),
        (x + 0.3 * size, y),
        (x - 0.3 * size, y),
        (x - 0.4 * size, y - 0.8 * size),
    ]
    sketch.shade(np.asarray(shape) * [1, 1] + [0.3 * size, 0.1 * size], 0.25)
    sketch.polygon(smooth(np.asarray(shape), 2), (52, 88, 60), (28, 50, 38), 0.003)
    sketch.line([(x - 0.1 * size, y - 1.5 * size), (x - 0.16 * size, y - 0.4 * size)], (90, 140, 104), 0.005)


def house(
    sketch: Sketch,
    x: float,
    y: float,
    size: tuple[float, float],
    tall: float,
    colour: Colour = SANDSTONE,
    turn: float = 0.0,
) -> None:
    """A flat-roofed house of a width and depth, seen from high up in front."""
    c, s = np.cos(turn), np.sin(turn)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(size) / 2
    base = half @ np.array([[c, s * 0.7], [-s, c * 0.7]]) + [x, y]
    roof = base - [0, tall]
    sketch.shade(base + [0.35 * tall, 0.3 * tall], 0.4)
    for i in range(4):
        wall = np.array([base[i], base[(i + 1) % 4], roof[(i + 1) % 4], roof[i]])
        if wall[1][0] < wall[0][0]:
            facing = (wall[0][0] - wall[1][0]) / (np.hypot(*(wall[0] - wall[1])) + 1e-9)
            sketch.polygon(wall, toned(colour, 0.6 + 0.2 * facing))
            if facing > 0.8 and tall > 0.02:
                foot = (base[i] + base[(i + 1) % 4]) / 2
                door = [
                    (-0.14 * size[0], 0),
                    (0.14 * size[0], 0),
                    (0.14 * size[0], -0.6 * tall),
                    (0, -0.75 * tall),
                    (-0.14 * size[0], -0.6 * tall),
                ]
                sketch.polygon(foot + np.asarray(door), toned(colour, 0.35), None)
    sketch.polygon(roof, toned(colour, 1.08))
    inner = (roof - roof.mean(0)) * 0.76 + roof.mean(0)
    sketch.polygon(inner, toned(colour, 0.92), toned(colour, 0.66), 0.002)


def dome(sketch: Sketch, x: float, y: float, size: float, colour: Colour, ground: Colour = SANDSTONE) -> None:
    """A round building under an onion dome."""
    sketch.shade(lump(sketch, x + 0.35 * size, y + 0.2 * size, 1.05 * size), 0.4)
    sketch.polygon(
        [
            (x - 0.8 * size, y - 0.2 * size),
            (x + 0.8 * size, y - 0.2 * size),
            (x + 0.8 * size, y + 0.35 * size),
            (x - 0.8 * size, y + 0.35 * size),
        ],
        toned(ground, 0.85),
    )
    for k in range(5):
        sketch.ellipse(x + (k - 2) * 0.32 * size, y + 0.12 * size, (0.08 * size, 0.14 * size), toned(ground, 0.5), None)
    half = np.array([(0, -1.35), (0.1, -1.12), (0.42, -0.95), (0.8, -0.62), (0.86, -0.35), (0.7, -0.15)])
    outline = np.vstack([half, half[:0:-1] * [-1, 1]]) * size + [x, y]
    sketch.polygon(outline, colour)
    sketch.wash(
        smooth((outline - [x, y - 0.6 * size]) * [0.35, 0.6] + [x - 0.28 * size, y - 0.62 * size]),
        toned(colour, 1.6),
        0.8,
        0.012,
    )
    sketch.wash(
        (outline - [x, y - 0.6 * size]) * [0.3, 0.8] + [x + 0.52 * size, y - 0.5 * size],
        toned(colour, 0.55),
        0.6,
        0.012,
    )
    sketch.line([(x, y - 1.32 * size), (x, y - 1.6 * size)], (60, 140, 190), 0.006)
    sketch.ellipse(x, y - 1.6 * size, (0.07 * size, 0.07 * size), (80, 180, 220))


def stall(sketch: Sketch, x: float, y: float, size: float) -> None:
    """A market stall under a striped awning."""
    turn = sketch.jitter(0.5)
    c, s = np.cos(turn), np.sin(turn)
    frame = np.array([[c, s], [-s, c]]) * size
    corners = np.array([[-0.5, -0.35], [0.5, -0.35], [0.5, 0.35], [-0.5, 0.35]]) @ frame + [x, y]
    sketch.shade(corners + [0.2 * size, 0.3 * size], 0.4, 0.008)
    colour = sketch.pick(CLOTHS)
    sketch.polygon(corners, colour)
    for k in (0.2, 0.6):
        stripe = [corners[0] + k * (corners[1] - corners[0]), corners[0] + (k + 0.2) * (corners[1] - corners[0])]
        stripe += [corners[3] + (k + 0.2) * (corners[2] - corners[3]), corners[3] + k * (corners[2] - corners[3])]
        sketch.polygon(stripe, (214, 226, 232), None)
    sketch.polygon(
        [corners[3], corners[2], corners[2] + [0, 0.14 * size], corners[3] + [0, 0.14 * size]], toned(colour, 0.6)
    )


def folk(sketch: Sketch, x: float, y: float) -> None:
    """Somebody on the way, seen from far above."""
    sketch.shade([(x, y), (x + 0.008, y + 0.002), (x + 0.014, y + 0.009), (x + 0.004, y + 0.007)], 0.5, 0.002)
    sketch.ellipse(x, y, (0.005, 0.007), sketch.pick(CLOTHS), INK, 0.002)


def tower(sketch: Sketch, x: float, y: float, size: float, tall: float, colour: Colour = SANDSTONE) -> None:
    """A square tower with a crown of battlements."""
    house(sketch, x, y, (size, size), tall, colour)
    top = y - tall
    for k in (-0.42, 0, 0.42):
        mark = np.array([[-0.12, -0.1], [0.12, -0.1], [0.12, 0.16], [-0.12, 0.16]]) * size
        sketch.polygon(mark + [x + k * size, top + 0.36 * size], toned(colour, 1.15), toned(colour, 0.5), 0.002)


def wall(sketch: Sketch, points: Points, thick: float, colour: Colour = SANDSTONE, *, closed: bool = True) -> None:
    """A town wall along a line, with battlements."""
    line = np.vstack([points, points[:1]]) if closed else points
    cv2.polylines(
        sketch.sheet,
        [sketch.px(line + [0.012, 0.016])],
        False,
        (84, 112, 142),
        sketch.width(thick * 1.2),
        cv2.LINE_AA,
        _SHIFT,
    )
    cv2.polylines(sketch.sheet, [sketch.px(line)], False, INK, sketch.width(thick * 1.25), cv2.LINE_AA, _SHIFT)
    cv2.polylines(sketch.sheet, [sketch.px(line)], False, colour, sketch.width(thick), cv2.LINE_AA, _SHIFT)
    for start, end in zip(line[:-1], line[1:], strict=True):
        steps = max(int(np.hypot(*(end - start)) / (thick * 0.9)), 1)
        for k in range(steps):
            x, y = start + (k + 0.5) / steps * (end - start)
            sketch.ellipse(x, y, (thick * 0.24, thick * 0.24), toned(colour, 1.2), toned(colour, 0.6), 0.002)


def water(sketch: Sketch, outline: Points, colour: Colour = (190, 142, 64)) -> None:
    """A sheet of water: pale rim, darker deep, ripples."""
    middle = outline.mean(0)
    sketch.wash((outline - middle) * 1.12 + middle, (92, 130, 150), 0.7, 0.02)
    sketch.polygon(outline, toned(colour, 1.18), (96, 84, 60), 0.005)
    sketch.wash((outline - middle) * 0.72 + middle, toned(colour, 0.85), 0.8, 0.03)
    low, high = outline.min(0), outline.max(0)
    for _ in range(14):
        x, y = sketch.rng.uniform(low, high)
        if cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True) > 0.03:
            sketch.line([(x - 0.015, y), (x, y - 0.004), (x + 0.015, y)], toned(colour, 1.4), 0.003)
