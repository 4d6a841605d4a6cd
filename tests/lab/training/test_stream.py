"""Samples are made in the process that asks for them, or in others, and only there is the number of threads cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from companion.lab.training.cards import _Faces
from companion.lab.training.cell_samples import CellSample
from companion.lab.training.cells import _Pictures
from companion.lab.training.stream import Examples
from tests.lab.training.test_cards import stock


@pytest.fixture
def two_threads() -> Iterator[None]:
    """PyTorch and OpenCV with two threads each, as they were afterwards."""
    before = torch.get_num_threads(), cv2.getNumThreads()
    torch.set_num_threads(2)
    cv2.setNumThreads(2)
    yield
    torch.set_num_threads(before[0])
    cv2.setNumThreads(before[1])


def drawn(rng: np.random.Generator) -> CellSample:
    cells = np.zeros((4, 4), np.int64)
    return CellSample(np.full((32, 32, 3), 90, np.uint8), cells, np.zeros((3, 4, 4), np.float32))


@pytest.mark.usefixtures("two_threads")
def test_samples_made_beside_the_training_leave_its_threads(tmp_path: Path) -> None:
    (tmp_path / "0000001.npz").write_bytes(b"")
    next(iter(Examples(tmp_path, lambda path, rng: (np.zeros(3, np.float32),), seed=0)))
    next(iter(_Pictures(drawn, 0)))
    assert _Faces(stock(), 1, 0)[0][1] >= 0
    assert (torch.get_num_threads(), cv2.getNumThreads()) == (2, 2)


@pytest.mark.usefixtures("two_threads")
def test_where_workers_make_them_each_has_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0000001.npz").write_bytes(b"")
    worker = type("Worker", (), {"id": 1})
    monkeypatch.setattr("companion.lab.training.stream.get_worker_info", lambda: worker)
    next(iter(Examples(tmp_path, lambda path, rng: (np.zeros(3, np.float32),), seed=0)))
    assert torch.get_num_threads() == 1
    monkeypatch.setattr("torch.utils.data.get_worker_info", lambda: worker)
    next(iter(_Pictures(drawn, 0)))
    assert cv2.getNumThreads() == 1
