"""Solid bodies of pieces as meshes: cut out of a board, turned on a lathe, cast in a mould, put together.

A body stands on its foot: x along its width, y along its depth, z up, in mm, the middle of the foot at (0, 0, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.lab.rendering.carving import Reals

FIRST, SECOND = 0, 1
"""Tones of a face: the first or the second paint of a piece in two tones."""

_ROUND = (0.0, 30.0, 60.0, 90.0)
"""Degrees round a bevel at which it has a ring of points."""

_CAST_STEP_MM = 0.6

_SKIN_MM = 0.02
"""How far a second paint lies over the first."""


@dataclass(frozen=True, slots=True)
class Body:
    """A mesh: `points` (n, 3) in mm, `faces` of indices into them, the tone of each face."""

    points: Reals
    faces: tuple[tuple[int, ...], ...]
    tones: tuple[int, ...]

    @property
    def size(self) -> tuple[float, float, float]:
        """Width, depth and height in mm."""
        width, depth, height = np.ptp(self.points, axis=0)
        return float(width), float(depth), float(height)


def make_body(points: Reals, faces: Sequence[Sequence[int]], tones: Sequence[int]) -> Body:
    """A body, moved so that it stands on the plane with its middle over the origin."""
    points = np.asarray(points, np.float64)
    low, high = points.min(0), points.max(0)
    points = points - [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]
    return Body(points, tuple(tuple(map(int, face)) for face in faces), tuple(tones))


def joined(parts: Sequence[Body]) -> Body:
    """Several bodies as one, each where it is."""
    points: list[Reals] = []
    faces: list[tuple[int, ...]] = []
    tones: list[int] = []
    first = 0
    for part in parts:
        points.append(part.points)
        faces += [tuple(first + index for index in face) for face in part.faces]
        tones += part.tones
        first += len(part.points)
    return Body(np.vstack(points), tuple(faces), tuple(tones))


def moved(body: Body, x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> Body:
    """The body turned by so many degrees about its upright axis, then moved."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return replace(body, points=body.points @ rotation.T + [x, y, z])


def toned(body: Body, tone: int) -> Body:
    """The body in one tone."""
    return replace(body, tones=(tone,) * len(body.faces))


def centred(body: Body) -> Body:
    """The body moved so that it stands with its middle over the origin."""
    return make_body(body.points, body.faces, body.tones)


def scaled(body: Body, width: float, depth: float, height: float) -> Body:
    """The body stretched to a size in mm."""
    now = np.maximum(np.array(body.size), 1e-6)
    return replace(body, points=body.points * (np.array([width, depth, height]) / now))


def _inward(outline: Reals) -> tuple[Reals, Reals]:
    """Of the points of an outline (anticlockwise) the unit normals inwards, and how far there is room that way.

    That is the radius of the largest circle that touches the outline at the point from inside and holds no other.
    """
    along = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    normals /= np.maximum(np.hypot(*normals.T), 1e-9)[:, None]
    vertex = normals + np.roll(normals, 1, axis=0)
    vertex /= np.maximum(np.hypot(*vertex.T), 1e-9)[:, None]
    apart = outline[None] - outline[:, None]
    ahead = np.einsum("ijk,ik->ij", apart, vertex)
    square = (apart**2).sum(2)
    radius = np.where(ahead > 1e-6, square / np.maximum(2 * ahead, 1e-9), np.inf).min(1)
    return vertex, radius


def _inset(outline: Reals, by: float) -> Reals:
    """An outline (anticlockwise) drawn in by so many mm, less where it is too slim for that."""
    inward, room = _inward(outline)
    return np.asarray(outline + np.minimum(by, 0.7 * room)[:, None] * inward, np.float64)


def _walls(rings: int, sides: int) -> list[tuple[int, ...]]:
    """The faces between rings of so many points, one upon another."""
    return [
        (ring * sides + i, ring * sides + (i + 1) % sides, (ring + 1) * sides + (i + 1) % sides, (ring + 1) * sides + i)
        for ring in range(rings - 1)
        for i in range(sides)
    ]


def _closed(rings: Sequence[Reals], tone: int) -> Body:
    """Rings of points one upon another, closed at both ends."""
    sides, count = len(rings[0]), len(rings)
    last = (count - 1) * sides
    faces = [tuple(range(sides - 1, -1, -1)), tuple(range(last, last + sides)), *_walls(count, sides)]
    return make_body(np.vstack(rings), faces, [tone] * len(faces))


