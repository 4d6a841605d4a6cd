"""Faces of cards for tests: the ten resource cards from a sheet of our own drawing, djinns, and cards of no game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.rules.model.components import CARD_COUNTS
from companion.vision.load import Picture

CARD_PX = (240, 365)
DJINN_PX = (300, 458)
SHEET_COLUMNS = 5
FONTS = Path(__file__).parents[3] / "companion/printing/fonts"
TYPEFACES = ("DejaVuSans.ttf", "PTSans-Bold.ttf", "PTSans-Regular.ttf", "PTSerif-Bold.ttf")
HANGUL_TYPEFACES = ("CompanionHangul-Bold.ttf", "CompanionHangul-Regular.ttf")


@cache
def card_faces() -> dict[str, Picture]:
    """The face of each resource card, upright."""
    sheet = np.asarray(cv2.imread(str(Path(__file__).with_name("faces.webp"))), np.uint8)
    wide, high = CARD_PX
    places = {card: divmod(number, SHEET_COLUMNS) for number, card in enumerate(CARD_COUNTS)}
    return {
        card: sheet[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
        for card, (row, column) in places.items()
    }


def _panel(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """A card of some colour with lumps of others in the middle: a picture that means nothing."""
    wide, high = size
    face = np.full((high, wide, 3), rng.uniform(60, 220, 3), np.uint8)
    for _ in range(int(rng.integers(3, 9))):
        middle = (int(rng.uniform(0.25, 0.75) * wide), int(rng.uniform(0.3, 0.65) * high))
        axes = tuple(int(reach) for reach in rng.uniform(0.06, 0.24, 2) * wide)
        cv2.ellipse(face, middle, axes, 0, 0, 360, rng.uniform(0, 255, 3).tolist(), -1, cv2.LINE_AA)
    return face


def draw_other_card(rng: np.random.Generator) -> Picture:
    """Some card that no row of resources holds, often in the green or tan of those that do."""
    face = _panel(CARD_PX, rng)
    if rng.random() < 0.4:
        ground = (88, 196, 172) if rng.random() < 0.7 else (150, 196, 222)
        face[(face == face[0, 0]).all(2)] = ground
    cv2.rectangle(face, (0, 0), (CARD_PX[0] - 1, CARD_PX[1] - 1), (240, 240, 240), int(rng.integers(8, 40)))
    return face


def draw_djinn_card(title: str, typeface: str, rng: np.random.Generator) -> Picture:
    """A djinn's card with its title in a typeface above or below, and its points."""
    wide, high = DJINN_PX
    face = _panel(DJINN_PX, rng)
    paper, ink = ((205, 226, 236), (30, 34, 46)) if rng.random() < 0.6 else ((52, 44, 70), (214, 228, 236))
    top, tall = round((0.05 if rng.random() < 0.6 else 0.7) * high), round(0.13 * high)
    cv2.rectangle(face, (14, top), (wide - 15, top + tall), paper, -1)
    _write(face, title, (wide // 2, top + tall // 2), typeface, ink, float(rng.uniform(0.42, 0.6)) * tall)
    low = round(0.86 * high)
    cv2.rectangle(face, (14, low), (wide - 15, high - 16), (205, 226, 236), -1)
    cv2.circle(face, (36, low + 20), 16, (60, 60, 170), -1, cv2.LINE_AA)
    _write(face, str(int(rng.choice([4, 6, 8, 10]))), (36, low + 20), "PTSans-Bold.ttf", (240, 240, 240), 18)
    cv2.rectangle(face, (0, 0), (wide - 1, high - 1), (236, 240, 242), 12)
    return face


def _write(
    face: Picture, text: str, middle: tuple[int, int], typeface: str, ink: tuple[int, int, int], high: float
) -> None:
    """Write a line of that height, narrower where it is too long, around its middle, in place."""
    font = cv2.FontFace(str(FONTS / typeface))
    size = round(high / 0.72)
    while cv2.getTextSize((0, 0), text, (0, 0), font, size)[2] >= face.shape[1] - 44 and size > 12:
        size -= 1
    left, _, wide, _ = cv2.getTextSize((0, 0), text, (0, 0), font, size)
    # Type stands on its base line, whatever letters there are.
    cv2.putText(face, text, (middle[0] - wide // 2 - left, middle[1] + round(0.36 * size)), ink, font, size)
