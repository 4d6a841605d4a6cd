"""Tiles that are none of the thirty: what training learns to call unknown, and an expansion's tiles to measure on.

All are our own drawings. Of the expansions only facts are taken: there are workshops, other markets, a chasm,
lakes and cities, some without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from companion.lab.rendering.sketch import Colour, Points, Sketch, bush, house, lump, rock, smooth, stall, toned, water
from companion.lab.rendering.textures import TABLES, Image, table_texture
from companion.lab.tiles.motifs import MOTIFS
from companion.lab.tiles.numerals import Lettering, ring
from companion.lab.tiles.papers import draw_rim, drawn, lay_ground
from companion.lab.tiles.plates import value_plate
from companion.lab.tiles.styles import SIDE_PX, TileStyle
from companion.lab.tiles.symbols import BADGES, action_badge
from companion.lab.world.printings import printed
from companion.rules.model.components import TILE_KINDS

UNKNOWN = "?"
"""Stands for a tile's kind where it is none of the box."""

_INK: Colour = (34, 40, 52)
_ODD = ("0", "1", "2", "3", "7", "9", "11", "13", "14", "16", "18", "20", "?")
_KNOWN = tuple(sorted({(kind.vp, kind.blue) for kind in TILE_KINDS.values()}))

Unknown = Callable[[TileStyle, Mapping[str, Sequence[Image]], np.random.Generator, int], Image]
"""Draws a tile of a side in px that fits among tiles of a style or of other art."""


def _gem(x: float, y: float, r: float) -> Points:
    return np.array([(-1, -0.3), (-0.5, -0.9), (0.5, -0.9), (1, -0.3), (0, 1)]) * r + [x, y]


def _sword(x: float, y: float, r: float) -> Points:
    return np.array(
        [
            (-0.1, 1),
            (-0.1, 0.4),
            (-0.5, 0.4),
            (-0.5, 0.2),
            (-0.12, 0.2),
            (0, -1),
            (0.12, 0.2),
            (0.5, 0.2),
            (0.5, 0.4),
            (0.1, 0.4),
            (0.1, 1),
        ]
    ) * r + [x, y]


def _wheel(x: float, y: float, r: float) -> Points:
    return ring(x, y, r, 24, inner=0.7 * r)


def _ship(x: float, y: float, r: float) -> Points:
    return np.array(
        [(-1, 0.3), (-0.1, 0.3), (-0.1, -1), (0.7, 0.1), (0.1, 0.1), (0.1, 0.3), (1, 0.3), (0.6, 0.9), (-0.6, 0.9)]
    ) * r + [x, y]


def _key(x: float, y: float, r: float) -> Points:
    bit = np.array(
        [
            (0.1, -0.1),
            (1.2, -0.1),
            (1.2, 0.4),
            (1.0, 0.4),
            (1.0, 0.1),
            (0.8, 0.1),
            (0.8, 0.3),
            (0.6, 0.3),
            (0.6, 0.1),
            (0.1, 0.1),
        ]
    )
    return np.vstack([ring(-0.4, 0, 0.5, 20, 1.3), bit]) * r + [x, y]


def _cross(x: float, y: float, r: float) -> Points:
    return np.array(
        [
            (-0.3, -1),
            (0.3, -1),
            (0.3, -0.3),
            (1, -0.3),
            (1, 0.3),
            (0.3, 0.3),
            (0.3, 1),
            (-0.3, 1),
            (-0.3, 0.3),
            (-1, 0.3),
            (-1, -0.3),
            (-0.3, -0.3),
        ]
    ) * r + [x, y]


def _anvil(x: float, y: float, r: float) -> Points:
    return np.array(
        [
            (-1.1, -0.5),
            (0.9, -0.5),
            (0.6, -0.1),
            (0.25, 0),
            (0.25, 0.4),
            (0.7, 0.8),
            (-0.7, 0.8),
            (-0.25, 0.4),
            (-0.25, 0),
            (-0.7, -0.1),
        ]
    ) * r + [x, y]


_SIGNS = (_gem, _sword, _wheel, _ship, _key, _cross)


def _other_colour(rng: np.random.Generator) -> Colour:
    """Neither the red nor the blue of a value."""
    hue = ((262, 318), (40, 170), (28, 50))[int(rng.integers(3))]
    return (
        drawn(rng, hue, (0.3, 0.9), (0.3, 0.8)) if rng.random() < 0.75 else drawn(rng, (0, 360), (0, 0.08), (0.1, 0.6))
    )


