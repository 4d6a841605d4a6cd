"""What weights are thought to be before any game is played, and how far games may move them."""

from __future__ import annotations

import numpy as np

from companion.simulation.evaluation import FEATURES, MAX_SET, Floats, Weights, weight_table

_SETS = (2, 4, 6, 8, 8, 8, 7, 4, 0)
_SECOND_SETS = (1, 2, 3, 3, 3, 3, 3, 2, 0)
_DJINNS = {
    "Al-Amin": 3,
    "Anun-Nak": 2,
    "Ba'al": 4,
    "Boaz": 2,
    "Bouraq": 4,
    "Echidna": 3,
    "Enki": 3,
    "Hagis": 2,
    "Haurvatat": 3,
    "Iblis": 3,
    "Jafaar": 3,
    "Kandicha": 4,
    "Kumarbi": 4,
    "Lamia": 2,
    "Leta": 5,
    "Marid": 4,
    "Monkir": 3,
    "Nekir": 4,
    "Shamhat": 5,
    "Sibittis": 5,
    "Sloar": 4,
    "Utug": 6,
    "Dhenim": 4,
}
"""VP that a djinn brings beside its own, held from the start of a game."""
_OTHERS: dict[str, tuple[float, float]] = {
    "fakirs": (0.2, 2.5),
    "more fakirs": (0, 1),
    "viziers": (0, 0.3),
    "majorities": (0.8, 0),
    "elders": (0, 1.5),
    "more elders": (0, 0.7),
    "gold": (0, 0.2),
    "more gold": (0, 0.05),
    "oases": (0, 2),
    "villages": (0, 2),
    "bid place": (0, 0),
    "rare goods": (0, 1),
    "viziers for Jafaar": (0, 0.4),
    "tiles for Marid": (0, 1),
}
_TOLERANCES: dict[str, tuple[float, float]] = {
    "first": (1, 4),
    "second": (1, 3),
    "majorities": (0.3, 0.3),
    "gold": (0.1, 0.3),
    "more": (0.4, 1),
    "djinn": (0.7, 3),
    "bids": (2, 6),
    "tiles": (0.5, 1.5),
    "viziers": (0.5, 1),
}
"""By the first word of a feature: how far off the worth at the end and what a whole game adds may well be."""
_TOLERANCE = (0.7, 2.0)


def prior_weights() -> Weights:
    """Worths as a player guesses them, the same for any number of players."""
    values: dict[str, list[float]] = {name: list(pair) for name, pair in _OTHERS.items()}
    for size in range(1, MAX_SET + 1):
        values[f"first set {size}"] = [0, _SETS[size - 1]]
        values[f"second set {size}"] = [0, _SECOND_SETS[size - 1]]
    values |= {f"djinn {name}": [0, worth] for name, worth in _DJINNS.items()}
    return Weights(weight_table(values))


def tolerances() -> Floats:
    """Standard deviations of the weights about `prior_weights`, [2, features], in VP."""
    pairs = [_TOLERANCES.get(name.split()[0], _TOLERANCE) for name in FEATURES]
    return np.array(pairs, dtype=np.float32).T
