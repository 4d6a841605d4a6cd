"""The signs that tell what a tile does, in several hands: palm, house, cards for coins, elders for a djinn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.sketch import Colour, Points, Sketch, smooth, toned
from companion.lab.rendering.tile_badges import MEEPLE_SHAPE
from companion.lab.tiles.numerals import Lettering, ring, set_figures, soft
from companion.lab.tiles.plates import SHAPES, wavy
from companion.rules.model.components import TileAction

_INK: Colour = (30, 38, 52)
_WHITE: Colour = (242, 246, 248)
_RED: Colour = (40, 56, 196)
_GOLD: Colour = (60, 170, 220)
_GREEN: Colour = (70, 130, 60)
_PLAIN = Lettering("sans-bold", 1.0, 0.0, 1.0)

Sign = Callable[[Sketch, float, float, float, TileAction], None]
"""Draws an action's sign around a place; the last number is half the height that it may take."""


def _at(points: list[tuple[float, float]], x: float, y: float, size: float) -> Points:
    return np.asarray(points, np.float64) * size + [x, y]


def palm_sign(sketch: Sketch, x: float, y: float, size: float, colour: Colour, leaves: int = 5) -> None:
    """A palm seen from its side."""
    trunk = [(-0.12, 1.0), (0.12, 1.0), (0.1, 0.2), (0.02, -0.3), (-0.08, -0.3), (-0.02, 0.2)]
    sketch.polygon(_at(trunk, x, y, size), toned(colour, 0.8), None)
    for turn in np.linspace(-1.25, 1.25, leaves):
        tip = np.array([np.sin(turn) * 0.95, -0.3 - 0.55 * np.cos(turn) + 0.3 * abs(np.sin(turn))])
        bow = np.array([np.sin(turn) * 0.55, -0.75 * np.cos(turn) - 0.32])
        leaf = np.array([(0.0, -0.3), bow, tip, bow * [0.8, 0.72] + [0, -0.02]])
        sketch.polygon(leaf * size + [x, y], colour, None)


def house_sign(sketch: Sketch, x: float, y: float, size: float, colour: Colour, domed: bool = False) -> None:
    """A house, under a dome or with a stepped roof."""
    body = [
        (-0.8, 0.9),
        (-0.8, -0.1),
        (-0.45, -0.1),
        (-0.45, -0.5),
        (0.45, -0.5),
        (0.45, -0.1),
        (0.8, -0.1),
        (0.8, 0.9),
    ]
    sketch.polygon(_at(body, x, y, size), colour, _INK, 0.003)
    if domed:
        half = np.linspace(0, np.pi, 14)
        dome = np.column_stack([-0.45 * np.cos(half), -0.5 - 0.55 * np.sin(half)])
        sketch.polygon(dome * size + [x, y], toned(colour, 1.15), _INK, 0.003)
    sketch.polygon(
        _at([(-0.18, 0.9), (-0.18, 0.35), (0, 0.15), (0.18, 0.35), (0.18, 0.9)], x, y, size), toned(colour, 0.3), None
    )


def arrow_sign(sketch: Sketch, x: float, y: float, size: float, colour: Colour = _RED) -> None:
    """An arrow: onto this tile."""
    shape = [(-0.8, -0.25), (0.1, -0.25), (0.1, -0.6), (0.8, 0.05), (0.1, 0.7), (0.1, 0.35), (-0.8, 0.35)]
    sketch.polygon(_at(shape, x, y, size), colour, _INK, 0.003)


def coin_sign(sketch: Sketch, x: float, y: float, size: float, number: int, family: str = "sans-bold") -> None:
    """A coin with a price."""
    sketch.polygon(ring(x, y, size, 24), _GOLD, _INK, 0.003)
    sketch.polygon(ring(x, y, 0.76 * size, 24), toned(_GOLD, 0.85), None)
    set_figures(sketch, str(number), (x, y), 1.05 * size, Lettering(family, 1.0, 0.0, 1.0), _WHITE, toned(_GOLD, 0.35))


def card_sign(sketch: Sketch, x: float, y: float, size: float, text: str, colour: Colour = _GREEN) -> None:
    """A card with a figure on it, or none."""
    shape = np.array([[-0.62, -0.95], [0.62, -0.95], [0.62, 0.95], [-0.62, 0.95]]) * size + [x, y]
    sketch.polygon(shape, colour, _WHITE, 0.006)
    if text:
        set_figures(sketch, text, (x, y), 1.0 * size, _PLAIN, _WHITE)


def lamp_sign(sketch: Sketch, x: float, y: float, size: float, colour: Colour) -> None:
    """An oil lamp."""
    body = [
        (-1.0, -0.25),
        (-0.35, -0.3),
        (0.0, -0.6),
        (0.3, -0.3),
        (0.7, -0.35),
        (1.1, -0.75),
        (1.0, -0.1),
        (0.45, 0.4),
        (0.15, 0.5),
        (0.4, 0.8),
        (-0.4, 0.8),
        (-0.15, 0.5),
        (-0.6, 0.35),
    ]
    sketch.polygon(_at(body, x, y, size), colour, _INK, 0.003)


