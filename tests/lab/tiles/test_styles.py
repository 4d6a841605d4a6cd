"""Tiles of other styles tell what the game's tiles tell: the value, its colour, what the tile does."""

from __future__ import annotations

from importlib.resources import files
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from companion.lab.rendering.sketch import Sketch
from companion.lab.rendering.textures import Image
from companion.lab.tiles.catalogue import held_out_styles
from companion.lab.tiles.numerals import NUMERALS, Lettering, set_figures
from companion.lab.tiles.plates import PLATES, SCHEMES, value_plate
from companion.lab.tiles.styles import draw_styled, held_out_style, style_art, training_style
from companion.lab.tiles.symbols import BADGES, INKS, SYMBOLS, action_badge
from companion.lab.tiles.unknown import EXPANSIONS, UNKNOWNS, draw_unknown
from companion.rules.model.components import TILE_KINDS, TileAction

SIDE = 96
FONT = Path(str(files("companion.printing"))) / "fonts" / "PTSans-Bold.ttf"
FIGURES = sorted({str(kind.vp) for kind in TILE_KINDS.values()})


def blank() -> Sketch:
    return Sketch(200, np.random.default_rng(0), (200, 200, 200))


def apart(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(int) - other).mean())


@pytest.mark.parametrize("name", list(held_out_styles()))
def test_every_kind_of_a_held_out_style_is_drawn_differently(name: str) -> None:
    art = style_art(held_out_style(name, 1), 1, SIDE)
    assert list(art) == list(TILE_KINDS)
    for one, other in combinations(art, 2):
        assert apart(art[one][0], art[other][0]) > 1.5


def test_a_training_style_is_the_same_set_each_time_and_another_is_another() -> None:
    first, second = (training_style(np.random.default_rng(seed)) for seed in (1, 2))
    again = training_style(np.random.default_rng(1))
    assert all(apart(style_art(first, 1, SIDE)[c][0], style_art(again, 1, SIDE)[c][0]) == 0 for c in ("O8", "S15"))
    assert apart(style_art(first, 1, SIDE)["O8"][0], style_art(second, 1, SIDE)["O8"][0]) > 5


@pytest.mark.parametrize("family", NUMERALS)
def test_every_hand_sets_every_value_differently(family: str) -> None:
    sheets = []
    for text in FIGURES:
        sketch = blank()
        set_figures(sketch, text, (0.5, 0.5), 0.4, Lettering(family, 1.0, 0.05, 1.0), (0, 0, 0))
        dark = np.nonzero(sketch.sheet.min(axis=2) < 100)
        # As tall as asked for, and in the middle.
        assert dark[0].max() - dark[0].min() == pytest.approx(80, abs=12)
        assert (dark[1].max() + dark[1].min()) / 2 == pytest.approx(100, abs=6)
        sheets.append(sketch.sheet)
    for one, other in combinations(sheets, 2):
        assert apart(one, other) > 1


def test_a_font_file_sets_figures_too() -> None:
    sheets = []
    for family in (str(FONT), "sans-bold"):
        sketch = blank()
        set_figures(sketch, "15", (0.5, 0.5), 0.4, Lettering(family, 1.0, 0.0, 0.8), (0, 0, 0))
        sheets.append(sketch.sheet)
    assert apart(*sheets) == 0


@pytest.mark.parametrize("plate", PLATES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_rules_1_1_red_and_blue_values(plate: str, scheme: str) -> None:
    seen = []
    for colour in ((40, 30, 150), (160, 80, 20)):
        sketch = blank()
        value_plate(sketch, "6", (0.5, 0.5), 0.15, plate, scheme, colour, Lettering("sans-bold", 1.0, 0.0, 1.0))
        blue, _, red = (sketch.sheet.astype(int) - 200).reshape(-1, 3).mean(0)
        seen.append(red - blue)
    assert seen[0] > seen[1] + 1


@pytest.mark.parametrize("symbols", SYMBOLS)
@pytest.mark.parametrize("badge", BADGES)
def test_rules_6_the_sign_tells_the_action(symbols: str, badge: str) -> None:
    signs = {}
    for action in TileAction:
        sketch = blank()
        action_badge(sketch, action, (0.5, 0.5), 0.2, badge, symbols, next(iter(INKS)))
        signs[action] = sketch.sheet
    for one, other in combinations(signs.values(), 2):
        assert apart(one, other) > 1


@pytest.mark.parametrize("family", [*UNKNOWNS, *EXPANSIONS])
def test_tiles_of_no_kind_look_like_none(family: str) -> None:
    rng = np.random.default_rng(7)
    style = training_style(rng)
    art = style_art(style, 1, SIDE)
    drawn = {**UNKNOWNS, **EXPANSIONS}[family](style, art, rng, SIDE)
    assert drawn.shape == (SIDE, SIDE, 3)
    assert min(apart(drawn, pictures[0]) for pictures in art.values()) > 3


def test_unknown_tiles_are_of_many_sorts() -> None:
    rng = np.random.default_rng(8)
    style = training_style(rng)
    art = style_art(style, 1, SIDE)
    drawn = [draw_unknown(style, art, rng, SIDE) for _ in range(6)]
    assert min(apart(one, other) for one, other in combinations(drawn, 2)) > 0.5
    assert max(apart(one, other) for one, other in combinations(drawn, 2)) > 10


def test_a_scrambled_set_keeps_value_and_sign() -> None:
    styles = (training_style(np.random.default_rng(seed)) for seed in range(60))
    style = next(one for one in styles if one.scrambled and one.rim == "none" and one.printing == "as-drawn")
    one, other = (draw_styled(TILE_KINDS["O8"], style, np.random.default_rng(seed), SIDE) for seed in (1, 2))
    x, y = (round(SIDE * place) for place in style.value)
    reach = round(SIDE * style.radius * 0.6)
    here = (slice(max(y - reach, 0), y + reach), slice(max(x - reach, 0), x + reach))
    assert apart(one[here], other[here]) < 12
