"""What several photos saw of one table becomes one reading: turned alike, pooled, within the box (rules 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from companion.errors import PhotoError
from companion.notation.tokens import parse_tile
from companion.rules.engine.legality import problems
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import SQUARES, Board, empty_tile
from companion.rules.model.components import TILE_KINDS, Colour
from companion.vision.board.contents_hypotheses import Hypotheses, ranked
from companion.vision.board.decision import decide_board
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.piece_corrections import numbers_of
from companion.vision.board.pieces import GROUPS, CountProbs, PieceDetection
from companion.vision.board.tile_similarity import KINDS
from companion.vision.reading.merge import PIECES_MOVED, align_boards, merge_boards, pooled
from companion.vision.readings import Reading, TileReading
from tests.strategies import boards
from tests.vision.tables import independent_hypotheses

BARE: Board = tuple(empty_tile(kind.code) for kind in TILE_KINDS.values() for _ in range(kind.count))
OASIS = next(square for square, tile in enumerate(BARE) if tile.kind.code == "O8")
HOMOGRAPHY = np.array([(2.0, 0.1, 5.0), (0.0, 3.0, 7.0), (0.0, 0.0, 1.0)])

Doubt = Mapping[str, Mapping[int, float]]
"""Chances by number, for some kinds of pieces: {"y": {1: 0.6, 2: 0.4}}."""


def whole(pieces: CountProbs) -> tuple[Hypotheses, ...]:
    """What may stand on tiles, if numbers that are hardly likely aren't so at all."""
    return independent_hypotheses(tuple(np.where(shares < 3e-3, 0, shares) for shares in pieces))


def sight(board: Board, sure: float = 0.998, **changes: object) -> BoardEvidence:
    """A photo that shows this board, each number of each piece told with that chance."""
    tiles = np.full((SQUARES, len(KINDS), 4), (1 - sure) / (4 * len(KINDS) - 1))
    pieces = tuple(np.full((SQUARES, group.size), (1 - sure) / (group.size - 1)) for group in GROUPS)
    for square, tile in enumerate(board):
        tiles[square, KINDS.index(tile.kind), 0] = sure
        camel = 0 if tile.camel is None else 1 + list(Colour).index(tile.camel)
        numbers = (*tile.meeples, camel, tile.palms, tile.palaces)
        for shares, number in zip(pieces, numbers, strict=True):
            shares[square, number] = sure
    sure_of = BoardEvidence(tiles, pieces, (), HOMOGRAPHY, whole(pieces), np.full(SQUARES, 1e-4))
    return replace(sure_of, **changes)


@cache
def plainly() -> BoardEvidence:
    """A photo that shows the bare board."""
    return sight(BARE)


def telling(base: BoardEvidence, square: int, doubt: Doubt) -> BoardEvidence:
    """The same photo with other chances on a tile."""
    pieces = tuple(shares.copy() for shares in base.pieces)
    for group, shares in zip(GROUPS, pieces, strict=True):
        if group.kind in doubt:
            shares[square] = 1e-4
            for number, chance in doubt[group.kind].items():
                shares[square, number] = chance
    return replace(base, pieces=pieces, hypotheses=whole(pieces))


def merge(*sights: BoardEvidence) -> Reading:
    """The merged reading of photos A.jpg, B.jpg and so on."""
    named = [(f"{name}.jpg", one) for name, one in zip("ABC", sights, strict=False)]
    return merge_boards(align_boards(named))[0]


def test_the_board_lies_as_in_the_first_photo() -> None:
    assert pooled([plainly(), sight(BARE, homography=2 * HOMOGRAPHY)]).homography is HOMOGRAPHY


def merged_tile(*doubts: Doubt) -> TileReading:
    """An oasis of photos that agree in all but these chances on it."""
    return merge(*(telling(plainly(), OASIS, doubt) for doubt in doubts)).tiles[OASIS]


def alone(doubt: Doubt) -> TileReading:
    return decide_board(telling(plainly(), OASIS, doubt)).tiles[OASIS]


