"""Fitting on processes of its own: the same as in one."""

from __future__ import annotations

import pytest

from companion.lab.arena.workers import RunAll, in_this_process
from companion.lab.fitting import iterating
from companion.lab.fitting.iterating import iterate
from companion.simulation.evaluation import Weights
from tests.lab.arena.test_workers import backwards


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games in parts of 8, so that a few games are several parts."""
    monkeypatch.setattr(iterating, "GAMES_AT_ONCE", 8)


def _fitted(run_all: RunAll) -> tuple[Weights, list[str]]:
    said: list[str] = []
    weights = iterate(2, games=24, seed=3, iterations=2, noise=1.0, checks=10, say=said.append, run_all=run_all)
    return weights, said


@pytest.fixture(scope="module")
def fitted_alone() -> tuple[bytes, list[str]]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(iterating, "GAMES_AT_ONCE", 8)
        weights, said = _fitted(in_this_process)
    return weights.table.tobytes(), said


@pytest.mark.usefixtures("small_parts")
def test_weights_are_the_same_in_whatever_order_the_games_come(fitted_alone: tuple[bytes, list[str]]) -> None:
    weights, said = _fitted(backwards)
    assert (weights.table.tobytes(), said) == fitted_alone
