"""How bodies come to rest: upright, on a side, leaning on a neighbour, one end on another piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import asin, atan2, cos, degrees, hypot, radians, sin

import numpy as np

from companion.lab.rendering.carving import Reals
from companion.lab.rendering.pieces import MEEPLE
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece
from companion.lab.world.bodies import Body

MAX_LEAN_DEG = 38.0
"""Farther over, a piece slips and falls."""

_NEAR_MM = 34.0


@dataclass(frozen=True, slots=True)
class Pose:
    """How one piece lies or stands in space.

    Standing ones `tip` over by that many degrees, as their depth points; lying ones are rolled about their length by
    `roll`, and then tipped about the level line at right angles to `way` (radians), where they rest on something.
    """

    piece: PlacedPiece
    tip: float = 0.0
    roll: float = 0.0
    way: float = 0.0
    base: float = 0.0


def _about(axis: int, angle: float) -> Reals:
    c, s = cos(radians(angle)), sin(radians(angle))
    turns = ([[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.array(turns[axis], np.float64)


def rotation(pose: Pose) -> Reals:
    """The 3x3 rotation of a body in that pose; space is (x, y down the board, h up)."""
    piece = pose.piece
    if piece.pose == STANDING:
        # Positive tips lean towards the depth's direction, (-sin, cos) of the angle.
        return np.asarray(_about(2, piece.angle) @ _about(0, -(pose.tip + piece.lean)), np.float64)
    flat = _about(2, piece.angle) @ _about(0, -90.0) @ _about(2, pose.roll)
    way = degrees(pose.way)
    return np.asarray(_about(2, way) @ _about(1, -pose.tip) @ _about(2, -way) @ flat, np.float64)


def set_down(body: Body, pose: Pose, points: Reals | None = None) -> Reals:
    """The body's points (or others of it) in space, in mm: turned, at its place, its lowest point where it rests."""
    turn = rotation(pose)
    whole = body.points @ turn.T
    low, high = whole.min(0), whole.max(0)
    piece = pose.piece
    away = np.array([piece.x, piece.y, pose.base - low[2]])
    if piece.pose == LYING:
        # Lying pieces are told by the middle of what they cover.
        away[:2] -= (low[:2] + high[:2]) / 2
    return np.asarray((whole if points is None else points @ turn.T) + away, np.float64)


def _near(number: int, pieces: Sequence[PlacedPiece]) -> list[int]:
    one = pieces[number]
    return [
        k
        for k, other in enumerate(pieces)
        if k != number
        and other.square is not None
        and other.square == one.square
        and hypot(other.x - one.x, other.y - one.y) < _NEAR_MM
    ]


def _leaning(
    piece: PlacedPiece, other: PlacedPiece, bodies: tuple[Body, Body], rng: np.random.Generator
) -> Pose | None:
    """The piece leaning against another that stands, as it would after a push; None if they are too far apart."""
    _, depth, height = bodies[0].size
    other_width, other_depth, other_height = bodies[1].size
    dx, dy = other.x - piece.x, other.y - piece.y
    away = atan2(dy, dx)
    # Turned so that its depth points at the other one.
    turned = replace(piece, angle=degrees(away) - 90 + float(rng.normal(0, 12)))
    across = away - radians(other.angle)
    reach = abs(cos(across)) * other_width / 2 + abs(sin(across)) * other_depth / 2
    gap = hypot(dx, dy) - reach - depth / 2
    top = min(height, other_height) * 0.9
    if gap < 0.3 or gap >= top * sin(radians(MAX_LEAN_DEG)):
        return None
    return Pose(turned, tip=degrees(asin(gap / top)))


def _propped(piece: PlacedPiece, other: PlacedPiece, bodies: tuple[Body, Body], rng: np.random.Generator) -> Pose:
    """The piece lying with one end on another that lies, or flat on top of it."""
    length = bodies[0].size[2]
    _, thick, other_length = bodies[1].size
    if rng.random() < 0.3 and piece.kind == MEEPLE and other.kind == MEEPLE:
        x, y = other.x + float(rng.normal(0, 2)), other.y + float(rng.normal(0, 2))
        return Pose(replace(piece, pose=LYING, x=x, y=y, lean=0.0), base=thick)
    way = atan2(other.y - piece.y, other.x - piece.x)
    tip = degrees(asin(min(thick / max(length, thick), 0.55)))
    apart = 0.42 * (length * cos(radians(tip)) + 0.6 * other_length)
    x, y = other.x - apart * cos(way), other.y - apart * sin(way)
    # Its length points at the other, its foot first or last.
    angle = degrees(way) + (90 if rng.random() < 0.5 else -90) + float(rng.normal(0, 15))
    return Pose(replace(piece, pose=LYING, x=x, y=y, angle=angle, lean=0.0), tip=tip, way=way)


def _plain(piece: PlacedPiece, rng: np.random.Generator) -> Pose:
    if piece.pose == LYING:
        # Round pieces lie on any side; flat ones only on their faces.
        return Pose(piece, roll=0.0 if rng.random() < 0.5 else 180.0)
    return Pose(piece)


def draw_poses(
    pieces: Sequence[PlacedPiece], bodies: Sequence[Body], untidy: float, rng: np.random.Generator
) -> tuple[Pose, ...]:
    """A pose for each placed piece, whose body has the same number; `untidy` is the chance that one leans on or lies
    across a neighbour.

    No piece leaves its tile's neighbourhood, and none that another one rests on is moved.
    """
    poses = [_plain(piece, rng) for piece in pieces]
    held: set[int] = set()
    for number, piece in enumerate(pieces):
        if piece.square is None or number in held or rng.random() >= untidy:
            continue
        near = [k for k in _near(number, pieces) if poses[k] == Pose(pieces[k], roll=poses[k].roll)]
        if not near:
            continue
        other = near[int(rng.integers(len(near)))]
        pose: Pose | None = None
        if piece.pose == STANDING and pieces[other].pose == STANDING:
            pose = _leaning(piece, pieces[other], (bodies[number], bodies[other]), rng)
        elif piece.pose == LYING and pieces[other].pose == LYING and piece.kind == MEEPLE:
            pose = _propped(piece, pieces[other], (bodies[number], bodies[other]), rng)
        if pose is not None:
            poses[number] = pose
            held |= {number, other}
    return tuple(poses)
