"""Weights by ridge regression: what players' points became, on what they held (policy iteration from self-play)."""

from __future__ import annotations

import numpy as np

from companion.lab.fitting.selfplay import RoundExamples
from companion.simulation.evaluation import FEATURES, Floats, Weights


def fit(found: RoundExamples, before: Weights, *, ridge: float) -> Weights:
    """Weights that foretell the final points best, drawn towards those `before` by `ridge` (in examples)."""
    design = np.concatenate([found.features, found.features * found.left[:, None]], axis=1).astype(np.float64)
    prior = before.table.reshape(-1).astype(np.float64)
    rest = (found.final - found.points) - design @ prior
    scale = design.std(axis=0) + 1e-9
    scaled = design / scale
    moments = scaled.T @ scaled + ridge * np.eye(scaled.shape[1])
    change = np.linalg.solve(moments, scaled.T @ rest) / scale
    table: Floats = (prior + change).reshape(2, len(FEATURES)).astype(np.float32)
    return Weights(table, before.discount, before.outbid)


def explained(found: RoundExamples, weights: Weights) -> float:
    """The share of the variance of what is still to come that the weights foretell."""
    foretold = (found.features * (weights.table[0] + weights.table[1] * found.left[:, None])).sum(axis=1)
    rest = found.final - found.points
    return float(1 - ((rest - foretold) ** 2).mean() / (rest**2).mean())
