"""Tiles of one kind look alike in whatever printing: all thirty of a board told together.

A conditional random field over the thirty tiles: each is likely of a kind by what the network sees of it, two are
likely of one kind by how alike they look, and of each kind there are as many as in the box (rules 1.1). The likeliest
board is looked for by exchanging two tiles at a time, from several starts; a mean field around it gives the chances.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.vision.board.kinds import IN_BOX, KINDS
from companion.vision.board.patches import mutual_correlations
from companion.vision.load import Picture
from companion.vision.numerics import Float32, Float64, centred, min_cost_assignment, softmax

Index: TypeAlias = NDArray[np.int64]

PATCHES_WEIGHT, FEATURES_WEIGHT, OFFSET = 1.06, 1.08, -1.6
"""Evidence, in nats, that two tiles are of one kind: for each deviation by which their patches, and their features,
agree more than those of other pairs do (a logistic regression on boards in styles of training, kept apart), and for
any two, less than by that regression, which takes pairs for independent."""

PAIR_WEIGHT, FIELD_SHARE = 0.9, 0.35
"""Power of what pairs tell for each unit of the network's doubt, up to 1: it knows usual printings better than pairs
do, and strange ones worse. So much of it counts for the chances, since a tile's many pairs do not err independently.
The first was chosen, with the offset, by the log loss on the same boards; the second so that few tiles of held-out
styles are wrong without a doubt."""

MIN_PROB = 1e-6
"""What the network gives least to a kind."""

STARTS = 8
START_NOISE = 1.5
"""Boards from which the likeliest is looked for, drawn by adding Gumbel noise so wide to what the network says."""

FIELD_STEPS = 20


def told_together(by_kind: Float64, clearness: float, crops: Picture, white: Float64, features: Float32) -> Float64:
    """The probabilities (30, 8) of each tile's kind, once how alike the board's tiles look is counted as well.

    `by_kind` (30, 8) are those by what the network sees of each, `clearness` the mean of those that fit the box best;
    `crops` (30, side, side, 3) are the tiles, BGR and all one way up, `white` (3,) the board's bright end, `features`
    (30, F) the network's.
    """
    directions = centred(features)
    pairs = (
        PATCHES_WEIGHT * _standardised(mutual_correlations(crops, white))
        + FEATURES_WEIGHT * _standardised((directions @ directions.T).astype(np.float64))
        + OFFSET
    )
    np.fill_diagonal(pairs, 0.0)
    pairs *= min(PAIR_WEIGHT * (1 - clearness), 1.0)
    alone = np.log(np.maximum(by_kind, MIN_PROB))
    return _mean_field(alone, FIELD_SHARE * pairs, likeliest_board(alone, pairs))


def likeliest_board(alone: Float64, pairs: Float64) -> Index:
    """The kind (30,) of each tile on the likeliest board of exactly those in the box.

    `alone` (30, 8) are log probabilities of each tile's kind, `pairs` (30, 30) the evidence that two are of one kind.
    """
    rng = np.random.default_rng(0)
    best, most = None, -np.inf
    for number in range(STARTS):
        noise = START_NOISE * rng.gumbel(size=alone.shape) if number else 0.0
        board = _exchanged(alone, pairs, _fitted(alone + noise))
        members = np.eye(len(KINDS))[board]
        value = float((alone * members).sum() + ((members @ members.T) * pairs).sum() / 2)
        if value > most:
            best, most = board, value
    assert best is not None
    return best


def _fitted(log_probs: Float64) -> Index:
    """The likeliest board of those in the box, each tile for itself."""
    return np.asarray(IN_BOX)[min_cost_assignment(-log_probs[:, IN_BOX])]


def _exchanged(alone: Float64, pairs: Float64, start: Index) -> Index:
    """The board after exchanging two tiles' kinds as long as that makes it likelier, the best exchange first."""
    board = start.copy()
    every = np.arange(SQUARES)
    while True:
        values = alone + pairs @ np.eye(len(KINDS))[board]
        own = values[every, board]
        # The pair itself is counted for both, as if the other had stayed.
        gain = values[:, board] + values[:, board].T - own[:, None] - own[None] - 2 * pairs
        gain[board[:, None] == board[None]] = -1.0
        one, other = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[one, other] <= 1e-9:
            return board
        board[[one, other]] = board[[other, one]]


def _mean_field(alone: Float64, pairs: Float64, board: Index) -> Float64:
    """Each tile's probabilities (30, 8) given what the others are likely to be, near a board."""
    field = np.eye(len(KINDS))[board]
    for _ in range(FIELD_STEPS):
        field = (field + softmax(alone + pairs @ field, axis=1)) / 2
    return softmax(alone + pairs @ field, axis=1)


def _standardised(alike: Float64) -> Float64:
    """Likenesses of pairs (30, 30) about what either tile has with all others, in deviations."""
    others = ~np.eye(len(alike), dtype=bool)
    means = np.where(others, alike, 0).sum(axis=1) / (len(alike) - 1)
    about = alike - means[:, None] - means[None] + means.mean()
    return np.asarray(about / max(float(about[others].std()), 1e-6))
