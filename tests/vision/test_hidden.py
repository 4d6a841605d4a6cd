"""What a photo doesn't show of a tile, and colours that it lacks, leave no reading sure."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.vision.board.decision import corrected_tiles, decide_board
from companion.vision.board.evidence import half_turned
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX, hidden_squares
from companion.vision.load import Picture, has_few_colours
from companion.vision.reading.merge import pooled
from companion.vision.reading.pipeline import read_picture
from tests.vision import tables
from tests.vision.test_out_of_distribution import evidence

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
