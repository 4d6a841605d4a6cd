"""Pieces in an owner's own paints, given the usual ones that the networks know."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.rules.model.components import MEEPLE_COUNTS, PALACES, PALMS, TRIBE_LETTERS, Colour, camels_in_box
from companion.vision.board.rectify import TILE_PX
from companion.vision.colour.paints import GAMMA, LinearBGR, Paints, PiecePaint, the_piece
from companion.vision.load import Picture
from companion.vision.networks import white_level
from companion.vision.numerics import Float32

Hsv = tuple[float, float, float]

USUAL: dict[str, tuple[Hsv, ...]] = {
    "y": ((52, 0.88, 0.87),),
    "w": ((45, 0.05, 0.86),),
    "b": ((224, 0.85, 0.62),),
    "g": ((140, 0.85, 0.42),),
    "r": ((358, 0.85, 0.74),),
    "K": ((30, 0.1, 0.13),),
    "O": ((22, 0.9, 0.92),),
    "B": ((199, 0.85, 0.56),),
    "P": ((336, 0.68, 0.74),),
    "palm": (
        (130, 0.75, 0.42), (140, 0.7, 0.25), (95, 0.6, 0.5), (145, 0.5, 0.5), (32, 0.42, 0.75), (28, 0.5, 0.62),
        (24, 0.6, 0.42), (20, 0.55, 0.27), (42, 0.72, 0.76), (34, 0.7, 0.62), (215, 0.05, 0.7), (210, 0.08, 0.45),
    ),
    "palace": (
        (42, 0.72, 0.76), (38, 0.75, 0.7), (34, 0.7, 0.62), (32, 0.42, 0.75), (28, 0.5, 0.62), (24, 0.6, 0.42),
        (20, 0.55, 0.27), (215, 0.05, 0.7), (40, 0.03, 0.55), (210, 0.08, 0.45), (40, 0.17, 0.86), (35, 0.25, 0.78),
        (16, 0.62, 0.6), (12, 0.55, 0.48),
    ),
}  # fmt: skip
"""Hue in degrees, saturation and value of the paints that the networks were trained on, the commonest first."""

PAPER = 244 / 255
"""Value of white paper on the scale of `USUAL`."""

CREAM: LinearBGR = (0.46, 0.66, 0.81)
"""The bright end of a board, its tiles' cream, relative to white paper."""

LEVELS = 32
"""Steps a channel of the table that pixels are looked up in."""

SPREAD = (0.075, 0.12)
SPREAD_SHARE = 0.5
"""How far from a paint, as an angle, its pixels lie, least and most, and as a share of the way to the next paint;
yellow and orange are 0.16 apart."""

SPREAD_BRIGHTNESS = 0.1
DARKEST, BRIGHTEST = 0.75, 1.12
"""How much darker than its shade and brighter than its highlights, in cube roots, a paint is still looked for."""

SAME, OTHER = 0.05, 0.1
"""A paint as near to a usual one as the first is left alone, one as far as the second is shifted wholly."""

ALIKE = 0.07
"""Two paints of one owner nearer than this are told apart by shape alone."""

MAX_AREA = 1.6
"""What covers so many times the area that all such pieces have is tile art, not paint."""

_FLOOR = 0.012
"""Linear light that every colour is given besides, so that channels next to nothing do not count for much."""

LEAST_LIGHT = 1e-3
"""Linear light, relative to white paper, below which no paint is taken to be: a camera may make a black one nothing."""

_BRIGHTNESS_WEIGHT = (0.7, 0.2)
_PIECE_MM2 = {"meeple": 350.0, "camel": 490.0, "palm": 590.0, "palace": 690.0}
"""What a piece covers of the board as it is seen, sides included."""

_BOARD_MM2 = SQUARES * 64.0**2

Colours = NDArray[np.float64]


