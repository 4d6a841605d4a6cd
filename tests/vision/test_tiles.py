"""Thirty tiles are told together (rules 1.1), each trusted as far as the printing of its board is known."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import PhotoError
from companion.rules.model.board import SQUARES
from companion.vision.board import tiles
from companion.vision.board.calibration import CLIPPED_LOGIT, UNSUREST, printing_mean_logits, tile_probabilities
from companion.vision.board.rectify import rectify
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import (
    CLEARLY_CLASSIFIED,
    CROPS_A_BATCH,
    TURNS,
    assign_tiles,
    crop_tile,
    half_turn,
    is_half_turned,
    recognise_tiles,
    score_crops,
    score_tiles,
)
from companion.vision.networks import forward, white_level
from companion.vision.numerics import Float32, safe_logit
from tests.vision.tables import located, whole


def certain(kinds: list[int], turns: list[int], sure: float = 0.97) -> np.ndarray:
    table = np.full((SQUARES, len(KINDS), 4), (1 - sure) / (len(KINDS) * 4 - 1))
    for square, (kind, turn) in enumerate(zip(kinds, turns, strict=True)):
        table[square, kind, turn] = sure
    return table


IN_BOX = [index for index, kind in enumerate(KINDS) for _ in range(kind.count)]


def test_1_1_a_doubtful_tile_becomes_the_one_that_is_left() -> None:
    table = certain(IN_BOX, [0] * SQUARES)
    other = (IN_BOX[3] + 1) % len(KINDS)
    table[3] = 0.001
    table[3, other, 0], table[3, IN_BOX[3], 0] = 0.5, 0.45
    sights = assign_tiles(table)
    assert [KINDS.index(sight.kind) for sight in sights] == IN_BOX
    assert sights[3].probability == pytest.approx(0.45, abs=0.01)
    assert sights[3].other is KINDS[other]


def test_a_board_on_its_head_is_told_and_turned() -> None:
    table = certain(IN_BOX, [2] * 25 + [0] * 5)
    assert is_half_turned(table)
    upright = half_turn(table)
    assert not is_half_turned(upright)
    assert [KINDS.index(sight.kind) for sight in assign_tiles(upright)] == IN_BOX[::-1]
    assert [sight.turn for sight in assign_tiles(upright)] == [2] * 5 + [0] * 25


def test_a_tile_that_is_not_clear_is_looked_at_from_all_sides() -> None:
    board = rectify(whole("mid"), located("mid").homography)
    half = board.shape[1] // 2
    board[:, :half] = cv2.GaussianBlur(board, (0, 0), 12)[:, :half]
    scores, white, looked_again = score_tiles(board), white_level(board), 0
    squares = (1, 14, 16, 28)
    for square in squares:
        crop = crop_tile(board, square)
        turned = score_crops(np.stack([np.rot90(crop, -turn) for turn in range(TURNS)]), white).probabilities
        # Turned by so many quarters more, a tile that lies in the first turn lies in that one.
        looks = [np.roll(seen, -turn, axis=1) for turn, seen in enumerate(turned)]
        expected = looks[0]
        if looks[0].sum(axis=1).max() < CLEARLY_CLASSIFIED:
            looked_again += 1
            together = np.prod(looks, axis=0) ** (1 / TURNS)
            expected = together / together.sum()
        assert np.allclose(scores.probabilities[square], expected, atol=1e-5)
    assert 0 < looked_again < len(squares)


def test_another_games_squares_are_refused_at_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take no longer than a reading: not from all sides, not mirrored."""
    looks = []

    def counted(network: str, batch: Float32, wanted: tuple[str, ...]) -> tuple[Float32, ...]:
        looks.append(network)
        return forward(network, batch, wanted)

    monkeypatch.setattr(tiles, "forward", counted)
    size = rectify(whole("mid"), np.eye(3)).shape
    draughts = np.indices(size[:2]).sum(axis=0) // 64 % 2 * 200
    with pytest.raises(PhotoError, match="no Five Tribes tiles"):
        recognise_tiles(np.stack([draughts] * 3, axis=2).astype(np.uint8), np.eye(3))
    assert looks == ["tiles"] * (SQUARES // CROPS_A_BATCH)


def probabilities(scores: list[float]) -> tuple[float, ...]:
    return tile_probabilities(scores, printing_mean_logits(scores))


scores = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(scores)
def test_the_least_sure_others_tell_how_well_a_printing_is_known(given_scores: list[float]) -> None:
    """Against a plain twin that sorts the others of each tile anew."""
    for place, clearness in enumerate(printing_mean_logits(given_scores)):
        others = sorted(safe_logit(score) for score in given_scores[:place] + given_scores[place + 1 :])[:UNSUREST]
        clipped = [max(-CLIPPED_LOGIT, min(logit, CLIPPED_LOGIT)) for logit in others]
        assert clearness == pytest.approx(sum(clipped) / len(clipped))


def test_a_tile_has_no_say_in_its_own_printing() -> None:
    found = printing_mean_logits([0.01, *[0.9] * 29])
    assert found[0] == pytest.approx(math.log(9))
    assert found[1] == pytest.approx((math.log(1 / 99) + 7 * math.log(9)) / 8)
    assert printing_mean_logits([0.7]) == [0.0]


def test_among_unsure_tiles_a_sure_one_is_trusted_less() -> None:
    usual, strange, stranger = (probabilities([0.98] + [score] * 29)[0] for score in (0.98, 0.3, 0.1))
    assert usual > 0.999 and 1 - strange > 20 * (1 - usual)
    assert stranger < 0.99 and stranger < strange


def test_a_tile_that_only_the_box_speaks_for_is_doubted() -> None:
    """As where a tile of another copy lies among those of a printing that is known well."""
    told = probabilities([0.001, *[0.99] * 29])
    assert told[0] < 0.6 and min(told[1:]) > 0.99


def test_a_few_hidden_tiles_leave_the_others_trusted() -> None:
    told = probabilities([0.2, 0.3, *[0.99] * 28])
    assert min(told[2:]) > 0.98
