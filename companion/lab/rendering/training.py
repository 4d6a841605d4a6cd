"""Random pictures with their truth, to train and test a reader on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.lab.rendering.camera import whole
from companion.lab.rendering.profiles import PROFILES, Profile
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Image
from companion.lab.rendering.truth import Truth


def training_example(
    rng: np.random.Generator,
    art: Art | None = None,
    size: tuple[int, int] = (1500, 1125),
    profile: str | Profile = "train",
) -> tuple[Image, Truth]:
    """A random picture (BGR uint8) of `size` (width, height) px, and its truth.

    `art` gives the pictures of the tiles by the code of their kind ("O8": [square BGR uint8, ...]); None
    takes our own. `profile` is a profile or the name of one of `profiles.PROFILES`. The same state of the
    generator gives the same picture.
    """
    limits = PROFILES[profile] if isinstance(profile, str) else profile
    scene = sample_scene(rng, profile=limits)
    if limits.whole:
        scene = replace(scene, camera=whole(scene.camera, size))
    return render(scene, rng, size, art)
