"""Hints, bids, reviews, moves, replays and tournaments: no English is left in them in any other language."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from typer import Exit

from companion.cli.locale import speaking, translate
from companion.cli.progress import Progress
from companion.cli.thinking import leave_if, thinking
from tests.language.said import english_left, say_in
from tests.notation.recorded_example import THREE_ROUNDS

GIVEN = ("12 for the first move is dear", "nobody", "Марія", "민수", "Київ", "random", "greedy", "one-ply", "best")
QUICK = ("--playouts", "60")

COMMANDS: dict[str, tuple[str, ...]] = {
    "hint": ("hint", "samples/mid.toml", *QUICK, "--top", "4"),
    "hint from a record": ("hint", str(THREE_ROUNDS), *QUICK),
    "a nudge": ("hint", "samples/mid.toml", *QUICK, "--level", "nudge"),
    "the path alone": ("hint", "samples/mid.toml", *QUICK, "--level", "path"),
    "by gain": ("hint", "samples/mid.toml", "--gain", "--top", "12"),
    "while bids are open": ("hint", "samples/start.toml", *QUICK),
    "a game that is over": ("hint", "samples/end.toml"),
    "bid": ("bid", "samples/start.toml", *QUICK),
    "no bids are open": ("bid", "samples/mid.toml"),
    "moves": ("moves", "samples/mid.toml", "--list", "--top", "3"),
    "replay": ("replay", str(THREE_ROUNDS)),
    "replay up to a line": ("replay", str(THREE_ROUNDS), "--to", "12"),
    "review": ("review", "{short}", "--playouts", "50"),
    "arena": ("arena", "greedy", "random", "--games", "2"),
    "no such bot": ("arena", "nobody"),
    "too little time": ("hint", "samples/mid.toml", "--time", "0"),
    "nothing but a board": ("hint", "{bare}", *QUICK, "--top", "2"),
    "nothing but a board, by gain": ("hint", "{bare}", "--gain"),
    "another player": ("hint", "samples/mid.toml", "--gain", "--player", "orange"),
    "a bid from a board": ("bid", "{bare}", *QUICK),
    "moves from a tile": ("moves", "samples/mid.toml", "--from", "d3"),
    "no such tile": ("moves", "samples/mid.toml", "--from", "x9"),
    "no seats": ("arena", "greedy", "random", "greedy", "random", "--players", "3"),
    "no file to go on with": ("arena", "greedy", "random", "--resume"),
    "what does not go together": ("hint", "samples/mid.toml", "--gain", "--time", "3"),
    "a picture while bids are open": ("hint", "samples/start.toml", *QUICK, "--picture", "{folder}/hint.png"),
    "two budgets": ("hint", "samples/mid.toml", "--time", "1", "--playouts", "3"),
}


BARE = """
format = 1
board = \"\"\"
O8:ggw M4:ybr M4 V5:w@P#1 S6:bb V5
V5:r O8@K^1 S12:yyw M6:g O8 O8:bg
O8 M4:ww M6 M6:y M6:bb M6:r
V5:g S10 O8:yg M6:w M6 M6
M4:r S15:b S6 V5 S6@P S6
\"\"\"
"""
"""A position of which the board alone is known."""


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bids and the first turn of the sample game."""
    lines = Path(str(THREE_ROUNDS)).read_text(encoding="utf-8").splitlines()
    until = next(number for number, line in enumerate(lines) if line.startswith("blue:"))
    path = tmp_path_factory.mktemp("short") / "short.txt"
    path.write_text("\n".join(lines[: until + 1]) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def given(short: str, tmp_path: Path) -> dict[str, str]:
    """What commands of the tables are given, by name."""
    bare = tmp_path / "bare.toml"
    bare.write_text(BARE, encoding="utf-8")
    return {"short": short, "bare": str(bare), "folder": str(tmp_path)}


@pytest.mark.parametrize("language", ["qps", "ru", "uk", "ko"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_english_is_left(
    command: tuple[str, ...], language: str, given: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = say_in(language, capsys, *(word.format(**given) for word in command))
    assert said.english(*GIVEN) == []
    assert said.too_wide() == []


@pytest.mark.parametrize(
    "command",
    [
        ("hint", "samples/evening.toml", *QUICK),
        ("hint", "samples/start.toml", *QUICK),
        ("hint", "samples/evening.toml", "--gain"),
        ("bid", "samples/start.toml", *QUICK),
        ("moves", "samples/mid.toml", "--list"),
        ("replay", str(THREE_ROUNDS), "--to", "12"),
        ("review", "{short}", "--playouts", "50"),
    ],
    ids=" ".join,
)
def test_json_is_english_byte_for_byte(
    command: tuple[str, ...], given: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(**given) for word in (*command, "--json")]
    english = say_in("en", capsys, *words)
    assert english.out.startswith("{")
    for language in ("ru", "ko", "qps"):
        assert say_in(language, capsys, *words).out == english.out


def test_what_a_search_says_while_it_thinks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    monkeypatch.setattr(Progress, "say", lambda line, text: said.append(translate(text)))
    with speaking("qps"):
        with thinking() as watch:
            watch.progress(0.5)
        with pytest.raises(Exit):
            leave_if(True)
    said.append(capsys.readouterr().err)
    assert len(said) == 3 and all(said)
    assert english_left("\n".join(said), "qps") == []
    assert "50%" in said[1]


@pytest.mark.parametrize("language", ["qps", "ru", "ko"])
def test_what_players_hold_is_asked_for(
    language: str, given: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["pink 41 gold, 2 viziers", "help", "2 palms", "black"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    said = say_in(language, capsys, "hint", given["bare"], "--ask", "--gain", "--top", "1")
    assert said.status == 0
    # Commands of a dialogue are typed in English; the help names the languages that are understood.
    typed = ["back", "undo", "list", "help", "quit", "Enter", "en", "ru", "uk", "ko", "it"]
    assert said.english(*lines, *typed) == []
