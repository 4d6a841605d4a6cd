"""What one player has in one photo: djinns are no goods."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.errors import MissingDependencyError
from companion.programs import find_tesseract
from companion.vision.reading import cards
from companion.vision.reading.cards import best_name, is_sure, read_holdings
from companion.vision.reading.table import Shot
from tests.vision.cards.tables import hand_table

CARDS = ["ivory", "silk", "fakir", "wheat", "pottery"]


def test_goods_and_djinns_of_one_photo_are_told_apart() -> None:
    cv2.setRNGSeed(0)
    photo = hand_table(CARDS, ["Sloar"], np.random.default_rng(3))
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
    seen = read_holdings(Shot("the photo", hand_table(["ivory", "silk"], ["Sloar"], np.random.default_rng(2))))
    assert Counter(map(best_name, seen.cards)) == Counter(["ivory", "silk"])
    assert seen.titles == () and isinstance(seen.title_fault, MissingDependencyError)
