"""All photos of a table made one reading: the boards' evidence pooled, and held against a code of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.errors import PhotoError
from companion.language.phrase import Phrase, joined, say, say_many
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.position import Player, Position
from companion.vision.board.contents_hypotheses import pooled_hypotheses
from companion.vision.board.decision import decide, matched_detections
from companion.vision.board.pieces import GROUPS, MIN_PROB, CountGroup
from companion.vision.board.reading import BoardEvidence, Reading, TileReading, half_turned
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import Float64, softmax
from companion.vision.reading.table import Homography, PhotoReading

SAME_TABLE = 20
"""Tiles of 30 that must be of one kind in two photos for them to show one table; two shuffled boards share five."""

EVIDENCE = 1.2
"""What all photos of a table show together, beside what one shows: little more, for they misread the same pieces alike.

On 24 rendered tables seen three times, confidences held from 1 to 1.2; photos that erred independently would count
for as many as there are.
"""

HIDDEN = 0.3
"""What speaks, in nats, for each piece more on a tile: a piece is sooner hidden from a photo than made up by it.

On the same tables what was read held best from 0.3 to 0.5.
"""

OUTVOTED = 0.97
"""From this chance on, a tile is clear though a photo that does not show it clearly was read otherwise."""

CLEARLY_APART = 5
"""So many tiles that are clear in both photos and differ: pieces were moved between them."""

PIECES_MOVED = say(
    "Many tiles differ between the photos: if pieces were moved in between, use photos taken at the same moment."
)

TILES_FROM_CODE = say("The tiles are those of the code in the picture; only the pieces on them were read.")
BOARD_OF_CODE = say("The board is still as the code in the picture says, so the rest of the code was taken too.")

MISREAD_TILES = 3
"""With no more tiles than this in doubt and otherwise as in the code, the board is the code's."""

Named = tuple[str, Reading]
"""A photo's name, as messages call it, and its reading."""


def merge_photos(photos: Sequence[PhotoReading], game: Board | None = None) -> tuple[Reading, dict[int, Homography]]:
    """The reading of the board from all photos of it, or from the code; and those photos' homographies, by number.

    `game` is the board of the game in progress that they are of: it stands where they show cards alone.
    Raises PhotoError unless there is a board and something of use in every photo, or if they are of two tables.
    """
    for photo in photos:
        useful = photo.fault is None or photo.coded is not None or photo.has_cards or photo.shot.titled
        if not useful:
            fault = str(photo.fault)
            if photo.title_fault is not None:
                fault += say("; and djinn names weren't looked for: {title_fault}", title_fault=photo.title_fault)
            raise PhotoError(joined(": ", (photo.shot.name, fault)) if len(photos) > 1 else fault)
    coded = next(((photo.code, photo.coded) for photo in photos if photo.coded is not None), None)
    names = _short_names([photo.shot.name for photo in photos])
    boards = [(number, names[number], photo.board) for number, photo in enumerate(photos) if photo.board is not None]
    if not boards:
        if game is not None and (coded is None or coded[1].board != game):
            return _beside_game(photos, game), {}
        if coded is None:
            raise _no_board(photos)
        code, position = coded
        return Reading(position, tuple(TileReading(tile, 1.0) for tile in position.board), turned=0, code=code), {}
    aligned = align_readings([(name, board) for _, name, board in boards])
    views = {
        number: view.homography
        for (number, _, _), (_, view) in zip(boards, aligned, strict=True)
        if view.homography is not None
    }
    merged = merge_readings(aligned)
    return (merged if coded is None else beside_code(merged, coded[1])), views


def _beside_game(photos: Sequence[PhotoReading], game: Board) -> Reading:
    """The reading of photos of what lies beside a game's board. Raises PhotoError for cards with a code alone."""
    coded = [(photo.shot.name, photo.coded.board) for photo in photos if photo.coded is not None]
    notes = tuple(_why_not_taken(name, board, game) for name, board in coded)
    if len(coded) == len(photos):
        raise PhotoError(notes[0])
    return Reading(Position(game), (), turned=0, notes=notes).laid_on(game)


