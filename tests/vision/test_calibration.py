"""Scores become probabilities: a tile's kind is trusted as far as the printing of its board is known."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.board.calibration import CLIPPED_LOGIT, UNSUREST, printing_mean_logits, tile_probabilities
from companion.vision.numerics import safe_logit

PLAIN = (1.0, 0.0, 0.0)
"""A curve that changes nothing."""


def probabilities(scores: list[float]) -> tuple[float, ...]:
    return tile_probabilities(scores, printing_mean_logits(scores))


scores = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(scores)
def test_the_least_sure_others_tell_how_well_a_printing_is_known(given_scores: list[float]) -> None:
    """Against a plain twin that sorts the others of each tile anew."""
    for place, clearness in enumerate(printing_mean_logits(given_scores)):
        others = sorted(safe_logit(score) for score in given_scores[:place] + given_scores[place + 1 :])[:UNSUREST]
        clipped = [max(-CLIPPED_LOGIT, min(logit, CLIPPED_LOGIT)) for logit in others]
        assert clearness == pytest.approx(sum(clipped) / len(clipped))


def test_a_tile_has_no_say_in_its_own_printing() -> None:
    found = printing_mean_logits([0.01, *[0.9] * 29])
    assert found[0] == pytest.approx(math.log(9))
    assert found[1] == pytest.approx((math.log(1 / 99) + 7 * math.log(9)) / 8)
    assert printing_mean_logits([0.7]) == [0.0]


@given(scores)
def test_without_weight_for_the_printing_scores_are_taken_alone(given_scores: list[float]) -> None:
    kept = [min(max(score, 1e-6), 1 - 1e-6) for score in given_scores]
    assert tile_probabilities(given_scores, [3.0] * len(given_scores), PLAIN) == pytest.approx(kept, abs=1e-9)


def test_among_unsure_tiles_a_sure_one_is_trusted_less() -> None:
    usual, strange, stranger = (probabilities([0.98] + [score] * 29)[0] for score in (0.98, 0.3, 0.1))
    assert usual > 0.999 and 1 - strange > 20 * (1 - usual)
    assert stranger < 0.99 and stranger < strange


def test_a_tile_that_only_the_box_speaks_for_is_doubted() -> None:
    """As where a tile of another copy lies among those of a printing that is known well."""
    told = probabilities([0.001, *[0.99] * 29])
    assert told[0] < 0.6 and min(told[1:]) > 0.99


def test_a_few_hidden_tiles_leave_the_others_trusted() -> None:
    told = probabilities([0.2, 0.3, *[0.99] * 28])
    assert min(told[2:]) > 0.98
