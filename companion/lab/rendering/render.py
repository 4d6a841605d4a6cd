"""From a scene to a picture and its truth."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import TILE_MM, View, board_corners, set_up
from companion.lab.rendering.extras import extra_solids, finish_extra
from companion.lab.rendering.photo import develop
from companion.lab.rendering.scene import Extra, PlacedTile, Scene
from companion.lab.rendering.shadows import free_light
from companion.lab.rendering.solids import Solid, draw, piece_solid
from companion.lab.rendering.surface import Art, lit, tile_corners
from companion.lab.rendering.textures import Floats, Image, rough_noise
from companion.lab.rendering.tile_art import standard_art
from companion.lab.rendering.truth import Corners, PieceTruth, TileTruth, Truth

_NOBODY = -1


def corner_pairs(points: NDArray[np.float64]) -> Corners:
    return tuple((round(float(u), 2), round(float(v), 2)) for u, v in points)


def board_homography(view: View) -> NDArray[np.float64]:
    """The homography nearest to where the lens puts the corners of all tiles."""
    across, down = np.meshgrid(np.arange(7.0), np.arange(6.0))
    lattice = np.column_stack([across.ravel(), down.ravel()])
    seen = view.project(np.column_stack([lattice * TILE_MM, np.zeros(len(lattice))]))
    return np.asarray(cv2.findHomography(lattice, seen)[0], np.float64)


def _piece_truths(scene: Scene, solids: list[Solid], shares: NDArray[np.float64], view: View) -> list[PieceTruth]:
    width, height = view.size
    truths = []
    for piece, solid, share in zip(scene.pieces, solids, shares, strict=True):
        rim = np.concatenate([solid.front, solid.back])
        seen = view.project(rim)
        middle = (rim.max(0) + rim.min(0)) / 2
        spots = view.project(np.array([[piece.x, piece.y, 0.0], middle]))
        if share <= 0 and (seen.max(0) < 0).any() | (seen.min(0) > (width, height)).any():
            continue
        foot, centre = corner_pairs(spots)
        (left, top), (right, bottom) = corner_pairs(np.stack([seen.min(0), seen.max(0)]))
        truths.append(
            PieceTruth(
                piece.kind,
                piece.colour,
                piece.square,
                piece.pose,
                foot,
                centre,
                (left, top, right, bottom),
                round(float(share), 3),
            )
        )
    return truths


def tile_truths(tiles: Sequence[PlacedTile], view: View) -> tuple[TileTruth, ...]:
    """Where a picture shows each of the tiles."""
    corners = [view.project(np.column_stack([tile_corners(tile), np.zeros(4)])) for tile in tiles]
    return tuple(
        TileTruth(tile.square, tile.code, corner_pairs(seen), tile.turn)
        for tile, seen in zip(tiles, corners, strict=True)
    )


def _back_to_front(solids: list[Solid], view: View) -> list[int]:
    """The order to draw in: of two things on a table the one nearer to the spot under the camera hides the other."""
    feet = np.array([np.concatenate([solid.front, solid.back]).mean(0)[:2] for solid in solids]).reshape(-1, 2)
    order: list[int] = np.argsort(-np.hypot(*(feet - view.eye[:2]).T)).tolist()
    return order


def _draw_all(
    picture: Floats, scene: Scene, view: View, things: list[tuple[Solid, Extra | None]], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw solids into a linear picture in place; returns the share of each that is seen in the end.

    An extra beside a solid says what its upper face shows.
    """
    solids = [solid for solid, _ in things]
    grain = rough_noise(rng, (256, 256), 3, 24)
    free = free_light(solids, scene.light.lamps)
    owner = np.full(picture.shape[:2], _NOBODY, np.int16)
    areas = np.ones(len(solids))
    for number in _back_to_front(solids, view):
        solid, extra = things[number]
        mark = draw(picture, solid, view, scene.light, free[number], grain, rng)
        if mark is None:
            continue
        owner[mark.rows, mark.columns][mark.cover > 0.5] = number
        areas[number] = max(mark.area, 1)
        if extra is not None:
            finish_extra(picture, extra, solid, view)
    seen = np.bincount(owner.ravel() + 1, minlength=len(solids) + 1)[1:]
    # Half covered pixels at the rim are counted whole or not at all, so the share can pass 1 by a little.
    return np.minimum(seen / areas, 1)


def render(
    scene: Scene, rng: np.random.Generator, size: tuple[int, int], art: Art | None = None
) -> tuple[Image, Truth]:
    """Draw a scene as a picture (BGR uint8) of `size` (width, height) px, with its truth.

    `art` gives the pictures of the tiles by kind (square BGR, at least one a kind); None takes our own.
    """
    view = set_up(scene.camera, size)
    pieces = [piece_solid(piece, scene.box, view.eye) for piece in scene.pieces]
    things: list[tuple[Solid, Extra | None]] = [(solid, None) for solid in pieces]
    things += [(solid, extra) for extra in scene.extras for solid in extra_solids(extra, view.eye)]
    solids = [solid for solid, _ in things]
    picture = lit(scene, view, standard_art() if art is None else art, solids, rng)
    shares = _draw_all(picture, scene, view, things, rng)[: len(pieces)]
    truth = Truth(
        scene.board,
        size,
        corner_pairs(view.project(board_corners())),
        board_homography(view),
        tile_truths(scene.tiles, view),
        tuple(_piece_truths(scene, pieces, shares, view)),
    )
    return develop(picture, view, scene.look, rng), truth
