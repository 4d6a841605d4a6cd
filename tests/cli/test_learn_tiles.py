"""`companion learn`: an owner's thirty tiles from one photo, used from then on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.cli.commands.doctor import check_own_tiles
from companion.cli.main import main
from companion.notation.files import parse_position
from companion.rules.model.components import TILE_KINDS
from companion.vision.board.owner_tiles import SWITCH, OwnerTiles, load_tiles, own_tiles, save_tiles, tiles_path
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import CROP_PX
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.samples import SAMPLES


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: Patch) -> Path:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(name: str) -> str:
    board = parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8")).board
    codes = [tile.kind.code for tile in board]
    return " / ".join(" ".join(codes[6 * row : 6 * row + 6]) for row in range(5))


@pytest.mark.slow
def test_tiles_are_learnt_used_and_dropped(capsys: Capsys) -> None:
    before = printed_json(capsys, ["read", str(SAMPLES / "mid.jpg")])
    shown = ran(capsys, ["learn", str(SAMPLES / "start.jpg"), "--json"])
    assert json.loads(shown.out)["tiles"] == rows_of("start").replace("/", "").split()
    assert "your tiles are saved in" in " ".join(shown.err.split())
    learnt = own_tiles({})
    assert learnt is not None and learnt.kinds == load_tiles(tiles_path()).kinds  # type: ignore[union-attr]
    after = printed_json(capsys, ["read", str(SAMPLES / "mid.jpg")])
    assert [t["token"].split(":")[0][:3] for t in after["tiles"].values()] == [
        t["token"].split(":")[0][:3] for t in before["tiles"].values()
    ]
    assert own_tiles({SWITCH: "0"}) is None
    assert main(["learn", "--forget"]) == 0
    assert not tiles_path().exists() and own_tiles({}) is None


def test_tiles_that_are_known_are_shown_and_damage_is_named(capsys: Capsys) -> None:
    box = tuple(TILE_KINDS[code] for code in rows_of("start").replace("/", "").split())
    crops = np.zeros((len(box), CROP_PX, CROP_PX, 3), np.uint8)
    save_tiles(tiles_path(), OwnerTiles(crops, tuple(KINDS.index(kind) for kind in box), (200.0, 200.0, 200.0)))
    assert "your thirty tiles have been learnt" in ran(capsys, ["learn", "--show"]).out
    document = printed_json(capsys, ["learn", "--show"])
    assert document == {"tiles": [kind.code for kind in box]}
    assert check_own_tiles({}).found == f"in use, {tiles_path()}"
    tiles_path().write_bytes(b"PK")
    assert main(["learn", "--show"]) == 4


def test_wrong_rows_leave_nothing_behind(capsys: Capsys) -> None:
    rows = rows_of("start").split(" / ")
    wrong = " / ".join([*rows[2:], *rows[:2]])
    assert main(["learn", str(SAMPLES / "start.jpg"), "--rows", wrong]) == 4
    assert "of 27 in the photo look" in " ".join(capsys.readouterr().err.split())
    assert not tiles_path().exists()


def test_1_1_rows_that_the_box_cannot_make_are_refused(capsys: Capsys) -> None:
    rows = rows_of("start").replace("S15", "S12")
    told = " ".join(ran(capsys, ["learn", str(SAMPLES / "start.jpg"), "--rows", rows], 5).err.split())
    assert "S12 tiles" in told and "(rules 1.1)" in told
    assert not tiles_path().exists()


@pytest.mark.parametrize(
    "options", [[], ["--rows", "O8"], ["--show", "--rows", "O8"], ["--show", "--forget"], ["x.jpg", "--show"]]
)
def test_options_that_do_not_go_together(options: list[str], capsys: Capsys) -> None:
    assert "companion:" in ran(capsys, ["learn", *options], 2).err
