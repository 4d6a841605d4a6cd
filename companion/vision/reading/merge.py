"""All photos of a table made one reading: the boards' evidence pooled, and held against a code of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.language.phrase import Phrase, joined, say, say_many
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.position import Player, Position
from companion.vision import fitted
from companion.vision.board.contents_hypotheses import Hypotheses, number_of_pieces, pooled_hypotheses, ranked
from companion.vision.board.decision import decide_board, matched_detections
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.pieces import GROUPS, MIN_PROB, CountGroup
from companion.vision.board.tiles import SAME_TABLE
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import Float64, softmax
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading, TileReading, certain_tiles

OUTVOTED = 0.97
"""From this chance on, a tile is clear though a photo that does not show it clearly was read otherwise."""

CLEARLY_APART = 5
"""This many tiles are clear in both photos and differ: pieces were moved between them."""

PIECES_MOVED = say(
    "Many tiles differ between the photos: if pieces were moved in between, use photos taken at the same moment."
)

TILES_FROM_CODE = say("The tiles are those of the code in the picture; only the pieces on them were read.")
BOARD_OF_CODE = say("The board is still as the code in the picture says, so the rest of the code was taken too.")

MISREAD_TILES = 3
"""With no more tiles than this in doubt and otherwise as in the code, the board is the code's."""


def merge_shots(shots: Sequence[Shot], game: Board | None = None) -> tuple[Reading, BoardEvidence | None]:
    """The reading of the board from all photos of it, or from the code; and what all of them show, if they alone do.

    `game` is the board of the game in progress that they are of: it stands where they show cards alone.
    Raises PhotoError unless there is a board and something of use in every photo, or if they are of two tables.
    """
    for shot in shots:
        useful = shot.fault is None or shot.coded is not None or shot.has_cards or shot.titled
        if not useful:
            fault = str(shot.fault)
            if shot.title_fault is not None:
                fault += say("; and djinn names weren't looked for: {title_fault}", title_fault=shot.title_fault)
            raise PhotoError(joined(": ", (shot.name, fault)) if len(shots) > 1 else fault)
    coded = next(((shot.code, shot.coded) for shot in shots if shot.coded is not None), None)
    names = _short_names([shot.name for shot in shots])
    boards = {number: (names[number], shot.board) for number, shot in enumerate(shots) if shot.board is not None}
    if not boards:
        if game is not None and (coded is None or coded[1].board != game):
            return _read_for_game(shots, game), None
        if coded is None:
            raise _no_board(shots)
        code, position = coded
        return Reading(position, certain_tiles(position.board), code=code), None
    aligned = align_boards([*boards.values()])
    merged, evidence = merge_boards(aligned)
    views = {number: view.reading.homography for number, view in zip(boards, aligned, strict=True)}
    reading = replace(merged, views={number: view for number, view in views.items() if view is not None})
    return (reading, evidence) if coded is None else merge_code(reading, evidence, coded[1])


def _read_for_game(shots: Sequence[Shot], game: Board) -> Reading:
    """The reading of photos of what lies beside a game's board. Raises PhotoError for cards with a code alone."""
    coded = [(shot.name, shot.coded.board) for shot in shots if shot.coded is not None]
    notes = tuple(_why_not_taken(name, board, game) for name, board in coded)
    if len(coded) == len(shots):
        raise PhotoError(notes[0])
    return Reading(Position(game), certain_tiles(game), notes=notes)


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


def _no_board(shots: Sequence[Shot]) -> PhotoError:
    """Why no board is read: what is wrong with the photo that shows one, else that none does."""
    name = shots[0].name
    for photo in shots:
        # Of a photo that shows no board nothing is wrong.
        if photo.fault is not None and not isinstance(photo.fault, NoSultanateError):
            fault = str(photo.fault)
            return PhotoError(joined(": ", (photo.name, fault)) if len(shots) > 1 else fault)
    if any(photo.has_cards for photo in shots):
        return BoardUnseenError(
            say("{name} shows cards, but no photo shows the board: add one of all 30 tiles", name=name), name
        )
    return PhotoError(joined(": ", (name, str(shots[0].fault))))


