"""Shapes of pieces made up at random, no two boxes alike: drawn as blots, then traced.

Sizes are in mm, y up from the foot; a traced outline goes round anticlockwise.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.textures import Image

Reals = NDArray[np.float64]

_PX_PER_MM = 12
_MARGIN_MM = 6.0
_REACH_MM = 24.0
"""Shapes keep within this far to either side of the middle of their foot, and twice as high."""


class Blot:
    """A shape put together of simple ones."""

    def __init__(self) -> None:
        wide = round((2 * _REACH_MM + 2 * _MARGIN_MM) * _PX_PER_MM)
        high = round((2 * _REACH_MM + 2 * _MARGIN_MM) * _PX_PER_MM)
        self.mask: Image = np.zeros((high, wide), np.uint8)

    def _px(self, points: Reals) -> NDArray[np.int32]:
        away = np.asarray(points, np.float64) * [1, -1] + [_REACH_MM + _MARGIN_MM, 2 * _REACH_MM + _MARGIN_MM]
        return np.round(away * _PX_PER_MM).astype(np.int32)

    def polygon(self, points: list[tuple[float, float]] | Reals, *, cut: bool = False) -> None:
        """Add a polygon, or cut it out."""
        cv2.fillPoly(self.mask, [self._px(np.asarray(points, np.float64))], 0 if cut else 255)

    def block(self, x: float, width: float, low: float, high: float, *, cut: bool = False) -> None:
        """Add an upright rectangle around x, or cut it out."""
        half = width / 2
        self.polygon([(x - half, low), (x + half, low), (x + half, high), (x - half, high)], cut=cut)

    def oval(self, x: float, y: float, half_width: float, half_height: float, *, cut: bool = False) -> None:
        """Add an ellipse, or cut it out."""
        turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        self.polygon(np.column_stack([x + half_width * np.cos(turn), y + half_height * np.sin(turn)]), cut=cut)

    def bough(self, points: Reals, widths: Reals) -> None:
        """Add a band along a line, as wide at each of its points as `widths` (n,) says."""
        along = np.gradient(points, axis=0)
        across = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        side = across * widths[:, None] / 2
        self.polygon(np.vstack([points + side, (points - side)[::-1]]))

    def traced(self, rounding: float) -> Reals:
        """The outline in mm of the biggest part, its corners rounded by about that many mm."""
        soft = cv2.GaussianBlur(self.mask, (0, 0), max(rounding * _PX_PER_MM, 0.5))
        contours = cv2.findContours((soft > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        line = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 0.16 * _PX_PER_MM, True)[:, 0].astype(np.float64)
        return (line / _PX_PER_MM - [_REACH_MM + _MARGIN_MM, 2 * _REACH_MM + _MARGIN_MM]) * [1, -1]


def _bow(start: Reals, knee: Reals, end: Reals, count: int = 12) -> Reals:
    """A curve from start to end, pulled towards the knee."""
    t = np.linspace(0, 1, count)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * knee + t**2 * end, np.float64)


def _fronds(blot: Blot, top: Reals, half: float, rng: np.random.Generator) -> None:
    """Single leaves that spring from the top of the trunk and droop."""
    count = int(rng.integers(5, 10))
    droop = float(rng.uniform(0.1, 0.9)) * half
    lowest = float(rng.uniform(-35, 15))
    broad = float(rng.uniform(0.28, 0.5)) * half
    pointed = rng.random() < 0.6
    for turn in np.radians(np.linspace(lowest, 180 - lowest, count) + rng.normal(0, 4, count)):
        length = half * float(rng.uniform(0.88, 1.1))
        away = np.array([np.cos(turn), np.sin(turn)])
        tip = top + length * away - [0, droop * abs(away[0])]
        line = _bow(top, top + 0.65 * length * away + [0, 0.25 * droop], tip)
        t = np.linspace(0, 1, len(line))
        blot.bough(line, broad * np.sqrt(np.clip(t + 0.12, 0, 1)) * ((1 - 0.9 * t) if pointed else (1 - 0.35 * t)))
    blot.oval(top[0], top[1], 0.32 * half, 0.3 * half)


def _cloud(blot: Blot, top: Reals, half: float, rng: np.random.Generator) -> None:
    """A round or scalloped crown."""
    flat = float(rng.uniform(0.65, 1.0))
    lobes = int(rng.integers(0, 10))
    deep = float(rng.uniform(0.04, 0.16)) if lobes > 3 else 0.0
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    reach = half * (1 - deep + deep * np.cos(lobes * (turn - np.pi / 2)))
    blot.polygon(np.column_stack([top[0] + reach * np.cos(turn), top[1] + flat * reach * np.sin(turn)]))


def _star(blot: Blot, top: Reals, half: float, rng: np.random.Generator) -> None:
    """A crown of spikes all round."""
    spikes = int(rng.integers(5, 10))
    inner = float(rng.uniform(0.4, 0.68))
    turn = np.pi / 2 + np.linspace(0, 2 * np.pi, 2 * spikes, endpoint=False)
    reach = half * np.where(np.arange(2 * spikes) % 2, inner, 1.0) * rng.uniform(0.92, 1.05, 2 * spikes)
    blot.polygon(np.column_stack([top[0] + reach * np.cos(turn), top[1] + 0.85 * reach * np.sin(turn)]))


def _tiers(blot: Blot, top: Reals, half: float, rng: np.random.Generator) -> None:
    """Pairs of leaves above one another, and one at the top."""
    tiers = int(rng.integers(2, 4))
    droop = float(rng.uniform(0.0, 0.5))
    thick = float(rng.uniform(0.34, 0.55)) * half
    for tier in range(tiers):
        low = top + [0, (tier - 0.6) * half * 1.1 / tiers]
        length = half * (1.05 - 0.22 * tier)
        for side in (-1, 1):
            tip = low + [side * length, -droop * length]
            line = _bow(low, low + [0.6 * side * length, 0.35 * length], tip)
            blot.bough(line, thick * (1 - 0.6 * np.linspace(0, 1, len(line))))
    blot.oval(top[0], top[1] + 0.3 * half, 0.3 * half, float(rng.uniform(0.4, 0.75)) * half)


CROWNS: tuple[Callable[[Blot, Reals, float, np.random.Generator], None], ...] = (_fronds, _cloud, _star, _tiers)
"""Painters of the crowns of palms."""


def carved_palm(rng: np.random.Generator) -> tuple[Reals, NDArray[np.bool_]]:
    """The outline of a palm and which of its points are the trunk's."""
    blot = Blot()
    half = float(rng.uniform(6.5, 10.5))
    tall = float(rng.uniform(9, 17))
    thick = float(rng.uniform(2.4, 5.5))
    lean = float(rng.normal(0, 1.8)) if rng.random() < 0.5 else 0.0
    top = np.array([lean, tall])
    trunk = _bow(np.zeros(2), np.array([-0.8 * lean, 0.5 * tall]), top)
    flare = float(rng.uniform(1.0, 1.9))
    blot.bough(trunk, thick * np.linspace(flare, 0.85, len(trunk)))
    base = rng.random()
    wide = float(rng.uniform(6, 14))
    if base < 0.3:
        blot.block(0, wide, 0, float(rng.uniform(1.2, 3)))
    elif base < 0.5:
        blot.oval(0, 0, wide / 2, float(rng.uniform(2, 4)))
        blot.block(0, 40, -6, 0, cut=True)
    CROWNS[int(rng.choice(len(CROWNS), p=(0.45, 0.2, 0.15, 0.2)))](blot, top, half, rng)
    outline = stepped(blot.traced(float(rng.uniform(0.15, 0.6))))
    beside = np.abs(outline[:, 0] - np.interp(outline[:, 1], trunk[:, 1], trunk[:, 0]))
    low = (outline[:, 1] < tall * 0.9) & ((beside < 0.75 * thick * flare) | (outline[:, 1] < 3.2))
    return outline, low


