"""Faces of resource cards, of our own drawing: the publisher's layout, nothing of its art."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.sketch import Colour, Sketch, lump, smooth, toned
from companion.lab.rendering.textures import Image, rough_noise
from companion.rules.model.components import CARD_COUNTS, FAKIR

CARD_PX = (240, 365)
"""Width and height of a drawn card: the cards' own 2 to 3, nearly."""

RIM = 0.065
"""The white rim in parts of the width, on all four sides."""

_GREEN: Colour = (88, 196, 172)
_TAN: Colour = (150, 196, 222)
_BROWN: Colour = (48, 84, 132)
_EARTH: Colour = (96, 124, 182)


def _pot(sketch: Sketch, x: float, y: float, size: float, colour: Colour) -> None:
    outline = [
        (-0.4, -1),
        (0.4, -1),
        (0.35, -0.75),
        (1, -0.1),
        (0.8, 0.7),
        (0.4, 1),
        (-0.4, 1),
        (-0.8, 0.7),
        (-1, -0.1),
    ]
    places = np.asarray([*outline, (-0.35, -0.75)]) * [0.8 * size, size] + [x, y]
    sketch.polygon(smooth(places, 2), colour)
    sketch.line([(x - 0.6 * size, y - 0.1 * size), (x + 0.6 * size, y - 0.1 * size)], toned(colour, 1.5), 0.02)
    sketch.ellipse(x, y - size, (0.32 * size, 0.1 * size), toned(colour, 0.5))


def _basket(sketch: Sketch, x: float, y: float, half: tuple[float, float]) -> None:
    wide, high = half
    sketch.polygon(
        [(x - wide, y - high), (x + wide, y - high), (x + 0.7 * wide, y + high), (x - 0.7 * wide, y + high)], _BROWN
    )
    for row in np.linspace(-0.6, 0.8, 4):
        reach = wide * (0.9 - 0.12 * (row + 1))
        sketch.line([(x - reach, y + row * high), (x + reach, y + row * high)], toned(_BROWN, 1.6), 0.012)


def _tusk(sketch: Sketch, x: float, y: float, turn: float, length: float) -> None:
    way = np.array([np.sin(turn), -np.cos(turn)])
    side = np.array([way[1], -way[0]])
    root = np.array([x, y])
    points = [root - 0.05 * side, root + 0.5 * length * way + 0.09 * side, root + length * way, root + 0.05 * side]
    sketch.polygon(smooth(np.asarray(points), 2), (200, 228, 240))


def _ivory(sketch: Sketch) -> None:
    for turn in np.linspace(-0.8, 0.8, 7):
        _tusk(sketch, 0.5 + 0.2 * turn, 0.68, turn + sketch.jitter(0.06), 0.5 + sketch.jitter(0.04))
    sketch.polygon([(0.24, 0.64), (0.76, 0.64), (0.68, 0.9), (0.32, 0.9)], (40, 56, 84))