def test_photos_that_each_show_a_part_of_a_tile_make_it_clear() -> None:
    # The first shows meeples clearly and not its palms, the second its palms and not its meeples.
    meeples: Doubt = {"g": {2: 0.999}, "palm": {0: 0.5, 1: 0.499}}
    palms: Doubt = {"g": {1: 0.5, 2: 0.499}, "palm": {1: 0.999}}
    assert alone(meeples).is_doubtful and alone(palms).is_doubtful
    both = merged_tile(meeples, palms)
    assert both.tile == parse_tile("O8:gg^1")
    assert both.confidence > max(alone(meeples).confidence, alone(palms).confidence)
    assert merged_tile(meeples, palms, {"g": {2: 0.999}, "palm": {1: 0.999}}).doubts == ()


def test_a_clear_photo_answers_the_doubts_of_another() -> None:
    one = merged_tile({"w": {0: 0.6, 1: 0.4}}, {"w": {1: 0.9999}})
    assert one.tile == parse_tile("O8:w") and not one.is_doubtful


def test_what_no_photo_shows_clearly_stays_doubtful_though_they_agree() -> None:
    # If photos erred independently, 0.7 and 0.7 would make 0.84; but what hides a piece from one may hide it from all.
    either = ranked(np.array([numbers_of(parse_tile(text)) for text in ("O8:w", "O8:y")]), np.log([0.7, 0.3]))
    bare = plainly()
    seen = replace(bare, hypotheses=(*bare.hypotheses[:OASIS], either, *bare.hypotheses[OASIS + 1 :]))
    one, before = (reading.tiles[OASIS] for reading in (merge(seen, seen), merge(seen)))
    assert one.doubts == ("perhaps 1 vizier and no elder",) and one.others[0] == parse_tile("O8:y")
    # Before confidences are calibrated: how steep their curve is follows from the networks, not from pooling.
    independent = 0.7**2 / (0.7**2 + 0.3**2)
    assert one.raw_confidence - before.raw_confidence < 0.6 * (independent - before.raw_confidence)


def test_of_whole_contents_those_with_more_pieces_are_likelier_the_more_photos_there_are() -> None:
    fewer, more = np.array([0, 0, 0, 1, 0, 0, 0, 0]), np.array([0, 0, 0, 2, 0, 0, 0, 0])
    share = 0.6
    one = ranked(np.array([fewer, more]), np.log([share, 1 - share]))
    bare = tuple(ranked(np.zeros((1, 8), np.int64), np.zeros(1)) for _ in BARE)
    seen = replace(plainly(), hypotheses=(one, *bare[1:]))
    first = [pooled([seen] * number).hypotheses for number in (2, 3)]
    assert all(one[0].as_numbers(0)[3] == 2 for one in first)
    assert first[1][0].log_probs[0] > first[0][0].log_probs[0] > np.log(0.5)


def test_a_piece_is_sooner_hidden_than_made_up() -> None:
    shown: Doubt = {"w": {0: 0.3, 1: 0.7}}
    hidden: Doubt = {"w": {0: 0.7, 1: 0.3}}
    assert merged_tile(shown, hidden).tile == merged_tile(hidden, shown).tile == parse_tile("O8:w")


def test_clear_readings_that_differ_are_doubted_by_the_photos_names() -> None:
    one = merged_tile({"g": {2: 0.999}}, {"g": {2: 0.9999}, "w": {1: 0.9999}})
    assert one.tile == parse_tile("O8:ggw") and one.others[0] == parse_tile("O8:gg")
    assert one.doubts[0] == "A.jpg shows O8:gg, B.jpg shows O8:wgg"
    outvoted = merged_tile({"g": {2: 0.999}}, {"g": {2: 0.999}, "w": {1: 0.999}}, {"g": {2: 0.999}})
    assert outvoted.tile == parse_tile("O8:gg") and "B.jpg shows O8:wgg" in outvoted.doubts[0]


