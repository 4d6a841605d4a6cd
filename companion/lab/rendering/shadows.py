"""Shadows on the table: each lamp seen as a few points, so that shadows soften with distance."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import BOARD_MM
from companion.lab.rendering.scene import Lamp
from companion.lab.rendering.solids import Solid
from companion.lab.rendering.textures import Image
from companion.vision.numerics import scaled_and_moved

MARGIN_MM = 90.0
PX_PER_MM = 2.0
_SLICES = 4
_LAMP_POINTS = 8
_SHIFT = 3

PLANE_SIZE = (round((BOARD_MM[0] + 2 * MARGIN_MM) * PX_PER_MM), round((BOARD_MM[1] + 2 * MARGIN_MM) * PX_PER_MM))
"""Width and height of a shadow map in px: the board and a margin, seen from straight above."""

PLANE_TO_MM = scaled_and_moved(1 / PX_PER_MM, -MARGIN_MM, -MARGIN_MM)
"""From px of a shadow map to mm on the board."""


def _slices(solids: Sequence[Solid]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The points (n, 3) of slices through the solids, front to back, and where each slice but the first begins."""
    slices = [s.front + share * (s.back - s.front) for s in solids for share in np.linspace(0, 1, _SLICES)]
    return np.concatenate(slices), np.cumsum([len(points) for points in slices])[:-1]


def lamp_shadow(solids: Sequence[Solid], lamp: Lamp, rng: np.random.Generator) -> Image:
    """The share of a lamp's light that is kept from each spot of the shadow map (0 none, 255 all)."""
    width, height = PLANE_SIZE
    total = np.zeros((height, width), np.float32)
    if not solids:
        return total.astype(np.uint8)
    outlines, starts = _slices(solids)
    points = _LAMP_POINTS if lamp.radius > 20 else 2
    # Evenly round the lamp's disc, at two distances from its middle.
    turns = rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(points) / points
    reach = lamp.radius * np.where(np.arange(points) % 2, 0.85, 0.4)
    for turn, away in zip(turns, reach, strict=True):
        source = np.asarray(lamp.place) + away * np.array([np.cos(turn), np.sin(turn), 0])
        scale = source[2] / np.maximum(source[2] - outlines[..., 2:], 1)
        flat = source[:2] + (outlines[..., :2] - source[:2]) * scale
        px = np.round((flat + MARGIN_MM) * PX_PER_MM * (1 << _SHIFT)).astype(np.int32)
        mask = np.zeros((height, width), np.uint8)
        for outline in np.split(px, starts):
            cv2.fillPoly(mask, [outline], 255, cv2.LINE_8, _SHIFT)
        cv2.accumulate(mask, total)
    sigma = 0.8 + lamp.radius / 60
    return np.asarray(cv2.GaussianBlur((total / points).astype(np.uint8), (0, 0), sigma), np.uint8)


def contact(solids: Sequence[Solid]) -> Image:
    """The share of the light from everywhere that pieces keep from the spots around their feet (0 to 255)."""
    width, height = PLANE_SIZE
    mask = np.zeros((height, width), np.uint8)
    for solid in solids:
        rim = solid.rims
        near = rim[rim[:, 2] < rim[:, 2].min() + 3.5]
        px = np.round((near[:, :2] + MARGIN_MM) * PX_PER_MM).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(px), 255)
    close = cv2.GaussianBlur(mask, (0, 0), 1.4 * PX_PER_MM)
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.6 * PX_PER_MM), (width, height))
    return np.asarray(cv2.addWeighted(close, 0.55, wide, 0.4, 0), np.uint8)


def free_light(solids: Sequence[Solid], lamps: Sequence[Lamp]) -> NDArray[np.float64]:
    """The share of each lamp's light that reaches each solid past the others, (solids, lamps), roughly."""
    rims = [solid.rims for solid in solids]
    feet = np.array([rim.mean(0)[:2] for rim in rims]).reshape(-1, 2)
    tops = np.array([rim[:, 2].max() for rim in rims])
    away = feet[None] - feet[:, None]
    free = np.ones((len(solids), len(lamps)))
    for number, lamp in enumerate(lamps):
        toward = np.asarray(lamp.place[:2]) - feet
        far = np.hypot(*toward.T)[:, None]
        toward = toward / np.maximum(far, 1)
        along = (away * toward[:, None]).sum(2)
        aside = np.abs(away[..., 0] * toward[:, None, 1] - away[..., 1] * toward[:, None, 0])
        slope = lamp.place[2] / np.maximum(far, 1)
        hidden = np.clip((tops[None] - np.maximum(along - 6, 0) * slope) / np.maximum(tops[:, None], 1), 0, 1)
        hidden *= np.clip((14 - aside) / 9, 0, 1) * (along > 3)
        # A broad lamp looks past what stands farther off.
        hidden /= 1 + np.maximum(along, 0) * lamp.radius / (12 * np.hypot(far, lamp.place[2]))
        free[:, number] = 1 - np.minimum(hidden.sum(1), 0.8)
    return free