def _why_not_taken(name: str, coded: Board, game: Board) -> Phrase:
    """Why the code of a card or sheet is of no use to a game in progress."""
    same = max(sum(a.kind is b.kind for a, b in zip(coded, one, strict=True)) for one in (game, game[::-1]))
    if same < SAME_TABLE:
        return say(
            "The code in {name} is from another table, not this game's, so it was left out. To start a new game with "
            "it, use the first page.",
            name=name,
        )
    return say(
        "The code in {name} is from an earlier point in this game, which has moved on since, so it was left out: "
        "photograph the board, the row or the djinns themselves.",
        name=name,
    )


class BoardUnseenError(PhotoError):
    """Photos of a table, none of which shows its board; `in_short` says so without the command that reads more."""

    def __init__(self, in_short: Phrase, name: str) -> None:
        self.in_short = in_short
        super().__init__(joined(" ", (in_short, f"(companion read board.jpg {name})")))


def _no_board(photos: Sequence[PhotoReading]) -> PhotoError:
    """Why no board is read: what is wrong with the photo that shows one, else that none does."""
    name = photos[0].shot.name
    for photo in photos:
        # Of a photo that shows no board nothing is wrong.
        if photo.fault is not None and not isinstance(photo.fault, NoSultanateError):
            fault = str(photo.fault)
            return PhotoError(joined(": ", (photo.shot.name, fault)) if len(photos) > 1 else fault)
    if any(photo.has_cards for photo in photos):
        return BoardUnseenError(
            say("{name} shows cards, but no photo shows the board: add one of all 30 tiles", name=name), name
        )
    return PhotoError(joined(": ", (name, str(photos[0].fault))))


def _short_names(names: Sequence[str]) -> list[str]:
    """The photos' names without their folders, where that distinguishes them."""
    # A phrase is what a photo without a file is called.
    short = [name if isinstance(name, Phrase) else Path(name).name for name in names]
    return short if len(set(short)) == len(short) else list(names)


def beside_code(reading: Reading, coded: Position) -> Reading:
    """The reading of a board and a code of its tiles together.

    While the board is still the code's, all of the code holds. Once pieces have moved, the cards and the
    tracks may have changed too: only who plays is taken over.
    """
    differing = [square for square in range(SQUARES) if reading.tiles[square].tile != coded.board[square]]
    if len(differing) > MISREAD_TILES or any(not reading.tiles[square].is_doubtful for square in differing):
        players = tuple(Player(colour) for colour in coded.colours)
        return replace(
            reading, position=replace(reading.position, players=players), notes=(*reading.notes, TILES_FROM_CODE)
        )
    # The photo and the code agree on all other tiles: two witnesses, and nothing left to doubt.
    tiles = [replace(tile, confidence=1.0, doubts=()) for tile in reading.tiles]
    for square in differing:
        seen = reading.tiles[square]
        doubt = say("taken from the code; the photo shows {tile}", tile=str(seen.tile))
        tiles[square] = replace(
            seen, tile=coded.board[square], doubts=(doubt, *seen.doubts), detections=(), others=(seen.tile,)
        )
    # The code is no part of the evidence, so that nothing can be decided on that alone any more.
    return replace(reading, position=coded, tiles=tuple(tiles), notes=(*reading.notes, BOARD_OF_CODE), evidence=None)


def align_readings(named: Sequence[Named]) -> list[Named]:
    """The readings of photos of one board, all turned the way the first lies.

    Raises PhotoError if the tiles are not of one table.
    """
    return [named[0], *((name, _aligned(named[0], (name, other))) for name, other in named[1:])]


def merge_readings(aligned: Sequence[Named]) -> Reading:
    """One reading of a table seen in one photo or more, all of them of its board and turned alike.

    What the photos saw is made one before anything is decided, so that each may show what another does not.
    Squares, turn and homography are those of the first photo. Where photos differ and do not settle it, a doubt names
    them.
    """
    first = aligned[0][1]
    if len(aligned) == 1:
        return first
    seen = [_evidence(reading) for _, reading in aligned]
    merged = decide(pooled(seen))
    tiles = tuple(_described(tile, square, aligned, seen) for square, tile in enumerate(merged.tiles))
    apart = sum(len(_clear(aligned, square)) > 1 for square in range(SQUARES))
    return replace(merged, tiles=tiles, notes=(*merged.notes, PIECES_MOVED) if apart >= CLEARLY_APART else merged.notes)


