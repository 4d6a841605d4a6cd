"""Families of light: bulbs, windows, spots, sun and what is mirrored of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import pi, radians

import numpy as np

from companion.lab.rendering.camera import BOARD_MM, Camera
from companion.lab.rendering.lighting import around, kelvin_colour, within

BULB, PANEL, SPOT, SUN = "bulb", "panel", "spot", "sun"
"""Forms of lamps: a ball, a rectangle that faces the board, a beam, parallel light."""

Bgr = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class LampBody:
    """A lamp at a place (x, y, h) in mm that points at the board.

    `size` in mm is a ball's or beam's radius twice, or a panel's two sides; for a sun its width in degrees, twice.
    `share` is how much it gives of all the light on the middle of the board; `colour` is linear BGR.
    """

    form: str
    place: tuple[float, float, float]
    size: tuple[float, float]
    colour: Bgr
    share: float


@dataclass(frozen=True, slots=True)
class Lighting:
    """The lamps of a scene, the share and colour of the light from everywhere, and how unevenly that comes.

    `walls` are colours (linear BGR) of what stands round the table and throws light back, an empty one for none.
    """

    lamps: tuple[LampBody, ...]
    ambient: float
    ambient_colour: Bgr
    uneven: float
    walls: tuple[Bgr, ...] = ()

    @property
    def tint(self) -> Bgr:
        """The colour of all light together on the middle of the board."""
        total = np.asarray(self.ambient_colour) * self.ambient
        for lamp in self.lamps:
            total = total + np.asarray(lamp.colour) * lamp.share
        blue, green, red = total / max(float(total[1]), 1e-6)
        return float(blue), float(green), float(red)


Lamps = list[LampBody]


def _turn(rng: np.random.Generator) -> float:
    return within((0, 2 * pi), rng)


def _one_bulb(rng: np.random.Generator) -> Lamps:
    radius = within((8, 120), rng)
    place = around(_turn(rng), within((25, 88), rng), within((600, 1900), rng))
    return [LampBody(BULB, place, (radius, radius), kelvin_colour(within((2500, 4500), rng)), 1)]


def _bulbs(rng: np.random.Generator) -> Lamps:
    """Two to four bulbs, as of a chandelier or of lamps about a room."""
    count, kelvin = int(rng.integers(2, 5)), within((2500, 6500), rng)
    start, near = _turn(rng), rng.random() < 0.5
    lamps = []
    for k in range(count):
        turn = start + (within((-0.5, 0.5), rng) if near else 2 * pi * k / count + within((-0.6, 0.6), rng))
        place = around(turn, within((30, 85), rng), within((700, 2200), rng))
        own = kelvin if rng.random() < 0.7 else within((2500, 8000), rng)
        lamps.append(LampBody(BULB, place, (within((15, 100), rng),) * 2, kelvin_colour(own), within((0.4, 1), rng)))
    return lamps


def _window(rng: np.random.Generator) -> Lamps:
    """Daylight from a window at one side, perhaps a lamp besides."""
    place = around(_turn(rng), within((14, 48), rng), within((900, 2600), rng))
    size = (within((500, 1600), rng), within((700, 1700), rng))
    lamps = [LampBody(PANEL, place, size, kelvin_colour(within((5000, 8000), rng)), 1)]
    if rng.random() < 0.4:
        lamps += [replace(lamp, share=within((0.1, 0.8), rng)) for lamp in _one_bulb(rng)]
    return lamps


def _shade(rng: np.random.Generator) -> Lamps:
    """A lamp with a shade over the table: a beam with a soft edge."""
    place = around(_turn(rng), within((55, 90), rng), within((500, 1200), rng))
    radius = within((25, 160), rng)
    return [LampBody(SPOT, place, (radius, radius), kelvin_colour(within((2500, 5000), rng)), 1)]


def _spots(rng: np.random.Generator) -> Lamps:
    """Small spots in the ceiling: several hard shadows of everything."""
    colour, step = kelvin_colour(within((2700, 5500), rng)), within((500, 1000), rng)
    height, dx, dy = within((1300, 2000), rng), within((-400, 400), rng), within((-400, 400), rng)
    places = [
        (BOARD_MM[0] / 2 + dx + i * step, BOARD_MM[1] / 2 + dy + j * step, height) for i in (-1, 0, 1) for j in (0, 1)
    ]
    chosen = rng.permutation(len(places))[: int(rng.integers(2, 6))]
    return [LampBody(BULB, places[int(k)], (within((15, 45), rng),) * 2, colour, within((0.5, 1), rng)) for k in chosen]


def _sunlight(rng: np.random.Generator) -> Lamps:
    """Sun through a pane or outdoors: one hard shadow, blue in the shade."""
    colour = kelvin_colour(within((4200, 6000), rng))
    return [LampBody(SUN, around(_turn(rng), within((22, 75), rng), 3000), (within((0.5, 3), rng),) * 2, colour, 1)]


def _overcast(rng: np.random.Generator) -> Lamps:
    """Light from nearly everywhere: hardly a shadow."""
    place = around(_turn(rng), within((50, 90), rng), within((1500, 2500), rng))
    size = (within((1500, 2600), rng), within((1500, 2600), rng))
    return [LampBody(PANEL, place, size, kelvin_colour(within((5200, 8000), rng)), 1)]


def _ceiling(rng: np.random.Generator) -> Lamps:
    """A round or square light at the ceiling."""
    side = within((220, 700), rng)
    place = around(_turn(rng), within((60, 90), rng), within((1200, 2000), rng))
    return [LampBody(PANEL, place, (side, side * within((0.7, 1.4), rng)), kelvin_colour(within((2700, 6500), rng)), 1)]


def _tube(rng: np.random.Generator) -> Lamps:
    """A long tube under the ceiling."""
    place = around(_turn(rng), within((55, 88), rng), within((1200, 1900), rng))
    return [LampBody(PANEL, place, (within((1100, 1500), rng), 45), kelvin_colour(within((3800, 5600), rng)), 1)]


def _parlour(rng: np.random.Generator) -> Lamps:
    """A standing lamp at one side and the cold glow of a screen from another."""
    start = _turn(rng)
    lamp = around(start, within((26, 50), rng), within((900, 1500), rng))
    screen = around(start + within((1.8, 4.4), rng), within((14, 26), rng), 1800)
    warm = kelvin_colour(within((2500, 3200), rng))
    return [
        LampBody(BULB, lamp, (130, 130), warm, 0.75),
        LampBody(PANEL, screen, (1100, 620), kelvin_colour(8000), 0.25),
    ]


def _candles(rng: np.random.Generator) -> Lamps:
    """Candles and small lamps on the table itself: very long shadows."""
    start = _turn(rng)
    return [
        LampBody(
            BULB,
            around(start + within((-1, 1), rng) + 2 * k, within((14, 24), rng), within((480, 800), rng)),
            (18, 18),
            kelvin_colour(2500),
            0.5,
        )
        for k in range(2)
    ]


LAMPS: Mapping[str, Callable[[np.random.Generator], Lamps]] = {
    "bulb": _one_bulb,
    "bulbs": _bulbs,
    "window": _window,
    "shade": _shade,
    "spots": _spots,
    "sun": _sunlight,
    "overcast": _overcast,
    "ceiling": _ceiling,
    "tube": _tube,
    "parlour": _parlour,
    "candles": _candles,
}
"""Makers of the lamps of a scene by family."""

_GLARE = 0.22
"""Share of scenes in which a lamp stands where the tiles mirror it."""


def _mirrored(lamp: LampBody, camera: Camera, rng: np.random.Generator) -> LampBody:
    """The lamp where a mirror in place of the board would show it, or nearly."""
    away = float(np.linalg.norm(np.asarray(lamp.place) - [BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0]))
    height = min(camera.elevation + within((-9, 9), rng), 89)
    return replace(lamp, place=around(-pi / 2 - radians(camera.azimuth) + within((-0.25, 0.25), rng), height, away))


def draw_lighting(family: str, camera: Camera, rng: np.random.Generator) -> Lighting:
    """The light of a scene of that family; all shares together are 1."""
    lamps = LAMPS[family](rng)
    if rng.random() < _GLARE:
        lamps = [_mirrored(lamps[0], camera, rng), *lamps[1:]]
    least = 0.45 if family == "overcast" else 0.06
    ambient = within((least, max(0.55, least + 0.3)), rng)
    total = sum(lamp.share for lamp in lamps)
    lamps = [replace(lamp, share=lamp.share / total * (1 - ambient)) for lamp in lamps]
    sky = kelvin_colour(within((6500, 8000), rng)) if family == "sun" else kelvin_colour(within((2800, 7500), rng))
    count = int(rng.integers(0, 4))
    walls = [tuple(float(v) for v in rng.uniform(0.02, 0.8, 3) ** 1.3) for _ in range(count)]
    return Lighting(tuple(lamps), ambient, sky, within((0, 1), rng), tuple((b, g, r) for b, g, r in walls))
