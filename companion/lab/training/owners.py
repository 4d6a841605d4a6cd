"""Boards to learn comparing pieces from: what the reader's network sees on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.lab.training.batches import right_numbers, true_counts
from companion.lab.training.calibrate import SAME_FOOT_TILES
from companion.lab.training.dataset import Example, load_example, write_arrays
from companion.vision.board.piece_embeddings import NOTHING, class_scores, place_features, upward
from companion.vision.board.pieces import detect_pieces, run_piece_net
from companion.vision.board.rectify import rectify
from companion.vision.numerics import Float32

NO_FOOT = -1


@dataclass(frozen=True, slots=True)
class OwnerBoard:
    """Detections on a board.

    `features` (N, 320), `scores` (N, 11) and right `classes` (N,) of the detections, `piece_embeddings.NOTHING` where
    no piece stands; `places` (N, 2) are in board coordinates. `counts` (30, COUNT_LOGITS) are the numbers counted on
    each tile, `numbers` (30, groups) the right ones.
    """

    features: Float32
    scores: Float32
    classes: NDArray[np.int64]
    places: Float32
    counts: Float32
    numbers: NDArray[np.int64]


def own_board(example: Example) -> OwnerBoard:
    """What the reader sees of an example."""
    board = rectify(example.picture, example.homography)
    output = run_piece_net(board)
    assert output.features is not None
    seen = detect_pieces(output.peaks)
    places = np.array([(one.x, one.y) for one in seen]).reshape(-1, 2)
    up = np.array([upward(example.homography, x, y) for x, y in places]).reshape(-1, 2)
    true, classes = example.feet[:, 1:3], example.feet[:, 0].astype(np.int64)
    feet = np.full(len(seen), NO_FOOT)
    apart = np.hypot(*(places[:, None] - true[None]).transpose(2, 0, 1))
    # The nearest pairs first: a foot is one detection's.
    for flat in np.argsort(apart, axis=None):
        one, foot = divmod(int(flat), len(true))
        if apart[one, foot] > SAME_FOOT_TILES:
            break
        if feet[one] == NO_FOOT and foot not in feet:
            feet[one] = foot
    return OwnerBoard(
        place_features(output.features, places, up),
        class_scores(output, seen).astype(np.float32),
        np.where(feet == NO_FOOT, NOTHING, classes[feet]),
        places.astype(np.float32),
        output.counts,
        right_numbers(true_counts(example)),
    )


def store_owners(examples: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Look at each example with the networks the program has; gives the paths as they are done.

    Those already in the folder are left.
    """
    for example in examples:
        path = folder / f"owner_{example.stem}.npz"
        if not path.exists():
            loaded = load_example(example)
            if len(loaded.feet):
                board = own_board(loaded)
                write_arrays(path, **{name: getattr(board, name) for name in OwnerBoard.__slots__})
        yield path


def load_owner(path: Path) -> OwnerBoard:
    """An owner's board that `store_owners` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return OwnerBoard(**{name: stored[name] for name in OwnerBoard.__slots__})