def cut_body(outline: Reals, thickness: float, bevel: float, low_mm: float | None = None) -> Body:
    """An outline (n, 2; x and up) sawn out of a board so thick, its edges rounded by `bevel` mm.

    What lies below `low_mm` has the second tone.
    """
    area = np.sum(outline[:, 0] * np.roll(outline[:, 1], -1) - np.roll(outline[:, 0], -1) * outline[:, 1])
    outline = outline[::-1] if area < 0 else outline
    bevel = min(bevel, 0.45 * thickness)
    angles = np.radians(_ROUND)
    steps = [(bevel * (1 - np.sin(a)), bevel * (1 - np.cos(a)) - thickness / 2) for a in angles]
    steps += [(inset, -depth) for inset, depth in reversed(steps)]
    rings = [np.insert(_inset(outline, inset), 1, depth, axis=1) for inset, depth in steps]
    body = _closed(rings, FIRST)
    return body if low_mm is None else _two_toned(body, float(low_mm - outline[:, 1].min()))


def _two_toned(body: Body, line: float) -> Body:
    """A sawn body with what lies below a height in the second tone; its caps get a second skin there."""
    tones = [FIRST, FIRST]
    tones += [SECOND if body.points[list(face), 2].max() <= line + 0.3 else FIRST for face in body.faces[2:]]
    faces, points, first = list(body.faces), [body.points], len(body.points)
    for cap in body.faces[:2]:
        part = _below(body.points[list(cap)], line)
        if len(part) >= 3:
            out = np.sign(part[:, 1].mean()) * _SKIN_MM
            points.append(part + [0, out, 0])
            faces.append(tuple(range(first, first + len(part))))
            tones.append(SECOND)
            first += len(part)
    return Body(np.vstack(points), tuple(faces), tuple(tones))


def _below(ring: Reals, line: float) -> Reals:
    """The part of a flat ring of points (n, 3) that lies below a height (Sutherland and Hodgman)."""
    kept: list[Reals] = []
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if start[2] <= line:
            kept.append(start)
        if (start[2] <= line) != (end[2] <= line):
            kept.append(start + (end - start) * (line - start[2]) / (end[2] - start[2]))
    return np.array(kept).reshape(-1, 3)


def turned_body(profile: Sequence[tuple[float, float]], sides: int = 20, tone: int = FIRST, flat: float = 1.0) -> Body:
    """A profile of (radius, height) in mm, from the foot up, turned on a lathe; `flat` 0.6 squeezes its depth."""
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = [
        np.column_stack([r * np.cos(turn), flat * r * np.sin(turn), np.full(sides, h)])
        for r, h in ((max(r, 0.02), h) for r, h in profile)
    ]
    return _closed(rings, tone)


def block_body(width: float, depth: float, height: float, bevel: float = 0.4, tone: int = FIRST) -> Body:
    """A block with rounded edges all round but at its foot."""
    rings = []
    steps = [(0.0, 0.0), (0.0, height - bevel), (0.3 * bevel, height - 0.3 * bevel), (bevel, height)]
    for inset, h in steps:
        x, y = width / 2 - inset, depth / 2 - inset
        cut = bevel
        corners = [(x - cut, -y), (x, -y + cut), (x, y - cut), (x - cut, y)]
        corners += [(-x + cut, y), (-x, y - cut), (-x, -y + cut), (-x + cut, -y)]
        rings.append(np.array([(cx, cy, h) for cx, cy in corners]))
    return _closed(rings, tone)