def _short_names(names: Sequence[str]) -> list[str]:
    """The photos' names without their folders, where that distinguishes them."""
    # A phrase is what a photo without a file is called.
    short = [name if isinstance(name, Phrase) else Path(name).name for name in names]
    return short if len(set(short)) == len(short) else list(names)


def merge_code(reading: Reading, evidence: BoardEvidence, coded: Position) -> tuple[Reading, BoardEvidence | None]:
    """The reading of a board and a code of its tiles together, and the evidence if it alone decides.

    While the board is still the code's, all of the code holds. Once pieces have moved, the cards and the
    tracks may have changed too: only who plays is taken over.
    """
    differing = [square for square in range(SQUARES) if reading.tiles[square].tile != coded.board[square]]
    if len(differing) > MISREAD_TILES or any(not reading.tiles[square].is_doubtful for square in differing):
        position = replace(reading.position, players=tuple(Player(colour) for colour in coded.colours))
        return replace(reading, position=position, notes=(*reading.notes, TILES_FROM_CODE)), evidence
    # The photo and the code agree on all other tiles: two witnesses, and nothing left to doubt.
    tiles = [replace(tile, confidence=1.0, doubts=()) for tile in reading.tiles]
    for square in differing:
        seen = reading.tiles[square]
        doubt = say("taken from the code; the photo shows {tile}", tile=str(seen.tile))
        tiles[square] = replace(
            seen, tile=coded.board[square], doubts=(doubt, *seen.doubts), detections=(), others=(seen.tile,)
        )
    # The code is no part of the evidence, so that nothing can be decided on that alone any more.
    return replace(reading, position=coded, tiles=tuple(tiles), notes=(*reading.notes, BOARD_OF_CODE)), None


class _ReadBoard(NamedTuple):
    """A photo's name, as messages call it, what it shows of the board, and how that reads alone."""

    name: str
    evidence: BoardEvidence
    reading: Reading


def align_boards(named: Sequence[tuple[str, BoardEvidence]]) -> list[_ReadBoard]:
    """What photos show of one board, all turned the way the first lies.

    Raises PhotoError if the tiles are not of one table.
    """
    first, *others = (_ReadBoard(name, evidence, decide_board(evidence)) for name, evidence in named)
    return [first, *(_aligned(first, other) for other in others)]


def merge_boards(aligned: Sequence[_ReadBoard]) -> tuple[Reading, BoardEvidence]:
    """One reading of a table seen in one photo or more, all of them of its board and turned alike; and its evidence.

    What the photos saw is made one before anything is decided, so that each may show what another does not.
    Squares, turn and homography are those of the first photo. Where photos differ and do not settle it, a doubt names
    them.
    """
    first = aligned[0]
    if len(aligned) == 1:
        return first.reading, first.evidence
    evidence = pooled([seen.evidence for seen in aligned])
    merged = decide_board(evidence)
    tiles = tuple(_described(tile, square, aligned) for square, tile in enumerate(merged.tiles))
    apart = sum(len(_clear(aligned, square)) > 1 for square in range(SQUARES))
    notes = (*merged.notes, PIECES_MOVED) if apart >= CLEARLY_APART else merged.notes
    return replace(merged, tiles=tiles, notes=notes), evidence


def pooled(seen: Sequence[BoardEvidence]) -> BoardEvidence:
    """What several photos of a board saw, all turned alike, as one; the homography is the first one's.

    Detections are left out: those of two photos are the same pieces. What is covered in a photo counts for nothing
    where another shows it.
    """
    shows = np.array([[square not in one.covered for square in range(SQUARES)] for one in seen])
    shows[:, ~shows.any(axis=0)] = True
    tiles = _pool([one.tiles for one in seen], shows)
    pieces = tuple(
        _pool(probs, shows, fitted.HIDDEN_ALONE * _number_of_pieces(group))
        for group, probs in zip(GROUPS, zip(*(one.pieces for one in seen), strict=True), strict=True)
    )
    hypotheses = tuple(
        _sooner_hidden(pooled_hypotheses([*compress(square, shown)], fitted.EVIDENCE), int(shown.sum()) * fitted.HIDDEN)
        for square, shown in zip(zip(*(one.hypotheses for one in seen), strict=True), shows.T, strict=True)
    )
    return replace(
        seen[0],
        tiles=tiles,
        pieces=pieces,
        detections=(),
        hypotheses=hypotheses,
        unknown=np.exp(np.log(np.maximum([one.unknown for one in seen], MIN_PROB)).mean(axis=0, where=shows)),
        compared=None,
        hidden=frozenset.intersection(*(one.hidden for one in seen)),
        covered=frozenset.intersection(*(one.covered for one in seen)),
        few_colours=all(one.few_colours for one in seen),
    )


