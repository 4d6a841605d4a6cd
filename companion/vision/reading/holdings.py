"""What one player has, in photos that may show goods, coins and djinns together: each found without the others' help.

A number on a card is no coin, and a coin is no card: cards that are told are painted over before coins are looked for,
and what seems a card is none where a coin lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import MissingDependencyError, PhotoError
from companion.language.phrase import say
from companion.progress import TellShare
from companion.vision.cards.coins import CoinDetection, find_coins
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.hands import find_hand
from companion.vision.cards.outlines import Quad
from companion.vision.cards.title_lines import find_card_faces, overlap
from companion.vision.cards.titles import TitleDetection, read_titles
from companion.vision.load import Picture
from companion.vision.reading.cards import is_sure
from companion.vision.reading.table import Shot

SAME = 0.3
"""Outlines that share more than this of the smaller one are of one card."""

CARD_SIZES = (0.5, 2.2)
"""A card's area in parts of the median of those that were told: near and far ones."""

LEAST_LIKE = 0.8
"""The shorter of two opposite sides of a card, in parts of the longer."""

ON_A_CARD = 0.5
"""How sure a coin may be at most where a card may lie."""

RIM = 1.05
"""Cards are painted over with their rims: so much larger than their outlines."""


@dataclass(frozen=True, slots=True)
class HoldingsReading:
    """What a photo shows of what a player has: resource cards, coins, and djinns' titles.

    `title_fault` says why titles could not be read, None if they could be or nothing looked like a djinn's card.
    """

    cards: tuple[CardDetection, ...] = ()
    coins: tuple[CoinDetection, ...] = ()
    titles: tuple[TitleDetection, ...] = ()
    title_fault: PhotoError | MissingDependencyError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.cards or self.coins or self.titles)


def read_holdings(shot: Shot, tell: TellShare = lambda share, stage: None) -> HoldingsReading:
    """The resource cards, coins and djinns in a photo; `tell` is told how much is done (0 to 1), and what is."""
    photo = shot.picture
    tell(0.0, say("{name}: looking for cards", name=shot.name))
    lying = _find_lying_cards(photo)
    titles: tuple[TitleDetection, ...] = ()
    fault: PhotoError | MissingDependencyError | None = None
    tell(0.35, say("{name}: reading djinns' names", name=shot.name))
    if lying.faces or not lying.sure:
        try:
            titles = tuple(read_titles(photo, others=lying.outlines))
        except (PhotoError, MissingDependencyError) as error:
            fault = error
    tell(0.75, say("{name}: counting coins", name=shot.name))
    coins = _loose_coins(photo, lying, titles)
    held = tuple(
        card for card in lying.cards if any(card is one for one in lying.sure) or not _is_other(card, coins, titles)
    )
    return HoldingsReading(held, coins, titles, fault)


def find_loose_coins(photo: Picture) -> tuple[CoinDetection, ...]:
    """The coins in a photo that may show cards too, as `read_holdings` finds them.

    Titles are read only where a coin seems to lie on a card that is none of the resource cards, and if they can be.
    """
    lying = _find_lying_cards(photo)
    coins = _loose_coins(photo, lying, ())
    faces = [face for face in lying.faces if _is_card_shaped(face)]
    if not any(_holds(face, coin.disc.x, coin.disc.y) for face in faces for coin in coins):
        return coins
    try:
        return _loose_coins(photo, lying, read_titles(photo, others=lying.outlines))
    except (PhotoError, MissingDependencyError):
        return coins


@dataclass(frozen=True, slots=True)
class _LyingCards:
    """What may be cards: those of goods and fakirs, which of them are `sure`, and the outlines of others."""

    cards: tuple[CardDetection, ...]
    sure: list[CardDetection]
    faces: list[Quad]

    @property
    def outlines(self) -> list[Quad]:
        """Those of the sure ones."""
        return [np.array(card.corners_px, np.float64) for card in self.sure]


