"""Mistakes by their cause: counted, and as pictures of the tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.notation.tokens import format_tile
from companion.rules.model.board import COLUMNS, SQUARE_NAMES, Tile
from companion.rules.model.components import Colour
from companion.vision.board.changes import change_between
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify
from companion.vision.load import Picture, load_photo
from companion.vision.numerics import Float64

ANOTHER_TILE = "another tile"
CAUSES: Mapping[str, str] = {
    "palm to merchant": "a merchant read as a palm",
    "merchant to palm": "a palm read as a merchant",
    "palace to vizier or elder": "a vizier or elder read as a palace",
    "vizier or elder to palace": "a palace read as a vizier or elder",
    "blue camel to builder": "a builder read as a blue camel",
    "builder to blue camel": "a blue camel read as a builder",
    "palm more": "a palm missed",
    "palm fewer": "a palm too many",
    "palace more": "a palace missed",
    "palace fewer": "a palace too many",
    "meeple more": "a meeple missed",
    "meeple fewer": "a meeple too many",
    "camel": "a camel missed, made up or of another colour",
    "meeple of another colour": "a meeple taken for one of another colour",
    "several": "several pieces at once",
}
"""What happened, by the change that would mend it (`changes.CHANGES`)."""

CROP_PX, TEXT_PX, LINE_PX, COLUMNS_OF_CARDS = 230, 5, 19, 4


@dataclass(frozen=True, slots=True)
class Mistake:
    """A tile read wrongly: where it lies in the board as it was read, what was read, what is so, whether flagged."""

    square: int
    read: Tile
    true: Tile
    is_flagged: bool

    @property
    def cause(self) -> str:
        """What happened, in words."""
        if self.read.kind is not self.true.kind:
            return ANOTHER_TILE
        return CAUSES[change_between(_numbers(self.read), _numbers(self.true))]


@dataclass(frozen=True, slots=True)
class FailedPhoto:
    """A photo with mistakes: its file, and the homography from board coordinates to its px that it was read with."""

    path: Path
    homography: tuple[tuple[float, float, float], ...]
    mistakes: tuple[Mistake, ...]


def _numbers(tile: Tile) -> tuple[int, ...]:
    """What stands on a tile, by `pieces.GROUPS`."""
    camel = 0 if tile.camel is None else tuple(Colour).index(tile.camel) + 1
    return (*tile.meeples, camel, tile.palms, tile.palaces)


def cause_counts(mistakes: Iterable[Mistake]) -> list[tuple[str, int, int]]:
    """Causes with how many mistakes are theirs and how many of these are flagged, the commonest first."""
    seen = list(mistakes)
    flagged = Counter(one.cause for one in seen if one.is_flagged)
    return [(cause, count, flagged[cause]) for cause, count in Counter(one.cause for one in seen).most_common()]


def failure_sheet(photos: Sequence[FailedPhoto], most: int, each: int) -> Picture | None:
    """Crops of tiles read wrongly, BGR, by cause, the commonest first; what was read and what is so stand below.

    At most so many crops, and so many of each cause, from as many photos as can be; None if nothing was wrong.
    """
    order = [cause for cause, _, _ in cause_counts(one for photo in photos for one in photo.mistakes)]
    chosen: list[tuple[FailedPhoto, Mistake]] = []
    for cause in order:
        by_photo = [[(photo, one) for one in photo.mistakes if one.cause == cause] for photo in photos]
        # The first of every photo, then the second of every photo.
        in_turn = [found[turn] for turn in range(each) for found in by_photo if turn < len(found)]
        chosen += in_turn[:each]
    boards: dict[Path, Picture] = {}
    cards = []
    for photo, mistake in chosen[:most]:
        if photo.path not in boards:
            homography: Float64 = np.array(photo.homography)
            boards[photo.path] = rectify(load_photo(photo.path), homography)
        cards.append(_card(boards[photo.path], mistake))
    if not cards:
        return None
    cards += [np.full_like(cards[0], 255)] * (-len(cards) % COLUMNS_OF_CARDS)
    rows = [np.hstack(cards[first : first + COLUMNS_OF_CARDS]) for first in range(0, len(cards), COLUMNS_OF_CARDS)]
    return np.asarray(np.vstack(rows), dtype=np.uint8)


def _card(board: Picture, mistake: Mistake) -> Picture:
    """One tile of a rectified board with words below."""
    row, column = divmod(mistake.square, COLUMNS)
    half = MARGIN_TILES / 2
    top, left = round((row + half) * TILE_PX), round((column + half) * TILE_PX)
    side = round((1 + 2 * half) * TILE_PX)
    lines = (
        mistake.cause,
        f"read {format_tile(mistake.read)}",
        f"true {format_tile(mistake.true)}",
        f"{SQUARE_NAMES[mistake.square]}, {'flagged' if mistake.is_flagged else 'NOT flagged'}",
    )
    card = np.full((CROP_PX + LINE_PX * len(lines) + TEXT_PX, CROP_PX + 2 * TEXT_PX, 3), 255, np.uint8)
    crop = cv2.resize(board[top : top + side, left : left + side], (CROP_PX, CROP_PX))
    card[:CROP_PX, TEXT_PX : CROP_PX + TEXT_PX] = crop
    for number, text in enumerate(lines):
        place = (TEXT_PX, CROP_PX + LINE_PX * (number + 1) - TEXT_PX)
        scale = min(0.44, 0.44 * 31 / len(text))
        cv2.putText(card, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (30, 30, 30), 1, cv2.LINE_AA)
    return card
