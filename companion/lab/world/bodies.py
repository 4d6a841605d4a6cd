"""Solid bodies as meshes, of some material: pieces cut out of a board, coins and mugs turned on a lathe, blocks.

A body stands on its foot: x along its width, y along its depth, z up, in mm, the middle of the foot at (0, 0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.lab.rendering.camera import turned
from companion.lab.rendering.carving import Reals
from companion.lab.rendering.pieces import MEEPLE, Cut, Finish, LinearColour, PieceSet
from companion.lab.rendering.solids import outward, vertex_normals

FACE, LOWER, SIDE = 0, 1, 2
"""Materials of a mesh's face: the paint, the lower paint of a piece in two tones, the sawn side."""

_ROUND = (0.0, 30.0, 60.0, 90.0)
"""Degrees round a bevel at which it has a ring of points."""

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
    """The body turned by that many degrees about its upright axis, then moved."""
    return replace(body, points=turned(body.points, turn) + [x, y, z])


def _inward(outline: Reals) -> tuple[Reals, Reals]:
    """Of the points of an outline (anticlockwise) the unit normals inwards, and how far there is room that way.

    That is the radius of the largest circle that touches the outline at the point from inside and holds no other.
    """
    vertex = -vertex_normals(outward(outline))
    apart = outline[None] - outline[:, None]
    ahead = np.einsum("ijk,ik->ij", apart, vertex)
    square = (apart**2).sum(2)
    radius = np.where(ahead > 1e-6, square / np.maximum(2 * ahead, 1e-9), np.inf).min(1)
    return vertex, radius


def _inset(outline: Reals, by: float) -> Reals:
    """An outline (anticlockwise) drawn in by that many mm, less where it is too slim for that."""
    inward, room = _inward(outline)
    return np.asarray(outline + np.minimum(by, 0.7 * room)[:, None] * inward, np.float64)


def _walls(rings: int, sides: int) -> list[tuple[int, ...]]:
    """The faces between rings of that many points, one upon another."""
    return [
        (ring * sides + i, ring * sides + (i + 1) % sides, (ring + 1) * sides + (i + 1) % sides, (ring + 1) * sides + i)
        for ring in range(rings - 1)
        for i in range(sides)
    ]


def _closed(rings: Sequence[Reals], side: int = FACE) -> Body:
    """Rings of points one upon another, closed at both ends; `side` is the tone of the faces between them."""
    sides, count = len(rings[0]), len(rings)
    last = (count - 1) * sides
    faces = [tuple(range(sides - 1, -1, -1)), tuple(range(last, last + sides)), *_walls(count, sides)]
    return make_body(np.vstack(rings), faces, [FACE, FACE] + [side] * (len(faces) - 2))


def cut_body(outline: Reals, thickness: float, bevel: float, low_mm: float | None = None) -> Body:
    """An outline (n, 2; x and up) sawn out of a board so thick, its edges rounded by `bevel` mm.

    What lies below `low_mm` is in the lower tone.
    """
    area = np.sum(outline[:, 0] * np.roll(outline[:, 1], -1) - np.roll(outline[:, 0], -1) * outline[:, 1])
    outline = outline[::-1] if area < 0 else outline
    bevel = min(bevel, 0.45 * thickness)
    angles = np.radians(_ROUND)
    steps = [(bevel * (1 - np.sin(a)), bevel * (1 - np.cos(a)) - thickness / 2) for a in angles]
    steps += [(inset, -depth) for inset, depth in reversed(steps)]
    rings = [np.insert(_inset(outline, inset), 1, depth, axis=1) for inset, depth in steps]
    body = _closed(rings, SIDE)
    return body if low_mm is None else _two_toned(body, float(low_mm - outline[:, 1].min()))


def _two_toned(body: Body, line: float) -> Body:
    """A sawn body with what lies below a height in the lower tone; its caps get a second skin there."""
    tones = [FACE, FACE]
    tones += [LOWER if body.points[list(face), 2].max() <= line + 0.3 else SIDE for face in body.faces[2:]]
    faces, points, first = list(body.faces), [body.points], len(body.points)
    for cap in body.faces[:2]:
        part = _below(body.points[list(cap)], line)
        if len(part) >= 3:
            out = np.sign(part[:, 1].mean()) * _SKIN_MM
            points.append(part + [0, out, 0])
            faces.append(tuple(range(first, first + len(part))))
            tones.append(LOWER)
            first += len(part)
    return Body(np.vstack(points), tuple(faces), tuple(tones))


