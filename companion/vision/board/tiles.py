"""Which tile lies where: tile by tile, then made one board of the box's thirty, or held against a known one.

What is not this game, mirrored, or another table than the code's is refused here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import PhotoError
from companion.language.phrase import joined
from companion.rules.model.board import SQUARE_NAMES, SQUARES, Board
from companion.rules.model.components import TileKind
from companion.vision import fitted
from companion.vision.board.rectify import rectify, tile_within
from companion.vision.board.tile_similarity import IN_BOX, KINDS, classify_jointly
from companion.vision.load import Picture
from companion.vision.locate.grid import CENTRES, HALF_TURN, Lattice
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.networks import MAX_LEVEL, forward, white_level
from companion.vision.numerics import Float32, Float64, min_cost_assignment, softmax

TURNS = 4
"""How many ways a square tile may lie."""

CLIPPED = 1e-4
"""What speaks for an unknown tile is taken for no surer than this: its logits would be infinite."""

UNKNOWN_CLASS = len(KINDS) * TURNS
"""The network's class of a tile that is none of the box; the classes before it are kind x quarter turn."""

TILE_CLASSES = UNKNOWN_CLASS + 1

CROP_MARGIN_TILES, CROP_PX = 0.08, 144
"""Rim and side of the picture of one tile that its kind is classified from: a lattice is a little off."""

CROPS_A_BATCH = 10
"""The network takes this many pictures of tiles at once, the last ones empty if need be."""

SAME_TABLE = 20
"""Tiles of 30 that must be of one kind for two boards to be one table's: two shuffled boards share five."""

CLEAR = 0.8
"""Probability from which a tile, seen for itself, is classified clearly."""

CLEAR_TILES = 15
"""With fewer clear tiles than this, what was found is no table: a card's own drawing has a grid too."""

CLEARLY_CLASSIFIED = 0.95
"""A tile that is less sure than this is looked at from all four sides."""

CLEARLY_TURNED = 0.8
"""A tile lies turned in its own way if the network is so sure of it, else as most of the others do."""

FEW_TILES, FEW_ALIKE = 10, 8
"""So many tiles tell a table that is expected, and which way it lies, if so many of them are of the known kinds."""

CONTRADICTED_BELOW = 0.02
"""A known tile that looks so unlikely, and clearly like another, is doubted."""


@dataclass(frozen=True, slots=True)
class TileClassification:
    """What was seen of a tile: its kind on the whole board's evidence, and how sure.

    `probability` is that of `kind`, `other` the next best kind and `other_probability` its own; `turn`
    is the tile's turn in clockwise quarters against the rectified board.
    """

    kind: TileKind
    probability: float
    other: TileKind
    other_probability: float
    turn: int


class OtherTilesError(PhotoError):
    """The tiles on the table are not the known ones; `is_table` says whether they were seen clearly at all."""

    def __init__(self, message: str, /, *, is_table: bool, **values: object) -> None:
        super().__init__(message, **values)
        self.is_table = is_table


@dataclass(frozen=True, slots=True)
class UprightBoard:
    """A rectified board whose tiles have been recognised, turned so that they stand upright.

    `picture` is BGR, `probabilities` (30, 8 kinds, 4 turns) those of each tile for itself, were it of the box,
    `unknown` (30,) how likely each is of no kind in the box; `homography` (3, 3) maps the board coordinates of the
    upright board to px of the photo.
    """

    picture: Picture
    probabilities: Float64
    unknown: Float64
    homography: Float64


@dataclass(frozen=True, slots=True)
class TileScores:
    """What the network makes of the tiles of a rectified board, each for itself.

    `probabilities` (30, 8 kinds, 4 turns) for a tile of the box, `unknown` (30,) that it is none; `features` (30, F)
    are what both were made of, `crops` (30, `CROP_PX`, `CROP_PX`, 3), BGR, what was looked at, `white` (3,) the board's
    bright end.
    """

    probabilities: Float64
    unknown: Float64
    features: Float32
    crops: Picture
    white: Float64


