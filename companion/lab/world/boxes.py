"""The pieces of one copy of the game as solid bodies of some material, out of the plain renderer's `PieceSet`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.lab.rendering.pieces import MEEPLE, Cut, Finish, LinearColour, PieceSet
from companion.lab.world.bodies import Body, cut_body


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
