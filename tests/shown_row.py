"""Photos of a row of pieces beside the sultanate, drawn by the plain renderer: for tests of `learn`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.lab.rendering.pieces import PieceSet
from companion.lab.rendering.profiles import Profile
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import Scene
from companion.lab.rendering.shown_row import empty_board, row_in_view, shown_row
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Image
from companion.lab.rendering.truth import Truth


def row_scene(rng: np.random.Generator, box: PieceSet, profile: Profile, size: tuple[int, int]) -> Scene:
    """A table of that profile: an empty sultanate and the row below it, seen from that side."""
    profile = replace(profile, azimuth=(-14, 14), extras=0, spares=0, turned=0.0)
    scene = sample_scene(rng, empty_board(rng), profile, box)
    scene = replace(scene, pieces=shown_row(rng))
    return replace(scene, camera=row_in_view(scene.camera, size))


def row_photo(
    rng: np.random.Generator, box: PieceSet, profile: Profile, size: tuple[int, int], art: Art | None = None
) -> tuple[Image, Truth]:
    """A picture (BGR) of `size` (width, height) px of a row of that box's pieces beside the sultanate, and its truth.

    The row's pieces come in the truth without a square, in the order of the row.
    """
    return render(row_scene(rng, box, profile, size), rng, size, art)
