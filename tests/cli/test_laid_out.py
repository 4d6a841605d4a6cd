"""Cards that players have laid out, photographed beside a position (`--goods`)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.main import get_command

from companion.cli.app import app
from companion.cli.main import main
from companion.lab.rendering.hands import Way
from tests.notation.examples import EXAMPLE_TOML
from tests.vision.cards.tables import hand_photo

HAND = ["fish", "silk", "fakir", "ivory", "wheat", "fish"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")


def test_a_fan_goes_into_the_score(capsys: pytest.CaptureFixture[str]) -> None:  # rules 1.4, 10.7
    cv2.imwrite("fan.png", hand_photo(Way.FAN, np.random.default_rng(12), HAND))
    assert main(["show", "table.toml", "--goods", "pink=fan.png", "--json"]) == 0
    shown = capsys.readouterr()
    pink = json.loads(shown.out)["players"]["pink"]
    counts = Counter(HAND)
    assert pink["fakirs"] == counts.pop("fakir") and pink["goods"] == counts
    assert "6 cards of pink were counted, and some lie under others" in shown.err


def test_every_command_that_opens_photos_takes_all_that_are_of_the_table() -> None:
    program: Any = get_command(app)
    for name in ("show", "check", "moves", "hint", "bid", "score", "read", "edit"):
        known = program.get_command(None, name).params
        options = {option for one in known for option in one.opts}
        assert options >= {"--goods", "--cards", "--overlay"}, name
        # Doubts are gone through by all but those that ask for something else.
        assert ("--crops" in options) is (name not in ("hint", "score", "edit"))
        assert len(options) == sum(len(one.opts) for one in known)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--goods", "pink"], 2, "--goods pink: say whose they are"),
        (["--goods", "green=gold.png"], 2, "--goods"),
        (["--goods", "pink=gold.png", "--goods", "pink=other.png"], 2, "--goods: pink is named twice"),
        (["--goods", "pink=table.toml"], 2, "given twice"),
        (["--goods", "pink=nowhere.png"], 4, "nowhere.png"),
        (["--goods", "pink=gold.png"], 4, "gold.png: no resource cards found; lay them out face up"),
        (["--coins", "pink=gold.png"], 2, "coins are no longer counted"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite("gold.png", np.full((300, 300, 3), 90, np.uint8))
    assert main(["show", "table.toml", *words]) == status
    assert said in " ".join(capsys.readouterr().err.split())
