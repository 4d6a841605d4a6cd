"""Boxes of pieces that vary as widely as copies of the game and what people put in their place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.lab.rendering.carving import carved_camel, carved_meeple, carved_palace, carved_palm
from companion.lab.rendering.pieces import (
    CAMEL,
    CAMEL_HSV,
    MEEPLE,
    MEEPLE_HSV,
    PALACE,
    PALM,
    PIECE_KINDS,
    SIZES_MM,
    Cut,
    Finish,
    Hsv,
    LinearColour,
    PieceSet,
    between,
    make_cut,
    make_paint,
    squared,
    usual_cut,
)
from companion.rules.model.components import Colour, Tribe

_MADE_UP = 0.65
"""Share of the boxes whose meeples, and of those whose camels, are made up at random."""

_METAL = 0.3
"""Share of the boxes with gold or silver pieces in which these shine like metal."""

_SAWN = 0.25
"""Share of the boxes whose palms, and of those whose palaces, have sides of bare wood."""

_ELSEWHERE = 0.55
"""Share of the boxes whose meeples and camels are painted as in no printing of the game."""

_CONFUSABLE: dict[str, tuple[tuple[tuple[str, str], float], ...]] = {
    PALM: (((MEEPLE, Tribe.MERCHANT.letter), 0.22), ((MEEPLE, Tribe.BUILDER.letter), 0.03)),
    PALACE: (
        ((MEEPLE, Tribe.ELDER.letter), 0.12),
        ((MEEPLE, Tribe.VIZIER.letter), 0.08),
        ((CAMEL, Colour.ORANGE.letter), 0.05),
        ((CAMEL, Colour.BLACK.letter), 0.05),
        ((MEEPLE, Tribe.ASSASSIN.letter), 0.04),
    ),
}
"""Hard negatives: shares of the boxes whose palms and palaces have the paint of these pieces; only shape tells them."""

_USUAL: dict[tuple[str, str], Hsv] = {
    **{(MEEPLE, tribe.letter): hsv for tribe, hsv in MEEPLE_HSV.items()},
    **{(CAMEL, colour.letter): hsv for colour, hsv in CAMEL_HSV.items()},
}
"""What the game's own meeples and camels are painted with."""

# Hue in degrees, saturation, value: from, to.
_WIDE: dict[tuple[str, str], tuple[Hsv, Hsv]] = {
    (MEEPLE, Tribe.VIZIER.letter): ((40, 0.55, 0.65), (60, 1.0, 0.97)),
    (MEEPLE, Tribe.ELDER.letter): ((20, 0.0, 0.66), (230, 0.16, 0.97)),
    (MEEPLE, Tribe.BUILDER.letter): ((203, 0.5, 0.3), (248, 0.97, 0.88)),
    (MEEPLE, Tribe.MERCHANT.letter): ((78, 0.42, 0.24), (165, 0.97, 0.78)),
    (MEEPLE, Tribe.ASSASSIN.letter): ((344, 0.6, 0.42), (369, 0.99, 0.92)),
    (CAMEL, Colour.BLACK.letter): ((0, 0.0, 0.04), (360, 0.35, 0.24)),
    (CAMEL, Colour.ORANGE.letter): ((11, 0.65, 0.6), (33, 1.0, 0.98)),
    (CAMEL, Colour.BLUE.letter): ((168, 0.45, 0.3), (217, 0.97, 0.88)),
    (CAMEL, Colour.PINK.letter): ((298, 0.35, 0.45), (346, 0.88, 0.95)),
}
"""What pieces of other productions are painted with: as wide as a player still takes one for what it is."""

