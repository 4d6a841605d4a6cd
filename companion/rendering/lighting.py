"""The light of scenes, drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import cos, pi, radians, sin

import numpy as np

from companion.rendering.camera import BOARD_MM, Camera
from companion.rendering.profiles import Profile, Range
from companion.rendering.scene import Lamp, Light


def within(limits: Range, rng: np.random.Generator) -> float:
    """A number at random between two limits."""
    return float(rng.uniform(*limits))


def kelvin_colour(kelvin: float) -> tuple[float, float, float]:
    """Linear BGR of a lamp of that temperature, its green being 1 (6000 K is about white)."""
    warmth = float(np.log(6000 / kelvin))
    return float(np.exp(-1.35 * warmth)), 1.0, float(np.exp(0.62 * warmth))


def _lamp(profile: Profile, camera: Camera, strength: float, rng: np.random.Generator) -> Lamp:
    height = radians(within(profile.height, rng))
    around = within((0, 2 * pi), rng)
    if rng.random() < profile.glare:
        # Where a mirror in place of the board would show the lamp.
        height = radians(min(camera.elevation + within((-8, 8), rng), 89))
        around = pi / 2 - radians(camera.azimuth) - pi + within((-0.15, 0.15), rng)
    place = _around(around, height, within((700, 2200), rng))
    return Lamp(place, within(profile.radius, rng), kelvin_colour(within(profile.kelvin, rng)), strength)


def _lamps_anywhere(profile: Profile, camera: Camera, rng: np.random.Generator) -> Light:
    number = int(rng.integers(1, profile.lamps + 1))
    shares = rng.dirichlet([2.0] * number)
    ambient = within(profile.ambient, rng)
    lamps = tuple(_lamp(profile, camera, float(share) * (1 - ambient), rng) for share in shares)
    blue, green, red = np.asarray(kelvin_colour(within((3500, 7500), rng))) * ambient
    return Light(lamps, (float(blue), float(green), float(red)), within(profile.gloss, rng))


def _around(across: float, height: float, away: float) -> tuple[float, float, float]:
    """A place in mm, so far from the board's middle, in a direction and at a height above it in radians."""
    flat = away * cos(height)
    return BOARD_MM[0] / 2 + flat * cos(across), BOARD_MM[1] / 2 + flat * sin(across), away * sin(height)


def _window(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """A large window or soft-box at one side: panes of one light in a row."""
    panes = int(rng.integers(2, 4))
    middle, height = within((0, 2 * pi), rng), radians(within((25, 50), rng))
    colour = kelvin_colour(within((5500, 9000), rng))
    return [
        Lamp(_around(middle + 0.35 * (pane - (panes - 1) / 2), height, 1500), 450, colour, 1 / panes)
        for pane in range(panes)
    ]


def _evening(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """Two warm lamps over the table, and the last cold daylight from one side."""
    warm = kelvin_colour(within(profile.kelvin, rng) * 0.45 + 1500)
    start = within((0, 2 * pi), rng)
    lamps = [Lamp(_around(start + turn, radians(within((50, 70), rng)), 900), 60, warm, 0.36) for turn in (0, pi)]
    cold = kelvin_colour(within((8500, 11000), rng))
    return [*lamps, Lamp(_around(start + 1.5, radians(20), 2500), 600, cold, 0.28)]


def _track(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """A row of small bright spots on a rail, one beside the other."""
    colour = kelvin_colour(within(profile.kelvin, rng))
    turn, height = within((0, 2 * pi), rng), within((900, 1400), rng)
    aside = within((-500, 500), rng)
    middle = np.array([BOARD_MM[0] / 2 - aside * sin(turn), BOARD_MM[1] / 2 + aside * cos(turn)])
    return [
        Lamp((float(x), float(y), height), 12, colour, 0.25)
        for x, y in (middle + step * np.array([cos(turn), sin(turn)]) for step in (-540, -180, 180, 540))
    ]


def _rooms(profile: Profile, camera: Camera, rng: np.random.Generator) -> Light:
    """The light of one of three rooms; a glaring one has a lamp mirrored in the tiles besides."""
    ambient = within(profile.ambient, rng)
    lamps = (_window, _evening, _track)[int(rng.integers(3))](profile, rng)
    if rng.random() < profile.glare:
        shining = _lamp(profile, camera, 0.5, rng)
        lamps = [replace(lamp, strength=0.5 * lamp.strength) for lamp in lamps[:2]] + [shining]
    total = sum(lamp.strength for lamp in lamps)
    lamps = [replace(lamp, strength=(1 - ambient) * lamp.strength / total) for lamp in lamps]
    blue, green, red = np.asarray(kelvin_colour(within((3500, 7500), rng))) * ambient
    return Light(tuple(lamps), (float(blue), float(green), float(red)), within(profile.gloss, rng))


LIGHTINGS: Mapping[str, Callable[[Profile, Camera, np.random.Generator], Light]] = {
    "lamps": _lamps_anywhere,
    "rooms": _rooms,
}
"""Ways to draw the light of a scene, by name."""
