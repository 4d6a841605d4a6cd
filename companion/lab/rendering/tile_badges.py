"""What every tile tells by its signs: value, action, the camel's spot and the builders' mark."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.lab.rendering.sketch import INK, PALE, Colour, Sketch, smooth, toned
from companion.rules.model.components import TileAction, TileKind

DISC = (0.815, 0.155)
"""Centre of the value's disc; its diameter is 0.24 of the tile's side."""

BADGE = (0.24, 0.77)
CAMEL_SPOT = (0.8, 0.83)

_RED: Colour = (44, 28, 138)
_BLUE: Colour = (150, 84, 22)
_GOLD: Colour = (64, 158, 206)
_ARROW: Colour = (36, 58, 196)

_MEEPLE = np.array(
    [
        (0, -0.5),
        (0.16, -0.42),
        (0.15, -0.25),
        (0.48, -0.1),
        (0.46, 0.08),
        (0.22, 0.06),
        (0.4, 0.44),
        (0.38, 0.5),
        (0.12, 0.5),
        (0, 0.3),
    ]
)
MEEPLE_SHAPE = np.vstack([_MEEPLE, _MEEPLE[-2:0:-1] * [-1, 1]])


def write(sketch: Sketch, text: str, x: float, y: float, tall: float, fill: Colour, ink: Colour | None) -> None:
    """Write a short text centred on a place, its capitals that tall, with a dark rim or none."""
    face, heavy = cv2.FONT_HERSHEY_TRIPLEX, max(tall * 0.13, 0.003)
    px = tall * sketch.side
    scale = px / cv2.getTextSize("0", face, 1, 1)[0][1]
    (wide, high), _ = cv2.getTextSize(text, face, scale, 1)
    place = (round(x * sketch.side - wide / 2), round(y * sketch.side + high / 2))
    if ink is not None:
        cv2.putText(sketch.sheet, text, place, face, scale, ink, sketch.width(heavy * 2.2), cv2.LINE_AA)
    cv2.putText(sketch.sheet, text, place, face, scale, fill, sketch.width(heavy), cv2.LINE_AA)


def value_disc(sketch: Sketch, kind: TileKind) -> None:
    """The tile's value on a red or blue disc in a wreath, and the builders' mark beside a blue one."""
    x, y = DISC
    colour = _BLUE if kind.blue else _RED
    sketch.ellipse(x, y, (0.132, 0.132), PALE, None)
    for k in range(30):
        turn = 2 * np.pi * k / 30
        out = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-out[1], out[0]])
        leaf = [out * 0.112 - across * 0.009, out * 0.13, out * 0.112 + across * 0.015]
        sketch.polygon(np.asarray(leaf) + [x, y], toned(INK, 1.1), None)
    sketch.ellipse(x, y, (0.112, 0.112), toned(colour, 0.55), INK)
    sketch.ellipse(x, y, (0.102, 0.102), colour, None)
    for share in (0.8, 0.6, 0.4, 0.2):
        bright = toned(colour, 1 + 0.5 * (1 - share))
        sketch.ellipse(x - 0.01 * share, y + 0.01, (0.1 * share, 0.1 * share), bright, None)
    write(sketch, str(kind.vp), x, y, 0.115, (238, 244, 246), toned(colour, 0.35))
    if kind.blue:
        sketch.polygon(MEEPLE_SHAPE * 0.042 + [0.952, 0.045], (140, 84, 36), None)


def camel_spot(sketch: Sketch) -> None:
    """The pale round spot where the owner's camel goes."""
    x, y = CAMEL_SPOT
    turn = np.linspace(0, 2 * np.pi, 49)
    ring = np.column_stack([x + 0.135 * np.cos(turn), y + 0.135 * np.sin(turn)])
    sketch.wash(ring, (176, 212, 230), 0.72, 0.004)
    sketch.line(ring + [0.004, 0.006], (84, 118, 150), 0.006)
    sketch.line(ring, (206, 230, 242), 0.005)


def _shield(sketch: Sketch, fill: Colour, other: Colour) -> None:
    x, y = BADGE
    half = np.array([(0, -0.085), (0.1, -0.09), (0.17, -0.055), (0.185, 0.01), (0.15, 0.075), (0.06, 0.095), (0, 0.13)])
    outline = smooth(np.vstack([half, half[-2:0:-1] * [-1, 1]]), 1) + [x, y]
    sketch.shade(outline + [0.006, 0.01], 0.5, 0.008)
    sketch.polygon((outline - [x, y]) * 1.1 + [x, y], (206, 222, 230), INK, 0.006)
    sketch.polygon(outline, fill, toned(fill, 0.6), 0.005)
    right = outline[outline[:, 0] >= x - 0.001]
    sketch.polygon(right, other, None)


def _arrow(sketch: Sketch) -> None:
    x, y = BADGE[0] + 0.09, BADGE[1] + 0.015
    turn = np.linspace(np.pi * 1.05, np.pi * 1.75, 12)
    outer = np.column_stack([x - 0.01 + 0.075 * np.cos(turn), y + 0.03 + 0.075 * np.sin(turn)])
    inner = np.column_stack([x - 0.01 + 0.04 * np.cos(turn), y + 0.03 + 0.04 * np.sin(turn)])[::-1]
    head = np.array([(x + 0.012, y + 0.012), (x + 0.07, y + 0.058), (x + 0.074, y - 0.032)])
    sketch.polygon(np.vstack([outer, inner]), _ARROW, INK, 0.003)
    sketch.polygon(head, _ARROW, INK, 0.003)