def stepped(outline: Reals, step: float = 2.5) -> Reals:
    """The outline with points put in on edges longer than a step, so that its parts can be told apart."""
    after = np.roll(outline, -1, axis=0)
    counts = np.maximum(np.ceil(np.hypot(*(after - outline).T) / step).astype(int), 1)
    return np.vstack(
        [
            start + (end - start) * np.arange(n)[:, None] / n
            for start, end, n in zip(outline, after, counts, strict=True)
        ]
    )


def _top(blot: Blot, x: float, width: float, at: float, kind: str, rng: np.random.Generator) -> None:
    """The top of a tower or block around x, on a height `at`."""
    half = width / 2
    if kind == "teeth":
        teeth = int(np.clip(round(width / rng.uniform(2.6, 4.2)), 2, 7))
        pitch = width / (2 * teeth - 1)
        high = float(rng.uniform(1.2, 2.4))
        for tooth in range(teeth):
            blot.block(x - half + (2 * tooth + 0.5) * pitch, pitch, at - 0.2, at + high)
    elif kind == "dome":
        blot.oval(x, at, half * float(rng.uniform(0.85, 1.05)), half * float(rng.uniform(0.8, 1.4)))
    elif kind == "onion":
        bulge = float(rng.uniform(1.0, 1.25))
        blot.oval(x, at + 0.6 * half, bulge * half, 0.9 * half)
        tip = at + float(rng.uniform(1.9, 2.5)) * half
        blot.polygon([(x - 0.6 * half, at + 1.2 * half), (x + 0.6 * half, at + 1.2 * half), (x, tip)])
    elif kind == "spire":
        over = half * float(rng.uniform(0.95, 1.35))
        blot.polygon([(x - over, at), (x + over, at), (x, at + width * float(rng.uniform(0.5, 1.3)))])
    elif kind == "steps":
        for step in range(1, int(rng.integers(2, 4))):
            blot.block(x, width * (1 - 0.3 * step), at - 0.2, at + 2.2 * step)


