"""Discs to train the coin network on: coins of many makes on any table, cut as the reader cuts them; and no coins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.coins import COIN_PX, COIN_VALUES, draw_coin, make_mint
from companion.lab.training.card_samples import CARD_WIDE, dyed, face_of, lay_card, weathered
from companion.lab.training.card_stock import Stock
from companion.lab.training.cell_samples import SIDE, blot, empty_picture, keystoned
from companion.lab.training.hand_samples import stray_card
from companion.vision.cards.coins import COIN_KINDS, NOTHING, Disc, cut_disc
from companion.vision.cards.detection import CARDS
from companion.vision.load import Picture

DIAMETERS_PX = (26.0, 75.0)

RING_SHARE = 0.35
"""Share of coins that are cut within the ring that surrounds the number, as where they touch others."""


def sample_discs(stock: Stock, rng: np.random.Generator) -> Iterator[tuple[Picture, int]]:
    """The discs of one drawn table, with their class: each of its coins, and about as many that are none."""
    picture = empty_picture(stock, rng)
    for _ in range(int(rng.integers(0, 4))):
        what = rng.random()
        if what < 0.35:
            stray_card(picture, stock, 110, rng)
        elif what < 0.6:
            corners = (np.array([(0, 0), (1, 0), (1, 1.52), (0, 1.52)]) - 0.5) * CARD_WIDE * rng.uniform(0.7, 1.3)
            face = face_of(stock, CARDS[int(rng.integers(len(CARDS)))], rng)
            lay_card(picture, dyed(face, rng), corners + rng.uniform(0, SIDE, 2), 0.4)
        else:
            blot(picture, rng)
    coins = _lay(picture, rng) if rng.random() < 0.95 else []
    seen = weathered(picture, rng)
    for disc, kind in coins:
        share = rng.uniform(0.7, 0.93) if rng.random() < RING_SHARE else rng.normal(1.0, 0.05)
        yield cut_disc(seen, _shaken(disc, float(share), 0.03, rng)), kind
    for _ in range(max(len(coins), 4)):
        yield cut_disc(seen, _stray(coins, rng)), NOTHING


def _stray(coins: list[tuple[Disc, int]], rng: np.random.Generator) -> Disc:
    """A disc that is no coin: anywhere, between coins, far within or far around one."""
    if not coins or rng.random() < 0.4:
        wide = float(rng.uniform(14, 110))
        x, y = rng.uniform(0, SIDE, 2)
        stray = Disc(float(x), float(y), wide, wide * float(rng.uniform(0.7, 1.0)), float(rng.uniform(0, 180)))
        near = [coin for coin, _ in coins if np.hypot(coin.x - x, coin.y - y) < 0.3 * coin.wide]
        if not near:
            return stray
        return _shaken(near[0], 0.35, 0.05, rng)
    coin = coins[int(rng.integers(len(coins)))][0]
    if rng.random() < 0.5:
        return _shaken(coin, float(rng.choice([0.3, 0.4, 1.6, 2.2])) * float(rng.normal(1, 0.06)), 0.04, rng)
    turn, away = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.33, 0.8)) * coin.wide
    moved = Disc(coin.x + away * np.cos(turn), coin.y + away * np.sin(turn), coin.wide, coin.high, coin.turn)
    return _shaken(moved, float(rng.uniform(0.5, 1.2)), 0.0, rng)


def _shaken(disc: Disc, share: float, loose: float, rng: np.random.Generator) -> Disc:
    dx, dy, wider, higher = rng.normal(0, 1, 4) * loose
    return Disc(
        disc.x + float(dx) * disc.wide,
        disc.y + float(dy) * disc.wide,
        disc.wide * share * (1 + float(wider)),
        disc.high * share * (1 + float(higher)),
        disc.turn,
    )


def _lay(picture: Picture, rng: np.random.Generator) -> list[tuple[Disc, int]]:
    """Lay rows of coins, in place; where they are, and their kinds. Those not wholly in the picture are left out."""
    mint = make_mint(rng)
    size = float(np.exp(rng.uniform(*np.log(DIAMETERS_PX))))
    rows, columns = int(rng.integers(1, 6)), int(rng.integers(1, 9))
    step = float(rng.uniform(1.0, 1.5))
    warp = keystoned(size, float(rng.uniform(0, 2 * np.pi)), rng) @ np.diag([1.0, float(rng.uniform(0.72, 1.0)), 1.0])
    backs = float(rng.choice([0.0, 0.15, 0.9], p=[0.4, 0.5, 0.1]))
    fives = float(rng.uniform(0, 1))
    shadow = float(rng.uniform(0.05, 0.5))
    faces = {value: [draw_coin(mint, value, rng) for _ in range(2)] for value in COIN_KINDS}
    laid = []
    for row in range(rows):
        for column in range(columns):
            value = None if rng.random() < backs else COIN_VALUES[int(rng.random() < fives)]
            wide = mint.sizes[COIN_VALUES.index(value)] if value is not None else 1.0
            middle = np.array([column - (columns - 1) / 2, row - (rows - 1) / 2]) * step + rng.normal(0, 0.03, 2)
            turn = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.7 else float(rng.normal(0, 0.2))
            c, s = wide / COIN_PX * np.cos(turn), wide / COIN_PX * np.sin(turn)
            half = COIN_PX / 2
            to_px = warp @ np.array(
                [[c, -s, middle[0] - half * (c - s)], [s, c, middle[1] - half * (s + c)], [0, 0, 1]]
            )
            lay_coin(picture, faces[value][int(rng.integers(2))], to_px, shadow)
            disc = disc_of(to_px)
            if min(disc.x, disc.y, SIDE - disc.x, SIDE - disc.y) > 0.45 * disc.wide and disc.wide > 14:
                laid.append((disc, COIN_KINDS.index(value)))
    return laid


def disc_of(to_px: NDArray[np.float64]) -> Disc:
    """Where a drawn coin's edge lies in a picture, by the way from its px to those."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = COIN_PX / 2 * (1 + np.column_stack([np.cos(turns), np.sin(turns)]))
    (x, y), (wide, high), turn = cv2.fitEllipse(cv2.perspectiveTransform(ring[None], to_px)[0].astype(np.float32))
    return Disc(x, y, wide, high, turn)


def lay_coin(picture: Picture, face: Picture, to_px: NDArray[np.float64], shadow: float) -> None:
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
def _disc_mask() -> Picture:
    mask = np.zeros((COIN_PX, COIN_PX), np.uint8)
    cv2.circle(mask, (COIN_PX // 2, COIN_PX // 2), COIN_PX // 2 - 1, (255,), -1, cv2.LINE_AA)
    return mask