def _oasis(sketch: Sketch) -> None:
    x, y = BADGE[0] - 0.075, BADGE[1] - 0.01
    trunk = np.array([(-0.012, 0.085), (0.022, 0.085), (0.012, 0), (-0.006, 0)])
    crown = np.array(
        [
            (0, -0.07),
            (0.05, -0.06),
            (0.075, -0.01),
            (0.035, -0.02),
            (0.05, 0.03),
            (0.005, 0),
            (-0.045, 0.03),
            (-0.035, -0.02),
            (-0.075, -0.01),
            (-0.05, -0.06),
        ]
    )
    for shape in (trunk, crown):
        sketch.polygon(shape + [x, y], (112, 136, 150), (214, 228, 234), 0.006)
    _arrow(sketch)


def _village(sketch: Sketch) -> None:
    x, y = BADGE[0] - 0.07, BADGE[1]
    house = np.array(
        [(-0.085, 0.06), (-0.085, -0.01), (-0.05, -0.055), (-0.01, -0.02), (0.02, -0.08), (0.07, -0.03), (0.07, 0.06)]
    )
    sketch.polygon(house + [x, y], _GOLD, INK, 0.005)
    sketch.polygon(
        np.array([(-0.085, 0.06), (-0.085, -0.01), (-0.05, 0.0), (-0.05, 0.06)]) + [x, y], toned(_GOLD, 0.35), None
    )
    sketch.polygon(
        np.array([(0.0, 0.06), (0.0, 0.02), (0.018, 0.005), (0.036, 0.02), (0.036, 0.06)]) + [x, y],
        toned(_GOLD, 0.3),
        None,
    )
    _arrow(sketch)


def _market(sketch: Sketch, price: str, cards: tuple[str, str]) -> None:
    x, y = BADGE
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    reach = 0.06 + 0.005 * np.cos(8 * turn)
    sketch.polygon(np.column_stack([x - 0.09 + reach * np.cos(turn), y + reach * np.sin(turn)]), _GOLD, INK)
    sketch.ellipse(x - 0.09, y, (0.046, 0.046), toned(_GOLD, 0.85), None)
    write(sketch, price, x - 0.09, y, 0.062, (214, 238, 246), toned(_GOLD, 0.4))
    card = np.array([(-0.052, -0.075), (0.052, -0.075), (0.052, 0.075), (-0.052, 0.075)]) + [x + 0.085, y]
    sketch.polygon(card, (74, 116, 52), (222, 234, 238), 0.008)
    sketch.line([(x + 0.05, y + 0.02), (x + 0.12, y - 0.02)], (210, 232, 238), 0.006)
    write(sketch, cards[0], x + 0.065, y - 0.035, 0.045, (222, 240, 244), None)
    write(sketch, cards[1], x + 0.105, y + 0.036, 0.045, (222, 240, 244), None)


def _sacred(sketch: Sketch) -> None:
    x, y = BADGE
    sketch.polygon(MEEPLE_SHAPE * 0.09 + [x - 0.1, y - 0.01], (240, 244, 246), (40, 40, 40), 0.003)
    sketch.polygon(MEEPLE_SHAPE * 0.05 + [x - 0.035, y - 0.035], (240, 244, 246), (40, 40, 40), 0.003)
    sketch.line([(x - 0.055, y + 0.045), (x - 0.015, y + 0.045)], (70, 200, 230), 0.008)
    sketch.line([(x - 0.035, y + 0.025), (x - 0.035, y + 0.065)], (70, 200, 230), 0.008)
    lamp = np.array(
        [
            (-0.06, -0.01),
            (-0.025, -0.02),
            (0.0, -0.045),
            (0.025, -0.02),
            (0.055, -0.025),
            (0.08, -0.05),
            (0.07, -0.005),
            (0.03, 0.03),
            (0.012, 0.04),
            (0.03, 0.055),
            (-0.03, 0.055),
            (-0.012, 0.04),
            (-0.04, 0.025),
        ]
    )
    sketch.polygon(lamp + [x + 0.085, y], (34, 44, 60), (20, 26, 34), 0.003)
    sketch.line([(x + 0.06, y + 0.005), (x + 0.11, y - 0.005)], _GOLD, 0.006)


_SIGNS: dict[TileAction, tuple[Colour, Colour, Callable[[Sketch], None]]] = {
    TileAction.OASIS: ((132, 190, 152), (112, 176, 132), _oasis),
    TileAction.VILLAGE: ((206, 208, 206), (190, 194, 192), _village),
    TileAction.SMALL_MARKET: ((206, 168, 212), (196, 152, 202), lambda sketch: _market(sketch, "3", ("1", "3"))),
    TileAction.LARGE_MARKET: ((226, 190, 150), (212, 168, 124), lambda sketch: _market(sketch, "6", ("2", "6"))),
    TileAction.SACRED_PLACE: ((30, 30, 34), (232, 236, 238), _sacred),
}


def badge(sketch: Sketch, action: TileAction) -> None:
    """The shield that tells the tile's action."""
    fill, other, sign = _SIGNS[action]
    _shield(sketch, fill, other)
    sign(sketch)
