"""Scenes of the path-traced worlds, drawn at random from families, with what is easily confused side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion.lab.rendering.boards import CROWDED, FILLINGS, GREEN_PALMS, SAND_PALMS, confusing_board, random_board
from companion.lab.rendering.camera import whole
from companion.lab.rendering.lighting import within
from companion.lab.rendering.profiles import PROFILES, Profile
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import Light, Look, Scene
from companion.lab.world.bodies import BodySet, body_set
from companion.lab.world.catalogue import HELD_OUT, TRAINING, check_seeds, draw_families, is_ordinary
from companion.lab.world.lamps import Lighting, draw_lighting
from companion.lab.world.poses import Pose, draw_poses
from companion.rules.model.board import Board

PROFILE: Profile = replace(
    PROFILES["train"],
    elevation=(30, 90),
    share=(0.82, 0.99),
    extras=5,
    spares=6,
    gap=3.0,
    tilt=2.5,
    lying=(0.0, 0.85),
    crowded=0.0,
)
"""Where tiles, pieces and cameras of these scenes may be; their light, look and pieces are drawn by families."""

ORDINARY: Profile = replace(PROFILE, elevation=(40, 90), share=(0.72, 0.98), extras=3, spares=3, lying=(0.0, 0.5))
"""Where they are on tables as games leave them (`catalogue.is_ordinary`), photographed as people do."""

_FILLED = (0.15, 0.5, 0.35)
"""Shares of boards as full as at the start, in the middle and at the end."""

_UNTIDY, _UNTIDY_ORDINARY = (0.0, 0.5), (0.0, 0.15)
"""Of how many pieces another is touched, leant on or lain on."""

_CROWDED, _CONFUSING = 0.5, 0.35
"""Shares of boards full of crowds, and of those on which what looks alike is put together."""

_SALTS = {TRAINING: 61_001, HELD_OUT: 61_002}


@dataclass(frozen=True, slots=True)
class WorldScene:
    """A table to be path-traced.

    `scene` has board, tiles, camera and what lies about; `poses` the pieces, in the order of `scene.pieces`, and
    `box` their bodies; `families` what was drawn; `printing_seed` how the tiles' printing turned out; `linen` how rough
    the tiles are.
    """

    scene: Scene
    box: BodySet
    poses: tuple[Pose, ...]
    lighting: Lighting
    families: Mapping[str, str]
    size: tuple[int, int]
    seed: int
    world: str
    printing_seed: int
    linen: float
    own_art: float


def _board(rng: np.random.Generator, *, ordinary: bool, usual: bool) -> Board:
    crowded = not ordinary and rng.random() < _CROWDED
    board = random_board(CROWDED if crowded else str(rng.choice(FILLINGS, p=_FILLED)), rng)
    return confusing_board(board, rng, SAND_PALMS if usual else GREEN_PALMS) if rng.random() < _CONFUSING else board


def draw_look(lighting: Lighting, rng: np.random.Generator) -> Look:
    """What a phone makes of it: most of the lamps' tint is taken away, seldom all, now and then none."""
    gains = np.asarray(lighting.tint) ** -rng.uniform(0.35 if rng.random() < 0.25 else 0.65, 1.05)
    gains = gains * np.exp(rng.normal(0, 0.04, 3))
    return Look(
        exposure=within((0.12, 0.4), rng),
        spared=within((0.95, 0.995), rng),
        balance=(float(gains[0]), float(gains[1]), float(gains[2])),
        contrast=float(np.clip(rng.normal(1.1, 0.16), 0.75, 1.5)),
        saturation=float(np.clip(rng.normal(1.05, 0.16), 0.55, 1.5)),
        vignette=within((0, 0.4), rng),
        blur_px=within((0.2, 1.1), rng),
        motion_px=within((1, 3.5), rng) if rng.random() < 0.15 else 0.0,
        motion_angle=within((0, 180), rng),
        noise=within((0.002, 0.025), rng),
        sharpen=within((0, 0.9), rng),
        quality=int(rng.integers(58, 97)),
    )


def _size(azimuth_deg: float, width: int, rng: np.random.Generator) -> tuple[int, int]:
    """Upright for a board seen from its end, as people hold their phones, and seldom otherwise."""
    from_its_end = abs(np.sin(np.radians(azimuth_deg))) > 0.71
    upright = rng.random() < (0.7 if from_its_end else 0.1)
    return (width * 3 // 4, width) if upright else (width, width * 3 // 4)


def draw_scene(seed: int, world: str = TRAINING, width: int = 1280, board: Board | None = None) -> WorldScene:
    """The scene of a seed of a world (`TRAINING` or `HELD_OUT`), the longer side of its picture `width` px.

    The same seed always gives the same scene, on a given `board` or one of its own. Raises UnusableInputError for a
    seed that is not that world's.
    """
    check_seeds(world, seed, 1)
    rng = np.random.default_rng((_SALTS[world], seed))
    drawn = draw_families(world, seed, rng)
    ordinary = is_ordinary(seed)
    profile = replace(ORDINARY if ordinary else PROFILE, tables=(drawn["table"],), pieces=drawn["pieces"])
    own = _board(rng, ordinary=ordinary, usual=drawn["pieces"] == "box")
    board = own if board is None else board
    scene = sample_scene(rng, board, profile)
    box = body_set(scene.box, rng)
    lighting = draw_lighting(drawn["lamp"], scene.camera, rng)
    light = Light((), lighting.tint, within((0, 1), rng))
    size = _size(scene.camera.azimuth, width, rng)
    camera = whole(scene.camera, size)
    scene = replace(scene, camera=camera, light=light, look=draw_look(lighting, rng))
    untidy = within(_UNTIDY_ORDINARY if ordinary else _UNTIDY, rng)
    poses = draw_poses(scene.pieces, [box.bodies[piece.kind] for piece in scene.pieces], untidy, rng)
    return WorldScene(
        scene=replace(scene, pieces=tuple(pose.piece for pose in poses)),
        box=box,
        poses=poses,
        lighting=lighting,
        families=drawn,
        size=size,
        seed=seed,
        world=world,
        printing_seed=int(rng.integers(1 << 31)),
        linen=within((0, 1), rng),
        own_art=float(rng.random()),
    )
