"""Many records and photos at once: a line a file, whoever does the work, and what broke off goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from companion.cli.main import main as companion
from companion.lab.__main__ import main

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def lines(path: Path) -> dict[str, dict[str, object]]:
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({one["file"] for one in found}) == len(found)
    return {Path(one["file"]).name: one for one in found}


def test_records_are_reviewed_as_each_would_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, output = tmp_path / "games", tmp_path / "reviews.jsonl"
    games.mkdir()
    short = "".join((SAMPLES / "game.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:12])
    for name in ("one.txt", "two.txt"):
        (games / name).write_text(short, encoding="utf-8")
    (games / "broken.txt").write_text("Five Tribes record 1\n", encoding="utf-8")
    (games / "notes.md").write_text("not a game", encoding="utf-8")
    words = ["review", str(games), "-o", str(output), "--playouts", "60"]
    assert main(words) == 0
    assert "3 files more, 1 of them with an error" in capsys.readouterr().err
    found = lines(output)
    assert list(found) == ["broken.txt", "one.txt", "two.txt"]
    assert found["broken.txt"]["status"] == 4 and "cut off before its set-up" in str(found["broken.txt"]["error"])
    assert companion(["review", str(games / "one.txt"), "--playouts", "60", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found["one.txt"]["result"] == found["two.txt"]["result"]
    # A line that was torn is done again, and so is a file that came later; on two cores alike.
    whole = output.read_bytes()
    output.write_bytes(whole[:-20])
    assert main([*words, "--workers", "2"]) == 0
    assert output.read_bytes() == whole


def test_photos_are_read_as_each_would_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos, output = tmp_path / "photos", tmp_path / "read.jsonl"
    photos.mkdir()
    shutil.copy(SAMPLES / "start.jpg", photos / "start.jpg")
    (photos / "empty.jpg").write_bytes(b"")
    assert main(["read", str(photos), "-o", str(output)]) == 0
    capsys.readouterr()
    found = lines(output)
    assert "error" in found["empty.jpg"]
    assert companion(["read", str(photos / "start.jpg"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found["start.jpg"]["result"]


def test_folders_without_such_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(tmp_path), "-o", str(tmp_path / "read.jsonl")]) == 4
    assert f"no file in {tmp_path} ends in .jpg" in capsys.readouterr().err
    assert not (tmp_path / "read.jsonl").exists()
    assert main(["review", str(tmp_path / "nowhere.txt"), "-o", str(tmp_path / "reviews.jsonl")]) == 0
    assert "no file" in str(lines(tmp_path / "reviews.jsonl")["nowhere.txt"]["error"])
