"""What reaches the terminal: no control characters from outside, and nothing that its encoding cannot show."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from companion.cli.main import main
from companion.cli.output import console, note, print_json, print_text
from companion.cli.progress import Progress
from companion.errors import printable
from tests.cli.ran import Capsys, Patch
from tests.notation.examples import EXAMPLE_TOML

HOSTILE = "\x1b]0;owned\x07\x9b31m\r\x08\u202eevil\u2066\x00\u2028"
CLEAN = "]0;owned31mevil"


def controls(text: str) -> list[str]:
    return [letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Zl") and letter not in "\n\t"]


def test_printable_keeps_the_letters_of_all_languages() -> None:
    kept = "Größe Їжак 낙타 ●★ 👨\u200d👩 \t\n"
    assert printable(kept) == kept
    assert printable(HOSTILE) == CLEAN
    assert printable("a\udcffb") == "a\ufffdb"


def test_a_console_prints_no_control_characters(monkeypatch: Patch, capsys: Capsys) -> None:
    for forced in (False, True):
        if forced:
            monkeypatch.setenv("FORCE_COLOR", "1")
        table = Table("head" + HOSTILE)
        table.add_row(Text(HOSTILE, style="bold red"))
        table.add_row("[bold]" + HOSTILE)
        console().print(table, HOSTILE, Text(HOSTILE, style="red"), sep="\n", soft_wrap=True)
        told = capsys.readouterr().out
        assert controls(re.sub(r"\x1b\[[0-9;]*m", "", told)) == []
        assert f"[bold]{CLEAN}" in told
        assert ("\x1b[31m" in told) is forced


def test_colons_and_brackets_from_outside_mean_nothing(capsys: Capsys) -> None:
    console().print("[red]:smile: [link=x]y[/link]")
    assert capsys.readouterr().out == "[red]:smile: [link=x]y[/link]\n"


def test_notes_results_and_progress_are_cleaned(capsys: Capsys) -> None:
    note(HOSTILE)
    print_text(HOSTILE)
    assert capsys.readouterr() == (CLEAN + "\n", CLEAN + "\n")
    stream = io.StringIO()
    line = Progress(stream)
    line._shown = True
    line.say(HOSTILE)
    assert stream.getvalue() == f"\r\x1b[2K{CLEAN} …"


def test_a_line_of_progress_stays_one_line_in_hangul(monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = io.StringIO()
    line = Progress(stream)
    line._shown = True
    line.say("생각 중 " * 10)
    assert 36 <= cell_len(stream.getvalue().removeprefix("\r\x1b[2K")) <= 39
    assert stream.getvalue().endswith("…")


def test_json_is_whole_and_harmless_in_every_encoding(monkeypatch: Patch) -> None:
    document = {HOSTILE: ["Їжак", "\udcff", "\U000e0041", "\x7f"]}
    for encoding in ("utf-8", "latin-1"):
        written = io.BytesIO()
        stream = io.TextIOWrapper(written, encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stream)
        print_json(document)
        stream.flush()
        text = written.getvalue().decode(encoding)
        assert controls(text) == [] and json.loads(text) == document
        assert ("Їжак" in text) is (encoding == "utf-8")


WORDS: list[list[str]] = [
    ["show", HOSTILE],
    ["show", "FT1-" + HOSTILE],
    [HOSTILE],
    ["--" + HOSTILE],
    ["sheet", "--paper", HOSTILE],
    ["sheet", "--names", HOSTILE + ",B", "-o", "pad.pdf"],
    ["sheet", "--lang", HOSTILE],
    ["sheet", "--template", HOSTILE],
    ["score", "table.toml", "--names", f"pink={HOSTILE}"],
    ["score", "table.toml", "--names", f"{HOSTILE}=Anna"],
    ["play", "game.txt", "--players", "2", "--seed", "1", "--names", f"black={HOSTILE}", "--place", HOSTILE],
    ["read", HOSTILE],
    ["read", "table.toml", "--goods", HOSTILE],
    ["hint", "hostile.toml"],
    ["check", "hostile.json"],
    ["replay", "hostile.txt"],
    ["setup", "--template", "hostile.toml", "-o", "card.pdf"],
    ["edit", "-o", "new.toml"],
    ["score", "--ask", "--names", "\udc9b31,\udcff"],
    ["score", "table.toml", "--bgstats", "--names", "pink=\udc9b,black=\udcff"],
    ["play", "game.txt", "--players", "2", "--seed", "1", "--names", "\udc9b31,B", "--place", "\udcff"],
]


def test_no_command_lets_control_characters_through(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    escaped = json.dumps(HOSTILE)
    Path("hostile.toml").write_text(EXAMPLE_TOML.replace('"pink"', escaped) + f"{escaped} = {escaped}\n", "utf-8")
    Path("hostile.json").write_text(f'{{"board": {escaped}, {escaped}: {escaped}}}', "utf-8")
    Path("hostile.txt").write_text(f"companion game 1\nplace: {HOSTILE}\nblack: {HOSTILE}\n{HOSTILE}\n", "utf-8")
    for words in WORDS:
        with subtests.test(msg=" ".join(words)[:30].encode("ascii", "replace").decode()):
            monkeypatch.setattr(sys, "stdin", io.StringIO(f"{HOSTILE}\nname {HOSTILE}\nquit\n"))
            assert main(words) != 1, capsys.readouterr().err
            told = capsys.readouterr()
            assert controls(told.out) == [] and controls(told.err) == []


def test_a_terminal_that_cannot_show_a_character_gets_another(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "show", "table.toml"],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "LC_ALL": "C"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    done.stdout.decode("latin-1")


def test_all_that_is_printed_goes_through_one_place() -> None:
    """Only these files write to a stream or build a console; the others call them."""
    writers = {"output.py", "main.py", "progress.py"}
    folder = Path(__file__).resolve().parents[2] / "companion" / "cli"
    for path in folder.rglob("*.py"):
        if path.name in writers or path.name == "app.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                banned = {"print", "typer.echo", "sys.stdout.write", "sys.stderr.write", "click.echo"}
                assert called not in banned, (
                    f"{path.name}, line {node.lineno}: {called}; use note, print_text or a console"
                )
