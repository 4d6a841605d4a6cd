"""Hints, bids, reviews, moves, replays and tournaments: no English is left in them in any other language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.said import say_in

GAME = Path("samples/game.txt").read_text(encoding="utf-8")
QUICK = ("--playouts", "60")

COMMANDS: dict[str, tuple[str, ...]] = {
    "hint": ("hint", "samples/mid.toml", *QUICK, "--top", "4"),
    "hint from a record": ("hint", "samples/game.txt", *QUICK),
    "a nudge": ("hint", "samples/mid.toml", *QUICK, "--level", "nudge"),
    "the path alone": ("hint", "samples/mid.toml", *QUICK, "--level", "path"),
    "by gain": ("hint", "samples/mid.toml", "--gain", "--top", "12"),
    "while bids are open": ("hint", "samples/start.toml", *QUICK),
    "a game that is over": ("hint", "samples/end.toml"),
    "bid": ("bid", "samples/start.toml", *QUICK),
    "no bids are open": ("bid", "samples/mid.toml"),
    "moves": ("moves", "samples/mid.toml", "--list", "--top", "3"),
    "replay": ("replay", "samples/game.txt"),
    "replay up to a line": ("replay", "samples/game.txt", "--to", "12"),
    "review": ("review", "samples/game.txt", "--playouts", "50"),
    "arena": ("arena", "greedy", "random", "--games", "2"),
    "no such bot": ("arena", "nobody"),
    "too little time": ("hint", "samples/mid.toml", "--time", "0"),
    "two budgets": ("hint", "samples/mid.toml", "--time", "1", "--playouts", "3"),
}


@pytest.mark.parametrize("language", ["qps", "ru", "uk", "ko"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_english_is_left(command: tuple[str, ...], language: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say_in(language, capsys, *command)
    assert said.english(GAME) == []
    assert said.too_wide() == []
