"""Advice on turns."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.advice import AdvisedTurn, Budget, Estimate, TurnAdvice
from companion.advisor.explanation import explain_turn
from companion.advisor.search.advise import ANSWERED_FIRST, MEAN_WORLDS, MOST_WAYS, advise
from companion.advisor.search.assume import table_state
from companion.advisor.search.halving import SearchClock
from companion.advisor.search.ideas import ideas_of
from companion.advisor.search.lanes import ROUND_WORLDS, Setting, before, play_round, ways_of
from companion.advisor.search.leaf import PARTS, Expected, TurnGains, turn_gains
from companion.advisor.search.turn_search import with_better_ways
from companion.notation.files import parse_position
from companion.rules.engine.game import apply
from companion.rules.engine.scoring import score
from companion.rules.model.actions import ActTribe, EndTurn, Sow
from companion.rules.model.chance import UNSEEN
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import Worlds, pack, sample_worlds
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import fitted_weights, game_left, totals
from companion.simulation.layout import NONE, STAGE_ID, Batch, Index
from companion.simulation.playing import play_turns
from companion.simulation.policy import PolicyTurns
from companion.simulation.rounds import end_turn
from companion.simulation.sowings import sample_sowings
from companion.simulation.unknowns import surely_held
from tests.simulation.roots import beginnings, with_holdings
from tests.simulation.starts import odd_position
from tests.simulation.twin import as_turn

PROJECT = Path(__file__).resolve().parents[3]

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
QUICK = Budget(playouts=300)


@cache
def middle(players: int = 3, seed: int = 7) -> GameState:
    return list(beginnings(players, seed, 1))[9]


@cache
def thought() -> TurnAdvice:
    """Six ideas for `middle()`."""
    return advise(middle(), top=6, budget=QUICK)


def test_the_same_seed_gives_the_same_advice() -> None:
    assert advise(middle(), top=6, budget=QUICK) == thought()


def test_turns_can_be_played_and_gain_what_they_say() -> None:
    state, advice = middle(), thought()
    assert advice.to_move is state.mover is not None
    assert {turn.idea for turn in advice.turns} == set(range(1, 7))
    for turn in advice.turns:
        here = state
        for action in turn.actions:
            if not isinstance(action, EndTurn):
                here = apply(here, action, UNSEEN)
        before, after = (score(one.position)[state.mover].total for one in (state, here))
        assert turn.open_ended or after - before == turn.gain
        assert turn.sowing == next(action.sowing for action in turn.actions if isinstance(action, Sow))


def test_what_cannot_be_told_apart(subtests: pytest.Subtests) -> None:
    """By a test of equivalence: much noise is no reason to call two turns alike."""
    for behind, expected in [
        (Estimate(0.2, 0.4), True),
        (Estimate(-0.2, 0.4), True),
        (Estimate(0.4, 0.4), False),
        (Estimate(1.9, 1.0), False),
        (Estimate(0.3, None), False),
        (Estimate(0.001, None), True),
    ]:
        with subtests.test(msg=str(behind)):
            assert behind.is_level is expected


def idea(turn: AdvisedTurn, state: GameState) -> object:
    """What makes a turn's idea, by the rules' own account of it."""
    told = explain_turn(state, turn.actions)
    kills = [action.choice.victims for action in turn.actions if isinstance(action, ActTribe)]
    sowing = turn.sowing
    return (sowing and (sowing.end, sowing.tribe)), tuple(sorted(told.claims)), kills


def test_ways_of_one_idea_share_its_number() -> None:
    turns = thought().turns
    assert list(dict.fromkeys(turn.idea for turn in turns)) == [1, 2, 3, 4, 5, 6]
    assert len({str(idea(turn, middle())) for turn in turns}) == 6
    assert len({(turn.idea, str(idea(turn, middle()))) for turn in turns}) == 6
    assert max(Counter(turn.idea for turn in turns).values()) <= MOST_WAYS
    best = {turn.idea: turn for turn in reversed(turns)}
    assert all((turn.best_capture_left is not None) == (best[turn.idea] is turn) for turn in turns)


def test_a_turn_that_draws_gains_what_it_does_on_average() -> None:
    """Not what one order of the deck brings: nobody has seen the card."""
    state = with_holdings(middle(3, 8), 3, ["Sloar"])
    drawing = [turn for turn in advise(state, top=100, budget=QUICK).turns if turn.open_ended]
    assert drawing
    worlds = sample_worlds(state, MEAN_WORLDS, 0)
    for turn in drawing:
        after = worlds.select(np.arange(len(worlds)))
        column = as_turn(state, turn.actions)
        play_turns(after, np.arange(len(worlds)), column.select([0] * len(worlds)))
        gains = (totals(after) - totals(worlds))[int(worlds.mover[0])]
        assert gains.min() < gains.max()
        assert turn.gain == gains.mean()


def test_differences_by_category_add_up() -> None:
    turn = thought().turns[0]
    assert turn.next_best is not None
    assert set(turn.categories) == set(PARTS)
    assert sum(turn.categories.values()) == pytest.approx(turn.next_best.value, abs=0.05)


def test_what_is_left_is_about_so_much_where_it_hangs_on_what_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """One world alone says 20 to 24 here, by the seed."""
    from companion.advisor.search import advise as searching

    most: list[int] = []

    def watched(root: Batch) -> TurnGains:
        found = turn_gains(root)
        most.append(int(found.gains.max()))
        return found

    monkeypatch.setattr(searching, "turn_gains", watched)
    known = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    for position, worlds in ((known.without_hands(known.to_move), ANSWERED_FIRST), (known, 1)):
        most.clear()
        first, *others = [turn for turn in advise(position, budget=QUICK).turns if turn.reply is not None]
        assert first.best_capture_left == np.mean(most[:worlds]) and len(most) == worlds + len(others)
        assert {turn.about for turn in (first, *others)} == {worlds > 1}


def test_nobody_is_named_for_the_reply_where_the_order_is_not_known() -> None:
    position = middle(4).position
    unknown = replace(position, bid_order=None, turn_order=None)
    replies = [turn.reply for turn in advise(unknown, top=2, budget=QUICK).turns]
    assert [reply.colour for reply in replies if reply is not None] == [None, None]
    known = advise(position, top=1, budget=QUICK).turns[0].reply
    assert known is not None
    assert known.colour is (position.turn_order or ())[0].colour


def test_a_budget_bounds_the_playouts() -> None:
    assert thought().playouts < 2000
    assert 2500 < advise(middle(), budget=Budget(4000)).playouts < 6000


def test_a_search_by_the_clock_says_how_far_it_is() -> None:
    told: list[float] = []
    advice = advise(middle(), budget=Budget(seconds=0.4), progress=told.append)
    assert advice.turns
    assert advice.notes == ()
    assert told == sorted(told)
    assert 0.8 < told[-1] <= 1, "all of the time is used"


def test_a_search_that_ends_long_before_its_time_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.advisor.search.advise.worlds_for", lambda _: 8)
    (note,) = advise(middle(), budget=Budget(seconds=60)).notes
    assert re.match(r"Thought for \d+\.\d of 60 s: all 32,768 possible playouts", note)
    assert advise(middle(), budget=Budget(seconds=60), stop=lambda: True).notes == ()


def test_odd_positions_are_advised_on() -> None:
    """Crowded and sparse, rich and poor, inside a game of any length."""
    for state in [state for state in map(odd_position, range(12)) if state.stage is Stage.MOVE][:2]:
        advice = advise(state, budget=QUICK)
        assert advice.to_move is state.mover
        assert all(np.isfinite(turn.estimate.value) for turn in advice.turns)


def test_parts_add_up_to_the_margin() -> None:
    states = list(beginnings(4, 11, 5))
    batch = pack(states, list(range(len(states))))
    expected = Expected.of(batch, fitted_weights(4))
    for seat in range(4):
        assert expected.parts(batch, seat).sum(axis=0) == pytest.approx(expected.margin(seat), abs=1e-3)


def test_the_best_of_several_opponents_is_worth_more_than_whoever_is_expected_to_be() -> None:
    points = np.array([[50, 50, 50, 50], [54, 54, 54, 90], [50, 20, 50, 70], [99, 99, 48, 30]], dtype=np.float32)
    spread = np.array([8, 8, 8, 0], dtype=np.float32)
    seats = np.array([3, 3, 4, 4], dtype=np.int16)
    expected = Expected(points, spread, seats)
    # Gumbel's law with mean 0.
    random = np.random.default_rng(1)
    ended = points[..., None] + spread[:, None] * (random.gumbel(size=(4, 4, 200_000)) - np.euler_gamma)
    ended[3, :2] = -1e6
    for seat in (0, 1):
        best = np.delete(ended, seat, axis=0).max(axis=0)
        assert expected.margin(seat) == pytest.approx((ended[seat] - best).mean(axis=1), abs=0.15)
        assert expected.chance(seat) == pytest.approx((ended[seat] > best).mean(axis=1), abs=0.01)
    assert expected.margin(np.array([0, 0, 1, 1])).tolist() == [*expected.margin(0)[:2], *expected.margin(1)[2:]]
    tied = Expected(np.array([[7], [9], [9], [9]], dtype=np.float32), np.zeros(1, np.float32), np.array([3], np.int16))
    assert (tied.margin(0)[0], tied.margin(1)[0], tied.chance(1)[0], tied.chance(0)[0]) == (-2, 0, 0.5, 0)


def test_points_are_surer_as_a_game_goes_on_and_certain_when_it_is_over() -> None:
    states = list(beginnings(3, 11, 40))
    batch = pack(states, list(range(len(states))))
    spread = Expected.of(batch, fitted_weights(3)).scale
    assert (np.diff(spread[np.argsort(game_left(batch))]) >= 0).all() and spread[0] > 8
    batch.stage[:2] = STAGE_ID[Stage.END]
    assert (Expected.of(batch, fitted_weights(3)).scale[:2] == 0).all()


def test_a_round_that_the_turn_ends_is_the_first_that_is_played_on() -> None:
    last = replace(sample_mid(), turn_order=())
    for budget in (4_000, 8_000):
        assert 0.5 * budget < advise(last, budget=Budget(budget)).playouts <= budget


def test_where_the_tracks_are_not_known_each_world_is_played_on_to_its_own_end_of_the_next_round() -> None:
    state = table_state(replace(sample_mid(), bid_order=None, turn_order=None)).state
    setting = searching(state)
    batch = setting.worlds.drawn.select(np.arange(len(setting.worlds.drawn)))
    waiting = (batch.turn_seat != NONE).sum(axis=0)
    assert 0 in waiting and waiting.max() > 0
    end_turn(batch, np.arange(len(batch)))
    turns = np.zeros(len(batch), dtype=np.int64)

    def count(at: Index, _: PolicyTurns, __: Index) -> None:
        turns[at] += 1

    setting.play_on(batch, 2, count)
    going_on = batch.stage != STAGE_ID[Stage.END]
    markers = len(state.position.players)
    assert going_on.any() and (turns[going_on] == (waiting + markers)[going_on]).all()


def test_ways_of_a_turn_that_ends_the_round_are_told_apart_by_what_the_others_can_do_then() -> None:
    setting = searching(table_state(replace(sample_mid(), turn_order=())).state)
    ways, origin = sample_sowings(setting.root, whole_turns(setting.root), 4, 0)
    first = np.flatnonzero(origin == np.flatnonzero(np.bincount(origin) > 1)[0])
    assert len(np.unique(play_round(setting, ways_of(setting, ways.select(first)), ROUND_WORLDS, 2).means())) > 1


def test_where_a_turn_ends_the_round_in_some_worlds_alone_nothing_follows_it_there() -> None:
    """Another round says little; but one plays on from a turn that ends the round whatever isn't known."""
    for position, ends in (
        (replace(sample_mid(), bid_order=None, turn_order=None), False),
        (replace(sample_mid(), turn_order=()), True),
    ):
        setting = searching(table_state(position).state)
        batch = setting.worlds.drawn.select(np.arange(len(setting.worlds.drawn)))
        waiting = (batch.turn_seat != NONE).sum(axis=0)
        end_turn(batch, np.arange(len(batch)))
        seen: list[Index] = []
        setting.play_on(batch, 1, lambda at, _, __, seen=seen: seen.append(at))
        turns = np.bincount(np.concatenate(seen), minlength=len(batch))
        assert (turns == (len(position.players) if ends else waiting)).all()


