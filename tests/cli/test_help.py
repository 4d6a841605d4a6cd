"""Help: six commands first, the others by what they are for, options as they are typed; in every language."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from companion.cli.app import COMMANDS, NAMES
from tests.cli.ran import Capsys, ran

MEANT_PAIRS = {"--no-ask", "--no-advice", "--no-backs", "--no-cut", "--no-history"}
"""Flags that are on unless they are switched off; all others have no second form, whatever Typer would add."""


def _help(capsys: Capsys, *words: str) -> str:
    return ran(capsys, [*words, "--help"]).out


pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def test_all_commands_stand_on_one_screen_the_six_of_the_table_first(capsys: Capsys) -> None:
    lines = _help(capsys).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80
    shown = [found[1] for line in lines if (found := re.match(r"  ([a-z]+)  +\w", line))]
    assert shown == list(NAMES)
    assert shown[:6] == ["serve", "read", "hint", "score", "play", "setup"]
    assert [line for line in lines if line in COMMANDS] == list(COMMANDS)
    for words in ([], ["--lang", "en"]):
        assert ran(capsys, words, 2).out.splitlines() == lines


def test_the_help_of_each_command(capsys: Capsys, subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(msg=name):
            text = _help(capsys, name)
            arguments = text.partition("\n\n")[0].removeprefix(f"Usage: companion {name} [OPTIONS]")
            assert arguments == arguments.upper() and "[[" not in arguments, arguments
            assert re.search(f"Example:\\s+companion {name}", text)
            assert max(map(len, text.splitlines())) <= 80
            assert re.search(r"-h, --help +Show this message", text)
            assert set(re.findall(r"--no-\w+", text)) <= MEANT_PAIRS
            assert "<" not in text and "None" not in text and "False" not in text


def test_every_command_that_opens_photos_takes_all_that_show_the_table(capsys: Capsys) -> None:
    for name in ("show", "check", "moves", "hint", "bid", "score", "read", "edit"):
        text = _help(capsys, name)
        assert "--goods" in text and "--cards" in text, name


def test_arguments_choices_and_defaults_are_shown(capsys: Capsys) -> None:
    text = _help(capsys, "read")
    assert "companion read [OPTIONS] {PHOTO}..." in text and "[required]" in text
    assert "POSITION" not in text and "FT1" not in text
    assert re.search(r"--paper a4\|letter +Size of the paper. \[default: a4\]", _help(capsys, "sheet"))
    assert re.search(
        r"^  -o, --output FILE +The PDF to write. \[default: kit.pdf\]", _help(capsys, "kit"), re.MULTILINE
    )


def test_help_in_other_languages(capsys: Capsys, subtests: pytest.Subtests) -> None:
    english = _help(capsys)
    for language in ("qps", "ko"):
        with subtests.test(msg=language):
            text = _help(capsys, "--lang", language)
            for name in ("hint", "sheet", "report"):
                lines = _help(capsys, name, "--lang", language).splitlines()
                assert max(map(cell_len, lines)) <= 80 and not any("…" in line for line in lines)
            assert text != english


def test_wrong_usage_in_plain_words(capsys: Capsys, subtests: pytest.Subtests) -> None:
    cases = {
        "sheet --paper a5": "invalid value for '--paper': 'a5' is not one of 'a4', 'letter'; companion sheet --help",
        "hint --top x game.toml": "invalid value for '--top': it should be a whole number; ",
        "setup --players 5": "invalid value for '--players': 4 is the most; ",
        "setup --seed=-1": "invalid value for '--seed': 0 is the least; ",
        "cards --bleed wide": "invalid value for '--bleed': it should be a number; ",
        "cards --bleed": "option '--bleed' requires an argument; ",
        "shwo": "no such command 'shwo'; did you mean 'show'?\n",
        "xyz": "no such command 'xyz'; companion --help",
        "read": "missing argument 'PHOTO'; companion read --help",
        "edit": "missing option '-o / --output'; ",
        "show a.toml --forc": "no such option: --forc; did you mean --force?\n",
        "check a.toml --xyz": "no such option: --xyz; ",
        "setup 3 4": "got unexpected extra arguments (3 4); companion setup --help",
        "score --lang fr": "there is no language 'fr'; choose one of en, ru, uk, ko, it",
    }
    for words, sentence in cases.items():
        with subtests.test(msg=words):
            assert ran(capsys, words.split(), 2).err.startswith(f"companion: {sentence}")
            assert "Traceback" not in ran(capsys, ["--debug", *words.split()], 2).err
