"""Endless samples for each network of the board, out of a folder of stored examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from companion.lab.training.dataset import Example, example_pools, load_example, pick_example
from companion.lab.training.lessons import lesson_arrays, lesson_path
from companion.vision.numerics import Float32

RESCAN_AFTER = 400
"""Samples after which the folder of examples is listed again."""


class Examples(IterableDataset[tuple[Float32, ...]]):
    """Endless samples from the stored examples of a folder in random order; newly stored ones are taken up.

    With `taught` they are those that have a lesson, and `lesson_arrays` makes the samples.
    """

    def __init__(
        self,
        folder: Path,
        sample: Callable[[Example, np.random.Generator], tuple[Float32, ...]],
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
                path = pick_example(pools, rng)
                yield lesson_arrays(path, rng) if self.taught else self.sample(load_example(path), rng)
