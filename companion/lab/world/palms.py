"""Families of shapes of palms: sawn flat, crossed, turned, cast, with leaves of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.carving import CROWNS, PETALS, carved_palm
from companion.lab.rendering.foreign import foreign_cut
from companion.lab.rendering.pieces import PALM, make_cut
from companion.lab.world.bodies import (
    SECOND,
    Body,
    cast_body,
    centred,
    cut_body,
    joined,
    leaf_body,
    moved,
    scaled,
    toned,
    turned_body,
)

MAX_WIDTH_MM, MAX_HEIGHT_MM = 28.0, 31.0
"""Beyond this, pieces do not go on a tile beside others."""


def fitted(body: Body, rng: np.random.Generator) -> Body:
    """The body some way smaller or larger, but no larger than goes on a tile beside others."""
    size = float(rng.uniform(0.86, 1.12))
    width, depth, height = (size * side for side in body.size)
    limit = min(1.0, MAX_WIDTH_MM / max(width, depth), MAX_HEIGHT_MM / height)
    return scaled(body, width * limit, depth * limit, height * limit)


def _carved(crown: str) -> Callable[[np.random.Generator], Body]:
    def make(rng: np.random.Generator) -> Body:
        outline, low = carved_palm(rng, crown)
        thickness, bevel = float(rng.uniform(5, 13)), float(rng.uniform(0.2, 1.1))
        return fitted(cut_body(outline, thickness, bevel, float(outline[low, 1].max())), rng)

    return make


def sawn_palm(rng: np.random.Generator) -> Body:
    """A stylised palm sawn out of a board."""
    outline = make_cut(PALM, rng).outline
    low = outline[:, 1].min() + 0.36 * float(np.ptp(outline[:, 1]))
    return fitted(cut_body(outline, float(rng.uniform(7, 12)), float(rng.uniform(0.4, 1.1)), low), rng)


def crossed_palm(rng: np.random.Generator) -> Body:
    """Two flat palms slotted into each other crosswise."""
    outline, low = carved_palm(rng, str(rng.choice(list(CROWNS))))
    flat = cut_body(outline, float(rng.uniform(2, 4)), float(rng.uniform(0.1, 0.4)), float(outline[low, 1].max()))
    return fitted(joined([flat, moved(flat, turn=90)]), rng)


def cast_palm(rng: np.random.Generator) -> Body:
    """A palm of metal, resin or plastic out of a mould."""
    outline, low = carved_palm(rng, str(rng.choice(list(CROWNS))))
    low_mm = float(outline[low, 1].max() - outline[:, 1].min())
    return fitted(cast_body(outline, float(rng.uniform(5, 10)), float(rng.uniform(1.2, 3.5)), low_mm), rng)


def _trunk(tall: float, rng: np.random.Generator) -> Body:
    thick = float(rng.uniform(1.3, 2.6))
    foot = thick * float(rng.uniform(1.0, 2.6))
    profile = [(foot, 0.0), (foot, float(rng.uniform(0.6, 2)))]
    rings = int(rng.integers(0, 5))
    for h in np.linspace(profile[-1][1] + 0.3, tall, 2 * rings + 2):
        profile.append((thick * float(rng.uniform(0.85, 1.1)), float(h)))
    return turned_body(profile, 14, SECOND)


def leafy_palm(rng: np.random.Generator) -> Body:
    """A trunk with five to nine leaves that hang down all round, as in boxes of plastic scenery."""
    tall, count = float(rng.uniform(12, 20)), int(rng.integers(5, 10))
    length, width = float(rng.uniform(7, 12)), float(rng.uniform(2.8, 5.5))
    rise, droop = float(rng.uniform(1, 5)), float(rng.uniform(0, 6))
    leaf = leaf_body(length, width, rise, droop, float(rng.uniform(0.5, 1.1)))
    start = float(rng.uniform(0, 360))
    leaves = [
        moved(leaf, z=tall + float(rng.uniform(-0.6, 0.6)), turn=start + 360 * k / count + float(rng.normal(0, 6)))
        for k in range(count)
    ]
    heart = moved(turned_body([(1.2, 0), (1.9, 0.8), (1.2, 2), (0.2, 2.5)], 12), z=tall - 0.8)
    return fitted(centred(joined([_trunk(tall, rng), heart, *leaves])), rng)


def ball_palm(rng: np.random.Generator) -> Body:
    """A tree turned on a lathe: a trunk under a ball, an egg or a flat crown."""
    tall, wide = float(rng.uniform(6, 13)), float(rng.uniform(5, 9))
    high = wide * float(rng.uniform(0.7, 1.5))
    turn = np.linspace(0.25, np.pi, 10)
    crown = turned_body([(wide * float(np.sin(a)), high * (1 - float(np.cos(a)))) for a in turn], 20)
    return fitted(joined([_trunk(tall, rng), moved(crown, z=tall - 0.3)]), rng)


def tiered_palm(rng: np.random.Generator) -> Body:
    """A turned tree of two to four cones, one above another."""
    tall, wide = float(rng.uniform(3, 8)), float(rng.uniform(5.5, 8.5))
    parts, h = [_trunk(tall, rng)], tall - 0.3
    tiers = int(rng.integers(2, 5))
    for tier in range(tiers):
        radius = wide * (1 - 0.7 * tier / tiers)
        high = float(rng.uniform(4, 7))
        parts.append(moved(turned_body([(0.6 * radius, 0), (radius, 0.5), (0.3 * radius, high)], 18), z=h))
        h += high * 0.72
    return fitted(joined(parts), rng)


def umbrella_palm(rng: np.random.Generator) -> Body:
    """A trunk under a scalloped cap, like a parasol."""
    tall, wide = float(rng.uniform(11, 19)), float(rng.uniform(6.5, 10))
    cap = [(wide, 0.0), (wide, 0.8), (0.75 * wide, 0.22 * wide), (0.4 * wide, 0.36 * wide), (0.3, 0.42 * wide)]
    crown = turned_body(cap, int(rng.integers(5, 13)) * 2)
    lobes = 1 - 0.16 * (np.arange(len(crown.points)) % 2)[:, None] * [1, 1, 0]
    crown = Body(crown.points * lobes, crown.faces, crown.tones)
    return fitted(joined([_trunk(tall, rng), moved(crown, z=tall - 0.8)]), rng)


def pineapple_palm(rng: np.random.Generator) -> Body:
    """A thick scaly trunk with a tuft of short upright leaves."""
    tall = float(rng.uniform(10, 14))
    cups = [(r, h) for h in np.arange(0, tall, 2.4) for r, h in ((2.4, h), (3.4, h + 2.2))]
    leaf = leaf_body(float(rng.uniform(5, 7.5)), 3.2, float(rng.uniform(5, 8)), float(rng.uniform(-2, 2)), 0.8)
    leaves = [moved(leaf, z=tall, turn=60 * k + float(rng.normal(0, 5))) for k in range(6)]
    return fitted(centred(joined([toned(turned_body(cups, 14), SECOND), *leaves])), rng)


def _foreign(number: int) -> Callable[[np.random.Generator], Body]:
    def make(rng: np.random.Generator) -> Body:
        cut = foreign_cut(PALM, number, rng)
        low = cut.outline[cut.low, 1].max() if cut.low is not None and cut.low.any() else None
        return cut_body(cut.outline, cut.thickness, float(rng.uniform(0.4, 1.2)), None if low is None else float(low))

    return make


PALMS: Mapping[str, Callable[[np.random.Generator], Body]] = {
    "sawn": sawn_palm,
    "fronds": _carved("fronds"),
    "cloud": _carved("cloud"),
    "star": _carved("star"),
    "tiers": _carved("tiers"),
    "crossed": crossed_palm,
    "cast": cast_palm,
    "leafy": leafy_palm,
    "ball": ball_palm,
    "tiered": tiered_palm,
    "umbrella": umbrella_palm,
    "pineapple": pineapple_palm,
    "arching": _foreign(0),
    "ringed": _foreign(1),
    "cypress": _foreign(2),
    "petals": _carved(PETALS),
}
