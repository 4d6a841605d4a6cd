"""What may stand on a tile as a whole: one foot is one piece, views count in one way each, and all sums up to 1."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.model.board import SQUARES
from companion.vision.board.constraints import infer_contents
from companion.vision.board.contents_hypotheses import (
    CHANGES,
    Hypotheses,
    change_between,
    contents_hypotheses,
    other_readings,
    ranked,
)
from companion.vision.board.pieces import COUNT_LOGITS, GROUPS, PIECE_CLASSES, PieceNetOutput
from companion.vision.board.rectify import board_to_cells
from companion.vision.board.tile_similarity import KINDS
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import Float32, Points
from tests.vision.tables import NUMBER, numbers

MODULE = "companion.vision.board.contents_hypotheses"
OASES = sorted((kind for kind in KINDS for _ in range(kind.count)), key=lambda kind: kind.code != "O8")

Foot = tuple[str, float, float, float]


def counted(**of: dict[int, float]) -> Float32:
    """Counts (30, COUNT_LOGITS) with nothing anywhere but on a1, where chances by number are told."""
    counts = np.full((SQUARES, COUNT_LOGITS), 1e-6, dtype=np.float32)
    for group in GROUPS:
        counts[:, group.first] = 1.0
        if group.kind in of:
            counts[0, group.first] = 1e-6
            for number, chance in of[group.kind].items():
                counts[0, group.first + number] = chance
    return counts


def peaks(*feet: Foot) -> tuple[Points, ...]:
    """Heat at feet: class, x and y in board coordinates, score."""
    result = []
    for kind in PIECE_CLASSES:
        points = [(*board_to_cells(x, y, HEAT_STRIDE), score) for name, x, y, score in feet if name == kind]
        result.append(np.array(points, dtype=np.float64).reshape(-1, 3))
    return tuple(result)


def readings(hypotheses: Hypotheses, most: int) -> list[tuple[int, ...]]:
    return [hypotheses.as_numbers(place) for place in range(min(most, len(hypotheses.numbers)))]


@pytest.fixture(autouse=True)
def plain_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores are what they say, and feet and counts weigh alike, whatever was fitted for the weights that ship."""
    monkeypatch.setattr(f"{MODULE}.contents_weights", lambda: (1.0, 1.0, 0.0))
    monkeypatch.setattr(f"{MODULE}.piece_probability", lambda kind, score, curves: score)


def test_one_foot_is_a_merchant_or_a_palm_but_not_both() -> None:
    counts = counted(g={1: 0.5, 0: 0.5}, palm={0: 0.5, 1: 0.5})
    seen = PieceNetOutput(peaks(("g", 0.5, 0.5, 0.6), ("palm", 0.52, 0.5, 0.55)), counts)
    first, second, third = readings(contents_hypotheses(seen)[0], 3)
    assert {first, second} == {numbers(g=1), numbers(palm=1)}
    assert third in (numbers(), numbers(g=1, palm=1))
    both = contents_hypotheses(seen)[0].probability(numbers(g=1, palm=1))
    assert both < 0.25 * contents_hypotheses(seen)[0].probability(second)


def test_views_that_count_differently_are_not_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.contents_weights", lambda: (0.0, 1.0, 0.0))
    views = np.stack([counted(g={1: 0.97, 0: 0.03}), counted(palm={1: 0.97, 0: 0.03})])
    seen = PieceNetOutput(peaks(), views.mean(axis=0), views)
    found = contents_hypotheses(seen)[0]
    blended = contents_hypotheses(PieceNetOutput(peaks(), views.mean(axis=0)))[0]
    for one in (numbers(g=1), numbers(palm=1)):
        assert found.probability(one) > 3 * found.probability(numbers())
        assert found.probability(one) > blended.probability(one)


def test_4_9_two_camels_never_stand_on_one_tile() -> None:
    seen = PieceNetOutput(peaks(("K", 0.3, 0.3, 0.9), ("P", 0.7, 0.7, 0.9)), counted(camel={1: 0.5, 4: 0.5}))
    assert {one[NUMBER["camel"]] for one in readings(contents_hypotheses(seen)[0], 2)} == {1, 4}


FEET = st.lists(
    st.tuples(st.sampled_from(PIECE_CLASSES), st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.06, 0.99)),
    max_size=8,
)


@settings(max_examples=10, deadline=None)
@given(FEET, st.integers(0, 2**31))
def test_probabilities_are_those_of_a_whole_and_the_likeliest_is_the_first(feet: list[Foot], seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = counted(**{group.kind: dict(enumerate(rng.dirichlet(np.full(group.size, 0.3)))) for group in GROUPS})
    found = contents_hypotheses(PieceNetOutput(peaks(*feet), counts))
    for one in (found[0], found[1]):
        assert np.exp(one.log_probs).sum() == pytest.approx(1.0)
        assert (np.diff(one.log_probs) <= 1e-12).all()
        assert len(set(readings(one, len(one.numbers)))) == len(one.numbers)
    tally = infer_contents(
        tuple(counts[:, g.first : g.first + g.size].astype(np.float64) for g in GROUPS), OASES, found
    )
    chances = [tally[0].probability, *(chance for chance, _ in tally[0].others)]
    assert sum(chances) <= 1 + 1e-9
    assert chances[1:] == sorted(chances[1:], reverse=True)
    assert tally[0].numbers not in [other for _, other in tally[0].others]


def test_of_equal_others_the_commoner_mistake_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = (1.0, {**dict.fromkeys(CHANGES, 0.0), "merchant to palm": 2.0})
    monkeypatch.setattr(f"{MODULE}.change_weights", lambda: weights)
    table = np.array([numbers(g=1), numbers(), numbers(palm=1), numbers(g=2)])
    others = other_readings(ranked(table, np.log([0.7, 0.12, 0.1, 0.08])), numbers(g=1), 2)
    assert [one for _, one in others] == [numbers(palm=1), numbers()]
    assert others[0][0] / others[1][0] == pytest.approx(math.e**2 * 0.1 / 0.12)
    assert sum(chance for chance, _ in others) < 0.3


def test_kinds_of_mistake() -> None:
    for read, other, change in (
        (numbers(g=1), numbers(palm=1), "merchant to palm"),
        (numbers(palm=2), numbers(palm=1, g=1), "palm to merchant"),
        (numbers(w=1), numbers(palace=1), "vizier or elder to palace"),
        (numbers(b=1), numbers(camel=3), "builder to blue camel"),
        (numbers(b=1), numbers(camel=1), "several"),
        (numbers(), numbers(palm=1), "palm more"),
        (numbers(palace=2), numbers(palace=1), "palace fewer"),
        (numbers(r=2), numbers(), "several"),
        (numbers(camel=1), numbers(camel=2), "camel"),
        (numbers(y=1), numbers(w=1), "meeple of another colour"),
    ):
        assert change in CHANGES and change_between(read, other) == change
