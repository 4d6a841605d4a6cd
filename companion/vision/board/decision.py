"""What is decided of a board in the end: each tile, how sure, and in words what else it may be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.language.phrase import counted, joined, listed, say
from companion.rules.engine.djinns import Worth
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour, Tribe
from companion.rules.model.position import Position, meeples_left
from companion.vision import fitted
from companion.vision.board.calibration import (
    CLIPPED_LOGIT,
    board_mean_logit,
    printing_mean_logits,
    tile_probabilities,
    whole_probability,
)
from companion.vision.board.constraints import TileContents, infer_contents
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.piece_corrections import apply_corrections, given_before
from companion.vision.board.pieces import GROUPS, PieceDetection, pieces_on
from companion.vision.board.tiles import TileClassification, assign_tiles, known_tiles, mean_probability
from companion.vision.numerics import platt_scale, project
from companion.vision.readings import DOUBT_BELOW, MAX_OTHERS, Reading, TileReading, covered_note

DOUBT_FROM, MAX_NAMED = 0.03, 3
"""Probability of another reading from which it is worth a word, and how many of them are named."""

_COLOURS = tuple(Colour)

UNOWNED_SHARE = 0.5
"""What a tile is worth while nobody owns it, in parts of its points: somebody may claim it yet."""

MIN_LOSS_VP = 1.0
"""Any piece too many or too few: the turns that can be played are others then."""

_WORTH = Worth()
_MEEPLE_VP = {Tribe.VIZIER: float(_WORTH.vizier), Tribe.ELDER: float(_WORTH.elder)}


def loss_vp(tile: Tile, other: Tile) -> float:
    """How far apart in VP the players' scores are by two readings of a tile; 0 where they are the same.

    A tile is worth its value, 3 a palm and 5 a palace to its owner (rules 10.5, 10.6), so that a camel of another
    colour counts twice: what one has the other has not. Viziers and elders are worth their points in front of a player
    (rules 10.2, 10.3), any other piece `MIN_LOSS_VP`.
    """
    if tile == other:
        return 0.0
    owned, meant = _by_owner(tile), _by_owner(other)
    owners = sum(abs(owned.get(owner, 0.0) - meant.get(owner, 0.0)) for owner in {*owned, *meant} - {None})
    nobody = abs(owned.get(None, 0.0) - meant.get(None, 0.0)) if tile.camel is other.camel else 0.0
    meeples = sum(
        _MEEPLE_VP.get(tribe, MIN_LOSS_VP) * abs(number - true)
        for tribe, number, true in zip(Tribe, tile.meeples, other.meeples, strict=True)
    )
    return max(owners + UNOWNED_SHARE * nobody + meeples, MIN_LOSS_VP)


def _by_owner(tile: Tile) -> dict[Colour | None, float]:
    """The points of a tile, by whose they are; None stands for nobody."""
    return {tile.camel: float(tile.kind.vp + _WORTH.palm * tile.palms + _WORTH.palace * tile.palaces)}


STRANGE_CONFIDENCE = 0.05
"""The confidence of a tile that is none of the box: whatever is read there is hardly right."""

_HIDDEN = 0.7, say("part of it can't be seen: there may be more there")
_COVERED = STRANGE_CONFIDENCE, say("something covers it")
"""No tile is surer than this that can't be seen as a whole, and why."""

PRINTING_BELOW = 0.7
"""Mean probability of the thirty tiles under which their printing is one that the tile network hardly knows."""


def doubt_out_of_distribution(
    tiles: Sequence[TileReading], evidence: BoardEvidence
) -> tuple[tuple[TileReading, ...], tuple[str, ...]]:
    """The readings of a board's tiles with doubts about what is not of the base game, and notes about the whole."""
    readings = list(tiles)
    strange: list[str] = []
    if evidence.known is None:
        for square in np.flatnonzero(evidence.unknown >= fitted.UNKNOWN_FROM):
            strange.append(SQUARE_NAMES[square])
            doubt = say("an unknown tile at {square} (an expansion's?)", square=SQUARE_NAMES[square])
            tile = readings[square]
            confidence = min(tile.confidence, STRANGE_CONFIDENCE)
            readings[square] = replace(tile, confidence=confidence, doubts=(doubt, *tile.doubts))
    notes: list[str] = []
    if strange:
        notes.append(
            say(
                "tiles that aren't from the base game, perhaps from an expansion: {squares}; anything read there "
                "is a guess",
                squares=listed(strange),
            )
        )
    if (covered := covered_note(evidence.covered)) is not None:
        notes.append(covered)
    if evidence.few_colours:
        notes.append(
            say(
                "the picture has only a few colours, as a GIF has, and pieces are told apart by colour: send the photo "
                "as your phone took it"
            )
        )
    if evidence.known is None and not evidence.covered and mean_probability(evidence.tiles) < PRINTING_BELOW:
        notes.append(
            say(
                "this printing of the tiles is unfamiliar: check every tile, or have yours learnt once from a "
                "photo of all thirty (companion learn PHOTO)"
            )
        )
    return tuple(readings), tuple(notes)


