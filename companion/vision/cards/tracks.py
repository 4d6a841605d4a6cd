"""The two tracks of the printed page in a photo: on which spots markers stand, and of what colour (rules 1.6, 3).

Four squares tell where the page lies and how it is seen. Each spot is then looked at through a place above it, where
the body of a marker is, for what stands up leans away from the camera; colours are told against the paper around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.language.phrase import say
from companion.notation.fiducials import (
    TRACK_MARKER_MM,
    TRACK_MARKERS,
    TRACK_PRICES,
    TRACK_SPOT_MM,
    TRACKS_MM,
    bid_spot,
    track_marker_corner,
    turn_spot,
)
from companion.rules.model.components import BID_SPOTS, Colour
from companion.vision.load import Picture
from companion.vision.locate.markers import Marker, find_markers
from companion.vision.numerics import Float32, Float64, project

PX_PER_MM = 4
MIN_MARKERS = 3

FOCAL_LENGTH = 0.66
"""In parts of the picture's diagonal, as phones have it: enough to tell which way things lean."""

HEIGHTS_MM = (1.5, 5.0, 8.5)
"""Where a marker's body is looked for above the page: one is some 12 to 22 mm high, and one that lies some 10."""

REACH_MM = 5.5
"""How far around the middle of a spot."""

_REACH_PX = round(REACH_MM * PX_PER_MM)
_STEPS = np.arange(-_REACH_PX, _REACH_PX + 1)
_DISC = _STEPS[:, None] ** 2 + _STEPS**2 <= _REACH_PX**2

PRINT_SHOWS, HIDDEN = 0.6, 0.4
"""How alike the spots' print must be for it to be looked for (1 for the same), and in parts of that how much less like
the others a spot is on which something lies."""

DARK = 0.33
"""What has no channel brighter than this, in parts of the paper's (as a screen shows it), is black."""

COLOURED = 0.33
"""What has its least channel below its greatest by more than this share is paint, and not paper, print or shadow."""

DIMMEST = 0.12
"""Nothing darker than this has a colour that could be told."""

NEAR_HUE, FAR_HUE = 24.0, 50.0
"""Degrees of hue from a marker's paint: up to the first it is that marker's for sure, beyond the second of none."""

USUAL_HUES: Mapping[Colour, float] = {Colour.ORANGE: 21.2, Colour.BLUE: 198.0, Colour.PINK: 336.6}
"""Hues of the usual paints, in degrees."""

DUSK = 0.62
"""What has no colour and is no brighter than this may be black that shines, or a shadow."""

EMPTY, TAKEN = 0.16, 0.36
"""Parts of what is looked at that a marker covers: less than the first is an empty spot, from the second on it is clear
that something stands there."""

CLEAR = 0.8
"""A marker's colour must have this share of what is coloured on its spot."""

_PAPER_MM = (
    *((x, 39.5, 3.0, 2.0) for x in (TRACK_SPOT_MM * at for at in range(1, len(TRACK_PRICES)))),
    *((x, 49.0, 10.0, 1.0) for x in (100.0, 130.0, 160.0)),
    *((x, y, 8.0, 1.5) for x in (30.0, 60.0, 92.0, 124.0, 154.0) for y in (82.5, 90.5)),
)
"""White paper on the page: middle, half width and half height, beside the prices and between the lower squares."""


@dataclass(frozen=True, slots=True)
class SpotReading:
    """A spot of a track: the colour of the marker on it, None for none, and how sure that is (0 to 1).

    `taken` tells whether anything stands there: something of no marker's colour leaves `colour` None too. `other` is
    what it may be instead; `corners_px` is the spot in the photo, clockwise from its top left.
    """

    colour: Colour | None
    taken: bool
    confidence: float
    other: Colour | None
    corners_px: tuple[tuple[float, float], ...]

    @property
    def is_sure(self) -> bool:
        """Whether the spot was told with a margin."""
        return self.confidence >= CLEAR and self.taken == (self.colour is not None)


@dataclass(frozen=True, slots=True)
class TracksReading:
    """Both tracks: the spots of the turn order track from the dearest, those of the bid order track from the first."""

    turn: tuple[SpotReading, ...]
    bid: tuple[SpotReading, ...]


