"""What is decided of a board in the end: each tile, how sure, and in words what else it may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.language.phrase import counted, joined, say
from companion.rules.model.board import COLUMNS, ROWS, SQUARES, Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour, Tribe
from companion.rules.model.position import Position, meeples_left
from companion.vision.board.calibration import (
    CLIPPED_LOGIT,
    board_clearness,
    printing_clearness,
    tile_probabilities,
    whole_probability,
)
from companion.vision.board.constraints import TileContents, infer_contents
from companion.vision.board.pieces import GROUPS, PieceDetection
from companion.vision.board.reading import DOUBT_BELOW, MAX_OTHERS, BoardEvidence, Reading, TileReading
from companion.vision.board.stakes import vp_at_stake
from companion.vision.board.strangers import with_strangers
from companion.vision.board.telling import with_told
from companion.vision.board.tiles import TileClassification, assign_tiles, known_tiles
from companion.vision.numerics import project

DOUBT_FROM = 0.03
"""Probability of another reading from which it is worth a word."""

_COLOURS = tuple(Colour)


def decide(evidence: BoardEvidence) -> Reading:
    """The reading of a board on all the evidence, of one photo or of several, and on what was told of its tiles."""
    told, as_seen = evidence.told, evidence
    evidence = with_told(evidence)
    known = evidence.known
    classified = calibrated(evidence, as_seen) if known is None else known_tiles(evidence.tiles, known)
    contents = infer_contents(evidence.pieces, [tile.kind for tile in classified], evidence.joint, told)
    seen = [square for square in range(SQUARES) if square not in told] or range(SQUARES)
    clearness = board_clearness([raw_confidence(classified[square], contents[square]) for square in seen])
    tiles = tuple(
        read_tile(tile, pieces, evidence.detections_on(square), clearness)
        for square, (tile, pieces) in enumerate(zip(classified, contents, strict=True))
    )
    # Which way the board's x axis points in the photo, at the board's middle.
    axis = np.array([(1.0, ROWS / 2), (COLUMNS - 1.0, ROWS / 2)])
    (x0, y0), (x1, y1) = project(evidence.homography, axis)
    scaled = evidence.homography / evidence.homography[2, 2]
    tiles, notes = with_strangers(tiles, evidence)
    return Reading(
        position=Position(board=tuple(tile.tile for tile in tiles)),
        tiles=tiles,
        turned=round(math.degrees(math.atan2(y1 - y0, x1 - x0))) % 360,
        homography=tuple((float(a), float(b), float(c)) for a, b, c in scaled),
        notes=notes,
        evidence=evidence,
    )


def decided_anew(reading: Reading, square: int, tile: Tile) -> Reading:
    """The reading with a tile as a person says it is, and the others as that makes them likelier.

    The pieces told are compared with the others, and the box holds so many of each (rules 1, 11.2). What was told or
    confirmed before stays, and so does all that the answer does not bear on. Without evidence, as where a code told the
    board, where its tiles are known, or where those told hold more meeples than the box, only that tile is another.
    """
    return all_decided_anew(reading, {square: tile})


def confirmed(reading: Reading, squares: Iterable[int]) -> Reading:
    """The reading with tiles that a person says are as they were read, and the others as that makes them likelier."""
    return all_decided_anew(reading, {square: reading.tiles[square].tile for square in squares})


def all_decided_anew(reading: Reading, told: Mapping[int, Tile]) -> Reading:
    """The reading with several tiles, by square, as a person says they are; see `decided_anew`."""
    after = reading
    for square, tile in told.items():
        after = after.corrected(square, tile)
    if reading.evidence is None or after.evidence is None:
        return after
    # Against a board that is known, a tile that changed by itself has to be looked at once more.
    if after.evidence.known is not None or min(meeples_left(list(after.evidence.told.values()))) < 0:
        return after
    was, now = decide(reading.evidence), decide(after.evidence)
    tiles = tuple(
        new if _bears_on(old, new) and known.tile == old.tile and place not in after.evidence.told else known
        for place, (known, old, new) in enumerate(zip(after.tiles, was.tiles, now.tiles, strict=True))
    )
    board = tuple(one.tile for one in tiles)
    return replace(after, position=after.position.with_board(board), tiles=tiles)


def _bears_on(old: TileReading, new: TileReading) -> bool:
    """Whether an answer makes another tile of one, or settles a doubt of it."""
    return old.tile != new.tile or (old.is_doubtful and not new.is_doubtful)


def calibrated(evidence: BoardEvidence, as_seen: BoardEvidence) -> list[TileClassification]:
    """The tiles of a board, their scores made the probabilities that they should be.

    How well the printing is known is told by the board `as_seen`, before anything was told of it: an answer makes
    no tile of it clearer to see.
    """
    seen = assign_tiles(as_seen.tiles, as_seen.unknown)
    classified = assign_tiles(evidence.tiles, evidence.unknown) if evidence.told else seen
    probabilities = tile_probabilities(
        [tile.probability for tile in classified], printing_clearness([tile.probability for tile in seen])
    )
    return [replace(tile, probability=probability) for tile, probability in zip(classified, probabilities, strict=True)]


def raw_confidence(classified: TileClassification, contents: TileContents) -> float:
    """How sure a tile is as a whole, before that is calibrated.

    Kind and pieces are told by different networks, so their probabilities multiply; what the product is worth was
    measured on whole tiles.
    """
    return classified.probability * contents.probability


def read_tile(
    classified: TileClassification,
    contents: TileContents,
    detections: Sequence[PieceDetection],
    clearness: float = CLIPPED_LOGIT,
) -> TileReading:
    """The reading of a tile: its kind (`calibrated`), what stands on it, and the detections that show where.

    `clearness` is that of its board (`calibration.board_clearness`); without it the board is clear.
    """
    tile = tile_with_contents(classified, contents.numbers)
    found = matched_detections(tile, detections)
    # The next best tile differs in what stands on it or in its kind, hardly ever in both.
    alternatives = [(probability, tile_with_contents(classified, numbers)) for probability, numbers in contents.others]
    other_kind = replace(tile, kind=classified.other)
    words = {
        other: joined(say(" and "), differences(tile, other))
        for other in [*(one for _, one in alternatives), other_kind]
    }
    raw = raw_confidence(classified, contents)
    confidence = round(whole_probability(raw, clearness), 4)
    others = [(classified.probability * probability, other) for probability, other in alternatives]
    others.append((contents.probability * classified.other_probability, other_kind))
    others = sorted(others, key=lambda item: -item[0])[:MAX_OTHERS]
    doubts: list[str] = []
    if confidence < DOUBT_BELOW:
        worth_a_word = [other for probability, other in others if probability >= DOUBT_FROM] or [others[0][1]]
        doubts = [say("perhaps {words}", words=words[other]) for other in worth_a_word]
        doubts += contents.forced
    return TileReading(
        tile=tile,
        confidence=confidence,
        raw_confidence=raw,
        doubts=tuple(doubts),
        detections=found,
        others=tuple(other for _, other in others),
        at_stake=_at_stake(tile, confidence, others),
    )


def _at_stake(tile: Tile, confidence: float, others: Sequence[tuple[float, Tile]]) -> float:
    """What is lost in VP, on average, if a tile is taken as it was read; `others` with their probabilities."""
    total = sum(probability for probability, _ in others)
    if not total:
        return 0.0
    # How likely it is that the reading is wrong was measured; how the others share that is as they were told.
    lost = sum(probability * vp_at_stake(tile, other) for probability, other in others)
    return round((1 - confidence) * lost / total, 4)


def tile_with_contents(classified: TileClassification, numbers: Sequence[int]) -> Tile:
    """The tile of that kind with so many pieces on it; `numbers` by `pieces.GROUPS`."""
    by_kind = {group.kind: number for group, number in zip(GROUPS, numbers, strict=True)}
    return Tile(
        kind=classified.kind,
        meeples=tuple(by_kind[letter] for letter in TRIBE_LETTERS),
        camel=_COLOURS[by_kind["camel"] - 1] if by_kind["camel"] else None,
        palms=by_kind["palm"],
        palaces=by_kind["palace"],
    )


_NONE = {
    "vizier": say("no vizier"),
    "elder": say("no elder"),
    "builder": say("no builder"),
    "merchant": say("no merchant"),
    "assassin": say("no assassin"),
    "palms": say("no palm"),
    "palaces": say("no palace"),
}
"""Sentences of their own: languages say with the noun's gender and case that there is none."""