_TOPS = ("flat", "teeth", "dome", "onion", "spire", "steps")


def _kind_of_top(rng: np.random.Generator) -> str:
    return str(rng.choice(_TOPS, p=(0.12, 0.24, 0.2, 0.16, 0.14, 0.14)))


def carved_palace(rng: np.random.Generator) -> tuple[Reals, NDArray[np.bool_]]:
    """The outline of a palace and which of its points are the body's, below its roofs."""
    blot = Blot()
    width, body = float(rng.uniform(14, 27)), float(rng.uniform(7, 15))
    blot.block(0, width, 0, body)
    if rng.random() < 0.3:
        blot.block(0, width + float(rng.uniform(2, 5)), 0, float(rng.uniform(1.5, 3)))
    middle = _kind_of_top(rng)
    keep = width * float(rng.uniform(0.3, 0.6)) if rng.random() < 0.75 else width
    raised = body + float(rng.uniform(0, 6)) * (rng.random() < 0.6)
    blot.block(0, keep, 0, raised)
    _top(blot, 0, keep, raised, middle, rng)
    slim = float(rng.uniform(3.5, 7))
    towers = float(rng.random())
    if towers < 0.7 and keep < width - slim:
        top, tall = _kind_of_top(rng), body + float(rng.uniform(0.5, 8))
        away = (width - slim) / 2 + float(rng.uniform(-0.5, 2.0))
        # Now and then there is a tower at one side only.
        for side in (-1, 1) if towers < 0.55 else (1,):
            blot.block(side * away, slim, 0, tall)
            _top(blot, side * away, slim, tall, top, rng)
    elif towers > 0.85 and keep < width:
        for side in (-1, 1):
            _top(blot, side * (width + keep) / 4, (width - keep) / 2, body, "teeth", rng)
    if rng.random() < 0.45:
        gate = float(rng.uniform(2.5, 6.5))
        high = float(rng.uniform(2.5, 0.6 * body))
        blot.block(0, gate, -2, high, cut=True)
        if rng.random() < 0.7:
            blot.oval(0, high, gate / 2, gate / 2, cut=True)
    outline = stepped(blot.traced(float(rng.uniform(0.1, 0.45))))
    return outline, outline[:, 1] < body * float(rng.uniform(0.8, 1.02))


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
