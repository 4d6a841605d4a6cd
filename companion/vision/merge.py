"""Several readings of one table made one: tile by tile on the evidence, within what the box holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import PhotoError
from companion.notation.tokens import format_tile
from companion.rules.board import COLUMNS, ROWS, SQUARES, Board, Tile, camels_on, meeples_on, palaces_on, palms_on
from companion.rules.components import (
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TRIBE_LETTERS,
    Colour,
    TileKind,
    Tribe,
    camels_in_box,
)
from companion.rules.position import Position
from companion.vision.assignment import best_assignment
from companion.vision.reading import Reading, TileReading
from companion.vision.tiles import KINDS

SAME_TABLE = 20
"""Tiles of 30 that must be of one kind in two photos for them to show one table; two shuffled boards share five."""

OTHER_SHARE = 0.5
"""Of the chance that a tile is not as read, the part that falls to its second best reading if that holds more."""

MADE_UP_SHARE = 0.25
"""The same for a second best reading that holds less or other things: pieces are sooner hidden than made up."""

HIDDEN_SHARE = 0.4
"""The same for another reading with more pieces than the photo shows: what stands behind others is not seen."""

STRAY_SHARE = 0.05
"""The same for any other reading that the photo did not name."""

OUTVOTED = 0.97
"""From this chance on, a clear reading outvotes a doubtful one without a doubt of its own."""

CLEARLY_APART = 5
"""So many tiles that are clear in both photos and differ: pieces were moved between them."""

MOST_STEPS = 100
"""So often at most is a piece taken back that the box does not hold."""

PIECES_MOVED = "Many tiles differ between the photos: if pieces were moved in between, use photos of one moment."

_IN_BOX = [index for index, kind in enumerate(KINDS) for _ in range(kind.count)]

_NOUNS = {
    **{letter: f"one {tribe.noun}" for letter, tribe in zip(TRIBE_LETTERS, Tribe, strict=True)},
    **{colour.letter: f"one {colour} camel" for colour in Colour},
    "palm": "one palm",
    "palace": "one palace",
}

Named = tuple[str, Reading]
"""A photo's name, as messages call it, and its reading."""


def align_readings(named: Sequence[Named]) -> list[Named]:
    """The readings of photos of one board, all turned the way the first lies.

    Raises PhotoError if the tiles are not of one table.
    """
    return [named[0], *((name, _aligned(named[0], (name, other))) for name, other in named[1:])]


def merge_readings(aligned: Sequence[Named]) -> Reading:
    """One reading of a table seen in one photo or more, all of them of its board and turned alike.

    The position is the board alone; squares, turn and homography are those of the first photo. Readings that
    agree raise each other's confidence; where they differ the likelier stands, with a doubt that names the
    photos.
    """
    first = aligned[0][1]
    if len(aligned) == 1:
        return first
    votes = _with_kinds_of_box([_votes(aligned, square) for square in range(SQUARES)], aligned)
    merged = _within_box(votes, aligned)
    tiles = tuple(_described(choice, aligned, square) for square, choice in enumerate(merged))
    notes = dict.fromkeys(note for _, reading in aligned for note in reading.notes)
    if _clearly_apart(aligned) >= CLEARLY_APART:
        notes[PIECES_MOVED] = None
    return replace(first, position=Position(tuple(tile.tile for tile in tiles)), tiles=tiles, notes=tuple(notes))


def half_turned(reading: Reading) -> Reading:
    """The same reading with the board's columns and rows counted from the other end."""
    homography = reading.homography
    if homography is not None:
        turned = np.array(homography) @ np.array([[-1, 0, COLUMNS], [0, -1, ROWS], [0, 0, 1]], dtype=np.float64)
        a, b, c = ((float(x), float(y), float(z)) for x, y, z in turned)
        homography = (a, b, c)
    tiles = tuple(
        replace(tile, feet=tuple((kind, round(COLUMNS - x, 3), round(ROWS - y, 3)) for kind, x, y in tile.feet))
        for tile in reading.tiles[::-1]
    )
    return replace(
        reading,
        position=reading.position.with_board(reading.position.board[::-1]),
        tiles=tiles,
        turned=(reading.turned + 180) % 360,
        homography=homography,
    )


