"""Bodies are whole, and their surfaces are covered."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.lab.world.bodies import LOWER, Body, block_body, cut_body, joined, moved, skin, turned_body

SQUARE = np.array([[-5.0, 0], [5, 0], [5, 10], [-5, 10]])


def open_edges(body: Body) -> int:
    edges = Counter(
        frozenset((face[i - 1], face[i])) for face in body.faces for i in range(len(face)) if face[i - 1] != face[i]
    )
    return sum(count != 2 for count in edges.values())


@pytest.mark.parametrize(
    "body",
    [cut_body(SQUARE, 8, 0.8), turned_body([(5, 0), (3, 9), (0, 12)]), block_body(10, 8, 6)],
    ids=["cut", "turned", "block"],
)
def test_bodies_are_closed(body: Body) -> None:
    assert open_edges(body) == 0


def test_a_second_tone_ends_at_its_height() -> None:
    body = cut_body(SQUARE, 8, 0.4, 4.0)
    heights = [
        body.points[list(face), 2].max() for face, tone in zip(body.faces, body.tones, strict=True) if tone == LOWER
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
