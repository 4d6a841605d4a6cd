"""What is told of one tile decides others anew, as far as the box then asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import MEEPLE_COUNTS, PALACES, TILE_KINDS
from companion.vision.board.calibration import board_mean_logit, whole_probability
from companion.vision.board.contents_hypotheses import Hypotheses, ranked
from companion.vision.board.decision import corrected_tiles, decide_board
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.piece_corrections import apply_corrections, numbers_of
from companion.vision.board.pieces import GROUPS, calibrated_pieces
from companion.vision.board.tile_similarity import KINDS
from companion.vision.readings import Reading
from tests.vision.test_piece_embeddings import plain as plain
from tests.vision.test_piece_embeddings import two_strangers

VIZIERS = MEEPLE_COUNTS[0]
BARE: Board = tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count))
assert len(BARE) == SQUARES


def on(tile: Tile, pieces: str) -> Tile:
    """A tile of that kind with pieces on it."""
    return parse_tile(f"{tile.kind.code}{pieces}")


def seen(board: Sequence[Tile], chances: Mapping[int, Sequence[tuple[Tile, float]]]) -> BoardEvidence:
    """The evidence of a board that is clear but for some squares: there, these tiles have these probabilities."""
    tiles = np.full((SQUARES, len(KINDS), 4), 1e-4)
    pieces = tuple(np.full((SQUARES, group.size), 1e-5) for group in GROUPS)
    joint: list[Hypotheses] = []
    for square, tile in enumerate(board):
        possible = chances.get(square, [(tile, 1.0)])
        for one, chance in possible:
            tiles[square, KINDS.index(one.kind), 0] += chance
            for group, number in zip(pieces, numbers_of(one), strict=True):
                group[square, number] += chance
        numbers = np.array([numbers_of(one) for one, _ in possible])
        joint.append(ranked(numbers, np.log([chance for _, chance in possible])))
    tiles /= tiles.sum(axis=(1, 2), keepdims=True)
    pieces = tuple(group / group.sum(axis=1, keepdims=True) for group in pieces)
    return BoardEvidence(tiles, pieces, (), np.eye(3), hypotheses=tuple(joint), unknown=np.full(SQUARES, 1e-4))


def one_too_many() -> tuple[BoardEvidence, Tile, Tile]:
    """Two tiles that may have two viziers or three, on a board with all others but five of the box (rules 1.2)."""
    spread = [on(tile, ":y") if square < VIZIERS - 5 else tile for square, tile in enumerate(BARE)]
    two, three = ":yy", ":yyy"
    a, b = BARE[20], BARE[25]
    chances = {
        20: [(on(a, three), 0.7), (on(a, two), 0.3)],
        25: [(on(b, three), 0.6), (on(b, two), 0.4)],
    }
    return seen(spread, chances), on(a, two), on(b, three)


def told_of(evidence: BoardEvidence | None, reading: Reading, corrections: dict[int, Tile]) -> Board:
    """The board of a reading after a person said what lies on some squares."""
    return tuple(one.tile for one in corrected_tiles(reading.tiles, evidence, corrections))


def test_1_2_a_tile_told_gives_back_what_the_box_took_from_another() -> None:
    evidence, a_two, b_three = one_too_many()
    reading = decide_board(evidence)
    # Together they would be one too many: the less sure one gives way.
    assert sum(tile.meeples[0] for tile in reading.position.board) == VIZIERS
    assert reading.tiles[20].tile.meeples[0] == 3 and reading.tiles[25].tile.meeples[0] == 2
    told = corrected_tiles(reading.tiles, evidence, {20: a_two})
    assert told[20].tile == a_two and told[20].confidence == 1.0
    assert told[25].tile == b_three
    same = [square for square in range(SQUARES) if square not in (20, 25)]
    assert [told[square] for square in same] == [reading.tiles[square] for square in same]


def test_what_was_told_or_confirmed_before_stays() -> None:
    evidence, a_two, _ = one_too_many()
    reading = decide_board(evidence)
    confirmed = {25: reading.tiles[25].tile}
    assert told_of(evidence, reading, confirmed) == reading.position.board
    assert told_of(evidence, reading, {**confirmed, 20: a_two})[25] == reading.tiles[25].tile
    # Told otherwise and back again, the board is as it was.
    assert told_of(evidence, reading, {20: reading.tiles[20].tile}) == reading.position.board


def test_1_1_a_tile_of_another_kind_leaves_its_own_to_the_one_that_looks_so() -> None:
    first, other = BARE[0], next(tile for tile in BARE if tile.kind is not BARE[0].kind)
    square = BARE.index(other)
    # Both look like the first one's kind, of which the box has no more.
    chances = {0: [(first, 0.9), (other, 0.1)], square: [(first, 0.6), (other, 0.4)]}
    evidence = seen(BARE, chances)
    reading = decide_board(evidence)
    assert reading.position.board == BARE
    told = told_of(evidence, reading, {0: other})
    assert (told[0], told[square]) == (other, first)


def test_any_tile_can_be_told() -> None:
    evidence = one_too_many()[0]
    reading = decide_board(evidence)
    for pieces in ("", "#2", ":" + 12 * "w", ":ggr@B^1"):
        told = corrected_tiles(reading.tiles, evidence, {8: on(BARE[8], pieces)})
        assert told[8].tile == on(BARE[8], pieces)
        assert not told[8].is_doubtful and sum(one.tile.palaces for one in told) <= PALACES


def test_without_evidence_or_on_a_known_board_one_tile_alone_is_another() -> None:
    evidence, a_two, _ = one_too_many()
    known = replace(evidence, known=BARE)
    for reading, alone in ((decide_board(evidence), None), (decide_board(known), known)):
        told = corrected_tiles(reading.tiles, alone, {20: a_two})
        assert [one for one in range(SQUARES) if told[one] != reading.tiles[one]] == [20]


def test_4_8_what_stays_in_a_game_is_likelier_where_the_board_before_has_it() -> None:
    """Palms, palaces and camels stay (rules 6), and most tiles are as they were; what is clear wins all the same."""
    oasis = next(square for square, tile in enumerate(BARE) if tile.kind.code == "O8")
    palms = {number: on(BARE[oasis], f"^{number}") for number in (1, 2)}
    before = tuple(palms[2] if square == oasis else tile for square, tile in enumerate(BARE))
    for chance, alone, beside in ((0.6, 1, 2), (0.9, 1, 2), (0.999, 1, 1)):
        evidence = seen(BARE, {oasis: [(palms[1], chance), (palms[2], 1 - chance)]})
        assert decide_board(evidence).tiles[oasis].tile.palms == alone
        for known in (
            replace(evidence, before=before),
            half_turned(replace(half_turned(evidence), before=before[::-1])),
        ):
            assert decide_board(known).tiles[oasis].tile.palms == beside
    camel, none = on(BARE[oasis], "@P"), BARE[oasis]
    chances = {oasis: [(none, 0.8), (camel, 0.2)], 29: [(on(BARE[29], ":y"), 0.6), (BARE[29], 0.4)]}
    game = tuple(camel if square == oasis else tile for square, tile in enumerate(BARE))
    known = replace(seen(BARE, chances), before=game)
    told = decide_board(known).tiles
    assert told[oasis].tile == camel and told[29].tile == BARE[29], "a tile is sooner as it was"
    assert decide_board(replace(known, corrections={oasis: none})).tiles[oasis].tile == none


def test_answers_make_the_printing_no_clearer() -> None:
    """Where ten tiles were hard to tell, the others may be wrong too, whatever a person says of those ten."""
    hard = {square: [(tile, 0.5), (BARE[(square + 12) % SQUARES], 0.5)] for square, tile in enumerate(BARE[:10])}
    likely = {20: [(BARE[20], 0.8), (BARE[0], 0.2)]}
    strange, usual = seen(BARE, hard | likely), seen(BARE, likely)
    told = decide_board(replace(strange, corrections=dict(enumerate(BARE[:10]))))
    confidences = [reading.tiles[20].raw_confidence for reading in (decide_board(strange), told, decide_board(usual))]
    assert confidences[0] == pytest.approx(confidences[1], abs=0.005) and confidences[2] > confidences[0] + 0.02
    assert min(told.tiles[square].raw_confidence for square in range(10)) > 0.999


def test_how_clearly_a_board_is_read_is_told_by_the_tiles_that_nobody_told() -> None:
    unsure = {square: [(tile, 0.7), (on(tile, ":y"), 0.3)] for square, tile in enumerate(BARE) if square >= 10}
    told = decide_board(replace(seen(BARE, unsure), corrections=dict(enumerate(BARE[:10]))))
    raw = [tile.raw_confidence for tile in told.tiles]
    by_untold, by_all = (whole_probability(raw[20], board_mean_logit(part)) for part in (raw[10:], raw))
    assert told.tiles[20].confidence == pytest.approx(by_untold, abs=1e-4) and by_all > by_untold + 0.01


def test_what_nobody_told_is_as_it_was_seen() -> None:
    evidence, a_two, _ = one_too_many()
    assert apply_corrections(evidence) is evidence
    told = apply_corrections(replace(evidence, corrections={20: a_two}))
    assert (
        told.hypotheses is not None
        and evidence.hypotheses is not None
        and told.hypotheses[25] is evidence.hypotheses[25]
    )
    assert np.array_equal(np.delete(told.tiles, 20, axis=0), np.delete(evidence.tiles, 20, axis=0))


@pytest.mark.usefixtures("plain")
def test_pieces_told_tell_others_whichever_way_the_board_is_turned() -> None:
    evidence, _, _ = one_too_many()
    compared = two_strangers()
    evidence = replace(evidence, compared=compared, corrections={12: on(BARE[12], "^1")})
    told = apply_corrections(evidence)
    untold = calibrated_pieces(compared.compared())
    palms = next(number for number, group in enumerate(GROUPS) if group.kind == "palm")
    assert told.pieces[palms][22, 1] > 1.5 * untold.counts[palms][22, 1]
    assert told.hypotheses is not None and told.hypotheses[12].as_numbers(0) == numbers_of(on(BARE[12], "^1"))
    turned = apply_corrections(half_turned(evidence))
    assert turned.hypotheses is not None and turned.turned
    for one, other in zip(half_turned(told).pieces, turned.pieces, strict=True):
        assert np.allclose(one, other)
    for square in range(SQUARES):
        assert np.array_equal(turned.hypotheses[SQUARES - 1 - square].numbers, told.hypotheses[square].numbers)
    feet = {(one.kind, round(6 - one.x, 6), round(5 - one.y, 6)) for one in turned.detections}
    assert feet == {(one.kind, round(one.x, 6), round(one.y, 6)) for one in told.detections}
