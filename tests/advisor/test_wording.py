"""Advice in words: whole turns with powers and sales add up, and what is told of a turn is what it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice, Estimate, LikelyReply
from companion.advisor.bid_wording import bid_words, place_words, purpose
from companion.advisor.explanation import explain_turn, fresh_turn
from companion.advisor.turn_wording import (
    behind_first,
    better_than_next,
    equals,
    outlook,
    reasons,
    record_line,
)
from companion.rules.engine.game import step
from companion.rules.model.actions import (
    LEAVE_IT,
    Action,
    ActTile,
    ActTribe,
    EndTurn,
    Paid,
    PlaceBid,
    Sell,
    Sow,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState
from tests.advisor.advised import sample_advice
from tests.rules.test_turn import move, on, position

BLACK, PINK = Colour.BLACK, Colour.PINK


def rich(start: Position, *djinns: str) -> Position:
    """The position with a player to move who has these djinns and can pay for them."""
    return start.with_player(replace(start.player(PINK), elders=4, fakirs=3, djinns=djinns))


def advised(state: GameState, *actions: Action, **more: object) -> AdvisedTurn:
    explained = explain_turn(state, actions)
    turn = AdvisedTurn(actions, explained.sowing, gain=0, estimate=Estimate(3.0, 0.5), explained=explained)
    return replace(turn, **more)


SACRED = position(c3="M6:w", c4="S6:wb", e1="V5", a1="V5:bb")
WALK = Sow(move("c3>c4w").sowing)
TURN = fresh_turn(SACRED, moves=True)
HEADLINES = {
    "3 taken, 6.5": (rich(SACRED), [WALK, ActTribe(), ActTile(TileChoice(djinn="Utug"))], "take 2 elders, take Utug"),
    "11 after": (
        rich(SACRED, "Leta"),
        [WALK, ActTribe(), ActTile(LEAVE_IT), UsePower(Paid("Leta", 2), 4), EndTurn()],
        "take 2 elders, use Leta on e1, claim e1 (V5)",
    ),
    "7": (
        rich(position(c3="M6:w", c4="M6:wb").with_player(Player(PINK, goods=(1, 1, 0, 0, 0, 0, 0, 0, 0), gold=3))),
        [WALK, ActTribe(), ActTile(LEAVE_IT), Sell(("ivory", "jewels"))],
        "take 2 elders, sell ivory and jewels",
    ),
    "6.3": (
        rich(position(c3="M6:w", c4="M6:wb")),
        [WALK, ActTribe(), ActTile(TileChoice(cards=(1,)))],
        "take 2 elders, buy ivory",
    ),
}


def test_a_headline_tells_the_whole_turn(subtests: pytest.Subtests) -> None:
    for case, (start, actions, told) in HEADLINES.items():
        with subtests.test(msg=case):
            explained = explain_turn(fresh_turn(start, moves=True), actions)
            assert explained.headline == f"c3 > c4w: {told}"
            assert (explained.path, explained.start) == ("c3 > c4w", "c3: lift its only meeple")


def test_powers_before_the_move_stand_before_it() -> None:
    actions = [UsePower(Paid("Utug", 1, 1), 0), WALK, ActTribe(), ActTile(LEAVE_IT)]
    explained = explain_turn(fresh_turn(rich(SACRED, "Utug"), moves=True), actions)
    assert explained.headline == "use Utug on a1, claim a1 (V5), then c3 > c4w: take 2 elders"


def test_kills_name_the_victim_and_what_the_kill_claims() -> None:
    start = position(c3="M6:r", c4="M6:r@K", d4="M4:g")
    choice = TribeChoice(fakirs=1, victim=on("d4", Tribe.MERCHANT))
    actions = [Sow(move("c3>c4r").sowing), ActTribe(choice), ActTile(LEAVE_IT)]
    explained = explain_turn(fresh_turn(rich(start), moves=True), actions)
    assert explained.headline == "c3 > c4r: take 2 assassins, spend 1 fakir, kill the merchant on d4, claim d4 (M4)"


def test_a_turn_that_draws_djinns_says_that_it_goes_on_with_them() -> None:
    start = rich(SACRED, "Sibittis")
    actions = (WALK, ActTribe(), ActTile(LEAVE_IT), UsePower(Paid("Sibittis", 2)))
    turn = advised(fresh_turn(start, moves=True), *actions, open_ended=True)
    assert turn.text().endswith("use Sibittis, carry on with what is drawn")
    assert reasons(turn)[0] == (
        "now +0: takes 2 elders (+4), uses Sibittis for 2 elders (-4); then the turn carries on with what is drawn"
    )


def test_no_move_but_powers_and_sales_9_2() -> None:
    start = rich(position(a1="V5"), "Leta")
    explained = explain_turn(fresh_turn(start, moves=False), [UsePower(Paid("Leta", 2), 0)])
    assert explained.headline == explained.doing == "use Leta on a1, claim a1 (V5)"
    assert explained.start == "djinns and goods: no meeples can move"


def test_reasons_are_told_with_their_noise() -> None:
    turn = advised(
        *(fresh_turn(rich(SACRED), moves=True), WALK, ActTribe(), ActTile(LEAVE_IT)),
        estimate=Estimate(12.04, 0.6),
        win=0.712,
        next_best=Estimate(2.1, 0.4),
        categories={"goods": 3.0, "tiles": -0.96, "gold": 0.1, "palms": 0.2, "opponents": -0.5, "djinns": 0.26},
        best_capture_left=5.4,
        reply=LikelyReply(BLACK, 20, int(Tribe.MERCHANT), 11.2, 0.43),
    )
    assert reasons(turn) == [
        "now +4: takes 2 elders (+4)",
        "wins 71% of games, even is 50%; expected to finish 12.0 ± 0.6 ahead",
        "leaves black no turn worth more than 5 straight away",
        "most likely reply: black takes merchants on c4 (+11), 43% of the time",
        "2.1 ± 0.4 better than the next: +3.0 goods, -1.0 tiles, -0.5 as the best opponent gets more, +0.6 other",
    ]
    assert len(reasons(turn, with_outlook=False)) == 4
    about = reasons(replace(turn, about=True))
    assert "leaves black no turn worth more than about 5 straight away" in about
    assert "most likely reply: black takes merchants on c4 (~+11), 43% of the time" in about
    second = replace(turn, behind=Estimate(2.1, 0.4))
    assert reasons(second)[-1] == "2.1 ± 0.4 less than the first"
    alike = replace(turn, behind=Estimate(0.1, 0.4), equal=True)
    assert reasons(alike)[-1] == "too close to the first to call: 0.1 ± 0.4 less"


def test_the_chance_to_win_and_the_expected_margin_in_words(subtests: pytest.Subtests) -> None:
    for estimate, win, players, told in [
        (Estimate(12.44, 0.61), 0.7, 2, "wins 70% of games, even is 50%; expected to finish 12.4 ± 0.6 ahead"),
        (Estimate(-3.0, 0.5), 0.001, 2, "wins 1% of games, even is 50%; expected to finish 3.0 ± 0.5 behind"),
        (
            Estimate(-7.84, 0.4),
            0.46,
            3,
            "wins 46% of games, even is 33%; expected to finish 7.8 ± 0.4 behind the best of the others",
        ),
        (Estimate(2.0, 0.4), None, 4, "expected to finish 2.0 ± 0.4 ahead of the best of the others"),
        (Estimate(7.0), 1.0, 3, "finishes 7 ahead"),
        (Estimate(-7.0), 0.0, 3, "finishes 7 behind"),
        (Estimate(0.0), 0.5, 3, "finishes level"),
    ]:
        with subtests.test(msg=str((estimate, told))):
            one = advised(TURN, estimate=estimate, win=win)
            assert outlook(one, players) == told
            assert outlook(one, players, brief=True) == told.replace(" ± 0.6", "").replace(" ± 0.5", "").replace(
                " ± 0.4", ""
            )
    level = advised(TURN, estimate=Estimate(0.04, 0.5))
    assert outlook(level, 2, brief=True) == "expected to finish level"
    for value, told in [(5.04, "5.0 ± 2.0 ahead"), (-5.04, "5.0 ± 2.0 behind"), (0.04, "0.0 ± 2.0 ahead")]:
        with subtests.test(msg=told):
            assert outlook(advised(TURN, estimate=Estimate(value, 2.0)), 2, brief=True) == f"expected to finish {told}"


def test_the_best_turn_says_what_to_lift_and_where_to_end() -> None:
    best = sample_advice().turns[0].explained
    assert best.doing == "lift the 7 meeples on e2 and end on e5: take 3 viziers, claim e5 (S15)"


def test_equals_are_named(subtests: pytest.Subtests) -> None:
    for alike, told in [
        ([False, False], ""),
        ([False, True], "Turns 1 and 2 are too close to call"),
        ([False, True, True], "Turns 1 to 3 are too close to call"),
        ([False, True, False, True], "Turns 1, 2 and 4 are too close to call"),
    ]:
        with subtests.test(msg=str((alike, told))):
            said = equals([advised(TURN, equal=equal, behind=Estimate(0.1, 0.2)) for equal in alike])
            assert said.startswith(told)
            assert (said == "") == (told == "")
    perhaps = [advised(TURN), *(advised(TURN, behind=Estimate(value, 1.2)) for value in (0.9, 2.9, 1.9))]
    assert equals(perhaps) == "Perhaps as good as the first: 2 and 4."
    exact = [advised(TURN), advised(TURN, equal=True, behind=Estimate(0.0))]
    assert equals(exact) == "Turns 1 and 2 are equally good."
    assert behind_first(exact[1]) == "as good as the first", "the last turn of a game has no noise"


def test_a_turn_is_called_level_with_the_next_only_if_that_is_shown() -> None:
    for next_best, told in [
        (Estimate(0.2, 0.3), "too close to the next to call: 0.2 ± 0.3 apart"),
        (Estimate(2.9, 1.7), "2.9 ± 1.7 better than the next"),
        (Estimate(0.0), "as good as the next"),
        (None, ""),
    ]:
        assert better_than_next(advised(TURN, next_best=next_best)) == told


def test_a_bid_says_what_it_is_for_and_whether_only_its_place_gives_it() -> None:
    state = fresh_turn(rich(position(c3="M6:w", c4="S6:wb", a1="V5:b", b1="V5:b")), moves=True)
    elders = advised(state, WALK, ActTribe(), ActTile(LEAVE_IT))
    builder = advised(state, Sow(move("a1>b1b").sowing), ActTribe(), ActTile(LEAVE_IT))
    first = AdvisedBid(PlaceBid(5), Estimate(6.0, 0.3), 1, turn=elders)
    second = AdvisedBid(PlaceBid(3), Estimate(5.0, 0.3), 2, turn=builder)
    both = BidAdvice(PINK, state.position, (first, second))
    assert purpose(both, first) == "only as first: take 2 elders on c4 (+4 now)"
    assert purpose(both, second) == "take 2 builders on b1, claim b1 (V5) (+14 now)"
    same = replace(second, turn=elders)
    assert purpose(replace(both, bids=(first, same)), first) == "take 2 elders on c4 (+4 now)"
    assert purpose(both, replace(first, turn=None)) == ""
    assert [place_words(place) for place in (1, 4, 5)] == ["first", "fourth", "5th"]
    assert bid_words(PlaceBid(8, 1)) == "8 with 1 fakir (pays 5)"


def test_a_turn_goes_on_from_what_was_paid_before_it_11_9() -> None:
    start = rich(position(c3="M6:b", c4="S6:b"), "Echidna", "Utug")
    paid = step(fresh_turn(start, moves=True), UsePower(Paid("Echidna", 2))).state
    build = advised(paid, Sow(move("c3>c4b").sowing), ActTribe(), ActTile(LEAVE_IT))
    assert build.explained.begins.progress == paid.progress
    assert reasons(build)[0] == "now +10: claims c4 (+6), 2 builders earn 4 GC for 2 x 1 blue-valued tile x 2 (+4)"
    assert record_line(build) == "pink: c3 > c4b: claim c4; 2 builders: 4 GC; pass"
