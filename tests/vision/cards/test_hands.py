"""Hands of cards that lie on one another: each is counted by the corner that shows (rules 1.4)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.lab.rendering.card_art import draw_card
from companion.lab.rendering.hands import Way
from companion.vision.cards.hands import find_hand, overlapping
from tests.vision.cards.tables import Camera, hand_photo, lines_of, photograph

NAMES = ["fish", "silk", "fakir", "ivory", "wheat", "fish"]


@pytest.mark.parametrize("way", [Way.FAN, *(pytest.param(way, marks=pytest.mark.slow) for way in list(Way)[1:])])
def test_a_hand_is_counted_however_it_lies(way: Way) -> None:
    seen = find_hand(hand_photo(way, np.random.default_rng(12), NAMES))
    assert len(seen) == len(NAMES) and overlapping(seen)
    told = Counter(card.card for card in seen if card.card is not None)
    # What is not told for sure is flagged, and nothing else is wrong.
    assert told <= Counter(NAMES) and told.total() >= len(NAMES) - 1


def test_cards_side_by_side_are_read_as_before_and_cover_nothing() -> None:
    rng = np.random.default_rng(5)
    photo = photograph(
        lines_of([["pottery", "fakir", "papyrus"]], rng=rng),
        lambda card: draw_card(card.name or "", rng),
        rng,
        Camera(),
    )
    seen = find_hand(photo)
    assert [card.card for card in seen] == ["pottery", "fakir", "papyrus"]
    assert not overlapping(seen)
    assert find_hand(np.full((300, 300, 3), 128, np.uint8)) == ()
