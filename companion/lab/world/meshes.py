"""The flat things of a scene as meshes with pictures on them: tiles on one atlas, cards, the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import TILE_MM, TILE_THICKNESS_MM, turned
from companion.lab.rendering.carving import Reals
from companion.lab.rendering.surface import LINEAR, Art, on_tile, tile_outline
from companion.lab.rendering.textures import Image
from companion.lab.world.printings import printed
from companion.lab.world.scenes import WorldScene
from companion.rules.model.board import COLUMNS, ROWS

ATLAS_TILE_PX = 320
_EDGE_MM = 0.25
"""How much the upper edges of tiles are rounded off."""


@dataclass(frozen=True, slots=True)
class TexturedMesh:
    """Points (n, 3) in mm, faces, a picture's coordinates (u to the right, v up, 0 to 1) of each face's corners.

    `tones` picks of two materials: what shows the picture, and its edge.
    """

    points: Reals
    faces: tuple[tuple[int, ...], ...]
    uv: Reals
    tones: tuple[int, ...]


def tile_atlas(scene: WorldScene, art: Art) -> Image:
    """The pictures of all tiles of the board as one (BGR uint8), each in its square's place, upright."""
    atlas = np.zeros((ROWS * ATLAS_TILE_PX, COLUMNS * ATLAS_TILE_PX, 3), np.uint8)
    known: dict[tuple[str, int], Image] = {}
    for tile in scene.scene.tiles:
        number = tile.art % len(art[tile.code])
        if (tile.code, number) not in known:
            picture = printed(art[tile.code][number], scene.families["tiles"], scene.printing_seed)
            side = (ATLAS_TILE_PX, ATLAS_TILE_PX)
            known[tile.code, number] = np.asarray(cv2.resize(picture, side, interpolation=cv2.INTER_AREA), np.uint8)
        row, column = (part * ATLAS_TILE_PX for part in divmod(tile.square, COLUMNS))
        atlas[row : row + ATLAS_TILE_PX, column : column + ATLAS_TILE_PX] = known[tile.code, number]
    return atlas


def tile_mesh(scene: WorldScene) -> TexturedMesh:
    """All tiles of the board: squares of card with round corners, their pictures from the atlas."""
    shape = tile_outline()
    inner = 0.5 + (shape - 0.5) * (1 - 2 * _EDGE_MM / TILE_MM)
    count = len(shape)
    points: list[Reals] = []
    faces: list[tuple[int, ...]] = []
    uv: list[Reals] = []
    tones: list[int] = []
    for tile in scene.scene.tiles:
        first = sum(len(part) for part in points)
        for ring, height in ((inner, 0.0), (shape, -_EDGE_MM), (shape, -TILE_THICKNESS_MM)):
            points.append(np.column_stack([on_tile(tile, ring), np.full(count, height)]))
        row, column = divmod(tile.square, COLUMNS)
        places = np.column_stack([(column + shape[:, 0]) / COLUMNS, 1 - (row + shape[:, 1]) / ROWS])
        faces.append(tuple(range(first, first + count)))
        uv.append(np.column_stack([(column + inner[:, 0]) / COLUMNS, 1 - (row + inner[:, 1]) / ROWS]))
        tones.append(0)
        for step in (0, 1):
            for i in range(count):
                j = (i + 1) % count
                low = first + step * count
                faces.append((low + i, low + count + i, low + count + j, low + j))
                uv.append(places[[i, i, j, j]])
                tones.append(step)
    return TexturedMesh(np.vstack(points), tuple(faces), np.vstack(uv), tuple(tones))


_TABLE_MM = 6000.0


def table_mesh(scene: WorldScene) -> TexturedMesh:
    """The table top: a large square on which its picture is laid again and again."""
    table = scene.scene.table
    half = _TABLE_MM / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    uv = turned(corners, -table.angle) / table.width_mm
    middle = np.array([COLUMNS, ROWS]) * TILE_MM / 2
    points = np.column_stack([corners + middle, np.full(4, -TILE_THICKNESS_MM)])
    return TexturedMesh(points, ((0, 1, 2, 3),), uv, (0,))


def card_mesh(corners: Reals) -> TexturedMesh:
    """A card whose corners (4, 3) in mm are told from its top left, clockwise as printed."""
    uv = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    return TexturedMesh(corners, ((0, 1, 2, 3),), uv, (0,))


def to_linear(picture: Image) -> NDArray[np.float32]:
    """A picture (BGR uint8) as linear RGBA from its lowest row up, as Blender keeps them."""
    return np.dstack([LINEAR[picture[::-1, :, ::-1]], np.ones(picture.shape[:2], np.float32)])
