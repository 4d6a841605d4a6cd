"""Gold coins of 1 and 5, of our own drawing: many makes of them, since nothing is told of how an owner's look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.textures import Image, rough_noise

COIN_PX = 120
"""Width and height of a drawn coin, edge to edge."""

COIN_VALUES = (1, 5)
"""GC (rules 1.3)."""

_FONTS = Path(__file__).parents[2] / "printing" / "fonts"
_TYPES = (
    "DejaVuSans.ttf",
    "PTSans-Bold.ttf",
    "PTSans-Regular.ttf",
    "PTSerif-Bold.ttf",
    "CompanionHangul-Bold.ttf",
    "CompanionHangul-Regular.ttf",
)
_METALS = ((60, 170, 225), (80, 190, 240), (40, 130, 190), (175, 175, 180), (150, 190, 210), (70, 110, 180))
"""Gold, brass, bronze, silver, pale gold, copper; BGR."""


@dataclass(frozen=True, slots=True)
class Mint:
    """One make of coins: the metal and the size of each value, the type of its numbers, what surrounds them.

    `metals` BGR and `sizes` relative, of 1 and of 5; `typeface` a file; `number` its height, `rim` the ring's place, in
    coin widths; `ink` how much lighter (over 1) or darker numbers are than the metal; `beads` around the rim.
    """

    metals: tuple[tuple[float, float, float], tuple[float, float, float]]
    sizes: tuple[float, float]
    typeface: str
    number: float
    rim: float
    ink: float
    beads: int
    plain: bool


def make_mint(rng: np.random.Generator) -> Mint:
    """Some make of coins: both values alike but for the number, or of other metal or size."""
    first = _METALS[int(rng.integers(len(_METALS)))]
    other = first if rng.random() < 0.35 else _METALS[int(rng.integers(len(_METALS)))]
    shade = rng.uniform(0.75, 1.15)
    return Mint(
        metals=(_toned(first, shade), _toned(other, shade)),
        sizes=(1.0, 1.0) if rng.random() < 0.4 else (float(rng.uniform(0.72, 0.95)), 1.0),
        typeface=_TYPES[int(rng.integers(len(_TYPES)))],
        number=float(rng.uniform(0.36, 0.66)),
        rim=float(rng.uniform(0.36, 0.47)),
        ink=float(rng.uniform(0.15, 0.6)) if rng.random() < 0.7 else float(rng.uniform(1.35, 1.8)),
        beads=0 if rng.random() < 0.5 else int(rng.integers(12, 36)),
        plain=bool(rng.random() < 0.3),
    )


def draw_coin(mint: Mint, value: int | None, rng: np.random.Generator) -> Image:
    """A coin's face, BGR, `COIN_PX` a side, its corners to be cut off; without a `value` its back, with a picture."""
    metal = mint.metals[COIN_VALUES.index(value) if value is not None else int(rng.integers(2))]
    side, middle = COIN_PX, COIN_PX / 2
    mottle = 1 + float(rng.uniform(0.02, 0.1)) * rough_noise(rng, (side, side), 3, int(rng.integers(3, 12)))
    face = np.asarray(np.clip(np.asarray(metal) * mottle[..., None], 0, 255), np.uint8)
    dark, ink = _toned(metal, 0.5), _toned(metal, mint.ink)
    centre = (round(middle), round(middle))
    cv2.circle(face, centre, round(middle) - 1, dark, 2, cv2.LINE_AA)
    if not mint.plain:
        cv2.circle(face, centre, round(mint.rim * side), dark, max(round(0.015 * side), 1), cv2.LINE_AA)
    for bead in range(mint.beads):
        turn = 2 * np.pi * bead / mint.beads
        spot = middle + 0.455 * side * np.array([np.cos(turn), np.sin(turn)])
        cv2.circle(face, (round(float(spot[0])), round(float(spot[1]))), 2, dark, -1, cv2.LINE_AA)
    if value is None:
        _draw_back(face, ink, rng)
        return face
    number = _number(mint.typeface, value, round(mint.number * side))
    if rng.random() < 0.5:
        _press(face, np.roll(number, (2, 2), axis=(0, 1)), _toned(metal, 1.35 if mint.ink < 1 else 0.55))
    _press(face, number, ink)
    return face


