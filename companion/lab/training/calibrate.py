"""Fit how far the reader's scores can be trusted, on rendered photos held out of training."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.lab.training.batches import count_classes, true_counts
from companion.lab.training.examples import Example, load_example
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.board.board_evidence import HALF_TURN
from companion.vision.board.calibration import recalibrated
from companion.vision.board.counts import GROUPS
from companion.vision.board.evidence import weigh
from companion.vision.board.pieces import PIECE_CLASSES, Foot, find_feet
from companion.vision.board.rectify import rectify
from companion.vision.board.tallies import fuse, seen_chances, told_chances
from companion.vision.board.tiles import KINDS, TileSight, assign_tiles, half_turn, is_half_turned, tile_probabilities
from companion.vision.load import Picture
from companion.vision.locate.lattice import find_lattice
from companion.vision.networks import Floats, piece_sight
from companion.vision.plane import project

SAME_FOOT_TILES = 0.12
PRIOR = 2.0
"""Weight of the pull towards trusting a score as it is: a few examples must not bend the curve."""

Pairs = list[tuple[float, bool]]


def fit(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Slope and offset on the logit scale that make scores the chances that they should be."""
    scores = np.clip(np.array([score for score, _ in pairs]), 1e-6, 1 - 1e-6)
    right = np.array([float(ok) for _, ok in pairs])
    logits = np.log(scores / (1 - scores))
    inputs = np.stack([logits, np.ones_like(logits)], axis=1)
    values = np.array([1.0, 0.0])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ values, -30, 30)))
        slope = inputs.T @ (likely - right) + PRIOR * (values - (1.0, 0.0))
        bend = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + PRIOR * np.eye(2)
        step = np.linalg.solve(bend, slope)
        values = values - step
        if np.abs(step).max() < 1e-7:
            break
    return round(float(values[0]), 4), round(float(values[1]), 4)


def _half_turned(example: Example) -> Example:
    """The same photo with its truth told for the board turned by 180 degrees."""
    feet = example.feet.copy()
    feet[:, 1:3] = (COLUMNS, ROWS) - feet[:, 1:3]
    return replace(
        example,
        homography=example.homography @ HALF_TURN,
        feet=feet,
        squares=np.where(example.squares < 0, -1, SQUARES - 1 - example.squares),
        kinds=example.kinds[::-1].copy(),
        turns=((example.turns + 2) % 4)[::-1].copy(),
    )


def _found(
    example: Example,
) -> tuple[Example, NDArray[np.float64], Picture, NDArray[np.float64]] | None:
    """The lattice found in an example's photo: (truth told the same way round, homography, board, tiles).

    None if it is not found, or elsewhere than it lies. Boards whose tiles are turned by quarters have no
    right way up: both count.
    """
    picture = example.picture
    try:
        homography = find_lattice(picture).homography
    except PhotoError:
        return None
    board = rectify(picture, homography)
    probabilities = tile_probabilities(board)
    if is_half_turned(probabilities):
        probabilities = half_turn(probabilities)
        homography = homography @ HALF_TURN
        board = np.ascontiguousarray(board[::-1, ::-1])
    ends = np.array([(0.5, 0.5), (5.5, 4.5)])
    for truth in (example, _half_turned(example)):
        if np.abs(project(np.linalg.inv(homography) @ truth.homography, ends) - ends).max() < 0.4:
            return truth, homography, board, probabilities
    return None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the networks made of one photo, and the truth.

    `feet` with their heat as probability and `hits`, whether each is a piece of its class; `counts`
    (30, COUNT_LOGITS); `sights` the tiles; `kinds` and `true` the right kinds (30,) and pieces (30, 11).
    """

    feet: tuple[Foot, ...]
    hits: tuple[bool, ...]
    counts: Floats
    sights: tuple[TileSight, ...]
    kinds: NDArray[np.int64]
    true: NDArray[np.int64]


def look(example: Example) -> Seen | None:
    """Read an example as far as the networks go; None if its sultanate is not found."""
    found = _found(example)
    if found is None:
        return None
    example, homography, board, probabilities = found
    seen = piece_sight(board)
    true = project(np.linalg.inv(homography) @ example.homography, example.feet[:, 1:3])
    free = np.ones(len(true), dtype=bool)
    feet, hits = find_feet(seen.heat), []
    for foot in feet:
        same = free & (example.feet[:, 0] == PIECE_CLASSES.index(foot.kind))
        distances = np.where(same, np.hypot(true[:, 0] - foot.x, true[:, 1] - foot.y), np.inf)
        hit = len(true) > 0 and bool(distances.min() < SAME_FOOT_TILES)
        if hit:
            free[int(distances.argmin())] = False
        hits.append(hit)
    return Seen(
        tuple(feet), tuple(hits), seen.counts, tuple(assign_tiles(probabilities)), example.kinds, true_counts(example)
    )


def fit_trust(seen: Sequence[Seen], curves: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The powers of `tallies.fuse` that make the true numbers likeliest, by kind of piece."""
    told = [told_chances(one.counts) for one in seen]
    by_feet = [seen_chances(_calibrated(one.feet, curves)) for one in seen]
    result = {}
    for kind in dict.fromkeys(group.trusted_as for group in GROUPS):
        numbers = [number for number, group in enumerate(GROUPS) if group.trusted_as == kind]
        pairs = []
        for number in numbers:
            right = np.concatenate([count_classes(one.true)[number].ravel() for one in seen]).astype(int)
            pairs.append(
                (
                    np.log(np.concatenate([chances[number] for chances in told])),
                    np.log(np.concatenate([chances[number] for chances in by_feet])),
                    right,
                )
            )
        result[f"trust {kind}"] = _best_powers(pairs)
    return result


