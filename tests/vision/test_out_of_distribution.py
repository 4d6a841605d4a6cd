"""Tiles of no kind in the box are said where they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.vision.board.decision import decide_board
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.pieces import GROUPS
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import TileScores, half_turn, unknown_probabilities
from companion.vision.fitted import UNKNOWN_FROM
from companion.vision.numerics import Float64
from companion.vision.reading.merge import pooled
from tests.vision.tables import independent_hypotheses

IN_BOX = [index for index, kind in enumerate(KINDS) for _ in range(kind.count)]


def evidence(unknown: Float64 | None = None) -> BoardEvidence:
    """A board in the order of the box with nothing on it."""
    tiles = np.full((SQUARES, len(KINDS), 4), 0.001)
    tiles[np.arange(SQUARES), IN_BOX, 0] = 1 - 0.031
    pieces = []
    for group in GROUPS:
        probs = np.full((SQUARES, group.size), 0.001)
        probs[:, 0] = 1 - 0.001 * (group.size - 1)
        pieces.append(probs)
    unknown = np.zeros(SQUARES) if unknown is None else unknown
    return BoardEvidence(
        tiles, tuple(pieces), (), np.eye(3) * (100, 100, 1), independent_hypotheses(tuple(pieces)), unknown
    )


def chances(*strange: int) -> Float64:
    unknown = np.full(SQUARES, 0.01)
    unknown[list(strange)] = 0.999
    return unknown


def seen(tile: int, kind: int) -> TileScores:
    """The tiles of the box, each told with 0.9, but `tile`: a little strange, and else rather of `kind`."""
    probabilities = np.full((SQUARES, len(KINDS), 4), 0.1 / 31)
    probabilities[np.arange(SQUARES), IN_BOX, 0] = 0.9
    probabilities[tile] = 0.1 / 31
    probabilities[tile, kind, 0] = 0.7
    unknown = np.full(SQUARES, 0.01)
    unknown[tile] = 0.3
    return TileScores(
        probabilities, unknown, np.zeros((SQUARES, 1), np.float32), np.zeros((SQUARES, 8, 8, 3), np.uint8), np.ones(3)
    )


def test_a_tile_that_fits_where_the_others_leave_a_place_is_hardly_unknown() -> None:
    fitting, odd = seen(3, IN_BOX[3]), seen(3, next(kind for kind in range(8) if kind != IN_BOX[3]))
    turned = [
        replace(scores, probabilities=half_turn(scores.probabilities), unknown=scores.unknown[::-1])
        for scores in (fitting, odd)
    ]
    cases: list[tuple[int, TileScores, TileScores]] = [(3, fitting, odd), (SQUARES - 4, turned[0], turned[1])]
    for tile, one, other in cases:
        assert unknown_probabilities(one)[tile] < UNKNOWN_FROM < unknown_probabilities(other)[tile]
        assert unknown_probabilities(other)[tile] > 1.5 * unknown_probabilities(one)[tile]
        assert unknown_probabilities(other).argmax() == tile


def test_an_unknown_tile_is_said_where_it_lies() -> None:
    reading = decide_board(evidence(chances(14)))
    assert SQUARE_NAMES[14] == "c3"
    tile = reading.tiles[14]
    assert tile.is_doubtful and tile.confidence <= 0.05
    assert tile.doubts[0] == "an unknown tile at c3 (an expansion's?)"
    assert any("aren't from the base game, perhaps from an expansion: c3;" in note for note in reading.notes)
    assert all(not other.is_doubtful for square, other in enumerate(reading.tiles) if square != 14)
    assert "a1, b1 and f5;" in decide_board(evidence(chances(0, 1, 29))).notes[0]
    turned = decide_board(half_turned(evidence(chances(14))))
    assert turned.tiles[15].doubts[0] == "an unknown tile at d3 (an expansion's?)"


def test_what_a_code_or_a_person_says_of_a_tile_is_no_stranger() -> None:
    board = decide_board(evidence()).position.board
    for known in (
        replace(evidence(chances(14)), known=board),
        replace(evidence(chances(14)), corrections={14: board[14]}),
    ):
        reading = decide_board(known)
        assert reading.notes == () and not reading.tiles[14].doubts


def test_rules_1_1_an_unknown_tile_leaves_the_other_tiles_what_they_are() -> None:
    # Seen as a third tile of a kind of one: of the box, some other tile would have to give way.
    seen = evidence(chances(3))
    tiles = seen.tiles.copy()
    lone = next(index for index, kind in enumerate(KINDS) if kind.count == 1)
    tiles[3] = 0.0001
    tiles[3, lone, 0] = 0.99
    reading = decide_board(replace(seen, tiles=tiles))
    assert [KINDS.index(tile.tile.kind) for tile in reading.tiles] == IN_BOX


def test_a_printing_that_is_hardly_known_is_said() -> None:
    seen = evidence()
    flat = seen.tiles * 0.5 + 0.5 / 32
    (note,) = decide_board(replace(seen, tiles=flat)).notes
    assert "companion learn PHOTO" in note
    assert decide_board(replace(seen, tiles=flat, known=decide_board(seen).position.board)).notes == ()


def test_what_one_photo_shows_of_strangers_all_together_tell() -> None:
    one = evidence(chances(14))
    assert decide_board(pooled([one, one])).tiles[14].doubts[0].startswith("an unknown tile")
    # Only one of two finds it strange: no more than a suspicion.
    assert not any("unknown" in doubt for doubt in decide_board(pooled([one, evidence(chances())])).tiles[14].doubts)
