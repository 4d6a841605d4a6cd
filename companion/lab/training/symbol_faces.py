"""Corners of cards to train on which card a symbol is of: cut out of hands as the reader cuts them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.lab.training.card_stock import Stock
from companion.lab.training.cell_samples import CELLS, SIDE, CellSample
from companion.lab.training.hand_samples import NOTHING, sample_hand
from companion.vision.cards.cells import STRIDE
from companion.vision.cards.symbols import CARD_PX, cut_symbol
from companion.vision.load import Picture


def sample_corners(stock: Stock, rng: np.random.Generator) -> Iterator[tuple[Picture, int]]:
    """The symbols of one drawn hand, each once, and about half as many other places; with their class."""
    sample = sample_hand(stock, rng)
    places = list(_symbols(sample))
    for place, kind in places:
        yield cut_symbol(sample.picture, _near(place, rng), _wide(rng)), kind
    for _ in range(max(len(places) // 2, 2)):
        row, column = rng.integers(0, CELLS, 2)
        if sample.kinds[row, column] == NOTHING:
            place = (np.array([column, row]) + rng.random(2)) * STRIDE
            yield cut_symbol(sample.picture, place, _wide(rng)), NOTHING


def _symbols(sample: CellSample) -> Iterator[tuple[np.ndarray, int]]:
    """Each symbol's middle in px and its kind."""
    seen: list[np.ndarray] = []
    for row, column in np.argwhere((sample.kinds >= 0) & (sample.kinds != NOTHING)):
        place = (np.array([column, row]) + 0.5 + sample.details[:2, row, column]) * STRIDE
        if np.all((place > 4) & (place < SIDE - 4)) and all(np.abs(place - other).max() > 3 for other in seen):
            seen.append(place)
            yield place, int(sample.kinds[row, column])


def _near(place: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(place + rng.normal(0, 1.5, 2))


def _wide(rng: np.random.Generator) -> float:
    return CARD_PX * float(np.exp(rng.normal(0, 0.06)))
