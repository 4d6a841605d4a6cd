"""Pictures of tiles, of our own drawing."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.rendering.textures import Image, rough_noise
from companion.rules.components import TILE_KINDS


def draw_tile(code: str, rng: np.random.Generator, side_px: int = 400) -> Image:
    n = rough_noise(rng, (side_px, side_px))
    im = np.clip(np.array([150, 195, 222], np.float32) * (1 + 0.03 * n[..., None]), 0, 255).astype(np.uint8)
    k = TILE_KINDS[code]
    s = side_px
    cv2.circle(
        im, (int(0.815 * s), int(0.155 * s)), int(0.12 * s), (170, 90, 30) if k.blue else (50, 30, 140), -1, cv2.LINE_AA
    )
    cv2.putText(
        im, str(k.vp), (int(0.75 * s), int(0.2 * s)), cv2.FONT_HERSHEY_SIMPLEX, s / 300, (230, 240, 240), 2, cv2.LINE_AA
    )
    return im


@cache
def standard_art(side_px: int = 400, pictures: int = 4) -> dict[str, tuple[Image, ...]]:
    return {
        code: tuple(draw_tile(code, np.random.default_rng([i, n]), side_px) for n in range(pictures))
        for i, code in enumerate(TILE_KINDS)
    }
