"""A turn as the line of a record that `companion hint` gives (rules 4 to 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.notation.records.recording import actions_line
from companion.rules.engine.turn import lone_turn
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Position
from tests.rules.test_turn import move, on, position

PINK = Colour.PINK


def owning(start: Position, *djinns: str) -> Position:
    return start.with_player(replace(start.player(PINK), djinns=djinns))


MERCHANT_KILLED = position(c3="M6:r", c4="M6:r@K", d4="M6:gb")
TURNS = {
    "4.8, 5.1, 6.1": (position(c3="M6:y", c4="O8:y"), move("c3>c4y"), "pink: c3 > c4y: claim c4; 2 viziers; palm"),
    "5.2 cards of a row that is not known": (
        position(row=None, c3="M6:g", c4="M6:gb"),
        move("c3>c4g"),
        "pink: c3 > c4g; 2 merchants: ?, ?; pass",
    ),
    "5.3 with a fakir, 6.2": (
        position(c3="M6:b", c4="V5:by@K"),
        move("c3>c4b", fakirs=1),
        "pink: c3 > c4b; 2 builders with 1 fakir: 3 GC; palace",
    ),
    "6.4": (
        position(c3="M6:y", c4="M4:yb@K"),
        move("c3>c4y", cards=(1, 3)),
        "pink: c3 > c4y; 2 viziers; buy ivory, fish (4)",
    ),
    "6.5": (
        position(c3="M6:w", c4="S6:wb"),
        move("c3>c4w", djinn="Utug", with_fakir=True),
        "pink: c3 > c4w; 2 elders; take Utug for elder and fakir",
    ),
    "11 a card that nobody has seen": (
        owning(MERCHANT_KILLED, "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.MERCHANT)),
        "pink: c3 > c4r; 2 assassins kill g on d4 ...",
    ),
    "11 a builder whose income is seen": (
        owning(MERCHANT_KILLED, "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.BUILDER)),
        "pink: c3 > c4r; 2 assassins kill b on d4; pass",
    ),
}


def test_a_turn_is_written_as_in_a_record(subtests: pytest.Subtests) -> None:
    for start, turn, line in TURNS.values():
        with subtests.test(start=start):
            assert actions_line(lone_turn(start), turn.actions) == line
