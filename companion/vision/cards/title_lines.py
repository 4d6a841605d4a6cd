"""Lines of print on cards in a photo, cut out straight: where djinns' titles may stand, either way up.

Cards are outlined and seen from straight above first, so that print is level whatever way a card lies; on a table where
none is outlined, print is looked for in the photo as it lies, turned by quarters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.outlines import Quad, find_outlines, mean_sides, overlap, quad_area
from companion.vision.load import Picture
from companion.vision.numerics import Float64, GreyImage, project, scaled_and_moved

FACE_PX = (520, 800)
"""Width and height of a card seen from straight above; a photo's own grain where it is coarser."""

ASPECTS = (1.1, 2.05)
"""A card's long side by its short one, seen from straight above or 40 degrees above the table."""

SAME_CARD = 0.5
"""Outlines that share more than this of the smaller one are of one card."""

MAX_CARDS, MAX_DOUBLES = 12, 2
"""Cards whose print is read, and outlines around two of them, which may be cards with two panels after all."""

MIN_SHARE = 0.25
"""A card's area in parts of the median outline's."""

GAPS = (0.35, 1.0)
"""Strokes so far apart, in the height of the taller, are of one word: narrow print and wide."""

LEVEL = 0.45
"""Strokes of one word share this much of the taller one's height."""

HIGH = (0.025, 0.17)
WIDE = (0.1, 0.97)
"""A title's height and width, in parts of the card's width."""

MIN_LONG = 1.1
"""A word's width in its height: two syllables of Hangul."""

MIN_LETTER, MAX_LETTER = 0.5, 2.0
"""A stroke's height in the least height of print, and its width in the greatest: letters may run together."""

RULE = 1.2
"""A straight line as long as this, in the greatest height of print, is of a frame."""

MIN_FILLED = 0.12
"""Ink in parts of a stroke's box: thin arcs and slanting lines have less."""

MIN_LETTERS, MAX_STROKES = 2, 300
"""Strokes of a word at least, and of a card at most."""

SAME_LINE = 0.7
"""Boxes that share more than this of both are of one word."""

MAX_LINES = 8
"""Lines of a card that are read."""

LINE_PX, RIM_PX = 48, 30
SMALL_LINE_PX, SMALL_RIM_PX = 32, 12
"""Heights that print is scaled to, with room around it: what Tesseract reads best, and what it may read where it fails
on that, as it does now and then on the clearest print."""

MAX_LINE_PX = 640
"""No title is longer for its height: what is, is squeezed, and quick to read."""

LOOSE_SIDE_PX = 2400
LOOSE_HIGH_PX = (16, 140)
MAX_LOOSE_LINES = 40
"""Print on no outlined card: the photo's long side while it is looked for, heights, and how many words."""

_Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class TitleLine:
    """A line of print, dark on light with a rim, larger and smaller.

    `card` counts the cards; `corners` (4, 2) in px of the photo, top left as it reads that way up first, clockwise.
    """

    picture: GreyImage
    small: GreyImage
    card: int
    corners: Float64


def find_title_lines(photo: Picture, faces: Sequence[Quad]) -> list[TitleLine]:
    """The lines of print on cards in a photo (H, W, 3), BGR, each both ways up; `faces` as of `find_card_faces`."""
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    wide, high = FACE_PX
    outline = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    lines: list[TitleLine] = []
    for card, quad in enumerate(faces):
        to_photo = np.asarray(cv2.getPerspectiveTransform(outline, quad.astype(np.float32)), np.float64)
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        face = np.asarray(cv2.warpPerspective(grey, to_photo, FACE_PX, flags=flags), np.uint8)
        heights, widths = (HIGH[0] * wide, HIGH[1] * wide), (WIDE[0] * wide, WIDE[1] * wide)
        for box in _word_boxes(face, heights, widths, MAX_LINES):
            lines += _both_ways(face, box, to_photo, card)
    return lines


def find_loose_lines(photo: Picture) -> list[TitleLine]:
    """What may be words in a photo, level or upright, each both ways up and as if on a card of its own."""
    scale = LOOSE_SIDE_PX / max(photo.shape[:2])
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    grey = cv2.cvtColor(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=kind), cv2.COLOR_BGR2GRAY)
    level = np.asarray(grey, np.uint8)
    # Turned clockwise by a quarter; and back again into the photo.
    upright = np.ascontiguousarray(np.rot90(level, -1))
    back = np.array([[0, 1, 0], [-1, 0, level.shape[0]], [0, 0, 1]], np.float64)
    lines: list[TitleLine] = []
    for page, turned in ((level, np.eye(3)), (upright, back)):
        to_photo = scaled_and_moved(1 / scale) @ turned
        widths = (1.6 * LOOSE_HIGH_PX[0], 12.0 * LOOSE_HIGH_PX[1])
        for box in _word_boxes(page, LOOSE_HIGH_PX, widths, MAX_LOOSE_LINES):
            lines += _both_ways(page, box, to_photo, len(lines))
    return lines


def find_card_faces(photo: Picture) -> list[Quad]:
    """Outlines that may be of cards, each once, its first side a short one; the largest first.

    An outline around two cards does not hide them: they are given too.
    """
    standing = [upright for quad in find_outlines(photo) if (upright := _standing(quad)) is not None]
    if not standing:
        return []
    usual = float(np.median([quad_area(quad) for quad in standing]))
    standing = sorted((quad for quad in standing if quad_area(quad) > MIN_SHARE * usual), key=quad_area, reverse=True)
    single: list[Quad] = []
    doubles: list[Quad] = []
    for at, quad in enumerate(standing):
        if any(overlap(quad, other) > SAME_CARD for other in single):
            continue
        if _holds_two(quad, standing[at + 1 :]):
            doubles.append(quad)
        else:
            single.append(quad)
    return [*single[:MAX_CARDS], *doubles[:MAX_DOUBLES]]


