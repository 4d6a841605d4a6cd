"""The last turn of a game against brute force by the rules: every action that is legal, to the end of the turn."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.advisor.advice import Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.halving import SearchClock
from companion.advisor.search.lanes import Setting
from companion.advisor.search.turn_search import SearchedTurns, search_turns
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.scoring import score
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.board import NO_MEEPLES, with_meeples
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Player
from companion.rules.model.state import Ending, GameState, Stage
from companion.simulation.bridge import Worlds, pack
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import fitted_weights, margins_of, totals
from companion.simulation.playing import play_turns
from companion.simulation.unknowns import surely_held
from tests.simulation.roots import beginnings, with_holdings

DRAWING = {"Sloar", "Sibittis", "Anun-Nak", "Kandicha"}
"""Djinns that draw, so that brute force would have to average."""


def last_turn(state: GameState, seed: int, meeples: int) -> GameState:
    """The same turn as the game's last, on a board with fewer meeples, so that all of it can be tried."""
    random = Random(seed)
    board = list(state.position.board)
    standing = [square for square, tile in enumerate(board) for _ in range(sum(tile.meeples))]
    random.shuffle(standing)
    for square in standing[meeples:]:
        left = list(board[square].meeples)
        tribe = random.choice([number for number, count in enumerate(left) if count])
        left[tribe] -= 1
        board[square] = with_meeples(board[square], tuple(left) if any(left) else NO_MEEPLES)
    position = replace(state.position, board=tuple(board), turn_order=())
    return replace(state, position=position, ending=Ending.LAST_CAMEL)


def margin(state: GameState, colour: Colour) -> int:
    totals = {one: result.total for one, result in score(state.position).items()}
    return totals[colour] - max(total for one, total in totals.items() if one is not colour)


def best_margin(state: GameState, colour: Colour) -> int:
    """The best final margin over every course that the turn can take, each state looked at once."""
    best = -10_000
    seen = {state}
    waiting = [state]
    while waiting:
        here = waiting.pop()
        if here.is_over:
            best = max(best, margin(here, colour))
            continue
        for action in legal_actions(here):
            try:
                after = apply(here, action)
            except ChanceNeededError:
                continue
            if after.stage is Stage.SOW or after not in seen:
                seen.add(after)
                waiting.append(after)
    return best


def test_the_last_turn_is_valued_exactly(subtests: pytest.Subtests) -> None:
    for number in range(4):
        with subtests.test(msg=str(number)):
            random = Random(number)
            state = next(iter(beginnings(2 + number % 3, 40 + number, 1000)))
            djinns = random.sample([name for name in DJINNS if name not in DRAWING], 2)
            full = with_holdings(state, number, djinns)
            boards = (last_turn(full, 100 * number + attempt, 9) for attempt in range(100))
            state = next(last for last in boards if has_legal_sowing(last.position.board))
            face_up = tuple(name for name in state.position.djinns or () if name not in DRAWING)
            away = tuple(
                {*state.djinn_discards, *DRAWING} - {name for p in state.position.players for name in p.djinns or ()}
            )
            state = replace(state, position=replace(state.position, djinns=face_up), djinn_discards=away)
            assert state.mover is not None
            advice = advise(state, top=3)
            first = advice.turns[0]
            assert first.estimate.error is None
            assert first.estimate.value == best_margin(state, state.mover)
            assert first.win == (0.5 if first.estimate.value == 0 else first.estimate.value > 0)
            for action in first.actions:
                state = apply(state, action)
            assert state.is_over
            assert margin(state, advice.to_move or Colour.BLACK) == first.estimate.value


def last_setting(state: GameState, worlds: int, clock: SearchClock) -> Setting:
    root = pack([surely_held(state)], [0])
    return Setting(root, Worlds.of(state, 3, worlds), fitted_weights(len(state.position.players)), 3, clock)


def searched(setting: Setting) -> SearchedTurns:
    return search_turns(setting, whole_turns(setting.root, seed=setting.seed))