def recolour(board: Picture, paints: Paints) -> Picture:
    """The rectified board with pieces in unusual paints shifted to the usual ones; the rest stays as it is."""
    level = white_level(board)
    places = board.astype(np.float32) * np.float32((LEVELS - 1) / 255)
    low = np.minimum(places.astype(np.int32), LEVELS - 2)
    nearest = np.rint(places).astype(np.int32)
    seen = np.bincount(_index(nearest).ravel(), minlength=LEVELS**3) / (SQUARES * TILE_PX**2)
    steps = shifts(level, seen, paints)
    if steps is None:
        return board
    share = places - low
    moved = board.astype(np.float32)
    for corner in product((0, 1), repeat=3):
        weight = np.prod(np.where(corner, share, 1 - share), axis=2, keepdims=True)
        moved += weight * steps[_index(low + np.array(corner, np.int32))]
    return np.asarray(np.clip(np.rint(moved), 0, 255), dtype=np.uint8)


def _index(cells: NDArray[np.int32]) -> NDArray[np.int32]:
    """The row of cells (..., 3) in the table of colours."""
    return np.asarray((cells[..., 0] * LEVELS + cells[..., 1]) * LEVELS + cells[..., 2], dtype=np.int32)


def is_usual(piece: str, paint: PiecePaint) -> bool:
    """Whether a paint is near enough to a usual one to be left as it is."""
    own = _on_board(paint.lit)
    return distance(own, _nearest_usual(piece, own)) <= SAME


def look_alikes(paints: Paints) -> list[tuple[str, str]]:
    """The names of pieces whose paints are too much alike to be told apart."""
    own = [(the_piece(piece), _on_board(paint.lit)) for piece, paint in paints.by_piece.items()]
    return [
        (name, other)
        for number, (name, colour) in enumerate(own)
        for other, second in own[number + 1 :]
        if distance(colour, second) < ALIKE / 2
    ]


def shifts(level: Colours, seen: Colours, paints: Paints) -> Float32 | None:
    """What is added to each cell's 8-bit colour (LEVELS cubed, 3); None if no paint is unusual.

    `level` is the board's bright end, BGR 0 to 255, `seen` the share of the board that each cell's colours cover.
    """
    own = {piece: _on_board(paint.lit) for piece, paint in paints.by_piece.items()}
    targets = {piece: _nearest_usual(piece, colour) for piece, colour in own.items()}
    strengths = {piece: _strength(piece, own, targets) for piece in own}
    if max(strengths.values()) <= 0:
        return None
    ends = np.linspace(0, 255, LEVELS)
    cells = np.stack(np.meshgrid(ends, ends, ends, indexing="ij"), -1).reshape(-1, 3)
    light = (cells / level) ** GAMMA
    closeness = {piece: _closeness(light, paint, _spread(piece, own)) for piece, paint in paints.by_piece.items()}
    total = sum(value**2 for value in closeness.values()) + _cream(light) ** 2 + 1e-3
    moved = light.copy()
    for piece, strength in strengths.items():
        if strength <= 0:
            continue
        weight = closeness[piece] ** 3 / total
        weight *= strength * min(1.0, MAX_AREA * _area(piece) / max(float((weight * seen).sum()), 1e-9))
        bright = np.clip(light @ own[piece] / (own[piece] @ own[piece]), 0, 1.6)
        moved += (weight * bright)[:, None] * (targets[piece] - own[piece])
    return np.asarray(level * np.maximum(moved, 0) ** (1 / GAMMA) - cells, dtype=np.float32)


def _on_board(colour: LinearBGR) -> Colours:
    """A colour relative to paper as one relative to the board's bright end."""
    return np.asarray(np.maximum(colour, LEAST_LIGHT) / CREAM)


def usual_light(hsv: Hsv) -> LinearBGR:
    """A usual paint in linear light relative to paper."""
    hue, saturation, value = hsv
    sextant = np.array([5, 3, 1]) + hue / 60
    share = np.clip(np.minimum(sextant % 6, 4 - sextant % 6), 0, 1)
    red, green, blue = ((value - value * saturation * share) / PAPER) ** GAMMA
    return float(blue), float(green), float(red)


def _nearest_usual(piece: str, colour: Colours) -> Colours:
    usual = [_on_board(usual_light(hsv)) for hsv in USUAL[piece]]
    return min(usual, key=lambda one: distance(one, colour))


