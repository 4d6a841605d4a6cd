"""Pictures to train the network of small symbols on: hands of cards on tables, in the view that the reader makes."""

from __future__ import annotations

import cv2
import numpy as np

from companion.lab.rendering.hands import HIDDEN, VISIBLE, HeldCard, Way, lay_hand, seen_share
from companion.lab.training.card_samples import choice, dyed, face_of, lay_card, weathered
from companion.lab.training.card_stock import Stock
from companion.lab.training.cell_samples import IGNORED, SIDE, CellSample, blot, empty_sample, keystoned, way_to
from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.cells import STRIDE
from companion.vision.cards.detection import CARDS
from companion.vision.cards.symbols import CARD_PX, SYMBOL_SHARE
from companion.vision.load import Picture

NOTHING = len(CARDS)
WAYS = 4
"""Details besides the side: the way to the symbol's middle and the direction of the card's head, each x and y."""

STRIPS = (0.24, 0.75)
TURNS = 1.95
"""Hands are turned by up to so much, radians, either way: the cards of a fan lie across the one on top."""


def sample_hand(stock: Stock, rng: np.random.Generator) -> CellSample:
    """A hand of 1 to 12 cards, now and then none, on a table with or without other things.

    The last detail of a cell is 1 where the symbol is the card's right one.
    """
    sample = empty_sample(stock, NOTHING, WAYS + 1, rng)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            if rng.random() < 0.5:
                stray_card(sample.picture, stock, CARD_PX, rng)
            else:
                blot(sample.picture, rng)
    if rng.random() < 0.94:
        _lay(sample, stock, rng)
    return CellSample(weathered(sample.picture, rng), sample.kinds, sample.details)


def stray_card(picture: Picture, stock: Stock, wide: float, rng: np.random.Generator) -> None:
    """A card that is no resource card, anywhere on the picture, in place; some `wide` px wide."""
    card = HeldCard("", 0.0, 0.0, float(rng.uniform(0, 2 * np.pi)))
    corners = card.corners * wide * rng.uniform(0.7, 1.4) + rng.uniform(0, SIDE, 2)
    lay_card(picture, choice(rng, stock.others), corners, 0.4)


def _lay(sample: CellSample, stock: Stock, rng: np.random.Generator) -> None:
    """Lay a hand and tell of it, in place."""
    deck = [card for card, number in CARD_COUNTS.items() for _ in range(number)]
    even = rng.random() < 0.5
    names = [
        CARDS[int(rng.integers(len(CARDS)))] if even else deck[int(rng.integers(len(deck)))]
        for _ in range(int(rng.integers(1, 13)))
    ]
    hand = lay_hand(names, list(Way)[int(rng.integers(len(Way)))], rng, STRIPS)
    size = CARD_PX * float(np.exp(rng.uniform(-0.3, 0.3)))
    warp = keystoned(size, float(rng.uniform(-TURNS, TURNS)), rng)
    shadow = float(rng.uniform(0.05, 0.6))
    for card in hand:
        corners = cv2.perspectiveTransform(card.corners[None], warp)[0]
        lay_card(sample.picture, dyed(face_of(stock, card.name, rng), rng), corners, shadow)
    if rng.random() < 0.15:
        thumb = (SIDE / 2 + rng.normal(0, 60, 2)).astype(int).tolist()
        cv2.ellipse(sample.picture, thumb, (16, 40), float(rng.uniform(0, 180)), 0, 360, (120, 150, 200), -1)
    for at, card in enumerate(hand):
        places = cv2.perspectiveTransform(np.vstack([card.symbols, card.corners])[None], warp)[0]
        head = (places[2] + places[3] - places[4] - places[5]) / 2
        wide = float(np.linalg.norm(places[3] - places[2]))
        for side, share in enumerate(seen_share(hand, at)):
            if share <= HIDDEN:
                continue
            way = way_to(places[side])
            away = np.hypot(*way) * STRIDE / wide
            sample.kinds[(away < 0.9 * SYMBOL_SHARE) & (sample.kinds == NOTHING)] = IGNORED
            near = away < 0.6 * SYMBOL_SHARE
            sample.kinds[near] = IGNORED if share < VISIBLE else CARDS.index(card.name)
            sample.details[:2, near] = way[:, near]
            sample.details[2:4, near] = (head / np.linalg.norm(head))[:, None]
            sample.details[4, near] = side
