"""The README: its commands run as they stand, its pictures and links are there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.main import main

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")])
LARGEST_PICTURE = 400_000

_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(companion [a-z][^`]*)`")


def _words(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


def _commands() -> Iterator[str]:
    """The lines of code blocks that run the program."""
    for block in _BLOCK.findall((PROJECT / "README.md").read_text(encoding="utf-8")):
        yield from (line for line in block.splitlines() if line.startswith("companion "))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the samples in it, as a reader has them."""
    (tmp_path / "samples").symlink_to(PROJECT / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_commands_in_code_blocks_run_in_their_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = list(_commands())
    assert len(commands) >= 10
    for command in commands:
        assert main(_words(command)) == 0, f"{command}\n{capsys.readouterr().err}"


def test_every_command_of_the_program_is_in_the_readme_or_the_changelog() -> None:
    from companion.cli.app import app

    text = "".join((PROJECT / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md"))
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert re.search(rf"`[^`\n]*\b{name}\b", text), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_the_text_exist(path: Path) -> None:
    from companion.cli.app import app

    known = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    for command in _INLINE.findall(path.read_text(encoding="utf-8")):
        assert _words(command)[0] in known, command


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), target


def test_files_named_in_the_architecture_exist() -> None:
    text = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b[\w/]+/[\w/]*\.py\b|`[\w/]+/`", text))
    assert len(named) >= 20
    for name in (name.strip("`") for name in named):
        assert (PROJECT / name).exists() or (PROJECT / "companion" / name).exists(), name


def test_pictures_are_small_and_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    for picture in (PROJECT / "docs/images").iterdir():
        assert picture.stat().st_size < LARGEST_PICTURE, picture.name
        assert f"images/{picture.name}" in text, picture.name
