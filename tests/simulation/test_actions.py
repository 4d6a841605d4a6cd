"""Actions after the meeples were moved, in a batch: what the readable engine makes of them (rules 5, 6, 7, 11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.state import GameState
from tests.simulation.beside import compare_all
from tests.simulation.scenes import CLAUSES, DJINNS, ELSEWHERE


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_legal_action_of_a_clause_comes_to_the_same(clause: str) -> None:
    assert compare_all(CLAUSES[clause])


@pytest.mark.parametrize("djinn", DJINNS)
def test_11_every_legal_action_with_a_djinn_comes_to_the_same(djinn: str) -> None:
    for state in DJINNS[djinn]:
        assert compare_all(state)


def test_11_every_djinn_is_seen() -> None:
    assert {*DJINNS, *ELSEWHERE} == set(EVERY_DJINN)


def _without(state: GameState, djinn: str) -> GameState:
    players = tuple(
        replace(one, djinns=tuple(name for name in one.djinns or () if name != djinn)) for one in state.position.players
    )
    return replace(state, position=replace(state.position, players=players))


@pytest.mark.parametrize("djinn", DJINNS)
def test_11_each_djinn_makes_a_difference_where_it_is_seen(djinn: str) -> None:
    assert any(
        {act: _without(one, djinn) for act, one in compare_all(state).items()}
        != {act: _without(one, djinn) for act, one in compare_all(_without(state, djinn)).items()}
        for state in DJINNS[djinn]
    )


@pytest.mark.parametrize("djinn", ELSEWHERE)
def test_11_djinns_that_bear_on_something_else_change_nothing_here(djinn: str) -> None:
    for state in CLAUSES.values():
        pink = next(one for one in state.position.players if one.colour is state.mover)
        owning = replace(
            state, position=state.position.with_player(replace(pink, djinns=(*(pink.djinns or ()), djinn)))
        )
        reached = {act: _without(one, djinn) for act, one in compare_all(owning).items()}
        assert reached == compare_all(state)
