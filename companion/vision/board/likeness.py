"""An owner's own pieces, shown once: how much each piece on a board looks like each of them.

A small network puts pictures of pieces as points in a space where those of one kind of one box lie close together,
whatever shapes and paints the box has. It knows no kinds: what is near to the picture of the owner's palm is a palm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.board.calibration import piece_probability, piece_score
from companion.vision.board.pieces import (
    GROUPS,
    MIN_PROB,
    MIN_SCORE,
    PIECE_CLASSES,
    SAME_FOOT_TILES,
    PieceDetection,
    PieceNetOutput,
    detect_pieces,
    detection_probs,
)
from companion.vision.board.rectify import BEYOND, MARGIN_TILES, TILE_PX, board_to_cells
from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE, MAX_LEVEL, forward, white_level
from companion.vision.numerics import Float32, Float64, softmax

TILE_MM = 64.0
"""Side of a tile with its share of the gaps."""

CROP_MM = (40, 48)
"""Width and height of a piece's picture, upright as the camera saw the piece; a px a mm."""

FOOT_MM = (20.0, 28.0)
"""Where the piece's foot is in its picture."""

CELL_MM = 2
"""The network looks at squares of this side."""

NOTHING_LIKE = -3.74
"""Logit of "none of the pieces shown", whose own are minus their squared distances."""

CLEAR = 0.9
"""A piece of the board that the piece network is so sure of shows, too, what pieces of its class look like."""

FLOOR = 2e-3
"""Least probability of a class, by likeness: pictures may be of pieces half hidden."""

FARTHEST = 1e-12
"""Density of a class whose pieces are all far away."""

UNSEEN = 0.02
"""Score of a class that the piece network sees nothing of at a place."""

NOTHING = len(PIECE_CLASSES)
"""The place of "none of the pieces shown" behind those of `PIECE_CLASSES`."""


LIKENESS_POWER, COUNTS_POWER = 0.45, 0.6
"""Power of likeness beside the piece network's probabilities (1 would take the two for independent), and of what it
changed of the detections, done to the numbers that were counted."""

CLASS_DOUBT, COUNT_DOUBT = 0.1, 0.15
"""Share of pieces of which the piece network may take any for any, and of the numbers that it counted."""


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece that its owner showed: its class, its picture (48, 40, 3), BGR, and the white level of its photo."""

    kind: str
    picture: Picture
    level: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Known pieces as points (N, dimensions) of the network's space; `classes` are places in `PIECE_CLASSES`."""

    points: Float64
    classes: tuple[int, ...]


def upward(homography: Float64, x: float, y: float) -> tuple[float, float]:
    """The direction on the board, of length 1, that is straight up in the photo: there a piece's body is seen.

    `homography` maps board coordinates to px of the photo.
    """
    at = homography @ (x, y, 1.0)
    above = np.linalg.inv(homography) @ (at[0], at[1] - at[2], at[2])
    dx, dy = above[:2] / above[2] - (x, y)
    length = float(np.hypot(dx, dy))
    return float(dx) / length, float(dy) / length


