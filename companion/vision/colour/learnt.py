"""The paints of an owner's pieces, learnt from tiles of which a person told what stands on them.

The reader places pieces well even where it takes one for another. On a tile that was told, the pieces placed and those
told are paired by their colours, and a kind of piece that was seen often enough gets the colour it was seen in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision.board.likeness import upward
from companion.vision.board.pieces import PIECE_CLASSES, pieces_on
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify
from companion.vision.colour.paints import GAMMA, LinearBGR, Paints, PiecePaint, parse_light
from companion.vision.colour.recolour import CREAM, USUAL, distance_on_paper, is_usual, usual_light
from companion.vision.load import Picture
from companion.vision.networks import white_level
from companion.vision.numerics import min_cost_assignment

BODY_TILES = 0.05
REACH_TILES = 0.07
"""A standing piece is looked at in a disc of this radius, so far behind its foot as the camera sees it."""

SHADED, SHINING = 0.1, 0.9
"""Quantiles of brightness taken for a piece's shaded and highlighted paint; the lit one is the median."""

BRIGHTEST = 4.0
"""Linear light, relative to white paper, above which nothing is told apart."""

MIN_PIECES, MIN_PHOTOS = 4, 2
"""A kind of piece must have been seen so often, and in so many photos, for its paint to be learnt: one photo's lamp may
make any paint look unusual."""

AGREEING = 0.75
MAX_APART = 0.15
"""That share of the photos must show the paint no farther from its middle colour than this."""

MIN_STEP = 0.15
"""And they must all show it farther from any usual paint than this: lamps and shadows make steps of 0.1."""

MAX_RIGHT = 0.75
"""A kind of piece of which the reader told more than this share needs no help. Lacquered pieces of a box may all look
paler than usual, and shifting them does harm."""

SHADE, SHINE = 0.45, 1.4
"""Linear light of the shaded and the highlighted side of a usual paint, in parts of the lit one."""

OTHER_SHAPE = 0.15
"""What it costs to take a piece for one of another shape than it was seen in, as a distance of colours."""

