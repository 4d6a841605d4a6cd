"""Photos of tiles in other styles, with their truth."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.rendering.scene import Scene
from companion.lab.rendering.tile_art import standard_art
from companion.lab.tiles import frames
from companion.lab.tiles.flat import flat_example
from companion.lab.tiles.frames import ARTISAN, expansion_frame, owner_frame, shown_frame, training_frame
from companion.lab.tiles.unknown import EXPANSIONS, UNKNOWN
from companion.lab.training.dataset import NO_KIND, load_example, make_example
from companion.rules.model.board import SQUARE_NAMES
from companion.vision.board.kinds import KINDS
from companion.vision.board.rectify import rectify


@pytest.mark.slow
def test_an_example_says_which_tiles_are_none_of_the_box(tmp_path: Path) -> None:
    for seed in range(9):
        picture, truth = training_frame(seed, None)
        strange = {tile.square for tile in truth.tiles if tile.code == UNKNOWN}
        if strange:
            break
    example = make_example(picture, truth)
    assert set(np.flatnonzero(example.kinds == NO_KIND).tolist()) == strange
    assert main(["tiles", str(tmp_path), "--count", "1", "--first", str(seed)]) == 0
    stored = load_example(tmp_path / f"styles_{seed:07d}.npz")
    assert np.array_equal(stored.kinds, example.kinds) and np.array_equal(stored.jpeg, example.jpeg)


@pytest.mark.slow
def test_held_out_photos_come_with_their_truth(tmp_path: Path) -> None:
    assert main(["tiles", str(tmp_path), "--count", "1", "--held-out", "--width", "400"]) == 0
    truth = json.loads((tmp_path / "0000_style-shadow-play.json").read_text(encoding="utf-8"))
    assert truth["scenario"] == "style-shadow-play" and truth["unknown"] == [] and len(truth["rows"]) == 5
    assert main(["tiles", str(tmp_path), "--count", "1", "--held-out", "--shown", "--width", "400"]) == 0
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
    for seed, kept in ((0, False), (1, False), (2, True)):
        scenes.clear()
        owner_frame(seed, 400, kept=kept)
        shown_frame(seed, 400, kept=kept)
        table, shown = (Counter((tile.code, tile.art % 2) for tile in scene.tiles) for scene in scenes)
        assert table == shown and len(table) > len(KINDS)
        assert [tile.code for tile in scenes[0].tiles] != [tile.code for tile in scenes[1].tiles]


@pytest.mark.slow
def test_owners_in_styles_of_training_are_kept_apart_and_may_have_an_expansion(tmp_path: Path) -> None:
    command = ["--count", "1", "--first", "880000", "--kept", "--width", "400"]
    assert main(["tiles", str(tmp_path / "kept"), *command]) == 0
    assert main(["tiles", str(tmp_path / "strange"), *command, "--expansions"]) == 0
    assert main(["tiles", str(tmp_path / "shown"), *command, "--shown"]) == 0
    assert (tmp_path / "shown" / "880000_style-kept_tiles.jpg").is_file()
    plain, strange = (
        json.loads((tmp_path / folder / "880000_style-kept.json").read_text(encoding="utf-8"))
        for folder in ("kept", "strange")
    )
    assert plain["unknown"] == [] and 2 <= len(strange["unknown"]) <= 5


@pytest.mark.slow
def test_an_expansion_s_tiles_and_artisans_are_told() -> None:
    for seed in range(9):
        _, truth = expansion_frame(seed, 400, standard_art())
        strange = [SQUARE_NAMES[tile.square] for tile in truth.tiles if tile.code in EXPANSIONS]
        if strange and any(piece.colour == ARTISAN for piece in truth.pieces):
            return
    pytest.fail("no photo of nine has an expansion's tiles and pieces")


def test_flat_boards_are_examples_for_the_tile_network() -> None:
    example = flat_example(2, None)
    assert {*example.kinds.tolist()} <= {NO_KIND, *range(len(KINDS))} and NO_KIND in example.kinds
    board = rectify(example.picture, example.homography)
    assert board.std() > 10
    again = flat_example(2, None)
    assert np.array_equal(example.jpeg, again.jpeg) and np.array_equal(example.kinds, again.kinds)


def test_values_are_set_in_the_fonts_of_a_folder_too(tmp_path: Path) -> None:
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    shutil.copy(str(files("companion.printing") / "fonts" / "PTSerif-Bold.ttf"), fonts)
    (fonts / "LICENCE.txt").write_text("not a font", encoding="utf-8")
    seed = 4
    command = ["tiles", str(tmp_path / "with"), "--count", "1", "--first", str(seed), "--flat"]
    assert main([*command, "--fonts", str(fonts)]) == 0
    set_so = load_example(tmp_path / "with" / f"flat_{seed:07d}.npz")
    expected = flat_example(seed, None, [str(fonts / "PTSerif-Bold.ttf")])
    assert np.array_equal(set_so.jpeg, expected.jpeg)
    assert not np.array_equal(set_so.jpeg, flat_example(seed, None).jpeg)


@pytest.mark.parametrize("content", ["no folder", "nothing", "broken"])
def test_a_folder_without_fonts_or_with_a_broken_one_is_told(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fonts = tmp_path / "fonts"
    if content != "no folder":
        fonts.mkdir()
    if content == "broken":
        (fonts / "torn.woff").write_bytes(b"wOFF and no more")
    assert main(["tiles", str(tmp_path / "examples"), "--count", "1", "--flat", "--fonts", str(fonts)]) == 4
    said = capsys.readouterr().err
    assert str(fonts) in said and "font" in said and "Traceback" not in said
    assert ("torn.woff" in said) is (content == "broken")
    assert not (tmp_path / "examples").exists()
