"""What one player has, in photos that may show goods and djinns together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import MissingDependencyError, PhotoError
from companion.language.phrase import say
from companion.progress import TellShare
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.hands import find_hand
from companion.vision.cards.outlines import Quad
from companion.vision.cards.title_lines import find_card_faces, overlap
from companion.vision.cards.titles import TitleDetection, read_titles
from companion.vision.reading.cards import is_sure, lies_on
from companion.vision.reading.table import Shot

SAME = 0.3
"""Outlines that share more than this of the smaller one are of one card."""


@dataclass(frozen=True, slots=True)
class HoldingsReading:
    """What a photo shows of what a player has: resource cards and djinns' titles.

    `title_fault` says why titles could not be read, None if they could be or nothing looked like a djinn's card.
    """

    cards: tuple[CardDetection, ...] = ()
    titles: tuple[TitleDetection, ...] = ()
    title_fault: PhotoError | MissingDependencyError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.cards or self.titles)


def read_holdings(shot: Shot, tell: TellShare = lambda share, stage: None) -> HoldingsReading:
    """The resource cards and djinns in a photo; `tell` is told how much is done (0 to 1), and what is."""
    photo = shot.picture
    tell(0.0, say("{name}: looking for cards", name=shot.name))
    cards, faces = find_hand(photo), find_card_faces(photo)
    sure = [card for card in cards if is_sure(card) and _lies(card, cards, faces)]
    outlines = [_outline(card) for card in sure]
    titles: tuple[TitleDetection, ...] = ()
    fault: PhotoError | MissingDependencyError | None = None
    tell(0.45, say("{name}: reading djinns' names", name=shot.name))
    if not sure or any(not any(overlap(face, outline) > SAME for outline in outlines) for face in faces):
        try:
            titles = tuple(read_titles(photo, others=outlines))
        except (PhotoError, MissingDependencyError) as error:
            fault = error
    held = tuple(card for card in cards if any(card is known for known in sure) or not lies_on(card, titles))
    return HoldingsReading(held, titles, fault)


def _lies(card: CardDetection, cards: Sequence[CardDetection], faces: Sequence[Quad]) -> bool:
    """Whether a card was seen whole, or as one of a fan: one made up of symbols alone may be of anything."""
    own = _outline(card)
    others = [_outline(other) for other in cards if other is not card]
    return any(overlap(own, face) > SAME for face in faces) or any(overlap(own, other) > 0 for other in others)


def _outline(card: CardDetection) -> Quad:
    return np.array(card.corners_px, np.float64)
