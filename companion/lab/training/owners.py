"""Boards to learn comparing pieces from: what the reader's network sees on each, and pieces of the same box shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.photo_file import ROW
from companion.lab.training.batches import right_numbers, true_counts
from companion.lab.training.calibrate import SAME_FOOT_TILES
from companion.lab.training.dataset import Example, load_example
from companion.vision.board.likeness import (
    NOTHING,
    ShownPiece,
    class_scores,
    piece_picture,
    place_features,
    shown_features,
    upward,
)
from companion.vision.board.pieces import PIECE_CLASSES, detect_pieces, run_piece_net
from companion.vision.board.rectify import rectify
from companion.vision.load import load_photo
from companion.vision.locate.grid import Lattice
from companion.vision.networks import white_level
from companion.vision.numerics import Float32, project
from companion.vision.own.row import FoundPiece, ShownRow, row_pieces

CLEARLY_VISIBLE = 0.5
"""People show pieces of which this share is seen, or more."""

SHOWN_A_CLASS = 3
"""So many pieces of a board are kept for each class as if they had been shown."""

FOUND_TILES = 0.03
"""How exactly the feet of pieces beside a board are found."""

NO_FOOT = -1


@dataclass(frozen=True, slots=True)
class OwnerBoard:
    """Detections on a board and pieces of the same box.

    `features` (N, 320), `scores` (N, 11) and right `classes` (N,) of the detections, `likeness.NOTHING` where no piece
    stands; `places` (N, 2) are in board coordinates, and `feet` (N,) the pieces' places in the truth. `counts`
    (30, COUNT_LOGITS) are the numbers counted on each tile, `numbers` (30, groups) the right ones. `shown_features`,
    `shown_classes`, `shown_feet` and `shown_squares` are those of the pieces shown, whose feet and squares are
    `NO_FOOT` where they lie beside the board.
    """

    features: Float32
    scores: Float32
    classes: NDArray[np.int64]
    places: Float32
    feet: NDArray[np.int64]
    counts: Float32
    numbers: NDArray[np.int64]
    shown_features: Float32
    shown_classes: NDArray[np.int64]
    shown_feet: NDArray[np.int64]
    shown_squares: NDArray[np.int64]


def own_board(example: Example, row: Sequence[ShownPiece], rng: np.random.Generator) -> OwnerBoard:
    """What the reader sees of an example, beside pieces of the `row` that its owner showed or, without, of its own."""
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
    shown, shown_feet = list(row), [NO_FOOT] * len(row)
    if not shown:
        level = white_level(board)
        blue, green, red = (float(part) for part in level)
        for place, kind in enumerate(PIECE_CLASSES):
            clear = np.flatnonzero((classes == place) & (example.feet[:, 3] >= CLEARLY_VISIBLE))
            for foot in rng.permutation(clear)[:SHOWN_A_CLASS]:
                x, y = true[foot]
                picture = piece_picture(board, example.homography, float(x), float(y))
                shown.append(ShownPiece(kind, picture, (blue, green, red)))
                shown_feet.append(int(foot))
    return OwnerBoard(
        place_features(output.features, places, up),
        class_scores(output, seen).astype(np.float32),
        np.where(feet == NO_FOOT, NOTHING, classes[feet]),
        places.astype(np.float32),
        feet,
        output.counts,
        right_numbers(true_counts(example)),
        shown_features(shown),
        np.array([PIECE_CLASSES.index(one.kind) for one in shown], dtype=np.int64),
        np.array(shown_feet, dtype=np.int64),
        np.array([NO_FOOT if foot == NO_FOOT else example.squares[foot] for foot in shown_feet], dtype=np.int64),
    )


def row_of(truth: Path, rng: np.random.Generator) -> list[ShownPiece]:
    """The pieces of a row beside the board, as `learn` would take them from its photo: feet are not found exactly."""
    document = json.loads(truth.read_text(encoding="utf-8"))
    homography = np.array(document["homography"])
    kinds = [piece["colour"] or piece["kind"] for piece in document["pieces"]]
    feet = project(np.linalg.inv(homography), np.array([piece["foot_px"] for piece in document["pieces"]]))
    feet += rng.normal(0, FOUND_TILES, feet.shape)
    found = tuple(FoundPiece((float(x), float(y)), 1.0, ()) for x, y in feet)
    places = tuple((kind, number) for number, kind in enumerate(kinds))
    return row_pieces(load_photo(truth.with_suffix(".jpg")), Lattice(homography, 0), ShownRow(found, places))


def store_owners(examples: Sequence[Path], rows: Path | None, folder: Path) -> Iterator[Path]:
    """Look at each example with the networks the program has; `rows` is a folder of rows of the same boxes (`world`).

    Those already in the folder are left. Gives the paths as they are done.
    """
    for example in examples:
        path = folder / f"owner_{example.stem}.npz"
        if not path.exists():
            row = None if rows is None else rows / f"{example.stem}{ROW}.json"
            found = load_example(example)
            if len(found.feet):
                rng = np.random.default_rng(len(found.feet))
                board = own_board(found, [] if row is None or not row.is_file() else row_of(row, rng), rng)
                part = path.with_name(path.name + ".part")
                with part.open("wb") as file:
                    np.savez(file, **{name: getattr(board, name) for name in OwnerBoard.__slots__})
                part.replace(path)
        yield path


def load_owner(path: Path) -> OwnerBoard:
    """An owner's board that `store_owners` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return OwnerBoard(**{name: stored[name] for name in OwnerBoard.__slots__})
