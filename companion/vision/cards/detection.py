"""The resource cards laid out in a photo: which card, how sure, where, in what line and order.

Outlines are classified as one of the ten cards, one way up or the other, or as something else; of those that overlap
one stays; and the cards themselves say which way is up, which lie in one line, and what comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.outlines import SAME_CARD, Quad, find_outlines, mean_sides, overlap, quad_area
from companion.vision.load import Picture
from companion.vision.networks import forward
from companion.vision.numerics import Float32, Float64, cross, percentile, project, softmax
from companion.vision.readings import CardDetection

FACE_PX = (64, 96)
"""Width and height of the picture that the network is shown."""

CARDS = tuple(CARD_COUNTS)
OTHER = 2 * len(CARDS)
"""The network's classes: card * 2 upright, card * 2 + 1 upside down, and last whatever else there is."""

CLASSES = OTHER + 1
BRIGHT_PERCENTILE = 90.0
"""The bright end of a card is its white rim: scaled to it, a card looks alike under any lamp."""

_FINER = 2
"""Faces are cut this many times finer and worked down, or small print would flicker."""

MIN_CARD = 0.5
"""What is no likelier a card than this is not reported at all."""

MIN_NAMED = 0.85
"""A card whose name is no likelier than this is reported without a name."""

UNCLEAR_ASPECT = 1.3
"""Outlines squarer than this may be cards seen from a slant either way round: both are looked at."""

APART = 0.06
"""Outlines that share no more than this are of cards that lie side by side, measured a little too large."""

ASPECT = 1.52
"""A card's height in its width."""

LEVEL = 0.42
"""Cards of one line: each lies no further above or below the other, in card heights."""

REACH = 3.2
"""Cards of one line: neighbours' middles are no further apart, in card widths."""

SQUARE = 0.36
"""Sine of the angle by which cards of one line may be turned against each other."""

AGREED = 0.7
"""Share of a line's cards that must stand one way for the line to be read that way whatever the others say."""

_UPRIGHT = np.array([(-0.5, -ASPECT / 2), (0.5, -ASPECT / 2), (0.5, ASPECT / 2), (-0.5, ASPECT / 2)], np.float32)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An outline, its first corner where the card's top left is, and the probs of each card so (10) and in all."""

    quad: Quad
    cards: Float64
    probability: float


@dataclass(frozen=True, slots=True)
class Upright:
    """A card's corners in px, top left as printed first, clockwise; and how sure it is that it stands so (0 to 1)."""

    quad: Quad
    weight: float


def find_cards(photo: Picture) -> tuple[CardDetection, ...]:
    """The resource cards in a photo (H, W, 3), BGR, in reading order: lines from the top, each from left to right.

    Which way is up the cards say themselves. Cards that lie under others, and cards that reach out of the photo,
    may be missing; a name that more cards bear than the box has (rules 1.4) is taken from the least sure ones.
    """
    candidates = _suppress_overlaps(_classify_outlines(photo))
    lines = reading_lines([Upright(candidate.quad, candidate.probability) for candidate in candidates])
    detections = [
        detection_of(candidates[at].cards, candidates[at].quad, number)
        for number, line in enumerate(lines)
        for at in line
    ]
    return tuple(within_box(detections))


def _classify_outlines(photo: Picture) -> list[_Candidate]:
    """Every outline that may be a card's, with what the network says of it."""
    outlines = [standing for quad in find_outlines(photo) for standing in _standing(quad)]
    probabilities = face_probabilities("cards", [cut_face(photo, quad) for quad in outlines], CLASSES, 3)
    looked_at = zip(outlines, probabilities, strict=True)
    return [_candidate(quad, probs) for quad, probs in looked_at if probs[OTHER] < 1 - MIN_CARD]


def _candidate(quad: Quad, probs: Float32) -> _Candidate:
    ways = probs[:OTHER].reshape(len(CARDS), 2).astype(np.float64)
    down = int(ways[:, 1].sum() > ways[:, 0].sum())
    return _Candidate(np.roll(quad, 2 * down, axis=0), ways.sum(axis=1), float(ways.sum()))


def _standing(quad: Quad) -> list[Quad]:
    """The outline with its short sides above and below, or both ways if it is nearly square."""
    across, down = mean_sides(quad)
    ways = []
    if down > across / UNCLEAR_ASPECT:
        ways.append(quad)
    if across > down / UNCLEAR_ASPECT:
        ways.append(np.roll(quad, 1, axis=0))
    return ways


