"""Cards are cut out of an owner's photo in order, and samples made of them show what they say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.lab.rendering.card_art import CARD_PX, draw_card
from companion.lab.rendering.other_cards import draw_other_card
from companion.lab.training.card_samples import CARD_SHARE, sample_face
from companion.lab.training.card_stock import STOCK_PX, Stock, cut_cards, find_mistakes, make_grounds, stocked
from companion.vision.cards.detection import CARDS, FACE_PX, OTHER
from companion.vision.load import Picture
from tests.vision.cards.tables import Camera, lines_of, photograph

LAID = [["fish", "silk", "gold"], ["fakir", "wheat", "ivory"]]


def owners_photo() -> Picture:
    rng = np.random.default_rng(4)
    ground = np.full((100, 100, 3), (70, 90, 110), np.uint8)
    return photograph(
        lines_of(LAID, rng=rng), lambda card: draw_card(card.name or "", rng), rng, Camera(view_mm=330), ground=ground
    )


def stock() -> Stock:
    rng = np.random.default_rng(0)
    own = {card: [stocked(draw_card(card, rng))] for card in CARDS}
    others = [stocked(draw_other_card(rng)) for _ in range(4)]
    return Stock({}, own, others, make_grounds(rng, 1), [])


def test_the_owner_s_cards_are_cut_out_to_their_edge() -> None:
    cut = cut_cards(owners_photo(), LAID)
    assert [name for name, _, _ in cut] == LAID[0] + LAID[1]
    for name, _, face in cut:
        assert face.shape[:2] == STOCK_PX[::-1]
        drawn = stocked(draw_card(name, np.random.default_rng(9)))
        rim = np.concatenate([face[40:-40, 2:6].ravel(), face[40:-40, -6:-2].ravel()])
        assert rim.mean() > 190
        # The same picture in the middle, though no two are drawn quite alike.
        assert np.abs(face[60:200, 30:120].astype(int) - drawn[60:200, 30:120]).mean() < 30


def test_lines_that_do_not_fit_what_is_seen_are_refused() -> None:
    with pytest.raises(ValueError, match=r"lines of \[3, 3\] cards were found, \[4, 2\] told"):
        cut_cards(owners_photo(), [["fish", "silk", "gold", "fakir"], ["wheat", "ivory"]])


def test_outlines_of_cards_are_no_mistakes() -> None:
    photo = owners_photo()
    edges = [edge for _, edge, _ in cut_cards(photo, LAID)]
    _, wrong = find_mistakes(photo, edges)
    middles = np.array([edge.mean(axis=0) for edge in edges])
    for quad in wrong:
        near = np.linalg.norm(middles - quad.mean(axis=0), axis=1).min()
        size = np.sqrt(abs(np.prod(np.ptp(quad, axis=0))))
        # What lies about a card's middle is much smaller or larger than a card.
        assert near > 50 or not 240 < size < 380


def test_samples_are_faces_of_every_class_in_the_share_told() -> None:
    rng = np.random.default_rng(1)
    made_of = stock()
    samples = [sample_face(made_of, rng) for _ in range(60)]
    assert {face.shape for face, _ in samples} == {(FACE_PX[1], FACE_PX[0], 3)}
    kinds = Counter(kind for _, kind in samples)
    assert set(kinds) <= set(range(OTHER + 1))
    assert abs(1 - kinds[OTHER] / 60 - CARD_SHARE) < 0.2


def test_every_card_is_drawn_with_a_white_rim_and_unlike_the_others() -> None:
    drawn = {card: draw_card(card, np.random.default_rng(3)).astype(int) for card in CARDS}
    for card, face in drawn.items():
        assert face.shape[:2] == CARD_PX[::-1]
        assert face[:8].min() > 230 and face[:, -8:].min() > 230
        apart = [np.abs(face - other).mean() for name, other in drawn.items() if name != card]
        assert min(apart) > 5
