"""The games written out in `playthroughs/` are played the same today."""

from __future__ import annotations

import pytest

from companion.rules.engine.djinns import EVERY_DJINN, Cost
from companion.rules.model.components import Colour
from tests.rules.playthroughs import FOLDER, GAMES, text


@pytest.mark.parametrize("name", GAMES)
def test_a_game_written_out_is_played_the_same(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert text(name) == kept, "the rules changed: read the difference, then run python -m tests.rules.playthroughs"


@pytest.mark.parametrize("name", [name for name, djinn in EVERY_DJINN.items() if djinn.cost is not Cost.NONE])
def test_a_djinns_game_shows_its_power(name: str) -> None:
    lines = (FOLDER / f"{name.lower().replace(chr(39), '')}.txt").read_text(encoding="utf-8").splitlines()
    if name == "Kumarbi":
        assert any(": bid" in line and "fakir" in line for line in lines)
    else:
        assert any(line.startswith(f"    power paid: {name}") for line in lines)


@pytest.mark.parametrize("name", [name for name, djinn in EVERY_DJINN.items() if djinn.pays])
def test_a_paying_djinns_game_shows_it_paying(name: str) -> None:
    kept = (FOLDER / f"{name.lower().replace(chr(39), '')}.txt").read_text(encoding="utf-8")
    assert any(f"djinn paid: {name} {colour}" in kept for colour in Colour)