def differences(tile: Tile, other: Tile) -> Iterator[str]:
    """In words, what the other tile has that the first has not, and the other way round."""
    if other.kind is not tile.kind:
        yield say("the tile is {code}", code=other.kind.code)
    for tribe, number, meant in zip(Tribe, tile.meeples, other.meeples, strict=True):
        yield from _number(tribe.noun, number, meant)
    if other.camel is not tile.camel:
        if other.camel is None:
            yield say("no camel")
        elif tile.camel is not None:
            yield say("the camel is {camel}", camel=other.camel)
        else:
            an = other.camel is Colour.ORANGE
            yield say("an {colour} camel", colour=other.camel) if an else say("a {colour} camel", colour=other.camel)
    yield from _number("palms", tile.palms, other.palms)
    yield from _number("palaces", tile.palaces, other.palaces)


def _number(key: str, number: int, meant: int) -> Iterator[str]:
    """How many of a thing of the glossary may be meant, where that is not the number read."""
    if meant == number:
        return
    if not meant:
        yield _NONE[key]
    elif number:
        yield say("{meant} (not {number})", meant=counted(meant, key), number=number)
    else:
        yield counted(meant, key)


def matched_detections(tile: Tile, detections: Sequence[PieceDetection]) -> tuple[tuple[str, float, float], ...]:
    """The likeliest detections of what is taken to stand there, as (class, x, y); a hidden piece has none."""
    wanted = dict(zip(TRIBE_LETTERS, tile.meeples, strict=True)) | {"palm": tile.palms, "palace": tile.palaces}
    if tile.camel is not None:
        wanted[tile.camel.letter] = 1
    found = []
    for seen in sorted(detections, key=lambda seen: -seen.probability):
        if wanted.get(seen.kind, 0) > 0:
            wanted[seen.kind] -= 1
            found.append((seen.kind, round(seen.x, 3), round(seen.y, 3)))
    return tuple(found)
