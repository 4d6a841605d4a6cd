from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lab.rendering.camera import BOARD_MM, Camera, board_corners, set_up

SIZE = (1200, 900)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(40, 90),
    st.floats(0, 360),
    st.floats(-6, 6),
    st.floats(24, 52),
    st.floats(0.5, 0.95),
    st.floats(-0.03, 0.01),
)
def test_the_board_fills_its_share_at_its_place(
    elevation: float, azimuth: float, roll: float, lens: float, share: float, barrel: float
) -> None:
    view = set_up(Camera(elevation, azimuth, roll, lens, share, (0.52, 0.49), barrel), SIZE)
    seen = view.straight(board_corners())
    low, high = seen.min(0), seen.max(0)
    assert ((high - low) / SIZE).max() == pytest.approx(share, abs=0.02)
    assert (low + high) / 2 / SIZE == pytest.approx((0.52, 0.49), abs=0.02)
    assert (view.depth(board_corners()) > 0).all()
    assert view.unbend(view.bend(seen)) == pytest.approx(seen, abs=0.05)


def test_a1_is_at_the_top_left_and_nothing_is_mirrored() -> None:
    view = set_up(Camera(elevation=70), SIZE)
    a1, f1, f5, a5 = view.project(board_corners())
    assert a1[0] < f1[0] and a5[0] < f5[0]
    assert a1[1] < a5[1] and f1[1] < f5[1]
    assert np.hypot(*(a5 - f5)) > np.hypot(*(a1 - f1)), "what is near looks larger"


def test_what_stands_rises_in_the_picture_and_comes_nearer() -> None:
    view = set_up(Camera(elevation=55), SIZE)
    foot = np.array([BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0.0])
    head = foot + [0, 0, 16]
    assert view.project(head)[1] < view.project(foot)[1]
    assert view.depth(head) < view.depth(foot)


def test_from_straight_above_a_standing_line_is_a_point_in_the_middle() -> None:
    view = set_up(Camera(elevation=90), SIZE)
    line = view.project(np.array([[view.eye[0], view.eye[1], h] for h in (0.0, 16.0)]))
    assert line[0] == pytest.approx(line[1], abs=0.01)