def find_tracks(photo: Picture, hues: Mapping[Colour, float] = USUAL_HUES) -> TracksReading | None:
    """The tracks in a photo (H, W, 3), BGR; None if none of their squares is in it.

    `hues` are those of the markers' paints but black, in degrees as `hue_of` tells them. Raises PhotoError if squares
    are hidden or there are two pages.
    """
    markers = find_markers(photo, TRACK_MARKERS)
    if not markers:
        return None
    if len({marker.number for marker in markers}) < len(markers):
        raise PhotoError(say("there are two pages of the bid in the photo: photograph one alone"))
    if len(markers) < MIN_MARKERS:
        raise PhotoError(say("not all of the four black squares around the bid tracks are seen: have all four in view"))
    pose = _PagePose.of(photo, markers)
    page = pose.seen(photo, 0.0)
    paper = _paper(page)
    levels = [pose.seen(photo, height) / paper for height in HEIGHTS_MM]
    middles = [*map(turn_spot, range(len(TRACK_PRICES))), *map(bid_spot, range(BID_SPOTS))]
    spots = [
        _spot([_around(level, middle) for level in levels], bare, hues, _corners(pose, middle))
        for middle, bare in zip(middles, _bare(page / paper, middles), strict=True)
    ]
    return TracksReading(tuple(spots[: len(TRACK_PRICES)]), tuple(spots[len(TRACK_PRICES) :]))


@dataclass(frozen=True, slots=True)
class _PagePose:
    """How the page lies before the camera.

    `camera` (3, 3) are the intrinsics, `page` (3, 3) the two axes of the page's rotation and its translation, in mm;
    `up` (3,) is a mm straight up from the page.
    """

    camera: Float64
    page: Float64
    up: Float64

    @classmethod
    def of(cls, photo: Picture, markers: list[Marker]) -> _PagePose:
        """The page's pose by its squares. Raises PhotoError if they do not lie as printed."""
        side = TRACK_MARKER_MM
        square = np.array([(0, 0), (side, 0), (side, side), (0, side)])
        places = [TRACK_MARKERS.index(marker.number) for marker in markers]
        known = np.vstack([square + track_marker_corner(place) for place in places])
        homography, _ = cv2.findHomography(known, np.vstack([marker.corners for marker in markers]), 0)
        if homography is None:
            raise PhotoError(
                say("the squares around the bid tracks do not lie as printed; print and photograph them anew")
            )
        height, width = photo.shape[:2]
        camera = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]], np.float64)
        camera[0, 0] = camera[1, 1] = FOCAL_LENGTH * float(np.hypot(width, height))
        page = np.linalg.inv(camera) @ homography
        page /= (np.linalg.norm(page[:, 0]) + np.linalg.norm(page[:, 1])) / 2
        if page[2, 2] < 0:
            page = -page
        # x runs right and y down on the page, so that their cross product points into the table.
        return cls(camera, np.asarray(page), -np.cross(page[:, 0], page[:, 1]))

    def homography(self, height: float) -> Float64:
        """From the tracks' coordinates, that many mm above the page, to px."""
        raised = self.page.copy()
        raised[:, 2] += height * self.up
        return np.asarray(self.camera @ raised, np.float64)

    def seen(self, photo: Picture, height: float) -> Float32:
        """The tracks from straight above as far as what lies so high goes, `PX_PER_MM`, 0 to 1."""
        size = (round(TRACKS_MM[0] * PX_PER_MM), round(TRACKS_MM[1] * PX_PER_MM))
        to_px = self.homography(height) @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(photo, to_px, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.blur(flat, (3, 3)).astype(np.float32) / 255, np.float32)


def _paper(page: Float32) -> Float32:
    """The brightness of white paper all over the page, as the light falls: a plane through what is bare paper."""
    places, whites = [], []
    for x, y, half_wide, half_high in _PAPER_MM:
        left, right = round((x - half_wide) * PX_PER_MM), round((x + half_wide) * PX_PER_MM)
        top, bottom = round((y - half_high) * PX_PER_MM), round((y + half_high) * PX_PER_MM)
        places.append((1.0, x / TRACKS_MM[0], y / TRACKS_MM[1]))
        whites.append(np.percentile(page[top:bottom, left:right].reshape(-1, 3), 70, axis=0))
    at, white = np.array(places), np.log(np.maximum(np.array(whites), 0.02))
    weights = np.ones(len(at))
    for _ in range(4):
        plane, *_ = np.linalg.lstsq(at * weights[:, None], white * weights[:, None], rcond=None)
        # Places on which something lies are darker than the rest, and count for little.
        weights = 1 / (1 + (np.abs(white - at @ plane).max(axis=1) / 0.08) ** 2)
    down, across = np.mgrid[: page.shape[0], : page.shape[1]]
    spread = plane[0] + plane[1] * (across[..., None] / page.shape[1]) + plane[2] * (down[..., None] / page.shape[0])
    return np.asarray(np.maximum(np.exp(spread), 0.02), np.float32)


def hue_of(pixels: NDArray[np.floating]) -> Float64:
    """Hue in degrees (n) of BGR pixels (n, 3)."""
    blue, green, red = np.asarray(pixels, np.float64).T
    return np.asarray(np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360, np.float64)


