from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.notation.tokens import parse_board

BOARD = """
O8:ggw M4:ybr M4 V5:w@P#1 S6:bb V5
V5:r O8@K^1 S12:yyw M6:g O8 O8:bg
O8 M4:ww M6 M6:y M6:bb M6:r
V5:g S10 O8:yg M6:w M6 M6
M4:r S15:b S6 V5 S6@P S6
"""


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "board.toml"
    path.write_text(f'board = """{BOARD}"""\n', encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def quick_art(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.lab.rendering import render, tile_art

    small = tile_art.standard_art(1, 64)
    monkeypatch.setattr(render, "standard_art", lambda: small)


def test_a_photo_and_its_truth(position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo, truth = tmp_path / "out.jpg", tmp_path / "out.json"
    assert main(["render", position, "-o", str(photo), "--width", "480", "--truth", str(truth)]) == ExitStatus.DONE
    picture = np.asarray(cv2.imdecode(np.frombuffer(photo.read_bytes(), np.uint8), cv2.IMREAD_COLOR))
    assert picture.shape == (360, 480, 3)
    document = json.loads(truth.read_text(encoding="utf-8"))
    assert parse_board("\n".join(document["rows"])) == parse_board(BOARD)
    assert sum(piece["tile"] == "a1" for piece in document["pieces"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "out.jpg" in said.err and "out.json" in said.err


def test_the_same_seed_writes_the_same_file(position: str, tmp_path: Path) -> None:
    first, again, other = (tmp_path / f"{name}.png" for name in "abc")
    for path, seed in ((first, "4"), (again, "4"), (other, "5")):
        assert main(["render", position, "-o", str(path), "--width", "400", "--seed", seed]) == ExitStatus.DONE
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["-o", "photo.gif"], ".png"),
        (["-o", "x.jpg", "--scenario", "moon"], "topdown"),
        (["-o", "x.jpg", "--width", "9"], "400"),
    ],
    ids=["suffix", "scenario", "width"],
)
def test_wrong_usage(
    arguments: list[str],
    word: str,
    position: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["render", position, *arguments]) == ExitStatus.USAGE
    assert word in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["board.toml"]


def test_nothing_is_overwritten_unasked(position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "mine.jpg"
    photo.write_text("mine")
    assert main(["render", position, "-o", str(photo), "--width", "400"]) == ExitStatus.USAGE
    assert photo.read_text() == "mine"
    assert "--force" in capsys.readouterr().err
    assert main(["render", position, "-o", str(photo), "--width", "400", "--force"]) == ExitStatus.DONE
    assert photo.read_bytes()[:2] == b"\xff\xd8"


def test_an_impossible_board_is_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "x.jpg"
    path = tmp_path / "bad.txt"
    path.write_text(BOARD.replace("M4:ybr", "S10:ybr"), encoding="utf-8")
    assert main(["render", str(path), "-o", str(photo)]) == ExitStatus.IMPOSSIBLE
    assert not photo.exists()


@pytest.mark.parametrize(
    "words", [["render", "board.toml", "-o", "x.jpg"], ["accuracy", "samples"]], ids=lambda w: w[0]
)
def test_without_the_source_what_it_brings_is_named(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("companion.lab")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "companion.lab", None)
    assert main(words) == ExitStatus.MISSING
    printed = capsys.readouterr()
    assert f"companion {words[0]} comes with the program's source" in printed.err and printed.out == ""
