"""A tile's reading in the end: how sure, what else it may be, and what no photo shows of it or no box holds."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.rules.model.components import TILE_KINDS
from companion.rules.model.position import Position
from companion.vision.board.constraints import TileContents
from companion.vision.board.decision import MIN_LOSS_VP, corrected_tiles, decide_board, differences, loss_vp, read_tile
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.pieces import GROUPS, PieceDetection
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX, hidden_squares
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import TileClassification, TileScores, half_turn, unknown_probabilities
from companion.vision.fitted import UNKNOWN_FROM
from companion.vision.load import Picture, has_few_colours
from companion.vision.numerics import Float64
from companion.vision.reading.merge import pooled
from companion.vision.reading.pipeline import read_picture
from companion.vision.readings import DOUBT_BELOW, Reading, TileReading
from tests.vision import tables
from tests.vision.tables import independent_hypotheses, numbers


def sight(probability: float = 1.0) -> TileClassification:
    return TileClassification(TILE_KINDS["O8"], probability, TILE_KINDS["V5"], 1 - probability, 0)


def test_a_clear_tile_has_no_doubts() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1, palm=2, camel=4), 1.0, ((1e-5, numbers(y=2)),)), [])
    assert str(reading.tile) == "O8:y@P^2"
    assert reading.confidence > DOUBT_BELOW
    assert reading.doubts == () and not reading.is_doubtful


def test_a_doubtful_tile_says_what_else_it_may_be_likeliest_first() -> None:
    others = ((0.3, numbers(y=2)), (0.1, numbers(y=1, camel=1)), (0.001, numbers(y=1, g=1)))
    reading = read_tile(
        sight(), TileContents(numbers(y=1), 0.4, others, ("one more vizier seen than the box holds",)), []
    )
    assert reading.is_doubtful
    assert reading.doubts == (
        "perhaps 2 viziers (not 1)",
        "perhaps a black camel",
        "one more vizier seen than the box holds",
    )
    assert str(reading.others[0]) == "O8:yy"


def test_a_doubtful_tile_is_never_without_words() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1), 0.05, ((0.01, numbers()),)), [])
    assert reading.is_doubtful and reading.doubts == ("perhaps no vizier",)
    reading = read_tile(sight(0.05), TileContents(numbers(), 1.0), [])
    assert reading.doubts == ("perhaps the tile is V5",)
    assert reading.others[0].kind.code == "V5"


def test_another_kind_stands_before_other_pieces_where_it_is_likelier() -> None:
    reading = read_tile(sight(0.3), TileContents(numbers(y=1), 0.9, ((0.05, numbers(y=2)),)), [])
    assert [str(other) for other in reading.others] == ["V5:y", "O8:yy"]


def test_10_at_stake_is_what_the_others_would_give_as_likely_as_the_reading_is_wrong() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1), 0.4, ((0.3, numbers(y=1, camel=1)),)), [])
    other = reading.others[0]
    assert reading.expected_loss == pytest.approx((1 - reading.confidence) * loss_vp(reading.tile, other), abs=1e-3)
    assert loss_vp(reading.tile, other) > 1


def test_a_board_turned_in_its_photo_is_said_to_be_so() -> None:
    """In degrees clockwise, as the photo shows it: its y axis points down."""
    for turned in (0, 30, 270):
        cos, sin = np.cos(np.radians(turned)), np.sin(np.radians(turned))
        homography = np.array([[50 * cos, -50 * sin, 400], [50 * sin, 50 * cos, 100], [0, 0, 1]])
        assert decide_board(replace(evidence(), homography=homography)).turned == turned


def test_feet_are_the_likeliest_of_what_stands_there() -> None:
    feet = [PieceDetection("y", 0.2, 0.2, 0.4), PieceDetection("y", 0.7, 0.7, 0.9), PieceDetection("r", 0.5, 0.5, 0.3)]
    reading = read_tile(sight(), TileContents(numbers(y=1, g=1), 1.0), feet)
    assert reading.detections == (("y", 0.7, 0.7),)


def test_differences_in_words() -> None:
    for tile, other, words in (
        ("O8:y", "O8", ["no vizier"]),
        ("O8", "O8:ww", ["2 elders"]),
        ("O8:ggg", "O8:g", ["1 merchant (not 3)"]),
        ("O8:wb", "O8:bb", ["no elder", "2 builders (not 1)"]),
        ("V5@K", "V5", ["no camel"]),
        ("V5@K", "V5@P", ["the camel is pink"]),
        ("V5", "V5@O#1", ["an orange camel", "1 palace"]),
    ):
        assert list(differences(parse_tile(tile), parse_tile(other))) == words


def test_10_points_between_two_readings_are_the_same_both_ways() -> None:
    assert loss_vp(parse_tile("O8:g"), parse_tile("O8:g")) == 0
    for tile, other, points in (
        ("S15", "S15@K", 15),  # 10.6: the owner's value
        ("S15@O", "S15@K", 30),  # one has it, the other has not
        ("V5@K#1", "V5@K#2", 5),  # 10.5
        ("O8@K^1", "O8@K", 3),
        ("O8@K^2", "O8^2", 14),  # 10.5, 10.6: what stands on it goes with the tile
        ("V5#1", "V5", 2.5),  # nobody's yet
        ("M4@K", "M6@K", 2),
        ("M4:y", "M4", 1),  # 10.2
        ("M4:ww", "M4", 4),  # 10.3
        ("M4:bg", "M4:b", 1),
        ("O8:g", "O8^1", 2.5),
    ):
        one, two = parse_tile(tile), parse_tile(other)
        assert loss_vp(one, two) == loss_vp(two, one) == points >= MIN_LOSS_VP, (tile, other)


def test_doubts_come_by_what_they_cost_then_by_how_sure_they_are() -> None:
    clear = TileReading(parse_tile("M4"), 0.99, expected_loss=9.0)
    seen = [replace(clear, confidence=0.5, expected_loss=cost) for cost in (0.5, 6.0, 0.5)]
    seen[2] = replace(seen[2], confidence=0.3)
    reading = Reading(Position(board=tuple([clear.tile] * 30)), (*seen, *[clear] * 27), 0)
    assert list(reading.doubts.items()) == [(1, 0.5), (2, 0.3), (0, 0.5)]
    told = corrected_tiles(reading.tiles, None, {1: clear.tile})
    assert replace(reading, tiles=told).doubtful == (2, 0)


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


C3 = SQUARE_NAMES.index("c3")
HIDDEN = "part of it can't be seen: there may be more there"


def board() -> Picture:
    """A rectified board of plain tiles, with the noise of a sensor."""
    rng = np.random.default_rng(2)
    width, height = BOARD_SIZE_PX
    return (180 + 12 * rng.standard_normal((height, width, 3))).clip(0, 255).astype(np.uint8)


def middle(square: int) -> tuple[int, int]:
    row, column = divmod(square, 6)
    return round((column + 0.5 + MARGIN_TILES) * TILE_PX), round((row + 0.5 + MARGIN_TILES) * TILE_PX)


def test_burnt_out_white_and_what_is_painted_over_hide_a_part_of_a_tile() -> None:
    plain = board()
    assert hidden_squares(plain) == frozenset()
    shining, barred, smooth = plain.copy(), plain.copy(), cv2.GaussianBlur(plain, (0, 0), 25)
    cv2.circle(shining, middle(C3), TILE_PX // 8, (255, 255, 255), -1)
    assert hidden_squares(shining) == {C3}
    x, y = middle(0)
    cv2.rectangle(barred, (0, y - 15), (BOARD_SIZE_PX[0], y + 15), (40, 20, 20), -1)
    assert hidden_squares(barred) == frozenset(range(6))
    # A photo that is smooth all over, as after many a sending, hides nothing.
    assert hidden_squares(np.asarray(smooth, np.uint8)) == frozenset()


def test_a_tile_of_which_a_part_is_hidden_is_doubtful_until_somebody_says_what_is_there() -> None:
    clear, covered = decide_board(evidence()), decide_board(replace(evidence(), hidden=frozenset({C3})))
    assert not clear.tiles[C3].is_doubtful
    assert covered.doubtful[0] == C3 and covered.tiles[C3].doubts[0] == HIDDEN
    assert sum(covered.tiles[C3].probabilities) == pytest.approx(1 - covered.tiles[C3].confidence)
    assert not corrected_tiles(covered.tiles, evidence(), {C3: covered.tiles[C3].tile})[C3].is_doubtful
    turned = decide_board(half_turned(replace(evidence(), hidden=frozenset({C3}))))
    assert [square for square, tile in enumerate(turned.tiles) if HIDDEN in tile.doubts] == [SQUARES - 1 - C3]


def test_what_one_photo_hides_another_shows() -> None:
    seen = [replace(evidence(), hidden=frozenset(hidden)) for hidden in ({1, 2}, {2, 3})]
    assert pooled(seen).hidden == {2}
    assert pooled([seen[0], evidence()]).hidden == frozenset()


def test_pictures_of_few_colours_are_read_less_surely_and_it_is_said_once() -> None:
    photo = board()
    assert not has_few_colours(photo) and has_few_colours(photo // 64 * 64)
    sure, reduced = decide_board(evidence()), decide_board(replace(evidence(), few_colours=True))
    assert all(
        less.confidence < more.confidence and less.tile == more.tile
        for less, more in zip(reduced.tiles, sure.tiles, strict=True)
    )
    assert not sure.notes and [note for note in reduced.notes if "few colours" in note] == list(reduced.notes)
    assert pooled([replace(evidence(), few_colours=True), evidence()]).few_colours is False


@pytest.mark.slow
def test_no_mistake_under_a_lamps_reflection_or_a_caption_goes_unmarked() -> None:
    """Each covers pieces of the third row of the sample's board."""
    photo, truth = tables.sample("mid"), read_picture(tables.sample("mid"))
    high, wide = photo.shape[:2]
    y, x = np.mgrid[:high, :wide]
    for size in (0.12, 0.05):
        light = np.exp(-(((x - wide * 0.45) / (wide * size)) ** 2) - ((y - high * 0.5) / (high * size)) ** 2)
        share = np.clip(1.6 * light, 0, 1)[..., None]
        shining = (photo + (255.0 - photo) * share).astype(np.uint8)
        captioned = photo.copy()
        cv2.rectangle(captioned, (0, round(high * 0.45)), (wide, round(high * 0.52)), (0, 0, 0), -1)
        for spoilt in (shining, captioned):
            read = read_picture(spoilt)
            wrong = {place for place in range(SQUARES) if read.tiles[place].tile != truth.tiles[place].tile}
            assert wrong and wrong <= set(read.doubtful)
