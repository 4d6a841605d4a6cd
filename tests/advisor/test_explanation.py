"""A turn in words: every item adds up to the gain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.advisor.account import RecordedTurn, recorded_decisions
from companion.advisor.explanation import ExplainedTurn, explain_turn, fresh_turn
from companion.rules.engine.scoring import score
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Player, Position
from tests.advisor.recorded_turns import replayed
from tests.rules.test_turn import Move, move, on, position

BLACK, PINK = Colour.BLACK, Colour.PINK


def owning(start: Position, *djinns: str) -> Position:
    return start.with_player(replace(start.player(PINK), djinns=djinns))


def explain(start: Position, turn: Move) -> ExplainedTurn:
    return explain_turn(fresh_turn(start, moves=True), turn.actions)


def texts(explained: ExplainedTurn) -> list[str]:
    return [effect.text for effect in explained.effects]


EFFECTS = {
    "4.8, 6.1": (
        position(c3="M6:y", c4="O8:yyy"),
        move("c3>c4y"),
        8 + 4 + 10 + 3,
        [
            "claims c4 (+8)",
            "takes 4 viziers (+4, now ahead of 1 player: +10)",
            "puts a palm on c4 (+3)",
        ],
    ),
    "5.1": (position(c3="M6:w", c4="M6:wb"), move("c3>c4w"), 4, ["takes 2 elders (+4)"]),
    "5.2 alike": (
        position(row=("fish", "fakir", "fish", "fakir", "fish"), c3="M6:g", c4="M6:gggb"),
        move("c3>c4g"),
        2,
        ["takes 2 fish and 2 fakirs (+2)"],
    ),
    "5.2 unknown": (position(row=None, c3="M6:g", c4="M6:gb"), move("c3>c4g"), 0, ["takes 2 unknown cards"]),
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
    "6.4": (
        position(c3="M6:y", c4="M4:yb@K"),
        move("c3>c4y", cards=(1, 2)),
        2 + 10 + 3 - 6,
        [
            "takes 2 viziers (+2, now ahead of 1 player: +10)",
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
    "11 Kandicha": (
        owning(position(c3="M6:r", c4="M6:r@K", d4="V5:bb"), "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.BUILDER)),
        1,
        ["kills the builder on d4", "Kandicha earns 1 GC for the builder (+1)"],
    ),
    "11 Marid of an opponent": (
        position(c3="M6:gy", c4="M6@K", d4="M6:yb@K").with_player(
            replace(position().player(BLACK), djinns=("Marid",), viziers=0)
        ),
        move("c3>c4g>d4y"),
        2 + 10,
        ["Marid pays black 4 GC for the drops", "takes 2 viziers (+2, now ahead of 1 player: +10)"],
    ),
    "11 Ba'al": (
        owning(position(c3="M6:w", c4="S6:wb"), "Ba'al"),
        move("c3>c4w", djinn="Utug"),
        4 + 4 - 4 + 1,
        ["takes 2 elders (+4)", "takes Utug for 2 elders", "Ba'al pays 1 GC (+1)"],
    ),
    "11 Jafaar taken with viziers in front": (
        position(c3="M6:y", c4="S6:yb"),
        move("c3>c4y", djinn="Jafaar"),
        2 + 10 + 6 + 4 - 4,
        [
            "takes 2 viziers (+2, now ahead of 1 player: +10)",
            "takes Jafaar for 2 elders (+6, its power +4, price -4)",
        ],
    ),
    "11 Kandicha keeps a vizier and overtakes": (
        owning(
            position(black=replace(position().player(BLACK), viziers=0), c3="M6:r", c4="M6:r@K", d4="M6:yb"), "Kandicha"
        ),
        move("c3>c4r", victim=on("d4", Tribe.VIZIER)),
        11,
        ["kills the vizier on d4", "Kandicha keeps the vizier (+1, now ahead of 1 player: +10)"],
    ),
    "5.4 a vizier in front overtakes": (
        position(c3="M6:r", c4="M6:r@K").with_player(replace(position().player(PINK), viziers=1)),
        move("c3>c4r", victim=Victim(Tribe.VIZIER, owner=BLACK)),
        10,
        ["kills a vizier in front of black (now ahead of 1 player: +10)"],
    ),
    "10.2 three more": (
        Position(
            position(c3="M6:y", c4="M6:yyb").board,
            players=tuple(
                replace(position().player(PINK), colour=colour, viziers=number)
                for colour, number in ((BLACK, 0), (Colour.ORANGE, 1), (Colour.BLUE, 2), (PINK, 1))
            ),
            row=(),
            djinns=(),
            to_move=PINK,
        ),
        move("c3>c4y"),
        3 + 20,
        ["takes 3 viziers (+3, now ahead of 2 more players: +20)"],
    ),
    "11 Marid": (
        owning(position(c3="M6:gy", c4="M6@P", d4="M6:yb@P"), "Marid"),
        move("c3>c4g>d4y"),
        2 + 2 + 10,
        ["Marid pays 2 GC for the drops (+2)", "takes 2 viziers (+2, now ahead of 1 player: +10)"],
    ),
}


def test_what_happens_is_said_with_its_points(subtests: pytest.Subtests) -> None:
    for case, (start, turn, gain, effects) in EFFECTS.items():
        with subtests.test(msg=case):
            explanation = explain(start, turn)
            assert [str(item) if item.points else item.text for item in explanation.effects] == effects
            assert explanation.gain == gain


def unknown(start: Position, colour: Colour, *fields: str) -> Position:
    missing: dict[str, Any] = dict.fromkeys(fields)
    return start.with_player(replace(start.player(colour), **missing))


NOBODY = Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=())
TWO_VIZIERS = position(c3="M6:y", c4="M6:yb")
HAVING_ONE = TWO_VIZIERS.with_player(replace(TWO_VIZIERS.player(PINK), viziers=1))
TO_MOVE = move("c3>c4y")
KILL_IN_FRONT = (
    position(c3="M6:r", c4="M6:r@K"),
    move("c3>c4r", victim=Victim(Tribe.ELDER, owner=BLACK)),
)
NOBODY_THERE = position(black=NOBODY, c3="M6:r", c4="M6:r")
ELDERLESS = replace(position().player(PINK), elders=0)
ALL_ELDERS_STAND = position(black=NOBODY, c3="M6:r", c4="M6:r", a1="M6:wwwwwwwwwwwwwwwwwwww").with_player(ELDERLESS)

RESTS_ON = {
    "10.2 all is known": (TWO_VIZIERS, TO_MOVE, 12, [], []),
    "10.2 an opponent's viziers": (
        unknown(TWO_VIZIERS, BLACK, "viziers"),
        TO_MOVE,
        2,
        ["+10 if black has fewer than 2 viziers"],
        [],
    ),
    "10.2 with viziers before": (
        unknown(HAVING_ONE, BLACK, "viziers"),
        TO_MOVE,
        2,
        ["+10 if black has fewer than 3 viziers but at least 1"],
        [],
    ),
    "10.2 own viziers": (
        unknown(TWO_VIZIERS, PINK, "viziers"),
        TO_MOVE,
        2,
        ["+10 if pink overtakes black in viziers"],
        [],
    ),
    "5.4 Boaz may be there": (
        unknown(KILL_IN_FRONT[0], BLACK, "djinns"),
        KILL_IN_FRONT[1],
        0,
        [],
        ["if black doesn't own Boaz"],
    ),
    "5.4 Boaz lies face up": (
        replace(unknown(KILL_IN_FRONT[0], BLACK, "djinns"), djinns=("Boaz",)),
        KILL_IN_FRONT[1],
        0,
        [],
        [],
    ),
    "5.4 nobody to kill": (NOBODY_THERE, move("c3>c4r"), 6, [], []),
    "5.4 perhaps an elder to kill": (
        unknown(NOBODY_THERE, BLACK, "elders"),
        move("c3>c4r"),
        6,
        [],
        ["if no opponent has a vizier or an elder that can be killed (rules 5.4)"],
    ),
    "5.4 an elder to kill, but all are on the board": (
        unknown(ALL_ELDERS_STAND, BLACK, "elders"),
        move("c3>c4r"),
        6,
        [],
        [],
    ),
    "6.4 gold": (
        unknown(position(c3="M6:w", c4="M4:wb@K"), PINK, "gold"),
        move("c3>c4w", cards=(1, 2)),
        4 + 3 - 6,
        [],
        ["if pink has 6 GC"],
    ),
}


def test_what_a_turn_rests_on_is_said(subtests: pytest.Subtests) -> None:
    for case, (start, turn, gain, possible, conditions) in RESTS_ON.items():
        with subtests.test(msg=case):
            explanation = explain(start, turn)
            assert explanation.gain == gain
            assert [one.text for one in explanation.possible] == possible
            assert list(explanation.conditions) == [f"only {condition}" for condition in conditions]
            assert all(0 < one.expected < 10 for one in explanation.possible)
            assert explanation.expected == gain + sum(one.expected for one in explanation.possible)


def test_unknown_cards_and_goods_are_worth_what_they_are_on_average() -> None:
    start = position(row=None, c3="M6:g", c4="M6:gb")
    (cards,) = explain(start, move("c3>c4g")).possible
    assert cards.text == f"about {cards.expected:+.1f} for 2 unknown cards"
    # Two goods of different kinds make 3 GC, of one kind 2, and a fakir nothing.
    assert 1 < cards.expected < 3
    unsure = unknown(replace(start, row=("ivory", "fish")), PINK, "goods")
    (goods,) = explain(unsure, move("c3>c4g")).possible
    assert goods.text == f"about {goods.expected:+.1f} with the goods that pink may have"
    assert goods.expected > 2
    (both,) = explain(unknown(start, PINK, "goods"), move("c3>c4g")).possible
    assert both.text == f"about {both.expected:+.1f} for 2 unknown cards with the goods that pink may have"
    elders = unknown(position(c3="M6:w", c4="M6:wb"), PINK, "goods")
    assert explain(elders, move("c3>c4w")).possible == (), "no card is taken"


def test_5_4_assassins_with_nobody_in_reach_say_so() -> None:
    explanation = explain(NOBODY_THERE, move("c3>c4r"))
    assert texts(explanation) == ["claims c4", "the assassins have nobody within reach"]
    on_oasis = position(black=NOBODY_THERE.player(BLACK), c3="M6:r", c4="O8:r@P")
    assert texts(explain(on_oasis, move("c3>c4r"))) == [
        "the assassins have nobody within reach",
        "puts a palm on c4",
    ]
    killing = explain(position(c3="M6:r", c4="M6:rg"), move("c3>c4r", victim=on("c4", Tribe.MERCHANT)))
    assert texts(killing) == ["kills the merchant on c4", "claims c4"]


def test_the_parts_of_whole_turns_add_up_to_what_they_gain() -> None:
    """In random games with powers, as far as nothing is drawn in a turn."""
    told = 0
    for players, seed, djinn in ((2, 2, "Anun-Nak"), (3, 5, None), (4, 2, "Kandicha")):
        for turn in recorded_decisions(replayed(players, seed, djinn))[0]:
            if isinstance(turn, RecordedTurn) and not turn.drew:
                before, after = (score(state.position)[turn.colour].total for state in (turn.before, turn.closed))
                assert explain_turn(turn.before, turn.actions).gain == after - before
                told += 1
    assert told > 60
