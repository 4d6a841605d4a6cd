"""Whole sets of tiles in styles that training never sees, to measure on: who draws what, and how a print turned out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.lab.rendering.textures import Image
from companion.lab.tiles.numerals import Lettering
from companion.lab.tiles.pictures import cutout, linework, silhouette
from companion.lab.tiles.plates import SCHEMES, value_plate
from companion.lab.tiles.props import MEEPLE_SHAPE, camel_spot
from companion.lab.tiles.sketch import Colour, Sketch, toned
from companion.lab.tiles.symbols import action_badge
from companion.lab.world.printings import printed
from companion.rules.model.components import TILE_KINDS, TileKind

SIDE_PX = 400
PICTURES = 2
"""How many pictures of each kind a set has."""

_FINE = 2
_SALT = 9_173
_PRINTINGS = ("as-drawn", "worn", "faded")

Place = tuple[float, float]


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    """A colour (BGR) of a hue in degrees, its saturation and value from 0 to 1."""
    phase = (np.array([240.0, 120.0, 0.0]) - hue + 180) % 360 - 180
    share = np.clip(2 - np.abs(phase) / 60, 0, 1)
    blue, green, red = 255 * value * (1 - saturation * (1 - share))
    return float(blue), float(green), float(red)


def _drawn(
    rng: np.random.Generator, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> Colour:
    """A colour between two hues in degrees, two saturations and two values."""
    return _hsv(float(rng.uniform(*hue)) % 360, float(rng.uniform(*saturation)), float(rng.uniform(*value)))


PAPERS: Mapping[str, Callable[[np.random.Generator], Colour]] = {
    "dusk": lambda rng: _drawn(rng, (262, 300), (0.2, 0.4), (0.25, 0.45)),
    "home-paper": lambda rng: _drawn(rng, (190, 230), (0.0, 0.03), (0.93, 1.0)),
    "pastel": lambda rng: _drawn(rng, (150, 185), (0.15, 0.3), (0.8, 0.95)),
}
"""Colours (BGR) of the ground, by family."""

RIMS = ("none", "pale", "dark", "double", "wide", "value")
"""Rims around a tile; "value" has the red or blue of its value."""


def _lay_ground(sketch: Sketch, ground: Colour, depth: float) -> None:
    """Cover a sheet with the ground, a little uneven."""
    coarse = sketch.rng.standard_normal((8, 8)).astype(np.float32) * depth
    shade = cv2.resize(coarse, (sketch.side, sketch.side), interpolation=cv2.INTER_CUBIC)[..., None]
    sketch.sheet[...] = np.clip(np.asarray(ground, np.float32) * (1 + shade), 0, 255).astype(np.uint8)


def _draw_rim(sketch: Sketch, rim: str, width: float, ground: Colour, value: Colour) -> None:
    """A rim of a width around the sheet."""
    colours: dict[str, Colour] = {
        "pale": (224, 236, 240),
        "dark": (40, 48, 60),
        "double": (50, 70, 100),
        "value": value,
    }
    if rim == "none":
        return
    colour = colours.get(rim, toned(ground, 0.7))
    half = width / 2
    box = np.array([(half, half), (1 - half, half), (1 - half, 1 - half), (half, 1 - half), (half, half)])
    sketch.line(box, colour, width)
    if rim == "double":
        sketch.line((box - 0.5) * (1 - 4 * width) + 0.5, colour, width / 2)


@dataclass(frozen=True, slots=True)
class Design:
    """Who draws a style: its picture, figures, plate, signs, badge and paper, and where value and badge are."""

    picture: Callable[[Sketch, str], None]
    numerals: str
    plate: str
    symbols: str
    badge: str
    inks: str
    paper: str
    places: tuple[Place, Place]


_CROWN, _FOOTER, _PORTRAIT = ((0.5, 0.16), (0.5, 0.87)), ((0.3, 0.86), (0.74, 0.86)), ((0.16, 0.5), (0.76, 0.14))

DESIGNS: Mapping[str, Design] = {
    "shadow-play": Design(silhouette, "serif-bold", "banner", "emblems", "cloud", "sand", "dusk", _CROWN),
    "print-and-play": Design(linework, "stencil", "scroll", "pips", "swallowtail", "white", "home-paper", _FOOTER),
    "picture-book": Design(cutout, "brush", "drop", "emblems", "swallowtail", "sand", "pastel", _PORTRAIT),
    "attic-find": Design(cutout, "script", "star", "pips", "cloud", "white", "dusk", _FOOTER),
}
"""The styles by name, fixed before anything was trained on tiles of other styles."""


@dataclass(frozen=True, slots=True)
class TileStyle:
    """A printing of a design: `value` and `badge` are places in shares of the side, `radius` and `size` how large."""

    design: Design
    value: Place
    badge: Place
    radius: float
    size: float
    lettering: Lettering
    scheme: str
    red: Colour
    blue: Colour
    ground: Colour
    depth: float
    rim: str
    rim_width: float
    spot: bool
    builders: bool
    printing: str
    seed: int


def tile_style(name: str, seed: int) -> TileStyle:
    """A printing of a style: as new, worn or faded by its seed. Raises KeyError if there is no such style."""
    rng, design = np.random.default_rng((_SALT, seed)), DESIGNS[name]
    shift = rng.normal(0, 0.015, 4)
    (value_x, value_y), (badge_x, badge_y) = design.places
    return TileStyle(
        design=design,
        value=(value_x + float(shift[0]), value_y + float(shift[1])),
        badge=(badge_x + float(shift[2]), badge_y + float(shift[3])),
        radius=float(rng.uniform(0.1, 0.145)),
        size=float(rng.uniform(0.075, 0.105)),
        lettering=Lettering(
            design.numerals, float(rng.uniform(0.75, 1.15)), float(rng.normal(0, 0.07)), float(rng.uniform(0.75, 1.3))
        ),
        scheme=str(rng.choice(SCHEMES)),
        red=_drawn(rng, (-14, 12), (0.65, 0.97), (0.4, 0.85)),
        blue=_drawn(rng, (202, 234), (0.6, 0.97), (0.4, 0.85)),
        ground=PAPERS[design.paper](rng),
        depth=float(rng.uniform(0.0, 0.06)),
        rim=str(rng.choice(RIMS)),
        rim_width=float(rng.uniform(0.012, 0.05)),
        spot=bool(rng.random() < 0.4),
        builders=bool(rng.random() < 0.5),
        printing=_PRINTINGS[int(rng.integers(len(_PRINTINGS)))],
        seed=int(rng.integers(1 << 31)),
    )


def draw_styled(kind: TileKind, style: TileStyle, rng: np.random.Generator, side_px: int) -> Image:
    """A picture of an empty tile of that kind in a style, BGR, (side_px, side_px, 3)."""
    value, design = style.blue if kind.blue else style.red, style.design
    sketch = Sketch(side_px * _FINE, rng, style.ground)
    _lay_ground(sketch, style.ground, style.depth)
    design.picture(sketch, kind.code)
    _draw_rim(sketch, style.rim, style.rim_width, style.ground, value)
    if style.spot:
        camel_spot(sketch)
    action_badge(sketch, kind.action, style.badge, style.size, design.badge, design.symbols, design.inks)
    value_plate(sketch, str(kind.vp), style.value, style.radius, design.plate, style.scheme, value, style.lettering)
    if kind.blue and style.builders:
        mark = np.sign(np.array(style.value) - 0.5) * 0.455 + 0.5
        sketch.polygon(MEEPLE_SHAPE * 0.045 + mark, style.blue, (230, 236, 240), 0.003)
    small = np.asarray(cv2.resize(sketch.sheet, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
    return printed(small, style.printing, style.seed)


def style_art(style: TileStyle, side_px: int = SIDE_PX) -> dict[str, tuple[Image, ...]]:
    """A set of tiles in a style: `PICTURES` pictures of each kind, always the same for the same style."""
    return {
        code: tuple(
            draw_styled(kind, style, np.random.default_rng((style.seed, number, copy)), side_px)
            for copy in range(PICTURES)
        )
        for number, (code, kind) in enumerate(TILE_KINDS.items())
    }