def _same_kinds(one: Reading, other: Reading) -> int:
    return sum(a.tile.kind is b.tile.kind for a, b in zip(one.tiles, other.tiles, strict=True))


def _aligned(reference: Named, named: Named) -> Reading:
    """A reading turned the way the reference lies. Raises PhotoError if it is of another table."""
    name, reading = named
    best = max((reading, half_turned(reading)), key=lambda turned: _same_kinds(reference[1], turned))
    same = _same_kinds(reference[1], best)
    if same < SAME_TABLE:
        raise PhotoError(
            f"these photos show two different tables: only {same} of 30 tiles are the same in {reference[0]} and"
            f" {name}; give photos of one table, and of its cards"
        )
    return best


@dataclass(frozen=True, slots=True)
class _Choice:
    """A tile as it now stands, and every whole reading of it with its chance."""

    tile: Tile
    chances: Mapping[Tile, float]
    forced: str = ""


def _votes(named: Sequence[Named], square: int) -> _Choice:
    """The likeliest reading of a square, as if the photos had been taken independently.

    What no photo named, "something else", is weighed too, so that two faint readings stay faint.
    """
    readings = [reading.tiles[square] for _, reading in named]
    candidates = dict.fromkeys(tile for seen in readings for tile in (seen.tile, seen.other) if tile is not None)
    weights = {tile: math.prod(_chance(seen, tile) for seen in readings) for tile in candidates}
    unnamed = math.prod(max(1 - seen.confidence, 1e-4) * (1 - OTHER_SHARE) for seen in readings)
    total = sum(weights.values()) + unnamed
    chances = {tile: weight / total for tile, weight in weights.items()}
    return _Choice(max(chances, key=lambda tile: chances[tile]), chances)


def _chance(seen: TileReading, tile: Tile) -> float:
    """The chance that a photo reads a square like this if it is that tile."""
    if tile == seen.tile:
        return max(seen.confidence, 1e-4)
    wrong = max(1 - seen.confidence, 1e-4)
    if _holds_more(tile, seen.tile):
        return wrong * (OTHER_SHARE if tile == seen.other else HIDDEN_SHARE)
    return wrong * (MADE_UP_SHARE if tile == seen.other else STRAY_SHARE)


def _holds_more(tile: Tile, seen: Tile) -> bool:
    """Whether a tile has all the pieces that were seen, and others."""
    return (
        tile.kind is seen.kind
        and all(one >= other for one, other in zip(tile.meeples, seen.meeples, strict=True))
        and tile.palms >= seen.palms
        and tile.palaces >= seen.palaces
        and seen.camel in (None, tile.camel)
    )


def _with_kinds_of_box(votes: Sequence[_Choice], named: Sequence[Named]) -> list[_Choice]:
    """The choices with exactly the thirty tiles of the box among them (rules 1.1)."""
    if all(len({reading.tiles[square].tile.kind for _, reading in named}) == 1 for square in range(SQUARES)):
        # Each reading is a board of the box, so what they agree in is one; no second best reading changes that.
        kinds: list[TileKind] = [reading.tile.kind for reading in named[0][1].tiles]
    else:
        by_kind = np.full((SQUARES, len(KINDS)), 1e-6)
        for square in range(SQUARES):
            for tile, chance in votes[square].chances.items():
                by_kind[square, KINDS.index(tile.kind)] += chance
        chosen = best_assignment(-np.log(by_kind[:, _IN_BOX]))
        kinds = [KINDS[_IN_BOX[column]] for column in chosen]
    return [_of_kind(choice, kind) for choice, kind in zip(votes, kinds, strict=True)]


def _of_kind(choice: _Choice, kind: TileKind) -> _Choice:
    """The likeliest reading of that kind; failing any, the likeliest pieces on it."""
    if choice.tile.kind is kind:
        return choice
    right = {tile: chance for tile, chance in choice.chances.items() if tile.kind is kind}
    forced = "the tile told by what the box still holds"
    if not right:
        tile = replace(choice.tile, kind=kind)
        return _Choice(tile, {**choice.chances, tile: 1e-3}, forced)
    return replace(choice, tile=max(right, key=lambda tile: right[tile]), forced=forced)


