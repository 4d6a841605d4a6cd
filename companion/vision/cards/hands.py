"""A hand of resource cards in a photo, laid apart or fanned: cards under others are recognised by a corner's symbol.

Cards that lie open are found by their outlines; one of them says how large cards are and how they stand. In a view made
for it the small symbols of all cards are found; what no open card accounts for is a card of which only a strip shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.detection import ASPECT, detection_of, find_cards, is_apart, within_box
from companion.vision.cards.symbols import CARD_PX, SYMBOL, SymbolDetection, find_symbols
from companion.vision.load import Picture
from companion.vision.numerics import Float64, project, scaled_and_moved, scaled_down
from companion.vision.readings import CardDetection

MIN_SYMBOL = 0.7
"""What is no likelier a symbol than this is not reported as a card, where it is the only one of its card."""

MIN_PAIRED = 0.5
"""Both symbols of a card need be no likelier than this."""

MIN_LEADING = 0.8
"""Where no card lies open, one symbol at least must be this sure, or the photo is taken to show no hand."""

ASIDE = (0.44, 0.88)
"""A card's right symbol is so far from its left one, in card widths: far cards of a slanted view are smaller."""

MAX_TURN = 2.0
"""Radians by which a card may be turned against the open one: the ends of a wide fan."""

MIN_ALIKE = 0.3
"""Two symbols of one card are of one kind this surely."""

OWN_SYMBOL = 0.16
"""A symbol this near the place where an open card's must be, in card widths, is that card's."""

ONE_SYMBOL = 0.17
"""Symbols nearer to each other than this, in card widths, are one seen twice: strips that show one are wider."""

COLUMN = 0.2
"""Cards whose middles are this near across, in card widths, lie in one column."""

REACH_PX = 1000
"""How far around an open card the view shows."""

GUESSES = (3.2, 4.4, 6.0, 8.2, 11.0, 15.0)
"""How many card widths the photo may be long, where no open card shows it."""


@dataclass(frozen=True, slots=True)
class _Strip:
    """A card by one or both of its symbols: its middle and the way to its right in the view, the probs of each card."""

    middle: Float64
    right: Float64
    cards: Float64

    @property
    def corners(self) -> Float64:
        """Its corners (4, 2) in the view, top left as printed first, clockwise."""
        half = np.array([(-0.5, -ASPECT / 2), (0.5, -ASPECT / 2), (0.5, ASPECT / 2), (-0.5, ASPECT / 2)]) * CARD_PX
        return np.asarray(half @ np.stack([self.right, _down(self.right)]) + self.middle)


@dataclass(frozen=True, slots=True)
class _View:
    """A picture in which cards are `CARD_PX` wide, and how to come from its px to the photo's (3 x 3)."""

    picture: Picture
    to_photo: Float64

    @property
    def from_photo(self) -> Float64:
        return np.asarray(np.linalg.inv(self.to_photo), np.float64)


def find_hand(photo: Picture) -> tuple[CardDetection, ...]:
    """The resource cards of a hand in a photo (H, W, 3), BGR, from the left, each column from the top.

    A card that others cover is seen if one of its two upper corners is. Cards that lie apart are read as `find_cards`
    reads them. A name that more cards bear than the box has (rules 1.4) is taken from the least sure ones.
    """
    opened = find_cards(photo)
    view, symbols = _look(photo, opened)
    if view is None:
        return opened
    remaining, rest = _without_opened(opened, symbols, view.from_photo)
    strips = list(_strips(rest))
    if not strips and len(remaining) == len(opened):
        return opened
    lying = [(_middle(card, view.from_photo), card) for card in remaining]
    lying += [(strip.middle, detection_of(strip.cards, project(view.to_photo, strip.corners), 0)) for strip in strips]
    return tuple(within_box(list(_in_order(lying))))


def overlapping(cards: Sequence[CardDetection]) -> bool:
    """Whether some of the cards of a hand cover others, so that one may be hidden wholly."""
    quads = [np.array(card.corners_px) for card in cards]
    return any(not is_apart(quads[one], quads[other]) for one in range(len(quads)) for other in range(one))


def _look(photo: Picture, opened: Sequence[CardDetection]) -> tuple[_View | None, list[SymbolDetection]]:
    """The view of the hand and the symbols in it; no view where there is nothing to begin with."""
    if opened:
        view = _view(photo, _affine(max(opened, key=lambda card: card.confidence)))
        return view, find_symbols(view.picture)
    best: tuple[float, _View | None, list[SymbolDetection]] = (0.0, None, [])
    for count in GUESSES:
        scale = count * CARD_PX / max(photo.shape[:2])
        for sign in (scale, -scale):
            view = _view(photo, scaled_and_moved(1 / sign))
            symbols = find_symbols(view.picture)
            sure = [symbol.probability for symbol in symbols if symbol.probability >= MIN_SYMBOL]
            if sure and max(sure) >= MIN_LEADING and sum(sure) > best[0]:
                best = (sum(sure), view, symbols)
    return best[1:]


def _affine(card: CardDetection) -> Float64:
    """From a view in which this card stands upright, `CARD_PX` wide, its middle at (0, 0), to the photo."""
    top_left, top_right, low_right, low_left = np.array(card.corners_px)
    across = (top_right + low_right - top_left - low_left) / 2
    down = (low_left + low_right - top_left - top_right) / 2
    matrix = np.eye(3)
    matrix[:2, 0], matrix[:2, 1] = across / CARD_PX, down / (ASPECT * CARD_PX)
    matrix[:2, 2] = (top_left + top_right + low_right + low_left) / 4
    return matrix


