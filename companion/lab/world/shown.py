"""The photo from which an owner's pieces are learnt: a row of them beside the sultanate, path-traced.

The pieces are those of the box of a scene of that seed, under other light, on another day: so that what is learnt here
can be tried there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.lab.rendering.lighting import within
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import Light
from companion.lab.rendering.shown_row import empty_board, row_in_view, shown_row
from companion.lab.world.catalogue import HELD_OUT, TRAINING, families
from companion.lab.world.lamps import draw_lighting
from companion.lab.world.poses import Pose
from companion.lab.world.scenes import PROFILE, WorldScene, draw_look, draw_scene

_SALTS = {TRAINING: 61_011, HELD_OUT: 61_012}


def shown_scene(seed: int, world: str = TRAINING, width: int = 1280) -> WorldScene:
    """The row of pieces of the scene of that seed, the longer side of the picture `width` px.

    The same seed always gives the same scene. Raises UnusableInputError for a seed that is not that world's.
    """
    owner = draw_scene(seed, world, width)
    rng = np.random.default_rng((_SALTS[world], seed))
    lamps = families(world)["lamp"]
    profile = replace(
        PROFILE, elevation=(50, 80), azimuth=(-14, 14), extras=0, spares=0, tables=("wood", "cloth", "plain")
    )
    scene = sample_scene(rng, empty_board(rng), profile, owner.boxes[0].plain)
    pieces = shown_row(rng)
    size = (width, width * 3 // 4)
    camera = row_in_view(scene.camera, size)
    lighting = draw_lighting(lamps[int(rng.integers(len(lamps)))], camera, rng)
    light = Light((), lighting.tint, within((0, 1), rng))
    poses = tuple(Pose(piece) for piece in pieces)
    return replace(
        owner,
        scene=replace(scene, camera=camera, light=light, look=draw_look(lighting, rng), pieces=pieces),
        poses=poses,
        box_numbers=(0,) * len(poses),
        lighting=lighting,
        size=size,
        printing_seed=int(rng.integers(1 << 31)),
        linen=within((0, 1), rng),
        own_art=float(rng.random()),
    )
