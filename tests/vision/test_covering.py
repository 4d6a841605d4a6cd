"""A hand over the board is noticed where it is, and what it covers says nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from companion.lab.rendering.obstacles import Obstacle, draw_obstacle, lay_over
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARES
from companion.vision.board.contents_likelihood import ContentsLikelihood
from companion.vision.board.covering import covered_squares
from companion.vision.board.decision import corrected_tiles, decide_board
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.pieces import run_piece_net
from companion.vision.board.rectify import rectify
from companion.vision.load import Picture
from companion.vision.reading.pipeline import see_board
from tests.vision.tables import located, whole
from tests.vision.test_merge import BARE, OASIS, merge, plainly, sight

COVERED = "something covers it"
HAND = 5003
"""The seed of a hand; others draw sheets of paper."""


def named(picture: Picture, name: str) -> frozenset[int]:
    features = run_piece_net(rectify(picture, located(name).homography)).features
    assert features is not None
    return covered_squares(features)


@cache
def over(name: str, seed: int) -> tuple[Picture, Obstacle]:
    """A sample photo with something drawn over its board, and what that is."""
    rng = np.random.default_rng(seed)
    obstacle = draw_obstacle(rng)
    return lay_over(whole(name), located(name).homography, obstacle, rng), obstacle


@pytest.mark.parametrize("seed", [HAND, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (5005, 5006))])
def test_a_hand_over_the_board_is_noticed_where_it_is(seed: int) -> None:
    picture, obstacle = over("mid", seed)
    shares = obstacle.shares().ravel()
    found = named(picture, "mid")
    assert found and found.issuperset(np.flatnonzero(shares > 0.7).tolist())
    assert found.isdisjoint(np.flatnonzero(shares == 0).tolist())


SLOWER = [pytest.param(name, marks=pytest.mark.slow) for name in ("start", "after", "end", "evening")]


@pytest.mark.parametrize("name", ["mid", *SLOWER])
def test_nothing_covers_a_board_with_its_pieces(name: str) -> None:
    assert named(whole(name), name) == frozenset()


def covering(*squares: int, base: BoardEvidence | None = None) -> BoardEvidence:
    return replace(base or plainly(), covered=frozenset(squares))


def test_what_is_covered_is_said_and_asked_about_until_somebody_says_what_is_there() -> None:
    reading = decide_board(covering(0, 1, 7))
    assert set(reading.doubtful) == {0, 1, 7}
    assert all(reading.tiles[square].doubts == (COVERED,) for square in (0, 1, 7))
    (note,) = reading.notes
    assert note.startswith("Something covers a1, b1 and b2, perhaps a hand")
    told = corrected_tiles(reading.tiles, covering(OASIS), {OASIS: parse_tile("O8:w")})
    assert str(told[OASIS].tile) == "O8:w" and not told[OASIS].is_doubtful
    assert not decide_board(replace(covering(OASIS), corrections={OASIS: BARE[OASIS]})).notes


def test_tiles_beside_what_is_covered_are_read_as_surely_as_ever() -> None:
    blind = covering(OASIS)
    tiles = blind.tiles.copy()
    tiles[OASIS] = 1 / tiles[0].size
    plain, reading = decide_board(plainly()), decide_board(replace(blind, tiles=tiles))
    for square in range(SQUARES):
        if square != OASIS:
            assert reading.tiles[square].confidence == pytest.approx(plain.tiles[square].confidence, abs=1e-3)


def test_a_board_that_is_turned_has_its_covered_tiles_at_the_other_end() -> None:
    assert half_turned(covering(0, 7)).covered == {SQUARES - 1, SQUARES - 8}


def test_in_a_game_a_covered_tile_stays_as_it_lay() -> None:
    full = replace(BARE[OASIS], meeples=(0, 2, 0, 1, 0))
    before = (*BARE[:OASIS], full, *BARE[OASIS + 1 :])
    seen = decide_board(replace(covering(OASIS, base=sight(BARE)), known=BARE, before=before)).tiles[OASIS]
    assert seen.tile == full and seen.doubts == (COVERED,)


def test_another_photo_shows_what_one_covers() -> None:
    full = replace(BARE[OASIS], meeples=(0, 2, 0, 1, 0))
    clear = sight((*BARE[:OASIS], full, *BARE[OASIS + 1 :]))
    for photos in ((covering(OASIS), clear), (clear, covering(OASIS))):
        reading = merge(*photos)
        assert reading.tiles[OASIS].tile == full and not reading.tiles[OASIS].is_doubtful
        assert not reading.notes
    assert COVERED in merge(covering(OASIS, 0), covering(OASIS)).tiles[OASIS].doubts


def test_no_contents_of_a_covered_tile_are_likelier_than_others() -> None:
    evidence = covering(OASIS)
    likelihood = ContentsLikelihood.of(evidence.pieces, evidence.hypotheses, evidence.covered)
    heap = replace(BARE[OASIS], meeples=(4, 4, 4, 4, 4), palms=2)
    assert likelihood(OASIS, heap) == likelihood(OASIS, BARE[OASIS]) == likelihood.best(OASIS)
    other = OASIS + 1
    assert likelihood(other, BARE[other]) > likelihood(other, replace(BARE[other], meeples=(4, 4, 4, 4, 4)))


def test_what_a_photo_shows_under_a_hand_is_left_out() -> None:
    evidence = see_board(over("mid", HAND)[0], located("mid"))
    assert evidence.covered
    for square in evidence.covered:
        assert np.ptp(evidence.tiles[square]) == 0 and evidence.unknown[square] == 0