def recognise_tiles(
    board: Picture,
    homography: Float64,
    known: Board | None = None,
    by_owner: Callable[[TileScores], tuple[Float64, Float64]] | None = None,
) -> UprightBoard:
    """Tell the tiles of a rectified board, and turn it so that they stand upright.

    `known` is a board of the same tiles, if there is one, `by_owner` classifies by what the owner's own tiles
    look like, as `OwnerTiles.classify`. Raises OtherTilesError if other tiles lie there, PhotoError for another game or
    a mirrored picture.
    """
    scores = score_tiles(board, refuse=known is None and by_owner is None)
    probabilities, unknown = by_owner(scores) if by_owner else (scores.probabilities, unknown_probabilities(scores))
    if known is None:
        check_identity(board, probabilities, scores.unknown)
        mean_fit = mean_probability(probabilities)
        if by_owner is None and mean_fit < fitted.FAMILIAR_FROM:
            probabilities = _jointly(scores, mean_fit)
    if is_half_turned(probabilities) if known is None else is_known_half_turned(probabilities, known):
        probabilities = half_turn(probabilities)
        unknown = unknown[::-1]
        board, homography = half_turned_picture(board, homography)
    if known is not None:
        check_known(probabilities, known)
    return UprightBoard(board, probabilities, unknown, homography)


def half_turned_picture(board: Picture, homography: Float64) -> tuple[Picture, Float64]:
    """A rectified board and its homography, turned by 180 degrees."""
    return np.ascontiguousarray(board[::-1, ::-1]), homography @ HALF_TURN


