"""Shapes of palms and palaces drawn at random are what their names say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.rendering.carving import PETALS, carved_domes, carved_palm


def _peaks(heights: np.ndarray) -> int:
    """How many tops there are that fall by half a millimetre or more to both sides."""
    count, low, high, rising = 0, heights[0], heights[0], True
    for height in heights:
        low, high = min(low, height), max(high, height)
        if rising and height < high - 0.5:
            count, rising, low = count + 1, False, height
        elif not rising and height > low + 0.5:
            rising, high = True, height
    return count


def _skyline(outline: np.ndarray, across: np.ndarray) -> np.ndarray:
    """The outline's height above each place of its foot."""
    ends = np.roll(outline, -1, axis=0)
    heights = np.full(len(across), outline[:, 1].min())
    for (x0, y0), (x1, y1) in zip(outline, ends, strict=True):
        left, right = min(x0, x1), max(x0, x1)
        over = (across >= left) & (across <= right)
        share = (across[over] - x0) / (x1 - x0) if x1 != x0 else 0.0
        heights[over] = np.maximum(heights[over], y0 + share * (y1 - y0))
    return heights


@pytest.mark.parametrize("seed", range(12))
def test_petals_stand_round_the_top_of_a_slim_trunk(seed: int) -> None:
    outline, low = carved_palm(np.random.default_rng(seed), PETALS)
    assert low.any() and not low.all()
    foot = outline[:, 1].min()
    trunk, crown = outline[low], outline[~low]
    assert np.median(crown[:, 1]) > np.median(trunk[:, 1])
    assert np.ptp(crown[:, 0]) > 9 and 12 < np.ptp(outline[:, 1]) < 32 and foot > -1
    middle = crown.mean(0)
    reach = np.hypot(*(crown - middle).T)
    assert 1.25 < reach.max() / reach.min() < 12


def test_between_petals_there_are_gaps() -> None:
    filled = []
    for seed in range(40):
        outline, low = carved_palm(np.random.default_rng(seed), PETALS)
        crown = outline[~low].astype(np.float32)
        filled.append(cv2.contourArea(crown) / cv2.contourArea(cv2.convexHull(crown)))
    assert 0.45 < np.median(filled) < 0.85 and max(filled) < 0.97


def test_domes_stand_in_a_row() -> None:
    counts = []
    for seed in range(40):
        outline = carved_domes(np.random.default_rng(seed))
        width = float(np.ptp(outline[:, 0]))
        assert 13 < width < 27 and 5 < np.ptp(outline[:, 1]) < 32
        across = np.linspace(outline[:, 0].min() + 0.4, outline[:, 0].max() - 0.4, 90)
        counts.append(_peaks(_skyline(outline, across)))
    # Where the middle is much higher, its neighbours may run into it.
    assert max(counts) == 5 and min(counts) >= 1 and counts.count(3) > 8