def pooled(seen: Sequence[BoardEvidence]) -> BoardEvidence:
    """What several photos of a board saw, all turned alike, as one; the homography is the first one's.

    Detections are left out: those of two photos are the same pieces.
    """
    tiles = _pool([one.tiles for one in seen])
    pieces = tuple(
        _pool(probs, HIDDEN * _number_of_pieces(group))
        for group, probs in zip(GROUPS, zip(*(one.pieces for one in seen), strict=True), strict=True)
    )
    by_photo = [one.hypotheses for one in seen if one.hypotheses is not None]
    hypotheses = None
    if len(by_photo) == len(seen):
        hypotheses = tuple(pooled_hypotheses(square, EVIDENCE) for square in zip(*by_photo, strict=True))
    unknown = [one.unknown for one in seen if one.unknown is not None]
    return replace(
        seen[0],
        tiles=tiles,
        pieces=pieces,
        detections=(),
        hypotheses=hypotheses,
        unknown=np.exp(np.log(np.maximum(unknown, MIN_PROB)).mean(axis=0)) if unknown else None,
        compared=None,
        hidden=frozenset.intersection(*(one.hidden for one in seen)),
        few_colours=all(one.few_colours for one in seen),
    )


def _pool(probs: Sequence[Float64], log_prior: Float64 | float = 0.0) -> Float64:
    """Probabilities (30, ...) that several photos gave, as one log-linear pool, normalised by square.

    `log_prior` is that of each of the numbers, in nats. All photos weigh the same, together `EVIDENCE`: the logarithms
    are averaged, not added up, since photos of one table are hardly independent.
    """
    logits = EVIDENCE * np.log(np.maximum(np.stack(probs), MIN_PROB)).mean(axis=0) + log_prior
    return softmax(logits.reshape(SQUARES, -1), axis=1).reshape(probs[0].shape)


def _number_of_pieces(group: CountGroup) -> Float64:
    """How many pieces each of a group's numbers stands for: a camel of any colour is one."""
    numbers = np.arange(group.size, dtype=np.float64)
    return np.minimum(numbers, 1) if group.kind == "camel" else numbers


def _aligned(reference: Named, named: Named) -> Reading:
    """A reading turned the way the reference lies. Raises PhotoError if it is of another table."""
    name, reading = named
    turned = decide(half_turned(_evidence(reading)))
    best = max((reading, turned), key=lambda one: _same_kinds(reference[1], one))
    same = _same_kinds(reference[1], best)
    if same < SAME_TABLE:
        raise PhotoError(
            say_many(
                "these photos show two different tables: only {count} tile of 30 is the same in {reference} and "
                "{name}; give photos of the same table and its cards",
                "these photos show two different tables: only {count} tiles of 30 are the same in {reference} and "
                "{name}; give photos of the same table and its cards",
                same,
                reference=reference[0],
                name=name,
            )
        )
    return best


def _same_kinds(one: Reading, other: Reading) -> int:
    return sum(a.tile.kind is b.tile.kind for a, b in zip(one.tiles, other.tiles, strict=True))


def _evidence(reading: Reading) -> BoardEvidence:
    assert reading.evidence is not None, "boards read from photos are merged, codes are not"
    return reading.evidence


def _clear(named: Sequence[Named], square: int) -> set[Tile]:
    """The tiles that photos show clearly on a square: one if they agree."""
    seen = [reading.tiles[square] for _, reading in named]
    return {tile.tile for tile in seen if not tile.is_doubtful}


def _described(tile: TileReading, square: int, named: Sequence[Named], seen: Sequence[BoardEvidence]) -> TileReading:
    """The merged reading of a square, with a doubt that names the photos if they leave one and differ."""
    detections = max((matched_detections(tile.tile, one.detections_on(square)) for one in seen), key=len)
    shown = [(name, reading.tiles[square].tile) for name, reading in named]
    doubts = tile.doubts
    settled = tile.confidence >= OUTVOTED and len(_clear(named, square)) <= 1
    if len({seen for _, seen in shown}) > 1 and not settled:
        by_name = joined(", ", (say("{name} shows {seen}", name=name, seen=str(seen)) for name, seen in shown))
        # The other photos say what else a tile may be, unless it is as none of them shows it.
        doubts = (by_name,) if any(seen == tile.tile for _, seen in shown) else (by_name, *doubts)
    return replace(tile, doubts=doubts, detections=detections)
