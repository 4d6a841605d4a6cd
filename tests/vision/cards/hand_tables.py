"""Photos of what one player has on one table: goods cards, coins, djinns; `python -m tests.vision.cards.hand_tables`.

The command prints how well they are told apart and counted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from companion.lab.rendering.card_art import draw_card
from companion.lab.rendering.coins import COIN_PX, COIN_VALUES, draw_coin, lay_coin, make_mint
from companion.lab.rendering.djinn_cards import TYPEFACES, draw_djinn_card
from companion.rules.engine.djinns import DJINNS
from companion.vision.load import Picture
from companion.vision.reading.cards import best_name, is_sure
from companion.vision.reading.coins import gold_of
from companion.vision.reading.holdings import read_holdings
from companion.vision.reading.table import Shot
from tests.vision.cards.tables import Camera, Laid, camera_matrix, deal, photograph

SIZE = (1800, 1350)
COIN_MM = 24.0


def hand_table(
    cards: Sequence[str],
    coins: Sequence[int | None],
    djinns: Sequence[str],
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = SIZE,
    fanned: bool = False,
) -> Picture:
    """Cards above, six a row or fanned, coins below on the left, five a row, and djinns on the right."""
    faces = {djinn: draw_djinn_card(djinn, TYPEFACES[0], rng) for djinn in djinns}
    laid = [
        Laid(name, -120 + at * 24, -75 + at * 1.5, -20 + at * 7)
        if fanned
        else Laid(name, -125 + at % 6 * 50 + rng.normal(0, 1), -100 + at // 6 * 76, rng.normal(0, 2))
        for at, name in enumerate(cards)
    ]
    laid += [Laid(djinn, 40 + at * 54, 75 + rng.normal(0, 2), rng.normal(0, 2)) for at, djinn in enumerate(djinns)]
    camera = Camera(0, float(rng.uniform(0, 18)), 520, 380)

    def face(card: Laid) -> np.ndarray:
        return faces[card.name or ""] if card.name in faces else draw_card(card.name or "", rng)

    picture = np.ascontiguousarray(photograph(laid, face, rng, camera, size, (0.95, 0.1), 2))
    mint, to_px = make_mint(rng), camera_matrix(camera, size)
    for at, value in enumerate(coins):
        x, y = (np.array([at % 5 - 5, at // 5 + 2]) * 1.12 + rng.normal(0, 0.02, 2)) * COIN_MM
        across = COIN_MM * (1.0 if value is None else mint.sizes[COIN_VALUES.index(value)]) / COIN_PX
        turn = float(rng.uniform(0, 2 * np.pi))
        c, s, half = across * np.cos(turn), across * np.sin(turn), COIN_PX / 2
        to_table = np.array([[c, -s, x - half * (c - s)], [s, c, y - half * (s + c)], [0, 0, 1]])
        lay_coin(picture, draw_coin(mint, value, rng), to_px @ to_table, 0.35)
    return picture


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    count: Counter[str] = Counter()
    for number in range(options.photos):
        rng = np.random.default_rng([options.seed, number])
        cards = deal(rng, int(rng.integers(0, 9)))
        coins = [COIN_VALUES[int(rng.random() < 0.6)] for _ in range(int(rng.integers(0, 10)))]
        djinns = [list(DJINNS)[int(at)] for at in rng.permutation(len(DJINNS))[: int(rng.integers(0, 3))]]
        photo = hand_table(cards, coins, djinns, rng, fanned=len(cards) < 7 and rng.random() < 0.4)
        seen = read_holdings(Shot("the photo", photo))
        told = Counter(best_name(card) for card in seen.cards)
        doubtful = sum(not is_sure(card) for card in seen.cards) + sum(not coin.is_sure for coin in seen.coins)
        names = {title.name for title in seen.titles if title.name}
        right = told == Counter(cards) and gold_of(seen.coins) == sum(coins) and names == set(djinns)
        count["photos"] += 1
        count["cards"] += told == Counter(cards)
        count["gold"] += gold_of(seen.coins) == sum(coins)
        count["djinns"] += names == set(djinns)
        count["all right"] += right
        count["doubts"] += doubtful + sum(not title.name for title in seen.titles)
        count["wrong without a doubt"] += not right and not doubtful and all(title.name for title in seen.titles)
    print(", ".join(f"{name} {number}" for name, number in count.items()))


if __name__ == "__main__":
    main()
