"""What one player has in one photo: numbers on cards are no coins, coins no cards, djinns no goods."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.errors import MissingDependencyError
from companion.programs import find_tesseract
from companion.rules.model.components import Colour
from companion.vision.reading import holdings
from companion.vision.reading.cards import best_name, is_sure
from companion.vision.reading.coins import gold_of, read_coins
from companion.vision.reading.holdings import find_loose_coins, read_holdings
from companion.vision.reading.table import Shot
from tests.vision.cards.coin_photos import coin_photo
from tests.vision.cards.hand_tables import hand_table

CARDS = ["ivory", "silk", "fakir", "wheat", "pottery"]
SMALL = (1400, 1050)
COINS = [5, 5, 1, 1, 5, 1]


def test_goods_coins_and_djinns_of_one_photo_are_told_apart() -> None:
    cv2.setRNGSeed(0)
    photo = hand_table(CARDS, COINS, ["Sloar"], np.random.default_rng(3), size=SMALL)
    shares: list[float] = []
    seen = read_holdings(Shot("the photo", photo), lambda share, stage: shares.append(share))
    assert Counter(card.card for card in seen.cards if is_sure(card)) == Counter(CARDS)
    assert gold_of(seen.coins) == sum(COINS) and len(seen.coins) == len(COINS)
    assert shares == sorted(shares) and shares[0] == 0.0
    if find_tesseract() is not None:
        assert {title.name for title in seen.titles} == {"Sloar"}


def test_without_tesseract_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*arguments: object, **options: object) -> None:
        raise MissingDependencyError("Tesseract is not installed")

    monkeypatch.setattr(holdings, "read_titles", lacking)
    photo = hand_table(["ivory", "silk"], [5, 1], ["Sloar"], np.random.default_rng(2), size=SMALL)
    seen = read_holdings(Shot("the photo", photo))
    assert Counter(map(best_name, seen.cards)) == Counter(["ivory", "silk"])
    # A number on a card that nobody can name is asked about.
    assert gold_of([coin for coin in seen.coins if coin.is_sure]) == 6 and seen.titles == ()
    assert isinstance(seen.title_fault, MissingDependencyError)


def test_a_bare_table_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdings, "read_titles", lambda photo, others: [])
    photo = hand_table([], [], [], np.random.default_rng(1), size=SMALL)
    assert read_holdings(Shot("the photo", photo)).is_empty


def test_coins_asked_for_alone_are_counted_without_the_numbers_on_cards() -> None:
    """What `companion read --coins` counts: with cards in view it took their numbers for a dozen coins."""
    cards = ["ivory", "ivory", "jewels", "jewels", "wheat", "wheat", "wheat", "wheat"]
    photo = hand_table(cards, [5, 1], ["Utug"], np.random.default_rng(2), size=SMALL)
    found = read_coins({Colour.PINK: Shot("all.jpg", photo)}, lambda stage: None)[Colour.PINK]
    assert sorted(coin.value or 0 for coin in found if coin.is_sure) == [1, 5]
    assert len(found) == 2 or find_tesseract() is None


def test_for_coins_alone_no_titles_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(holdings, "read_titles")
    found = find_loose_coins(coin_photo([5, 5, 1], np.random.default_rng(4)))
    assert gold_of(found) == 11
