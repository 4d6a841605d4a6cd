"""How well piece networks count: python -m tests.vision.measure_counts HELD_OUT pieces.onnx slim.onnx

One look at each board of a folder of examples, and nothing but the numbers counted: the share of tiles of which all are
right, and the log loss of the true numbers, summed over a tile's groups. Beside them how much longer the first network
takes for a look.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cv2
import numpy as np

from companion.lab.training.batches import right_numbers, true_counts
from companion.lab.training.dataset import example_paths, load_example
from companion.rules.model.board import SQUARES
from companion.vision.board.pieces import COUNT_LOGITS, GROUPS
from companion.vision.board.rectify import rectify
from companion.vision.networks import normalise
from companion.vision.numerics import Float64, softmax


def main(folder: Path, networks: list[Path]) -> None:
    """Print a line for each network."""
    nets = [cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC) for path in networks]
    right: list[list[Float64]] = [[] for _ in nets]
    losses: list[list[Float64]] = [[] for _ in nets]
    fastest = [np.inf for _ in nets]
    for path in example_paths(folder):
        example = load_example(path)
        numbers = right_numbers(true_counts(example))
        picture = normalise(rectify(example.picture, example.homography))[None]
        for number, net in enumerate(nets):
            net.setInput(picture)
            started = time.perf_counter()
            logits = net.forward(["counts"])[0].reshape(COUNT_LOGITS, SQUARES)
            fastest[number] = min(fastest[number], time.perf_counter() - started)
            told = [softmax(logits[group.first : group.first + group.size], axis=0) for group in GROUPS]
            hits = [one.argmax(axis=0) == numbers[:, place] for place, one in enumerate(told)]
            nats = [-np.log(one[numbers[:, place], np.arange(SQUARES)] + 1e-7) for place, one in enumerate(told)]
            right[number].append(np.all(hits, axis=0))
            losses[number].append(np.sum(nats, axis=0))
    for number, path in enumerate(networks):
        share, loss = np.mean(right[number]), np.mean(losses[number])
        boards = len(right[number])
        error = np.std([one.mean() for one in right[number]]) / np.sqrt(boards)
        print(
            f"{path.name}: {share:.1%} ± {error:.1%} of the tiles of {boards} boards, log loss {loss:.3f} a tile, "
            f"{fastest[number]:.2f} s a look, {fastest[0] / fastest[number]:.1f} times as fast as the first"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
