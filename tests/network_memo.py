"""What the program's networks make of a picture, kept while tests run: a few samples are read in a hundred tests.

A network makes the same of the same input, and takes most of a reading's time, so each process of the tests asks it
once. All else of a reading is done every time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import cv2
import numpy as np

MAX_BYTES = 200_000_000
"""What is kept in one process; what was asked for longest ago goes first."""

Outputs = tuple[np.ndarray, ...]
_kept: OrderedDict[tuple[object, ...], Outputs] = OrderedDict()


class RememberedNetwork:
    """A network of `cv2.dnn` that is asked once for each input."""

    def __init__(self, network: Any, content: np.ndarray) -> None:
        self._network = network
        self._name = blake2b(content.tobytes()).digest()
        self._input = np.empty(0)

    def setInput(self, batch: np.ndarray) -> None:
        """As of `cv2.dnn.Net`."""
        self._input = batch

    def forward(self, names: Sequence[str] | None = None) -> Any:
        """As of `cv2.dnn.Net`: one output, or those of the names."""
        batch = np.ascontiguousarray(self._input)
        key = (
            self._name,
            batch.shape,
            batch.dtype.str,
            blake2b(batch.tobytes()).digest(),
            None if names is None else (*names,),
        )
        if key not in _kept:
            self._network.setInput(batch)
            _kept[key] = (self._network.forward(),) if names is None else tuple(self._network.forward([*names]))
            while len(_kept) > 1 and sum(output.nbytes for outputs in _kept.values() for output in outputs) > MAX_BYTES:
                _kept.popitem(last=False)
        _kept.move_to_end(key)
        # Whoever is given a heatmap may write into it.
        copies = [output.copy() for output in _kept[key]]
        return copies[0] if names is None else copies


def remember_networks() -> None:
    """Have all networks that are loaded from now on be asked once for each input."""
    dnn: Any = cv2.dnn
    load: Callable[[Any], Any] = dnn.readNetFromONNX

    def remembered(content: Any) -> Any:
        network = load(content)
        return RememberedNetwork(network, content) if isinstance(content, np.ndarray) else network

    dnn.readNetFromONNX = remembered


def forget_outputs() -> None:
    """Have networks asked anew, for a test that is about them."""
    _kept.clear()
