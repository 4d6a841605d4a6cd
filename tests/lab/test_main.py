"""`python -m companion.lab`: its commands, and what it says when something is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.lab.__main__ import main


def test_heldout_photos_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = tmp_path / "photos"
    assert main(["heldout", str(photos), "--count", "1"]) == 0
    assert {path.suffix for path in photos.iterdir()} == {".jpg", ".json"}
    assert main(["accuracy", str(photos)]) == 0
    assert "| confidence | tiles | right |" in capsys.readouterr().out


def test_what_cannot_be_measured_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", str(tmp_path / "nowhere")]) == 4
    assert "nowhere is not a folder" in capsys.readouterr().err
    assert main(["accuracy", str(tmp_path)]) == 4
    assert "no photo with its truth" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "calibrate", "owners", "embeddings", "covering"])
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
    assert main(["render", str(tmp_path / "out"), "--ordinary", "--usual"]) == 2
    assert "choose one" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["render", "OUT", "--own", "3"],
        ["render", "OUT", "--count", "-3"],
        ["render", "OUT", "--art", "nothing.npz"],
        ["heldout", "OUT", "--count", "0"],
        ["heldout", "OUT", "--first", "-1"],
        ["train", "OUT", "OUT", "--network", "nonsense"],
        ["train", "OUT", "OUT", "--batch", "0"],
        ["imagenet", "none.pth", "OUT"],
        ["fit", "OUT/x.json"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_told_before_anything_is(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([word.replace("OUT", "out") for word in options]) == 2
    assert capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_tile_art_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    art = tmp_path / "art.npz"
    for content in (b"", b"text", b"PK\x03\x04"):
        art.write_bytes(content)
        assert main(["render", str(tmp_path / "out"), "--count", "1", "--art", str(art)]) == 4
        assert f"{art} is no tile art" in capsys.readouterr().err


def test_what_the_system_refuses_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert main(["heldout", str(tmp_path / "file" / "out"), "--count", "1"]) == 4
    assert f"companion.lab: {tmp_path / 'file' / 'out'}: Not a directory" in capsys.readouterr().err


def test_without_pytorch_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "companion.lab.training.export", raising=False)
    assert main(["export", str(tmp_path), str(tmp_path / "out")]) == 3
    assert "pip install -e '.[lab]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
