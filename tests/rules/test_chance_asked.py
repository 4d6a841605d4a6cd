"""What a chance asks for when it cannot tell, and how it refuses what cannot have been drawn (rules 1, 12)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.errors import UnusableInputError
from companion.rules.model.chance import UNSEEN, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import Tribe

ASKED: dict[str, Callable[[], object]] = {
    "card": lambda: UNSEEN.card({"fish": 1}, face_up=True),
    "djinn": lambda: UNSEEN.djinn({"fish": 1}),
    "meeple": lambda: UNSEEN.meeple({"fish": 1}),
}
LACKING: dict[str, Callable[[], object]] = {
    "card": lambda: ScriptedChance().card({"fish": 1}, face_up=False),
    "djinn": lambda: ScriptedChance().djinn({"fish": 1}),
    "meeple": lambda: ScriptedChance().meeple({"fish": 1}),
}


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("asked", [ASKED, LACKING], ids=["unseen", "script at its end"])
def test_what_is_asked_for_is_named(kind: str, asked: dict[str, Callable[[], object]]) -> None:
    with pytest.raises(ChanceNeededError) as raised:
        asked[kind]()
    assert raised.value.wanted == kind
    assert raised.value.options == {"fish": 1}


@pytest.mark.parametrize(
    ("options", "there"),
    [({"silk": 0, "fish": 2, "fakir": 1}, "fish, fakir"), ({"silk": 0}, "nothing"), ({}, "nothing")],
)
def test_what_cannot_be_drawn_is_refused_with_what_can(options: dict[str, int], there: str) -> None:
    with pytest.raises(UnusableInputError) as raised:
        ScriptedChance(Drawn(cards=("silk",))).card(options, face_up=True)
    assert str(raised.value) == f"silk cannot be the card drawn here; it can be {there} (rules 1)"


def test_a_script_gives_each_thing_once_and_in_order() -> None:
    script = ScriptedChance(Drawn(("fish", None), ("Utug",), (Tribe.BUILDER,)))
    assert script.card({"fish": 1}, face_up=True) == "fish"
    assert script.card({"fish": 1}, face_up=False) is None
    assert script.djinn({"Utug": 1}) == "Utug"
    assert script.meeple({"builder": 3}) is Tribe.BUILDER
    assert script.left == Drawn()