def is_turned_by_few(board: Picture, known: Board) -> bool | None:
    """Whether a rectified board lies half-turned against a known one, by a few tiles; None where these don't tell."""
    kinds = [KINDS.index(tile.kind) for tile in known]
    # Each with the tile that lies there if the board is turned, all over the board.
    telling = [square for square in range(SQUARES // 2) if kinds[square] != kinds[SQUARES - 1 - square]]
    first = telling[:: max(2 * len(telling) // FEW_TILES, 1)][: FEW_TILES // 2]
    squares = np.array([*first, *(SQUARES - 1 - square for square in first)])
    scores = score_crops(np.stack([crop_tile(board, square) for square in squares]), white_level(board))
    seen = scores.probabilities.sum(axis=2).argmax(axis=1)
    upright, turned = (int((seen == np.array(way)[squares]).sum()) for way in (kinds, kinds[::-1]))
    return turned > upright if max(upright, turned) >= FEW_ALIKE else None


def _jointly(scores: TileScores, mean_fit: float) -> Float64:
    """Probabilities (30, 8 kinds, 4 turns) once how alike the tiles look to one another is counted as well."""
    by_turn = scores.probabilities.sum(axis=1)
    common = int(by_turn.sum(axis=0).argmax())
    turns = np.where(by_turn.max(axis=1) >= CLEARLY_TURNED, by_turn.argmax(axis=1), common)
    upright = np.stack([np.rot90(crop, int(turn)) for crop, turn in zip(scores.crops, turns, strict=True)])
    by_kind = scores.probabilities.sum(axis=2)
    together = classify_jointly(by_kind, mean_fit, upright, scores.white, scores.features)
    turned = scores.probabilities / np.maximum(by_kind, 1e-12)[:, :, None]
    return np.asarray(turned * together[:, :, None])


def crop_tile(board: Picture, square: int) -> Picture:
    """One tile of the rectified board with a narrow rim, `CROP_PX` a side."""
    crop = tile_within(board, square, CROP_MARGIN_TILES)
    return np.asarray(cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def score_tiles(board: Picture, *, refuse: bool = False) -> TileScores:
    """What the network makes of each tile of a rectified board, for itself.

    A tile that it does not classify clearly is looked at from all four sides, and the mean of its logits counts. With
    `refuse` PhotoError is raised where one look is enough to call them another game's.
    """
    crops = np.stack([crop_tile(board, square) for square in range(SQUARES)])
    # White is balanced for the board as a whole: one tile may have no cream in sight.
    white = white_level(board)
    logits, features = _look(crops, white)
    first = _scores(logits, features, crops, white).probabilities
    if refuse and mean_probability(first) < fitted.CLEARLY_FOREIGN:
        raise _foreign()
    unclear = first.sum(axis=2).max(axis=1) < CLEARLY_CLASSIFIED
    if unclear.any():
        sides = np.concatenate([np.rot90(crops[unclear], -turn, axes=(1, 2)) for turn in range(1, TURNS)])
        looks = _look(sides, white)[0].reshape(TURNS - 1, -1, TILE_CLASSES)
        logits[unclear] += sum(_turned_back(look, turn) for turn, look in enumerate(looks, 1))
        logits[unclear] /= TURNS
    return _scores(logits, features, crops, white)


def score_crops(crops: Picture, white: Float64) -> TileScores:
    """What the network makes of pictures of tiles (N, `CROP_PX`, `CROP_PX`, 3), BGR, at one look.

    `white` (3,) is the bright end of their board.
    """
    return _scores(*_look(crops, white), crops, white)


def _look(crops: Picture, white: Float64) -> tuple[Float64, Float32]:
    """The network's logits (N, TILE_CLASSES) and features (N, F)."""
    scaled = np.minimum(crops[..., ::-1].astype(np.float32) / white[::-1].astype(np.float32), np.float32(MAX_LEVEL))
    empty = np.zeros((-len(crops) % CROPS_A_BATCH, *scaled.shape[1:]), dtype=np.float32)
    batches = np.concatenate([scaled, empty]).reshape(-1, CROPS_A_BATCH, *scaled.shape[1:])
    answers = [forward("tiles", batch.transpose(0, 3, 1, 2), ("scores", "features")) for batch in batches]
    logits, features = (np.concatenate(parts)[: len(crops)] for parts in zip(*answers, strict=True))
    return logits.astype(np.float64), features


def _turned_back(logits: Float64, turn: int) -> Float64:
    """Logits (N, TILE_CLASSES) of tiles turned clockwise by that many quarters, as of the tiles as they lay."""
    by_turn = logits[:, :UNKNOWN_CLASS].reshape(-1, len(KINDS), TURNS)
    return np.column_stack([np.roll(by_turn, -turn, axis=2).reshape(-1, UNKNOWN_CLASS), logits[:, UNKNOWN_CLASS]])


def _scores(logits: Float64, features: Float32, crops: Picture, white: Float64) -> TileScores:
    probabilities = softmax(logits[:, :UNKNOWN_CLASS], axis=1).reshape(-1, len(KINDS), TURNS)
    return TileScores(probabilities, softmax(logits, axis=1)[:, UNKNOWN_CLASS], features, crops, white)


def unknown_probabilities(scores: TileScores) -> Float64:
    """How likely each tile (30,) is of no kind in the box, seen among the others (a logistic regression).

    A tile of the box looks like the kind that the other twenty-nine leave for it, a stranger like any of them or none.
    Where most tiles are classified badly, it is their printing that is strange, and single ones are less likely to be.
    """
    *weights, offset = fitted.UNKNOWN
    logits = strangeness(scores) @ weights + offset
    return np.asarray(1 / (1 + np.exp(-logits)))


def strangeness(scores: TileScores) -> Float64:
    """What speaks for each tile being of no kind in the box, (30, 3).

    First what the network calls it and how well it fits the kind that the best board of the thirty gives it, on the
    logit scale; then the logarithm of how well all tiles fit in the mean.
    """
    fits = _fits(scores.probabilities)
    return np.column_stack([log_odds(scores.unknown), log_odds(fits), np.full(SQUARES, np.log(fits.mean()))])


def log_odds(probabilities: Float64) -> Float64:
    """Chances on the logit scale, none surer than `CLIPPED` allows."""
    clipped = np.clip(probabilities, CLIPPED, 1 - CLIPPED)
    return np.asarray(np.log(clipped / (1 - clipped)))


def is_half_turned(probabilities: Float64) -> bool:
    """Whether more tiles stand on their heads than upright on this rectified board."""
    by_turn = probabilities.sum(axis=(0, 1))
    return bool(by_turn[2] > by_turn[0])


def half_turn(probabilities: Float64) -> Float64:
    """The same probabilities for the board turned by 180 degrees."""
    return np.asarray(np.roll(probabilities[::-1], 2, axis=2))


def assign_tiles(probabilities: Float64, unknown: Float64 | None = None) -> list[TileClassification]:
    """The likeliest board of exactly the thirty tiles in the box (rules 1.1), by square.

    A tile that is `unknown` (30,), of no kind in the box, may take any kind that the others leave.
    """
    by_kind = probabilities.sum(axis=2)
    if unknown is not None:
        by_kind = by_kind * (1 - unknown[:, None]) + unknown[:, None] / len(KINDS)
    # A column for each tile of the box: the assignment of least total negative log-likelihood is the likeliest board.
    chosen = min_cost_assignment(-np.log(by_kind[:, IN_BOX] + 1e-6))
    return [
        _classified(*tile) for tile in zip(by_kind, probabilities, (IN_BOX[place] for place in chosen), strict=True)
    ]


def _classified(by_kind: Float64, seen: Float64, index: int) -> TileClassification:
    """A tile as the kind of that index, by the probabilities of kinds (8,) and of those and turns (8, 4)."""
    others = by_kind.copy()
    others[index] = -1.0
    other = int(others.argmax())
    return TileClassification(
        kind=KINDS[index],
        probability=float(by_kind[index]),
        other=KINDS[other],
        other_probability=float(by_kind[other]),
        turn=int(seen[index].argmax()),
    )


def mean_probability(probabilities: Float64) -> float:
    """The mean probability of the thirty tiles of the box where they fit best.

    `probabilities` (30, 8 kinds, 4 turns) are those of each tile for itself.
    """
    return float(_fits(probabilities).mean())


def check_identity(board: Picture, probabilities: Float64, strange: Float64) -> None:
    """Refuse tiles of another game, and a mirrored picture, in which every position would be wrong.

    `board` is the rectified board and `probabilities` (30, 8 kinds, 4 turns) what was made of it, half-turned or
    not; `strange` (30,) are the chances by the network alone that a tile is of no kind in the box. Raises PhotoError
    with what to do.
    """
    sure = mean_probability(probabilities)
    if sure >= fitted.MIRROR_BELOW:
        return
    if mean_probability(score_tiles(np.ascontiguousarray(board[:, ::-1])).probabilities) > sure + fitted.MIRROR_GAIN:
        raise PhotoError(
            "the photo is mirrored, as front cameras do: take it with the back camera, or mirror it back and try again"
        )
    if sure < fitted.FOREIGN_BELOW or (
        sure < fitted.POORLY_CLASSIFIED and float(strange.mean()) > fitted.FOREIGN_ABOVE
    ):
        raise _foreign()


def foreign_fault(photo: Picture, lattice: Lattice) -> NoSultanateError | None:
    """That what a photo shows of a sultanate's tiles, part of it perhaps beyond its edge, is clearly another game's."""
    board, middles = rectify(photo, lattice.homography), lattice.to_photo(CENTRES)
    visible = ((middles >= 0) & (middles < photo.shape[1::-1])).all(axis=1)
    if not visible.any():
        return _foreign()
    crops = np.stack([crop_tile(board, square) for square in np.flatnonzero(visible).tolist()])
    # A tile that isn't seen may be of any kind.
    probabilities = np.full((SQUARES, len(KINDS), TURNS), 1 / UNKNOWN_CLASS)
    probabilities[visible] = score_crops(crops, white_level(board)).probabilities
    return _foreign() if _fits(probabilities)[visible].mean() < fitted.CLEARLY_FOREIGN else None


def _foreign() -> NoSultanateError:
    return NoSultanateError(
        "no Five Tribes tiles found in the photo: photograph the board from above in even light, without other games "
        "in the picture"
    )


def _fits(probabilities: Float64) -> Float64:
    """The probability (30,) of the kind that each tile has where the thirty of the box fit best."""
    upright = half_turn(probabilities) if is_half_turned(probabilities) else probabilities
    fits = np.array([tile.probability for tile in assign_tiles(upright)])
    return fits if upright is probabilities else fits[::-1]


def is_known_half_turned(probabilities: Float64, known: Board) -> bool:
    """Whether the tiles seen (30, 8 kinds, 4 turns) fit the known board better turned by 180 degrees."""
    return _log_likelihood(half_turn(probabilities), known) > _log_likelihood(probabilities, known)


def check_known(probabilities: Float64, known: Board) -> None:
    """Raises OtherTilesError if most tiles seen (30, 8 kinds, 4 turns) do not look like the known ones."""
    by_kind = probabilities.sum(axis=2)
    indices = [KINDS.index(tile.kind) for tile in known]
    agreeing = int((by_kind.argmax(axis=1) == indices).sum())
    if agreeing < SAME_TABLE:
        clear = int((by_kind.max(axis=1) >= CLEAR).sum())
        odd = [name for name, seen, index in zip(SQUARE_NAMES, by_kind, indices, strict=True) if seen.argmax() != index]
        raise OtherTilesError(
            "the code is for a different set-up from the tiles on the table ({odd} and {number} more differ): "
            "photograph the board with its own card, or without one",
            odd=joined(", ", odd[:3]),
            number=len(odd) - 3,
            is_table=clear >= CLEAR_TILES,
        )


def known_tiles(probabilities: Float64, known: Board) -> list[TileClassification]:
    """The known kinds as they were seen (30, 8 kinds, 4 turns), by square.

    A tile that clearly looks like another kind keeps the known one, in doubt.
    """
    classified = [
        _classified(seen.sum(axis=1), seen, KINDS.index(tile.kind))
        for seen, tile in zip(probabilities, known, strict=True)
    ]
    return [
        tile
        if tile.probability < CONTRADICTED_BELOW and tile.other_probability >= CLEAR
        else replace(tile, probability=1.0, other_probability=0.0)
        for tile in classified
    ]


def _log_likelihood(probabilities: Float64, known: Board) -> float:
    by_kind = probabilities.sum(axis=2)
    return float(sum(np.log(by_kind[square, KINDS.index(tile.kind)] + 1e-6) for square, tile in enumerate(known)))