def _excess(board: Board) -> Iterator[str]:
    """Classes of pieces of which the board has more than the box (rules 1.2, 1.3, 1.5)."""
    yield from (
        letter for letter, on, box in zip(TRIBE_LETTERS, meeples_on(board), MEEPLE_COUNTS, strict=True) if on > box
    )
    camels = camels_on(board)
    yield from (colour.letter for colour, count in camels.items() if count > camels_in_box(colour, len(camels)))
    if palms_on(board) > PALMS:
        yield "palm"
    if palaces_on(board) > PALACES:
        yield "palace"


def _count(tile: Tile, kind: str) -> int:
    if kind in TRIBE_LETTERS:
        return tile.meeples[TRIBE_LETTERS.index(kind)]
    if kind in ("palm", "palace"):
        return tile.palms if kind == "palm" else tile.palaces
    return int(tile.camel is not None and tile.camel.letter == kind)


def _within_box(choices: Sequence[_Choice], named: Sequence[Named]) -> list[_Choice]:
    """Take back, where it costs least, whatever stands more often than the box holds it.

    Where that comes to no end, the surest photo's reading is taken whole: it is a board of the box.
    """
    result = list(choices)
    for _ in range(MOST_STEPS):
        kind = next(_excess(tuple(choice.tile for choice in result)), None)
        if kind is None:
            return result
        steps = [
            (choice.chances[choice.tile] / max(chance, 1e-9), square, tile)
            for square, choice in enumerate(result)
            for tile, chance in choice.chances.items()
            if _count(tile, kind) < _count(choice.tile, kind) and tile.kind is choice.tile.kind
        ]
        if not steps:
            break
        _, square, tile = min(steps, key=lambda step: step[:2])
        result[square] = replace(result[square], tile=tile, forced=f"{_NOUNS[kind]} fewer, for the box holds no more")
    name, surest = max(named, key=lambda pair: sum(math.log(max(tile.confidence, 1e-4)) for tile in pair[1].tiles))
    return [
        replace(choice, tile=seen.tile, forced="" if seen.tile == choice.tile else f"as {name} shows it")
        for choice, seen in zip(choices, surest.tiles, strict=True)
    ]


def _described(choice: _Choice, named: Sequence[Named], square: int) -> TileReading:
    """The merged reading of a square, with what is still doubtful about it."""
    seen = [(name, reading.tiles[square]) for name, reading in named]
    agreeing = [tile for _, tile in seen if tile.tile == choice.tile]
    model = max(agreeing or [tile for _, tile in seen], key=lambda tile: tile.confidence)
    confidence = choice.chances.get(choice.tile, 0.0)
    against = [tile for _, tile in seen if tile.tile != choice.tile]
    doubts: list[str] = [choice.forced] if choice.forced else []
    if against and not (confidence >= OUTVOTED and not model.is_doubtful and all(tile.is_doubtful for tile in against)):
        doubts.append(", ".join(f"{name} shows {format_tile(tile.tile)}" for name, tile in seen))
    elif model.is_doubtful:
        # A clear photo answers the doubts of others. What all leave open they did not tell independently: what hides
        # a piece from one may hide it from all.
        doubts += model.doubts
        confidence = min(confidence, model.confidence)
    others = {tile: chance for tile, chance in choice.chances.items() if tile != choice.tile}
    return replace(
        model,
        tile=choice.tile,
        confidence=round(confidence, 4),
        doubts=tuple(doubts),
        feet=model.feet if agreeing else (),
        other=max(others, key=lambda tile: others[tile]) if others else None,
    )


def _clearly_apart(named: Sequence[Named]) -> int:
    return sum(
        len({reading.tiles[square].tile for _, reading in named if not reading.tiles[square].is_doubtful}) > 1
        for square in range(SQUARES)
    )