def decide_board(evidence: BoardEvidence) -> Reading:
    """The reading of a board on all the evidence, of one photo or of several, and on a person's corrections."""
    corrections, uncorrected = evidence.corrections, evidence
    evidence = apply_corrections(evidence)
    known = evidence.known
    classified = calibrated(evidence, uncorrected) if known is None else known_tiles(evidence.tiles, known)
    contents = infer_contents(evidence.pieces, [tile.kind for tile in classified], given_before(evidence), corrections)
    unseen = corrections.keys() | evidence.covered
    seen = [square for square in range(SQUARES) if square not in unseen] or range(SQUARES)
    mean_logit = board_mean_logit([raw_confidence(classified[square], contents[square]) for square in seen])
    less_sure = fitted.FEW_COLOURS_LOGIT if evidence.few_colours else 0.0
    tiles = tuple(
        read_tile(
            tile,
            pieces,
            evidence.detections_on(square),
            mean_logit,
            less_sure=less_sure,
            unseen=_COVERED if square in evidence.covered else _HIDDEN if square in evidence.hidden else None,
        )
        for square, (tile, pieces) in enumerate(zip(classified, contents, strict=True))
    )
    # Which way the board's x axis points in the photo, at the board's middle.
    axis = np.array([(1.0, ROWS / 2), (COLUMNS - 1.0, ROWS / 2)])
    (x0, y0), (x1, y1) = project(evidence.homography, axis)
    scaled = evidence.homography / evidence.homography[2, 2]
    tiles, notes = doubt_out_of_distribution(tiles, evidence)
    return Reading(
        position=Position(board=tuple(tile.tile for tile in tiles)),
        tiles=tiles,
        turned=round(math.degrees(math.atan2(y1 - y0, x1 - x0))) % 360,
        homography=tuple((float(a), float(b), float(c)) for a, b, c in scaled),
        notes=notes,
    )


def corrected_tiles(
    as_read: Sequence[TileReading],
    evidence: BoardEvidence | None,
    corrections: Mapping[int, Tile],
    decided: Sequence[TileReading] | None = None,
) -> tuple[TileReading, ...]:
    """Tiles as they were read with those, by square, that a person corrected or confirmed, and the others as that makes
    them likelier.

    The pieces there are compared with the others, and the box holds that many of each (rules 1, 11.2). What the answers
    don't bear on stays as it was read. Without evidence, as where a code gave the board, where its tiles are known, or
    where corrected tiles hold more meeples than the box, only those tiles are others. `decided` are the tiles as the
    evidence alone decides them, where more was said of them since.
    """
    tiles = list(as_read)
    for square, tile in corrections.items():
        detections = tiles[square].detections if tile == tiles[square].tile else ()
        raw = tiles[square].raw_confidence
        tiles[square] = TileReading(tile, confidence=1.0, detections=detections, raw_confidence=raw)
    # Against a board that is known, a tile that changed by itself has to be looked at once more.
    if evidence is None or evidence.known is not None or min(meeples_left(list(corrections.values()))) < 0:
        return tuple(tiles)
    now = decide_board(replace(evidence, corrections=corrections)).tiles
    return tuple(
        new if square not in corrections and _bears_on(old, new) else tile
        for square, (tile, old, new) in enumerate(zip(tiles, decided or as_read, now, strict=True))
    )


def _bears_on(old: TileReading, new: TileReading) -> bool:
    """Whether an answer makes another tile of one, or settles a doubt of it."""
    return old.tile != new.tile or (old.is_doubtful and not new.is_doubtful)


