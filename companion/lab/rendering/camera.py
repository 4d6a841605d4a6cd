"""The camera: where it stands over the table and how points in space fall on the picture.

Space is in mm: x to the right from the left edge of a1, y down the board from its top edge, h up from
the tops of the tiles. Pictures are in px, u to the right and v down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS

Reals = NDArray[np.float64]

TILE_MM = 64.0
"""Side of a tile with its share of the gaps: the step of the lattice."""

TILE_THICKNESS_MM = 2.0
"""How far the tops of the tiles lie above the table."""

BOARD_MM = (COLUMNS * TILE_MM, ROWS * TILE_MM)
"""Width and height of the sultanate."""

SENSOR_DIAGONAL_MM = 43.27
"""Diagonal of the 35 mm film that `lens_mm` is told for."""


@dataclass(frozen=True, slots=True)
class Camera:
    """How the picture is taken.

    `elevation` above the table (90 looks straight down), `azimuth` around the board (0 has a1 at the
    top left) and `roll`, in degrees; `lens_mm` as on 35 mm film; `share` of the picture's width or
    height, whichever is tighter, that the board fills; `place` of the board's middle as shares of the
    width and height; `barrel` the radial distortion at the picture's corner (-0.03 pulls it 3% inwards).
    """

    elevation: float = 75.0
    azimuth: float = 0.0
    roll: float = 0.0
    lens_mm: float = 27.0
    share: float = 0.85
    place: tuple[float, float] = (0.5, 0.5)
    barrel: float = 0.0


@dataclass(frozen=True, slots=True)
class View:
    """A camera set up for a picture of `size` (width, height): its place and its 3x4 matrix on (x, y, h, 1)."""

    size: tuple[int, int]
    eye: Reals
    matrix: Reals
    barrel: float

    def straight(self, points: Reals) -> Reals:
        """Where points (..., 3) fall in px (..., 2) before the lens bends the picture."""
        flat = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(flat[..., :2] / flat[..., 2:], np.float64)

    def depth(self, points: Reals) -> Reals:
        """Distance of points (..., 3) in front of the camera, in mm."""
        return np.asarray(points @ self.matrix[2, :3] + self.matrix[2, 3], np.float64)

    def bend(self, px: Reals) -> Reals:
        """Where the lens moves points (..., 2) of the straight picture."""
        middle = np.asarray(self.size, np.float64) / 2
        away = (px - middle) / np.hypot(*middle)
        return np.asarray(middle + (px - middle) * (1 + self.barrel * (away**2).sum(-1, keepdims=True)), np.float64)

    def unbend(self, px: Reals) -> Reals:
        """The points of the straight picture that the lens moves to these; the inverse of `bend`."""
        middle = np.asarray(self.size, np.float64) / 2
        straight = px
        for _ in range(5):
            away = (straight - middle) / np.hypot(*middle)
            straight = middle + (px - middle) / (1 + self.barrel * (away**2).sum(-1, keepdims=True))
        return straight

    def project(self, points: Reals) -> Reals:
        """Where points (..., 3) fall in the finished picture, in px (..., 2)."""
        return self.bend(self.straight(points))

    def plane(self, height: float = 0.0) -> Reals:
        """The 3x3 matrix from (x, y, 1) in mm on the plane at that height to straight px."""
        return np.column_stack([self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 2] * height + self.matrix[:, 3]])


def _look(camera: Camera, size: tuple[int, int], target: Reals, distance: float) -> View:
    elevation, azimuth, roll = np.radians([camera.elevation, camera.azimuth, camera.roll])
    # Seen from the camera, h points up but the right-handed third axis of (x, y) points down into the table.
    toward = np.array([np.sin(azimuth) * np.cos(elevation), np.cos(azimuth) * np.cos(elevation), -np.sin(elevation)])
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    forward = -toward
    down = np.cross(forward, right)
    turned_right = np.cos(roll) * right + np.sin(roll) * down
    turned_down = np.cos(roll) * down - np.sin(roll) * right
    eye = np.array([target[0], target[1], 0.0]) + distance * toward
    focal = camera.lens_mm / SENSOR_DIAGONAL_MM * float(np.hypot(*size))
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    turn = np.stack([turned_right, turned_down, forward])
    matrix = inner @ np.column_stack([turn, -turn @ eye])
    matrix[:, 2] *= -1
    return View(size, eye * np.array([1, 1, -1]), matrix, camera.barrel)


def turned(points: Reals, degrees: float) -> Reals:
    """Points (n, 2) or (n, 3) turned about the origin, or about the upright axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])[: points.shape[1], : points.shape[1]]
    return np.asarray(points @ turn.T, np.float64)


def board_corners() -> Reals:
    """The sultanate's corners in mm, (4, 3): those of a1, f1, f5 and a5."""
    width, height = BOARD_MM
    return np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]], np.float64)


def set_up(camera: Camera, size: tuple[int, int]) -> View:
    """The view of a picture of `size` (width, height) px in which the board fills its share at its place."""
    target = np.array([BOARD_MM[0] / 2, BOARD_MM[1] / 2])
    wanted = np.asarray(camera.place) * size
    distance = 600.0
    corners = board_corners()
    for _ in range(12):
        view = _look(camera, size, target, distance)
        seen = view.straight(corners)
        extent = (seen.max(0) - seen.min(0)) / size
        distance *= float(np.clip(extent.max() / camera.share, 0.5, 2.0))
        plane = view.plane()
        middle = (seen.max(0) + seen.min(0)) / 2
        # Aim at what is seen as far from the picture's middle as the board is from its place, the other way.
        aim = np.linalg.inv(plane) @ np.array([*(np.asarray(size) / 2 + middle - wanted), 1])
        target = target + np.clip(0.8 * (aim[:2] / aim[2] - target), -200, 200)
    return _look(camera, size, target, distance)


_STANDING_MM = 26.0
"""About as high as pieces stand."""


_EDGE = 0.008
"""The least distance of a whole board from the picture's edges, as a share of its width and height."""


def whole(camera: Camera, size: tuple[int, int]) -> Camera:
    """The camera moved back and towards the middle until the board and what stands on it is in the picture."""
    corners = board_corners()
    body = np.vstack([corners, corners - [0, 0, -_STANDING_MM]])
    for _ in range(20):
        seen = set_up(camera, size).project(body) / size
        if seen.min() >= _EDGE and seen.max() <= 1 - _EDGE:
            break
        x, y = camera.place
        camera = replace(camera, share=0.96 * camera.share, place=(0.5 + 0.7 * (x - 0.5), 0.5 + 0.7 * (y - 0.5)))
    return camera
