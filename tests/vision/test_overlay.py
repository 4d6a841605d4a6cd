"""The photo with its reading drawn on it: labels stand beside the pieces, and beside one another."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from companion.drawing.label_placement import Rect, covered_depth, leader
from companion.language.catalogue import translate
from companion.language.phrase import term
from companion.notation.files import parse_position
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe
from companion.vision.board.pieces import pieces_on
from companion.vision.load import Picture
from companion.vision.reading import overlay
from companion.vision.reading.doubts import tile_lines
from companion.vision.reading.overlay import (
    OverlayPen,
    body_discs,
    draw_overlay,
    label_places,
    placed_marks,
    signs,
)
from companion.vision.readings import Reading, TileReading
from tests.vision.tables import SAMPLES

HOMOGRAPHY = ((150.0, -18.0, 120.0), (14.0, 140.0, 90.0), (0.0, 0.00004, 1.0))
SIZE = (1200, 900)


def read_with_pieces(name: str, seed: int) -> Reading:
    """A position of the samples as if it had been read, each piece somewhere on its tile."""
    random = Random(seed)
    position = parse_position((SAMPLES / name).read_text(encoding="utf-8"))
    tiles = []
    for square, tile in enumerate(position.board):
        feet = [
            (kind, square % 6 + random.uniform(0.12, 0.88), square // 6 + random.uniform(0.25, 0.9))
            for kind in pieces_on(tile)
        ]
        tiles.append(TileReading(tile, random.choice((0.3, 0.8, 0.99, 0.99)), (), tuple(feet)))
    return Reading(position, tuple(tiles), turned=0, homography=HOMOGRAPHY, notes=())


def overlap(one: Rect, other: Rect) -> bool:
    (x, y, w, h), (u, v, ww, hh) = one, other
    return min(x + w, u + ww) > max(x, u) and min(y + h, v + hh) > max(y, v)


@pytest.mark.parametrize(("name", "seed"), [("start.toml", 0), ("end.toml", 1)])
def test_labels_cover_no_piece_and_no_other_label(name: str, seed: int) -> None:
    reading = read_with_pieces(name, seed)
    labels = [str(tile.tile) for tile in reading.tiles]
    marks, coordinates = placed_marks(reading, labels, np.array(HOMOGRAPHY))
    pen = OverlayPen(145.0)
    laid = label_places(marks, coordinates, SIZE, pen)
    assert len(laid) == 30
    discs = [disc for mark in marks for _, foot in mark.pieces for disc in body_discs(foot, pen.tile)]
    assert len(discs) > 60
    for one in laid:
        assert not any(covered_depth(one.rect, disc) for disc in discs)
        assert one.rect[0] >= 0 and one.rect[1] >= 0
        assert one.rect[0] + one.rect[2] <= SIZE[0] and one.rect[1] + one.rect[3] <= SIZE[1]
    assert not any(overlap(one.rect, other.rect) for one, other in combinations(laid, 2))
    # A label stands on its own tile, or a line leads to it.
    for mark, one in zip(marks, laid, strict=True):
        x, y = one.rect[0] + one.rect[2] / 2, one.rect[1] + one.rect[3] / 2
        middle = (float(mark.middle[0]), float(mark.middle[1]))
        beside = max(abs(x - middle[0]), abs(y - middle[1])) > 0.55 * pen.tile
        assert not beside or leader(one.rect, middle, pen.tile) is not None or covers(one.rect, middle, pen.tile)


def covers(rect: Rect, middle: tuple[float, float], tile: float) -> bool:
    """Whether a label reaches well into its tile."""
    return covered_depth(rect, (*middle, 0.38 * tile)) > 0


def test_the_words_below_are_those_of_the_language() -> None:
    reading, language = read_with_pieces("mid.toml", 1), "ko"
    said = [translate(line, language) for line in (*tile_lines(reading, 3), signs())]
    assert len(said) == 6
    head, *tiles, more, key = said
    assert "30" in head and str(len(reading.doubtful)) in head
    assert [line.split()[0].strip(":") for line in tiles] == [SQUARE_NAMES[square] for square in reading.doubtful[:3]]
    assert str(len(reading.doubtful) - 3) in more and more != f"and {len(reading.doubtful) - 3} more"
    for tribe in Tribe:
        assert f"{tribe.letter} {translate(term(tribe.noun), language)}" in key


def test_letters_can_be_read_however_small_the_board_is(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    write = overlay.write_left

    def keep(canvas: Picture, text: str, place: tuple[int, int], size: int, colour: overlay.BGR) -> None:
        sizes.append(size)
        write(canvas, text, place, size, colour)

    monkeypatch.setattr(overlay, "write_left", keep)
    homography = ((60.0, 0.0, 500.0), (0.0, 60.0, 400.0), (0.0, 0.0, 1.0))
    draw_overlay(np.zeros((1350, 1800, 3), np.uint8), replace(read_with_pieces("mid.toml", 1), homography=homography))
    # 6 pt on the 190 mm that an A4 page has for the picture's height.
    assert min(sizes) >= 6 / 72 * 25.4 * 1350 / 190 and len(sizes) > 60


def test_a_title_at_the_edge_of_a_photo_is_cut_out_with_what_there_is_around_it() -> None:
    left, top, width, height = 2, 1, 40, 20
    rim = round(overlay.TITLE_RIM * height)
    assert rim > left
    picture = overlay.title_picture(np.zeros((60, 90, 3), np.uint8), (left, top, width, height))
    across = (left + width + rim) / (top + height + rim)
    assert picture.shape == (overlay.TITLE_HEIGHT_PX, round(across * overlay.TITLE_HEIGHT_PX), 3)