def elder_sign(sketch: Sketch, x: float, y: float, size: float) -> None:
    """A white meeple."""
    sketch.polygon(MEEPLE_SHAPE * 2 * size + [x, y], _WHITE, _INK, 0.004)


def djinn_sign(sketch: Sketch, x: float, y: float, size: float, colour: Colour) -> None:
    """A djinn of smoke."""
    curl = [
        (0.1, 1.0),
        (-0.2, 0.5),
        (0.3, 0.2),
        (0.5, -0.2),
        (0.25, -0.6),
        (0.3, -1.0),
        (-0.1, -1.0),
        (-0.2, -0.6),
        (-0.6, -0.3),
        (-0.3, 0.1),
        (-0.5, 0.4),
    ]
    sketch.polygon(smooth(_at(curl, x, y, size), 2), colour, _INK, 0.003)


def _arrows(sketch: Sketch, x: float, y: float, size: float, action: TileAction) -> None:
    if action is TileAction.OASIS:
        palm_sign(sketch, x - 0.8 * size, y, 0.85 * size, (112, 136, 150))
        arrow_sign(sketch, x + 0.7 * size, y, 0.7 * size)
    elif action is TileAction.VILLAGE:
        house_sign(sketch, x - 0.8 * size, y, 0.8 * size, _GOLD)
        arrow_sign(sketch, x + 0.7 * size, y, 0.7 * size)
    elif action is TileAction.SACRED_PLACE:
        elder_sign(sketch, x - 1.1 * size, y, 0.7 * size)
        elder_sign(sketch, x - 0.35 * size, y - 0.15 * size, 0.45 * size)
        lamp_sign(sketch, x + 0.85 * size, y, 0.6 * size, (34, 44, 60))
    else:
        price, cards = (3, "1") if action is TileAction.SMALL_MARKET else (6, "2")
        coin_sign(sketch, x - 0.8 * size, y, 0.7 * size, price)
        card_sign(sketch, x + 0.8 * size, y, 0.85 * size, cards)


def _things(sketch: Sketch, x: float, y: float, size: float, action: TileAction) -> None:
    if action is TileAction.OASIS:
        palm_sign(sketch, x, y, size, (60, 120, 50), 7)
    elif action is TileAction.VILLAGE:
        house_sign(sketch, x, y, 0.9 * size, (120, 170, 210), domed=True)
    elif action is TileAction.SACRED_PLACE:
        lamp_sign(sketch, x, y + 0.1 * size, 0.95 * size, (50, 150, 200))
    elif action is TileAction.SMALL_MARKET:
        card_sign(sketch, x, y, size, "", (60, 90, 160))
    else:
        card_sign(sketch, x - 0.7 * size, y, 0.9 * size, "", (60, 90, 160))
        card_sign(sketch, x + 0.7 * size, y, 0.9 * size, "", (60, 90, 160))


def _prices(sketch: Sketch, x: float, y: float, size: float, action: TileAction) -> None:
    if action is TileAction.OASIS:
        palm_sign(sketch, x - 0.5 * size, y, 0.8 * size, (50, 100, 40))
        set_figures(sketch, "1", (x + 0.8 * size, y), 1.1 * size, _PLAIN, _INK)
    elif action is TileAction.VILLAGE:
        house_sign(sketch, x - 0.5 * size, y, 0.75 * size, (90, 120, 200))
        set_figures(sketch, "1", (x + 0.9 * size, y), 1.1 * size, _PLAIN, _INK)
    elif action is TileAction.SACRED_PLACE:
        elder_sign(sketch, x - 0.85 * size, y, 0.6 * size)
        djinn_sign(sketch, x + 0.7 * size, y, 0.95 * size, (190, 120, 60))
    else:
        price, cards = (3, 1) if action is TileAction.SMALL_MARKET else (6, 2)
        coin_sign(sketch, x - 1.0 * size, y, 0.62 * size, price, "roman")
        for number in range(cards):
            card_sign(sketch, x + (0.2 + 0.8 * number) * size, y, 0.75 * size, "", (150, 90, 50))


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
            sketch.polygon(
                _at([(-0.42, -tall), (0, -tall - 0.4), (0.42, -tall)], x + dx * size, y, size),
                (50, 80, 200),
                _INK,
                0.004,
            )
    elif action is TileAction.SACRED_PLACE:
        sketch.polygon(ring(x, y + 0.25 * size, 0.7 * size, 24), (190, 90, 150), _INK, 0.004)
        sketch.polygon(ring(x, y - 0.7 * size, 0.3 * size, 20), (230, 190, 90), _INK, 0.004)
        sketch.line([(x - 0.9 * size, y + 0.95 * size), (x + 0.9 * size, y + 0.95 * size)], _INK, 0.012)
    else:
        price, bags = (3, 1) if action is TileAction.SMALL_MARKET else (6, 2)
        for number in range(bags):
            bx = x + (0.25 + 0.95 * number) * size
            sketch.polygon(
                soft(
                    _at(
                        [(-0.5, 0.9), (-0.45, -0.1), (-0.15, -0.5), (0.15, -0.5), (0.45, -0.1), (0.5, 0.9)], bx, y, size
                    )
                ),
                (90, 140, 190),
                _INK,
                0.004,
            )
        coin_sign(sketch, x - 0.95 * size, y, 0.6 * size, price, "felt-pen")


