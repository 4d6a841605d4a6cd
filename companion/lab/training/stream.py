"""Endless samples for each network of the board, out of a folder of stored examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from companion.lab.training.batches import locate_sample, piece_sample, tile_sample
from companion.lab.training.dataset import example_pools, load_example, pick_example
from companion.lab.training.lessons import lesson_path
from companion.vision.numerics import Float32

TILES_A_BOARD = 24

RESCAN_AFTER = 400
"""Samples after which the folder of examples is listed again."""

TURN_PROB = 0.5
"""Chance that a batch of boards is turned by a quarter: pieces lean every way."""


class Examples(IterableDataset[tuple[Float32, ...]]):
    """Endless samples from the stored examples of a folder in random order; newly stored ones are taken up.

    With `taught` they are those that have a lesson.
    """

    def __init__(
        self,
        folder: Path,
        sample: Callable[[Path, np.random.Generator], tuple[Float32, ...]],
        seed: int,
        traced_share: float | None = None,
        *,
        taught: bool = False,
    ) -> None:
        self.folder = folder
        self.taught = taught
        self.sample = sample
        self.seed = seed
        self.traced_share = traced_share

    def __iter__(self) -> Iterator[tuple[Float32, ...]]:
        worker = get_worker_info()
        if worker is not None:
            # Workers share the cores among them; where samples are made beside the training it keeps its own.
            torch.set_num_threads(1)
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        while True:
            paths = sorted(self.folder.glob("*.npz"))
            if self.taught:
                paths = [path for path in paths if lesson_path(path).exists()]
            pools = example_pools(paths, self.traced_share)
            for _ in range(RESCAN_AFTER):
                yield self.sample(pick_example(pools, rng), rng)


def locate_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """A sample for the locating network from a stored example."""
    picture, heat = locate_sample(load_example(path), rng)
    return picture, heat, np.ones((1, *heat.shape[1:]), dtype=np.float32)


def piece_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """A sample for the piece network from a stored example."""
    return piece_sample(load_example(path), rng)


def tile_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """Samples for the tile network from a stored example."""
    crops, classes = tile_sample(load_example(path), rng, TILES_A_BOARD)
    return crops, classes.astype(np.float32)
