"""`companion read` on a board with an expansion's tiles and meeples: said to be unknown, where they lie."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from companion.lab.tiles.unknown import EXPANSIONS

from companion.cli.main import main
from companion.lab.rendering.tile_art import standard_art
from companion.lab.tiles.frames import ARTISAN, expansion_frame
from companion.rules.model.board import SQUARE_NAMES

SEED = 100_008


@pytest.mark.slow
def test_an_expansion_s_tiles_and_meeples_are_told_where_they_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, truth = expansion_frame(SEED, 1200, standard_art())
    photo, drawn = tmp_path / "board.jpg", tmp_path / "drawn.jpg"
    cv2.imwrite(str(photo), picture)
    assert main(["read", str(photo), "--json", "--overlay", str(drawn)]) == 0
    shown = json.loads(capsys.readouterr().out)
    strange = {SQUARE_NAMES[tile.square] for tile in truth.tiles if tile.code in EXPANSIONS}
    artisans = {SQUARE_NAMES[p.square] for p in truth.pieces if p.colour == ARTISAN and p.square is not None}
    assert strange and artisans
    told = {name for name, tile in shown["tiles"].items() if any("unknown tile" in doubt for doubt in tile["doubts"])}
    purple = {name for name, tile in shown["tiles"].items() if any("purple meeple" in d for d in tile["doubts"])}
    assert told and told <= strange
    assert len(purple & artisans) >= 0.7 * len(artisans) and purple <= artisans | strange
    for name in told:
        assert shown["tiles"][name]["confidence"] <= 0.05
        assert f"an unknown tile at {name} (an expansion's?)" in shown["tiles"][name]["doubts"]
    assert any("none of the base game's thirty" in note for note in shown["notes"])
    assert drawn.stat().st_size > 10_000
