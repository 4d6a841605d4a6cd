"""`companion templates`: all originals are listed, and a copy of one prints as the original does."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.installation import template_path
from companion.printing.core.template import originals

FOLDER = template_path("setup_card.toml").parent


def test_all_templates_are_listed_with_the_commands_that_print_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["templates"]) == ExitStatus.DONE
    lines = capsys.readouterr().out.splitlines()
    assert {path.stem for path in FOLDER.glob("*.toml")} == {one.name for one in originals()}
    for one in originals():
        assert one.commands, f"the first line of {one.path.name} names no command"
        (line,) = (line for line in lines if line.split()[:1] == [one.name])
        assert all(command.split()[1] in line for command in one.commands)
    assert max(map(len, lines)) <= 80


def test_a_copy_is_the_original_and_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["templates", "copy", "setup_card"]) == ExitStatus.DONE
    copy = tmp_path / "setup_card.toml"
    assert copy.read_bytes() == (FOLDER / "setup_card.toml").read_bytes()
    assert main(["setup", "--seed", "1", "--template", "setup_card.toml", "-o", "own.pdf"]) == ExitStatus.DONE
    assert main(["setup", "--seed", "1", "-o", "card.pdf"]) == ExitStatus.DONE
    assert (tmp_path / "own.pdf").read_bytes() == (tmp_path / "card.pdf").read_bytes()


def test_a_copy_takes_no_other_files_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("kept", encoding="utf-8")
    assert main(["templates", "copy", "setup_card.toml", "-o", str(mine)]) == ExitStatus.USAGE
    assert "--force" in capsys.readouterr().err and mine.read_text(encoding="utf-8") == "kept"
    assert main(["templates", "copy", "setup_card.toml", "-o", str(mine), "--force"]) == ExitStatus.DONE
    assert mine.read_bytes() == (FOLDER / "setup_card.toml").read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["copy"], "name the template to copy: "),
        (["copy", "poster"], "no template 'poster'"),
        (["copy", "../pyproject"], "no template"),
        (["list", "setup_card"], "takes no name"),
        (["copy", "setup_card", "-o", "cards.txt"], ".toml"),
        (["burn"], "burn"),
    ],
)
def test_what_there_is_not_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["templates", *words]) == ExitStatus.USAGE
    assert message in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
