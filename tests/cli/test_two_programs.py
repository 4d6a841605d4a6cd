"""Two programs on one record: the second is told, and nobody's lines are lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.main import main

BEGIN = ["--players", "2", "--seed", "7"]


def test_a_second_play_on_one_record_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.txt"
    words = [sys.executable, "-m", "companion", "play", str(record), *BEGIN]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        assert first.stdin is not None and first.stdout is not None
        assert "Recording to" in first.stdout.readline()
        assert main(["play", str(record), "--resume"]) == 4
        assert "in use by another companion" in capsys.readouterr().err
        first.communicate("0\nquit\n", timeout=60)
    assert first.returncode == 0


def test_lines_that_somebody_else_wrote_meanwhile_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.txt"
    words = [sys.executable, "-m", "companion", "play", str(record), *BEGIN]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        assert first.stdin is not None and first.stdout is not None
        assert "Recording to" in first.stdout.readline()
        edited = record.read_text(encoding="utf-8") + "# by hand\n"
        record.write_text(edited, encoding="utf-8")
        _, told = first.communicate("# typed\n0\nquit\n", timeout=60)
    assert first.returncode == 4
    assert "another program has changed" in told
    assert record.read_text(encoding="utf-8") == edited