def _around(level: Float32, middle: tuple[float, float]) -> Float32:
    """The square of a picture of the tracks around a place, `REACH_MM` to each side."""
    x, y = (round(part * PX_PER_MM) for part in middle)
    return level[y - _REACH_PX : y + _REACH_PX + 1, x - _REACH_PX : x + _REACH_PX + 1]


def _corners(pose: _PagePose, middle: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    half = TRACK_SPOT_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + np.array(middle)
    return tuple((float(u), float(v)) for u, v in project(pose.homography(0.0), square))


def _bare(page: Float32, middles: Sequence[tuple[float, float]]) -> list[bool | None]:
    """Whether what is printed on each spot shows, alike on all; None where the photo is too coarse for it to show."""
    prints = []
    for middle in middles:
        grey = _around(page, middle).mean(axis=2)
        fine = (grey - cv2.GaussianBlur(grey, (0, 0), 1.5 * PX_PER_MM)) / np.maximum(grey, 0.05)
        prints.append(((fine - fine.mean()) * _DISC).ravel())
    usual = np.median(prints, axis=0)
    alike = [float(one @ usual / max(np.linalg.norm(one) * np.linalg.norm(usual), 1e-9)) for one in prints]
    middling = float(np.median(alike))
    return [None if middling < PRINT_SHOWS else one > HIDDEN * middling for one in alike]


def _spot(
    squares: Sequence[Float32],
    bare: bool | None,
    hues: Mapping[Colour, float],
    corners: tuple[tuple[float, float], ...],
) -> SpotReading:
    looks = [_look(square[_DISC], hues) for square in squares]
    mean, sure, least = (
        {colour: float(how([getattr(look, part)[colour] for look in looks])) for colour in Colour}
        for part, how in (("seen", np.mean), ("sure", np.mean), ("seen", np.min))
    )
    first, second = sorted(Colour, key=lambda colour: (-least[colour], -mean[colour]))[:2]
    # What stands here is seen at every height; what leans over from another spot is not.
    covered = min(sum(look.seen.values()) + look.strange for look in looks)
    if covered < TAKEN:
        grey = min(look.seen[Colour.BLACK] + look.dusk for look in looks) >= TAKEN
        if bare is False and grey:
            # Something without colour hides the print: black that shines.
            return SpotReading(Colour.BLACK, True, 0.5, None, corners)
        if (bare is False and covered >= EMPTY) or (bare is None and grey):
            return SpotReading(None, False, 0.5, Colour.BLACK if grey else first, corners)
        # From 1 on a bare spot to one half where as much is covered as by a marker at the spot's rim.
        doubt = max(0.0, covered - EMPTY) / (TAKEN - EMPTY)
        return SpotReading(None, False, 1 - 0.5 * doubt, first if doubt and mean[first] else None, corners)
    strange = float(np.mean([look.strange for look in looks]))
    whole = sum(mean.values()) + strange
    if strange > mean[first]:
        return SpotReading(None, True, strange / whole, first if mean[first] else None, corners)
    other = second if mean[second] > 0.1 * whole else None
    return SpotReading(first, True, sure[first] / whole if least[first] >= EMPTY else 0.5, other, corners)


@dataclass(frozen=True, slots=True)
class _Look:
    """Parts of what is looked at by what it may be: a marker's paint, for sure or at all, other paint, dark grey."""

    seen: dict[Colour, float]
    sure: dict[Colour, float]
    strange: float
    dusk: float


def _look(pixels: Float32, hues: Mapping[Colour, float]) -> _Look:
    """What pixels (n, 3), in parts of the paper as a screen shows it, may be."""
    brightest, least = pixels.max(axis=1), pixels.min(axis=1)
    coloured = (brightest - least > COLOURED * brightest) & (brightest > DIMMEST)
    black = ~coloured & (brightest < DARK)
    dusk = ~coloured & (brightest >= DARK) & (brightest < DUSK)
    hue = hue_of(pixels)
    colours = list(hues)
    away = np.abs((hue[:, None] - np.array([hues[colour] for colour in colours])[None] + 180) % 360 - 180)
    nearest, distance = away.argmin(axis=1), away.min(axis=1)
    seen, sure = {Colour.BLACK: float(black.mean())}, {Colour.BLACK: float(black.mean())}
    for number, colour in enumerate(colours):
        its = coloured & (nearest == number)
        seen[colour] = float((its & (distance <= FAR_HUE)).mean())
        sure[colour] = float((its & (distance <= NEAR_HUE)).mean())
    return _Look(seen, sure, float((coloured & (distance > FAR_HUE)).mean()), float(dusk.mean()))