def test_a_tile_that_looks_like_another_in_one_photo_is_told_by_the_next() -> None:
    clear = plainly()
    other = next(square for square, tile in enumerate(BARE) if tile.kind.code == "M6")
    mixed = clear.tiles.copy()
    mixed[[OASIS, other]] = 0.4 * clear.tiles[[OASIS, other]] + 0.6 * clear.tiles[[other, OASIS]]
    assert decide_board(sight(BARE, tiles=mixed)).tiles[OASIS].tile.kind is BARE[other].kind
    both = merge(sight(BARE, tiles=mixed), plainly())
    assert both.position.board == BARE
    assert both.tiles[OASIS].confidence > 0.9


@settings(max_examples=10)
@given(boards())
def test_half_a_turn_twice_is_none(board: Board) -> None:
    base = sight(board, detections=(PieceDetection("y", 0.25, 0.5, 0.9),), known=board)
    twice = half_turned(half_turned(base))
    assert (twice.detections, twice.known) == (base.detections, base.known)
    for one, other in zip((base.tiles, *base.pieces), (twice.tiles, *twice.pieces), strict=True):
        assert np.array_equal(one, other)
    assert np.allclose(twice.homography, base.homography)


@settings(max_examples=5, deadline=None)
@given(boards())
def test_a_photo_from_the_other_side_is_turned(board: Board) -> None:
    one = sight(board, detections=(PieceDetection("y", 0.25, 0.5, 0.9),))
    other = half_turned(one)
    _, (name, evidence, turned) = align_boards([("A.jpg", one), ("B.jpg", other)])
    assert (name, turned.position.board) == ("B.jpg", decide_board(one).position.board)
    assert turned.turned == decide_board(one).turned
    assert evidence.detections == one.detections
    # The same place of the board is the same place in the photo.
    corner = half_turned(one).homography @ [6, 5, 1]
    assert np.allclose(corner[:2] / corner[2], [5.0, 7.0])


def test_two_tables_are_refused_by_name() -> None:
    with pytest.raises(PhotoError, match=r"two different tables.*A\.jpg and B\.jpg"):
        merge(plainly(), sight(BARE[11:] + BARE[:11]))


def test_moved_pieces_are_told() -> None:
    moved = tuple(replace(tile, meeples=(int(square < 6), 0, 0, 0, 0)) for square, tile in enumerate(BARE))
    merged = merge(plainly(), sight(moved))
    assert merged.notes == (PIECES_MOVED,)
    assert merged.doubtful == tuple(range(6))


def test_tiles_told_by_a_code_stay_so() -> None:
    setup = random_setup(3, 7).board
    other = replace(setup[0], kind=next(kind for kind in KINDS if kind is not setup[0].kind))
    seen = sight((other, *setup[1:]), known=setup)
    for told in (decide_board(seen), merge(seen, seen)):
        assert [tile.tile.kind for tile in told.tiles] == [tile.kind for tile in setup]
        assert told.doubtful == (0,), "the picture says otherwise"
        assert told.tiles[0].doubts == (f"perhaps the tile is {other.kind.code}",)


def test_what_is_merged_can_stand_on_a_table() -> None:
    # Photos of the same tiles that show anything on them, clear or not (rules 1.1 to 1.5).
    rng = np.random.default_rng(1)
    tiles = sight(tuple(BARE[square] for square in rng.permutation(SQUARES))).tiles
    photos = [
        BoardEvidence(tiles, pieces, (), HOMOGRAPHY, independent_hypotheses(pieces), np.zeros(SQUARES))
        for pieces in (tuple(rng.dirichlet(np.full(group.size, 0.3), SQUARES) for group in GROUPS) for _ in range(2))
    ]
    merged = merge(*photos)
    assert problems(merged.position) == []
    assert merged.position.board == tuple(tile.tile for tile in merged.tiles)
    assert all(0 <= tile.confidence <= 1 for tile in merged.tiles)
    assert merge(*photos[::-1]).position.board in (merged.position.board, merged.position.board[::-1])
