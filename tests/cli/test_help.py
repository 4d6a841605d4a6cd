"""Help: the commands grouped by what people want to do, options as they are typed."""

from __future__ import annotations

import re

import pytest

from companion.cli.app import COMMANDS, NAMES
from companion.cli.main import main


def _help(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*words, "--help"]) == 0
    return capsys.readouterr().out


def test_commands_stand_under_what_they_are_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    panels = re.split(r"╭─ (.*?) ─+╮", _help(capsys, monkeypatch))
    shown = {
        title: re.findall(r"^│ (\w+) ", text, re.MULTILINE)
        for title, text in zip(panels[1::2], panels[2::2], strict=True)
    }
    shown.pop("Options")
    assert shown == {title: list(names) for title, names in COMMANDS.items()}


MEANT_PAIRS = {"--no-advice", "--no-backs", "--no-cut", "--no-history", "--no-learn"}
"""Flags that are on unless they are switched off; all others have no second form, whatever Typer would add."""


@pytest.mark.parametrize("name", ["", *NAMES])
def test_flags_are_shown_as_they_are_typed(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = _help(capsys, monkeypatch, *name.split())
    assert re.search(r"--help +-h +Show this message", text)
    assert not re.findall(r"<(?:bool|str|path|int(?: range)?|float|list\[\w+\])>", text)
    assert "...}" not in text and "...]" not in text
    assert set(re.findall(r"--no-\w+", text)) <= MEANT_PAIRS


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_an_example_that_begins_with_its_name(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"Example: companion {name}" in _help(capsys, monkeypatch, name)


@pytest.mark.parametrize("name", NAMES)
def test_help_fits_a_terminal_of_80_columns(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert max(map(len, _help(capsys, monkeypatch, name).splitlines())) <= 80


def test_read_asks_for_photos_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = _help(capsys, monkeypatch, "read")
    assert "companion read [OPTIONS] {PHOTO}..." in text
    assert "POSITION" not in text and "FT1" not in text


@pytest.mark.parametrize("language", ["ru", "uk", "ko", "it"])
def test_commands_are_told_of_in_the_language_asked_for(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said, english = (
        dict(re.findall(r"^│ ([a-z]+)  +(.*?) +│", _help(capsys, monkeypatch, "--lang", known), re.MULTILINE))
        for known in (language, "en")
    )
    assert set(said) == set(english) == set(NAMES)
    assert not [name for name in NAMES if said[name] == english[name]]


@pytest.mark.parametrize("name", ["hint", "sheet", "report"])
def test_no_line_of_hangul_loses_its_end(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not re.findall(r"^.*[^-]… *│", _help(capsys, monkeypatch, name, "--lang", "ko"), re.MULTILINE)
