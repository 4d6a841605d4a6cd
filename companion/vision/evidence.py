"""What the box allows, used as evidence over the whole board (rules 1): feet seen -> what stands where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.rules.board import SQUARES
from companion.rules.components import (
    COLOUR_BY_LETTER,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TOTAL_MEEPLES,
    TRIBE_LETTERS,
    camels_in_box,
)
from companion.vision.pieces import Foot

ACCEPT = 0.5
"""Probability from which a foot counts as a piece."""

START_TILES = 24
"""With three meeples on so many tiles and nothing else anywhere, the board is a starting one (rules 2.4)."""

MEEPLES_A_TILE_AT_START = TOTAL_MEEPLES // SQUARES


@dataclass(frozen=True, slots=True)
class Crowd:
    """What is taken to stand on a tile, and the feet that were left out, likeliest first.

    `forced` tells in words where the box, not the picture, decided.
    """

    stands: tuple[Foot, ...] = ()
    left_out: tuple[Foot, ...] = ()
    forced: tuple[str, ...] = field(default=())


def weigh(feet: Sequence[Foot]) -> list[Crowd]:
    """What stands on each of the thirty tiles, by square, on all the evidence.

    A tile has one camel at most, no kind of piece stands more often than the box holds it, and a
    starting board has three meeples on every tile.
    """
    crowds = [_crowd([foot for foot in feet if foot.square == square]) for square in range(SQUARES)]
    crowds = _within_box(crowds)
    if _looks_like_start(crowds):
        crowds = [_three_meeples(crowd) for crowd in crowds]
    return crowds


def _crowd(feet: Sequence[Foot]) -> Crowd:
    stands = [foot for foot in feet if foot.probability >= ACCEPT]
    left_out = [foot for foot in feet if foot.probability < ACCEPT]
    camels = [foot for foot in stands if foot.kind in COLOUR_BY_LETTER]
    forced: tuple[str, ...] = ()
    if len(camels) > 1:
        best = max(camels, key=lambda foot: foot.probability)
        stands = [foot for foot in stands if foot.kind not in COLOUR_BY_LETTER or foot is best]
        left_out += [foot for foot in camels if foot is not best]
        forced = ("more than one camel seen, the clearest kept",)
    return Crowd(tuple(stands), _likeliest(left_out), forced)


def _likeliest(feet: Sequence[Foot]) -> tuple[Foot, ...]:
    return tuple(sorted(feet, key=lambda foot: -foot.probability))


def _limits(crowds: Sequence[Crowd]) -> dict[str, int]:
    """How many of each class the box holds for as many colours as are seen (rules 1.2, 1.3, 1.5, 2.1)."""
    colours = {
        COLOUR_BY_LETTER[foot.kind] for crowd in crowds for foot in crowd.stands if foot.kind in COLOUR_BY_LETTER
    }
    limits = dict(zip(TRIBE_LETTERS, MEEPLE_COUNTS, strict=True))
    limits.update({colour.letter: camels_in_box(colour, len(colours)) for colour in colours})
    return {**limits, "palm": PALMS, "palace": PALACES}


def _within_box(crowds: Sequence[Crowd]) -> list[Crowd]:
    """Leave out the faintest of whatever was seen more often than the box holds it."""
    result = list(crowds)
    for kind, limit in _limits(crowds).items():
        seen = [
            (foot.probability, square, foot)
            for square, crowd in enumerate(result)
            for foot in crowd.stands
            if foot.kind == kind
        ]
        for _, square, foot in sorted(seen, key=lambda item: item[:2])[: max(len(seen) - limit, 0)]:
            crowd = result[square]
            result[square] = replace(
                crowd,
                stands=tuple(other for other in crowd.stands if other is not foot),
                left_out=_likeliest([*crowd.left_out, foot]),
                forced=(*crowd.forced, f"one more {kind} seen than the box holds"),
            )
    return result


def _meeples(crowd: Crowd) -> int:
    return sum(foot.kind in TRIBE_LETTERS for foot in crowd.stands)


def _looks_like_start(crowds: Sequence[Crowd]) -> bool:
    others = sum(len(crowd.stands) - _meeples(crowd) for crowd in crowds)
    full = sum(_meeples(crowd) == MEEPLES_A_TILE_AT_START for crowd in crowds)
    return others == 0 and full >= START_TILES


def _three_meeples(crowd: Crowd) -> Crowd:
    """The likeliest three meeples of a tile of a starting board."""
    if _meeples(crowd) == MEEPLES_A_TILE_AT_START:
        return crowd
    meeples = _likeliest([foot for foot in (*crowd.stands, *crowd.left_out) if foot.kind in TRIBE_LETTERS])
    chosen = meeples[:MEEPLES_A_TILE_AT_START]
    return Crowd(
        stands=chosen,
        left_out=tuple(foot for foot in (*crowd.stands, *crowd.left_out) if foot not in chosen),
        forced=(*crowd.forced, "three meeples taken, as on every tile of a starting board"),
    )
