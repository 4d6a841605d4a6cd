"""What the program's networks make of a picture, kept while tests run: a few samples are read in a hundred tests.

A network makes the same of the same input, and takes most of a reading's time, so all processes of the tests together
ask it once. All else of a reading is done every time. Outputs lie in files, which no process has to hold.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import cv2
import numpy as np

Outputs = list[np.ndarray]
_folder: Path | None = None
"""Where outputs are kept; None while networks are asked anew."""


class RememberedNetwork:
    """A network of `cv2.dnn` that is asked once for each input."""

    def __init__(self, network: Any, content: bytes) -> None:
        self._network = network
        self._content = blake2b(content).digest()
        self._input = np.empty(0)

    def setInput(self, batch: np.ndarray) -> None:
        """As of `cv2.dnn.Net`."""
        self._input = batch

    def forward(self, names: Sequence[str] | None = None) -> Any:
        """As of `cv2.dnn.Net`: one output, or those of the names."""
        batch = np.ascontiguousarray(self._input)
        name = blake2b(self._content + repr((batch.shape, batch.dtype.str, names)).encode(), digest_size=20)
        name.update(batch.data)
        kept = None if _folder is None else _folder / f"{name.hexdigest()}.npz"
        if kept is not None and kept.exists():
            with np.load(kept) as file:
                outputs = [file[key] for key in file.files]
        else:
            self._network.setInput(batch)
            outputs = [self._network.forward()] if names is None else [*self._network.forward([*names])]
            if kept is not None:
                _keep(outputs, kept)
        return outputs[0] if names is None else outputs

    def getUnconnectedOutLayersNames(self) -> list[str]:
        """As of `cv2.dnn.Net`."""
        return [*self._network.getUnconnectedOutLayersNames()]


def _keep(outputs: Outputs, path: Path) -> None:
    """Write outputs in their order, whole or not at all: other processes look for them meanwhile."""
    handle, begun = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        np.savez(file, *outputs)
    Path(begun).replace(path)


def remember_networks(folder: Path) -> None:
    """Have all networks that are loaded from now on be asked once for each input; outputs are kept in the folder."""
    global _folder
    _folder = folder
    dnn: Any = cv2.dnn
    load: Callable[..., Any] = dnn.readNetFromONNX

    def remembered(source: str | np.ndarray, *settings: int) -> Any:
        content = Path(source).read_bytes() if isinstance(source, str) else source.tobytes()
        return RememberedNetwork(load(source, *settings), content)

    dnn.readNetFromONNX = remembered


@contextmanager
def asked_anew() -> Iterator[None]:
    """Have networks asked for inputs that they know, for a test that is about them."""
    global _folder
    folder, _folder = _folder, None
    try:
        yield
    finally:
        _folder = folder