# Hue in degrees, saturation, value.
_GREENS: tuple[Hsv, ...] = (
    (130, 0.75, 0.42), (125, 0.8, 0.3), (140, 0.7, 0.25), (110, 0.65, 0.55), (95, 0.6, 0.5), (85, 0.55, 0.65),
    (145, 0.5, 0.5),
)  # fmt: skip
_WOODS: tuple[Hsv, ...] = ((32, 0.42, 0.75), (36, 0.33, 0.82), (28, 0.5, 0.62), (24, 0.6, 0.42), (20, 0.55, 0.27))
_GOLDS: tuple[Hsv, ...] = ((42, 0.72, 0.76), (38, 0.75, 0.7), (34, 0.7, 0.62), (45, 0.55, 0.7))
_SILVERS: tuple[Hsv, ...] = ((215, 0.05, 0.7), (40, 0.03, 0.55), (210, 0.08, 0.45))
_STONES: tuple[Hsv, ...] = ((40, 0.17, 0.86), (35, 0.25, 0.78), (45, 0.1, 0.8))
_BRICKS: tuple[Hsv, ...] = ((16, 0.62, 0.6), (20, 0.68, 0.55), (24, 0.6, 0.68), (12, 0.55, 0.48))

_DARKS: tuple[Hsv, ...] = ((30, 0.4, 0.2), (220, 0.25, 0.22), (300, 0.1, 0.18), (15, 0.5, 0.3), (150, 0.4, 0.2))
_PASTELS: tuple[Hsv, ...] = ((5, 0.35, 0.78), (265, 0.3, 0.6), (185, 0.35, 0.6), (60, 0.35, 0.85), (340, 0.35, 0.7))

PAINTS: tuple[Hsv, ...] = _GREENS + _WOODS + _GOLDS + _SILVERS + _STONES + _BRICKS + _DARKS + _PASTELS
"""All that palms and palaces are painted with."""

_SORTS: dict[str, tuple[tuple[Hsv, ...], ...]] = {
    PALM: (_GREENS, _WOODS, _GOLDS, _SILVERS, _DARKS, _PASTELS),
    PALACE: (_GOLDS, _WOODS, _SILVERS, _STONES, _BRICKS, _DARKS, _PASTELS),
}
_PROBS: dict[str, tuple[float, ...]] = {
    PALM: (0.54, 0.2, 0.1, 0.08, 0.04, 0.04),
    PALACE: (0.31, 0.21, 0.14, 0.12, 0.1, 0.07, 0.05),
}


def _pick(sorts: tuple[tuple[Hsv, ...], ...], probs: tuple[float, ...], rng: np.random.Generator) -> tuple[int, Hsv]:
    number = int(rng.choice(len(sorts), p=probs))
    return number, sorts[number][int(rng.integers(len(sorts[number])))]


def _sized(cut: Cut, spread: float, limits: tuple[float, float], rng: np.random.Generator) -> Cut:
    """The cut wider, taller and thicker by up to `spread`, its thickness in mm within limits."""
    across, up, thick = rng.uniform(1 - spread, 1 + spread, 3)
    thickness = float(np.clip(cut.thickness * thick**2, *limits))
    return replace(cut, outline=cut.outline * [across, up], thickness=thickness)


def _carved(kind: str, rng: np.random.Generator) -> Cut:
    outline, low = (carved_palm if kind == PALM else carved_palace)(rng)
    outline = outline - [0, outline[:, 1].min()]
    size = float(rng.uniform(0.85, 1.12))
    across, up = rng.uniform(0.88, 1.14, 2) * size
    # Never beyond what goes on a tile beside others.
    across *= min(1, 28 / (across * float(np.ptp(outline[:, 0]))))
    up *= min(1, 31 / (up * float(np.ptp(outline[:, 1]))))
    return squared(outline * [across, up], float(rng.uniform(5, 14)), float(rng.uniform(0.2, 0.55)), low)


def varied_cut(kind: str, rng: np.random.Generator) -> Cut:
    """The cut of a kind of piece in one box, drawn much wider than by `make_cut`."""
    if kind in (PALM, PALACE):
        if rng.random() < 0.68:
            return _carved(kind, rng)
        return _sized((usual_cut if rng.random() < 0.5 else make_cut)(kind, rng), 0.16, (5, 14), rng)
    if rng.random() < _MADE_UP:
        return _figure(kind, rng)
    return _sized((usual_cut if rng.random() < 0.5 else make_cut)(kind, rng), 0.09, (6.5, 13), rng)


