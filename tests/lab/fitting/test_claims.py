"""Whether margins come true: the figures, and the spread of final points that they rest on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.lab.__main__ import main
from companion.lab.fitting.claims import Claim, interval, report
from companion.simulation.evaluation import fitted_weights


def claim(game: int, stage: int, claimed: float, win: float = 0.5, *, won: float = 0.5, margin: float = 0.0) -> Claim:
    return Claim(3, game, stage, 0.5, claimed, claimed + 2, win, margin, won)


def test_claims_less_outcomes_are_told_by_part_of_the_game() -> None:
    found = [claim(1, 0, 3.0, 0.25, won=0.2), claim(2, 0, 1.0, 0.25, won=0.1), claim(1, 2, 2.0, 1.0, margin=5.0)]
    lines = report(found).splitlines()
    assert "| 3 | all | 3 | +2.3 ± 0.6 | +0.3 ± 0.6 | +23.3 ± 7.7% |" in lines
    assert any(line.startswith("| 3 | early | 2 | +4.0 ± 1.4 | +2.0 ± 1.4 | ") for line in lines)
    assert any(line.startswith("| 3 | late | 1 | -1.0 ± 0.0 | -3.0 ± 0.0 | ") for line in lines)
    assert not any("middle" in line or "searched" in line for line in lines)
    assert lines[-2:] == ["| 20% to 30% | 2 | 25% | 15% |", "| 80% to 100% | 1 | 100% | 50% |"]


def test_positions_of_one_game_count_as_one_for_an_interval() -> None:
    values = np.array([1.0, 1.0, -1.0, -1.0])
    _, apart = interval(values, np.array([1, 2, 3, 4]))
    mean, together = interval(values, np.array([1, 1, 2, 2]))
    assert mean == 0 and together == pytest.approx(apart * 2**0.5)


def test_a_spread_is_fitted_and_claims_are_held_against_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weights.json"
    for players in (2, 4):
        assert main(["spread", str(path), "--players", str(players), "--games", "60", "--seed", "5"]) == 0
        fitted = json.loads(path.read_text(encoding="utf-8"))[str(players)]["spread"]
        assert abs(fitted - fitted_weights(players).spread) < 5
    assert "4 players: a spread of " in capsys.readouterr().err
    assert main(["spread", str(path), "--games", "100", "--seed", "599950"]) == 2
    assert main(["claims", "--games", "1", "--playouts", "200", "--searched", "1"]) == 0
    told = capsys.readouterr().out
    assert all(
        f"| {players} | all | " in told and f"| {players} | all, searched on | " in told for players in (2, 3, 4)
    )
