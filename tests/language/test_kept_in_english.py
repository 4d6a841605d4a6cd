"""Files, records, codes and JSON are the same byte for byte in any language of the run."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.language.glossary import LANGUAGES

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
IMPOSSIBLE = 'board = """\n' + "O8@K O8 O8 O8 O8 O8\n" * 5 + '"""\nrow = ["ivory", "ivory", "ivory"]\n'

PRINTED: dict[str, tuple[str, ...]] = {
    "a position's JSON": ("show", "mid.toml", "--json"),
    "a position file": ("show", "mid.toml", "--toml"),
    "a code": ("show", "mid.toml", "--code"),
    "faults": ("check", "impossible.toml", "--json"),
    "a result": ("score", "end.toml", "--json"),
    "a set-up": ("setup", "--players", "3", "--seed", "5", "--json"),
    "what is there": ("doctor", "--json"),
    "paints": ("calibrate", "--show", "--json"),
}
PLAYED = ("3", "0", "hint", "c3", "nonsense", "undo", "quit")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("mid.toml", "end.toml", "mid.jpg"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    (tmp_path / "impossible.toml").write_text(IMPOSSIBLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow) if case == "what is there" else case for case in PRINTED]
)
def test_what_programs_read(case: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = set()
    for language in (*LANGUAGES, "qps"):
        main([*PRINTED[case], "--lang", language])
        said.add(capsys.readouterr().out)
    assert len(said) == 1


def _saved(write: Callable[[str], str], table: Path) -> set[bytes]:
    """What a file holds that is written in each language."""
    contents = set()
    for language in (*LANGUAGES, "qps"):
        path = table / write(language)
        contents.add(path.read_bytes())
        path.unlink()
    return contents


@pytest.mark.slow
def test_a_position_that_was_read_and_its_doubts(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = set()

    def write(language: str) -> str:
        assert main(["read", "mid.jpg", "-o", "read.toml", "--json", "--lang", language]) == 0
        said.add(capsys.readouterr().out)
        return "read.toml"

    assert len(_saved(write, table)) == 1
    (json,) = said
    assert '"doubts"' in json


def test_a_score_sheet(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("Anna, Boris", "41 gold, 2 fish", "", "", "S15 O8", "30 gold", "", "1", "")

    def write(language: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["score", "--ask", "-o", "sheet.toml", "--lang", language]) == 0
        return "sheet.toml"

    (content,) = _saved(write, table)
    assert b"Anna" in content


def test_a_record(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(language: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in PLAYED)))
        main(["play", "game.txt", "--players", "2", "--seed", "7", "--lang", language])
        return "game.txt"

    (content,) = _saved(write, table)
    assert b"round 1: " in content