def test_every_turn_is_worth_what_it_comes_to_in_each_world(subtests: pytest.Subtests) -> None:
    for holdings_known in [True, False]:
        for djinns in [["Sloar"], ["Kandicha"], ["Anun-Nak", "Sibittis"], ["Utug"]]:
            with subtests.test(msg=str(djinns)):
                state = last_turn(with_holdings(next(iter(beginnings(3, 44, 1000))), 1, djinns), 1, 40)
                if not holdings_known:
                    rival = next(one for one in state.position.players if one.colour is not state.mover)
                    state = replace(
                        state, position=state.position.with_player(replace(rival, gold=None, goods=None, fakirs=None))
                    )
                setting = last_setting(state, 5, SearchClock(Budget(100)))
                found = searched(setting)
                for world in range(found.comparison.samples.shape[1]):
                    batch = setting.worlds.drawn.select([world] * len(found.turns))
                    play_turns(batch, np.arange(len(batch)), found.turns)
                    margins = margins_of(totals(batch), batch.seats)[setting.seat]
                    met = ~np.isnan(found.comparison.samples[:, world])
                    assert np.array_equal(found.comparison.samples[met, world], margins[met])
                    assert np.array_equal(found.parts[met, world].sum(axis=1), margins[met])
                    assert met.all() if djinns == ["Utug"] else met[found.comparison.order()[0]], "at least the best"
                assert (found.comparison.counts() > 0).all()
                varying = found.comparison.samples.shape[1] > 1
                assert varying == (djinns != ["Utug"] or not holdings_known)


def test_the_last_turn_takes_no_more_games_than_were_asked_for() -> None:
    """Where hands aren't known turns are halved: the best of them in all worlds is found without playing all there."""
    state = last_turn(with_holdings(next(iter(beginnings(4, 44, 1000))), 1, ["Utug"]), 1, 60)
    for player in state.position.players:
        if player.colour is not state.mover:
            state = replace(state, position=state.position.with_player(Player(player.colour)))
    setting = last_setting(state, 64, SearchClock(Budget(4000)))
    found = searched(setting)
    assert len(found.turns) > 500
    assert found.comparison.counts().sum() < 1.5 * 4000
    best, everywhere = found.comparison.order()[0], np.zeros(len(found.turns))
    for world in range(64):
        batch = setting.worlds.drawn.select([world] * len(found.turns))
        play_turns(batch, np.arange(len(batch)), found.turns)
        everywhere += margins_of(totals(batch), batch.seats)[setting.seat]
    assert everywhere[best] == everywhere.max()


def test_the_last_turn_ends_when_asked_to_and_tells_how_far_it_is() -> None:
    state = last_turn(with_holdings(next(iter(beginnings(3, 44, 1000))), 1, ["Sloar"]), 1, 30)
    told: list[float] = []
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    found = searched(last_setting(state, 20, SearchClock(Budget(100), stop, told.append)))
    assert len(asked) == 3
    assert 0 < found.comparison.counts().min() < found.comparison.counts().max() < 20
    assert told == sorted(told) and 0 < told[0] < told[-1] < 1


def test_a_turn_is_the_last_only_if_nobody_plays_after_it_in_any_world() -> None:
    """With the order of play not known, the game from which turns are listed is one of many."""
    state = last_turn(with_holdings(next(iter(beginnings(3, 44, 1000))), 1, ["Utug"]), 1, 30)
    rival = next(one.colour for one in state.position.players if one.colour is not state.mover)
    waiting = replace(state, position=replace(state.position, turn_order=(Bid(rival, 3),)))
    setting = last_setting(state, 4, SearchClock(Budget(10)))
    assert searched(setting).exact
    setting.worlds.drawn = pack([state, waiting, state, waiting], [1, 2, 3, 4])
    assert not searched(setting).exact


def test_the_last_turn_needs_no_longer_than_it_takes_to_count_it() -> None:
    state = last_turn(with_holdings(next(iter(beginnings(3, 44, 1000))), 1, ["Utug"]), 1, 30)
    (note,) = advise(state, budget=Budget(seconds=60)).notes
    assert " of 60 s: the last turn of a game can be counted exactly" in note
