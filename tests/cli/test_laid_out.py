"""What players have laid out, photographed beside a position: fanned cards (`--goods`) and coins (`--coins`)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.main import get_command

from companion.cli.app import app
from companion.cli.main import main
from companion.notation.files import parse_position
from companion.rules.model.components import Colour
from companion.vision.cards.coins import CoinDetection, Disc
from companion.vision.reading import coins
from tests.notation.examples import EXAMPLE_TOML

HAND = ["fish", "silk", "fakir", "ivory", "wheat", "fish"]
VALUES = [5, 5, 1, 5, 1, 1, 5, 5, 5, 1]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")


def seen(monkeypatch: pytest.MonkeyPatch, *found: tuple[int | None, float]) -> None:
    """Any photo shows these coins: their values and how sure they are."""
    disc = Disc(0.0, 0.0, 40.0, 40.0, 0.0)
    told = tuple(CoinDetection(value, sure, disc) for value, sure in found)
    monkeypatch.setattr(coins, "find_loose_coins", lambda picture: told)
    cv2.imwrite("gold.png", np.full((300, 300, 3), 90, np.uint8))


def test_a_coin_without_a_number_leaves_the_gold_unknown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen(monkeypatch, (5, 0.99), (None, 0.9))
    assert main(["show", "table.toml", "--coins", "pink=gold.png", "--json"]) == 0
    shown = capsys.readouterr()
    assert "gold" not in json.loads(shown.out)["players"]["pink"]
    assert "1 coin of pink shows no number, so the gold is not known: turn it over" in shown.err


def test_doubtful_coins_are_said_and_counted_as_they_look(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen(monkeypatch, (5, 0.99), (1, 0.6))
    assert main(["show", "table.toml", "--coins", "pink=gold.png", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["players"]["pink"]["gold"] == 6
    assert "1 coin of pink is doubtful, read as 1: look at it again" in shown.err


def test_every_command_that_opens_photos_takes_all_that_are_of_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen(monkeypatch, (5, 0.99), (1, 0.99))
    for command in (["show"], ["check"], ["moves"], ["hint", "--gain"], ["bid"], ["score", "--ask"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 30))
        main([*command, "table.toml", "--coins", "pink=gold.png", "-o", "known.toml", "--force"])
        assert parse_position(Path("known.toml").read_text(encoding="utf-8")).player(Colour.PINK).gold == 6, command
        Path("known.toml").unlink()
        assert main([*command, "table.toml", "--coins", "gold.png"]) == 2, command
    program: Any = get_command(app)
    for name in ("show", "check", "moves", "hint", "bid", "score", "read", "edit"):
        known = program.get_command(None, name).params
        options = {option for one in known for option in one.opts}
        assert options >= {"--goods", "--coins", "--cards", "--overlay"}, name
        # Doubts are gone through by all but those that ask for something else.
        assert ("--crops" in options) is (name not in ("hint", "score", "edit"))
        assert len(options) == sum(len(one.opts) for one in known)


def test_more_coins_than_the_box_holds_are_counted_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen(monkeypatch, *((1, 0.99) for _ in range(49)))
    main(["show", "table.toml", "--coins", "pink=gold.png", "--json"])
    assert "49 coins of 1 were counted, and the box holds 48 (rules 1.3)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--coins", "pink"], 2, "--coins pink: say whose they are"),
        (["--coins", "green=gold.png"], 2, "--coins"),
        (["--coins", "pink=gold.png", "--coins", "pink=other.png"], 2, "--coins: pink is named twice"),
        (["--coins", "pink=table.toml"], 2, "given twice"),
        (["--coins", "pink=nowhere.png"], 4, "nowhere.png"),
        (["--coins", "pink=gold.png"], 4, "gold.png: no coins found; lay them out singly"),
        (["--goods", "pink=gold.png"], 4, "gold.png: no resource cards found; lay them out face up"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite("gold.png", np.full((300, 300, 3), 90, np.uint8))
    assert main(["show", "table.toml", *words]) == status
    assert said in " ".join(capsys.readouterr().err.split())