def _suppress_overlaps(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """One candidate a card: the surest outlines' probs averaged, the middle one of them in size as its corners."""
    remaining = sorted(candidates, key=lambda candidate: -candidate.probability)
    cards = []
    while remaining:
        best = remaining[0]
        same = [candidate for candidate in remaining if overlap(best.quad, candidate.quad) > SAME_CARD]
        remaining = [candidate for candidate in remaining if not any(candidate is one for one in same)]
        sure = [candidate for candidate in same if candidate.probability > 0.9 * best.probability]
        by_size = sorted(
            (candidate for candidate in sure if candidate.probability > best.probability - 0.01),
            key=lambda candidate: quad_area(candidate.quad),
        )
        # Panels are smaller than the card, and thresholds leave rings around it: the card's edge is in the middle.
        edge = by_size[len(by_size) // 2]
        mean = np.mean([candidate.cards for candidate in sure], axis=0)
        cards.append(_Candidate(edge.quad, mean, float(mean.sum())))
    return cards


def is_apart(first: Quad, second: Quad) -> bool:
    """Whether two cards' outlines share next to nothing."""
    return overlap(first, second) < APART


def detection_of(cards: Float64, quad: Quad, line: int) -> CardDetection:
    """A card by the probabilities of each (10) and its corners (4, 2) in px: named, if one is likely enough."""
    order = np.argsort(-cards)
    first, second, third = (CARDS[int(at)] for at in order[:3])
    probability = float(cards[order[0]])
    named = probability >= MIN_NAMED
    return CardDetection(
        card=first if named else None,
        confidence=probability,
        other=second if named else first,
        corners_px=tuple((float(x), float(y)) for x, y in quad),
        line=line,
        third=third if named else second,
    )


def within_box(detections: Sequence[CardDetection]) -> list[CardDetection]:
    """The detections, in their order, with no card named more often than the box holds it (rules 1.4)."""
    surest = sorted(range(len(detections)), key=lambda at: -detections[at].confidence)
    named: Counter[str] = Counter()
    checked = list(detections)
    for at in surest:
        card = detections[at].card
        if card is None:
            continue
        if named[card] == CARD_COUNTS[card]:
            checked[at] = replace(detections[at], card=None, other=card, third=detections[at].other)
        else:
            named[card] += 1
    return checked


def cut_face(photo: Picture, quad: Quad) -> Picture:
    """The picture within an outline, `FACE_PX` in size; the outline's first corner comes top left."""
    wide, high = FACE_PX[0] * _FINER, FACE_PX[1] * _FINER
    ideal = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), ideal)
    fine = cv2.warpPerspective(photo, warp, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(fine, FACE_PX, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def normalise_faces(faces: Sequence[Picture] | Picture, step: int, bright_percentile: float) -> Float32:
    """BGR faces of one size as (N, 3, H, W) RGB floats, each channel scaled by its face's bright end.

    That end is measured on one pixel in `step` across and down.
    """
    stacked = np.asarray(faces)[:, :, :, ::-1]
    bright = percentile(stacked[:, ::step, ::step].reshape(len(faces), -1, 3), bright_percentile, 1)
    scaled = stacked / np.maximum(bright, 12.0).astype(np.float32)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(scaled, 1.6).transpose(0, 3, 1, 2), dtype=np.float32)


def face_probabilities(network: str, faces: Sequence[Picture], classes: int, step: int) -> Float32:
    """Probabilities (N, `classes`) of what each face shows by a network; `step` as in `normalise_faces`."""
    if not faces:
        return np.zeros((0, classes), dtype=np.float32)
    (logits,) = forward(network, normalise_faces(faces, step, BRIGHT_PERCENTILE))
    return softmax(logits.astype(np.float64), axis=1).astype(np.float32)


def reading_lines(cards: Sequence[Upright]) -> list[list[int]]:
    """The cards' numbers line by line, top line first, each line from left to right.

    The cards themselves say where the top is, whichever side the photo was taken from: nearly all of a line, else
    most of the cards in the photo.
    """
    if not cards:
        return []
    middles = np.array([card.quad.mean(axis=0) for card in cards])
    ups = np.array([_up(card.quad) for card in cards])
    weights = np.array([card.weight for card in cards])
    lines = _lines(cards, middles, ups)
    top = _common(ups, weights)
    read = []
    for line in lines:
        up = _line_up(ups[line], weights[line], top)
        right = np.array([-up[1], up[0]])
        read.append((up, sorted(line, key=lambda at: float(middles[at] @ right))))
    # Lines that stand as most do come first, from the top; then those that are turned otherwise.
    read.sort(key=lambda item: (bool(item[0] @ top < 0.5), -float(middles[item[1]].mean(axis=0) @ top)))
    return [line for _, line in read]


def _up(quad: Quad) -> Float64:
    """The direction from a card's foot to its head."""
    way = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
    return np.asarray(way / np.linalg.norm(way))


def _common(ups: Float64, weights: Float64) -> Float64:
    """The direction that most cards have as their top: the one with the most others within 30 degrees."""
    votes = ((ups @ ups.T > 0.866) * weights[None]).sum(axis=1)
    like = ups @ ups[int(np.argmax(votes))] > 0.866
    way = (ups[like] * weights[like, None]).sum(axis=0)
    return np.asarray(way / np.linalg.norm(way))


def _line_up(ups: Float64, weights: Float64, top: Float64) -> Float64:
    """The top of a line; cards dealt upside down among others do not turn it."""
    common = _common(ups, weights)
    agreed = weights[ups @ common > 0].sum() / weights.sum()
    if agreed >= AGREED and (len(ups) > 1 or abs(float(common @ top)) < 0.8):
        return common
    return common if common @ top >= 0 else np.asarray(-common)


def _lines(cards: Sequence[Upright], middles: Float64, ups: Float64) -> list[list[int]]:
    """Cards that lie side by side, gathered: neighbours seen from both, each in the other's own measure."""
    count = len(cards)
    # In each card's own measure: its middle (0, 0), its width 1, y down.
    frames = [cv2.getPerspectiveTransform(card.quad.astype(np.float32), _UPRIGHT) for card in cards]
    seen = np.stack([project(np.asarray(frame, np.float64), middles) for frame in frames])
    line_of = list(range(count))
    pairs = [
        (float(np.linalg.norm(seen[a, b]) + np.linalg.norm(seen[b, a])), a, b)
        for a in range(count)
        for b in range(a)
        if _is_beside(seen[a, b]) and _is_beside(seen[b, a]) and abs(cross(ups[a], ups[b])) < SQUARE
    ]
    for _, a, b in sorted(pairs):
        old, new = line_of[a], line_of[b]
        line_of = [new if line == old else line for line in line_of]
    return [[at for at in range(count) if line_of[at] == line] for line in sorted(set(line_of))]


def _is_beside(place: Float64) -> bool:
    """Whether a place, in a card's own measure (its width is 1), is beside the card and not above or below."""
    return abs(float(place[1])) < LEVEL * ASPECT and abs(float(place[0])) < REACH
