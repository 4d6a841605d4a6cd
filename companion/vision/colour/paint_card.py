"""A photo of the calibration card: which fields hold a piece, what paint each has, and a picture of what was measured.

Dots are printed all over the fields. Where none shows, something lies on the paper, white pieces too; where they
show darker, it is a shadow. Paints are measured against the paper around the piece, so that neither the lamp's
colour nor its place matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.language.phrase import joined, say
from companion.notation.fiducials import (
    CARD_MARKER_MM,
    CARD_MARKERS,
    CARD_MM,
    CARD_PIECES,
    FIELD_DOT_PITCH_MM,
    FIELD_DOTS,
    FIELD_MM,
    STRIP_MM,
    STRIP_STEPS,
    field_corner,
    field_dots,
    marker_corner,
)
from companion.vision.colour.paints import GAMMA, LinearBGR, Paints, PiecePaint, the_piece
from companion.vision.load import Picture
from companion.vision.locate.markers import Marker, find_markers
from companion.vision.locate.scan import is_grey
from companion.vision.numerics import Float32, Float64, Points, project

PX_PER_MM = 5
"""Of the card seen from straight above."""

MIN_MARKER_PX = 28
"""Side of the card's markers in a photo under which the dots are too small to be seen."""

FLAT_MM = 1.5
"""How far a marker's corner may lie from its place on a flat card."""

MIN_CONTRAST = 0.12
"""How much darker than the paper the dots must be in a sharp photo, in parts of the paper's brightness."""

COVERED_SHARE = 0.42
"""A dot with less contrast than this share of the field's usual one is covered."""

MIN_DOTS = 8
MAX_DOTS = 120
"""Dots that a piece covers: a meeple seen from above some 20, a palace that lies 80, of 169."""

GLARE_LEVEL, GLARE_SHARE = 252, 0.4
"""A piece of which this share is as bright as can be is seen under glare."""

MIN_STEP = 0.03
"""Least fall in brightness between the first two steps of the grey strip; less is overexposed."""

SHADES = ((0.05, 0.3), (0.35, 0.65), (0.8, 0.95))
"""Quantiles of brightness between which a piece's shaded, lit and highlighted paint is measured."""

DEEP = 0.6
"""Paint less pale than this shows sheen by its paleness, and is measured all over the piece."""

DEEPEST = (0.12, 0.4)
"""Share of the pixels, the deepest in colour, that deep paint and pale paint is measured on."""

_RING = (40, 40, 255)
_SWATCH_MM = 8.0

_PLACES = (say("top left"), say("top right"), say("bottom right"), say("bottom left"))


@dataclass(frozen=True, slots=True)
class CardReading:
    """A calibration card read.

    `card` is it from straight above, BGR; `covered` for each piece the dots (13, 13) that it hides, the rim of its
    shape left out; `homography` (3, 3) maps card coordinates, in mm, to px of the photo.
    """

    paints: Paints
    card: Picture
    covered: dict[str, NDArray[np.bool_]]
    homography: Float64

    def middle(self, piece: str) -> tuple[float, float]:
        """The middle of what a piece covers, in card coordinates."""
        dots = np.array(field_dots(CARD_PIECES.index(piece)))
        x, y = dots[self.covered[piece].ravel()].mean(axis=0)
        return float(x), float(y)


