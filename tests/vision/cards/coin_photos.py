"""Photos of coins in rows for tests, and `python -m tests.vision.cards.coin_photos`: how well they are counted."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.lab.rendering.coins import COIN_PX, COIN_VALUES, Mint, draw_coin, lay_coin, make_mint
from companion.vision.cards.coins import find_coins
from companion.vision.load import Picture, load_photo
from companion.vision.reading.coins import gold_of
from tests.vision.cards.tables import Camera, camera_matrix, table

SIZE = (1600, 1200)
COIN_MM = 24.0


def coin_photo(
    values: Sequence[int | None],
    rng: np.random.Generator,
    *,
    mint: Mint | None = None,
    camera: Camera | None = None,
    light: tuple[float, float] = (0.9, 0.1),
    in_row: int = 6,
    gap: float = 1.12,
    ground: Picture | None = None,
) -> Picture:
    """Coins of these values, None with their number down, laid by hand in rows and photographed."""
    mint = mint or make_mint(rng)
    camera = camera or Camera(0, 15, 500, 260)
    picture = (255 * table(rng, SIZE)).astype(np.uint8) if ground is None else cv2.resize(ground, SIZE)
    to_px = camera_matrix(camera, SIZE)
    rows = -(-len(values) // in_row)
    for at, value in enumerate(values):
        row, column = divmod(at, in_row)
        x, y = (np.array([column - (in_row - 1) / 2, row - (rows - 1) / 2]) * gap + rng.normal(0, 0.02, 2)) * COIN_MM
        size = COIN_MM * (mint.sizes[COIN_VALUES.index(value)] if value is not None else 1.0) / COIN_PX
        turn = float(rng.uniform(0, 2 * np.pi))
        c, s = size * np.cos(turn), size * np.sin(turn)
        half = COIN_PX / 2
        to_table = np.array([[c, -s, x - half * (c - s)], [s, c, y - half * (s + c)], [0, 0, 1]])
        lay_coin(picture, draw_coin(mint, value, rng), to_px @ to_table, 0.35)
    gains = 255 * light[0] * 2.0 ** np.array([-light[1] / 2, 0, light[1] / 2])
    lit = cv2.GaussianBlur(picture, (0, 0), 0.7) / 255.0 * gains + rng.normal(0, 2.5, picture.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many coins were told, and how many photos' gold was exact."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--grounds", type=Path)
    options = parser.parse_args(arguments)
    grounds = [load_photo(path) for path in sorted(options.grounds.glob("*.jpg"))[:8]] if options.grounds else []
    count: Counter[str] = Counter()
    for number in range(options.photos):
        rng = np.random.default_rng([options.seed, number])
        values = [COIN_VALUES[int(rng.random() < 0.6)] for _ in range(int(rng.integers(3, 25)))]
        camera = Camera(float(rng.uniform(0, 360)), float(rng.uniform(0, 30)), 500, float(rng.uniform(230, 330)))
        light = (float(rng.uniform(0.5, 1.1)), float(rng.uniform(-0.1, 0.6)))
        ground = grounds[int(rng.integers(len(grounds)))] if grounds else None
        gap = float(rng.uniform(1.02, 1.4))
        found = find_coins(coin_photo(values, rng, camera=camera, light=light, gap=gap, ground=ground))
        told, truth = Counter(coin.value for coin in found), Counter[int | None](values)
        count["photos"] += 1
        count["coins"] += len(values)
        count["found"] += len(found)
        count["right"] += (told & truth).total()
        count["doubtful"] += sum(not coin.is_sure for coin in found)
        count["exact"] += gold_of(found) == sum(values)
        count["silent"] += gold_of(found) != sum(values) and all(coin.is_sure for coin in found)
    print(" ".join(f"{name} {number}" for name, number in count.items()))


if __name__ == "__main__":
    main()
