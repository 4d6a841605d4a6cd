"""The signs that tell what a tile does, in several hands: palm, house, cards for coins, elders for a djinn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.tiles.numerals import Lettering, ring, set_figures, soft
from companion.lab.tiles.sketch import Colour, Points, Sketch, toned
from companion.rules.model.components import TileAction

_INK: Colour = (30, 38, 52)
_WHITE: Colour = (242, 246, 248)
_GOLD: Colour = (60, 170, 220)

Sign = Callable[[Sketch, float, float, float, TileAction], None]
"""Draws an action's sign around a place; the last number is half the height that it may take."""


def _at(points: list[tuple[float, float]], x: float, y: float, size: float) -> Points:
    return np.asarray(points, np.float64) * size + [x, y]


def coin_sign(sketch: Sketch, x: float, y: float, size: float, number: int) -> None:
    """A coin with a price."""
    sketch.polygon(ring(x, y, size, 24), _GOLD, _INK, 0.003)
    sketch.polygon(ring(x, y, 0.76 * size, 24), toned(_GOLD, 0.85), None)
    set_figures(
        sketch, str(number), (x, y), 1.05 * size, Lettering("felt-pen", 1.0, 0.0, 1.0), _WHITE, toned(_GOLD, 0.35)
    )


def _pips(sketch: Sketch, x: float, y: float, size: float, action: TileAction) -> None:
    """As few lines as will do: what people draw who print a game at home."""
    if action is TileAction.OASIS:
        sketch.line([(x, y + size), (x, y - 0.2 * size)], _INK, 0.014)
        for turn in (-1.0, -0.35, 0.35, 1.0):
            sketch.line([(x, y - 0.2 * size), (x + size * np.sin(turn), y - size * np.cos(turn))], _INK, 0.012)
    elif action is TileAction.VILLAGE:
        outline = _at([(-0.7, 0.9), (-0.7, 0), (0, -0.8), (0.7, 0), (0.7, 0.9), (-0.7, 0.9)], x, y, size)
        sketch.line(outline, _INK, 0.014)
    elif action is TileAction.SACRED_PLACE:
        sketch.polygon(ring(x, y, size, 10, inner=0.45 * size), _INK, None)
    else:
        pips, bars = (3, 1) if action is TileAction.SMALL_MARKET else (6, 2)
        for pip in range(pips):
            px, py = x + (pip % 3 - 2.0) * 0.55 * size, y + (pip // 3 - (pips // 3 - 1) / 2) * 0.8 * size
            sketch.polygon(ring(px, py, 0.2 * size, 12), _INK, None)
        for bar in range(bars):
            left = x + (0.6 + 0.55 * bar) * size
            sketch.polygon(_at([(0, -0.8), (0.32, -0.8), (0.32, 0.8), (0, 0.8)], left, y, size), _INK, None)


def _emblems(sketch: Sketch, x: float, y: float, size: float, action: TileAction) -> None:
    """Rounder and brighter, as in a picture book."""
    if action is TileAction.OASIS:
        sketch.polygon(soft(_at([(-0.15, 1), (0.2, 1), (0.1, 0), (-0.1, 0)], x, y, size)), (60, 100, 150), None)
        for dx, dy in ((-0.5, -0.1), (0.5, -0.1), (0, -0.6), (-0.35, -0.5), (0.35, -0.5)):
            sketch.polygon(ring(x + dx * size, y + dy * size, 0.38 * size, 20), (60, 160, 60), None)
    elif action is TileAction.VILLAGE:
        for dx, tall in ((-0.75, 0.5), (0.0, 0.9), (0.75, 0.6)):
            wall = _at([(-0.32, 0.9), (-0.32, -tall), (0.32, -tall), (0.32, 0.9)], x + dx * size, y, size)
            sketch.polygon(wall, (150, 190, 220), _INK, 0.004)
            roof = _at([(-0.42, -tall), (0, -tall - 0.4), (0.42, -tall)], x + dx * size, y, size)
            sketch.polygon(roof, (50, 80, 200), _INK, 0.004)
    elif action is TileAction.SACRED_PLACE:
        sketch.polygon(ring(x, y + 0.25 * size, 0.7 * size, 24), (190, 90, 150), _INK, 0.004)
        sketch.polygon(ring(x, y - 0.7 * size, 0.3 * size, 20), (230, 190, 90), _INK, 0.004)
        sketch.line([(x - 0.9 * size, y + 0.95 * size), (x + 0.9 * size, y + 0.95 * size)], _INK, 0.012)
    else:
        price, bags = (3, 1) if action is TileAction.SMALL_MARKET else (6, 2)
        for number in range(bags):
            bx = x + (0.25 + 0.95 * number) * size
            half = [(-0.5, 0.9), (-0.45, -0.1), (-0.15, -0.5)]
            bag = _at([*half, *((-px, py) for px, py in reversed(half))], bx, y, size)
            sketch.polygon(soft(bag), (90, 140, 190), _INK, 0.004)
        coin_sign(sketch, x - 0.95 * size, y, 0.6 * size, price)


SYMBOLS: Mapping[str, Sign] = {"pips": _pips, "emblems": _emblems}
"""Sets of signs by family."""


def _cloud(x: float, y: float, r: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    far = 1 + 0.1 * np.abs(np.sin(4.5 * turn))
    return np.column_stack([x + 1.65 * r * far * np.cos(turn), y + 1.1 * r * far * np.sin(turn)])


def _swallowtail(x: float, y: float, r: float) -> Points:
    return np.array([[-2.1, -1], [2.1, -1], [1.7, 0], [2.1, 1], [-2.1, 1], [-1.7, 0]]) * r + [x, y]


BADGES: Mapping[str, Callable[[float, float, float], Points]] = {"cloud": _cloud, "swallowtail": _swallowtail}
"""Outlines that the signs stand in, by family."""

INKS: Mapping[str, Colour] = {"white": (240, 244, 246), "sand": (150, 190, 214)}
"""What badges are filled with, by family."""


def action_badge(
    sketch: Sketch, action: TileAction, place: tuple[float, float], size: float, badge: str, symbols: str, inks: str
) -> None:
    """The sign of an action on its badge around a place; `size` is half the badge's height."""
    outline, fill = BADGES[badge], INKS[inks]
    sketch.polygon(outline(*place, 1.12 * size), (222, 234, 240), _INK, 0.003)
    sketch.polygon(outline(*place, size), fill, toned(fill, 0.6), 0.004)
    SYMBOLS[symbols](sketch, *place, 0.78 * size, action)