def _view(photo: Picture, to_photo: Float64) -> _View:
    """The part of the photo within reach of the view's (0, 0), or all of a photo that has none there."""
    high, wide = photo.shape[:2]
    around = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    corners = project(np.asarray(np.linalg.inv(to_photo), np.float64), around)
    low, top = corners.min(axis=0), corners.max(axis=0)
    if np.all(low < -1) and np.all(top > 1):
        low, top = np.maximum(low, -REACH_PX), np.minimum(top, REACH_PX)
    size = np.maximum(np.ceil(top - low), 8).astype(int)
    moved = to_photo @ scaled_and_moved(1.0, *low)
    shrink = min(1.0, 1.0 / float(np.sqrt(abs(np.linalg.det(moved[:2, :2])))))
    small = scaled_down(photo, shrink if shrink < 0.8 else 1.0)
    exact = np.diag([small.shape[1] / wide, small.shape[0] / high, 1.0]) @ moved
    flags, area = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (int(size[0]), int(size[1]))
    picture = cv2.warpAffine(small, exact[:2], area, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return _View(np.asarray(picture, dtype=np.uint8), moved)


def _middle(card: CardDetection, from_photo: Float64) -> Float64:
    return np.asarray(project(from_photo, np.array(card.corners_px)).mean(axis=0))


def _without_opened(
    opened: Sequence[CardDetection], symbols: Sequence[SymbolDetection], from_photo: Float64
) -> tuple[list[CardDetection], list[SymbolDetection]]:
    """The open cards, and the symbols that are of none of them.

    An outline that was not named, without a symbol where a card has them, was made up of several cards' edges.
    """
    remaining, rest = [], list(symbols)
    for card in opened:
        quad = project(from_photo, np.array(card.corners_px))
        wide = float(np.linalg.norm(quad[1] - quad[0] + quad[2] - quad[3])) / 2
        x, y = SYMBOL[0], SYMBOL[1] / ASPECT
        warp = cv2.getPerspectiveTransform(
            np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), quad.astype(np.float32)
        )
        places = project(np.asarray(warp, np.float64), np.array([(x, y), (1 - x, y)]))
        own = [symbol for symbol in rest if np.linalg.norm(places - symbol.place, axis=1).min() < OWN_SYMBOL * wide]
        if own or card.card is not None:
            remaining.append(card)
            rest = [symbol for symbol in rest if not any(symbol is one for one in own)]
    return remaining, rest


def _strips(symbols: Sequence[SymbolDetection]) -> Iterator[_Strip]:
    """The cards that symbols are of: first those that show both, then those that show one."""
    left: list[SymbolDetection] = []
    for symbol in sorted(symbols, key=lambda symbol: -symbol.probability):
        apart = [float(np.linalg.norm(symbol.place - other.place)) for other in left]
        if symbol.probability >= MIN_PAIRED and min(apart, default=CARD_PX) > ONE_SYMBOL * CARD_PX:
            left.append(symbol)
    pairs = sorted(
        (_unlikeness(one, other), at, to)
        for at, one in enumerate(left)
        for to, other in enumerate(left)
        if at != to and _may_be_one_card(one, other)
    )
    paired: set[int] = set()
    for _, at, to in pairs:
        if at not in paired and to not in paired:
            paired |= {at, to}
            right = left[to].place - left[at].place
            right = right / np.linalg.norm(right)
            middle = (left[at].place + left[to].place) / 2 + _to_middle(right)
            yield _Strip(np.asarray(middle), np.asarray(right), np.asarray((left[at].cards + left[to].cards) / 2))
    for at, symbol in enumerate(left):
        if at not in paired and symbol.probability >= MIN_SYMBOL:
            # One symbol does not show how its card is turned: as the open one, for all that is known.
            right = np.array([1.0, 0.0])
            aside = (0.5 - SYMBOL[0]) * CARD_PX * (-right if symbol.right >= 0.5 else right)
            yield _Strip(np.asarray(symbol.place + aside + _to_middle(right)), right, symbol.cards)


def _may_be_one_card(left: SymbolDetection, right: SymbolDetection) -> bool:
    way = right.place - left.place
    alike = float(left.cards @ right.cards) / max(left.probability * right.probability, 1e-6)
    return (
        left.right < right.right
        and ASIDE[0] < float(np.linalg.norm(way)) / CARD_PX < ASIDE[1]
        and abs(math.atan2(way[1], way[0])) < MAX_TURN
        and alike > MIN_ALIKE
    )


def _unlikeness(left: SymbolDetection, right: SymbolDetection) -> float:
    """How unlike two symbols are the two of a card that lies as the open one does."""
    way = (right.place - left.place) / CARD_PX
    return float(np.linalg.norm(way - [1 - 2 * SYMBOL[0], 0.0]))


def _down(right: Float64) -> Float64:
    return np.array([-right[1], right[0]])


def _to_middle(right: Float64) -> Float64:
    """The way from between a card's two symbols to its middle."""
    return np.asarray((ASPECT / 2 - SYMBOL[1]) * CARD_PX * _down(right))


def _in_order(lying: Sequence[tuple[Float64, CardDetection]]) -> Iterator[CardDetection]:
    """Cards from the left; those of one column from the top."""
    left = sorted(range(len(lying)), key=lambda at: float(lying[at][0][0]))
    while left:
        first = float(lying[left[0]][0][0])
        column = [at for at in left if float(lying[at][0][0]) - first < COLUMN * CARD_PX]
        left = [at for at in left if at not in column]
        yield from (lying[at][1] for at in sorted(column, key=lambda at: float(lying[at][0][1])))
