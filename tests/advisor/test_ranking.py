"""The advisor's gains are the true maxima: against walking every complete turn, and in named cases."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from companion.advisor.completion import complete
from companion.advisor.expectation import Expectation, unknown_cards
from companion.advisor.search.gains import Hint, hints
from companion.advisor.kills import SowingClass
from companion.advisor.ranking import LARGEST_TIE_BREAK, rank
from companion.rules.engine.scoring import player_points
from companion.rules.engine.turn import play_move
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.events import MeeplesTaken, Victim
from companion.rules.model.position import Player, Position
from tests.advisor.positions import random_position
from tests.rules.sown import apply_sowing
from tests.rules.test_turn import NO_GOODS, ROW, camels, position
from tests.rules.whole_turns import apply_move, legal_moves

BLACK, ORANGE, BLUE, PINK = Colour
MOST_TURNS = 4_000
"""Positions with more complete turns than this are passed over by the comparison."""

Outcome = tuple[int, int, Tribe, int, bool]


def best_by_walking(start: Position, most: int = MOST_TURNS) -> dict[Outcome, float] | None:
    """The greatest expected gain of each outcome over every complete turn; None if there are too many."""
    mover = start.to_move
    assert mover is not None
    expectation = Expectation(start, mover)
    before = expectation.points(start)
    best: dict[Outcome, float] = {}
    turns = list(islice(legal_moves(start), most + 1))
    if len(turns) > most:
        return None
    for turn in turns:
        record = play_move(start, turn)
        taken = next(event for event in record.events if isinstance(event, MeeplesTaken))
        emptied = not any(apply_sowing(start.board, turn.sowing).board[taken.square].meeples)
        outcome = (turn.sowing.start, taken.square, taken.tribe, taken.count, emptied)
        gain = round(expectation.points(record.position, unknown_cards(record.events)) - before, 6)
        best[outcome] = max(gain, best.get(outcome, gain))
    return best


def outcome_of(sown: SowingClass) -> Outcome:
    return (sown.start, sown.end, sown.tribe, sown.count, sown.emptied)


@pytest.mark.parametrize("large_hand", [False, True], ids=["small hands", "a large hand"])
@pytest.mark.parametrize("tens", range(4))
def test_gains_are_the_maxima_over_all_complete_turns(tens: int, large_hand: bool) -> None:
    compared = 0
    for seed in range(10 * tens, 10 * tens + 10):
        start = random_position(seed, large_hand=large_hand)
        walked = best_by_walking(start)
        if walked is None:
            continue
        compared += len(walked)
        ranked = rank(complete(start))
        assert {outcome_of(candidate.sown): round(candidate.expected, 6) for candidate in ranked} == walked, (
            f"seed {seed}"
        )
        assert len(ranked) == len(walked)
    assert compared > 20


@pytest.mark.parametrize("seed", range(200, 215))
def test_every_hint_can_be_played_and_gains_what_it_says(seed: int) -> None:
    start = random_position(seed)
    mover = start.to_move
    assert mover is not None
    found = hints(start, 1000)
    assert len(found.moves) == len(rank(complete(start)))
    for one in found.moves:
        assert player_points(apply_move(start, one.move), mover) - player_points(start, mover) == one.gain
        assert abs(one.value - one.explanation.expected) <= LARGEST_TIE_BREAK + 0.005
    values = [one.value for one in found.moves]
    assert values == sorted(values, reverse=True)
    if not any(one.explanation.possible for one in found.moves):
        gains = [one.gain for one in found.moves]
        assert gains == sorted(gains, reverse=True)


SELF_CROSSING = {
    "one other meeple in hand, which cannot be on two tiles": position(
        black=Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=()),
        c3="M6:rrrry",
        c4="M4:r",
        d4="S15",
    ),
    "the kill of one dropped there claims the end tile": position(
        black=Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=()), c3="M6:rrrry", c4="O8:r"
    ),
    "a meeple of the end tile stays beside one dropped there": position(c3="M6:rrrry", c4="M4:rb", d4="S15"),
    "a tile that the path can only cross twice": position(c1="M6:rrbbbb", b1="S15"),
}


@pytest.mark.parametrize("djinns", [(), ("Kandicha",)], ids=["", "Kandicha"])
@pytest.mark.parametrize("start", SELF_CROSSING.values(), ids=SELF_CROSSING)
def test_gains_are_the_maxima_where_paths_cross_themselves(start: Position, djinns: tuple[str, ...]) -> None:
    start = rich(start, djinns=djinns, fakirs=0)
    walked = best_by_walking(start, 20_000)
    assert walked
    assert {outcome_of(candidate.sown): round(candidate.expected, 6) for candidate in rank(complete(start))} == walked
    assert len(hints(start, 1000).moves) == len(walked)


def best(start: Position) -> Hint:
    return hints(start, 1).moves[0]


def rich(start: Position, **holdings: Any) -> Position:
    return start.with_player(replace(start.player(PINK), **holdings))


NOBODY = Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=())


def test_5_5_drops_one_on_an_empty_tile_and_kills_it() -> None:
    start = position(black=NOBODY, c3="M4:gr", d4="M6:ry", d3="S15", c4="O8")
    found = best(start)
    assert found.move.sowing.end == parse_square("d4")
    assert found.move.tribe.victim == Victim(Tribe.MERCHANT, square=parse_square("d3"))
    assert (found.gain, found.explanation.claims) == (15, (parse_square("d3"),))


def test_5_5_kills_what_stands_alone_where_the_path_does_not_pass() -> None:
    start = position(black=NOBODY, c3="M4:gr", d4="M6:ry", d3="S15:w", c4="M4")
    found = best(start)
    assert found.move.sowing.path == (parse_square("c4"), parse_square("d4"))
    assert found.move.tribe.victim == Victim(Tribe.ELDER, square=parse_square("d3"))
    assert found.gain == 15


def test_5_5_a_kill_that_claims_the_end_tile_is_worth_its_palm_too() -> None:
    start = position(black=NOBODY, c3="M4:r@K", c4="O8:rg", e4="M6:b", d4="M4@K")
    found = best(start)
    assert found.move.tribe.victim == Victim(Tribe.MERCHANT, square=parse_square("c4"))
    assert found.gain == 8 + 3


def test_5_5_the_last_camel_goes_to_the_end_tile_and_leaves_nothing_to_kill_for() -> None:
    start = position(black=NOBODY, c3="M4:r", c4="M4:r", d3="S15:w", **camels(10))
    found = best(start)
    assert (found.gain, found.explanation.claims) == (4, (parse_square("c4"),))


def test_5_4_fakirs_lengthen_the_reach_only_where_that_gains() -> None:
    start = rich(position(black=NOBODY, c3="M4:r", c4="M4:r", f4="S15:w", e4="O8:b"), fakirs=2)
    found = best(start)
    assert found.move.tribe.victim == Victim(Tribe.ELDER, square=parse_square("f4"))
    assert (found.move.tribe.fakirs, found.gain) == (1, 19)


def test_5_4_nobody_to_kill() -> None:
    assert best(position(black=NOBODY, c3="M4:r", c4="M6:r")).gain == 6


def test_5_4_a_vizier_killed_in_front_of_an_opponent_overtakes_him() -> None:
    start = rich(position(c3="M4:r@K", c4="M4:r@K", d4="M4:b"), viziers=1)
    found = best(start)
    assert (found.move.tribe.victim, found.gain) == (Victim(Tribe.VIZIER, owner=BLACK), 10)
    assert "now ahead of one player: +10" in found.explanation.why


def test_10_2_viziers_count_by_whom_they_overtake() -> None:
    start = position(c3="M6:y", c4="M4:yb")
    assert best(start).gain == 2 + 10
    assert best(start).explanation.why == "takes 2 viziers (+2, now ahead of one player: +10) = +12"


def test_6_4_the_two_cards_that_gain_most_are_bought() -> None:
    held = tuple(int(name in ("ivory", "jewels", "gold", "papyrus")) for name in GOODS)
    start = rich(position(c3="M4:y@K", c4="M4:yb"), goods=held, viziers=5, elders=0)
    found = best(start)
    bought = {ROW[place] for place in found.move.tile.cards}
    assert bought == {"fish", "silk"}
    assert found.gain == 2 + (30 - 13) - 6


def test_6_4_nothing_is_bought_that_loses() -> None:
    start = rich(position(c3="M4:y@K", c4="M4:yb"), viziers=5)
    assert best(start).move.tile.cards == ()


def test_5_3_fakirs_go_to_builders_unless_a_djinn_is_worth_more() -> None:
    start = rich(position(c3="M6:b@K", c4="S6:b@K", d4="V5"), elders=1, fakirs=1)
    found = best(start)
    # Two blue tiles: the fakir earns 2 GC, or helps to pay for Jafaar (6 VP for an elder of 2).
    assert (found.move.tribe.fakirs, found.move.tile.djinn, found.move.tile.with_fakir) == (0, "Jafaar", True)
    assert found.gain == 4 + 6 - 2


def test_6_5_the_djinn_whose_power_is_worth_most() -> None:
    start = rich(position(c3="M6:y", c4="S6:y@K"), viziers=4)
    found = best(start)
    assert found.move.tile.djinn == "Jafaar"
    assert found.gain == 2 + (6 + 2 * 6) - 2
    assert "by its power +12" in found.explanation.why


def test_11_own_marid_is_paid_for_the_best_path() -> None:
    start = rich(position(c3="M6:ggy", e4="M4:yb", d4="M6@P", c4="M6@P", e3="M6@K", d3="M6@K"), djinns=("Marid",))
    found = best(start)
    assert found.move.sowing.path == tuple(map(parse_square, ("c4", "d4", "e4")))
    assert "Marid pays 2 GC for the drops (+2)" in found.explanation.why


def test_11_the_path_shown_spares_what_an_opponents_marid_would_get() -> None:
    start = position(c3="M6:ggy", e4="M4:yb", c4="M6@K", d4="M6@K", d3="M6@K", e3="M6")
    start = start.with_player(replace(start.player(BLACK), djinns=("Marid",)))
    found = hints(start, 50)
    to_e4 = [one for one in found.moves if one.move.sowing.end == parse_square("e4")]
    assert to_e4[0].move.sowing.path == tuple(map(parse_square, ("d3", "e3", "e4")))
    assert "Marid pays black 2 GC for the drops" in to_e4[0].explanation.actions


def test_of_equal_gains_the_one_that_keeps_fakirs_comes_first() -> None:
    start = rich(position(black=NOBODY, c3="M6:b", c4="M6:b"), fakirs=2)
    assert all(one.move.tribe.fakirs == 0 for one in hints(start, 9).moves)


def test_9_2_no_legal_move_gives_no_advice() -> None:
    found = hints(position(c3="M6:y"), 5)
    assert found.moves == ()
    assert any("rules 9.2" in sentence for sentence in found.notes)


def test_a_hand_too_large_is_left_out_and_said() -> None:
    start = position(black=NOBODY, a1="M6:" + "w" * 15, f5="M6:y", e5="M6:y")
    found = hints(start, 50)
    assert {one.move.sowing.start for one in found.moves} == {parse_square("f5"), parse_square("e5")}
    assert any("15 meeples of a1 are left out" in sentence for sentence in found.notes)


def test_merged_hints_are_the_same_turns_together() -> None:
    start = position(c3="M6:y", d3="M6:gy", d4="M4:y", c4="M4:yb", e4="M6:wwy")
    apart, merged = hints(start, 1000).moves, hints(start, 1000, merge_starts=True).moves
    assert len(merged) < len(apart)
    assert sum(1 + len(one.also_from) for one in merged) == len(apart)
    by_start = {(one.move.sowing.start, one.move.sowing.end, one.tribe, one.taken, one.value) for one in apart}
    for one in merged:
        for begin in (one.move.sowing.start, *one.also_from):
            assert (begin, one.move.sowing.end, one.tribe, one.taken, one.value) in by_start


@pytest.mark.parametrize("top", [1, 3])
def test_no_more_than_asked_for(top: int) -> None:
    assert len(hints(random_position(3), top).moves) == top


# What turns of the same gain are ranked by.

SIX_AHEAD = position(c3="M4:r@K", c4="M4:r@K", d4="M4:b@K").with_player(replace(position().player(PINK), viziers=5))


def with_black(start: Position, **holdings: Any) -> Position:
    return start.with_player(replace(start.player(BLACK), **holdings))


TIES = {
    "an elder of an opponent is worth more than a vizier": (
        SIX_AHEAD,
        Victim(Tribe.ELDER, owner=BLACK),
        0,
        0.04,
    ),
    "a vizier of an opponent": (with_black(SIX_AHEAD, elders=0), Victim(Tribe.VIZIER, owner=BLACK), 0, 0.02),
    "a meeple of the board": (
        with_black(SIX_AHEAD, elders=0, viziers=0),
        Victim(Tribe.BUILDER, square=parse_square("d4")),
        0,
        0.0,
    ),
    "what an opponent is paid": (
        with_black(SIX_AHEAD, elders=0, viziers=0, djinns=("Nekir",)),
        Victim(Tribe.BUILDER, square=parse_square("d4")),
        0,
        -0.04,
    ),
    "a fakir gained": (position(black=NOBODY, row=("fakir",), c3="M4:g@K", c4="M4:gb@K"), None, 0, 0.03),
    "two fakirs gained": (position(black=NOBODY, row=("fakir",) * 2, c3="M4:g@K", c4="M4:gb@K"), None, 0, 0.06),
    "two fakirs gained with a good": (
        position(black=NOBODY, row=("fakir", "fish", "fakir"), c3="M4:g@K", c4="M4:ggb@K"),
        None,
        1,
        1.06,
    ),
    "a fakir spent for an elder kept": (
        rich(position(black=NOBODY, djinns=("Utug",), c3="M6:w@K", c4="S6:wb@K"), elders=0, fakirs=1),
        None,
        6,
        5.97,
    ),
    "never as much as a point": (
        position(black=replace(NOBODY, djinns=("Dhenim",)), c3="M4:y@K", c4="M4:yyyyyyyyyyb@K"),
        None,
        11 + 10,
        21 - 0.4,
    ),
}


@pytest.mark.parametrize(("start", "victim", "gain", "value"), TIES.values(), ids=TIES)
def test_a_tie_break_decides_between_equal_gains(
    start: Position, victim: Victim | None, gain: int, value: float
) -> None:
    first = rank(complete(start))[0]
    assert first.tribe.victim == victim
    assert (first.gain, first.expected) == (gain, gain)
    assert first.value == pytest.approx(value)


def test_of_equal_values_the_first_start_end_tribe_and_number_come_first() -> None:
    bank = {"a1": "M6:w@K", "b1": "M6:wb@K", "a2": "M6:wb@K", "f5": "M6:w@K", "e5": "M6:wwg@K"}
    names = ["abcdef"[square % 6] + str(square // 6 + 1) for square in range(30)]
    found = [
        (names[one.sown.start], names[one.sown.end], one.sown.tribe.letter, one.sown.count, one.gain, one.value)
        for one in rank(complete(position(black=NOBODY, **bank)))
    ]
    assert found == [
        ("f5", "e5", "w", 3, 6, 6.0),
        ("a1", "b1", "w", 2, 4, 4.0),
        ("a1", "a2", "w", 2, 4, 4.0),
        ("b1", "a2", "w", 2, 4, 4.0),
        ("a2", "b1", "w", 2, 4, 4.0),
        ("e5", "f5", "w", 2, 4, 4.0),
        ("b1", "a2", "b", 2, 0, 0.0),
        ("a2", "b1", "b", 2, 0, 0.0),
    ]


def test_merged_starts_are_shown_by_the_smallest_hand_and_named_in_order() -> None:
    start = position(black=NOBODY, c3="M6:wbg@K", d4="M6:wb@K", e3="M6:w@K", d3="M6:wgg@K")
    found = hints(start, 50, merge_starts=True)
    to_d3 = next(one for one in found.moves if one.move.sowing.end == parse_square("d3") and one.tribe is Tribe.ELDER)
    assert to_d3.move.sowing.start == parse_square("e3"), "the smallest hand"
    assert to_d3.also_from == tuple(map(parse_square, ("c3",)))
    assert (to_d3.taken, to_d3.gain, to_d3.value) == (2, 4, 4.0)


# The sowing that is shown for a turn.

SHOWN = {
    "5.5 the path keeps off the tile whose meeple is killed": (
        position(black=NOBODY, c3="M4:gr@K", d4="M6:ry@K", d3="S15:w", c4="M4@K"),
        "c3>c4g>d4r",
    ),
    "5.5 a meeple dropped alone is killed": (
        position(black=NOBODY, c3="M4:gr@K", d4="M6:ry@K", d3="S15", c4="O8@K"),
        "c3>d3g>d4r",
    ),
}


@pytest.mark.parametrize(("start", "sowing"), SHOWN.values(), ids=SHOWN)
def test_the_sowing_that_is_shown(start: Position, sowing: str) -> None:
    assert str(best(start).move.sowing) == sowing
