"""What has four straight sides is found; the rest is not."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.cards.outlines import MAX_OUTLINES, find_outlines, fit_quad
from companion.vision.numerics import project
from tests.vision.cards.tables import CARD_MM, Camera, camera_matrix, deal, lines_of, own_face, photograph

HALF = np.array(CARD_MM) / 2 * [(-1, -1), (1, -1), (1, 1), (-1, 1)]


def outline_of(corners: list[tuple[float, float]], rounding: int = 0) -> np.ndarray:
    mask = np.zeros((400, 400), np.uint8)
    cv2.fillPoly(mask, [np.array(corners, np.int32)], 255)
    if rounding:
        shape = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rounding, rounding))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, shape)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return contours[0]


def test_a_card_s_outline_gets_its_sharp_corners_and_other_shapes_are_no_cards() -> None:
    corners = [(100, 60), (240, 80), (220, 300), (70, 270)]
    for rounding in (0, 25):
        quad = fit_quad(outline_of(corners, rounding))
        assert quad is not None
        assert min(np.abs(np.roll(quad, turn, axis=0) - corners).max() for turn in range(4)) < 3
    turn = np.linspace(0, 2 * np.pi, 60)
    disc = [(200 + 90 * np.cos(t), 200 + 90 * np.sin(t)) for t in turn]
    assert fit_quad(outline_of(disc)) is None
    assert fit_quad(outline_of([(60, 60), (300, 80), (180, 330)])) is None
    assert fit_quad(outline_of([(30, 100), (370, 100), (370, 160), (30, 160)])) is None


def test_every_card_in_the_row_is_outlined() -> None:
    slant, light, rng = 40, (0.9, 0.3), np.random.default_rng(40)
    laid = lines_of([deal(rng, 9)], gap=1.0, rng=rng)
    camera = Camera(10, slant, view_mm=520)
    photo = photograph(laid, own_face, rng, camera, light=light)
    outlines = find_outlines(photo)
    for card in laid:
        c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
        corners = project(camera_matrix(camera, (2016, 1512)), HALF @ np.array([[c, s], [-s, c]]) + [card.x, card.y])
        size = np.sqrt(cv2.contourArea(corners.astype(np.float32)))
        near = min(np.abs(np.roll(quad, turn, axis=0) - corners).max() / size for quad in outlines for turn in range(4))
        assert near < 0.12, card


def test_a_tiled_floor_does_not_take_for_ever() -> None:
    floor = np.full((1200, 1600, 3), 60, np.uint8)
    for x in range(4, 1560, 50):
        for y in range(4, 1160, 70):
            cv2.rectangle(floor, (x, y), (x + 38, y + 56), (200, 210, 220), -1)
    assert len(find_outlines(floor)) == MAX_OUTLINES
