"""Scenes at random, drawn from named profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

import numpy as np

from companion.rendering.boards import CROWDED, FILLINGS, random_board
from companion.rendering.camera import BOARD_MM, TILE_MM, Camera
from companion.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, make_box
from companion.rendering.placing import Foot, Habit, place_pieces, place_spare
from companion.rendering.scene import Extra, Lamp, Light, Look, PlacedPiece, PlacedTile, Scene, Table
from companion.rendering.varied import varied_box
from companion.rules.board import COLUMNS, Board
from companion.rules.components import COLOUR_BY_LETTER, TRIBE_LETTERS

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Profile:
    """Ranges that a scene is drawn from.

    `elevation`, `azimuth`, `roll` in degrees; `share` of the frame; `lamps` at most; `height` of the lamps
    above the board in degrees, their `radius` in mm; `kelvin` of their light; `ambient` its share;
    `exposure` linear; `noise`; `blur` in px at 1500 px; `motion` the chance of a shaken picture; `gloss` of
    tiles; `extras` and `spares` at most; `tilt` of tiles and `gap` in degrees and mm; `lying` the share of
    meeples; `reach` from a tile's middle at which feet stand at most, in tile sides; `turned` the chance that
    tiles lie turned by quarters; `tables` the kinds of table tops; `glare` the chance that a lamp is mirrored
    in the tiles; `spared` the share of the picture that the exposure spares; `tight` the share of tiles whose
    pieces are pushed together; `varied` whether the pieces differ much more widely than boxes of the game do;
    `crowded` the chance of a board full of crowds and heaps.
    """

    elevation: Range = (60, 82)
    azimuth: Range = (-20, 20)
    roll: Range = (-3, 3)
    lens: Range = (24, 52)
    share: Range = (0.72, 0.93)
    lamps: int = 2
    height: Range = (35, 75)
    radius: Range = (30, 250)
    kelvin: Range = (2900, 6500)
    ambient: Range = (0.25, 0.5)
    exposure: Range = (0.2, 0.32)
    noise: Range = (0.004, 0.014)
    blur: Range = (0.35, 0.8)
    motion: float = 0.1
    gloss: Range = (0.03, 0.15)
    extras: int = 3
    spares: int = 4
    tilt: float = 0.8
    gap: float = 0.8
    lying: Range = (0.05, 0.4)
    reach: Range = (0.34, 0.4)
    turned: float = 0.0
    tables: tuple[str, ...] = ("wood", "wood", "cloth", "cloth", "plain")
    glare: float = 0.0
    spared: Range = (0.95, 0.95)
    tight: Range = (0.0, 0.0)
    varied: bool = False
    crowded: float = 0.0


PROFILES: Mapping[str, Profile] = {
    "table": Profile(),
    "topdown": Profile(elevation=(85, 90), share=(0.8, 0.97)),
    "seated": Profile(elevation=(40, 58), azimuth=(-35, 35), lens=(24, 30)),
    "turned": Profile(azimuth=(90, 330), share=(0.65, 0.9)),
    "dim": Profile(exposure=(0.07, 0.13), noise=(0.015, 0.035), kelvin=(2300, 3200), lamps=1, ambient=(0.2, 0.35)),
    "glare": Profile(gloss=(0.5, 1.0), radius=(30, 120), height=(55, 85), glare=1.0),
    "clutter": Profile(extras=14, spares=10),
    "train": Profile(
        elevation=(40, 90),
        azimuth=(0, 360),
        roll=(-6, 6),
        share=(0.52, 0.96),
        height=(20, 85),
        radius=(5, 400),
        kelvin=(2500, 8000),
        ambient=(0.15, 0.65),
        exposure=(0.09, 0.38),
        noise=(0.002, 0.03),
        blur=(0.2, 1.5),
        motion=0.3,
        gloss=(0.0, 0.7),
        extras=9,
        spares=8,
        tilt=2.0,
        gap=2.5,
        lying=(0.0, 0.9),
        reach=(0.33, 0.44),
        spared=(0.95, 0.99),
        tight=(0.0, 1.0),
        varied=True,
        crowded=0.6,
        turned=0.15,
        tables=("wood", "wood", "cloth", "plain", "pattern", "blobs"),
        glare=0.25,
    ),
}
"""Profiles by name; "train" is the widest."""


def _within(limits: Range, rng: np.random.Generator) -> float:
    return float(rng.uniform(*limits))


def kelvin_colour(kelvin: float) -> tuple[float, float, float]:
    """Linear BGR of a lamp of that temperature, its green being 1 (6000 K is about white)."""
    warmth = float(np.log(6000 / kelvin))
    return float(np.exp(-1.35 * warmth)), 1.0, float(np.exp(0.62 * warmth))


def _lamp(profile: Profile, camera: Camera, strength: float, rng: np.random.Generator) -> Lamp:
    height = radians(_within(profile.height, rng))
    around = _within((0, 2 * pi), rng)
    if rng.random() < profile.glare:
        # Where a mirror in place of the board would show the lamp.
        height = radians(min(camera.elevation + _within((-8, 8), rng), 89))
        around = pi / 2 - radians(camera.azimuth) - pi + _within((-0.15, 0.15), rng)
    away = _within((700, 2200), rng)
    place = (
        BOARD_MM[0] / 2 + away * cos(height) * cos(around),
        BOARD_MM[1] / 2 + away * cos(height) * sin(around),
        away * sin(height),
    )
    return Lamp(place, _within(profile.radius, rng), kelvin_colour(_within(profile.kelvin, rng)), strength)


def _light(profile: Profile, camera: Camera, rng: np.random.Generator) -> Light:
    number = int(rng.integers(1, profile.lamps + 1))
    shares = rng.dirichlet([2.0] * number)
    ambient = _within(profile.ambient, rng)
    lamps = tuple(_lamp(profile, camera, float(share) * (1 - ambient), rng) for share in shares)
    blue, green, red = np.asarray(kelvin_colour(_within((3500, 7500), rng))) * ambient
    return Light(lamps, (float(blue), float(green), float(red)), _within(profile.gloss, rng))


def _look(profile: Profile, light: Light, rng: np.random.Generator) -> Look:
    # The phone takes most of the lamps' tint away, seldom all of it.
    tint = np.asarray(light.ambient) + sum(lamp.strength * np.asarray(lamp.colour) for lamp in light.lamps)
    gains = (tint / tint[1]) ** -rng.uniform(0.55, 1.05) * np.exp(rng.normal(0, 0.04, 3))
    return Look(
        exposure=_within(profile.exposure, rng),
        balance=(float(gains[0]), float(gains[1]), float(gains[2])),
        contrast=float(np.clip(rng.normal(1.05, 0.1), 0.8, 1.35)),
        saturation=float(np.clip(rng.normal(1.03, 0.12), 0.65, 1.4)),
        vignette=_within((0.0, 0.35), rng),
        blur_px=_within(profile.blur, rng),
        motion_px=_within((1, 4), rng) if rng.random() < profile.motion else 0.0,
        motion_angle=_within((0, 180), rng),
        noise=_within(profile.noise, rng),
        sharpen=_within((0, 0.8), rng),
        quality=int(rng.integers(60, 97)),
    )


def _camera(profile: Profile, rng: np.random.Generator) -> Camera:
    share = _within(profile.share, rng)
    slack = (1 - share) / 2
    return Camera(
        elevation=_within(profile.elevation, rng),
        azimuth=_within(profile.azimuth, rng),
        roll=_within(profile.roll, rng),
        lens_mm=_within(profile.lens, rng) if rng.random() < 0.35 else _within((24, 29), rng),
        share=share,
        place=(0.5 + slack * _within((-0.8, 0.8), rng), 0.5 + slack * _within((-0.8, 0.8), rng)),
        barrel=_within((-0.03, 0.012), rng) if rng.random() < 0.5 else 0.0,
    )


def _tiles(board: Board, profile: Profile, rng: np.random.Generator) -> tuple[PlacedTile, ...]:
    turned = rng.random() < profile.turned
    tilt, gap = rng.uniform(0, profile.tilt), rng.uniform(0, profile.gap)
    return tuple(
        PlacedTile(
            square=square,
            code=tile.kind.code,
            art=int(rng.integers(1 << 16)),
            x=float((square % COLUMNS + 0.5) * TILE_MM + rng.normal(0, gap / 2.5)),
            y=float((square // COLUMNS + 0.5) * TILE_MM + rng.normal(0, gap / 2.5)),
            tilt=float(rng.normal(0, tilt)),
            turn=int(rng.integers(4)) if turned else 0,
        )
        for square, tile in enumerate(board)
    )


def _beside(rng: np.random.Generator, margin: float) -> tuple[float, float]:
    """A spot beside the sultanate, at least `margin` mm from its edge."""
    width, height = BOARD_MM
    reach = margin + float(rng.gamma(1.5, 45))
    if rng.random() < 0.5:
        x = float(rng.uniform(-100, width + 100))
        return x, (-reach if rng.random() < 0.5 else height + reach)
    y = float(rng.uniform(-100, height + 100))
    return (-reach if rng.random() < 0.5 else width + reach), y


def _extra(rng: np.random.Generator) -> Extra:
    kind = str(rng.choice(["coin", "card", "mug", "block"], p=(0.45, 0.35, 0.06, 0.14)))
    red, green, blue = (float(v) for v in rng.uniform(30, 235, 3))
    if kind == "coin":
        diameter = float(rng.uniform(16, 24))
        size = (diameter, diameter, 2.0)
        gold = rng.random() < 0.6
        blue, green, red = (60.0, 160.0, 205.0) if gold else (178.0, 182.0, 186.0)
    elif kind == "card":
        size = (float(rng.uniform(42, 60)), float(rng.uniform(62, 88)), 0.8)
    elif kind == "mug":
        diameter = float(rng.uniform(70, 90))
        size = (diameter, diameter, float(rng.uniform(60, 100)))
    else:
        size = (float(rng.uniform(12, 70)), float(rng.uniform(12, 50)), float(rng.uniform(4, 35)))
    place = _beside(rng, max(size[0], size[1]) * 0.72 + 4 + (40 if kind == "mug" else 0))
    return Extra(kind, *place, float(rng.uniform(0, 360)), size, (blue, green, red))


def _spares(scene: Scene, most: int, taken: list[Foot], rng: np.random.Generator) -> list[PlacedPiece]:
    """Pieces beside the sultanate: meeples and camels kept in front of players, palms and palaces."""
    spares = []
    for _ in range(int(rng.integers(0, most + 1))):
        kind = str(rng.choice([MEEPLE, CAMEL, PALM, PALACE], p=(0.45, 0.35, 0.1, 0.1)))
        letters = {MEEPLE: list(TRIBE_LETTERS), CAMEL: list(COLOUR_BY_LETTER)}.get(kind, [""])
        colour = letters[int(rng.integers(len(letters)))]
        spare = place_spare(kind, colour, scene.box, taken, _beside(rng, 20), rng)
        if spare is not None:
            spares.append(spare)
    return spares


def sample_scene(rng: np.random.Generator, board: Board | None = None, profile: str = "train") -> Scene:
    """A scene drawn at random from one of `PROFILES`, on that board or on a random one.

    Raises KeyError if there is no such profile.
    """
    limits = PROFILES[profile]
    if board is None:
        crowded = limits.crowded > 0 and rng.random() < limits.crowded
        board = random_board(CROWDED if crowded else str(rng.choice(FILLINGS, p=(0.25, 0.5, 0.25))), rng)
    box = varied_box(rng) if limits.varied else make_box(rng)
    camera = _camera(limits, rng)
    light = _light(limits, camera, rng)
    tiles = _tiles(board, limits, rng)
    taken: list[Foot] = []
    habit = Habit(_within(limits.lying, rng), _within(limits.reach, rng))
    if limits.tight[1] > 0:
        habit = replace(habit, tight=_within(limits.tight, rng))
    pieces: list[PlacedPiece] = []
    for tile, placed in zip(board, tiles, strict=True):
        pieces += place_pieces(tile, placed, box, taken, habit, rng)
    extras = [_extra(rng) for _ in range(int(rng.integers(0, limits.extras + 1)))]
    for extra in extras:
        half = max(extra.size[0], extra.size[1]) / 2
        taken.append(Foot(extra.x, extra.y, 1.0, 0.0, half, half))
    table = Table(
        kind=str(rng.choice(limits.tables)),
        seed=int(rng.integers(1 << 31)),
        width_mm=float(rng.uniform(350, 900)),
        angle=float(rng.uniform(0, 360)),
        gloss=float(rng.uniform(0, 0.25)),
    )
    look = _look(limits, light, rng)
    if limits.spared[1] > limits.spared[0]:
        look = replace(look, spared=_within(limits.spared, rng))
    scene = Scene(board, box, tiles, tuple(pieces), tuple(extras), table, camera, light, look)
    return replace(scene, pieces=(*pieces, *_spares(scene, limits.spares, taken, rng)))
