"""Tiles of one kind look alike in whatever printing: all thirty of a board are classified jointly.

A conditional random field over the thirty tiles: each is likely of a kind by what the network sees of it, two are
likely of one kind by how alike they look, and of each kind there are as many as in the box (rules 1.1). The likeliest
board is looked for by exchanging two tiles at a time, from several starts; a mean field around it gives the chances.
"""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.rules.model.components import TILE_KINDS, TileKind
from companion.vision import fitted
from companion.vision.load import Picture
from companion.vision.networks import MAX_LEVEL
from companion.vision.numerics import Float32, Float64, centred, min_cost_assignment, softmax

KINDS: tuple[TileKind, ...] = tuple(TILE_KINDS.values())

IN_BOX: tuple[int, ...] = tuple(index for index, kind in enumerate(KINDS) for _ in range(kind.count))
"""The place in `KINDS` of each of the thirty tiles in the box (rules 1.1)."""

PATCHES = 8
PATCH_PX = 9
"""A tile is compared in 8 x 8 patches of 9 px."""

SHIFTS_PX = (-1, 0, 1)
"""A patch is looked for so far from its place in either direction: tiles are never found quite exactly."""

CLEAR_CONTRAST, AGREEING = 0.3, 0.3
"""Between two tiles a patch counts fully from this contrast on; of all patches this share counts that agrees best."""

_SIDE_PX = PATCHES * PATCH_PX


def correlations(shown: Picture, shown_white: Float64, seen: Picture, seen_white: Float64) -> Float64:
    """How like each tile seen is to each shown, (seen, shown), -1 to 1.

    Pictures are (N, side, side, 3), BGR, all one way up; whites (3,) are the bright ends of their photos. Patches count
    by how much the tiles shown differ in them: a frame that all have counts for nothing, a numeral for everything.
    """
    known, _ = _patches(_scaled(shown, shown_white))
    weights = (1 - (known.mean(axis=0) ** 2).sum(axis=1)) ** 2
    best = _best_by_patch(known, _scaled(seen, seen_white))
    return np.asarray(np.tensordot(weights, best, axes=(0, 0)) / max(weights.sum(), 1e-6), dtype=np.float64)


def mutual_correlations(tiles: Picture, white: Float64) -> Float64:
    """How like the tiles of one board are to one another, (N, N).

    Something may stand on either of two: the patches that agree best count, as far as they agree more than the same
    patches of other tiles do.
    """
    light = _scaled(tiles, white)
    known, contrast = _patches(light)
    best = _best_by_patch(known, light)
    best = np.maximum(best, best.transpose(0, 2, 1))
    clear = np.minimum(contrast.T[:, None, :], contrast.T[:, :, None])
    above = (best - best.mean(axis=(1, 2), keepdims=True)) * np.minimum(clear / CLEAR_CONTRAST, 1)
    count = round(AGREEING * PATCHES**2)
    return np.asarray(np.sort(above, axis=0)[-count:].mean(axis=0), dtype=np.float64)


def _best_by_patch(known: Float32, light: Float32) -> Float32:
    """The correlation of each patch of tiles with that of known ones, wherever it fits best: (64, tiles, known)."""
    reach = max(SHIFTS_PX)
    wide = np.pad(light, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge")
    best = np.full((PATCHES**2, len(light), len(known)), -1.0, dtype=np.float32)
    across = np.ascontiguousarray(known.transpose(1, 2, 0))
    for down in SHIFTS_PX:
        for right in SHIFTS_PX:
            top, left = reach + down, reach + right
            moved, _ = _patches(wide[:, top : top + _SIDE_PX, left : left + _SIDE_PX])
            np.maximum(best, np.ascontiguousarray(moved.transpose(1, 0, 2)) @ across, out=best)
    return best


def _scaled(pictures: Picture, white: Float64) -> Float32:
    """The pictures (N, 72, 72, 3) in parts of white, by the square root: about as bright as they look."""
    small = [cv2.resize(one, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA) for one in pictures]
    light = np.stack(small).astype(np.float32) / white.astype(np.float32)
    return np.asarray(np.sqrt(np.minimum(light, MAX_LEVEL)), dtype=np.float32)


def _patches(pictures: Float32) -> tuple[Float32, Float32]:
    """The patches (N, 64, 243) of pictures, each about its mean and of length 1, and their contrasts (N, 64)."""
    count = len(pictures)
    cut = pictures.reshape(count, PATCHES, PATCH_PX, PATCHES, PATCH_PX, 3).transpose(0, 1, 3, 2, 4, 5)
    cut = cut.reshape(count, PATCHES**2, PATCH_PX**2, 3)
    about = (cut - cut.mean(axis=2, keepdims=True)).reshape(count, PATCHES**2, -1)
    contrast = np.linalg.norm(about, axis=2)
    return about / np.maximum(contrast, 1e-3)[..., None], contrast


Index: TypeAlias = NDArray[np.int64]

MIN_PROB = 1e-6
"""What the network gives least to a kind."""

STARTS = 8
START_NOISE = 1.5
"""Boards from which the likeliest is looked for, drawn by adding Gumbel noise so wide to what the network says."""

FIELD_STEPS = 20
"""Mean field is run so often, and stops moving well before."""


def classify_jointly(by_kind: Float64, mean_fit: float, crops: Picture, white: Float64, features: Float32) -> Float64:
    """The probabilities (30, 8) of each tile's kind, once how alike the board's tiles look is counted as well.

    `by_kind` (30, 8) are those by what the network sees of each, `mean_fit` the mean of those that fit the box best;
    `crops` (30, side, side, 3) are the tiles, BGR and all one way up, `white` (3,) the board's bright end, `features`
    (30, F) the network's.
    """
    directions = centred(features)
    pairs = (
        fitted.PATCHES_ALIKE * _standardised(mutual_correlations(crops, white))
        + fitted.FEATURES_ALIKE * _standardised((directions @ directions.T).astype(np.float64))
        + fitted.ALIKE_OFFSET
    )
    np.fill_diagonal(pairs, 0.0)
    pairs *= min(fitted.PAIR_WEIGHT * (1 - mean_fit), 1.0)
    alone = np.log(np.maximum(by_kind, MIN_PROB))
    return _mean_field(alone, fitted.FIELD_SHARE * pairs, likeliest_board(alone, pairs))


def likeliest_board(alone: Float64, pairs: Float64) -> Index:
    """The kind (30,) of each tile on the likeliest board of exactly those in the box.

    `alone` (30, 8) are log probabilities of each tile's kind, `pairs` (30, 30) the evidence that two are of one kind.
    """

    def value(board: Index) -> float:
        members = np.eye(len(KINDS))[board]
        return float((alone * members).sum() + ((members @ members.T) * pairs).sum() / 2)

    rng = np.random.default_rng(0)
    noises = (START_NOISE * rng.gumbel(size=alone.shape) if number else 0.0 for number in range(STARTS))
    return max((_exchanged(alone, pairs, _fitted(alone + noise)) for noise in noises), key=value)


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
