"""The light of scenes, drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import cos, pi, radians, sin

import numpy as np

from companion.lab.rendering.camera import BOARD_MM, Camera
from companion.lab.rendering.profiles import Profile, Range
from companion.lab.rendering.scene import Lamp, Light


def within(limits: Range, rng: np.random.Generator) -> float:
    """A number at random between two limits."""
    return float(rng.uniform(*limits))


def kelvin_colour(kelvin: float) -> tuple[float, float, float]:
    """Linear BGR of a lamp of that temperature, its green being 1 (6000 K is about white)."""
    log_ratio = float(np.log(6000 / kelvin))
    return float(np.exp(-1.35 * log_ratio)), 1.0, float(np.exp(0.62 * log_ratio))


def _lamp(profile: Profile, camera: Camera, strength: float, rng: np.random.Generator) -> Lamp:
    height = within(profile.height, rng)
    turn = within((0, 2 * pi), rng)
    if rng.random() < profile.glare:
        # Where a mirror in place of the board would show the lamp.
        height = min(camera.elevation + within((-8, 8), rng), 89)
        turn = pi / 2 - radians(camera.azimuth) - pi + within((-0.15, 0.15), rng)
    place = around(turn, height, within((700, 2200), rng))
    return Lamp(place, within(profile.radius, rng), kelvin_colour(within(profile.kelvin, rng)), strength)


def _lamps_anywhere(profile: Profile, camera: Camera, rng: np.random.Generator) -> Light:
    number = int(rng.integers(1, profile.lamps + 1))
    shares = rng.dirichlet([2.0] * number)
    ambient = within(profile.ambient, rng)
    lamps = tuple(_lamp(profile, camera, float(share) * (1 - ambient), rng) for share in shares)
    blue, green, red = np.asarray(kelvin_colour(within((3500, 7500), rng))) * ambient
    return Light(lamps, (float(blue), float(green), float(red)), within(profile.gloss, rng))


def around(turn: float, height_deg: float, away: float) -> tuple[float, float, float]:
    """A place in mm so far from the board's middle, in a direction in radians, that many degrees above the table."""
    flat = away * cos(radians(height_deg))
    return BOARD_MM[0] / 2 + flat * cos(turn), BOARD_MM[1] / 2 + flat * sin(turn), away * sin(radians(height_deg))


def _tube(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """A long tube under the ceiling, in five pieces."""
    colour = kelvin_colour(within((3800, 5600), rng))
    turn, height = within((0, 2 * pi), rng), within((1300, 1900), rng)
    aside = within((-600, 600), rng)
    x, y = BOARD_MM[0] / 2 - aside * sin(turn), BOARD_MM[1] / 2 + aside * cos(turn)
    return [
        Lamp((x + step * cos(turn), y + step * sin(turn), height), 110, colour, 0.2)
        for step in (-480, -240, 0, 240, 480)
    ]


def _parlour(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """A standing lamp at one corner, a weak light at the ceiling, and the cold glow of a screen from elsewhere."""
    warm, start = kelvin_colour(within(profile.kelvin, rng) * 0.3 + 1900), within((0, 2 * pi), rng)
    screen = start + within((1.8, 4.4), rng)
    return [
        Lamp(around(start, within((28, 48), rng), 1300), 130, warm, 0.56),
        Lamp(around(start + 2, 80, 1700), 200, warm, 0.34),
        Lamp(around(screen, within((15, 25), rng), 1800), 350, kelvin_colour(8000), 0.1),
    ]


def _terrace(profile: Profile, rng: np.random.Generator) -> list[Lamp]:
    """Outdoors: a sun with hard shadows, and a wide bright part of the sky."""
    start = within((0, 2 * pi), rng)
    sun = Lamp(around(start, within((30, 60), rng), 6000), 45, kelvin_colour(within((4300, 5600), rng)), 0.6)
    sky = Lamp(around(start + within((2, 4), rng), 60, 2500), 900, kelvin_colour(8000), 0.4)
    return [sun, sky]


def _places(profile: Profile, camera: Camera, rng: np.random.Generator) -> Light:
    """The light of one of three places; a glaring one has a lamp mirrored in the tiles besides."""
    ambient = within(profile.ambient, rng)
    lamps = (_tube, _parlour, _terrace)[int(rng.integers(3))](profile, rng)
    if rng.random() < profile.glare:
        shining = _lamp(profile, camera, 0.5, rng)
        lamps = [replace(lamp, strength=0.5 * lamp.strength) for lamp in lamps] + [shining]
    total = sum(lamp.strength for lamp in lamps)
    lamps = [replace(lamp, strength=(1 - ambient) * lamp.strength / total) for lamp in lamps]
    blue, green, red = np.asarray(kelvin_colour(within((3500, 7500), rng))) * ambient
    return Light(tuple(lamps), (float(blue), float(green), float(red)), within(profile.gloss, rng))


LIGHTINGS: Mapping[str, Callable[[Profile, Camera, np.random.Generator], Light]] = {
    "lamps": _lamps_anywhere,
    "places": _places,
}
"""Ways to draw the light of a scene, by name."""