def _find_lying_cards(photo: Picture) -> _LyingCards:
    cards = find_hand(photo)
    outlined = find_card_faces(photo)
    sure = [card for card in cards if is_sure(card) and _lies(card, cards, outlined)]
    lying = _LyingCards(tuple(cards), sure, [])
    others = [face for face in outlined if not any(overlap(face, own) > SAME for own in lying.outlines)]
    return replace(lying, faces=others)


def _loose_coins(photo: Picture, lying: _LyingCards, titles: Sequence[TitleDetection]) -> tuple[CoinDetection, ...]:
    """The coins that lie on no card that was told; those that may lie on another are in doubt."""
    named = [face for face in lying.faces if any(_is_on(face, title) for title in titles if title.name)]
    unnamed = [face for face in lying.faces if not any(face is one for one in named)]
    told = [*lying.outlines, *named]
    return tuple(_doubted(coin, _like(unnamed, told)) for coin in find_coins(_painted_over(photo, told)))


def _lies(card: CardDetection, cards: Sequence[CardDetection], outlined: Sequence[Quad]) -> bool:
    """Whether a card was seen whole, or as one of a fan: one made up of symbols alone may be of anything."""
    own = np.array(card.corners_px, np.float64)
    others = [np.array(other.corners_px, np.float64) for other in cards if other is not card]
    return any(overlap(own, face) > SAME for face in outlined) or any(overlap(own, other) > 0 for other in others)


def _like(faces: Sequence[Quad], told: Sequence[Quad]) -> list[Quad]:
    """The outlines that are as large as cards that were told."""
    if not told:
        return []
    usual = float(np.median([_area(quad) for quad in told]))
    return [face for face in faces if CARD_SIZES[0] < _area(face) / usual < CARD_SIZES[1] and _is_card_shaped(face)]


def _is_card_shaped(quad: Quad) -> bool:
    """Whether opposite sides are of about one length: what runs around several coins has none such."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return all(min(one, other) > LEAST_LIKE * max(one, other) for one, other in ((sides[0], sides[2]), sides[1::2]))


def _doubted(coin: CoinDetection, cards: Sequence[Quad]) -> CoinDetection:
    """A coin, to be looked at again where it may be a number on a card of which nothing was told."""
    on_card = any(_holds(card, coin.disc.x, coin.disc.y) for card in cards)
    return replace(coin, confidence=min(coin.confidence, ON_A_CARD)) if on_card else coin


def _painted_over(photo: Picture, cards: Sequence[Quad]) -> Picture:
    """The photo without these cards: in their place is the colour that lies around them."""
    if not cards:
        return photo
    painted = photo.copy()
    for card in cards:
        middle = card.mean(axis=0)
        rim, around = (np.rint(middle + (card - middle) * reach).astype(np.int32) for reach in (RIM, RIM * 1.1))
        ring = np.zeros(photo.shape[:2], np.uint8)
        cv2.fillConvexPoly(ring, around, 255)
        cv2.fillConvexPoly(ring, rim, 0)
        beside = photo[ring > 0]
        colour = np.median(beside, axis=0) if len(beside) else np.zeros(3)
        cv2.fillConvexPoly(painted, rim, [float(one) for one in colour])
    return painted


def _is_other(card: CardDetection, coins: Sequence[CoinDetection], titles: Sequence[TitleDetection]) -> bool:
    """Whether what may be a card is made of coins' edges, or is a djinn's."""
    outline = np.array(card.corners_px, np.float64)
    on_it = any(_holds(outline, coin.disc.x, coin.disc.y) for coin in coins)
    return on_it or any(_is_on(outline, title) for title in titles)


def _is_on(outline: Quad, title: TitleDetection) -> bool:
    left, top, wide, high = title.box
    return _holds(outline, left + wide / 2, top + high / 2)


def _holds(outline: Quad, x: float, y: float) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32), (x, y), False) >= 0


def _area(quad: Quad) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))