ROUNDS = 8


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece on a tile: the class it was read as, and its colours relative to white paper."""

    kind: str
    paint: PiecePaint

    def as_list(self) -> list[object]:
        """The piece as plain values for a file; `parse_piece` reads them."""
        shades = (self.paint.lit, self.paint.shaded, self.paint.highlight)
        return [self.kind, *([round(part, 4) for part in shade] for shade in shades)]


def parse_piece(values: object) -> SeenPiece:
    """A piece as `SeenPiece.as_list` gives it. Raises ValueError for anything else."""
    if not isinstance(values, list) or len(values) != 4 or values[0] not in PIECE_CLASSES:
        raise ValueError("a piece is its class and three colours")
    lit, shaded, highlight = (parse_light(parts) for parts in values[1:])
    return SeenPiece(str(values[0]), PiecePaint(lit, shaded, highlight))


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """A tile as a person told it, the pieces that were seen on it, and which photo that was, by any key."""

    tile: Tile
    pieces: tuple[SeenPiece, ...]
    photo: str


def seen_pieces(
    photo: Picture, homography: NDArray[np.float64], feet: Mapping[int, Sequence[tuple[str, float, float]]]
) -> dict[int, tuple[SeenPiece, ...]]:
    """The colours of pieces by square; `feet` are theirs as (class, x, y) in board coordinates, tile sides.

    `homography` maps board coordinates to px of the photo (H, W, 3), BGR.
    """
    board = rectify(photo, homography)
    level = white_level(board)
    return {
        square: tuple(SeenPiece(kind, _paint(board, level, homography, x, y)) for kind, x, y in standing)
        for square, standing in feet.items()
    }


def _paint(
    board: Picture, level: NDArray[np.float64], homography: NDArray[np.float64], x: float, y: float
) -> PiecePaint:
    dx, dy = upward(homography, x, y)
    across = (x + BODY_TILES * dx + MARGIN_TILES) * TILE_PX
    down = (y + BODY_TILES * dy + MARGIN_TILES) * TILE_PX
    rows, columns = np.ogrid[: board.shape[0], : board.shape[1]]
    pixels = board[(columns - across) ** 2 + (rows - down) ** 2 <= (REACH_TILES * TILE_PX) ** 2]
    light = np.minimum((pixels / level) ** GAMMA * CREAM, BRIGHTEST)
    light = light[np.argsort(light.mean(axis=1), kind="stable")]
    lit = np.median(light, axis=0)
    shaded, highlight = (light[round(share * (len(light) - 1))] for share in (SHADED, SHINING))
    return PiecePaint(
        lit=_light(lit), shaded=_light(np.minimum(shaded, lit)), highlight=_light(np.maximum(highlight, lit))
    )


def _light(channels: NDArray[np.float64]) -> LinearBGR:
    blue, green, red = (float(part) for part in channels)
    return blue, green, red


def learn_paints(tiles: Sequence[LabelledTile], known: Collection[str] = ()) -> Paints | None:
    """The paints of an owner's pieces, as tiles told show them; None if nothing is to be learnt.

    Pieces in usual paints, those seldom seen and those told right anyway are given the usual paint. `known` are the
    pieces that were read with paints learnt before: that they are told right is no reason against it.
    """
    found: dict[str, PiecePaint] = {}
    for _ in range(ROUNDS):
        colours = {piece: (found[piece].lit,) if piece in found else _usual(piece) for piece in PIECE_CLASSES}
        seen: dict[str, dict[str, list[PiecePaint]]] = defaultdict(lambda: defaultdict(list))
        for tile in tiles:
            for piece, sight in _paired(tile, colours):
                seen[piece][tile.photo].append(sight.paint)
        by_photo = {piece: [_middle(paints) for paints in photos.values()] for piece, photos in seen.items()}
        new = {
            piece: _middle(by_photo[piece])
            for piece, photos in seen.items()
            if sum(map(len, photos.values())) >= MIN_PIECES
        }
        if new == found:
            break
        found = new
    unusual = {
        piece
        for piece, paint in found.items()
        if _is_unusual(piece, paint, by_photo[piece]) and (piece in known or _share_right(piece, tiles) < MAX_RIGHT)
    }
    if not unusual:
        return None
    return Paints({piece: found[piece] if piece in unusual else _plain(piece, found) for piece in PIECE_CLASSES})


def _share_right(piece: str, tiles: Sequence[LabelledTile]) -> float:
    """The share of the pieces told that were read as such."""
    counts = [(pieces_on(one.tile).count(piece), sum(seen.kind == piece for seen in one.pieces)) for one in tiles]
    return sum(min(there, read) for there, read in counts) / max(sum(there for there, _ in counts), 1)


def _is_unusual(piece: str, paint: PiecePaint, photos: Sequence[PiecePaint]) -> bool:
    """Whether enough photos agree on a paint and that it is not a usual one."""
    agreeing = [
        one
        for one in photos
        if distance_on_paper(one.lit, paint.lit) < MAX_APART
        and distance_on_paper(one.lit, _nearest_usual(piece, one.lit)) > MIN_STEP
    ]
    return len(agreeing) >= max(MIN_PHOTOS, AGREEING * len(photos))


def unusual_pieces(paints: Paints | None) -> tuple[str, ...]:
    """The pieces that have unusual paints."""
    by_piece = paints.by_piece if paints is not None else {}
    return tuple(piece for piece, paint in by_piece.items() if not is_usual(piece, paint))


def _plain(piece: str, found: Mapping[str, PiecePaint]) -> PiecePaint:
    """The usual paint of a piece, of several the one that is nearest to what was seen."""
    lit = _nearest_usual(piece, found[piece].lit) if piece in found else _usual(piece)[0]
    blue, green, red = lit
    return PiecePaint(
        lit,
        shaded=(SHADE * blue, SHADE * green, SHADE * red),
        highlight=(SHINE * blue, SHINE * green, SHINE * red),
    )


def _nearest_usual(piece: str, colour: LinearBGR) -> LinearBGR:
    return min(_usual(piece), key=lambda one: distance_on_paper(one, colour))


@cache
def _usual(piece: str) -> tuple[LinearBGR, ...]:
    return tuple(usual_light(hsv) for hsv in USUAL[piece])


def _paired(tile: LabelledTile, colours: Mapping[str, Sequence[LinearBGR]]) -> Iterator[tuple[str, SeenPiece]]:
    """The pieces told with those seen, each with the one it is likeliest to be; what is left over is left out."""
    names = pieces_on(tile.tile)
    size = max(len(names), len(tile.pieces))
    costs = np.zeros((size, size))
    for row, sight in enumerate(tile.pieces):
        apart = {
            name: min(distance_on_paper(sight.paint.lit, one) for one in colours[name])
            + OTHER_SHAPE * (_shape(sight.kind) != _shape(name))
            for name in set(names)
        }
        costs[row, : len(names)] = [apart[name] for name in names]
    for row, column in enumerate(min_cost_assignment(costs)):
        if row < len(tile.pieces) and column < len(names):
            yield names[column], tile.pieces[row]


def _shape(piece: str) -> str:
    if piece in TRIBE_LETTERS:
        return "meeple"
    return "camel" if piece in {colour.letter for colour in Colour} else piece


def _middle(paints: Sequence[PiecePaint]) -> PiecePaint:
    lit, shaded, highlight = (
        np.median([getattr(paint, shade) for paint in paints], axis=0) for shade in ("lit", "shaded", "highlight")
    )
    return PiecePaint(_light(lit), _light(shaded), _light(highlight))