def _odd_value(sketch: Sketch, style: TileStyle, rng: np.random.Generator) -> None:
    """A value that no tile of the box has: by its number, by its colour, or by both."""
    choice = rng.random()
    if choice < 0.4:
        text, colour = str(rng.choice(_ODD)), (style.red, style.blue)[int(rng.integers(2))]
    elif choice < 0.7:
        text, colour = str(_KNOWN[int(rng.integers(len(_KNOWN)))][0]), _other_colour(rng)
    else:
        text, colour = str(rng.choice(_ODD)), _other_colour(rng)
    family = style.lettering.family
    text = (
        text if all(letter.isdigit() and letter not in "79" for letter in text) else text.translate(_DRAWABLE[family])
    )
    value_plate(sketch, text, style.value, style.radius, style.families["plate"], style.scheme, colour, style.lettering)


class _Drawable(dict[str, dict[int, str]]):
    """Some hands have no strokes for figures that no tile bears: then 3 and 2 stand for them."""

    def __missing__(self, family: str) -> dict[int, str]:
        pens = ("felt-pen", "angular", "broad-nib", "segments", "brush", "stencil", "hand-")
        table = {ord("7"): "3", ord("9"): "2", ord("?"): "3"} if family.startswith(pens) else {}
        self[family] = table
        return table


_DRAWABLE = _Drawable()


def _odd_badge(
    sketch: Sketch, style: TileStyle, signs: Sequence[Callable[[float, float, float], Points]], rng: np.random.Generator
) -> None:
    outline = BADGES[style.families["badge"]]
    x, y = style.badge
    if outline is not None:
        fill = _other_colour(rng)
        sketch.polygon(outline(x, y, 1.12 * style.size), (222, 234, 240), _INK, 0.003)
        sketch.polygon(outline(x, y, style.size), fill, toned(fill, 0.6), 0.004)
    for place in (-0.8, 0.8) if rng.random() < 0.4 else (0.0,):
        sign = signs[int(rng.integers(len(signs)))]
        colour = _other_colour(rng)
        sketch.polygon(sign(x + place * style.size, y, 0.7 * style.size), toned(colour, 1.2), _INK, 0.004)


