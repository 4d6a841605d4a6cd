"""Bots by name, with options, and from a module of one's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.arena.bot import Bot, BotBrokenError
from companion.arena.registry import make_bot
from companion.errors import UsageError
from tests.arena.bots import Plain


def test_the_program_s_bots_are_named_as_they_are_called() -> None:
    for name in ("random", "greedy", "one-ply", "best"):
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


REFUSED = {
    **dict.fromkeys(("gready", "", ":", "module:", ":Class"), "random, greedy, .*MODULE:CLASS"),
    **dict.fromkeys(("greedy:depth", "greedy:=3", "greedy:depth=", "greedy:a b=1"), "NAME=VALUE, each once"),
    "tests.arena.bots:Plain:skip=1,skip=2": "NAME=VALUE, each once",
    "greedy:depth=3": "no option 'depth=3'; its options: none",
    **{
        f"best:{option}": f"no option '{option}'; its options: playouts, seconds"
        for option in ("seconds=0", "seconds=nan", "seconds=inf", "playouts=0", "playouts=1.5", "playouts=x", "turns=5")
    },
}
BROKEN = {
    "nowhere_to_be_found:Bot": "cannot be made: ModuleNotFoundError",
    "tests.arena.bots:Missing": "cannot be made: AttributeError",
    "tests.arena.bots:Plain:hop=2": "cannot be made: TypeError",
    "tests.arena.bots:Nameless": "it needs a `name` and a method",
    "math:pi": "cannot be made: TypeError",
}


def test_names_and_options_that_there_are_not_are_refused(subtests: pytest.Subtests) -> None:
    for error, cases in ((UsageError, REFUSED), (BotBrokenError, BROKEN)):
        for spec, words in cases.items():
            with subtests.test(msg=spec), pytest.raises(error, match=words):
                make_bot(spec)
    for least in ("seconds=0.5", "seconds=2", "playouts=1"):
        assert make_bot(f"best:{least}").name == "best"
