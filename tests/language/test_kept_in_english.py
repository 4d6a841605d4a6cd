"""Files, records, codes and JSON are the same, byte for byte, in any language of the run."""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from companion.cli.main import main
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
IMPOSSIBLE = 'board = """\n' + "O8@K O8 O8 O8 O8 O8\n" * 5 + '"""\nrow = ["ivory", "ivory", "ivory"]\n'
LANGUAGES = ("en", "ru")
"""English, and a language that writes numbers in another way."""

PRINTED = {
    "show mid.toml --json": '"board"',
    "show mid.toml --code": "FT1-",
    "check impossible.toml --json": '"message"',
    "score end.toml --json": '"winners"',
    "setup --players 3 --seed 5 --json": '"seed"',
    "hint mid.toml --playouts 60 --json": '"why"',
    "bid start.toml --playouts 60 --json": '"for"',
    "moves mid.toml --top 3 --json": '"moves"',
    "replay game.txt --to 12 --json": '"next"',
}
SLOW = {
    "doctor --json": '"remedy"',
    "review game.txt --playouts 60 --json": '"luck"',
    "read mid.jpg --json": '"doubts"',
}
WRITTEN = {
    "play written --players 2 --seed 7": ("3|0|c3|nonsense|undo|quit", "round 1: "),
    "score --ask -o written.toml": ("Anna, Boris|41 gold, 2 fish|||S15 O8|30 gold||1|", "Anna"),
}
"""Commands that write a file, what is typed into them, and something that is in the file."""


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("start.toml", "mid.toml", "end.toml", "mid.jpg"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    shutil.copy(THREE_ROUNDS, tmp_path / "game.txt")
    (tmp_path / "impossible.toml").write_text(IMPOSSIBLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("commands", [PRINTED, pytest.param(SLOW, marks=pytest.mark.slow)], ids=["quick", "slow"])
def test_what_scripts_read(
    commands: dict[str, str], capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    for command, part in commands.items():
        with subtests.test(command):
            outputs = set()
            for language in LANGUAGES:
                main([*shlex.split(command), "--lang", language])
                outputs.add(capsys.readouterr().out)
            assert len(outputs) == 1 and part in outputs.pop()


def test_files(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for command, (typed, part) in WRITTEN.items():
        contents = set()
        with subtests.test(command):
            for language in LANGUAGES:
                monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed.split("|"))))
                main([*shlex.split(command), "--lang", language])
                (path,) = Path().glob("written*")
                contents.add(path.read_text(encoding="utf-8"))
                path.unlink()
            (content,) = contents
            assert part in content
