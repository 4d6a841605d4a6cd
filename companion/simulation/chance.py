"""Chance without a generator's state: the same world and clock give the same number in every lane.

So candidates that are compared meet the same luck (common random numbers), whatever else happens in their lanes.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.simulation.batch import Batch
from companion.simulation.layout import Index

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def uniform(batch: Batch, at: Index, salt: int | Index, size: int = 1) -> npt.NDArray[np.float64]:
    """Numbers in [0, 1), shape [size, lanes], by world and clock of the lanes `at` and by what they are for.

    `salt` says that: one number, or one a lane.
    """
    key = batch.world[at].astype(np.uint64) * np.uint64(0x10000) + batch.clock[at].astype(np.uint64)
    key = key * np.uint64(0x10000) + np.asarray(salt, dtype=np.uint64) % np.uint64(0x10000)
    with np.errstate(over="ignore"):
        mixed = (key[None, :] * np.uint64(64) + np.arange(size, dtype=np.uint64)[:, None] + np.uint64(1)) * _GOLDEN
        # SplitMix64 (Steele, Lea and Flood 2014).
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX_1
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
        mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53)


_TABLE_SIZE = 1 << 13


@cache
def _gumbel_table() -> npt.NDArray[np.float32]:
    """Gumbel noise at evenly spread probabilities, in an order drawn once for all."""
    shares = (np.arange(_TABLE_SIZE) + 0.5) / _TABLE_SIZE
    return np.random.default_rng(0).permutation(-np.log(-np.log(shares))).astype(np.float32)


def gumbel(batch: Batch, at: Index, salt: int, size: int) -> npt.NDArray[np.float32]:
    """Gumbel noise, [size, lanes]: a maximum of values with it is a draw from their softmax.

    Each lane has a stretch of one table, which begins where `uniform` says: far cheaper than as many new numbers.
    """
    windows = np.lib.stride_tricks.sliding_window_view(_gumbel_table(), size)
    first = (uniform(batch, at, salt)[0] * len(windows)).astype(np.intp)
    return np.asarray(windows[first].T)
