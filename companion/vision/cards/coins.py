"""Gold coins laid out in a photo: how many of 1 and of 5, told by the numbers on them (rules 1.3).

Discs are outlined by their edges, or by the ring around the number where coins touch; a network tells the value of
each, whichever way round it lies, or that it shows no number, or that it is no coin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.outlines import SEARCH_SIDE_PX, contours
from companion.vision.cards.small_faces import FACE_PX, small_face_probabilities
from companion.vision.load import Picture
from companion.vision.numerics import Float32

COIN_KINDS: tuple[int | None, ...] = (1, 5, None)
"""What a coin may be: its value in GC, or one that lies with its number down."""

NOTHING = len(COIN_KINDS)
"""The network's last class: no coin."""

MARGIN = 1.08
"""A face reaches a little beyond the disc."""

MIN_WIDE_PX, MAX_SHARE = 16.0, 0.3
"""A coin's diameter: px of the copy that is searched, and its part of the long side."""

MIN_ROUND = 0.62
"""Short by long axis: a coin seen from 38 degrees above the table."""

FILLED = (0.93, 1.07)
"""A contour's area in parts of the area of the ellipse fitted to it."""

MAX_DISCS = 900

MIN_COIN = 0.5
"""What is no likelier a coin than this is not reported."""

MIN_VALUE = 0.85
"""A coin whose value is no likelier than this is in doubt."""

SAME = 0.45
"""Discs whose middles are nearer than this, in diameters of the larger, are of one coin."""

SIZES = (0.55, 1.6)
"""Diameters of coins in one photo, in parts of the median: near and far ones, and two sizes of coin."""

LINE = 0.6
"""Coins of one line: each lies no further above or below the one before it, in diameters."""


@dataclass(frozen=True, slots=True)
class Disc:
    """An ellipse: its middle, its axes in px, and how far the first is turned from across, degrees clockwise."""

    x: float
    y: float
    wide: float
    high: float
    turn: float

    @property
    def diameter(self) -> float:
        """The longer axis, px: what is not foreshortened."""
        return max(self.wide, self.high)


@dataclass(frozen=True, slots=True)
class CoinDetection:
    """A coin seen in a photo: its value in GC (None if it shows no number), how sure that is (0 to 1), and where."""

    value: int | None
    confidence: float
    disc: Disc

    @property
    def is_sure(self) -> bool:
        """Whether it is a coin and its value was told with a margin."""
        return self.value is not None and self.confidence >= MIN_VALUE


def find_coins(photo: Picture) -> tuple[CoinDetection, ...]:
    """The coins in a photo (H, W, 3), BGR, line by line from the top, each from the left.

    Coins may lie any way round, in rows or strewn, as long as none covers another; of a stack the top one counts.
    """
    height, width = photo.shape[:2]
    scale = min(1.0, SEARCH_SIDE_PX / max(height, width))
    seen = photo
    if scale < 1.0:
        seen = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    discs = list(find_discs(seen))
    probabilities = small_face_probabilities("coins", [cut_disc(seen, disc) for disc in discs], NOTHING + 1)
    order = sorted(range(len(discs)), key=lambda at: float(probabilities[at, NOTHING]))
    kept: list[int] = []
    for at in order:
        if probabilities[at, NOTHING] > 1 - MIN_COIN:
            break
        if not any(_same(discs[at], discs[other]) for other in kept):
            kept.append(at)
    if not kept:
        return ()
    usual = float(np.median([discs[at].diameter for at in kept]))
    coins = [
        _detection(probabilities[at], discs[at], scale)
        for at in kept
        if SIZES[0] < discs[at].diameter / usual < SIZES[1]
    ]
    return tuple(_in_lines(coins))


def find_discs(picture: Picture) -> Iterator[Disc]:
    """What has a round outline in a picture; the same one several times, `MAX_DISCS` in all at most."""
    most = MAX_SHARE * max(picture.shape[:2])
    found = 0
    for contour in contours(picture):
        hull = cv2.convexHull(contour)
        _, _, across, down = cv2.boundingRect(hull)
        if len(hull) < 8 or not MIN_WIDE_PX <= max(across, down) <= most:
            continue
        (x, y), (wide, high), turn = cv2.fitEllipse(hull)
        area = np.pi * wide * high / 4
        if (
            min(wide, high) < MIN_ROUND * max(wide, high)
            or not FILLED[0] * area < cv2.contourArea(hull) < FILLED[1] * area
        ):
            continue
        yield Disc(x, y, wide, high, turn)
        found += 1
        if found == MAX_DISCS:
            return


def cut_disc(picture: Picture, disc: Disc) -> Picture:
    """The picture around a disc, made round, `FACE_PX` a side."""
    turn = np.radians(disc.turn)
    c, s = np.cos(turn), np.sin(turn)
    fine = 2 if disc.diameter > 1.5 * FACE_PX else 1
    side = FACE_PX * fine
    across, down = MARGIN * disc.wide / side, MARGIN * disc.high / side
    # Turned back again after the ellipse is made round, so that the number keeps its way.
    stretch = np.array([[c, -s], [s, c]]) @ np.diag([across, down]) @ np.array([[c, s], [-s, c]])
    shift = np.array([disc.x, disc.y]) - stretch @ np.full(2, (side - 1) / 2)
    warp = np.column_stack([stretch, shift])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(picture, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if fine > 1:
        face = cv2.resize(face, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(face, dtype=np.uint8)


def _same(first: Disc, second: Disc) -> bool:
    return math.hypot(first.x - second.x, first.y - second.y) < SAME * max(first.diameter, second.diameter)


def _detection(kinds: Float32, disc: Disc, scale: float) -> CoinDetection:
    best = int(np.argmax(kinds[:NOTHING]))
    whole = Disc(disc.x / scale, disc.y / scale, disc.wide / scale, disc.high / scale, disc.turn)
    return CoinDetection(COIN_KINDS[best], float(kinds[best]), whole)


def _in_lines(coins: Sequence[CoinDetection]) -> list[CoinDetection]:
    left = sorted(coins, key=lambda coin: coin.disc.y)
    ordered: list[CoinDetection] = []
    while left:
        line = [left[0]]
        for coin in left[1:]:
            if coin.disc.y - line[-1].disc.y < LINE * coin.disc.diameter:
                line.append(coin)
        left = [coin for coin in left if not any(coin is one for one in line)]
        ordered += sorted(line, key=lambda coin: coin.disc.x)
    return ordered