def read_card(photo: Picture) -> CardReading:
    """Measure the paints of the pieces on a calibration card in a photo (H, W, 3), BGR.

    Raises PhotoError, with what to do, if there is no card or two, if part of it is cut off or not sharp, or if a
    field is empty or under glare.
    """
    if is_grey(photo):
        raise PhotoError(say("the photo has no colour; paints are measured in a colour photo"))
    homography = _card_homography(_four_markers(photo))
    card = _flat(photo, homography)
    _check_exposure(card)
    contrast = _dot_contrast(card)
    usual = float(np.quantile(contrast, 0.75))
    if usual < MIN_CONTRAST:
        raise PhotoError(
            say(
                "the card is blurred: its dots do not show; hold still, step closer and let the camera "
                "focus on the card"
            )
        )
    covered: dict[str, NDArray[np.bool_]] = {}
    empty: list[str] = []
    hidden: list[str] = []
    for piece, dots in zip(CARD_PIECES, contrast, strict=True):
        rim = np.concatenate([dots[0], dots[-1], dots[1:-1, 0], dots[1:-1, -1]])
        local = float(np.quantile(rim, 0.6))
        hides = _largest(dots < COVERED_SHARE * local)
        count = int(hides.sum())
        if local < 0.5 * usual or count > MAX_DOTS or not _uncovered(hides).any():
            hidden.append(the_piece(piece))
        elif count < MIN_DOTS:
            empty.append(the_piece(piece))
        covered[piece] = hides
    _check_fields(empty, hidden)
    paints: dict[str, PiecePaint] = {}
    glaring: list[str] = []
    for number, piece in enumerate(CARD_PIECES):
        paint = _measure(card, number, covered[piece])
        if paint is None:
            glaring.append(the_piece(piece))
        else:
            paints[piece] = paint
    if glaring:
        raise PhotoError(
            say(
                "a lamp is reflected in {listed}: turn the card or move the lamp, and take the photo again",
                listed=_listed(glaring),
            )
        )
    inner = {piece: _inner(dots) for piece, dots in covered.items()}
    return CardReading(Paints(paints), card, inner, np.asarray(np.linalg.inv(homography), dtype=np.float64))


def shows_card(photo: Picture) -> bool:
    """Whether a marker of the calibration card is in the photo."""
    return bool(find_markers(photo, CARD_MARKERS))


def _check_fields(empty: list[str], hidden: list[str]) -> None:
    if len(empty) == len(CARD_PIECES):
        raise PhotoError(say("the card is empty: lay one piece of each kind in its field, then take the photo"))
    if empty:
        raise PhotoError(
            say(
                "no piece is seen in the field of {listed}: lay one there and take the photo again",
                listed=_listed(empty),
            )
        )
    if hidden:
        raise PhotoError(
            say(
                "the field of {listed} does not show clearly: one piece alone belongs there, sharp and "
                "with no lamp reflected in the paper",
                listed=_listed(hidden),
            )
        )


def _listed(names: Sequence[str]) -> str:
    return joined(say(" and "), filter(None, (joined(", ", names[:-1]), names[-1])))


def _four_markers(photo: Picture) -> list[Marker]:
    """The card's markers, top left first, clockwise."""
    markers = find_markers(photo, CARD_MARKERS)
    if not markers:
        raise PhotoError(
            say(
                "no calibration card found in the photo: print it with companion markers, and take the "
                "whole card from above, sharp, with its four black markers in view"
            )
        )
    numbers = [marker.number for marker in markers]
    if len(set(numbers)) < len(numbers):
        raise PhotoError(say("there are two calibration cards in the photo: photograph one alone"))
    missing = [place for place, number in zip(_PLACES, CARD_MARKERS, strict=True) if number not in numbers]
    if missing:
        raise PhotoError(
            say(
                "the calibration card's marker at the {listed} is not seen: step back until the whole "
                "card is in view, and clear away what covers it",
                listed=_listed(missing),
            )
        )
    smallest = min(float(np.sqrt(cv2.contourArea(marker.corners.astype(np.float32)))) for marker in markers)
    if smallest < MIN_MARKER_PX:
        raise PhotoError(say("the calibration card is too small in the photo: step closer until it fills the picture"))
    return markers


def _card_homography(markers: list[Marker]) -> Float64:
    """What maps px of the photo to card coordinates. Raises PhotoError if the card is not flat."""
    side = CARD_MARKER_MM
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)])
    card = np.vstack([square + marker_corner(place) for place in range(len(CARD_MARKERS))])
    seen = np.vstack([marker.corners for marker in markers])
    homography, _ = cv2.findHomography(seen, card, 0)
    if homography is None:
        raise PhotoError(say("the calibration card's markers do not lie as on the card; print and photograph it anew"))
    if float(np.linalg.norm(project(np.asarray(homography), seen) - card, axis=1).max()) > FLAT_MM:
        raise PhotoError(say("the calibration card is bent or folded: lay it flat and take the photo again"))
    return np.asarray(homography, dtype=np.float64)


