"""The resource cards laid out in a photo: which card, how sure, where, in what line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.faces import CARDS, OTHER, Floats, cut_face, face_probabilities
from companion.vision.cards.layout import Upright, reading_lines
from companion.vision.cards.outlines import Quad, find_outlines
from companion.vision.load import Picture

LEAST_CARD = 0.5
"""What is no likelier a card than this is not reported at all."""

LEAST_TOLD = 0.85
"""A card whose name is no likelier than this is reported without a name."""

UNCLEAR_ASPECT = 1.3
"""Outlines squarer than this may be cards seen from a slant either way round: both are looked at."""

OVERLAP = 0.3
"""Outlines that share more than this of the smaller one are of one card."""

Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CardSight:
    """A resource card seen in a photo.

    `card` is one of `components.CARD_COUNTS`, None if it could not be told with a margin; `confidence` the chance
    (0 to 1) that the likeliest card is right; `other` the next likeliest card, or the likeliest one when `card` is
    None. `corners_px` are (x, y), top left as printed first, clockwise; `line` counts the laid lines from the top.
    `third` is the card next likely after those, None if there is none.
    """

    card: str | None
    confidence: float
    other: str | None
    corners_px: tuple[tuple[float, float], ...]
    line: int
    third: str | None = None

    @property
    def likely(self) -> tuple[str, ...]:
        """The cards that it may be, likeliest first."""
        return tuple(name for name in (self.card, self.other, self.third) if name is not None)


@dataclass(frozen=True, slots=True)
class _Look:
    """An outline, its first corner where the card's top left is, and the chances of each card so (10) and in all."""

    quad: Quad
    cards: Shares
    chance: float


def find_cards(photo: Picture) -> tuple[CardSight, ...]:
    """The resource cards in a photo (H, W, 3), BGR, in reading order: lines from the top, each from left to right.

    Which way is up the cards say themselves. Cards that lie under others, and cards that reach out of the photo,
    may be missing; a name that more cards bear than the box has (rules 1.4) is taken from the least sure ones.
    """
    looks = _distinct(_looks(photo))
    lines = reading_lines([Upright(look.quad, look.chance) for look in looks])
    sights = [_sight(looks[at], number) for number, line in enumerate(lines) for at in line]
    return tuple(within_box(sights))


def _looks(photo: Picture) -> list[_Look]:
    """Every outline that may be a card's, with what the network says of it."""
    outlines = [standing for quad in find_outlines(photo) for standing in _standing(quad)]
    probabilities = face_probabilities([cut_face(photo, quad) for quad in outlines])
    looks = []
    for quad, chances in zip(outlines, probabilities, strict=True):
        if chances[OTHER] < 1 - LEAST_CARD:
            looks.append(_look(quad, chances))
    return looks


def _look(quad: Quad, chances: Floats) -> _Look:
    ways = chances[:OTHER].reshape(len(CARDS), 2).astype(np.float64)
    down = int(ways[:, 1].sum() > ways[:, 0].sum())
    return _Look(np.roll(quad, 2 * down, axis=0), ways.sum(axis=1), float(ways.sum()))


def _standing(quad: Quad) -> list[Quad]:
    """The outline with its short sides above and below, or both ways if it is nearly square."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    ways = []
    if down > across / UNCLEAR_ASPECT:
        ways.append(quad)
    if across > down / UNCLEAR_ASPECT:
        ways.append(np.roll(quad, 1, axis=0))
    return ways


def _distinct(looks: Sequence[_Look]) -> list[_Look]:
    """One look a card: the surest outlines' chances averaged, the middle one of them in size as its corners."""
    remaining = sorted(looks, key=lambda look: -look.chance)
    cards = []
    while remaining:
        best = remaining[0]
        same = [look for look in remaining if _overlap(best.quad, look.quad) > OVERLAP]
        remaining = [look for look in remaining if not any(look is one for one in same)]
        sure = [look for look in same if look.chance > 0.9 * best.chance]
        by_size = sorted((look for look in sure if look.chance > best.chance - 0.01), key=lambda look: _area(look.quad))
        # Panels are smaller than the card, and thresholds leave rings around it: the card's edge is in the middle.
        edge = by_size[len(by_size) // 2]
        shares = np.mean([look.cards for look in sure], axis=0)
        cards.append(_Look(edge.quad, shares, float(shares.sum())))
    return cards


def _area(quad: Quad) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _overlap(first: Quad, second: Quad) -> float:
    """The area that two outlines share, in parts of the smaller one's."""
    shared, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    return float(shared) / min(_area(first), _area(second))


def _sight(look: _Look, line: int) -> CardSight:
    order = np.argsort(-look.cards)
    first, second, third = (CARDS[int(at)] for at in order[:3])
    chance = float(look.cards[order[0]])
    told = chance >= LEAST_TOLD
    return CardSight(
        card=first if told else None,
        confidence=chance,
        other=second if told else first,
        corners_px=tuple((float(x), float(y)) for x, y in look.quad),
        line=line,
        third=third if told else second,
    )


def within_box(sights: Sequence[CardSight]) -> list[CardSight]:
    """The sights, in their order, with no card named more often than the box holds it (rules 1.4)."""
    surest = sorted(range(len(sights)), key=lambda at: -sights[at].confidence)
    named: Counter[str] = Counter()
    checked = list(sights)
    for at in surest:
        card = sights[at].card
        if card is None:
            continue
        if named[card] == CARD_COUNTS[card]:
            checked[at] = replace(sights[at], card=None, other=card, third=sights[at].other)
        else:
            named[card] += 1
    return checked
