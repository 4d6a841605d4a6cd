"""The flat part of the picture: the table, the tiles on it, and the light that falls there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import BOARD_MM, TILE_MM, TILE_THICKNESS_MM, Reals, View, turned
from companion.lab.rendering.extras import card_corners, card_picture
from companion.lab.rendering.scene import Lamp, PlacedTile, Scene
from companion.lab.rendering.shadows import PLANE_TO_MM, contact, lamp_shadow
from companion.lab.rendering.solids import Solid
from companion.lab.rendering.tabletops import tabletop
from companion.lab.rendering.textures import Floats, Image

Art = Mapping[str, Sequence[Image]]
"""Pictures of tiles by the code of their kind: square BGR, one or more a kind."""

TILE_FILL = 0.985
"""Side of a tile as a share of the lattice's step."""

_CORNER_SHARE = 0.045
_CARD = (112, 142, 156)
_ONE_MM = np.array([[BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0], [BOARD_MM[0] / 2 + 1, BOARD_MM[1] / 2, 0]])
_COARSE = 24

LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)
"""The light that each value of a picture stands for, 0 to 1."""


def tile_corners(tile: PlacedTile) -> Reals:
    """Corners (4, 2) in mm, from the tile's own top left clockwise as printed."""
    return on_tile(tile, np.array([[0, 0], [1, 0], [1, 1], [0, 1]]))


def on_tile(tile: PlacedTile, shares: Reals) -> Reals:
    """Where points (n, 2) of a tile lie in mm; they are given as shares of its side, as printed."""
    return turned((shares - 0.5) * TILE_MM * TILE_FILL, tile.tilt + 90 * tile.turn) + [tile.x, tile.y]


def tile_outline() -> Reals:
    """The shape of a tile as shares of its side (n, 2): a square with rounded corners, clockwise."""
    turn = np.linspace(0, np.pi / 2, 6)
    near, far = _CORNER_SHARE, 1 - _CORNER_SHARE
    middles = ((near, near), (far, near), (far, far), (near, far))
    arcs = [
        np.add(middle, _CORNER_SHARE * np.column_stack([np.cos(turn + start), np.sin(turn + start)]))
        for middle, start in zip(middles, np.pi * np.array([1, 1.5, 0, 0.5]), strict=True)
    ]
    return np.asarray(np.concatenate(arcs), np.float64)


def _table(scene: Scene, view: View) -> Image:
    texture = tabletop(scene.table.kind, np.random.default_rng(scene.table.seed))
    scale = scene.table.width_mm / texture.shape[1]
    c, s = scale * np.cos(np.radians(scene.table.angle)), scale * np.sin(np.radians(scene.table.angle))
    lay = np.array([[c, -s, -2000], [s, c, -1500], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            texture, view.plane(-TILE_THICKNESS_MM) @ lay, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        ),
        np.uint8,
    )


def _shrunk(picture: Image, side: int) -> Image:
    if picture.shape[0] <= side:
        return picture
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


class _Deck:
    """Pictures of tiles shrunk once for each size in which they are needed."""

    def __init__(self, art: Art) -> None:
        self._art = art
        self._shrunk: dict[tuple[str, int, int], Image] = {}

    def picture(self, tile: PlacedTile, side: float) -> Image:
        """The tile's picture, not much larger than `side` px (sizes go up by factors of 1.4)."""
        pictures = self._art[tile.code]
        number = tile.art % len(pictures)
        step = round(2 ** (np.ceil(np.log2(max(side, 16)) * 2) / 2))
        key = (tile.code, number, step)
        if key not in self._shrunk:
            self._shrunk[key] = _shrunk(pictures[number], step)
        return self._shrunk[key]


