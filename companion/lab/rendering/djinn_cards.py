"""Djinn cards of our own drawing: a picture, what the card is worth, and its title in some type."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.lab.rendering.sketch import Sketch, lump, smooth
from companion.lab.rendering.textures import Image, rough_noise

DJINN_PX = (300, 458)
"""Width and height of a drawn card."""

_FONTS = Path(__file__).parents[2] / "printing" / "fonts"
TYPEFACES = ("DejaVuSans.ttf", "PTSans-Bold.ttf", "PTSans-Regular.ttf", "PTSerif-Bold.ttf")
HANGUL_TYPEFACES = ("CompanionHangul-Bold.ttf", "CompanionHangul-Regular.ttf")


def draw_djinn_card(title: str, typeface: str, rng: np.random.Generator) -> Image:
    """A card's face, BGR, `DJINN_PX` in size; `typeface` one of this module's, with the title's letters in it."""
    wide, high = DJINN_PX
    ground = rng.uniform(60, 220, 3)
    mottle = 1 + 0.1 * rough_noise(rng, (high, wide), 4, 6)
    face = np.asarray(np.clip(ground * mottle[..., None], 0, 255), np.uint8)
    _draw_being(face, ground, rng)
    light = rng.random() < 0.6
    paper, ink = ((205, 226, 236), (30, 34, 46)) if light else ((52, 44, 70), (214, 228, 236))
    above = rng.random() < 0.6
    top = round((0.05 if above else 0.7) * high)
    tall = round(0.13 * high)
    cv2.rectangle(face, (14, top), (wide - 15, top + tall), paper, -1)
    if rng.random() < 0.5:
        cv2.rectangle(face, (18, top + 4), (wide - 19, top + tall - 4), ink, 1)
    _write(face, title, (wide // 2, top + tall // 2), typeface, ink, float(rng.uniform(0.42, 0.6)) * tall)
    low = round(0.86 * high)
    cv2.rectangle(face, (14, low), (wide - 15, high - 16), (205, 226, 236), -1)
    for line in range(2):
        cv2.line(face, (60, low + 14 + 14 * line), (wide - 30, low + 14 + 14 * line), (120, 130, 140), 3)
    cv2.circle(face, (36, low + 20), 16, (60, 60, 170), -1, cv2.LINE_AA)
    _write(face, str(int(rng.choice([4, 6, 8, 10]))), (36, low + 20), "PTSans-Bold.ttf", (240, 240, 240), 18)
    cv2.rectangle(face, (0, 0), (wide - 1, high - 1), (236, 240, 242), 12)
    return face


def _draw_being(face: Image, ground: np.ndarray, rng: np.random.Generator) -> None:
    """Smoke, a head and two eyes, in place."""
    wide = face.shape[1]
    sketch = Sketch(wide, rng, (float(ground[0]), float(ground[1]), float(ground[2])))
    before = sketch.sheet.copy()
    for _ in range(int(rng.integers(3, 8))):
        x, y = rng.uniform(0.25, 0.75, 2)
        blue, green, red = rng.uniform(0, 255, 3)
        sketch.polygon(smooth(lump(sketch, float(x), float(y), float(rng.uniform(0.08, 0.25)), 8, 0.25), 2),
                       (blue, green, red))  # fmt: skip
    drawn = np.any(sketch.sheet != before, axis=2)
    part = face[90 : 90 + wide]
    part[drawn] = sketch.sheet[drawn]


def _write(
    face: Image, text: str, middle: tuple[int, int], typeface: str, ink: tuple[int, int, int], high: float
) -> None:
    """Write a line of that height, narrower where it is too long, around its middle, in place."""
    font = _font(typeface)
    size = round(high / 0.72)
    while True:
        left, _, wide, _ = cv2.getTextSize((0, 0), text, (0, 0), font, size)
        if wide < face.shape[1] - 44 or size <= 12:
            break
        size -= 1
    # Type stands on its base line, whatever letters there are.
    base = middle[1] + round(0.36 * size)
    cv2.putText(face, text, (middle[0] - wide // 2 - left, base), ink, font, size)


@cache
def _font(name: str) -> cv2.FontFace:
    return cv2.FontFace(str(_FONTS / name))