def _finished(sketch: Sketch, style: TileStyle, side_px: int) -> Image:
    small = np.asarray(cv2.resize(sketch.sheet, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
    return printed(small, style.printing, style.seed)


def _sheet(style: TileStyle, rng: np.random.Generator, side_px: int) -> Sketch:
    sketch = Sketch(side_px * 2, rng, style.ground)
    lay_ground(sketch, style.ground, style.depth)
    return sketch


def _odd(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
    """As the other tiles, but with a value and a sign that no tile of the box has."""
    sketch = _sheet(style, rng, side_px)
    code = str(rng.choice(list(TILE_KINDS)))
    MOTIFS[style.families["motif"]](sketch, code, style.ground)
    draw_rim(sketch, style.rim, style.rim_width, style.ground, _other_colour(rng))
    if rng.random() < 0.75:
        _odd_badge(sketch, style, _SIGNS, rng)
    else:
        kind = TILE_KINDS[code]
        action_badge(
            sketch,
            kind.action,
            style.badge,
            style.size,
            style.families["badge"],
            style.families["symbols"],
            style.families["inks"],
        )
    _odd_value(sketch, style, rng)
    return _finished(sketch, style, side_px)


def _landscape(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
    """Country without a value: rocks, woods, fields or nothing."""
    sketch = _sheet(style, rng, side_px)
    kind = int(rng.integers(4))
    for _ in range(int(rng.integers(8, 40))):
        x, y = (float(v) for v in rng.uniform(0, 1, 2))
        size = float(rng.uniform(0.03, 0.12))
        if kind == 0:
            rock(sketch, x, y, size)
        elif kind == 1:
            bush(sketch, x, y, 0.7 * size)
        elif kind == 2:
            field = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size + [x, y]
            sketch.polygon(field, drawn(rng, (40, 110), (0.3, 0.7), (0.4, 0.8)), _INK, 0.004)
    if rng.random() < 0.3:
        _odd_badge(sketch, style, _SIGNS, rng)
    draw_rim(sketch, style.rim, style.rim_width, style.ground, _INK)
    return _finished(sketch, style, side_px)


def _pattern(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
    """The back of a tile, or another game's: ornaments, stripes, a large emblem."""
    sketch = _sheet(style, rng, side_px)
    colours = [drawn(rng, (0, 360), (0.1, 0.9), (0.2, 0.95)) for _ in range(4)]
    sketch.polygon([(0, 0), (1, 0), (1, 1), (0, 1)], colours[0], None)
    step, corners = float(rng.uniform(0.07, 0.3)), int(rng.integers(3, 9))
    for row in range(int(1 / step) + 2):
        for column in range(int(1 / step) + 2):
            x, y = (column + 0.5 * (row % 2)) * step, row * step
            sketch.polygon(ring(x, y, 0.45 * step, corners), colours[1 + (row + column) % 3], None)
    if rng.random() < 0.5:
        shape = _SIGNS[int(rng.integers(len(_SIGNS)))](0.5, 0.5, float(rng.uniform(0.15, 0.4)))
        sketch.polygon(shape, colours[3], _INK, 0.01)
    draw_rim(sketch, style.rim, style.rim_width, style.ground, colours[2])
    return _finished(sketch, style, side_px)


def _gap(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
    """No tile: the table."""
    texture = table_texture(str(rng.choice(TABLES)), rng)
    left, top = (int(v) for v in rng.integers(0, texture.shape[0] - side_px, 2))
    return np.ascontiguousarray(texture[top : top + side_px, left : left + side_px])


def _altered(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
    """A tile of the art at hand, other in all that tells its kind: picture, value and sign painted over."""
    pictures = art[str(rng.choice(list(art)))]
    base = cv2.resize(pictures[int(rng.integers(len(pictures)))], (2 * side_px, 2 * side_px))
    sketch = Sketch(2 * side_px, rng, style.ground)
    sketch.sheet = np.ascontiguousarray(base, np.uint8)
    rim = np.median(base[: side_px // 12].reshape(-1, 3), axis=0)
    ground: Colour = (float(rim[0]), float(rim[1]), float(rim[2]))
    if rng.random() < 0.8:
        patch = smooth(lump(sketch, 0.45, 0.43, float(rng.uniform(0.3, 0.42)), 10, 0.08))
        sketch.wash(patch, toned(ground, float(rng.uniform(0.7, 1.05))), 0.97, 0.02)
        if rng.random() < 0.8:
            for _ in range(int(rng.integers(4, 20))):
                x, y = (float(v) for v in rng.normal(0.45, 0.13, 2))
                (rock if rng.random() < 0.5 else stall)(sketch, x, y, float(rng.uniform(0.03, 0.09)))
    x, y = 0.83, 0.16
    sketch.wash(ring(x, y, 0.16, 30), ground, 0.96, 0.01)
    if rng.random() < 0.75:
        colour = _other_colour(rng) if rng.random() < 0.7 else (style.red, style.blue)[int(rng.integers(2))]
        family = str(rng.choice(["sans-bold", "roman", "heavy-roman", "technical"]))
        value_plate(
            sketch,
            str(rng.choice(_ODD)),
            (x, y),
            0.115,
            "toothed",
            "white-on-colour",
            colour,
            Lettering(family, 1, 0, 1),
        )
    x, y = 0.24, 0.77
    sketch.wash(np.array([[0.02, 0.63], [0.46, 0.63], [0.46, 0.93], [0.02, 0.93]]), ground, 0.96, 0.012)
    if rng.random() < 0.7:
        shield = BADGES["buckler"]
        assert shield is not None
        sketch.polygon(shield(x, y, 0.1), _other_colour(rng), (222, 234, 240), 0.008)
        sign = _SIGNS[int(rng.integers(len(_SIGNS)))]
        sketch.polygon(sign(x, y, 0.075), toned(_other_colour(rng), 1.3), _INK, 0.004)
    return np.asarray(cv2.resize(sketch.sheet, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)


def _plain_expansion(
    paint: Callable[[Sketch, Colour], None], value: str | None, sign: Callable[[float, float, float], Points] | None
) -> Unknown:
    """An expansion's tile in the style of the others, or on the paper of the art at hand."""

    def draw(style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int) -> Image:
        sketch = _sheet(style, rng, side_px)
        if "usual" in style.families["layout"] or rng.random() < 0.5:
            pictures = art["V5"]
            base = cv2.resize(pictures[0], (2 * side_px, 2 * side_px))
            colour = np.median(base[: side_px // 8].reshape(-1, 3), axis=0)
            lay_ground(sketch, (float(colour[0]), float(colour[1]), float(colour[2])), 0.03)
        paint(sketch, style.ground)
        purple = drawn(rng, (268, 292), (0.4, 0.7), (0.35, 0.6))
        if value is not None:
            value_plate(
                sketch, value, (0.82, 0.16), 0.115, "disc", "white-on-colour", purple, Lettering("serif-bold", 1, 0, 1)
            )
        if sign is not None:
            sketch.polygon(ring(0.24, 0.78, 0.12, 30), (200, 210, 214), _INK, 0.005)
            sketch.polygon(sign(0.24, 0.78, 0.085), (70, 70, 84), None)
        return _finished(sketch, style, side_px)

    return draw


def _workshop(sketch: Sketch, ground: Colour) -> None:
    for x, y in ((0.3, 0.3), (0.6, 0.32), (0.45, 0.55)):
        house(sketch, x, y, (0.2, 0.16), 0.08, (90, 110, 150))
        sketch.polygon(ring(x + 0.05, y - 0.13, 0.02, 8), (60, 60, 70), None)
    for _ in range(10):
        x, y = (float(v) for v in sketch.rng.uniform(0.05, 0.95, 2))
        rock(sketch, x, y if y > 0.8 or y < 0.15 else 0.05, 0.05, ((90, 80, 110), (110, 90, 120)))


def _chasm(sketch: Sketch, ground: Colour) -> None:
    line = np.column_stack([np.linspace(0.02, 0.98, 9), 0.5 + 0.12 * sketch.rng.standard_normal(9)])
    for reach, colour in ((0.2, (80, 100, 130)), (0.14, (46, 58, 80)), (0.08, (16, 20, 28))):
        sketch.polygon(np.vstack([line - [0, reach], (line + [0, reach])[::-1]]), colour, _INK, 0.004)


def _lake(sketch: Sketch, ground: Colour) -> None:
    water(sketch, smooth(lump(sketch, 0.5, 0.5, 0.4, 11, 0.05)), (190, 150, 80))


def _city(sketch: Sketch, ground: Colour) -> None:
    sketch.polygon(ring(0.48, 0.46, 0.36, 10), toned(ground, 0.8), _INK, 0.02)
    for row in range(5):
        for column in range(5):
            x, y = 0.25 + 0.115 * column, 0.25 + 0.11 * row
            house(sketch, x, y, (0.08, 0.07), float(sketch.rng.uniform(0.02, 0.08)), (150, 150, 170))


def _other_market(sketch: Sketch, ground: Colour) -> None:
    for row in range(4):
        stall(sketch, 0.25 + 0.16 * row, 0.25 + 0.09 * row, 0.14)
        stall(sketch, 0.3 + 0.12 * row, 0.55 - 0.02 * row, 0.12)


UNKNOWNS: Mapping[str, Unknown] = {
    "odd": _odd,
    "landscape": _landscape,
    "pattern": _pattern,
    "gap": _gap,
    "altered": _altered,
}
"""What training learns to call unknown, by family."""

EXPANSIONS: Mapping[str, Unknown] = {
    "workshop": _plain_expansion(_workshop, "5", _anvil),
    "other market": _plain_expansion(_other_market, "9", None),
    "chasm": _plain_expansion(_chasm, None, None),
    "lake": _plain_expansion(_lake, None, None),
    "city": _plain_expansion(_city, "7", _cross),
}
"""Tiles of expansions, which training never sees, by name."""

_SHARES = {"odd": 0.4, "altered": 0.25, "landscape": 0.13, "pattern": 0.12, "gap": 0.1}


def draw_unknown(
    style: TileStyle, art: Mapping[str, Sequence[Image]], rng: np.random.Generator, side_px: int = SIDE_PX
) -> Image:
    """A tile that is none of the box, for training among tiles of that style and art, BGR, (side_px, side_px, 3)."""
    family = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    return UNKNOWNS[family](style, art, rng, side_px)
