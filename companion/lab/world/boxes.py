"""The pieces of one copy of the game as bodies: shapes, paints and materials of the drawn families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.lab.rendering.pieces import PIECE_KINDS, Cut, Finish, PieceSet
from companion.lab.world.bodies import Body
from companion.lab.world.paints import Material, draw_materials, draw_paints
from companion.lab.world.shapes import SHAPES


@dataclass(frozen=True, slots=True)
class BodySet:
    """Bodies and materials by kind, and `plain`: their footprints and paints as the plain renderer knows them."""

    bodies: Mapping[str, Body]
    materials: Mapping[str, Material]
    plain: PieceSet


def footprint(size: tuple[float, float, float]) -> Cut:
    """A block as large as a body (width, depth and height in mm), to find room for it."""
    width, depth, height = size
    outline = np.array([[-width / 2, 0], [width / 2, 0], [width / 2, height], [-width / 2, height]])
    return Cut(outline, depth, 0.0)


def draw_box(drawn: Mapping[str, str], palace_tones: Sequence[str], rng: np.random.Generator) -> BodySet:
    """The pieces of a copy of the game; `drawn` has the families by what they are of.

    A palace's second tone is of one of the families `palace_tones`.
    """
    bodies = {kind: SHAPES[kind][drawn[kind]](rng) for kind in PIECE_KINDS}
    materials = draw_materials(drawn, palace_tones, rng)
    finishes = {kind: Finish(made.second, made.coat, made.grain) for kind, made in materials.items()}
    cuts = {kind: footprint(body.size) for kind, body in bodies.items()}
    return BodySet(bodies, materials, PieceSet(cuts, draw_paints(drawn, rng), finishes))
