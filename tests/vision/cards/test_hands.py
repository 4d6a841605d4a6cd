"""Hands of cards that lie on one another, and all that one player has in one photo: djinns are no goods (rules 1.4)."""

from __future__ import annotations

from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest

from companion.errors import MissingDependencyError
from companion.system.programs import find_tesseract
from companion.vision.cards.hands import find_hand, overlapping
from companion.vision.load import Picture
from companion.vision.reading import cards
from companion.vision.reading.cards import best_name, is_sure, read_holdings
from companion.vision.reading.shots import Shot
from tests.vision.cards.tables import HAND, Camera, fan, hand_photo, hand_table, lines_of, own_face, photograph

WAYS = ["fan", *(pytest.param(way, marks=pytest.mark.slow) for way in ("row", "column", "sorted"))]


@pytest.mark.parametrize("way", WAYS)
def test_a_hand_is_counted_however_it_lies(way: str) -> None:
    seen = fan() if way == "fan" else find_hand(hand_photo(way, np.random.default_rng(12), HAND))
    assert len(seen) == len(HAND) and overlapping(seen)
    told = Counter(card.card for card in seen if card.card is not None)
    # What is not told for sure is flagged, and nothing else is wrong.
    assert told <= Counter(HAND) and told.total() >= len(HAND) - 1


def test_cards_side_by_side_are_read_as_before_and_cover_nothing() -> None:
    rng = np.random.default_rng(5)
    laid = lines_of([["pottery", "fakir", "papyrus"]], rng=rng)
    seen = find_hand(photograph(laid, own_face, rng, Camera(view_mm=300), (1200, 900)))
    assert [card.card for card in seen] == ["pottery", "fakir", "papyrus"]
    assert not overlapping(seen)
    assert find_hand(np.full((300, 300, 3), 128, np.uint8)) == ()


CARDS = ["ivory", "silk", "fakir", "wheat", "pottery"]


@cache
def both_sorts() -> Picture:
    return hand_table(CARDS, ["Sloar"], np.random.default_rng(3))


def test_goods_and_djinns_of_one_photo_are_told_apart() -> None:
    cv2.setRNGSeed(0)
    photo = both_sorts()
    shares: list[float] = []
    seen = read_holdings(Shot("the photo", photo), lambda share, stage: shares.append(share))
    assert Counter(card.card for card in seen.cards if is_sure(card)) == Counter(CARDS)
    assert shares == sorted(shares) and shares[0] == 0.0
    if find_tesseract() is not None:
        assert {title.name for title in seen.titles} == {"Sloar"}


def test_without_tesseract_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*arguments: object, **options: object) -> None:
        raise MissingDependencyError("Tesseract is not installed")

    monkeypatch.setattr(cards, "read_titles", lacking)
    seen = read_holdings(Shot("the photo", both_sorts()))
    assert Counter(map(best_name, seen.cards)) == Counter(CARDS)
    assert seen.titles == () and isinstance(seen.title_fault, MissingDependencyError)