def cast_body(outline: Reals, thickness: float, rounding: float, low_mm: float = 0.0) -> Body:
    """An outline cast in a mould of two halves: thickest inside, rounding off within `rounding` mm of its edge.

    What lies below `low_mm` has the second tone.
    """
    corner = outline.min(0) - 2 * _CAST_STEP_MM
    wide, high = np.ceil((outline.max(0) - corner) / _CAST_STEP_MM + 3).astype(int)
    fine = 8
    mask = np.zeros((int(high) * fine, int(wide) * fine), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - corner) / _CAST_STEP_MM * fine).astype(np.int32)], 255)
    away = cv2.distanceTransform(mask, cv2.DIST_L2, 5) * _CAST_STEP_MM / fine
    away = away[fine // 2 :: fine, fine // 2 :: fine]
    inside = away > 0
    share = np.clip(away / max(rounding, 0.5), 0, 1)
    lift = np.maximum(thickness / 2 * np.sqrt(1 - (1 - share) ** 2), 0.05)
    rows, columns = np.nonzero(inside)
    number = np.full(inside.shape, -1)
    number[rows, columns] = np.arange(len(rows))
    flat = np.column_stack([columns + 0.5, rows + 0.5]) * _CAST_STEP_MM + corner
    front = np.column_stack([flat[:, 0], -lift[rows, columns], flat[:, 1]])
    back = front * [1, -1, 1]
    quads = (number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1])
    whole = np.min(quads, axis=0) >= 0
    upper = np.column_stack([quad[whole] for quad in quads])
    faces = [tuple(face) for face in upper.tolist()]
    faces += [tuple(index + len(front) for index in reversed(face)) for face in upper.tolist()]
    edges: dict[tuple[int, int], int] = {}
    for face in upper.tolist():
        for start, end in zip(face, face[1:] + face[:1], strict=True):
            edges[start, end] = 1
    rim = [(start, end) for start, end in edges if (end, start) not in edges]
    faces += [(end, start, start + len(front), end + len(front)) for start, end in rim]
    points = np.vstack([front, back])
    tones = [SECOND if points[list(face), 2].mean() < low_mm else FIRST for face in faces]
    return make_body(points, faces, tones)


def leaf_body(length: float, width: float, rise: float, droop: float, thickness: float, tone: int = FIRST) -> Body:
    """A bent leaf that springs from the origin along x, as wide as told in its middle, with a point."""
    t = np.linspace(0, 1, 7)
    x, z = length * t, rise * t * 2 - (rise + droop) * t**2
    half = width / 2 * np.clip(np.sin(np.pi * np.clip(0.12 + 0.88 * t, 0, 0.985)), 0.04, 1)
    ridge = 0.25 * half
    left = np.column_stack([x, half, z - ridge])
    right = np.column_stack([x, -half, z - ridge])
    spine = np.column_stack([x, 0 * x, z])
    under = spine - [0, 0, thickness]
    points = np.vstack([left, spine, right, under])
    count = len(t)
    faces: list[tuple[int, ...]] = []
    for i in range(count - 1):
        a, b, c, d = i, count + i, 2 * count + i, 3 * count + i
        faces += [(a, b, b + 1, a + 1), (b, c, c + 1, b + 1), (c, d, d + 1, c + 1), (d, a, a + 1, d + 1)]
    return Body(points, tuple(faces), (tone,) * len(faces))


def _quad_skin(corners: Reals, step: float) -> Reals:
    a, b, c, d = corners if len(corners) == 4 else (*corners, corners[2])
    across = max(int(np.ceil(max(np.linalg.norm(b - a), np.linalg.norm(c - d)) / step)), 1)
    along = max(int(np.ceil(max(np.linalg.norm(d - a), np.linalg.norm(c - b)) / step)), 1)
    s = ((np.arange(across) + 0.5) / across)[:, None, None]
    t = ((np.arange(along) + 0.5) / along)[None, :, None]
    skin = (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d
    return np.asarray(skin.reshape(-1, 3), np.float64)


def _flat_skin(corners: Reals, step: float) -> Reals:
    """Points inside a flat polygon of any shape that lies square to one of the axes."""
    normal = int(np.argmin(np.ptp(corners, axis=0)))
    flat = np.delete(corners, normal, axis=1)
    low = flat.min(0)
    wide, high = np.ceil(np.ptp(flat, axis=0) / step).astype(int) + 1
    mask = np.zeros((int(high), int(wide)), np.uint8)
    cv2.fillPoly(mask, [np.round((flat - low) / step * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    rows, columns = np.nonzero(mask)
    inside = np.column_stack([columns, rows]) * step + low
    return np.asarray(np.insert(inside, normal, corners[:, normal].mean(), axis=1), np.float64)


def skin(body: Body, step: float) -> Reals:
    """Points (n, 3) all over a body's faces, about `step` mm apart."""
    parts = []
    for face in body.faces:
        corners = body.points[list(face)]
        parts.append(_quad_skin(corners, step) if len(face) <= 4 else _flat_skin(corners, step))
    return np.vstack(parts)
