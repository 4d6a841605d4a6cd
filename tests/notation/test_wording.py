"""What is done and what happens in words: the same thing in each way that it's told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.notation.wording import Style, doing, event_words, record_words
from companion.rules.engine.game import step
from companion.rules.model.actions import Action, ActTile, Sell, Sow, TileChoice
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.events import MeepleDropped, NobodyKilled, Refilled, Victim
from companion.rules.model.state import GameState, Stage, Taken
from tests.rules.tables import PINK, at_turn, owner, parse_sowing, tribe

C2 = parse_square("c2")
TAKEN = Taken(parse_square("c3"), Tribe.ASSASSIN, 2)


def inside(stage: Stage, taken: Taken | None = TAKEN, end: str = "M6") -> GameState:
    state = at_turn(owner(goods={"ivory": 1, "fish": 1}), stage=stage, c3=end, c2="M4:gb")
    return replace(state, progress=replace(state.progress, taken=taken))


WAYS: list[tuple[str, GameState, Action, str, list[str], list[str]]] = [
    (
        "4.8",
        at_turn(c3="M6:w", c4="S6:w"),
        Sow(parse_sowing("c3>c4w")),
        "c3 > c4w",
        ["take 2 elders on c4 and claim it"],
        ["claims c4"],
    ),
    (
        "5.4",
        inside(Stage.TRIBE),
        tribe(1, Victim(Tribe.MERCHANT, C2)),
        "2 assassins with 1 fakir kill g on c2",
        ["spend 1 fakir", "kill the merchant on c2"],
        ["kills the merchant on c2 with 1 fakir"],
    ),
    (
        "6.3",
        inside(Stage.TILE),
        ActTile(TileChoice(cards=(2,))),
        "buy fish",
        ["buy fish"],
        ["buys fish for 3 GC"],
    ),
    (
        "6.5",
        inside(Stage.TILE, end="S6"),
        ActTile(TileChoice(djinn="Utug", with_fakir=True)),
        "take Utug for elder and fakir",
        ["take Utug"],
        ["takes Utug for 1 elder and 1 fakir"],
    ),
    (
        "7.1",
        inside(Stage.CLOSE, None),
        Sell(("ivory", "fish")),
        "sell ivory, fish",
        ["sell ivory and fish"],
        ["sells ivory and fish for 3 GC"],
    ),
]


def test_a_record_an_aim_and_a_reason_tell_the_same(subtests: pytest.Subtests) -> None:
    for clause, state, action, record, aim, reasons in WAYS:
        with subtests.test(msg=clause):
            events = step(state, action).events
            assert record_words(state, action) == record
            assert [*doing(action, events, state.position.board, Style.AIM)] == aim
            assert [words for words in map(event_words, events) if words is not None] == reasons


def test_what_brings_nothing_is_not_told() -> None:
    silent = (MeepleDropped(PINK, C2, Tribe.ELDER, None), NobodyKilled(PINK, C2, 1), Refilled(PINK, ("fish",), ()))
    assert [*map(event_words, silent)] == [None] * 3
