"""Bots by name, with options, and from a module of one's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.arena.bot import Bot, BotBrokenError
from companion.arena.registry import make_bot
from companion.errors import UsageError
from tests.arena.bots import Plain


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_program_s_bots_are_named_as_they_are_called(name: str) -> None:
    made = make_bot(name)
    assert isinstance(made, Bot)
    assert made.name == name
    assert make_bot(name) is not made


def test_a_bot_of_one_s_own_is_named_by_module_and_class_and_takes_options() -> None:
    assert isinstance(make_bot("tests.arena.bots:Plain"), Plain)
    made = make_bot("tests.arena.bots:Plain:skip=2")
    assert isinstance(made, Plain)
    assert made.skip == 2


def test_a_module_is_found_in_the_folder_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "bots_of_mine.py").write_text(
        "from companion.arena.bots.chance import RandomBot\nclass Mine(RandomBot):\n    name = 'mine'\n"
    )
    with pytest.raises(BotBrokenError, match="No module named 'bots_of_mine'"):
        make_bot("bots_of_mine:Mine")
    assert make_bot("bots_of_mine:Mine", str(tmp_path)).name == "mine"


@pytest.mark.parametrize("spec", ["gready", "", ":", "greedy_", "module:", ":Class"])
def test_a_name_that_is_none_says_which_there_are(spec: str) -> None:
    with pytest.raises(UsageError, match="there are random, greedy, .*MODULE:CLASS"):
        make_bot(spec)


@pytest.mark.parametrize(
    "spec", ["greedy:depth", "greedy:=3", "greedy:depth=", "greedy:a b=1", "tests.arena.bots:Plain:skip=1,skip=2"]
)
def test_options_are_written_one_way(spec: str) -> None:
    with pytest.raises(UsageError, match="options are written NAME=VALUE, each once"):
        make_bot(spec)


def test_an_option_that_a_bot_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="the bot greedy has no option 'depth=3'; its options: none"):
        make_bot("greedy:depth=3")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nowhere_to_be_found:Bot", "cannot be made: ModuleNotFoundError"),
        ("tests.arena.bots:Missing", "cannot be made: AttributeError"),
        ("tests.arena.bots:Plain:hop=2", "cannot be made: TypeError"),
        ("tests.arena.bots:Nameless", "it needs a `name` and a method"),
        ("math:pi", "cannot be made: TypeError"),
    ],
)
def test_a_class_that_is_no_bot_says_why(spec: str, said: str) -> None:
    with pytest.raises(BotBrokenError, match=said):
        make_bot(spec)


def test_a_module_that_ends_the_program_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "bots_that_leave.py").write_text("import sys\nsys.exit(7)\n", encoding="utf-8")
    with pytest.raises(BotBrokenError, match="cannot be made: SystemExit: 7"):
        make_bot("bots_that_leave:Any", str(tmp_path))


@pytest.mark.parametrize("option", ["worths=0", "seconds=0.5", "seconds=2", "playouts=1"])
def test_options_may_be_as_little_as_they_make_sense(option: str) -> None:
    assert make_bot(f"best:{option}").name == "best"


@pytest.mark.parametrize(
    "option", ["worths=-1", "seconds=0", "seconds=nan", "seconds=inf", "playouts=0", "playouts=1.5", "rounds=x"]
)
def test_options_that_make_no_sense_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=f"the bot best has no option '{option}'; its options: playouts"):
        make_bot(f"best:{option}")
