"""Whole sets of tiles in one style: drawn at random from families that are trained on, or a held-out one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.lab.rendering.sketch import Colour, Sketch
from companion.lab.rendering.textures import Image
from companion.lab.rendering.tile_badges import MEEPLE_SHAPE, camel_spot
from companion.lab.tiles.catalogue import LAYOUTS, held_out_styles, trained_families
from companion.lab.tiles.motifs import MOTIFS
from companion.lab.tiles.numerals import Lettering
from companion.lab.tiles.papers import PAPERS, RIMS, draw_rim, drawn, lay_ground
from companion.lab.tiles.plates import PLATES, SCHEMES, value_plate
from companion.lab.tiles.symbols import action_badge
from companion.lab.world.catalogue import TRAINING, families
from companion.lab.world.printings import printed
from companion.rules.model.components import TILE_KINDS, TileKind

SIDE_PX = 300
_FINE = 2
_SALT = 9_173

_SCRAMBLED = 0.35
"""Share of the sets whose pictures are of other kinds, so that a reader learns to look at value and sign."""

_CORNERS = ((0.18, 0.17), (0.82, 0.17), (0.82, 0.82), (0.19, 0.81))

_FROM_FILES = 0.6
"""Share of the training styles whose figures are set in an outside font, where there are any."""

_APART = 0.42
"""How far value and sign lie apart at least, in shares of a tile's side."""

_AWAY = 0.1
"""How far from the held-out places those of "anywhere" are at least."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TileStyle:
    """How a set of tiles is drawn.

    `families` says who draws what; `value` and `badge` are places in shares of the side, `radius` and `size` how large
    they are; `printing` and `seed` how the print turned out. In a `scrambled` set the pictures are those of other
    kinds: only value and sign tell what a tile is.
    """

    families: Mapping[str, str]
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
    scrambled: bool = False


def _two_corners(rng: np.random.Generator) -> tuple[Place, Place]:
    first, second = rng.permutation(len(_CORNERS))[:2]
    return _CORNERS[first], _CORNERS[second]


def _anywhere(rng: np.random.Generator) -> tuple[Place, Place]:
    """Two places near the rim, apart from one another and from where held-out styles have theirs."""
    held_out = [place for style in held_out_styles().values() for place in LAYOUTS[style["layout"]] or ()]
    places: list[Place] = []
    while len(places) < 2:
        x, y = rng.uniform(0.15, 0.85, 2)
        if max(abs(x - 0.5), abs(y - 0.5)) < 0.25:
            continue
        if all(np.hypot(x - a, y - b) >= _AWAY for a, b in held_out):
            places.append((float(x), float(y)))
        if len(places) == 2 and math.dist(*places) < _APART:
            places.pop()
    return places[0], places[1]


def _style(drawn_families: Mapping[str, str], rng: np.random.Generator, printings: tuple[str, ...]) -> TileStyle:
    layout = drawn_families["layout"]
    places = LAYOUTS[layout] or (_anywhere(rng) if layout == "anywhere" else _two_corners(rng))
    shift = rng.normal(0, 0.015, 4)
    plain = PLATES[drawn_families["plate"]] is None
    return TileStyle(
        families=dict(drawn_families),
        value=(places[0][0] + float(shift[0]), places[0][1] + float(shift[1])),
        badge=(places[1][0] + float(shift[2]), places[1][1] + float(shift[3])),
        radius=float(rng.uniform(0.1, 0.145)),
        size=float(rng.uniform(0.075, 0.105)),
        lettering=Lettering(
            drawn_families["numerals"],
            float(rng.uniform(0.75, 1.15)),
            float(rng.normal(0, 0.07)),
            float(rng.uniform(0.75, 1.3)),
        ),
        scheme=str(rng.choice(SCHEMES)) if not plain else SCHEMES[0],
        red=drawn(rng, (-14, 12), (0.65, 0.97), (0.4, 0.85)),
        blue=drawn(rng, (202, 234), (0.6, 0.97), (0.4, 0.85)),
        ground=PAPERS[drawn_families["paper"]](rng),
        depth=float(rng.uniform(0.0, 0.06)),
        rim=str(rng.choice(RIMS)),
        rim_width=float(rng.uniform(0.012, 0.05)),
        spot=bool(rng.random() < 0.4),
        builders=bool(rng.random() < 0.5),
        printing=printings[int(rng.integers(len(printings)))],
        seed=int(rng.integers(1 << 31)),
    )


def training_style(rng: np.random.Generator, fonts: Sequence[str] = ()) -> TileStyle:
    """A style that training may see: each part of it drawn by itself. `fonts` are paths of fonts to set figures in."""
    chosen = {what: names[int(rng.integers(len(names)))] for what, names in trained_families().items()}
    style = _style(chosen, rng, families(TRAINING)["tiles"])
    if fonts and rng.random() < _FROM_FILES:
        style = replace(style, lettering=replace(style.lettering, family=fonts[int(rng.integers(len(fonts)))]))
    return replace(style, scrambled=bool(rng.random() < _SCRAMBLED) and chosen["motif"] != "painted")


def held_out_style(name: str, seed: int) -> TileStyle:
    """A printing of a held-out style: as new, worn or faded by its seed. Raises KeyError if there is no such style."""
    rng = np.random.default_rng((_SALT, seed))
    return _style(held_out_styles()[name], rng, ("as-drawn", "worn", "faded"))


def draw_styled(kind: TileKind, style: TileStyle, rng: np.random.Generator, side_px: int = SIDE_PX) -> Image:
    """A picture of an empty tile of that kind in a style, BGR, (side_px, side_px, 3)."""
    value = style.blue if kind.blue else style.red
    chosen = style.families
    sketch = Sketch(side_px * _FINE, rng, style.ground)
    lay_ground(sketch, style.ground, style.depth)
    shown = str(rng.choice(list(TILE_KINDS))) if style.scrambled else kind.code
    MOTIFS[chosen["motif"]](sketch, shown, style.ground)
    draw_rim(sketch, style.rim, style.rim_width, style.ground, value)
    if style.spot:
        camel_spot(sketch)
    action_badge(sketch, kind.action, style.badge, style.size, chosen["badge"], chosen["symbols"], chosen["inks"])
    value_plate(sketch, str(kind.vp), style.value, style.radius, chosen["plate"], style.scheme, value, style.lettering)
    if kind.blue and style.builders:
        mark = np.sign(np.array(style.value) - 0.5) * 0.455 + 0.5
        sketch.polygon(MEEPLE_SHAPE * 0.045 + mark, style.blue, (230, 236, 240), 0.003)
    small = np.asarray(cv2.resize(sketch.sheet, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
    return printed(small, style.printing, style.seed)


def style_art(style: TileStyle, pictures: int = 2, side_px: int = SIDE_PX) -> dict[str, tuple[Image, ...]]:
    """A set of tiles in a style: so many pictures of each kind, always the same for the same style."""
    return {
        code: tuple(
            draw_styled(kind, style, np.random.default_rng((style.seed, number, copy)), side_px)
            for copy in range(pictures)
        )
        for number, (code, kind) in enumerate(TILE_KINDS.items())
    }


def training_art(rng: np.random.Generator) -> dict[str, tuple[Image, ...]]:
    """A set of tiles in a style that training may see, two pictures of each kind."""
    return style_art(training_style(rng))
