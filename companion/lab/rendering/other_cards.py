"""Cards that are not resource cards, of our own drawing: djinns, backs, playing cards, and cards of no game at all."""

from __future__ import annotations

import cv2
import numpy as np

from companion.lab.rendering.card_art import CARD_PX, RIM
from companion.lab.rendering.sketch import Sketch, lump, smooth
from companion.lab.rendering.textures import Image, rough_noise

_LETTERS = "ABCDEFGHIKLMNORSTU"


def draw_other_card(rng: np.random.Generator) -> Image:
    """The face or back of some card that no row of resources holds, BGR, `CARD_PX` in size."""
    wide, high = CARD_PX
    ground = _ground(rng)
    mottle = 1 + rng.uniform(0.02, 0.25) * rough_noise(rng, (high, wide), 4, int(rng.integers(2, 12)))
    face = np.asarray(np.clip(ground * mottle[..., None], 0, 255), np.uint8)
    way = rng.random()
    if way < 0.3:
        _pattern(face, rng)
    elif way < 0.85:
        _figure(face, rng, ground)
    if rng.random() < 0.4:
        _title(face, rng)
    if rng.random() < 0.75:
        rim = round(RIM * wide * float(rng.uniform(0.4, 1.4)))
        colour = (240, 240, 240) if rng.random() < 0.8 else rng.uniform(0, 255, 3).tolist()
        cv2.rectangle(face, (0, 0), (wide - 1, high - 1), colour, 2 * rim)
    return face


def _ground(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A panel's colour: often the green or the tan of the cards that it must not be taken for."""
    chance = rng.random()
    if chance < 0.35:
        return np.array([88, 196, 172]) * rng.uniform(0.7, 1.2)
    if chance < 0.5:
        return np.array([150, 196, 222]) * rng.uniform(0.6, 1.1)
    return rng.uniform(10, 245, 3)


def _pattern(face: Image, rng: np.random.Generator) -> None:
    high, wide = face.shape[:2]
    step = int(rng.integers(12, 60))
    colour = rng.uniform(0, 255, 3).tolist()
    for y in range(0, high + step, step):
        for x in range(0, wide + step, step):
            if rng.random() < 0.5:
                cv2.circle(face, (x, y), step // 3, colour, -1, cv2.LINE_AA)
            else:
                cv2.line(face, (x - step, y), (x, y + step), colour, 2, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(face, (wide // 2, high // 2), wide // 3, rng.uniform(0, 255, 3).tolist(), -1, cv2.LINE_AA)


def _figure(face: Image, rng: np.random.Generator, ground: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    """Some lumps of some colours in the middle, large or small, as a picture that means nothing."""
    wide = face.shape[1]
    sketch = Sketch(wide, rng, (float(ground[0]), float(ground[1]), float(ground[2])))
    before = sketch.sheet.copy()
    for _ in range(int(rng.integers(2, 14))):
        x, y = rng.uniform(0.2, 0.8, 2)
        blue, green, red = rng.uniform(0, 255, 3)
        outline = lump(sketch, float(x), float(y), float(rng.uniform(0.04, 0.26)), int(rng.integers(3, 10)), 0.25)
        sketch.polygon(smooth(outline, int(rng.integers(0, 3))), (blue, green, red))
    drawn = np.any(sketch.sheet != before, axis=2)
    top = int(rng.uniform(0.15, 0.85) * (face.shape[0] - wide))
    part = face[top : top + wide]
    part[drawn] = sketch.sheet[drawn]


def _title(face: Image, rng: np.random.Generator) -> None:
    word = "".join(rng.choice(list(_LETTERS), int(rng.integers(4, 9))))
    y = int(rng.choice([0.12, 0.9]) * face.shape[0])
    if rng.random() < 0.5:
        cv2.rectangle(face, (15, y - 26), (face.shape[1] - 15, y + 12), rng.uniform(0, 255, 3).tolist(), -1)
    cv2.putText(face, word, (26, y), rng.uniform(0, 255, 3).tolist(), cv2.FontFace("sans"), 30, 700)