def _flat(photo: Picture, homography: Float64) -> Picture:
    """The card from straight above, `PX_PER_MM`; `homography` maps px of the photo to card coordinates."""
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    matrix = np.diag([PX_PER_MM, PX_PER_MM, 1.0]) @ homography
    return np.asarray(cv2.warpPerspective(photo, matrix, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def _check_exposure(card: Picture) -> None:
    """By the grey strip: its first step must show against the paper, and the paper against the black."""
    left, top, width, height = (value * PX_PER_MM for value in STRIP_MM)
    steps = []
    for step in range(STRIP_STEPS):
        x = left + (step + 0.5) * width / STRIP_STEPS
        part = card[round(top + 0.3 * height) : round(top + 0.7 * height), round(x - 12) : round(x + 12)]
        steps.append(float(np.median(part)))
    if steps[0] - steps[1] < MIN_STEP * steps[0]:
        raise PhotoError(
            say("the photo is overexposed: the paper is pure white; dim the light or tap the card to expose it")
        )
    if steps[0] - steps[-1] < 40:
        raise PhotoError(say("the photo is too dark, or a glare lies on the card: take it in better light"))


def _px(points: Points) -> NDArray[np.intp]:
    return np.asarray(np.rint(points * PX_PER_MM - 0.5), dtype=np.intp)


def _dot_contrast(card: Picture) -> Float64:
    """How much darker each field's dots are than the paper around them, (fields, 13, 13), in its brightness."""
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY).astype(np.float32)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.2 * PX_PER_MM)
    # The darkest spot near a dot's place: cards are never quite flat.
    near = round(0.5 * PX_PER_MM)
    darkest = cv2.erode(soft, np.ones((2 * near + 1, 2 * near + 1), np.uint8))
    result = []
    half = FIELD_DOT_PITCH_MM / 2
    for number in range(len(CARD_PIECES)):
        dots = np.array(field_dots(number))
        around = [
            soft[tuple(_px(dots + step).T[::-1])]
            for step in ((-half, -half), (half, -half), (-half, half), (half, half))
        ]
        paper = np.median(around, axis=0)
        dark = darkest[tuple(_px(dots).T[::-1])]
        result.append(((paper - dark) / np.maximum(paper, 8.0)).reshape(FIELD_DOTS, FIELD_DOTS))
    return np.array(result, dtype=np.float64)