def calibrated(evidence: BoardEvidence, uncorrected: BoardEvidence) -> list[TileClassification]:
    """The tiles of a board, their scores made the probabilities that they should be.

    How well the printing is known is measured on the board `uncorrected`, before any correction: an answer makes
    no tile of it clearer to see.
    """
    seen = assign_tiles(uncorrected.tiles, uncorrected.unknown)
    clear = [1.0 if square in uncorrected.covered else tile.probability for square, tile in enumerate(seen)]
    classified = assign_tiles(evidence.tiles, evidence.unknown) if evidence.corrections else seen
    probabilities = tile_probabilities([tile.probability for tile in classified], printing_mean_logits(clear))
    return [replace(tile, probability=probability) for tile, probability in zip(classified, probabilities, strict=True)]


def raw_confidence(classified: TileClassification, contents: TileContents) -> float:
    """How sure a tile is as a whole, before that is calibrated.

    Kind and pieces are classified by different networks, so their probabilities multiply; what the product is worth was
    measured on whole tiles.
    """
    return classified.probability * contents.probability


def read_tile(
    classified: TileClassification,
    contents: TileContents,
    detections: Sequence[PieceDetection],
    mean_logit: float = CLIPPED_LOGIT,
    *,
    less_sure: float = 0.0,
    unseen: tuple[float, str] | None = None,
) -> TileReading:
    """The reading of a tile: its kind (`calibrated`), what stands on it, and the detections that show where.

    `mean_logit` is that of its board (`calibration.board_mean_logit`); without it the board is clear. The reading is
    `less_sure` by that many nats; of a tile that is `unseen` in part it is no surer than that, and doubtful for that
    reason.
    """
    tile = tile_with_contents(classified, contents.numbers)
    # The next best tile differs in what stands on it or in its kind, hardly ever in both.
    alternatives = [(probability, tile_with_contents(classified, numbers)) for probability, numbers in contents.others]
    other_kind = replace(tile, kind=classified.other)
    raw = raw_confidence(classified, contents)
    sure = platt_scale(whole_probability(raw, mean_logit), (1.0, -less_sure))
    confidence = round(sure if unseen is None else min(sure, unseen[0]), 4)
    others = [(classified.probability * probability, other) for probability, other in alternatives]
    others.append((contents.probability * classified.other_probability, other_kind))
    others = sorted(others, key=lambda item: -item[0])[:MAX_OTHERS]
    probabilities = _alternative_probabilities(confidence, others)
    expected_loss = sum(one * loss_vp(tile, other) for one, (_, other) in zip(probabilities, others, strict=True))
    doubts: list[str] = []
    if confidence < DOUBT_BELOW and unseen is not _COVERED:
        likely = [other for probability, other in others[:MAX_NAMED] if probability >= DOUBT_FROM]
        words = [joined(say(" and "), differences(tile, other)) for other in likely or [others[0][1]]]
        doubts = [*(say("perhaps {other}", other=one) for one in words), *contents.forced]
    if unseen is not None:
        doubts.insert(0, unseen[1])
    return TileReading(
        tile=tile,
        confidence=confidence,
        raw_confidence=raw,
        doubts=tuple(doubts),
        detections=matched_detections(tile, detections),
        others=tuple(other for _, other in others),
        probabilities=probabilities,
        expected_loss=round(expected_loss, 4),
    )


def _alternative_probabilities(confidence: float, others: Sequence[tuple[float, Tile]]) -> tuple[float, ...]:
    """How likely each other reading is; `others` with the probabilities that the networks give them.

    How likely it is that the reading is wrong was measured; how the others share that follows their probabilities.
    """
    total = sum(probability for probability, _ in others)
    return tuple((1 - confidence) * probability / total if total else 0.0 for probability, _ in others)


def tile_with_contents(classified: TileClassification, numbers: Sequence[int]) -> Tile:
    """The tile of that kind with that many pieces on it; `numbers` by `pieces.GROUPS`."""
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
    wanted = Counter(pieces_on(tile))
    matched = []
    for one in sorted(detections, key=lambda one: -one.probability):
        if wanted[one.kind] > 0:
            wanted[one.kind] -= 1
            matched.append((one.kind, round(one.x, 3), round(one.y, 3)))
    return tuple(matched)
