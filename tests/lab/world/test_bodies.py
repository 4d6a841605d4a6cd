"""Bodies are whole, as large as pieces are, and their surfaces are covered."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM
from companion.lab.world.bodies import SECOND, Body, block_body, cast_body, cut_body, joined, moved, skin, turned_body
from companion.lab.world.shapes import SHAPES

SQUARE = np.array([[-5.0, 0], [5, 0], [5, 10], [-5, 10]])
MAKERS = [(kind, family) for kind, families in SHAPES.items() for family in families]
LIMITS = {MEEPLE: (20, 21), CAMEL: (28, 20), PALM: (29, 32), PALACE: (29, 32)}
"""The most that pieces of a kind are wide or deep, and high, in mm."""


@pytest.mark.parametrize(("kind", "family"), MAKERS)
def test_every_family_makes_pieces_that_go_on_a_tile(kind: str, family: str) -> None:
    wide, tall = LIMITS[kind]
    for seed in range(4):
        body = SHAPES[kind][family](np.random.default_rng(seed))
        assert np.isfinite(body.points).all()
        assert abs(float(body.points[:, 2].min())) < 1e-6
        assert 8 < max(body.size[:2]) < wide and 9.5 < body.size[2] < tall
        assert len(body.tones) == len(body.faces) and {i for face in body.faces for i in face} <= set(
            range(len(body.points))
        )


def open_edges(body: Body) -> int:
    edges = Counter(
        frozenset((face[i - 1], face[i])) for face in body.faces for i in range(len(face)) if face[i - 1] != face[i]
    )
    return sum(count != 2 for count in edges.values())


@pytest.mark.parametrize(
    "body",
    [
        cut_body(SQUARE, 8, 0.8),
        turned_body([(5, 0), (3, 9), (0, 12)]),
        block_body(10, 8, 6),
        cast_body(SQUARE, 8, 2),
    ],
    ids=["cut", "turned", "block", "cast"],
)
def test_bodies_are_closed(body: Body) -> None:
    assert open_edges(body) == 0


def test_a_second_tone_ends_at_its_height() -> None:
    body = cut_body(SQUARE, 8, 0.4, 4.0)
    heights = [
        body.points[list(face), 2].max() for face, tone in zip(body.faces, body.tones, strict=True) if tone == SECOND
    ]
    assert heights and max(heights) < 4.4


def test_a_slim_outline_is_not_drawn_in_past_itself() -> None:
    slit = np.array([[-5.0, 0], [-0.2, 0], [-0.2, 6], [0.2, 6], [0.2, 0], [5, 0], [5, 10], [-5, 10]])
    body = cut_body(slit, 10, 2.0)
    cap = body.points[list(body.faces[0])][:, [0, 2]]
    crossing = cap[(np.abs(cap[:, 0]) < 0.15) & (cap[:, 1] < 6)]
    assert len(crossing) == 0
    assert np.abs(cap[:, 0]).max() <= 5 and cap[:, 1].max() <= 10


def test_a_skin_covers_all_sides_evenly() -> None:
    body = joined([block_body(10, 10, 10, 0.1), moved(block_body(2, 2, 2, 0.1), z=10)])
    points = skin(body, 0.5)
    assert 6 * 100 / 0.25 * 0.7 < len(points) < 6 * 100 / 0.25 * 2
    for corner in np.array([[-4, -5, 5], [4, 5, 5], [5, 0, 8], [-5, 0, 2], [0, 0, 12], [3, 3, 10]]):
        assert np.linalg.norm(points - corner, axis=1).min() < 0.8