def piece_picture(board: Picture, homography: Float64, x: float, y: float) -> Picture:
    """The picture of a piece whose foot is at a place of a rectified board, in board coordinates."""
    dx, dy = upward(homography, x, y)
    step = TILE_PX / TILE_MM / 2
    # From px of a picture twice as large to px of the board: to the right, and down.
    matrix = np.array([[-dy * step, -dx * step, 0.0], [dx * step, -dy * step, 0.0]])
    foot = np.array([(x + MARGIN_TILES) * TILE_PX - 0.5, (y + MARGIN_TILES) * TILE_PX - 0.5])
    matrix[:, 2] = foot - matrix[:, :2] @ (2 * np.array(FOOT_MM) - 0.5)
    size = (2 * CROP_MM[0], 2 * CROP_MM[1])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    large = cv2.warpAffine(board, matrix, size, flags=flags, borderValue=BEYOND)
    return np.asarray(cv2.resize(large, CROP_MM, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def embed(pictures: Sequence[Picture], level: Float64) -> Float64:
    """Pieces' pictures as points (N, dimensions); `level` is the white level (3,) of their photo, blue first."""
    light = np.stack(pictures).astype(np.float32) / level.astype(np.float32)
    width, height = CROP_MM
    cells = light.reshape(len(pictures), height // CELL_MM, CELL_MM, width // CELL_MM, CELL_MM, 3).mean((2, 4))
    batch: Float32 = np.sqrt(np.minimum(cells, MAX_LEVEL))[..., ::-1].transpose(0, 3, 1, 2)
    mirrored = np.concatenate([batch, batch[..., ::-1]])
    points = forward("likeness", np.ascontiguousarray(mirrored)).astype(np.float64)
    return np.asarray(points.reshape(2, len(pictures), -1).mean(axis=0))


def likeness_of(pieces: Sequence[ShownPiece]) -> Likeness:
    """What an owner's pieces look like to the network that the program has now."""
    points = [embed([piece.picture], np.array(piece.level)) for piece in pieces]
    return Likeness(np.concatenate(points), tuple(PIECE_CLASSES.index(one.kind) for one in pieces))


def match_probs(points: Float64, known: Sequence[Likeness]) -> Float64:
    """Probabilities (N, classes and `NOTHING`) of what pieces are by their likeness to known ones.

    A kernel density for each class: the mean over the pieces of one source, then over the sources that have that class.
    Of a class that none has nothing is known: it is given what the mean of the others is.
    """
    logits = np.full((len(points), NOTHING + 1), -np.inf)
    densities: dict[int, list[Float64]] = {}
    for source in known:
        nearness = np.exp(-((points[:, None] - source.points[None]) ** 2).sum(axis=2))
        for place in set(source.classes):
            own = [number for number, one in enumerate(source.classes) if one == place]
            densities.setdefault(place, []).append(nearness[:, own].mean(axis=1))
    for place, found in densities.items():
        logits[:, place] = np.log(np.mean(found, axis=0) + FARTHEST)
    logits[:, NOTHING] = NOTHING_LIKE
    probs = softmax(np.where(np.isfinite(logits), logits, -1e9), axis=1)
    probs[:, list(set(range(NOTHING)) - set(densities))] = probs[:, :NOTHING].sum(axis=1, keepdims=True) / max(
        len(densities), 1
    )
    probs = np.maximum(probs, FLOOR)
    return np.asarray(probs / probs.sum(axis=1, keepdims=True))


def seen_probs(output: PieceNetOutput, seen: Sequence[PieceDetection]) -> Float64:
    """Probabilities (N, classes and `NOTHING`) of what stands where detections are, as the piece network sees it.

    At most one piece stands at a place, so that its classes exclude one another.
    """
    cells = np.array([board_to_cells(one.x, one.y, HEAT_STRIDE) for one in seen]).reshape(-1, 2)
    reach = SAME_FOOT_TILES * TILE_PX / HEAT_STRIDE
    odds = np.ones((len(seen), NOTHING + 1))
    for place, (kind, peaks) in enumerate(zip(PIECE_CLASSES, output.peaks, strict=True)):
        scores = np.full(len(seen), UNSEEN)
        if len(peaks):
            near = np.hypot(cells[:, None, 0] - peaks[None, :, 0], cells[:, None, 1] - peaks[None, :, 1]) <= reach
            scores = np.maximum(scores, np.where(near, peaks[None, :, 2], 0.0).max(axis=1))
        there = np.array([piece_probability(kind, float(score)) for score in scores])
        odds[:, place] = there / (1 - there)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def adapted(output: PieceNetOutput, board: Picture, homography: Float64, shown: Likeness) -> PieceNetOutput:
    """What the piece network saw on an upright rectified board, as its owner's pieces make it likelier.

    `homography` maps the board's coordinates to px of the photo. Beside the pieces `shown`, those of this board that
    the network is sure of tell what the others are: they stand in the same light, and correct what was shown in
    another or is of another copy. Numbers counted change as far as the detections on their tile do.
    """
    seen = detect_pieces(output.peaks)
    if not seen:
        return output
    points = embed([piece_picture(board, homography, one.x, one.y) for one in seen], white_level(board))
    before = seen_probs(output, seen)
    matched = match_probs(points, [shown, _clear_pieces(points, before)])
    # Which class a piece is of is doubted, not whether there is one.
    there = 1 - before[:, NOTHING:]
    doubted = before.copy()
    doubted[:, :NOTHING] = (1 - CLASS_DOUBT) * before[:, :NOTHING] + CLASS_DOUBT * there / NOTHING
    after = doubted * matched**LIKENESS_POWER
    after /= after.sum(axis=1, keepdims=True)
    peaks = []
    for place, kind in enumerate(PIECE_CLASSES):
        scored = [
            (*board_to_cells(one.x, one.y, HEAT_STRIDE), piece_score(kind, float(probs[place])))
            for one, probs in zip(seen, after, strict=True)
        ]
        found = np.array([point for point in scored if point[2] >= MIN_SCORE], dtype=np.float64).reshape(-1, 3)
        peaks.append(found[np.argsort(-found[:, 2], kind="stable")])
    return replace(output, peaks=tuple(peaks), counts=_recounted(output.counts, seen, before, after))


def _clear_pieces(points: Float64, before: Float64) -> Likeness:
    """The pieces of a board that the piece network is sure of."""
    clear = before[:, :NOTHING].max(axis=1) >= CLEAR
    return Likeness(points[clear], tuple(before[clear, :NOTHING].argmax(axis=1).tolist()))


def _recounted(counts: Float32, seen: Sequence[PieceDetection], before: Float64, after: Float64) -> Float32:
    """The numbers counted (30, COUNT_LOGITS), in parts of how much likelier the detections have become to make them."""
    first, second = (
        detection_probs(
            [
                PieceDetection(kind, one.x, one.y, float(probs[place]))
                for one, probs in zip(seen, table, strict=True)
                for place, kind in enumerate(PIECE_CLASSES)
            ]
        )
        for table in (before, after)
    )
    result = counts.astype(np.float64)
    for group, old, new in zip(GROUPS, first, second, strict=True):
        span = slice(group.first, group.first + group.size)
        # A number counted is doubted where the detections have changed.
        moved = 0.5 * np.abs(new / new.sum(axis=1, keepdims=True) - old / old.sum(axis=1, keepdims=True)).sum(axis=1)
        doubt = COUNT_DOUBT * moved[:, None]
        counted = (1 - doubt) * np.maximum(result[:, span], MIN_PROB) + doubt / group.size
        changed = counted * (new / old) ** COUNTS_POWER
        result[:, span] = changed / changed.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(result, dtype=np.float32)