def _seen(colour: Colours) -> Colours:
    """A colour as the eye spaces it: the cube roots of its light, with a floor that noise does not fall below."""
    return np.asarray(np.cbrt(np.maximum(colour, 0) + _FLOOR))


def distance(one: Colours, other: Colours) -> float:
    """How far apart two colours are: the angle between them, and a little of their brightness."""
    a, b = _seen(one), _seen(other)
    depth = min(1 - float(colour.min() / colour.max()) for colour in (a, b))
    # Brightness tells greys apart; of deep paints it is mostly the light's.
    weight = _BRIGHTNESS_WEIGHT[0] + depth * (_BRIGHTNESS_WEIGHT[1] - _BRIGHTNESS_WEIGHT[0])
    return float(np.hypot(_angle(one, other), weight * (np.linalg.norm(a) - np.linalg.norm(b)) / np.sqrt(3)))


def distance_on_paper(one: LinearBGR, other: LinearBGR) -> float:
    """How far apart two colours are that were measured relative to white paper."""
    return distance(_on_board(one), _on_board(other))


def _angle(one: Colours, other: Colours) -> float:
    a, b = _seen(one), _seen(other)
    return float(np.arccos(np.clip(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)), -1, 1)))


def _strength(piece: str, own: dict[str, Colours], targets: dict[str, Colours]) -> float:
    """How much of the way a paint is shifted: not if it is usual, nor if another piece of the owner's looks alike."""
    unusual = float(np.clip((distance(own[piece], targets[piece]) - SAME) / (OTHER - SAME), 0, 1))
    nearest = min(distance(own[piece], colour) for other, colour in own.items() if other != piece)
    return unusual * float(np.clip((nearest - ALIKE / 2) / (ALIKE / 2), 0, 1))


def _spread(piece: str, own: dict[str, Colours]) -> float:
    """How far from a paint, as an angle, its pixels are looked for: less with another paint or the tiles near."""
    others = [colour for other, colour in own.items() if other != piece]
    nearest = min(_angle(own[piece], colour) for colour in (*others, np.ones(3)))
    return float(np.clip(SPREAD_SHARE * nearest, *SPREAD))


def _closeness(light: Colours, paint: PiecePaint, spread: float) -> Colours:
    """How well each colour (n, 3) can be that paint in light or shade, 0 to 1."""
    shaded, lit, highlight = (_seen(_on_board(colour)) for colour in (paint.shaded, paint.lit, paint.highlight))
    colours = _seen(light)
    lengths = np.linalg.norm(colours, axis=1)
    angle = np.arccos(np.clip(colours @ lit / (lengths * np.linalg.norm(lit)), -1, 1))
    low = DARKEST * min(np.linalg.norm(shaded), np.linalg.norm(lit) * 0.9)
    high = BRIGHTEST * np.linalg.norm(highlight)
    beyond = np.maximum(np.maximum(low - lengths, lengths - high), 0) / np.sqrt(3)
    return np.asarray(np.exp(-0.5 * (angle / spread) ** 2 - 0.5 * (beyond / SPREAD_BRIGHTNESS) ** 2))


def _cream(light: Colours) -> Colours:
    """How well each colour (n, 3) can be the tiles' cream in full light, 0 to 1."""
    cream, colours = _seen(np.ones(3)), _seen(light)
    lengths = np.linalg.norm(colours, axis=1)
    angle = np.arccos(np.clip(colours @ cream / (lengths * np.linalg.norm(cream)), -1, 1))
    darker = lengths / np.linalg.norm(cream) - 1
    return np.asarray(np.exp(-0.5 * (angle / SPREAD[0]) ** 2 - 0.5 * (darker / SPREAD_BRIGHTNESS) ** 2))


def _area(piece: str) -> float:
    """The share of the board that all pieces of a kind cover."""
    if piece in TRIBE_LETTERS:
        number, size = MEEPLE_COUNTS[TRIBE_LETTERS.index(piece)], _PIECE_MM2["meeple"]
    elif piece in _PIECE_MM2:
        number, size = (PALMS if piece == "palm" else PALACES), _PIECE_MM2[piece]
    else:
        number, size = camels_in_box(Colour.BLUE, 2), _PIECE_MM2["camel"]
    return number * size / _BOARD_MM2