def _best_powers(
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]],
) -> tuple[float, float]:
    """The two powers of least surprise, by a search on ever finer grids."""

    def surprise(one: float, other: float) -> float:
        total = 0.0
        for told, seen, right in pairs:
            logits = one * told + other * seen
            logits -= logits.max(axis=1, keepdims=True)
            total -= float((logits[np.arange(len(right)), right] - np.log(np.exp(logits).sum(axis=1))).sum())
        return total

    best, step = (0.6, 0.4), 0.4
    while step > 0.01:
        around = [(max(best[0] + a * step, 0.0), max(best[1] + b * step, 0.0)) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        nearest = min(around, key=lambda powers: surprise(*powers))
        if nearest == best:
            step /= 2
        best = nearest
    return round(best[0], 4), round(best[1], 4)


def _calibrated(feet: Sequence[Foot], curves: Mapping[str, tuple[float, float]]) -> list[Foot]:
    return [Foot(foot.kind, foot.x, foot.y, recalibrated(foot.probability, curves[foot.kind])) for foot in feet]


def whole_pairs(seen: Sequence[Seen], curves: Mapping[str, tuple[float, float]]) -> Pairs:
    """(confidence, right) of every tile as a whole, before it is calibrated as a whole."""
    powers = {kind.removeprefix("trust "): value for kind, value in curves.items() if kind.startswith("trust ")}
    pairs: Pairs = []
    for one in seen:
        chances = fuse(told_chances(one.counts), seen_chances(_calibrated(one.feet, curves)), powers)
        tallies = weigh(chances, [sight.kind for sight in one.sights])
        right = count_classes(one.true).reshape(len(GROUPS), -1).astype(int)
        for square, (sight, tally) in enumerate(zip(one.sights, tallies, strict=True)):
            kind_right = KINDS.index(sight.kind) == one.kinds[square]
            pairs.append(
                (
                    recalibrated(sight.probability, curves["tile"]) * tally.chance,
                    bool(kind_right and tally.numbers == tuple(right[:, square].tolist())),
                )
            )
    return pairs


def fit_all(paths: Sequence[Path], say: Callable[[str], None]) -> dict[str, tuple[float, float]]:
    """All of the reader's curves, from stored examples that no network was trained on.

    The curve of whole tiles is fitted on photos that the curves of the parts were not.
    """
    looks = [look(load_example(path)) for path in paths]
    seen = [one for one in looks if one is not None]
    say(f"{len(seen)} of {len(looks)} boards found")
    even, odd = seen[::2], seen[1::2]
    curves = {
        name: fit(
            [
                (foot.probability, hit)
                for one in even
                for foot, hit in zip(one.feet, one.hits, strict=True)
                if foot.kind == name
            ]
        )
        for name in PIECE_CLASSES
    }
    curves["tile"] = fit(
        [
            (sight.probability, KINDS.index(sight.kind) == one.kinds[square])
            for one in even
            for square, sight in enumerate(one.sights)
        ]
    )
    curves |= fit_trust(even, curves)
    whole = whole_pairs(odd, curves)
    curves["whole"] = fit(whole)
    say(f"{len(whole)} whole tiles, {sum(right for _, right in whole)} right, log loss {log_loss(whole):.4f}")
    return curves


def write_calibration(target: Path, curves: dict[str, tuple[float, float]]) -> None:
    """Write the curves as the JSON file that the reader loads."""
    lines = [f" {json.dumps(name)}: {json.dumps(list(values))}" for name, values in curves.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    """Mean surprise of the scores, in nats: smaller is better."""
    return sum(-math.log(max(score if ok else 1 - score, 1e-9)) for score, ok in pairs) / max(len(pairs), 1)
