"""Tiles of other styles tell what the game's tiles tell: the value, its colour, what the tile does; photos of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.rendering.scene import Scene
from companion.lab.rendering.textures import Image
from companion.lab.tiles import frames
from companion.lab.tiles.numerals import NUMERALS, Lettering, set_figures
from companion.lab.tiles.plates import PLATES, SCHEMES, value_plate
from companion.lab.tiles.sketch import Sketch
from companion.lab.tiles.styles import DESIGNS, style_art, tile_style
from companion.lab.tiles.symbols import BADGES, INKS, SYMBOLS, action_badge
from companion.rules.model.components import TILE_KINDS, TileAction

SIDE = 96
FIGURES = sorted({str(kind.vp) for kind in TILE_KINDS.values()})


def blank() -> Sketch:
    return Sketch(200, np.random.default_rng(0), (200, 200, 200))


def apart(first: Image, second: Image) -> float:
    return float(np.abs(first.astype(int) - second).mean())


def test_every_kind_of_a_style_is_drawn_differently(subtests: pytest.Subtests) -> None:
    for name in DESIGNS:
        with subtests.test(msg=name):
            art = style_art(tile_style(name, 1), SIDE)
            assert list(art) == list(TILE_KINDS)
            assert min(apart(art[code][0], art[other][0]) for code, other in combinations(art, 2)) > 1.5


def test_every_hand_sets_every_value_differently(subtests: pytest.Subtests) -> None:
    for family in NUMERALS:
        with subtests.test(msg=family):
            sheets = []
            for text in FIGURES:
                sketch = blank()
                set_figures(sketch, text, (0.5, 0.5), 0.4, Lettering(family, 1.0, 0.05, 1.0), (0, 0, 0))
                dark = np.nonzero(sketch.sheet.min(axis=2) < 100)
                # As tall as asked for, and in the middle.
                assert dark[0].max() - dark[0].min() == pytest.approx(80, abs=12)
                assert (dark[1].max() + dark[1].min()) / 2 == pytest.approx(100, abs=6)
                sheets.append(sketch.sheet)
            assert min(apart(sheet, other) for sheet, other in combinations(sheets, 2)) > 1


def test_rules_1_1_red_and_blue_values(subtests: pytest.Subtests) -> None:
    for plate, scheme in product(PLATES, SCHEMES):
        with subtests.test(msg=f"{plate} {scheme}"):
            seen = []
            for colour in ((40, 30, 150), (160, 80, 20)):
                sketch = blank()
                value_plate(
                    sketch, "6", (0.5, 0.5), 0.15, plate, scheme, colour, Lettering("serif-bold", 1.0, 0.0, 1.0)
                )
                blue, _, red = (sketch.sheet.astype(int) - 200).reshape(-1, 3).mean(0)
                seen.append(red - blue)
            assert seen[0] > seen[1] + 1


def test_rules_6_the_sign_tells_the_action(subtests: pytest.Subtests) -> None:
    for symbols, badge in product(SYMBOLS, BADGES):
        with subtests.test(msg=f"{symbols} {badge}"):
            signs = []
            for action in TileAction:
                sketch = blank()
                action_badge(sketch, action, (0.5, 0.5), 0.2, badge, symbols, next(iter(INKS)))
                signs.append(sketch.sheet)
            assert min(apart(sign, other) for sign, other in combinations(signs, 2)) > 1


def test_photos_come_with_their_truth_and_their_owners_empty_tiles(tmp_path: Path) -> None:
    assert main(["tiles", str(tmp_path), "--count", "1", "--width", "400"]) == 0
    truth = json.loads((tmp_path / "0000_style-shadow-play.json").read_text(encoding="utf-8"))
    assert truth["scenario"] == "style-shadow-play" and len(truth["rows"]) == 5
    assert main(["tiles", str(tmp_path), "--count", "1", "--shown", "--width", "400"]) == 0
    shown = json.loads((tmp_path / "0000_style-shadow-play_tiles.json").read_text(encoding="utf-8"))
    # The same owner's tiles, laid anew, with nothing on them.
    assert shown["pieces"] == [] and shown["rows"] != truth["rows"]
    assert (tmp_path / "0000_style-shadow-play_tiles.jpg").is_file()


def test_an_owner_shows_the_very_tiles_that_lie_on_his_table(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes: list[Scene] = []

    def gathered(scene: Scene, *_: object) -> tuple[None, None]:
        scenes.append(scene)
        return None, None

    monkeypatch.setattr(frames, "render", gathered)
    for seed in (0, 1):
        scenes.clear()
        frames.owner_frame(seed, 400)
        frames.shown_frame(seed, 400)
        table, shown = (Counter((tile.code, tile.art % 2) for tile in scene.tiles) for scene in scenes)
        assert table == shown and len(table) > len(TILE_KINDS)
        assert [tile.code for tile in scenes[0].tiles] != [tile.code for tile in scenes[1].tiles]
