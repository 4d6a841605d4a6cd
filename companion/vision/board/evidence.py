"""What photos show of the board, as probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.rules.model.board import COLUMNS, ROWS, SQUARES, Board, Tile
from companion.vision.board.contents_hypotheses import Hypotheses
from companion.vision.board.piece_embeddings import PiecesToCompare
from companion.vision.board.pieces import CountProbs, PieceDetection
from companion.vision.board.tiles import half_turn
from companion.vision.locate.grid import HALF_TURN
from companion.vision.numerics import Float64


@dataclass(frozen=True, slots=True)
class BoardEvidence:
    """A board as a photo shows it.

    `tiles` are the probabilities (30, 8 kinds, 4 turns) of what each tile is, `pieces` those of the numbers on it,
    `detections` the pieces seen; `homography` (3, 3) maps board coordinates to px of the photo; `hypotheses` are what
    may stand on each tile as a whole, and `unknown` (30,) is how likely each tile is of no kind in the box. `known` is
    the board whose tiles a code or a game gives, None where the photo alone does, and `before` that of a game in
    progress as it lay when somebody last looked. `corrections` are the tiles that a person corrected or confirmed, by
    square. `compared` are the pieces that are compared with one another, once more after corrections; None where that
    cannot be done, as of several photos. `hidden` are the squares of which a part can't be seen, `covered` those over
    which something lies that is no part of the game: what was seen there says nothing. With `few_colours` the picture
    has no more of them than a palette. They are `turned` if their squares are counted from the other end.
    """

    tiles: Float64
    pieces: CountProbs
    detections: tuple[PieceDetection, ...]
    homography: Float64
    hypotheses: tuple[Hypotheses, ...]
    unknown: Float64
    known: Board | None = None
    corrections: Mapping[int, Tile] = field(default_factory=dict)
    compared: PiecesToCompare | None = None
    hidden: frozenset[int] = frozenset()
    covered: frozenset[int] = frozenset()
    few_colours: bool = False
    turned: bool = False
    before: Board | None = None

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
        before=None if evidence.before is None else evidence.before[::-1],
        hypotheses=evidence.hypotheses[::-1],
        unknown=evidence.unknown[::-1],
        corrections={SQUARES - 1 - square: tile for square, tile in evidence.corrections.items()},
        hidden=frozenset(SQUARES - 1 - square for square in evidence.hidden),
        covered=frozenset(SQUARES - 1 - square for square in evidence.covered),
        turned=not evidence.turned,
    )