def _pool(probs: Sequence[Float64], shows: NDArray[np.bool_], log_prior: Float64 | float = 0.0) -> Float64:
    """Probabilities (30, ...) that several photos gave, as one log-linear pool, normalised by square.

    `shows` (photos, 30) says which count for a square, `log_prior` is that of each of the numbers, in nats. All photos
    weigh the same: logarithms are averaged, not added up, since photos of one table are hardly independent.
    """
    logs = np.log(np.maximum(np.stack(probs), MIN_PROB))
    mean = logs.mean(axis=0, where=shows.reshape(*shows.shape, *[1] * (logs.ndim - 2)))
    logits = fitted.EVIDENCE_ALONE * mean + log_prior
    return softmax(logits.reshape(SQUARES, -1), axis=1).reshape(probs[0].shape)


def _sooner_hidden(hypotheses: Hypotheses, nats: float) -> Hypotheses:
    """The hypotheses with that much for each piece more."""
    return ranked(hypotheses.numbers, hypotheses.log_probs + nats * number_of_pieces(hypotheses.numbers))


def _number_of_pieces(group: CountGroup) -> Float64:
    """How many pieces each of a group's numbers stands for: a camel of any colour is one."""
    numbers = np.arange(group.size, dtype=np.float64)
    return np.minimum(numbers, 1) if group.kind == "camel" else numbers


def _aligned(reference: _ReadBoard, seen: _ReadBoard) -> _ReadBoard:
    """What a photo shows turned the way the reference lies. Raises PhotoError if it is of another table."""
    turned = half_turned(seen.evidence)
    ways = (seen, _ReadBoard(seen.name, turned, decide_board(turned)))
    best = max(ways, key=lambda way: _same_kinds(reference.reading, way.reading))
    same = _same_kinds(reference.reading, best.reading)
    if same < SAME_TABLE:
        raise PhotoError(
            say_many(
                "these photos show two different tables: only {count} tile of 30 is the same in {reference} and "
                "{name}; give photos of the same table and its cards",
                "these photos show two different tables: only {count} tiles of 30 are the same in {reference} and "
                "{name}; give photos of the same table and its cards",
                same,
                reference=reference.name,
                name=seen.name,
            )
        )
    return best


def _same_kinds(one: Reading, other: Reading) -> int:
    return sum(a.tile.kind is b.tile.kind for a, b in zip(one.tiles, other.tiles, strict=True))


def _clear(aligned: Sequence[_ReadBoard], square: int) -> set[Tile]:
    """The tiles that photos show clearly on a square: one if they agree."""
    tiles = [seen.reading.tiles[square] for seen in aligned]
    return {tile.tile for tile in tiles if not tile.is_doubtful}


def _described(tile: TileReading, square: int, aligned: Sequence[_ReadBoard]) -> TileReading:
    """The merged reading of a square, with a doubt that names the photos if they leave one and differ."""
    detections = max((matched_detections(tile.tile, seen.evidence.detections_on(square)) for seen in aligned), key=len)
    seeing = [seen for seen in aligned if square not in seen.evidence.covered]
    shown = [(seen.name, seen.reading.tiles[square].tile) for seen in seeing]
    doubts = tile.doubts
    settled = tile.confidence >= OUTVOTED and len(_clear(aligned, square)) <= 1
    if len({seen for _, seen in shown}) > 1 and not settled:
        by_name = joined(", ", (say("{name} shows {seen}", name=name, seen=str(seen)) for name, seen in shown))
        # The other photos say what else a tile may be, unless it is as none of them shows it.
        doubts = (by_name,) if any(seen == tile.tile for _, seen in shown) else (by_name, *doubts)
    return replace(tile, doubts=doubts, detections=detections)
