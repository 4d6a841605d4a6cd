"""What a photo shows of the board: the evidence as probabilities, and what was decided on it, with doubts in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.rules.model.board import COLUMNS, ROWS, SQUARES, Board, Tile
from companion.rules.model.position import Position
from companion.vision.board.contents_hypotheses import Hypotheses
from companion.vision.board.piece_embeddings import PiecesToCompare
from companion.vision.board.pieces import CountProbs, PieceDetection
from companion.vision.board.tiles import half_turn
from companion.vision.locate.grid import HALF_TURN
from companion.vision.numerics import Float64

DOUBT_BELOW = 0.95
"""Tiles read with less confidence than this are shown as doubtful."""

MAX_OTHERS = 8
"""So many other readings of a tile are weighed: on a crowded tile the right one is often the fourth or fifth."""

MAX_OFFERED = 5
"""So many other readings of a tile are offered to a person, the likeliest.

Of 177 tiles read wrong in 64 photos the right one is among three 101 times, among five 118 times; picked for being
unlike one another they are right less often.
"""


@dataclass(frozen=True, slots=True)
class BoardEvidence:
    """A board as a photo shows it.

    `tiles` are the probabilities (30, 8 kinds, 4 turns) of what each tile is, `pieces` those of the numbers on it,
    `detections` the pieces seen; `homography` (3, 3) maps board coordinates to px of the photo. `known` is the board
    whose tiles a code gives, None where the photo alone does; `hypotheses` what may stand on each tile as a whole, None
    where the numbers of each kind are all that is known. `unknown` (30,) is how likely each tile is of no kind in the
    box, None where that was not asked. `corrections` are the tiles that a person has corrected or confirmed, by square.
    `compared` are the pieces that are compared with one another, once more after corrections; None where that cannot be
    done, as of several photos. `hidden` are the squares of which a part can't be seen; with `few_colours` the picture
    has no more of them than a palette. They are `turned` if their squares are counted from the other end.
    """

    tiles: Float64
    pieces: CountProbs
    detections: tuple[PieceDetection, ...]
    homography: Float64
    known: Board | None = None
    hypotheses: tuple[Hypotheses, ...] | None = None
    unknown: Float64 | None = None
    corrections: Mapping[int, Tile] = field(default_factory=dict)
    compared: PiecesToCompare | None = None
    hidden: frozenset[int] = frozenset()
    few_colours: bool = False
    turned: bool = False

    def detections_on(self, square: int) -> list[PieceDetection]:
        """The pieces seen on a tile."""
        return [one for one in self.detections if one.square == square]


def half_turned(evidence: BoardEvidence) -> BoardEvidence:
    """The same evidence with the board's columns and rows counted from the other end."""
    return replace(
        evidence,
        tiles=half_turn(evidence.tiles),
        pieces=tuple(probs[::-1] for probs in evidence.pieces),
        detections=tuple(replace(one, x=COLUMNS - one.x, y=ROWS - one.y) for one in evidence.detections),
        homography=evidence.homography @ HALF_TURN,
        known=None if evidence.known is None else evidence.known[::-1],
        hypotheses=None if evidence.hypotheses is None else evidence.hypotheses[::-1],
        unknown=None if evidence.unknown is None else evidence.unknown[::-1],
        corrections={SQUARES - 1 - square: tile for square, tile in evidence.corrections.items()},
        hidden=frozenset(SQUARES - 1 - square for square in evidence.hidden),
        turned=not evidence.turned,
    )


@dataclass(frozen=True, slots=True)
class TileReading:
    """A tile as read: `confidence` is the probability (0 to 1) that all of it is right.

    `doubts` say in words what else it may be, likeliest first; empty for a clear tile. `detections` are the pieces as
    (class, x, y) in board coordinates, tile sides from the sultanate's top left; `raw_confidence` is the product of the
    parts' probabilities, before it was calibrated as a whole; `others` are the next readings of the whole tile,
    likeliest first, `MAX_OTHERS` at most, and `chances` how likely each of them is; `expected_loss` is what is lost in
    VP, on average, if the tile is taken as it was read (`decision.loss_vp`).
    """

    tile: Tile
    confidence: float
    doubts: tuple[str, ...] = ()
    detections: tuple[tuple[str, float, float], ...] = ()
    raw_confidence: float = 1.0
    others: tuple[Tile, ...] = ()
    chances: tuple[float, ...] = ()
    expected_loss: float = 0.0

    @property
    def offered(self) -> tuple[Tile, ...]:
        """The readings that a person chooses among: as it was read, then the others, likeliest first."""
        return (self.tile, *self.others[:MAX_OFFERED])

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at this tile again."""
        return self.confidence < DOUBT_BELOW or bool(self.doubts)


@dataclass(frozen=True, slots=True)
class Reading:
    """A photo's reading.

    `position` holds the board, and all that a position code in the photo gave; `tiles` are the thirty
    readings by square; `turned` is by how many degrees the sultanate is turned clockwise in the
    photo (0 to 359); `homography` maps board coordinates (tile sides) to px of the photo, None when the
    position came from a code; `code` is that code, None where the board was read; `notes` are sentences about
    the whole that a person should know; `evidence` is what all was decided from, None without a photo of the board.
    """

    position: Position
    tiles: tuple[TileReading, ...]
    turned: int
    homography: tuple[tuple[float, float, float], ...] | None = None
    code: str | None = None
    notes: tuple[str, ...] = ()
    evidence: BoardEvidence | None = field(default=None, compare=False, repr=False)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Squares that a person should look at again: first where most is at stake, then where least is sure."""
        squares = (square for square, tile in enumerate(self.tiles) if tile.is_doubtful)
        return tuple(sorted(squares, key=lambda one: (-self.tiles[one].expected_loss, self.tiles[one].confidence)))

    @property
    def doubts(self) -> dict[int, float]:
        """The doubtful squares in that order, each with the confidence (0 to 1) that it was read with."""
        return {square: self.tiles[square].confidence for square in self.doubtful}

    @property
    def alternatives(self) -> dict[int, tuple[tuple[Tile, float], ...]]:
        """What else may lie on each square that may hold something else, each with its probability, likeliest first."""
        return {
            square: tuple(zip(tile.others, tile.chances, strict=True))
            for square, tile in enumerate(self.tiles)
            if tile.chances
        }

    def laid_on(self, board: Board) -> Reading:
        """The reading with a board that is known in place of its own: nothing on it is in doubt."""
        tiles = tuple(TileReading(tile, confidence=1.0) for tile in board)
        return replace(self, position=self.position.with_board(board), tiles=tiles)

    def corrected(self, square: int, tile: Tile) -> Reading:
        """The reading with a tile as a person says it is; the others stay as they are (`decision.correct_tile`)."""
        tiles, board = list(self.tiles), list(self.position.board)
        seen = tiles[square]
        detections = seen.detections if tile == seen.tile else ()
        tiles[square] = replace(
            seen, tile=tile, confidence=1.0, doubts=(), detections=detections, others=(), chances=(), expected_loss=0.0
        )
        board[square] = tile
        evidence = self.evidence
        if evidence is not None:
            evidence = replace(evidence, corrections={**evidence.corrections, square: tile})
        return replace(self, position=self.position.with_board(tuple(board)), tiles=tuple(tiles), evidence=evidence)
