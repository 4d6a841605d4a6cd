"""`python -m companion.lab`: its commands, and what it says when something is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.lab.__main__ import main


def test_it_has_a_command_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    commands = (
        "render heldout world tiles accuracy several art imagenet restore train average export calibrate cards hands "
        "coins positions judge owners likeness unknown"
    )
    for name in commands.split():
        assert f"│ {name} " in shown


def test_heldout_photos_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = tmp_path / "photos"
    assert main(["heldout", str(photos), "--count", "1", "--own", "1"]) == 0
    assert {path.suffix for path in photos.iterdir()} == {".jpg", ".json"}
    rows, plot = tmp_path / "rows.csv", tmp_path / "plot.svg"
    assert main(["accuracy", str(photos), "--csv", str(rows), "--plot", str(plot)]) == 0
    assert "| confidence | tiles | right |" in capsys.readouterr().out
    assert len(rows.read_text(encoding="utf-8").splitlines()) == 2
    assert "photos, 30 tiles" in plot.read_text(encoding="utf-8")


def test_what_cannot_be_measured_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", str(tmp_path / "nowhere")]) == 4
    assert "nowhere is not a folder" in capsys.readouterr().err
    assert main(["accuracy", str(tmp_path)]) == 4
    assert "no photo with its truth" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "calibrate", "unknown", "owners", "likeness"])
def test_a_folder_without_examples_is_named_at_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples, target = tmp_path / "examples", tmp_path / "target"
    assert main([command, str(examples), str(target)]) == 4
    assert f"{examples} is not a folder" in capsys.readouterr().err
    examples.mkdir()
    assert main([command, str(examples), str(target)]) == 4
    assert f"{examples} holds no example" in capsys.readouterr().err
    (examples / "owner_traced_0000001.npz").symlink_to(tmp_path / "moved.npz")
    assert main([command, str(examples), str(target)]) == 4
    told = capsys.readouterr().err
    assert "owner_traced_0000001.npz is a link to" in told
    assert "moved.npz, which is not there" in told
    assert not target.exists()


def test_two_sorts_of_photos_are_not_drawn_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(tmp_path / "out"), "--ordinary", "--alike"]) == 2
    assert "choose one" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_without_pytorch_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "companion.lab.training.export", raising=False)
    assert main(["export", str(tmp_path), str(tmp_path / "out")]) == 3
    assert "pip install -e '.[lab]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
