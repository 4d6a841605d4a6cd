"""The games written out in `playthroughs/` are played the same today."""

from __future__ import annotations

import pytest

from companion.rules.engine.djinns import EVERY_DJINN, Cost
from companion.rules.model.components import Colour
from tests.rules.playthroughs import FOLDER, GAMES, text


def test_a_game_written_out_is_played_the_same(subtests: pytest.Subtests) -> None:
    for name in GAMES:
        with subtests.test(name=name):
            kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
            assert text(name) == kept, (
                "the rules changed: read the difference, then run python -m tests.rules.playthroughs"
            )


def test_a_djinns_game_shows_its_power(subtests: pytest.Subtests) -> None:
    for name in [name for name, djinn in EVERY_DJINN.items() if djinn.cost is not Cost.NONE]:
        with subtests.test(name=name):
            lines = (FOLDER / f"{name.lower().replace(chr(39), '')}.txt").read_text(encoding="utf-8").splitlines()
            if name == "Kumarbi":
                assert any(": bid" in line and "fakir" in line for line in lines)
            else:
                assert any(line.startswith(f"    power paid: {name}") for line in lines)


def test_a_paying_djinns_game_shows_it_paying(subtests: pytest.Subtests) -> None:
    for name in [name for name, djinn in EVERY_DJINN.items() if djinn.pays]:
        with subtests.test(name=name):
            kept = (FOLDER / f"{name.lower().replace(chr(39), '')}.txt").read_text(encoding="utf-8")
            assert any(f"djinn paid: {name} {colour}" in kept for colour in Colour)
