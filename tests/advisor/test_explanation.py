"""A turn in words: every item adds up to the gain."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from companion.advisor.explanation import explain
from companion.advisor.hint import hints
from companion.rules.engine.turn import Move
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Position
from tests.advisor.positions import random_position
from tests.rules.test_turn import move, on, position

BLACK, PINK = Colour.BLACK, Colour.PINK


def owning(start: Position, *djinns: str) -> Position:
    return start.with_player(replace(start.player(PINK), djinns=djinns))


@pytest.mark.parametrize("seed", range(300, 320))
def test_the_numbers_in_why_add_up_to_the_gain(seed: int) -> None:
    for one in hints(random_position(seed), 40).moves:
        assert one.explanation.gain == one.gain
        effects, _, total = one.explanation.why.partition(" = ")
        if not total:
            assert one.gain == 0
            continue
        numbers = [int(sign + digits) for sign, digits in re.findall(r"(?<=[ (])([+-])(\d+)(?=[,)])", effects)]
        assert sum(numbers) == int(total) == one.gain, one.explanation.why


TOLD = {
    "4.8, 6.1": (
        position(c3="M6:y", c4="O8:yyy"),
        move("c3>c4y"),
        8 + 4 + 10 + 3,
        [
            "claims c4 (+8)",
            "takes 4 viziers (+4, now ahead of one player: +10)",
            "puts a palm on c4 (+3)",
        ],
    ),
    "5.1": (position(c3="M6:w", c4="M6:wb"), move("c3>c4w"), 4, ["takes 2 elders (+4)"]),
    "5.2": (position(c3="M6:g", c4="M6:gb"), move("c3>c4g"), 1, ["takes fakir and ivory (+1)"]),
    "5.2 alike": (
        position(row=("fish", "fakir", "fish", "fakir", "fish"), c3="M6:g", c4="M6:gggb"),
        move("c3>c4g"),
        2,
        ["takes 2 fish and 2 fakirs (+2)"],
    ),
    "5.2 unknown": (position(row=None, c3="M6:g", c4="M6:gb"), move("c3>c4g"), 0, ["takes 2 unknown cards"]),
    "5.2 none": (position(row=(), c3="M6:g", c4="M6:gb"), move("c3>c4g"), 0, ["takes no card, the row is empty"]),
    "5.3": (
        position(c3="M6:b", c4="V5:by@K"),
        move("c3>c4b", fakirs=1),
        3,
        [
            "2 builders and 1 fakir earn 3 GC for 3 x 1 blue-valued tile (+3)",
            "puts a palace on c4",
        ],
    ),
    "5.4": (
        position(c3="M6:r", c4="M6:r@K", d4="M4:g"),
        move("c3>c4r", victim=on("d4", Tribe.MERCHANT)),
        4,
        [
            "kills the merchant on d4",
            "claims d4 (+4)",
        ],
    ),
    "5.4 in front": (
        position(c3="M6:r", c4="M6:r@K"),
        move("c3>c4r", victim=Victim(Tribe.ELDER, owner=BLACK)),
        0,
        ["kills an elder in front of black"],
    ),
    "6.4": (
        position(c3="M6:y", c4="M4:yb@K"),
        move("c3>c4y", cards=(1, 2)),
        2 + 10 + 3 - 6,
        [
            "takes 2 viziers (+2, now ahead of one player: +10)",
            "buys ivory and fish for 6 GC (cards +3, price -6)",
        ],
    ),
    "6.5": (
        position(c3="M6:w", c4="S6:wb"),
        move("c3>c4w", djinn="Utug", with_fakir=True),
        4 + 4 - 2,
        [
            "takes 2 elders (+4)",
            "takes Utug for 1 elder and 1 fakir (+4, price -2)",
        ],
    ),
    "6.5 promo": (
        position(djinns=("Dhenim",), c3="M6:w", c4="S6:wb"),
        move("c3>c4w", djinn="Dhenim"),
        4 + 6 - 4,
        ["takes 2 elders (+4)", "takes Dhenim for 2 elders (+6, price -4)"],
    ),
    "11 Kandicha": (
        owning(position(c3="M6:r", c4="M6:r@K", d4="V5:bb"), "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.BUILDER)),
        1,
        ["kills the builder on d4", "Kandicha earns 1 GC for the builder (+1)"],
    ),
    "11 Marid": (
        owning(position(c3="M6:gy", c4="M6@P", d4="M6:yb@P"), "Marid"),
        move("c3>c4g>d4y"),
        2 + 2 + 10,
        ["Marid pays 2 GC for the drops (+2)", "takes 2 viziers (+2, now ahead of one player: +10)"],
    ),
}


@pytest.mark.parametrize(("start", "turn", "gain", "effects"), TOLD.values(), ids=TOLD)
def test_what_is_told(start: Position, turn: Move, gain: int, effects: Any) -> None:
    explanation = explain(start, turn)
    assert [str(item) if item.points else item.text for item in explanation.effects] == effects
    assert explanation.gain == gain
    scoring = [text for text in effects if text.endswith(")")]
    assert explanation.why == (f"{', '.join(scoring)} = +{gain}" if gain else "brings no points at once")


def test_a_turn_without_a_mover_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="to_move"):
        explain(replace(position(c3="M6:w", c4="S6:wb"), to_move=None), move("c3>c4w"))
