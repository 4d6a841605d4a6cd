"""Path-traced photos with their truth, as files that training and `companion accuracy` take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.lab.rendering.photo import develop
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Floats, Image
from companion.lab.rendering.tile_art import standard_art
from companion.lab.rendering.truth import Truth, store_photo, truth_document
from companion.lab.training.dataset import TRACED, make_example, save_example
from companion.lab.world.catalogue import HELD_OUT, TRAINING, is_ordinary, subject_of
from companion.lab.world.geometry import scene_truth, scene_view
from companion.lab.world.scenes import WorldScene, draw_scene

Tracer = Callable[[WorldScene, Art], Floats]
"""What makes linear light (BGR float32) of a scene and tile art."""

_LOW_DEG, _HIGH_DEG = 45.0, 72.0
"""Photos from lower than the one are taken sitting, from higher than the other from above."""

_PHONE_SALT = 3

OWN_ART_SHARE = 0.35
"""Share of frames that show the project's own tile art where there is outside art."""


@dataclass(frozen=True, slots=True)
class FrameSettings:
    """What the frames of a folder have in common.

    `world` they are from, outside tile art (None for our own alone), `width` of the longer side in px.
    """

    world: str
    art: Art | None
    width: int


def shows_own_art(scene: WorldScene, settings: FrameSettings) -> bool:
    """Whether a scene's tiles show the project's own art."""
    return settings.art is None or scene.own_art < OWN_ART_SHARE


def make_frame(scene: WorldScene, settings: FrameSettings, tracer: Tracer) -> tuple[Image, Truth]:
    """The finished photo (BGR uint8) of a scene, and its truth."""
    light = tracer(scene, standard_art() if settings.art is None or shows_own_art(scene, settings) else settings.art)
    rng = np.random.default_rng((scene.seed, _PHONE_SALT))
    return develop(light, scene_view(scene), scene.scene.look, rng), scene_truth(scene)


def frame_document(scene: WorldScene, truth: Truth, settings: FrameSettings) -> dict[str, object]:
    """A frame's truth as plain numbers and texts: what `truth.truth_document` tells, and how it was drawn."""
    elevation = scene.scene.camera.elevation
    subject = subject_of(scene.seed) if scene.world == HELD_OUT else TRAINING
    place = "seated" if elevation < _LOW_DEG else "above" if elevation > _HIGH_DEG else "standing"
    return {
        "scenario": f"{'ordinary' if is_ordinary(scene.seed) else 'traced'}-{subject}-{place}",
        "seed": scene.seed,
        "world": scene.world,
        "families": dict(scene.families),
        "own_art": shows_own_art(scene, settings),
        "elevation_deg": round(elevation, 1),
        **truth_document(truth),
    }


def frame_photo(scene: WorldScene, settings: FrameSettings, tracer: Tracer) -> tuple[Image, dict[str, object]]:
    """The finished photo (BGR uint8) of a scene, and the document beside it."""
    picture, truth = make_frame(scene, settings, tracer)
    return picture, frame_document(scene, truth, settings)


def write_frames(folder: Path, seeds: Sequence[int], settings: FrameSettings, tracer: Tracer) -> Iterator[Path]:
    """Render a frame for each seed into a folder, skipping those already there; gives the paths as they are done.

    Training frames are examples (`traced_NNNNNNN.npz`, what `train` reads); held-out ones are photos with their truth
    beside them (`.jpg` and `.json`, what `companion accuracy` reads). Each is written beside its place and
    renamed: a run that was broken off leaves none half written and can simply be started again.
    """
    as_photo = settings.world == HELD_OUT
    for seed in seeds:
        path = folder / f"{TRACED}{seed:07d}{'.json' if as_photo else '.npz'}"
        if not path.exists():
            scene = draw_scene(seed, settings.world, settings.width)
            if as_photo:
                store_photo(folder, path.stem, *frame_photo(scene, settings, tracer))
            else:
                save_example(path, make_example(*make_frame(scene, settings, tracer)))
        yield path
