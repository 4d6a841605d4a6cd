"""Solid pieces: outlines cut out of a board, as faces in space, shaded and drawn back to front."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import View
from companion.lab.rendering.pieces import Cut, Finish, LinearColour, PieceSet
from companion.lab.rendering.scene import STANDING, Light, PlacedPiece
from companion.lab.rendering.textures import Floats

Reals = NDArray[np.float64]

_FINE = 2
"""Pieces are drawn this many times finer than the picture, then shrunk."""

_SHIFT = 4

METAL_GLOSS = 0.7
"""From here on what shines on a piece is metal, whose face mirrors the room in broad bands."""

_BANDS = 0.3
"""How much lighter and darker those bands are."""

_WOOD_GLOSS = 0.2
"""How much sides of bare wood shine at most."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A flat shape put up or laid down in space.

    `front` and `back` are the rims (n, 3) of its two faces in mm, `inner` the front face within the
    bevel; front is the face that the camera sees. `normal` points out of it. `paint` is linear BGR; the rim's points
    of the mask `low` (the trunks of palms in two tones) have the lower paint of the `finish`, if any.
    """

    front: Reals
    back: Reals
    inner: Reals
    normal: Reals
    side_normals: Reals
    paint: LinearColour
    finish: Finish
    low: NDArray[np.bool_]

    @property
    def rims(self) -> Reals:
        """The points of both rims, (2n, 3)."""
        return np.concatenate([self.front, self.back])


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a solid covers of a picture: the share `cover` (h, w) of the pixels of these rows and columns.

    `area` is all that it would cover in px if the picture went on beyond its edges.
    """

    rows: slice
    columns: slice
    cover: Floats
    area: float


def outward(outline: Reals) -> Reals:
    """Unit normals (n, 2) of the edges of an outline that goes round anticlockwise (y up)."""
    along = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    return np.asarray(normals / np.maximum(np.hypot(*normals.T), 1e-9)[:, None], np.float64)


def vertex_normals(normals: Reals) -> Reals:
    """Unit normals (n, 2) of the points of an outline, from those of its edges."""
    vertex = normals + np.roll(normals, 1, axis=0)
    return np.asarray(vertex / np.maximum(np.hypot(*vertex.T), 1e-9)[:, None], np.float64)