SYMBOLS: Mapping[str, Sign] = {
    "arrows": _arrows,
    "things": _things,
    "prices": _prices,
    "pips": _pips,
    "emblems": _emblems,
}
"""Sets of signs by family."""


def _tablet(x: float, y: float, r: float) -> Points:
    return soft(np.array([[-1.7, -1.05], [1.7, -1.05], [1.7, 1.05], [-1.7, 1.05]]) * r + [x, y])


def _roundel(x: float, y: float, r: float) -> Points:
    return (ring(x, y, r, 36) - [x, y]) * [1.75, 1.4] + [x, y]


def _plaque(x: float, y: float, r: float) -> Points:
    return np.array([[-1.9, 0], [-1.5, -1.1], [1.5, -1.1], [1.9, 0], [1.5, 1.1], [-1.5, 1.1]]) * r + [x, y]


def _buckler(x: float, y: float, r: float) -> Points:
    half = np.array([(0, -1.1), (1.2, -1.15), (1.9, -0.7), (2.0, 0.1), (1.6, 0.8), (0.6, 1.0), (0, 1.35)])
    return smooth(np.vstack([half, half[-2:0:-1] * [-1, 1]]), 1) * r + [x, y]


def _cloud(x: float, y: float, r: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    far = 1 + 0.1 * np.abs(np.sin(4.5 * turn))
    return np.column_stack([x + 1.65 * r * far * np.cos(turn), y + 1.1 * r * far * np.sin(turn)])


def _swallowtail(x: float, y: float, r: float) -> Points:
    return np.array([[-2.1, -1], [2.1, -1], [1.7, 0], [2.1, 1], [-2.1, 1], [-1.7, 0]]) * r + [x, y]


BADGES: Mapping[str, Callable[[float, float, float], Points] | None] = {
    "tablet": _tablet,
    "roundel": _roundel,
    "plaque": _plaque,
    "buckler": _buckler,
    "bare": None,
    "cloud": _cloud,
    "swallowtail": _swallowtail,
    **{f"shape-{number}": wavy(100 + number, 1.6) for number in range(SHAPES)},
}
"""Outlines that the signs stand in, by family; "bare" is none."""

_USUAL: dict[TileAction, Colour] = {
    TileAction.OASIS: (132, 190, 152),
    TileAction.VILLAGE: (206, 208, 206),
    TileAction.SMALL_MARKET: (206, 168, 212),
    TileAction.LARGE_MARKET: (226, 190, 150),
    TileAction.SACRED_PLACE: (90, 90, 96),
}
_BRIGHT: dict[TileAction, Colour] = {
    TileAction.OASIS: (90, 200, 110),
    TileAction.VILLAGE: (110, 190, 240),
    TileAction.SMALL_MARKET: (150, 130, 230),
    TileAction.LARGE_MARKET: (200, 150, 230),
    TileAction.SACRED_PLACE: (230, 190, 190),
}
INKS: Mapping[str, Mapping[TileAction, Colour]] = {
    "usual": _USUAL,
    "bright": _BRIGHT,
    "cream": dict.fromkeys(TileAction, (190, 222, 238)),
    "white": dict.fromkeys(TileAction, (240, 244, 246)),
    "sand": dict.fromkeys(TileAction, (150, 190, 214)),
    "slate": dict.fromkeys(TileAction, (96, 84, 78)),
    "leaf": dict.fromkeys(TileAction, (120, 178, 128)),
    "plum": dict.fromkeys(TileAction, (140, 96, 150)),
    "rust": dict.fromkeys(TileAction, (70, 104, 190)),
}
"""What badges are filled with, by family and action."""


def action_badge(
    sketch: Sketch, action: TileAction, place: tuple[float, float], size: float, badge: str, symbols: str, inks: str
) -> None:
    """The sign of an action on its badge around a place; `size` is half the badge's height."""
    outline = BADGES[badge]
    if outline is not None:
        fill = INKS[inks][action]
        sketch.polygon(outline(*place, 1.12 * size), (222, 234, 240), _INK, 0.003)
        sketch.polygon(outline(*place, size), fill, toned(fill, 0.6), 0.004)
    SYMBOLS[symbols](sketch, *place, 0.78 * size, action)