def _lay(albedo: Image, cover: Image, picture: Image, corners_px: Reals) -> None:
    """Lay a picture (BGR) with round corners on four corners in px, in place; `cover` gathers its shape."""
    height, width = cover.shape
    left, top = np.maximum(np.floor(corners_px.min(0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(corners_px.max(0)).astype(int) + 2, (width, height))
    if right - left < 2 or bottom - top < 2:
        return
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    place = (corners_px - (left, top) - 0.5).astype(np.float32)
    inner = unit * np.array(picture.shape[1::-1], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(inner, place)
    size = (int(right - left), int(bottom - top))
    warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    outline = cv2.perspectiveTransform(
        tile_outline()[None], cv2.getPerspectiveTransform(unit, place).astype(np.float64)
    )
    shape = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(shape, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    part = albedo[top:bottom, left:right]
    share = shape / np.float32(255)
    part[...] = cv2.blendLinear(warped, part, share, 1 - share)
    np.maximum(cover[top:bottom, left:right], shape, out=cover[top:bottom, left:right])


def _hull(points: Reals) -> NDArray[np.int32]:
    return np.asarray(cv2.convexHull(np.round(points * 16).astype(np.int32)), np.int32)


def _edges(albedo: Image, tiles: Sequence[PlacedTile], view: View) -> None:
    """The dark that tiles throw on the table close by, and their edges of card."""
    close = np.zeros(albedo.shape[:2], np.uint8)
    hulls = []
    for tile in tiles:
        corners = tile_corners(tile)
        low = view.straight(np.column_stack([corners, np.full(4, -TILE_THICKNESS_MM)]))
        high = view.straight(np.column_stack([corners, np.zeros(4)]))
        hulls.append(_hull(np.vstack([low, high])))
        cv2.fillConvexPoly(close, _hull(low), 255, cv2.LINE_AA, 4)
    # The shade reaches about as far as the tiles are thick.
    reach = TILE_THICKNESS_MM * float(np.hypot(*(view.straight(_ONE_MM)[1] - view.straight(_ONE_MM)[0])))
    shade = cv2.GaussianBlur(close, (0, 0), max(reach * 0.8, 0.5))
    free = 255 - cv2.convertScaleAbs(shade, alpha=0.75)
    for channel in range(3):
        albedo[..., channel] = cv2.multiply(albedo[..., channel], free, scale=1 / 255)
    for hull in hulls:
        cv2.fillConvexPoly(albedo, hull, _CARD, cv2.LINE_AA, 4)


def _albedo(scene: Scene, view: View, art: Art) -> tuple[Image, Image]:
    """The table with its tiles in even light (BGR), and a mask of the tiles."""
    picture = _table(scene, view)
    cover = np.zeros(picture.shape[:2], np.uint8)
    _edges(picture, scene.tiles, view)
    for extra in scene.extras:
        if extra.kind == "card":
            _lay(picture, cover, card_picture(extra), view.straight(card_corners(extra)))
    deck = _Deck(art)
    for tile in scene.tiles:
        corners = view.straight(np.column_stack([tile_corners(tile), np.zeros(4)]))
        side = max(float(np.hypot(*(corners[i] - corners[i - 1]))) for i in range(4))
        _lay(picture, cover, deck.picture(tile, side), corners)
    return picture, cover


def _coarse_spots(view: View) -> Reals:
    """Where a coarse grid of the picture's pixels lies on the plane, in mm (rows, columns, 3)."""
    width, height = view.size
    u, v = np.meshgrid(np.linspace(0, width, width // _COARSE + 2), np.linspace(0, height, height // _COARSE + 2))
    spots = np.stack([u, v, np.ones_like(u)], -1) @ np.linalg.inv(view.plane()).T
    flat = spots[..., :2] / np.maximum(np.abs(spots[..., 2:]), 1e-9) * np.sign(spots[..., 2:])
    return np.dstack([np.clip(flat, -4000, 4000), np.zeros(u.shape)])


def _full(coarse: Reals, view: View) -> Floats:
    return np.asarray(cv2.resize(coarse.astype(np.float32), view.size, interpolation=cv2.INTER_LINEAR), np.float32)


def _to_picture(plane: Image, view: View) -> Floats:
    """A shadow map as the camera sees it, 0 to 1."""
    seen = cv2.warpPerspective(plane, view.plane() @ PLANE_TO_MM, view.size, flags=cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32) / np.float32(255)


def _lengths(vectors: Reals) -> Reals:
    return np.asarray(np.linalg.norm(vectors, axis=-1, keepdims=True), np.float64)


def _fall(lamp: Lamp, spots: Reals) -> Reals:
    """The light that a lamp throws on spots of the plane, 1 at the middle of the board for strength 1."""
    toward = np.asarray(lamp.place) - spots
    middle = np.asarray(lamp.place) - [BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0]
    far, reference = _lengths(toward)[..., 0], float(np.hypot(np.hypot(middle[0], middle[1]), middle[2]))
    return np.asarray(lamp.strength * (reference / far) ** 3 * toward[..., 2] / middle[2], np.float64)


def _sheen(lamp: Lamp, spots: Reals, eye: Reals) -> Reals:
    """How much of a lamp is mirrored from spots of the plane to the eye: a sharp core in a wide haze."""
    toward, gaze = np.asarray(lamp.place) - spots, eye - spots
    halfway = toward / _lengths(toward) + gaze / _lengths(gaze)
    upright = halfway[..., 2] / _lengths(halfway)[..., 0]
    sharpness = 25000 / (lamp.radius + 40)
    return np.asarray(lamp.strength * (1.2 * upright**sharpness + 0.25 * upright**20), np.float64)


def lit(scene: Scene, view: View, art: Art, solids: Sequence[Solid], rng: np.random.Generator) -> Floats:
    """The table and its tiles under the scene's light, with the shadows of `solids`: linear BGR."""
    picture, cover = _albedo(scene, view, art)
    light = scene.light
    spots = _coarse_spots(view)
    gloss = light.tile_gloss * cover.astype(np.float32) / 255 + scene.table.gloss * (cover < 128)
    open_sky = 1 - np.float32(0.75) * _to_picture(contact(solids), view)
    glow = [open_sky * np.float32(part) for part in light.ambient]
    shine = [np.zeros_like(open_sky) for _ in light.ambient]
    for lamp in light.lamps:
        free = 1 - _to_picture(lamp_shadow(solids, lamp, rng), view)
        beam = _full(_fall(lamp, spots), view) * free
        glint = _full(_sheen(lamp, spots, view.eye), view) * free * gloss
        for channel, part in enumerate(lamp.colour):
            glow[channel] += beam * np.float32(part)
            shine[channel] += glint * np.float32(part)
    linear = np.empty(picture.shape, np.float32)
    for channel in range(3):
        linear[..., channel] = cv2.LUT(picture[..., channel], LINEAR) * glow[channel] + shine[channel]
    return linear
