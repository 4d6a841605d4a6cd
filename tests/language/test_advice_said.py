"""Hints, bids, reviews, moves, replays and tournaments: no English is left in them in any other language."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer import Exit

from companion.cli.progress import Progress
from companion.cli.speech import speaking, spoken
from companion.cli.thinking import leave_if, thinking
from tests.language.said import english_left, say_in

GIVEN = ("12 for the first move is dear", "nobody", "Марія", "민수", "Київ", "random", "greedy", "one-ply", "best")
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
    "review": ("review", "{short}", "--playouts", "50"),
    "arena": ("arena", "greedy", "random", "--games", "2"),
    "no such bot": ("arena", "nobody"),
    "too little time": ("hint", "samples/mid.toml", "--time", "0"),
    "two budgets": ("hint", "samples/mid.toml", "--time", "1", "--playouts", "3"),
}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bids and the first turn of the sample game."""
    lines = Path("samples/game.txt").read_text(encoding="utf-8").splitlines()
    until = next(number for number, line in enumerate(lines) if line.startswith("blue:"))
    path = tmp_path_factory.mktemp("short") / "short.txt"
    path.write_text("\n".join(lines[: until + 1]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", ["qps", "ru", "uk", "ko"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_english_is_left(
    command: tuple[str, ...], language: str, short: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = say_in(language, capsys, *(word.format(short=short) for word in command))
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
        ("replay", "samples/game.txt", "--to", "12"),
        ("review", "{short}", "--playouts", "50"),
    ],
    ids=" ".join,
)
def test_json_is_english_byte_for_byte(
    command: tuple[str, ...], short: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(short=short) for word in (*command, "--json")]
    english = say_in("en", capsys, *words)
    assert english.out.startswith("{")
    for language in ("ru", "ko", "qps"):
        assert say_in(language, capsys, *words).out == english.out


def test_what_a_search_says_while_it_thinks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    monkeypatch.setattr(Progress, "say", lambda line, text: said.append(spoken(text)))
    with speaking("qps"):
        with thinking() as watch:
            watch.progress(0.5)
        with pytest.raises(Exit):
            leave_if(True)
    said.append(capsys.readouterr().err)
    assert len(said) == 3 and all(said)
    assert english_left("\n".join(said), "qps") == []
    assert "50%" in said[1]
