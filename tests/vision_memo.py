"""What the program makes of a picture, kept while tests run: a few samples are read in a hundred tests.

A network makes the same of the same input, and takes most of a reading's time; finding the board and the cards in a
photo, and weighing what a board shows, take most of the rest. All processes of the tests together do that once for each
picture. Readings are put together every time. What was made lies in files, which no process has to hold.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

import companion
from companion.rules.model.board import Board
from companion.vision import networks
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.owner_tiles import OwnerTiles
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.reading import pipeline
from companion.vision.reading.scan import PhotoScan

Outputs = list[np.ndarray]
_folder: Path | None = None
"""Where it is kept; None while all is made anew."""


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
        known = self._content + repr(names).encode()
        outputs: Outputs = _once(known, batch, lambda: self._network.run(names, inputs))
        return outputs


def _once(known: bytes, array: np.ndarray, make: Callable[[], Any]) -> Any:
    """What is made of an array, by a name of the maker: from its file, if it is there."""
    if _folder is None:
        return make()
    name = blake2b(known + repr((array.shape, array.dtype.str)).encode(), digest_size=20)
    name.update(np.ascontiguousarray(array).data)
    path = _folder / name.hexdigest()
    if path.exists():
        return pickle.loads(path.read_bytes())
    made = make()
    # Whole or not at all: other processes look for it meanwhile.
    handle, begun = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        pickle.dump(made, file, pickle.HIGHEST_PROTOCOL)
    Path(begun).replace(path)
    return made


def remember(folder: Path) -> None:
    """Have all networks that are loaded from now on asked once for each input, and boards and cards looked at once."""
    global _folder
    _folder = folder
    module: Any = networks
    load = module.open_network
    module.open_network = lambda content: RememberedNetwork(load(content), content)
    reading: Any = pipeline
    scan, cards, board = reading.scan_photo, reading.find_cards, reading.see_board
    # A folder that stays knows nothing of a program that was changed.
    source = b"".join(path.read_bytes() for path in sorted(Path(companion.__file__).parent.rglob("*.py")))
    program = blake2b(source).digest()

    def scanned(photo: Picture, **how: bool) -> PhotoScan:
        found: PhotoScan = _once(b"scan" + repr(how).encode() + program, photo, lambda: scan(photo, **how))
        return found

    def seen(
        photo: Picture, lattice: Lattice, known: Board | None = None, own: OwnerTiles | None = None
    ) -> BoardEvidence:
        if own is not None:
            return board(photo, lattice, known, own)
        name = b"board" + program + repr((lattice.homography.tolist(), known)).encode()
        evidence: BoardEvidence = _once(name, photo, lambda: board(photo, lattice, known, own))
        return evidence

    reading.scan_photo, reading.see_board = scanned, seen
    reading.find_cards = lambda photo: _once(b"cards" + program, photo, lambda: cards(photo))


@contextmanager
def asked_anew() -> Iterator[None]:
    """Have pictures looked at that are known, for a test that is about looking."""
    global _folder
    folder, _folder = _folder, None
    try:
        yield
    finally:
        _folder = folder