@cache
def _number(typeface: str, value: int, high: int) -> NDArray[np.float32]:
    """Where a number `high` px high stands in the middle of a coin: (COIN_PX, COIN_PX), 0 to 1."""
    large = np.zeros((4 * COIN_PX, 4 * COIN_PX), np.uint8)
    cv2.putText(large, str(value), (COIN_PX, 3 * COIN_PX), (255,), cv2.FontFace(str(_FONTS / typeface)), 3 * COIN_PX)
    rows, columns = np.nonzero(large > 127)
    drawn = large[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    wide = max(round(drawn.shape[1] * high / drawn.shape[0]), 1)
    top, left = (COIN_PX - high) // 2, (COIN_PX - wide) // 2
    place = np.zeros((COIN_PX, COIN_PX), np.float32)
    place[top : top + high, left : left + wide] = (
        cv2.resize(drawn, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    )
    return place


def _press(face: Image, number: NDArray[np.float32], colour: tuple[float, float, float]) -> None:
    face[...] = (face * (1 - number[..., None]) + np.asarray(colour) * number[..., None]).astype(np.uint8)


def _draw_back(face: Image, ink: tuple[float, float, float], rng: np.random.Generator) -> None:
    """A picture that is no number, in place."""
    side = face.shape[0]
    for _ in range(int(rng.integers(2, 7))):
        spot = (side * rng.uniform(0.32, 0.68, 2)).astype(int).tolist()
        axes = (side * rng.uniform(0.03, 0.16, 2)).astype(int).tolist()
        line = -1 if rng.random() < 0.6 else 3
        cv2.ellipse(face, spot, axes, float(rng.uniform(0, 180)), 0, 360, ink, line, cv2.LINE_AA)


def _toned(colour: tuple[float, ...], factor: float) -> tuple[float, float, float]:
    blue, green, red = (float(min(channel * factor, 255)) for channel in colour)
    return blue, green, red


def lay_coin(picture: Image, face: Image, to_px: NDArray[np.float64], shadow: float) -> None:
    """Lay a coin onto the picture, in place; its shadow falls below right."""
    square = np.array([[(0, 0), (COIN_PX, 0), (COIN_PX, COIN_PX), (0, COIN_PX)]], np.float64)
    corners = cv2.perspectiveTransform(square, to_px)[0]
    low = np.maximum(np.floor(corners.min(axis=0)) - 4, 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0)) + 6, picture.shape[1::-1]).astype(int)
    if np.any(high - low < 2):
        return
    part = picture[low[1] : high[1], low[0] : high[0]]
    move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64) @ to_px
    place = (part.shape[1], part.shape[0])
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    if wide < COIN_PX / 2:
        # Fine print of a small coin would flicker.
        face = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.4 * COIN_PX / wide), np.uint8)
    cover = cv2.warpPerspective(_disc_mask(), move, place).astype(np.float32)[..., None] / 255
    seen = cv2.warpPerspective(face, move, place)
    shade = shadow * np.roll(cv2.blur(cover, (5, 5)), (2, 2), axis=(0, 1)).reshape(cover.shape)
    part[...] = (part * (1 - shade * (1 - cover)) * (1 - cover) + seen * cover).astype(np.uint8)


@cache
def _disc_mask() -> Image:
    mask = np.zeros((COIN_PX, COIN_PX), np.uint8)
    cv2.circle(mask, (COIN_PX // 2, COIN_PX // 2), COIN_PX // 2 - 1, (255,), -1, cv2.LINE_AA)
    return mask
