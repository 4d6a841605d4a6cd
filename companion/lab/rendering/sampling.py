"""Scenes at random, drawn from named profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.boards import BARE, CROWDED, FILLINGS, SAND_PALMS, confusing_board, random_board
from companion.lab.rendering.camera import BOARD_MM, TILE_MM, Camera
from companion.lab.rendering.foreign import foreign_piece_set
from companion.lab.rendering.lighting import LIGHTINGS, within
from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, PieceSet, make_piece_set
from companion.lab.rendering.placing import Footprint, Habit, place_pieces, place_spare
from companion.lab.rendering.profiles import PROFILES, Profile
from companion.lab.rendering.scene import Extra, Light, Look, PlacedPiece, PlacedTile, Scene, Tabletop
from companion.lab.rendering.varied import varied_piece_set
from companion.rules.model.board import COLUMNS, Board
from companion.rules.model.components import COLOUR_BY_LETTER, TRIBE_LETTERS

PIECE_SETS: Mapping[str, Callable[[np.random.Generator], PieceSet]] = {
    "box": make_piece_set,
    "varied": varied_piece_set,
    "foreign": foreign_piece_set,
}
"""Ways to draw the pieces of a copy of the game, by name."""


def _look(profile: Profile, light: Light, rng: np.random.Generator) -> Look:
    # The phone takes most of the lamps' tint away, seldom all of it.
    tint = np.asarray(light.ambient) + sum(lamp.strength * np.asarray(lamp.colour) for lamp in light.lamps)
    gains = (tint / tint[1]) ** -rng.uniform(0.55, 1.05) * np.exp(rng.normal(0, 0.04, 3))
    return Look(
        exposure=within(profile.exposure, rng),
        balance=(float(gains[0]), float(gains[1]), float(gains[2])),
        contrast=float(np.clip(rng.normal(1.05, 0.1), 0.8, 1.35)),
        saturation=float(np.clip(rng.normal(1.03, 0.12), 0.65, 1.4)),
        vignette=within(profile.vignette, rng),
        blur_px=within(profile.blur, rng),
        motion_px=within((1, 4), rng) if rng.random() < profile.motion else 0.0,
        motion_angle=within((0, 180), rng),
        noise=within(profile.noise, rng),
        sharpen=within((0, 0.8), rng),
        quality=int(rng.integers(60, 97)),
        spared=within(profile.spared, rng) if profile.spared[1] > profile.spared[0] else profile.spared[0],
    )


def _camera(profile: Profile, rng: np.random.Generator) -> Camera:
    share = within(profile.share, rng)
    slack = (1 - share) / 2
    return Camera(
        elevation=within(profile.elevation, rng),
        azimuth=within(profile.azimuth, rng),
        roll=within(profile.roll, rng),
        lens_mm=within(profile.lens, rng) if rng.random() < profile.tele else within((24, 29), rng),
        share=share,
        place=(0.5 + slack * within((-0.8, 0.8), rng), 0.5 + slack * within((-0.8, 0.8), rng)),
        barrel=within(profile.barrel, rng) if rng.random() < 0.5 else 0.0,
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


def _spares(box: PieceSet, most: int, taken: list[Footprint], rng: np.random.Generator) -> list[PlacedPiece]:
    """Pieces beside the sultanate: meeples and camels kept in front of players, palms and palaces."""
    spares = []
    for _ in range(int(rng.integers(0, most + 1))):
        kind = str(rng.choice([MEEPLE, CAMEL, PALM, PALACE], p=(0.45, 0.35, 0.1, 0.1)))
        letters = {MEEPLE: list(TRIBE_LETTERS), CAMEL: list(COLOUR_BY_LETTER)}.get(kind, [""])
        colour = letters[int(rng.integers(len(letters)))]
        spare = place_spare(kind, colour, box, taken, _beside(rng, 20), rng)
        if spare is not None:
            spares.append(spare)
    return spares


def _board(profile: Profile, rng: np.random.Generator) -> Board:
    if profile.company > 0 and rng.random() < profile.company:
        # Later on there are palms, palaces and camels to be taken for meeples.
        return confusing_board(random_board(str(rng.choice(FILLINGS[1:])), rng), rng, SAND_PALMS)
    return random_board(_filling(profile, rng), rng)


def _filling(profile: Profile, rng: np.random.Generator) -> str:
    """How full a board is, for `random_board`."""
    if profile.bare > 0 and rng.random() < profile.bare:
        return BARE
    if profile.crowded > 0 and rng.random() < profile.crowded:
        return CROWDED
    return str(rng.choice(FILLINGS, p=(0.25, 0.5, 0.25)))


def sample_scene(
    rng: np.random.Generator,
    board: Board | None = None,
    profile: str | Profile = "train",
) -> Scene:
    """A scene drawn at random from a profile or the one of `PROFILES` of that name, on that board or a random one.

    Raises KeyError if there is no such profile.
    """
    limits = PROFILES[profile] if isinstance(profile, str) else profile
    if board is None:
        board = _board(limits, rng)
    box = PIECE_SETS[limits.pieces](rng)
    camera = _camera(limits, rng)
    light = LIGHTINGS[limits.lighting](limits, camera, rng)
    tiles = _tiles(board, limits, rng)
    taken: list[Footprint] = []
    lying, reach = within(limits.lying, rng), within(limits.reach, rng)
    habit = Habit(lying, reach, within(limits.tight, rng) if limits.tight[1] > 0 else 0.0)
    pieces: list[PlacedPiece] = []
    for tile, placed in zip(board, tiles, strict=True):
        pieces += place_pieces(tile, placed, box, taken, habit, rng)
    extras = [_extra(rng) for _ in range(int(rng.integers(0, limits.extras + 1)))]
    for extra in extras:
        half = max(extra.size[0], extra.size[1]) / 2
        taken.append(Footprint(extra.x, extra.y, 1.0, 0.0, half, half))
    table = Tabletop(
        kind=str(rng.choice(limits.tables)),
        seed=int(rng.integers(1 << 31)),
        width_mm=float(rng.uniform(350, 900)),
        angle=float(rng.uniform(0, 360)),
        gloss=float(rng.uniform(0, 0.25)),
    )
    look = _look(limits, light, rng)
    pieces += _spares(box, limits.spares, taken, rng)
    return Scene(board, box, tiles, tuple(pieces), tuple(extras), table, camera, light, look)