def _standing(quad: Quad) -> Quad | None:
    first, second = mean_sides(quad)
    if not ASPECTS[0] <= max(first, second) / min(first, second) <= ASPECTS[1]:
        return None
    return quad if first < second else np.roll(quad, -1, axis=0)


def _holds_two(quad: Quad, smaller: Sequence[Quad]) -> bool:
    """Whether two outlines of about one size lie side by side in an outline."""
    inside = [other for other in smaller if quad_area(other) > 0.2 * quad_area(quad) and overlap(quad, other) > 0.9]
    return any(
        quad_area(second) > 0.65 * quad_area(first) and overlap(first, second) < 0.1
        for at, first in enumerate(inside)
        for second in inside[at + 1 :]
    )


def _word_boxes(page: GreyImage, high: tuple[float, float], wide: tuple[float, float], most: int) -> list[_Box]:
    """Left, top, width and height of what may be words: dark or light strokes of letters' sizes beside one another."""
    boxes: list[_Box] = []
    for picture in (page, 255 - page):
        smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
        ink = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 61, 10)
        # Frames and rules are taken out, for letters touch them; edges and large shapes are no letters.
        long = round(RULE * high[1])
        for kernel in (np.ones((1, long), np.uint8), np.ones((long, 1), np.uint8)):
            ink = cv2.subtract(
                ink, cv2.dilate(cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel), np.ones((3, 3), np.uint8))
            )
        _, _, parts, _ = cv2.connectedComponentsWithStats(ink)
        letters = (
            (parts[:, 3] >= MIN_LETTER * high[0])
            & (parts[:, 3] <= high[1])
            & (parts[:, 2] <= MAX_LETTER * high[1])
            & (parts[:, 4] >= MIN_FILLED * parts[:, 2] * parts[:, 3])
        )
        letters[0] = False
        strokes = np.asarray(parts[letters], np.float64)
        strokes = strokes[np.argsort(-strokes[:, 4], kind="stable")[:MAX_STROKES]]
        for gap in GAPS:
            boxes += [
                box
                for box in _chains(strokes, gap)
                if high[0] <= box[3] <= high[1] and max(wide[0], MIN_LONG * box[3]) <= box[2] <= wide[1]
            ]
    apart: list[_Box] = []
    for box in sorted(boxes, key=lambda box: -box[2] * box[3]):
        if len(apart) < most and not any(_same(box, other) for other in apart):
            apart.append(box)
    return apart


def _chains(strokes: Float64, gap: float) -> Iterator[_Box]:
    """Boxes around strokes (N, 5: left, top, width, height, area) side by side, no farther than a gap in heights."""
    left, top, width, height = strokes[:, :4].T
    tallest = np.maximum(height[:, None], height[None])
    level = np.minimum((top + height)[:, None], (top + height)[None]) - np.maximum(top[:, None], top[None])
    between = np.maximum(left[:, None], left[None]) - np.minimum((left + width)[:, None], (left + width)[None])
    linked = (level >= LEVEL * tallest) & (between <= gap * tallest)
    chain = np.arange(len(strokes))
    while True:
        # Each takes the least number among its neighbours, until no number changes.
        least = np.where(linked, chain[None], len(strokes)).min(axis=1, initial=len(strokes))
        if np.array_equal(least, chain):
            break
        chain = least
    for number in np.unique(chain):
        members = chain == number
        if np.count_nonzero(members) >= MIN_LETTERS:
            first, above = left[members].min(), top[members].min()
            last, below = (left + width)[members].max(), (top + height)[members].max()
            yield int(first), int(above), int(last - first), int(below - above)


def _same(first: _Box, second: _Box) -> bool:
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    down = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return across > 0 and down > 0 and across * down > SAME_LINE * max(first[2] * first[3], second[2] * second[3])


def _both_ways(page: GreyImage, box: _Box, to_photo: Float64, card: int) -> Iterator[TitleLine]:
    left, top, width, height = box
    rim = height // 4
    crop = page[max(top - rim, 0) : top + height + rim, max(left - rim, 0) : left + width + rim]
    picture, small = _as_line(crop, LINE_PX, RIM_PX), _as_line(crop, SMALL_LINE_PX, SMALL_RIM_PX)
    around = np.array(
        [(left, top), (left + width, top), (left + width, top + height), (left, top + height)], np.float64
    )
    corners = np.asarray(project(to_photo, around), np.float64)
    yield TitleLine(picture, small, card, corners)
    turned, turned_small = (np.ascontiguousarray(np.rot90(one, 2)) for one in (picture, small))
    yield TitleLine(turned, turned_small, card, np.roll(corners, -2, axis=0))


def _as_line(crop: GreyImage, height: int, rim: int) -> GreyImage:
    """Dark print on white, so high and with a rim around."""
    scale = height / crop.shape[0]
    size = (min(max(round(crop.shape[1] * scale), 8), MAX_LINE_PX), height)
    line = cv2.resize(crop, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    _, bright = cv2.threshold(line, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    if bright.mean() < 127:
        line = 255 - line
    ink, paper = np.percentile(line, (2, 80))
    clear = np.clip((line.astype(np.float32) - ink) / max(float(paper - ink), 1.0) * 255, 0, 255)
    sheet = np.full((height + 2 * rim, size[0] + 2 * rim), 255, np.uint8)
    sheet[rim:-rim, rim:-rim] = clear
    return sheet
