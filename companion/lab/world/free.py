"""Pieces that vary without end, for training alone: no two boxes alike, and on one board pieces of several boxes.

Families of shapes and paints are few, and a network learns those that it sees rather than what a palm or a camel is.
So bodies of the families that are trained on are bent out of shape, others are put together at random, and paints are
drawn from all that a player would still call by their colour's name. Held-out families are not drawn from. What is put
together at random may come near one by chance; paints of palms and palaces keep away from the held-out ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, PIECE_KINDS, Finish, Hsv, PieceSet, make_paint
from companion.lab.rendering.textures import Floats
from companion.lab.world.bodies import (
    SECOND,
    Body,
    block_body,
    centred,
    cut_body,
    joined,
    leaf_body,
    moved,
    scaled,
    turned_body,
)
from companion.lab.world.boxes import BodySet, footprint
from companion.lab.world.catalogue import HELD_OUT, TRAINING, families, palace_tones
from companion.lab.world.paints import PALACE_PAINTS, PALM_PAINTS, draw_materials
from companion.lab.world.shapes import SHAPES
from companion.rules.model.components import Colour, Tribe

FREE = "free"
"""What a frame of theirs has in place of a family."""

BOXES = 4
"""From how many boxes the pieces of one board are."""

Range = tuple[float, float]

SIZES_MM: Mapping[str, tuple[Range, Range]] = {
    MEEPLE: ((9, 19), (12.5, 21)),
    CAMEL: ((17, 28), (12.5, 20)),
    PALM: ((9, 28), (15, 31)),
    PALACE: ((11, 27), (11, 30)),
}
"""How wide and how high bodies of a kind may be."""

_TRIBES: Mapping[Tribe, tuple[Range, Range, Range]] = {
    Tribe.VIZIER: ((36, 62), (0.42, 1.0), (0.62, 0.97)),
    Tribe.ELDER: ((0, 360), (0.0, 0.18), (0.72, 0.97)),
    Tribe.BUILDER: ((198, 246), (0.45, 0.95), (0.3, 0.92)),
    Tribe.MERCHANT: ((85, 165), (0.38, 0.95), (0.2, 0.74)),
    Tribe.ASSASSIN: ((-20, 8), (0.55, 0.97), (0.36, 0.9)),
}
_CAMELS: Mapping[Colour, tuple[Range, Range, Range]] = {
    Colour.BLACK: ((0, 360), (0.0, 0.3), (0.06, 0.27)),
    Colour.ORANGE: ((18, 32), (0.6, 1.0), (0.62, 0.97)),
    Colour.BLUE: ((176, 212), (0.4, 0.95), (0.42, 0.86)),
    Colour.PINK: ((303, 344), (0.28, 0.65), (0.66, 0.97)),
}
"""Hue in degrees, saturation and value that paints are drawn from."""

_AS_MEEPLES: Mapping[str, tuple[Tribe, ...]] = {PALM: (Tribe.MERCHANT,), PALACE: (Tribe.ELDER, Tribe.VIZIER)}
_NEAR: Hsv = (16.0, 0.22, 0.22)
"""How near to a held-out paint no palm's or palace's is, in hue, saturation and value together."""


def bent(body: Body, kind: str, rng: np.random.Generator) -> Body:
    """The body bent out of shape: wider and narrower up its height, its parts higher and lower, leaning a little.

    What is flat in its depth stays flat. It is no larger or smaller than pieces of that kind may be.
    """
    width, depth, height = body.size
    up = body.points[:, 2] / max(height, 1e-6)
    knots = np.linspace(0, 1, 5)
    tall = np.cumsum([0.0, *np.exp(rng.normal(0, 0.28, 4))])
    wide = np.exp(rng.normal(0, 0.17, 5))
    lean = float(rng.normal(0, 0.05)) * height if rng.random() < 0.5 else 0.0
    across = body.points[:, 0] * np.interp(up, knots, wide) + lean * up
    points = np.column_stack([across, body.points[:, 1], height * np.interp(up, knots, tall / tall[-1])])
    changed = centred(replace(body, points=np.asarray(points, np.float64)))
    widths, heights = SIZES_MM[kind]
    size = np.exp(rng.normal(0, 0.1, 3))
    return scaled(
        changed,
        float(np.clip(changed.size[0] * size[0], *widths)),
        float(np.clip(depth * size[1], 2.5, widths[1])),
        float(np.clip(changed.size[2] * size[2], *heights)),
    )


def _profile(tall: float, widest: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """A profile for the lathe: beads, cones and necks at random."""
    knots = int(rng.integers(4, 9))
    heights = np.sort(rng.uniform(0, tall, knots))
    heights[0], heights[-1] = 0.0, tall
    radii = widest * rng.uniform(0.25, 1.0, knots)
    radii[0] = widest * rng.uniform(0.7, 1.0)
    if rng.random() < 0.6:
        radii[-1] = 0.1
    fine = np.linspace(0, tall, 16)
    line = np.interp(fine, heights, radii)
    if rng.random() < 0.6:
        line[1:-1] = (line[:-2] + 2 * line[1:-1] + line[2:]) / 4
    return [(float(r), float(h)) for r, h in zip(line, fine, strict=True)]


def turned_figure(rng: np.random.Generator) -> Body:
    """A figure turned on a lathe to any profile, most with a ball for a head."""
    tall, widest = float(rng.uniform(13, 20)), float(rng.uniform(4.5, 7.5))
    if rng.random() < 0.3:
        return turned_body(_profile(tall, widest, rng), 18)
    head = float(rng.uniform(2.6, 4.2))
    turn = np.linspace(0.4, np.pi, 9)
    ball = [(max(head * float(np.sin(a)), 0.1), tall - head - head * float(np.cos(a))) for a in turn]
    trunk = [(r, h) for r, h in _profile(tall - 2 * head, widest, rng) if h < tall - 2 * head - 0.2]
    return turned_body([*trunk, *ball], 18)


def _trunk(tall: float, rng: np.random.Generator) -> Body:
    """A trunk, straight or bowed, thicker or thinner upwards."""
    thick = float(rng.uniform(1.2, 3.2))
    bow = float(rng.normal(0, 1.6))
    trunk = turned_body([(r, h) for r, h in _profile(tall, thick, rng)][:-1] + [(0.8 * thick, tall)], 12, SECOND)
    up = trunk.points[:, 2] / tall
    lift = np.column_stack([bow * np.sin(np.pi * up), np.zeros_like(up), np.zeros_like(up)])
    return replace(trunk, points=np.asarray(trunk.points + lift, np.float64))


def _leaves(z: float, rng: np.random.Generator) -> list[Body]:
    """A whorl of leaves alike, at that height."""
    count = int(rng.integers(3, 11))
    leaf = leaf_body(
        float(rng.uniform(5, 13)),
        float(rng.uniform(1.8, 6.5)),
        float(rng.uniform(-1, 8)),
        float(rng.uniform(-3, 9)),
        float(rng.uniform(0.5, 1.6)),
    )
    start, apart = float(rng.uniform(0, 360)), 360 / count
    return [moved(leaf, z=z, turn=start + apart * k + float(rng.normal(0, 6))) for k in range(count)]


def grown_palm(rng: np.random.Generator) -> Body:
    """A trunk under whorls of leaves, balls, cones or whatever a lathe makes."""
    tall = float(rng.uniform(6, 19))
    parts = [_trunk(tall, rng)]
    kind = rng.random()
    if kind < 0.5:
        for tier in range(int(rng.integers(1, 4))):
            parts += _leaves(tall - 2.5 * tier, rng)
        if rng.random() < 0.6:
            radius = float(rng.uniform(1, 2.8))
            parts.append(
                moved(turned_body([(0.5 * radius, 0), (radius, radius), (0.2, 2 * radius)], 12), z=tall - radius)
            )
    elif kind < 0.75:
        for _ in range(int(rng.integers(1, 7))):
            radius = float(rng.uniform(2.5, 6))
            turn = np.linspace(0.05, np.pi, 8)
            ball = turned_body([(radius * float(np.sin(a)), radius * (1 - float(np.cos(a)))) for a in turn], 12)
            x, y = (float(v) for v in rng.normal(0, 0.55 * radius, 2))
            parts.append(moved(ball, x, y, tall - radius + float(rng.uniform(-1, 4))))
    else:
        crown = turned_body(
            _profile(float(rng.uniform(6, 18)), float(rng.uniform(4, 9.5)), rng), int(rng.integers(5, 22))
        )
        parts.append(moved(crown, z=tall - 1))
    return centred(joined(parts))


def _roof(half: float, deep: float, rng: np.random.Generator) -> Body:
    """What a tower or hall of that half width and depth carries."""
    kind = rng.random()
    if kind < 0.3:
        rise = half * float(rng.uniform(0.5, 1.8))
        return cut_body(np.array([(-half, 0), (half, 0), (0, rise)]), 2 * deep, 0.2, rise + 1)
    if kind < 0.6:
        tall = half * float(rng.uniform(0.6, 2.4))
        return turned_body(_profile(tall, half * float(rng.uniform(0.8, 1.15)), rng), int(rng.integers(4, 18)), SECOND)
    if kind < 0.8:
        tooth = half * float(rng.uniform(0.25, 0.5))
        places = [(i * (half - tooth / 2), j * (deep - tooth / 2)) for i in (-1, 0, 1) for j in (-1, 1)]
        return joined([moved(block_body(tooth, tooth, 1.3 * tooth, 0.1), x, y) for x, y in places])
    over = float(rng.uniform(0.9, 1.3))
    return block_body(2 * half * over, 2 * deep * over, float(rng.uniform(0.8, 2.5)), 0.2, SECOND)


def built_palace(rng: np.random.Generator) -> Body:
    """Two to six halls and towers, round or square, some carrying a roof."""
    parts: list[Body] = []
    spread = float(rng.uniform(2, 8))
    for number in range(int(rng.integers(2, 7))):
        half, deep = float(rng.uniform(2, 7)), float(rng.uniform(2, 6))
        tall = float(rng.uniform(5, 18)) if number else float(rng.uniform(6, 12))
        x, y = float(rng.uniform(-spread, spread)), float(rng.uniform(-0.5, 0.5) * spread)
        if rng.random() < 0.4:
            deep = half
            wall = turned_body([(half * float(rng.uniform(0.9, 1.2)), 0), (half, 0.3 * tall), (half, tall)], 14)
        else:
            wall = block_body(2 * half, 2 * deep, tall, float(rng.uniform(0.1, 0.8)))
        parts.append(moved(wall, x, y))
        if rng.random() < 0.75:
            parts.append(moved(_roof(half, deep, rng), x, y, tall - 0.05))
    return centred(joined(parts))


_PUT_TOGETHER: Mapping[str, tuple[float, Callable[[np.random.Generator], Body]]] = {
    MEEPLE: (0.2, turned_figure),
    PALM: (0.4, grown_palm),
    PALACE: (0.4, built_palace),
}
"""Which share of the boxes have what is put together at random."""


def free_body(kind: str, rng: np.random.Generator) -> Body:
    """The body of a kind in one box: one put together at random, or one of a family that is trained on, bent."""
    share, make = _PUT_TOGETHER.get(kind, (0.0, None))
    if make is None or rng.random() >= share:
        names = families(TRAINING)[kind]
        make = SHAPES[kind][names[int(rng.integers(len(names)))]]
    return bent(make(rng), kind, rng)


def _within(ranges: tuple[Range, Range, Range], rng: np.random.Generator) -> Hsv:
    hue, saturation, value = (float(rng.uniform(*limits)) for limits in ranges)
    return hue % 360, saturation, value


def _is_near(one: Hsv, other: Hsv) -> bool:
    hue = abs((one[0] - other[0] + 180) % 360 - 180)
    return hue < _NEAR[0] and abs(one[1] - other[1]) < _NEAR[1] and abs(one[2] - other[2]) < _NEAR[2]


def free_paint(kind: str, rng: np.random.Generator) -> Hsv:
    """A paint of palms or palaces: most palms green, half of the palaces pale or grey, the rest of any hue."""
    known = PALM_PAINTS if kind == PALM else PALACE_PAINTS
    held_out = [hsv for name in families(HELD_OUT)[f"{kind}_paint"] for hsv in known[name]]
    if kind == PALM:
        ranges: tuple[Range, Range, Range] = ((70, 170), (0.25, 0.95), (0.18, 0.8))
    else:
        ranges = ((0, 360), (0.0, 0.3), (0.35, 0.95))
    wide: tuple[Range, Range, Range] = ((0, 360), (0.15, 0.85), (0.16, 0.93))
    while True:
        paint = _within(ranges if rng.random() < 0.5 else wide, rng)
        if not any(_is_near(paint, hsv) for hsv in held_out):
            return paint


def free_figure_paints(rng: np.random.Generator) -> dict[tuple[str, str], Hsv]:
    """The paints of all meeples and camels of a board by kind and letter, each drawn by itself."""
    paints = {(MEEPLE, tribe.letter): _within(ranges, rng) for tribe, ranges in _TRIBES.items()}
    return paints | {(CAMEL, colour.letter): _within(ranges, rng) for colour, ranges in _CAMELS.items()}


def _painted(kind: str, figures: Mapping[tuple[str, str], Hsv], rng: np.random.Generator) -> Floats:
    if rng.random() < 0.15:
        among = _AS_MEEPLES[kind]
        return make_paint(figures[MEEPLE, among[int(rng.integers(len(among)))].letter], rng)
    return make_paint(free_paint(kind, rng), rng)


def draw_mixed_boxes(rng: np.random.Generator) -> tuple[BodySet, ...]:
    """The boxes that the pieces of one board are from: other shapes, palms' and palaces' paints and finishes in each.

    Meeples and camels are painted alike in all. Every box's footprints are those of the largest.
    """
    bodies = [{kind: free_body(kind, rng) for kind in PIECE_KINDS} for _ in range(BOXES)]
    figures = free_figure_paints(rng)
    paints = {key: make_paint(hsv, rng) for key, hsv in figures.items()}
    cuts = {kind: footprint(_largest([box[kind].size for box in bodies])) for kind in PIECE_KINDS}
    boxes = []
    for box in bodies:
        names = {f"{kind}_paint": names[int(rng.integers(len(names)))] for kind, names in _paint_names().items()}
        materials = draw_materials(names, palace_tones(TRAINING), rng)
        finishes = {kind: Finish(made.second, made.coat, made.grain) for kind, made in materials.items()}
        own = paints | {(kind, ""): _painted(kind, figures, rng) for kind in (PALM, PALACE)}
        boxes.append(BodySet(box, materials, PieceSet(cuts, own, finishes)))
    return tuple(boxes)


def _largest(sizes: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    width, depth, height = np.max(sizes, axis=0)
    return float(width), float(depth), float(height)


def _paint_names() -> dict[str, tuple[str, ...]]:
    """Families of paint by kind: whether a piece may be of metal goes by them."""
    return {kind: families(TRAINING)[f"{kind}_paint"] for kind in (PALM, PALACE)}
