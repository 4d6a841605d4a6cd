"""What the program's networks make of a picture, kept while tests run: a few samples are read in a hundred tests.

A network makes the same of the same input, and takes most of a reading's time, so all processes of the tests together
ask it once. All else of a reading is done every time. Outputs lie in files, which no process has to hold.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision import networks

Outputs = list[np.ndarray]
_folder: Path | None = None
"""Where outputs are kept; None while networks are asked anew."""


class RememberedNetwork:
    """A session of ONNX Runtime that is asked once for each input."""

    def __init__(self, network: Any, content: bytes) -> None:
        self._network = network
        self._content = blake2b(content).digest()

    def get_inputs(self) -> Any:
        """As of `InferenceSession`."""
        return self._network.get_inputs()

    def run(self, names: Sequence[str] | None, inputs: Mapping[str, np.ndarray]) -> Outputs:
        """As of `InferenceSession`: the outputs of the names, or all."""
        (batch,) = inputs.values()
        name = blake2b(self._content + repr((batch.shape, batch.dtype.str, names)).encode(), digest_size=20)
        name.update(batch.data)
        kept = None if _folder is None else _folder / f"{name.hexdigest()}.npz"
        if kept is not None and kept.exists():
            with np.load(kept) as file:
                return [file[key] for key in file.files]
        outputs: Outputs = self._network.run(names, inputs)
        if kept is not None:
            _keep(outputs, kept)
        return outputs


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
    module: Any = networks
    load = module.open_network
    module.open_network = lambda content: RememberedNetwork(load(content), content)


@contextmanager
def asked_anew() -> Iterator[None]:
    """Have networks asked for inputs that they know, for a test that is about them."""
    global _folder
    folder, _folder = _folder, None
    try:
        yield
    finally:
        _folder = folder
