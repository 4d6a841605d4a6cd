"""CMA-ES: the minimum or maximum of a noisy function of some dozens of numbers (Hansen, The CMA Evolution Strategy: A
Tutorial, 2016).

The mean of the better half of each generation is where the next is drawn, and the covariance learns in which directions
steps pay; what is left of the noise is averaged out by both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]


@dataclass(slots=True, eq=False)
class EvolutionStrategy:
    """The state of a search for the maximum: `ask` for points, `tell` what they are worth, again and again."""

    mean: Doubles
    sigma: float
    population: int
    random: np.random.Generator
    covariance: Doubles = field(init=False)
    generation: int = 0
    _path: Doubles = field(init=False)
    _sigma_path: Doubles = field(init=False)
    _steps: Doubles = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.mean)
        self.covariance = np.eye(size)
        self._path, self._sigma_path = np.zeros(size), np.zeros(size)
        self._steps = np.zeros((self.population, size))

    def ask(self) -> Doubles:
        """Points of a generation, [population, numbers]; they lie in pairs about the mean, which halves the noise."""
        scales, axes = self._axes()
        half = self.random.standard_normal((self.population // 2, len(self.mean)))
        self._steps = (np.concatenate([half, -half]) * scales) @ axes.T
        return np.asarray(self.mean + self.sigma * self._steps)

    def tell(self, values: Doubles) -> None:
        """What the points of the last `ask` are worth: the more the better."""
        size, parents = len(self.mean), self.population // 2
        weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        weights /= weights.sum()
        effective = 1 / (weights**2).sum()
        path_rate = (4 + effective / size) / (size + 4 + 2 * effective / size)
        sigma_rate = (effective + 2) / (size + effective + 5)
        rank_one = 2 / ((size + 1.3) ** 2 + effective)
        rank_many = min(1 - rank_one, 2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective))
        damping = 1 + 2 * max(0.0, np.sqrt((effective - 1) / (size + 1)) - 1) + sigma_rate
        usual_length = np.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))

        scales, axes = self._axes()
        best = self._steps[np.argsort(-values, kind="stable")[:parents]]
        step = weights @ best
        self.mean = self.mean + self.sigma * step
        self.generation += 1
        whitened = axes @ ((step @ axes) / scales)
        self._sigma_path = (1 - sigma_rate) * self._sigma_path + np.sqrt(
            sigma_rate * (2 - sigma_rate) * effective
        ) * whitened
        length = float(np.linalg.norm(self._sigma_path))
        settled = length / np.sqrt(1 - (1 - sigma_rate) ** (2 * self.generation)) / usual_length < 1.4 + 2 / (size + 1)
        self._path = (1 - path_rate) * self._path + settled * np.sqrt(path_rate * (2 - path_rate) * effective) * step
        lost = rank_one * (1 - settled) * path_rate * (2 - path_rate)
        self.covariance = (
            (1 - rank_one - rank_many + lost) * self.covariance
            + rank_one * np.outer(self._path, self._path)
            + rank_many * (best.T * weights) @ best
        )
        self.sigma *= float(np.exp((sigma_rate / damping) * (length / usual_length - 1)))

    def _axes(self) -> tuple[Doubles, Doubles]:
        squares, axes = np.linalg.eigh(self.covariance)
        return np.sqrt(np.maximum(squares, 1e-12)), axes
