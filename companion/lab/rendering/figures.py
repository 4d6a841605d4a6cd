"""Shapes of meeples and camels made up at random, put together like `carving`'s palms and palaces."""

from __future__ import annotations

import numpy as np

from companion.lab.rendering.carving import Blot, Reals


def carved_meeple(rng: np.random.Generator) -> Reals:
    """The outline of a figure in mm: a head, arms held up, out or down, legs apart, together or under a coat."""
    blot = Blot()
    tall = float(rng.uniform(14.5, 18))
    head = float(rng.uniform(2.0, 3.5))
    hips = float(rng.uniform(0.3, 0.48)) * tall
    neck = tall - 1.75 * head
    waist = float(rng.uniform(2.4, 4.2))
    stance = float(rng.uniform(4.2, 7.6))
    blot.oval(0, tall - head, head * float(rng.uniform(0.85, 1.15)), head)
    shoulder = float(rng.uniform(2.2, 3.8))
    blot.polygon([(-shoulder, neck), (shoulder, neck), (waist, hips), (-waist, hips)])
    blot.block(0, 1.6 * head, neck - 0.8, tall - head)
    _arms(blot, neck, shoulder, rng)
    blot.polygon([(-waist, hips + 0.5), (waist, hips + 0.5), (stance, 0), (-stance, 0)])
    gap = float(rng.uniform(0, 0.55)) * stance if rng.random() < 0.75 else 0.0
    if gap > 0.6:
        rise = float(rng.uniform(0.35, 0.95)) * hips
        blot.polygon([(-gap, -0.5), (gap, -0.5), (0.25 * gap, rise), (-0.25 * gap, rise)], cut=True)
    return blot.traced(float(rng.uniform(0.3, 0.8)))


def _arms(blot: Blot, neck: float, shoulder: float, rng: np.random.Generator) -> None:
    """Two arms alike, from the shoulders at that height and that far from the middle."""
    reach = float(rng.uniform(3.0, 5.6))
    turn = np.radians(float(rng.uniform(-55, 40)))
    thick = float(rng.uniform(2.4, 4.4))
    end = float(rng.uniform(0.6, 1.25))
    for side in (-1, 1):
        start = np.array([side * (shoulder - 0.6), neck - 0.45 * thick])
        tip = start + reach * np.array([side * np.cos(turn), np.sin(turn)])
        line = np.linspace(start, tip, 8)
        blot.bough(line, thick * np.linspace(1, end, len(line)))
        blot.oval(float(tip[0]), float(tip[1]), 0.5 * thick * end, 0.5 * thick * end)


def carved_camel(rng: np.random.Generator) -> Reals:
    """The outline of a camel in mm, looking right: one hump or two, legs apart or cut from one block, a bent neck."""
    blot = Blot()
    long = float(rng.uniform(8, 11))
    belly = float(rng.uniform(4.5, 7.5))
    back = belly + float(rng.uniform(4.0, 6.0))
    blot.oval(-1.5, (belly + back) / 2, long, (back - belly) / 2 + 0.8)
    humps = (-1.5,) if rng.random() < 0.65 else (-1.5 - 0.42 * long, -1.5 + 0.36 * long)
    for x in humps:
        wide = float(rng.uniform(0.34, 0.55)) * long / len(humps) ** 0.5
        blot.oval(x, back, wide, float(rng.uniform(2.0, 4.2)))
    width = float(rng.uniform(2.0, 3.4))
    if rng.random() < 0.45:
        blot.block(-1.5, 2 * long - 1.5, 0, belly + 1)
        blot.oval(-1.5, 0, float(rng.uniform(0.25, 0.6)) * long, float(rng.uniform(0.3, 0.8)) * belly, cut=True)
    else:
        for x in (-1.5 - 0.75 * long, -1.5 + 0.7 * long):
            blot.block(x, width * float(rng.uniform(0.9, 1.5)), 0, belly + 2)
        if rng.random() < 0.5:
            for x in (-1.5 - 0.3 * long, -1.5 + 0.25 * long):
                blot.block(x, width, float(rng.uniform(0, 1)), belly + 2)
    chest = np.array([-2.0 + 0.85 * long, (belly + back) / 2])
    crown = np.array([long + float(rng.uniform(0.5, 3)), float(rng.uniform(14, 18))])
    knee = np.array([crown[0] + float(rng.uniform(-0.5, 2.5)), chest[1] + float(rng.uniform(-1.5, 2))])
    t = np.linspace(0, 1, 10)[:, None]
    neck = (1 - t) ** 2 * chest + 2 * t * (1 - t) * knee + t**2 * crown
    blot.bough(neck, np.linspace(float(rng.uniform(3.4, 5.5)), float(rng.uniform(2.4, 3.6)), len(neck)))
    blot.oval(float(crown[0]) + 0.8, float(crown[1]) - 0.4, float(rng.uniform(2.2, 3.6)), float(rng.uniform(1.5, 2.3)))
    return blot.traced(float(rng.uniform(0.3, 0.8)))