def test_more_ways_of_the_best_turns_are_looked_on_from() -> None:
    """Few ways were drawn of each turn at first, and the best of them may leave the others much."""
    setting = searching(table_state(sample_mid()).state)
    setting = replace(setting, breadth=replace(setting.breadth, again=2))
    turns, origin = sample_sowings(setting.root, whole_turns(setting.root), 2, 0)
    first = np.flatnonzero(np.bincount(origin) == 2)[:3]
    some = np.concatenate([np.flatnonzero(origin == one) for one in first])
    ways = ways_of(setting, turns.select(some), origin[some])
    found = with_better_ways(setting, ways)
    assert (found.turns.data[:, : len(ways)] == ways.turns.data).all()
    ideas = ideas_of(before(setting, found), found.turns)
    added = ideas[len(ways) :].tolist()
    assert added and set(added) <= set(ideas[: len(ways)][ways.origin < first[2]].tolist()), "of the best two alone"
    assert len(added) <= 2 and len(np.unique(found.turns.data, axis=1).T) == len(found)


def sample_mid() -> Position:
    return parse_position((PROJECT / "samples/mid.toml").read_text(encoding="utf-8"))


def searching(state: GameState) -> Setting:
    root = pack([surely_held(state)], [0])
    return Setting(root, Worlds.of(state, 0, 64), fitted_weights(int(root.seats[0])), 0, SearchClock(Budget()))
