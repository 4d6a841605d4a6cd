"""Reliability of confidences, as bins and as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from companion.lab.accuracy.plot import reliability_svg
from companion.lab.accuracy.scores import PhotoScore, reliability

SCORES = [
    PhotoScore("a.jpg", "table", confidences=((0.2, False), (0.4, True), (0.9, True))),
    PhotoScore("b.jpg", "table", confidences=((1.0, True), (0.95, False))),
]


def test_tiles_are_counted_in_the_bin_of_their_confidence() -> None:
    low, high = reliability(SCORES, (0.0, 0.5, 0.7, 1.0))
    assert (low.low, low.high, low.tiles) == (0.0, 0.5, 2)
    assert (low.confidence, low.right) == pytest.approx((0.3, 0.5))
    assert (high.low, high.high, high.tiles) == (0.7, 1.0, 3)
    assert (high.confidence, high.right) == pytest.approx((2.85 / 3, 2 / 3))


def test_a_bin_has_its_lower_edge_and_only_the_last_its_upper() -> None:
    scores = [PhotoScore("a.jpg", "table", confidences=((0.5, True), (1.0, True)))]
    assert [(found.low, found.tiles) for found in reliability(scores, (0.0, 0.5, 1.0))] == [(0.5, 2)]


def test_the_diagram_names_its_groups_and_is_the_same_each_time() -> None:
    picture = reliability_svg({"own tiles": SCORES, "real tiles": SCORES[:1]})
    assert picture == reliability_svg({"own tiles": SCORES, "real tiles": SCORES[:1]})
    texts = [text.text for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
    assert {"own tiles, 5 tiles", "real tiles, 3 tiles", "confidence of a tile", "tiles wholly right"} <= set(texts)
