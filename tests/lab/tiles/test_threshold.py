"""How likely a tile is unknown is fitted so that hardly any tile of the box is called so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.errors import UnusableInputError
from companion.lab.tiles.threshold import (
    FALSE_ALARMS,
    TileFigures,
    UnknownCurve,
    figures_text,
    fit_unknown,
    write_unknown,
)


@pytest.fixture(scope="module")
def figures() -> TileFigures:
    """Known tiles and strangers that a logistic model of slopes 1.5 and -0.5 and offset -2 drew."""
    rng = np.random.default_rng(3)
    strangers = np.column_stack([rng.normal(0, 2.0, (6000, 2)), np.zeros(6000)])
    chances = 1 / (1 + np.exp(-(strangers @ [1.5, -0.5, 0.0] - 2)))
    strange = (rng.random(6000) < chances).astype(np.float64)
    return TileFigures(strangers, strange, 1 - strange)


def test_the_weights_are_found_again(figures: TileFigures) -> None:
    curve = fit_unknown(figures)
    assert (curve.network, curve.fit, curve.offset) == pytest.approx((1.5, -0.5, -2.0), abs=0.2)


def test_hardly_any_known_tile_is_called_unknown(figures: TileFigures) -> None:
    curve = fit_unknown(figures)
    told = curve.chances(figures.strangers) >= curve.least
    assert told[figures.strange == 0].mean() <= FALSE_ALARMS < 1.5 * told[figures.strange == 0].mean()
    assert told[figures.strange == 1].mean() > 0.2
    assert f"called unknown from {curve.least}: " in figures_text(figures, curve)


def test_on_a_board_that_is_told_badly_tiles_are_less_likely_unknown(figures: TileFigures) -> None:
    curve, strange = fit_unknown(figures), figures.strangers + [0, 0, np.log(0.5)]
    assert (curve.chances(strange) < curve.chances(figures.strangers)).all()
    assert (curve.chances(strange) >= curve.least).mean() < 0.5 * (
        curve.chances(figures.strangers) >= curve.least
    ).mean()


@pytest.mark.parametrize("strange", [0.0, 1.0])
def test_tiles_of_one_sort_alone_tell_nothing(figures: TileFigures, strange: float) -> None:
    alike = TileFigures(figures.strangers, np.full(6000, strange), figures.right)
    with pytest.raises(UnusableInputError, match=f"{6000 * strange:.0f} of 6000 tiles are none of the box"):
        fit_unknown(alike)


def test_the_curve_is_written_as_the_reader_takes_it(tmp_path: Path) -> None:
    write_unknown(tmp_path / "unknown.json", UnknownCurve(1.0, -0.25, -0.5, 0.4))
    stored = json.loads((tmp_path / "unknown.json").read_text(encoding="utf-8"))
    assert stored == {"network": 1.0, "fit": -0.25, "offset": -0.5, "from": 0.4}
