"""From a scene to a picture and its truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import TILE_MM, View, board_corners, set_up, whole
from companion.lab.rendering.extras import extra_solids, finish_extra
from companion.lab.rendering.photo import develop
from companion.lab.rendering.profiles import Profile
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import Extra, PlacedPiece, Scene
from companion.lab.rendering.shadows import free_light
from companion.lab.rendering.solids import Solid, draw, piece_solid
from companion.lab.rendering.surface import Art, lit, tile_corners
from companion.lab.rendering.textures import Floats, Image, rough_noise
from companion.lab.rendering.tile_art import standard_art
from companion.lab.rendering.truth import Corners, PieceTruth, TileTruth, Truth
from companion.rules.model.board import Board

_NOBODY = -1


def _corner_pairs(points: NDArray[np.float64]) -> Corners:
    return tuple((round(float(u), 2), round(float(v), 2)) for u, v in points)


def _board_homography(view: View) -> NDArray[np.float64]:
    """The homography nearest to where the lens puts the corners of all tiles."""
    across, down = np.meshgrid(np.arange(7.0), np.arange(6.0))
    lattice = np.column_stack([across.ravel(), down.ravel()])
    seen = view.project(np.column_stack([lattice * TILE_MM, np.zeros(len(lattice))]))
    return np.asarray(cv2.findHomography(lattice, seen)[0], np.float64)


def _piece_truth(piece: PlacedPiece, surface: NDArray[np.float64], share: float, view: View) -> PieceTruth | None:
    """What is seen of a piece with these points (n, 3) on it; None where all of it lies outside the picture."""
    seen = view.project(surface)
    if share <= 0 and ((seen.max(0) < 0).any() or (seen.min(0) > view.size).any()):
        return None
    middle = (surface.max(0) + surface.min(0)) / 2
    foot, centre = _corner_pairs(view.project(np.array([[piece.x, piece.y, 0.0], middle])))
    (left, top), (right, bottom) = _corner_pairs(np.stack([seen.min(0), seen.max(0)]))
    box = (left, top, right, bottom)
    return PieceTruth(piece.kind, piece.colour, piece.square, piece.pose, foot, centre, box, round(float(share), 3))


def picture_truth(scene: Scene, view: View, surfaces: Iterable[NDArray[np.float64]], shares: Iterable[float]) -> Truth:
    """All that a picture of a scene shows.

    Of each piece `surfaces` are points (n, 3) on it in space, and `shares` the share of it that isn't hidden; what
    they hold beyond the pieces isn't looked at.
    """
    placed = zip(scene.pieces, surfaces, shares, strict=False)
    pieces = [_piece_truth(piece, surface, share, view) for piece, surface, share in placed]
    corners = [view.project(np.column_stack([tile_corners(tile), np.zeros(4)])) for tile in scene.tiles]
    return Truth(
        scene.board,
        view.size,
        _corner_pairs(view.project(board_corners())),
        _board_homography(view),
        tuple(
            TileTruth(tile.square, tile.code, _corner_pairs(seen), tile.turn)
            for tile, seen in zip(scene.tiles, corners, strict=True)
        ),
        tuple(piece for piece in pieces if piece is not None),
    )


def _back_to_front(solids: list[Solid], view: View) -> list[int]:
    """The order to draw in: of two things on a table the one nearer to the spot under the camera hides the other."""
    feet = np.array([solid.rims.mean(0)[:2] for solid in solids]).reshape(-1, 2)
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
    shares = _draw_all(picture, scene, view, things, rng)
    truth = picture_truth(scene, view, (solid.rims for solid in pieces), shares)
    return develop(picture, view, scene.look, rng), truth


def draw_photo(
    rng: np.random.Generator,
    size: tuple[int, int],
    profile: Profile,
    art: Art | None = None,
    board: Board | None = None,
    *,
    usual: bool = False,
) -> tuple[Image, Truth]:
    """A random picture as `render` draws it, of this board if one is given, in the game's own pieces if `usual`."""
    scene = sample_scene(rng, board, replace(profile, pieces="box") if usual else profile)
    if profile.whole:
        scene = replace(scene, camera=whole(scene.camera, size))
    return render(scene, rng, size, art)