def _figure(kind: str, rng: np.random.Generator) -> Cut:
    outline = (carved_meeple if kind == MEEPLE else carved_camel)(rng)
    outline = outline - [0, outline[:, 1].min()]
    width, height, _ = SIZES_MM[kind]
    high = height * float(rng.uniform(0.88, 1.14))
    # As broad as it was drawn, within what passes for such a piece.
    broad = float(np.clip(np.ptp(outline[:, 0]) * high / np.ptp(outline[:, 1]), 0.72 * width, 1.12 * width))
    outline = outline * [broad / np.ptp(outline[:, 0]), high / np.ptp(outline[:, 1])]
    return squared(outline, float(rng.uniform(6.5, 13)), float(rng.uniform(0.3, 0.8)))


def _second(kind: str, first: int, rng: np.random.Generator) -> LinearColour | None:
    """The second paint of palms and palaces in two tones, None for those in one."""
    if kind == PALM and rng.random() < (0.45 if first == 0 else 0.15):
        return make_paint(_WOODS[int(rng.integers(1, len(_WOODS)))], rng)
    if kind == PALACE and rng.random() < 0.25:
        return make_paint(_pick(_SORTS[PALACE], _PROBS[PALACE], rng)[1], rng)
    return None


def _spread(hsv: Hsv, rng: np.random.Generator) -> Hsv:
    """A paint farther off the usual than one maker's batches are, as other printings are: paler, deeper, darker."""
    return (
        (hsv[0] + float(rng.uniform(-6, 6))) % 360,
        min(hsv[1] * float(rng.uniform(0.72, 1.1)), 1.0),
        min(hsv[2] * float(rng.uniform(0.82, 1.25)), 1.0),
    )


def _confusable(kind: str, rng: np.random.Generator) -> tuple[str, str] | None:
    """Whose paint the palms or palaces of a box have, None where it is their own."""
    whose, shares = zip(*_CONFUSABLE[kind], strict=True)
    number = int(np.searchsorted(np.cumsum(shares), rng.random(), side="right"))
    return whose[number] if number < len(whose) else None


def varied_piece_set(rng: np.random.Generator) -> PieceSet:
    """The pieces of a copy of the game drawn at random, as different as a reader has to bear."""
    paints: dict[tuple[str, str], LinearColour] = {}
    elsewhere = rng.random() < _ELSEWHERE
    for piece, hsv in _USUAL.items():
        paints[piece] = make_paint(between(_WIDE[piece], rng) if elsewhere else _spread(hsv, rng), rng)
    gloss, grain = float(rng.uniform(0.05, 0.7)), float(rng.uniform(0.02, 0.16))
    finishes = {kind: Finish(None, gloss, grain) for kind in (MEEPLE, CAMEL)}
    for kind in (PALM, PALACE):
        sort, first = _pick(_SORTS[kind], _PROBS[kind], rng)
        second = _second(kind, sort, rng)
        paints[kind, ""] = make_paint(first, rng)
        alike = _confusable(kind, rng)
        if alike is not None:
            paints[kind, ""], second = paints[alike], None if rng.random() < 0.7 else second
        own_gloss, own_grain = (gloss, grain) if rng.random() < 0.5 else (float(rng.uniform(0, 0.7)), 0.12)
        if _SORTS[kind][sort] in (_GOLDS, _SILVERS) and rng.random() < _METAL:
            own_gloss, own_grain = float(rng.uniform(1.0, 2.0)), 0.06
        side = make_paint(_WOODS[int(rng.integers(2, len(_WOODS)))], rng) if rng.random() < _SAWN else None
        finishes[kind] = Finish(second, own_gloss, own_grain, side)
    return PieceSet({kind: varied_cut(kind, rng) for kind in PIECE_KINDS}, paints, finishes)
