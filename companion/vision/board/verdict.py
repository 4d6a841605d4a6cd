"""What is said of a board in the end: each tile, how sure, and in words what else it may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS, Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour, Tribe
from companion.rules.model.position import Position
from companion.vision.board.board_evidence import BoardSight
from companion.vision.board.calibration import tile_probability, whole_probability
from companion.vision.board.counts import GROUPS
from companion.vision.board.evidence import Tally, weigh
from companion.vision.board.known import known_tiles
from companion.vision.board.pieces import Foot
from companion.vision.board.tiles import TileSight, assign_tiles
from companion.vision.reading.reading import DOUBT_BELOW, Reading, TileReading

DOUBT_FROM = 0.03
"""Chance of another reading from which it is worth a word."""

_COLOURS = tuple(Colour)


def decide(sight: BoardSight) -> Reading:
    """The reading of a board on all that was seen of it, in one photo or in several."""
    sights = assign_tiles(sight.tiles) if sight.known is None else known_tiles(sight.tiles, sight.known)
    tallies = weigh(sight.pieces, [tile_sight.kind for tile_sight in sights])
    tiles = tuple(
        judge(tile_sight, tally, sight.feet_on(square))
        for square, (tile_sight, tally) in enumerate(zip(sights, tallies, strict=True))
    )
    scaled = sight.homography / sight.homography[2, 2]
    return Reading(
        position=Position(board=tuple(tile.tile for tile in tiles)),
        tiles=tiles,
        turned=_turned(sight.homography),
        homography=tuple((float(a), float(b), float(c)) for a, b, c in scaled),
        sight=sight,
    )


def judge(sight: TileSight, tally: Tally, feet: Sequence[Foot]) -> TileReading:
    """The reading of a tile: its kind as seen, what was tallied on it, and the feet that show where."""
    tile = tallied_tile(sight, tally.numbers)
    certainty = tile_probability(sight.probability)
    raw = certainty * tally.chance
    confidence = round(whole_probability(raw), 4)
    others = [(certainty * chance, tallied_tile(sight, numbers)) for chance, numbers in tally.others]
    others.append((tally.chance * sight.other_probability, replace(tile, kind=sight.other)))
    others.sort(key=lambda item: -item[0])
    doubts: list[str] = []
    if confidence < DOUBT_BELOW:
        worth_a_word = [other for chance, other in others if chance >= DOUBT_FROM] or [others[0][1]]
        doubts = [f"perhaps {' and '.join(differences(tile, other))}" for other in worth_a_word]
        doubts += tally.forced
    return TileReading(
        tile=tile,
        confidence=confidence,
        raw_confidence=raw,
        doubts=tuple(doubts),
        feet=standing(tile, feet),
        other=others[0][1],
    )


def tallied_tile(sight: TileSight, numbers: Sequence[int]) -> Tile:
    """The tile of that kind with so many pieces on it; `numbers` by `counts.GROUPS`."""
    by_kind = {group.kind: number for group, number in zip(GROUPS, numbers, strict=True)}
    return Tile(
        kind=sight.kind,
        meeples=tuple(by_kind[letter] for letter in TRIBE_LETTERS),
        camel=_COLOURS[by_kind["camel"] - 1] if by_kind["camel"] else None,
        palms=by_kind["palm"],
        palaces=by_kind["palace"],
    )


def differences(tile: Tile, other: Tile) -> Iterator[str]:
    """In words, what the other tile has that the first has not, and the other way round."""
    if other.kind is not tile.kind:
        yield f"the tile is {other.kind.code}"
    for tribe, number, meant in zip(Tribe, tile.meeples, other.meeples, strict=True):
        yield from _number(tribe.noun, f"{tribe.noun}s", number, meant)
    if other.camel is not tile.camel:
        if other.camel is None:
            yield "no camel"
        elif tile.camel is not None:
            yield f"the camel is {other.camel}"
        else:
            yield f"{'an' if other.camel is Colour.ORANGE else 'a'} {other.camel} camel"
    yield from _number("palm", "palms", tile.palms, other.palms)
    yield from _number("palace", "palaces", tile.palaces, other.palaces)


def _number(noun: str, plural: str, number: int, meant: int) -> Iterator[str]:
    if meant == number:
        return
    counted = f"{meant} {noun if meant == 1 else plural}" if meant else f"no {noun}"
    yield f"{counted}, not {number}" if meant and number else counted


def standing(tile: Tile, feet: Sequence[Foot]) -> tuple[tuple[str, float, float], ...]:
    """The likeliest feet of what is taken to stand there, as (class, x, y); a hidden piece has none."""
    wanted = dict(zip(TRIBE_LETTERS, tile.meeples, strict=True)) | {"palm": tile.palms, "palace": tile.palaces}
    if tile.camel is not None:
        wanted[tile.camel.letter] = 1
    found = []
    for foot in sorted(feet, key=lambda foot: -foot.probability):
        if wanted.get(foot.kind, 0) > 0:
            wanted[foot.kind] -= 1
            found.append((foot.kind, round(foot.x, 3), round(foot.y, 3)))
    return tuple(found)


def _turned(homography: NDArray[np.float64]) -> int:
    """Degrees by which the board's x axis points clockwise from the photo's, at the board's middle."""
    ends = np.array([(1.0, ROWS / 2, 1.0), (COLUMNS - 1.0, ROWS / 2, 1.0)]) @ homography.T
    (x0, y0), (x1, y1) = ends[:, :2] / ends[:, 2:3]
    return round(math.degrees(math.atan2(y1 - y0, x1 - x0))) % 360