def _frame(angle: float, pose: str, lean: float) -> tuple[Reals, Reals, Reals]:
    """Directions in space of an outline's x and y and of its thickness."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    if pose == STANDING:
        up, out = np.cos(np.radians(lean)), np.sin(np.radians(lean))
        return np.array([c, s, 0]), np.array([-s * out, c * out, up]), np.array([-s * up, c * up, -out])
    return np.array([c, s, 0]), np.array([-s, c, 0]), np.array([0, 0, 1.0])


def build(
    cut: Cut,
    place: tuple[float, float, float],
    angle: float,
    pose: str,
    paint: LinearColour,
    finish: Finish,
    eye: Reals,
    lean: float = 0.0,
) -> Solid:
    """The solid of a cut at a place (x, y, h of its foot) as seen from `eye`.

    Lying pieces are centred on the place; standing ones have the middle of their foot there.
    """
    across, up, out = _frame(angle, pose, lean)
    outline = cut.outline if pose == STANDING else cut.outline - [0, np.ptp(cut.outline[:, 1]) / 2]
    centre = np.asarray(place, np.float64) + (0 if pose == STANDING else cut.thickness / 2) * out
    if pose == STANDING:
        # It leans on one edge of its foot.
        centre[2] += cut.thickness / 2 * abs(out[2])
    normals = outward(outline)
    inset = outline - cut.bevel * vertex_normals(normals)
    frame = np.stack([across, up])
    rim, inner = outline @ frame + centre, inset @ frame + centre
    if (eye - centre) @ out < 0:
        out = -out
    half = cut.thickness / 2
    return Solid(
        front=rim + (half - cut.bevel) * out,
        back=rim - half * out,
        inner=inner + half * out,
        normal=out,
        side_normals=normals @ frame,
        paint=paint,
        finish=finish,
        low=np.zeros(len(outline), np.bool_) if cut.low is None else cut.low,
    )


def piece_solid(piece: PlacedPiece, box: PieceSet, eye: Reals) -> Solid:
    """The solid of a placed piece, in its paint."""
    cut, finish, paint = box.cuts[piece.kind], box.finishes[piece.kind], box.paints[piece.kind, piece.colour]
    return build(cut, (piece.x, piece.y, 0.0), piece.angle, piece.pose, paint, finish, eye, piece.lean)


def shade(normals: Reals, at: Reals, light: Light, eye: Reals, gloss: float, free: Reals) -> tuple[Floats, Floats]:
    """Diffuse and mirrored light (n, 3) on faces with these unit normals at these places, both (n, 3).

    `free` is the share of each lamp's light that comes past other pieces.
    """
    # The sky is above, and a little light comes back from the table.
    diffuse = (0.62 + 0.38 * normals[:, 2:3]) * np.asarray(light.ambient)
    mirrored = np.zeros_like(diffuse)
    view = eye - at
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    for lamp, share in zip(light.lamps, free, strict=True):
        toward = np.asarray(lamp.place) - at
        toward /= np.linalg.norm(toward, axis=1, keepdims=True)
        facing = (normals * toward).sum(1, keepdims=True)
        colour = share * lamp.strength * np.asarray(lamp.colour)
        # Wrapped a little, as broad lamps reach round edges.
        wrap = min(lamp.radius / 1500, 0.2)
        upright = max(float(toward[:, 2].mean()), 0.3)
        diffuse = diffuse + np.clip((facing + wrap) / (1 + wrap), 0, None) / upright * colour
        halfway = toward + view
        halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
        sheen = np.clip((normals * halfway).sum(1, keepdims=True), 0, 1)
        mirrored = mirrored + gloss * (0.5 * sheen**24 + 0.8 * sheen**90) * colour * (facing > 0)
    return diffuse.astype(np.float32), mirrored.astype(np.float32)


def _quads(one: Reals, other: Reals) -> Reals:
    """Quads (n, 4, ...) between two rings of points (n, ...)."""
    return np.stack([one, np.roll(one, -1, axis=0), np.roll(other, -1, axis=0), other], axis=1)


def _contact(height: Reals) -> Floats:
    """How much darker faces are close to the ground, by height in mm (n,)."""
    return np.asarray(0.72 + 0.28 * np.clip(height / 7, 0, 1), np.float32)


def faces(solid: Solid, view: View, light: Light, free: Reals, rng: np.random.Generator) -> tuple[list[Reals], Floats]:
    """The faces that are seen, far ones first: their corners in straight px and their colours (n, 3), linear."""
    eye, finish = view.eye, solid.finish
    sides = _quads(solid.front, solid.back)
    middles = sides.mean(1)
    seen = ((eye - middles) * solid.side_normals).sum(1) > 0
    order = np.argsort(-np.linalg.norm(eye - middles, axis=1))
    order = order[seen[order]]
    bevels = _quads(solid.inner, solid.front)
    bevel_normals = solid.side_normals * 0.75 + solid.normal * 0.66
    bevel_normals /= np.linalg.norm(bevel_normals, axis=1, keepdims=True)
    normals = np.vstack([solid.side_normals[order], bevel_normals, solid.normal[None]])
    places = np.vstack([middles[order], bevels.mean(1), solid.inner.mean(0, keepdims=True)])
    diffuse, mirrored = shade(normals, places, light, eye, finish.gloss, free)
    count = len(solid.front)
    paint = np.broadcast_to(solid.paint, (len(normals), 3)).copy()
    if finish.side is not None:
        paint[: len(order)] = finish.side
        mirrored[: len(order)] *= min(1, _WOOD_GLOSS / max(finish.gloss, 1e-6))
    if finish.gloss >= METAL_GLOSS:
        # Metal gives back light in its own colour.
        mirrored[len(order) :] *= solid.paint / solid.paint.max()
    if finish.lower is not None:
        paint[np.concatenate([solid.low[order], solid.low, [False]])] = finish.lower
    streaks = 1 + finish.grain * rng.standard_normal((len(normals), 1), dtype=np.float32)
    # Worn edges are a little paler.
    streaks[len(order) : len(order) + count] += 0.08
    colours = paint * diffuse * streaks * _contact(places[:, 2])[:, None] + mirrored
    corners = view.straight(np.concatenate([sides[order], bevels]))
    polygons = list(corners)
    polygons.append(view.straight(solid.inner))
    return polygons, np.asarray(colours, np.float32)


def draw(
    picture: Floats, solid: Solid, view: View, light: Light, free: Reals, grain: Floats, rng: np.random.Generator
) -> Coverage | None:
    """Draw a solid into a linear BGR `picture` in place.

    `free` is the share of each lamp's light that reaches it; `grain` is a field of noise of deviation 1
    to take wood grain from. Returns None if nothing of it is in the picture.
    """
    polygons, colours = faces(solid, view, light, free, rng)
    points = np.concatenate(polygons)
    height, width = picture.shape[:2]
    left, top = np.floor(points.min(0)).astype(int) - 1
    right, bottom = np.ceil(points.max(0)).astype(int) + 2
    if right <= 0 or bottom <= 0 or left >= width or top >= height or right - left > 2 * width:
        return None
    layer = np.zeros(((bottom - top) * _FINE, (right - left) * _FINE, 4), np.float32)
    # Shrinking averages each block of fine pixels, whose centres lie half a pixel off their corner.
    fine = [np.round(((p - (left, top)) * _FINE - 0.5) * (1 << _SHIFT)).astype(np.int32) for p in polygons]
    for polygon, colour in zip(fine[:-1], colours[:-1].tolist(), strict=True):
        cv2.fillConvexPoly(layer, polygon, (*colour, 1.0), cv2.LINE_8, _SHIFT)
    cap = colours[-1].tolist()
    cv2.fillPoly(layer, [fine[-1]], (*cap, 1.0), cv2.LINE_8, _SHIFT)
    if solid.finish.gloss >= METAL_GLOSS:
        _add_bands(layer, fine[-1], rng)
    if solid.finish.lower is not None:
        _paint_lower(layer, solid, solid.finish.lower, fine[-1], cap)
    layer = np.asarray(cv2.resize(layer, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.float32)
    y, x = (int(rng.integers(0, max(grain.shape[axis] - layer.shape[axis], 1))) for axis in (0, 1))
    streaks = grain[y : y + layer.shape[0], x : x + layer.shape[1], None]
    layer[: streaks.shape[0], : streaks.shape[1], :3] *= 1 + 0.6 * solid.finish.grain * streaks
    rows, columns = slice(max(top, 0), min(bottom, height)), slice(max(left, 0), min(right, width))
    part = layer[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    cover = part[..., 3]
    target = picture[rows, columns]
    target *= (1 - cover)[..., None]
    target += part[..., :3]
    return Coverage(rows, columns, cover, float(layer[..., 3].sum()))


def _paint_lower(layer: Floats, solid: Solid, paint: LinearColour, cap: NDArray[np.int32], colour: list[float]) -> None:
    """Paint the lower part of a face in two tones."""
    part = cap[solid.low]
    if len(part) < 3:
        return
    lower = np.minimum(np.asarray(colour) / np.maximum(solid.paint, 1e-3), 3) * paint
    # Only within the face: what lies between two legs is no part of it.
    face, low = (np.zeros(layer.shape[:2], np.uint8) for _ in range(2))
    cv2.fillPoly(face, [cap], 255, cv2.LINE_8, _SHIFT)
    cv2.fillPoly(low, [cv2.convexHull(part)], 255, cv2.LINE_8, _SHIFT)
    layer[(face & low) > 0, :3] = lower


def _add_bands(layer: Floats, cap: NDArray[np.int32], rng: np.random.Generator) -> None:
    """Make a face of metal lighter and darker in bands that cross it."""
    face = np.zeros(layer.shape[:2], np.uint8)
    cv2.fillPoly(face, [cap], 1, cv2.LINE_8, _SHIFT)
    rows, columns = np.indices(face.shape, np.float32) / max(face.shape)
    way, start = rng.uniform(0, 2 * np.pi, 2)
    wave = np.sin(start + 2 * np.pi * rng.uniform(0.6, 1.6) * (columns * np.cos(way) + rows * np.sin(way)))
    layer[..., :3] *= (1 + _BANDS * face * wave).astype(np.float32)[..., None]