def _jewels(sketch: Sketch) -> None:
    stones = ((200, 90, 30), (60, 40, 200), (110, 170, 40), (200, 110, 190), (40, 170, 230), (190, 150, 60))
    for number, colour in enumerate(stones):
        x, y = 0.26 + 0.24 * (number % 3), 0.36 + 0.3 * (number // 3) + 0.06 * (number % 2)
        cut = lump(sketch, x, y, 0.13, 7, 0.08)
        sketch.polygon(cut, colour)
        sketch.polygon((cut - [x, y]) * 0.5 + [x - 0.01, y - 0.02], toned(colour, 1.5), None)


def _gold(sketch: Sketch) -> None:
    sketch.polygon(smooth(lump(sketch, 0.62, 0.36, 0.24, 8), 2), (150, 150, 156))
    for number in range(14):
        x, y = 0.25 + 0.05 * number + sketch.jitter(0.06), 0.68 + sketch.jitter(0.09)
        nugget = sketch.pick([(40, 160, 226), (70, 190, 240), (30, 130, 200)])
        sketch.polygon(smooth(lump(sketch, min(x, 0.85), y, 0.07, 7), 2), nugget)


def _roll(sketch: Sketch, x: float, y: float, length: float, turn: float) -> None:
    way, side = np.array([np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    root = np.array([x, y])
    sheet = sketch.pick([(120, 178, 214), (104, 160, 200)])
    sketch.polygon(
        [root - 0.06 * side, root + 0.06 * side, root + 0.06 * side + length * way, root - 0.06 * side + length * way],
        sheet,
    )
    end = root + length * way
    sketch.ellipse(float(end[0]), float(end[1]), (0.06, 0.03), toned(sheet, 0.6))


def _papyrus(sketch: Sketch) -> None:
    for place in np.linspace(0.3, 0.78, 5):
        _roll(sketch, float(place), 0.7, 0.42 + sketch.jitter(0.03), 0.5 * (float(place) - 0.5))
    sketch.polygon([(0.3, 0.56), (0.84, 0.56), (0.82, 0.88), (0.34, 0.88)], (70, 104, 150))
    sketch.polygon([(0.12, 0.9), (0.2, 0.66), (0.42, 0.74), (0.38, 0.96)], (126, 184, 220))


def _silk(sketch: Sketch) -> None:
    for number, colour in enumerate(((96, 170, 40), (150, 50, 170), (190, 70, 60), (220, 130, 30))):
        y = 0.72 - 0.1 * number
        sketch.polygon(
            [(0.16, y), (0.3, y - 0.12), (0.88, y - 0.12), (0.78, y), (0.78, y + 0.08), (0.16, y + 0.08)], colour
        )
    sketch.polygon([(0.4, 0.3), (0.62, 0.3), (0.58, 0.72), (0.7, 0.94), (0.24, 0.94), (0.42, 0.7)], (226, 150, 40))
    sketch.line([(0.5, 0.34), (0.5, 0.7), (0.4, 0.92)], (240, 200, 120), 0.012)


def _spice(sketch: Sketch) -> None:
    for x, y, heap in ((0.56, 0.36, (50, 70, 190)), (0.3, 0.58, (30, 150, 230)), (0.7, 0.72, (40, 40, 210))):
        sketch.polygon([(x - 0.16, y), (x, y - 0.18), (x + 0.16, y)], heap)
        sketch.ellipse(x, y + 0.08, (0.2, 0.13), (150, 160, 216))
        sketch.ellipse(x, y, (0.17, 0.05), heap, None)


def _fish(sketch: Sketch) -> None:
    _basket(sketch, 0.46, 0.55, (0.34, 0.2))
    _basket(sketch, 0.66, 0.82, (0.24, 0.14))
    for number in range(9):
        far = number >= 6
        x = 0.22 + 0.09 * number if not far else 0.5 + 0.14 * (number - 6)
        y = (0.68 if far else 0.35) + sketch.jitter(0.015)
        slate = sketch.pick([(150, 120, 92), (170, 142, 116), (128, 100, 80)])
        sketch.polygon(
            [(x - 0.1, y + 0.05), (x, y - 0.07), (x + 0.1, y), (x + 0.15, y - 0.06), (x + 0.13, y + 0.06)], slate
        )


def _wheat(sketch: Sketch) -> None:
    for turn in np.linspace(-0.55, 0.55, 9):
        tip = np.array([0.5 + 0.9 * np.sin(turn) * 0.5, 0.18 + 0.14 * abs(turn)])
        sketch.line([(0.5, 0.72), (float(tip[0]), float(tip[1]))], (60, 140, 200), 0.018)
        for step in np.linspace(0, 0.4, 5):
            grain = tip + step * (np.array([0.5, 0.72]) - tip)
            sketch.ellipse(
                float(grain[0]),
                float(grain[1]),
                (0.024, 0.036),
                sketch.pick([(60, 150, 220), (70, 170, 236)]),
                (40, 90, 140),
            )
    for foot in np.linspace(0.36, 0.64, 6):
        sketch.line([(0.5, 0.7), (foot, 0.94)], (70, 150, 206), 0.02)
    sketch.line([(0.42, 0.72), (0.58, 0.7)], (40, 60, 150), 0.04)


def _pottery(sketch: Sketch) -> None:
    _pot(sketch, 0.6, 0.46, 0.34, (150, 70, 84))
    _pot(sketch, 0.3, 0.66, 0.2, (80, 90, 160))
    _pot(sketch, 0.74, 0.8, 0.13, (170, 110, 100))
    sketch.ellipse(0.44, 0.9, (0.2, 0.05), (170, 160, 90))


def _fakir(sketch: Sketch) -> None:
    sketch.polygon([(0.12, 0.86), (0.3, 0.74), (0.9, 0.78), (0.76, 0.94)], (70, 90, 120))
    sketch.polygon(smooth(np.array([(0.2, 0.84), (0.36, 0.42), (0.6, 0.44), (0.74, 0.84)]), 2), (40, 90, 170))
    sketch.polygon([(0.4, 0.44), (0.56, 0.44), (0.5, 0.74)], (226, 230, 232))
    sketch.ellipse(0.48, 0.34, (0.09, 0.1), _EARTH)
    sketch.ellipse(0.47, 0.25, (0.14, 0.09), (160, 80, 70))
    sketch.line([(0.52, 0.4), (0.72, 0.58)], (50, 80, 120), 0.03)
    sketch.ellipse(0.82, 0.8, (0.1, 0.09), _BROWN)
    sketch.line([(0.82, 0.74), (0.78, 0.6), (0.86, 0.52)], (120, 70, 60), 0.035)


_PAINTERS: dict[str, Callable[[Sketch], None]] = {
    "ivory": _ivory,
    "jewels": _jewels,
    "gold": _gold,
    "papyrus": _papyrus,
    "silk": _silk,
    "spice": _spice,
    "fish": _fish,
    "wheat": _wheat,
    "pottery": _pottery,
    FAKIR: _fakir,
}


def draw_card(card: str, rng: np.random.Generator) -> Image:
    """The face of a resource card, BGR, `CARD_PX` in size, upright; no two draws are quite alike.

    As on the cards of the game there is a white rim, the thing itself in the middle and small at the top, and
    a dot at the foot for each card of the kind in the box (rules 1.4). Raises KeyError for an unknown card.
    """
    wide, high = CARD_PX
    ground = _TAN if card == FAKIR else _GREEN
    sketch = Sketch(wide, rng, ground)
    _PAINTERS[card](sketch)
    drawn = np.any(sketch.sheet != np.asarray(ground, np.uint8), axis=2)
    mottle = 1 + 0.03 * rough_noise(rng, (high, wide), 3, 3)
    across, down = np.linspace(-1, 1, wide, dtype=np.float32), np.linspace(-1, 1, high, dtype=np.float32)
    away = np.sqrt(across[None] ** 2 + down[:, None] ** 2)
    glow = np.asarray(ground, np.float32) * mottle[..., None] * (1.22 - 0.3 * away[..., None])
    face = np.asarray(np.clip(glow, 0, 255), np.uint8)
    _paste(face, sketch.sheet, drawn, (wide / 2, 0.53 * high), 0.76)
    for x in (0.2, 0.8):
        _paste(face, sketch.sheet, drawn, (x * wide, 0.13 * high), 0.17)
    dots = CARD_COUNTS[card] if card != FAKIR else 1
    for number in range(dots):
        x = wide / 2 + 12 * (number - (dots - 1) / 2)
        cv2.circle(face, (round(x), round(0.915 * high)), 4, (70, 160, 190), -1, cv2.LINE_AA)
    for x in (0.16, 0.84):
        cv2.circle(face, (round(x * wide), round(0.9 * high)), 11, (60, 90, 130), -1, cv2.LINE_AA)
        cv2.circle(face, (round(x * wide), round(0.9 * high)), 8, toned(ground, 1.1), -1, cv2.LINE_AA)
    rim = round(RIM * wide)
    cv2.rectangle(face, (rim, rim), (wide - 1 - rim, high - 1 - rim), (50, 84, 120), 3, cv2.LINE_AA)
    framed = np.full_like(face, 240)
    framed[rim : high - rim, rim : wide - rim] = face[rim : high - rim, rim : wide - rim]
    return framed


def _paste(
    face: Image,
    picture: Image,
    mask: NDArray[np.bool_],
    middle: tuple[float, float],
    share: float,
) -> None:
    """Lay the drawn part of a square picture onto the face, `share` of the face's width wide, in place."""
    side = round(share * face.shape[1])
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(mask.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)[..., None]
    left, top = round(middle[0] - side / 2), round(middle[1] - side / 2)
    part = face[top : top + side, left : left + side]
    part[...] = (part * (1 - cover) + small * cover).astype(np.uint8)