def _below(ring: Reals, line: float) -> Reals:
    """The part of a flat ring of points (n, 3) that lies below a height (Sutherland and Hodgman)."""
    clipped: list[Reals] = []
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if start[2] <= line:
            clipped.append(start)
        if (start[2] <= line) != (end[2] <= line):
            clipped.append(start + (end - start) * (line - start[2]) / (end[2] - start[2]))
    return np.array(clipped).reshape(-1, 3)


def turned_body(profile: Sequence[tuple[float, float]], sides: int = 20) -> Body:
    """A profile of (radius, height) in mm, from the foot up, turned on a lathe."""
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = [
        np.column_stack([r * np.cos(turn), r * np.sin(turn), np.full(sides, h)])
        for r, h in ((max(r, 0.02), h) for r, h in profile)
    ]
    return _closed(rings)


def block_body(width: float, depth: float, height: float, bevel: float = 0.4) -> Body:
    """A block with rounded edges all round but at its foot."""
    rings = []
    steps = [(0.0, 0.0), (0.0, height - bevel), (0.3 * bevel, height - 0.3 * bevel), (bevel, height)]
    for inset, h in steps:
        x, y = width / 2 - inset, depth / 2 - inset
        cut = bevel
        corners = [(x - cut, -y), (x, -y + cut), (x, y - cut), (x - cut, y)]
        corners += [(-x + cut, y), (-x, y - cut), (-x, -y + cut), (-x + cut, -y)]
        rings.append(np.array([(cx, cy, h) for cx, cy in corners]))
    return _closed(rings)


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


@dataclass(frozen=True, slots=True)
class Material:
    """What a kind of piece is made of.

    `roughness` 0 mirrors and 1 is matt; `metallic` 0 or 1; `coat` is a clear lacquer, 0 to 1; `grain` how much the
    wood shows through, 0 to 1; `pores` how rough the wood feels; `lower` and `side` (linear BGR) as in `Finish`.
    """

    roughness: float
    metallic: float
    coat: float
    grain: float
    pores: float
    lower: LinearColour | None = None
    side: LinearColour | None = None


@dataclass(frozen=True, slots=True)
class BodySet:
    """Bodies and materials by kind of piece."""

    bodies: Mapping[str, Body]
    materials: Mapping[str, Material]


def body_set(box: PieceSet, rng: np.random.Generator) -> BodySet:
    """The pieces of a box as bodies, their edges rubbed rounder or less, and what they are made of."""
    worn = float(rng.uniform(0.7, 1.8))
    bodies = {kind: _body(cut, box.finishes[kind], worn) for kind, cut in box.cuts.items()}
    materials = {kind: _material(finish, kind, rng) for kind, finish in box.finishes.items()}
    return BodySet(bodies, materials)


def _body(cut: Cut, finish: Finish, worn: float) -> Body:
    two_toned = finish.lower is not None and cut.low is not None and bool(cut.low.any())
    return cut_body(
        cut.outline, cut.thickness, worn * cut.bevel, float(cut.outline[cut.low, 1].max()) if two_toned else None
    )


def _material(finish: Finish, kind: str, rng: np.random.Generator) -> Material:
    """Metal where highlights are stronger than lacquer's, wood where its grain shows, else plastic."""
    if finish.gloss > 1 and kind != MEEPLE and rng.random() < 0.5:
        return Material(float(rng.uniform(0.18, 0.5)), 1.0, 0.0, 0.0, 0.0, finish.lower, finish.side)
    matt = float(np.clip(0.75 - 0.5 * finish.gloss + rng.normal(0, 0.06), 0.12, 0.85))
    coat = float(np.clip(finish.gloss * rng.uniform(0, 0.8), 0, 0.9))
    pores = float(rng.uniform(0.1, 0.8)) if finish.grain > 0.02 else 0.0
    return Material(matt, 0.0, coat, finish.grain, pores, finish.lower, finish.side)
