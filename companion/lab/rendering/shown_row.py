"""An owner's pieces shown to be learnt: one of each kind in a row beside the sultanate, as a phone would take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.lab.rendering.boards import shuffled_kinds
from companion.lab.rendering.camera import BOARD_MM, Camera, set_up
from companion.lab.rendering.pieces import CAMEL, MEEPLE
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece
from companion.rules.model.board import Board, Tile
from companion.rules.model.components import COLOUR_BY_LETTER, TRIBE_LETTERS
from companion.vision.board.pieces import PIECE_CLASSES

ROW_MM = (30.0, 62.0)
"""How far beyond the board's edge the row is laid, least and most."""

SPACING_MM = 35.0
LYING_SHARE = 0.12
"""Most people stand their pieces up to show them."""


def empty_board(rng: np.random.Generator) -> Board:
    """The thirty tiles in random order, nothing on them."""
    return tuple(Tile(kind, (0,) * len(TRIBE_LETTERS)) for kind in shuffled_kinds(rng))


def shown_row(rng: np.random.Generator, pieces: Sequence[str] = PIECE_CLASSES) -> tuple[PlacedPiece, ...]:
    """The pieces in a row along the lower edge of the sultanate, in that order from left to right, laid by hand."""
    away = float(rng.uniform(*ROW_MM))
    spacing = SPACING_MM * float(rng.uniform(0.9, 1.05))
    first = (BOARD_MM[0] - spacing * (len(pieces) - 1)) / 2 + float(rng.normal(0, 6))
    slope = float(rng.normal(0, 0.02))
    placed = []
    for number, piece in enumerate(pieces):
        kind = MEEPLE if piece in TRIBE_LETTERS else CAMEL if piece in COLOUR_BY_LETTER else piece
        letter = piece if kind in (MEEPLE, CAMEL) else ""
        x = first + spacing * number + float(rng.normal(0, 1.5))
        y = BOARD_MM[1] + away + slope * spacing * number + float(rng.normal(0, 2.5))
        pose = LYING if rng.random() < LYING_SHARE else STANDING
        placed.append(PlacedPiece(kind, letter, None, x, y, float(rng.normal(0, 18)), pose))
    return tuple(placed)


def row_in_view(camera: Camera, size: tuple[int, int]) -> Camera:
    """The camera moved back and up until the board and the row below it are in the picture."""
    low = BOARD_MM[1] + ROW_MM[1] + 25
    corners = np.array([[0, -5, 0], [BOARD_MM[0], -5, 0], [BOARD_MM[0], low, 0], [0, low, 0]], np.float64)
    body = np.vstack([corners, corners + [0, 0, 28]])
    for _ in range(30):
        seen = set_up(camera, size).project(body) / size
        if seen.min() >= 0.01 and seen.max() <= 0.99:
            break
        middle = (seen.min(0) + seen.max(0)) / 2
        x, y = camera.place
        place = (x + 0.7 * (0.5 - float(middle[0])), y + 0.7 * (0.5 - float(middle[1])))
        camera = replace(camera, share=camera.share * (0.97 if np.ptp(seen, axis=0).max() > 0.98 else 1), place=place)
    return camera
