"""Fits of confidences find the curve behind the scores, and are drawn to no change where there is little to go by."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lab.__main__ import main
from companion.lab.training import calibrate
from companion.lab.training.calibrate import (
    PRIOR_PRECISION,
    _best_pool_weights,
    _fit_choice,
    fit_clearness,
    fit_platt,
    halves,
    write_calibration,
)
from companion.vision.board.contents_hypotheses import CHANGES
from companion.vision.board.pieces import PIECE_CLASSES


def test_calibration_finds_the_curve_behind_the_scores() -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(0.02, 0.98, 8000)
    logits = np.log(scores / (1 - scores))
    right = rng.random(8000) < 1 / (1 + np.exp(-(1.7 * logits + 0.6)))
    slope, offset = fit_platt(list(zip(scores.tolist(), right.tolist(), strict=True)))
    assert slope == pytest.approx(1.7, abs=0.15)
    assert offset == pytest.approx(0.6, abs=0.15)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40))
def test_no_parameters_nearby_are_likelier(pairs: list[tuple[float, bool]]) -> None:
    def loss(slope: float, offset: float) -> float:
        total = PRIOR_PRECISION / 2 * ((slope - 1) ** 2 + offset**2)
        for score, right in pairs:
            clipped = min(max(score, 1e-6), 1 - 1e-6)
            logit = slope * math.log(clipped / (1 - clipped)) + offset
            total += math.log1p(math.exp(-logit if right else logit))
        return total

    slope, offset = fit_platt(pairs)
    for change in (-0.01, 0.01):
        assert loss(slope, offset) <= loss(slope + change, offset) + 1e-9
        assert loss(slope, offset) <= loss(slope, offset + change) + 1e-9


def test_without_pairs_scores_stay_as_they_are() -> None:
    assert fit_platt([]) == (1.0, 0.0)


def test_the_pool_trusts_whoever_is_right() -> None:
    rng = np.random.default_rng(1)
    right = rng.integers(0, 4, 3000)
    noise = rng.dirichlet(np.ones(4), 3000)
    informed = 0.6 * np.eye(4)[right] + 0.4 * noise
    blind = rng.dirichlet(np.ones(4), 3000)
    # Of those whose view is a mixture, seven in ten say the truth: the pool has nothing to sharpen beyond it.
    wrong = rng.random(3000) < 0.3
    informed[wrong] = 0.6 * np.eye(4)[(right[wrong] + 1) % 4] + 0.4 * noise[wrong]
    weights = _best_pool_weights([(np.log(informed), np.log(blind), right)])
    assert weights[0] > 0.5
    assert weights[1] == pytest.approx(0, abs=0.05)
    turned = _best_pool_weights([(np.log(blind), np.log(informed), right)])
    assert turned == pytest.approx(weights[::-1], abs=0.01)


def test_the_choice_among_contents_finds_the_weights_behind_it() -> None:
    rng = np.random.default_rng(2)
    behind = np.array([1.5, -0.7])
    cases = []
    for _ in range(4000):
        features = rng.normal(size=(5, 2))
        chances = np.exp(features @ behind)
        cases.append((features, int(rng.choice(5, p=chances / chances.sum()))))
    assert _fit_choice(cases, np.zeros(2)) == pytest.approx(behind, abs=0.12)
    assert _fit_choice([], np.array([1.0, 0.5])) == (1.0, 0.5)


def test_whole_tiles_of_an_odd_board_are_trusted_less() -> None:
    rng = np.random.default_rng(3)
    cases = []
    for _ in range(6000):
        sure, clearness = float(rng.uniform(0.05, 0.95)), float(rng.uniform(-1, 5))
        chance = 1 / (1 + math.exp(-(0.8 * math.log(sure / (1 - sure)) - 1 + 0.5 * clearness)))
        cases.append((sure, clearness, bool(rng.random() < chance)))
    assert fit_clearness(cases) == pytest.approx((0.8, -1.0, 0.5), abs=0.15)
    assert fit_clearness([]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("count", range(8, 240, 8))
def test_both_halves_hold_both_sorts_of_photos_that_take_turns(count: int) -> None:
    photos = [(number, ("varied", "box")[number % 2]) for number in range(count)]
    first, second = halves(photos)
    assert sorted(first + second) == photos
    assert abs(len(first) - len(second)) <= 1
    for half in (first, second):
        assert {sort for _, sort in half} == {"varied", "box"}
    assert halves(photos) == (first, second)


@pytest.mark.parametrize("found", [0, 1])
def test_too_few_boards_leave_the_confidences_as_they_are(
    found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples, weights = tmp_path / "examples", tmp_path / "weights"
    for folder in (examples, weights):
        folder.mkdir()
    for number in range(3):
        (examples / f"{number:07d}.npz").write_bytes(b"")
    kept = weights / "calibration.json"
    kept.write_text("{}", encoding="utf-8")
    boards = iter([object()] * found + [None] * (3 - found))
    monkeypatch.setattr(calibrate, "load_example", lambda path: path)
    monkeypatch.setattr(calibrate, "run_networks", lambda example: next(boards))
    assert main(["calibrate", str(examples), str(weights)]) == 4
    assert f"{found} of 3 boards found: confidences are fitted on two or more" in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "{}"


def test_what_was_fitted_is_what_the_reader_looks_for(tmp_path: Path) -> None:
    shipped = json.loads((files("companion.vision") / "weights" / "calibration.json").read_text(encoding="utf-8"))
    names = {*PIECE_CLASSES, "tile", "whole", "contents", "others"}
    names |= {f"pool {kind}" for kind in ("meeple", "camel", "palm", "palace")}
    assert set(shipped) == names | {f"change {change}" for change in CHANGES}
    assert (len(shipped["contents"]), len(shipped["whole"]), len(shipped["tile"])) == (3, 3, 3)
    write_calibration(tmp_path / "a.json", {name: tuple(values) for name, values in shipped.items()})
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == shipped
