"""What the card network is trained on: own art, cards cut out of an owner's photo, tables, and what is no card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.lab.rendering.card_art import CARD_PX, draw_card
from companion.lab.rendering.other_cards import draw_other_card
from companion.lab.rendering.textures import TABLES, table_texture
from companion.lab.training.dataset import training_example
from companion.vision.cards.detection import CARDS, Upright, reading_lines
from companion.vision.cards.outlines import Quad, every_outline, find_outlines
from companion.vision.load import Picture

STOCK_PX = (150, 228)
"""Width and height that faces in stock have: worked down once, not for every sample."""

OWN_DRAWS = 8
OTHER_DRAWS = 260
GROUNDS_A_KIND = 12
RENDERS = 24
MIN_ALIKE = 3
"""Outlines of nearly one size around one middle that make a card's edge in the owner's photo."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What samples are put together from; all pictures BGR.

    `real` and `own` hold faces of each card by name, cut to the card's edge; `others` cards that are not resource
    cards; `grounds` what tables and tiles look like; `mistakes` photos with outlines in them that hold no card.
    """

    real: dict[str, list[Picture]]
    own: dict[str, list[Picture]]
    others: list[Picture]
    grounds: list[Picture]
    mistakes: list[tuple[Picture, list[Quad]]]


def stocked(face: Picture) -> Picture:
    """A card's face in the size that samples are made from."""
    return np.asarray(cv2.resize(face, STOCK_PX, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def make_grounds(rng: np.random.Generator, count: int) -> list[Picture]:
    """Tables of every kind the renderer knows, `count` of each."""
    return [table_texture(kind, rng)[:512, :512].copy() for kind in TABLES for _ in range(count)]


def find_mistakes(photo: Picture, cards: Sequence[Quad] = ()) -> tuple[Picture, list[Quad]]:
    """A photo with all the outlines in it that are none of its cards."""
    middles = [card.mean(axis=0) for card in cards]
    reach = [0.35 * float(np.sqrt(cv2.contourArea(card.astype(np.float32)))) for card in cards]
    wrong = []
    for quad in find_outlines(photo):
        near = [
            at
            for at, (middle, far) in enumerate(zip(middles, reach, strict=True))
            if np.linalg.norm(quad.mean(axis=0) - middle) < far
        ]
        size = cv2.contourArea(quad.astype(np.float32))
        sizes = [size / cv2.contourArea(cards[at].astype(np.float32)) for at in near]
        if not any(0.45 < share < 1.5 for share in sizes):
            wrong.append(quad)
    return photo, wrong


def card_edges(photo: Picture) -> list[Quad]:
    """The edges of the cards in an owner's photo of cards alone, found without any network."""
    groups: list[list[Quad]] = []
    for quad in every_outline(photo):
        middle, size = quad.mean(axis=0), _size(quad)
        for group in groups:
            if np.linalg.norm(group[0].mean(axis=0) - middle) < 0.15 * size:
                group.append(quad)
                break
        else:
            groups.append([quad])
    edges = []
    for group in groups:
        sizes = np.array([_size(quad) for quad in group])
        alike = [size for size in sizes if (np.abs(sizes / size - 1) < 0.015).sum() > MIN_ALIKE]
        if alike:
            edges.append(group[int(np.argmax(sizes == max(alike)))])
    usual = float(np.median([_size(quad) for quad in edges])) if edges else 0.0
    return [_standing(quad) for quad in edges if 0.7 < _size(quad) / usual < 1.4]


def _size(quad: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))


def _standing(quad: Quad) -> Quad:
    """The outline beginning with the corner that is top left in the photo."""
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)


def cut_cards(photo: Picture, laid: Sequence[Sequence[str]]) -> list[tuple[str, Quad, Picture]]:
    """The cards of an owner's photo: name, edge, face. They stand upright in the lines `laid`, top to bottom.

    Raises ValueError if the cards found do not fit the lines told.
    """
    edges = card_edges(photo)
    lines = reading_lines([Upright(edge, 1.0) for edge in edges])
    counts = [len(line) for line in lines]
    if counts != [len(line) for line in laid]:
        raise ValueError(f"lines of {counts} cards were found, {[len(line) for line in laid]} told")
    cut = []
    for line, names in zip(lines, laid, strict=True):
        for at, name in zip(line, names, strict=True):
            ideal = np.array([(0, 0), (CARD_PX[0], 0), CARD_PX, (0, CARD_PX[1])], np.float32)
            warp = cv2.getPerspectiveTransform(edges[at].astype(np.float32), ideal)
            face = cv2.warpPerspective(photo, warp, CARD_PX, flags=cv2.INTER_LINEAR)
            cut.append((name, edges[at], stocked(np.asarray(face, dtype=np.uint8))))
    return cut


def make_stock(
    seed: int,
    owner: tuple[Picture, Sequence[Sequence[str]]] | None,
    boards: Sequence[Picture],
    say: Callable[[str], None],
) -> Stock:
    """All that samples are made of: own art, the owner's cards and what lies around them, photos without cards.

    `owner` is the photo of the cards and the lines they lie in. Of cards of one kind only the first is used: the
    others are kept for a test.
    """
    rng = np.random.default_rng(seed)
    cut = [] if owner is None else cut_cards(*owner)
    real: dict[str, list[Picture]] = {}
    for name, _, face in cut:
        real.setdefault(name, [face])
    mistakes = [find_mistakes(photo) for photo in boards]
    if owner is not None:
        mistakes.append(find_mistakes(owner[0], [edge for _, edge, _ in cut]))
    grounds = make_grounds(rng, GROUNDS_A_KIND)
    for number in range(RENDERS):
        photo, _ = training_example(rng, size=(1200, 900))
        mistakes.append(find_mistakes(photo))
        grounds.append(photo[200:712, 300:812].copy())
        if number % 10 == 9:
            say(f"{number + 1} tables rendered")
    return Stock(
        real=real,
        own={card: [stocked(draw_card(card, rng)) for _ in range(OWN_DRAWS)] for card in CARDS},
        others=[stocked(draw_other_card(rng)) for _ in range(OTHER_DRAWS)],
        grounds=grounds,
        mistakes=[(photo, quads) for photo, quads in mistakes if quads],
    )
