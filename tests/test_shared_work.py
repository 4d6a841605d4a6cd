"""Fitting and judging on processes of their own: the same as in one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.advisor.advice import Budget
from companion.arena.workers import RunAll, in_this_process, workforce
from companion.lab.__main__ import main as lab
from companion.lab.fitting import iterating
from companion.lab.fitting.iterating import iterate
from companion.lab.judging.players import Panel
from companion.lab.judging.positions import kept_positions, of_kind
from companion.lab.judging.verdicts import Effort, figures_table, judge_into, read_verdicts
from companion.simulation.evaluation import Weights
from tests.arena.test_workers import backwards

PANEL = Panel(("greedy", "one-ply"), Budget(50), Effort(playings=8, screening=2, keep=2))
POSITIONS = of_kind([one for one in kept_positions() if one.decision / one.decisions > 0.8], "both", 3)
"""Near the ends of their games, so that they are soon judged."""

pytestmark = pytest.mark.slow


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


def test_the_command_fits_with_two_processes(tmp_path: Path) -> None:
    words = ["--players", "2", "--games", "30", "--iterations", "1", "--checks", "10"]
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    assert lab(["fit", str(here), *words]) == 0
    assert lab(["fit", str(there), *words, "--workers", "2"]) == 0
    assert there.read_bytes() == here.read_bytes()
    assert "--workers" not in json.loads(there.read_text())["2"]["made"]


def _judged(table: Path, run_all: RunAll) -> list[str]:
    said: list[str] = []
    found = judge_into(table, POSITIONS, PANEL.names, PANEL.only, said.append, run_all)
    assert found == read_verdicts(table)
    assert [line.split(",")[0] for line in said] == [
        f"{number} of {len(POSITIONS)}" for number in range(len(POSITIONS) - len(said) + 1, len(POSITIONS) + 1)
    ]
    return table.read_text().splitlines()


def test_verdicts_are_the_same_and_go_on_where_they_stopped(tmp_path: Path) -> None:
    alone = _judged(tmp_path / "alone.csv", in_this_process)
    with workforce(2) as run_all:
        shared = _judged(tmp_path / "shared.csv", run_all)
    # A position's lines stand together; the positions may come in another order.
    assert shared[0] == alone[0]
    assert sorted(shared) == sorted(alone)
    # Two players, by three policies and by all of them.
    assert len(alone) == 1 + len(POSITIONS) * 2 * 4
    begun = tmp_path / "begun.csv"
    begun.write_text("".join(f"{line}\n" for line in shared[:17]))
    again = _judged(begun, backwards)
    assert again[:17] == shared[:17]
    assert sorted(again) == sorted(alone)
    tables = [figures_table(read_verdicts(tmp_path / f"{name}.csv")) for name in ("alone", "shared", "begun")]
    assert tables[0] == tables[1] == tables[2]