def _largest(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The largest patch of covered dots, lone holes in it filled and lone dots gone."""
    counts = cv2.filter2D(covered.astype(np.float32), -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    smooth = (counts >= 5).astype(np.uint8)
    number, labels = cv2.connectedComponents(smooth, connectivity=4)
    if number < 2:
        return np.zeros_like(covered)
    sizes = np.bincount(labels.ravel())[1:]
    return np.asarray(labels == 1 + int(sizes.argmax()), dtype=np.bool_)


def _inner(dots: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The dots whose neighbours are covered too; all of them if there is no such dot."""
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
    inner = cv2.erode(dots.astype(np.uint8), cross, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    return np.asarray(inner if inner.sum() >= 3 else dots, dtype=np.bool_)


def _uncovered(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The dots, those of the last row and column aside, beside which paper shows, away from the piece."""
    near = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    near[-1], near[:, -1] = True, True
    return ~near


def _around(places: Points, reach_mm: float, card: Picture) -> Float32:
    """The pixels (N, 3) within a reach of places on the card."""
    mask = np.zeros(card.shape[:2], np.uint8)
    for x, y in _px(places):
        cv2.circle(mask, (int(x), int(y)), round(reach_mm * PX_PER_MM), 255, -1)
    return card[mask > 0].astype(np.float32)


def _measure(card: Picture, number: int, covered: NDArray[np.bool_]) -> PiecePaint | None:
    """The paint of a field's piece in linear light relative to the paper; None if glare hides it."""
    dots = np.array(field_dots(number))
    pixels = _around(dots[_inner(covered).ravel()], FIELD_DOT_PITCH_MM / 2, card)
    bright = (pixels >= GLARE_LEVEL).all(axis=1)
    if bright.mean() > GLARE_SHARE:
        return None
    pixels = pixels[~bright]
    between = dots[_uncovered(covered).ravel()] + FIELD_DOT_PITCH_MM / 2
    paper = np.quantile(_around(between, 0.4, card), 0.7, axis=0)
    white = np.maximum((paper / 255) ** GAMMA, 1e-3)
    light = (pixels / 255) ** GAMMA / white
    if np.median(_paleness(light)) < DEEP:
        # The sides of a piece show less sheen than its top; paper and shadows beside it are pale and drop out.
        paint = (_around(dots[covered.ravel()], FIELD_DOT_PITCH_MM / 2, card) / 255) ** GAMMA / white
        paint = _deepest(paint, DEEPEST[0])
        # Sheen adds the same to all channels: the span between them says how well the top is lit.
        paint = paint * np.ptp(np.median(light, axis=0)) / max(float(np.ptp(np.median(paint, axis=0))), 1e-3)
    else:
        paint = _deepest(light, DEEPEST[1])
    light = _by_brightness(light)
    lit = _between(paint, *SHADES[1])
    shaded, highlight = np.minimum(_between(light, *SHADES[0]), lit), np.maximum(_between(light, *SHADES[2]), lit)
    return PiecePaint(lit=_colour(lit), shaded=_colour(shaded), highlight=_colour(highlight))


def _colour(channels: Float64) -> LinearBGR:
    blue, green, red = (float(part) for part in channels)
    return blue, green, red


def _paleness(light: Float64) -> Float64:
    """How near to grey colours (n, 3) are, 1 for grey."""
    return np.asarray(light.min(axis=1) / np.maximum(light.max(axis=1), 1e-3))


def _deepest(light: Float64, share: float) -> Float64:
    """That share of colours (n, 3) that is least pale, the darkest first."""
    pale = _paleness(light)
    return _by_brightness(light[pale <= np.quantile(pale, share)])


def _by_brightness(light: Float64) -> Float64:
    return np.asarray(light[np.argsort(light.mean(axis=1), kind="stable")])


def _between(light: Float64, low: float, high: float) -> Float64:
    """The median colour of those between two quantiles of brightness, the darkest first."""
    first = int(low * len(light))
    return np.asarray(np.median(light[first : max(int(high * len(light)), first + 1)], axis=0))


def draw_card(reading: CardReading) -> Picture:
    """The card from straight above: rings where paint was measured, and beside each field its paint as measured.

    The swatches are, from the top: where it shines, well lit, in its own shade.
    """
    canvas = reading.card.copy()
    for number, piece in enumerate(CARD_PIECES):
        for (x, y), measured in zip(field_dots(number), reading.covered[piece].ravel(), strict=True):
            if measured:
                cv2.circle(canvas, (_length_px(x), _length_px(y)), _length_px(0.8), _RING, 1, cv2.LINE_AA)
        left, top = field_corner(number)
        paint = reading.paints.by_piece[piece]
        for place, colour in enumerate((paint.highlight, paint.lit, paint.shaded)):
            x, y = left + FIELD_MM + 1, top + (place + 0.5) * FIELD_MM / 3 - _SWATCH_MM / 2
            corners = ((_length_px(x), _length_px(y)), (_length_px(x + _SWATCH_MM), _length_px(y + _SWATCH_MM)))
            cv2.rectangle(canvas, *corners, _on_screen(colour), -1)
            cv2.rectangle(canvas, *corners, (60, 60, 60), 1)
    return np.asarray(canvas, dtype=np.uint8)


def _length_px(millimetres: float) -> int:
    return round(millimetres * PX_PER_MM)


def _on_screen(colour: LinearBGR) -> tuple[float, float, float]:
    blue, green, red = (255 * min(part, 1.0) ** (1 / GAMMA) for part in colour)
    return blue, green, red
