"""A photo read with the board of its game: the game's tiles, whichever way round it was taken; or no board at all.

And what phones are shown of a reading: how far it has come, the photo as large as they take it, what is in doubt.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import MissingDependencyError, NotationError, PhotoError
from companion.notation.tokens import format_board
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Position
from companion.system.programs import find_tesseract
from companion.system.progress import ReadingStep, TellShare
from companion.table import photo_reading
from companion.table.comparing import board_to_compare
from companion.table.photo_reading import answered, see_hand, see_photos, table_reading, take_answers
from companion.table.photos import AROUND_THE_BOARD, HandMark, TableReading, board_box, cut_homography, upright
from companion.table.scanning import ScannedCodes
from companion.vision.locate.grid import OUTLINE
from companion.vision.numerics import project
from companion.vision.reading.cards import HoldingsReading
from companion.vision.reading.merge import TILES_FROM_CODE
from companion.vision.reading.overlay import LONG_SIDE_PX
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TileReading, TitleDetection, certain_tiles
from tests import samples
from tests.samples import MID, SAMPLES
from tests.vision.cards.tables import Camera, deal, djinn_photo, lines_of, own_face, photograph
from tests.vision.test_doubts import table as doubtful_table

EVENING = samples.EVENING.board


def seen_in(
    path: Path, board: Board, tell: TellShare = lambda share, words: None, *, own_set: bool = False
) -> TableReading:
    seen = see_photos([str(path)], own_set, format_board(board), (), tell)
    assert isinstance(seen, TableReading)
    return seen


def seen_with(board: Board) -> TableReading:
    return seen_in(SAMPLES / "evening.jpg", board)


@pytest.mark.slow
def test_the_tiles_are_those_of_the_game_the_way_the_game_has_them() -> None:
    board = EVENING[::-1]
    seen = seen_with(board)
    assert [tile.kind for tile in seen.position.board] == [tile.kind for tile in board]
    assert sum(tile == known for tile, known in zip(seen.position.board, board, strict=True)) >= SQUARES - 4
    assert len(seen.crops) >= SQUARES


@pytest.mark.slow
def test_other_tiles_than_the_games_are_read_as_they_lie() -> None:
    other = EVENING[7:] + EVENING[:7]
    seen = seen_with(other)
    assert board_to_compare(seen, other) is None
    boards = (EVENING, EVENING[::-1])
    assert max(sum(a.kind is b.kind for a, b in zip(seen.position.board, one, strict=True)) for one in boards) >= 28


def photo_of_a_row(folder: Path) -> tuple[Path, list[str]]:
    """A photo of a row of nine resource cards and nothing else, and the cards from left to right."""
    rng = np.random.default_rng(4)
    names = deal(rng, 9)
    photo = photograph(lines_of([names], rng=rng), own_face, rng, Camera(0, 10, 900))
    path = folder / "row.jpg"
    cv2.imwrite(str(path), photo)
    return path, list(names)


@pytest.mark.slow
def test_a_photo_of_the_row_alone_leaves_the_board_as_it_is(tmp_path: Path) -> None:
    """rules 2.6"""
    path, names = photo_of_a_row(tmp_path)
    seen = seen_in(path, EVENING)
    assert seen.position.board == EVENING and not seen.shows_board and seen.view is None
    assert seen.position.row == tuple(names)


@pytest.mark.slow
def test_a_phone_is_told_of_a_photo_without_a_board_in_words_without_commands(tmp_path: Path) -> None:
    path, _ = photo_of_a_row(tmp_path)
    with pytest.raises(PhotoError) as caught:
        see_photos([str(path)], False, "", (), lambda share, stage: None)
    assert str(caught.value) == "the photo shows cards, but no photo shows the board: add one of all 30 tiles"


@pytest.mark.slow
def test_a_photo_of_the_djinns_alone_leaves_the_board_as_it_is(tmp_path: Path) -> None:
    """rules 2.7"""
    if find_tesseract() is None:
        pytest.skip("needs Tesseract")
    photo, djinns = djinn_photo("en", np.random.default_rng([0, 1, *b"en"]))
    path = tmp_path / "djinns.jpg"
    cv2.imwrite(str(path), photo)
    seen = seen_in(path, EVENING)
    assert seen.position.board == EVENING and seen.position.djinns == tuple(djinns) and seen.position.row is None


def test_steps_of_a_reading_are_shares_of_the_whole() -> None:
    shares: list[float] = []
    step = photo_reading._Share(2, lambda share, stage: shares.append(share)).step
    for one in (ReadingStep.SCAN, ReadingStep.SCAN, *[ReadingStep.BOARD, ReadingStep.CARDS, ReadingStep.TITLES] * 2):
        step(one, "")
    assert shares == pytest.approx([0.0, 0.2, 0.4, 0.575, 0.575, 0.675, 0.85, 0.85])
    # Of photos without a board only cards are looked for; cutting pictures out always has a part of its own.
    shares.clear()
    step = photo_reading._Share(1, lambda share, stage: shares.append(share)).step
    for one in (ReadingStep.SCAN, ReadingStep.CARDS, ReadingStep.BOARD, ReadingStep.BOARD, ReadingStep.CARDS):
        step(one, "")
    assert shares == pytest.approx([0.0, 0.75, 0.4, 0.95, 0.95])


def test_a_photo_is_shown_no_larger_than_phones_take_it_with_its_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """`size` px wide and high, and a homography of that picture; without a board no picture at all."""
    square_of_px = ((240.0, 30.0, 300.0), (-20.0, 200.0, 400.0), (0.0, 0.0002, 1.0))
    reading = Reading(Position(EVENING), tuple(TileReading(tile, 0.99) for tile in EVENING), 0, square_of_px)
    told: list[float] = []
    for width in (3600, 1500):
        photo = np.full((width * 3 // 4, width, 3), 90, np.uint8)
        for views in ({0: square_of_px}, {}):
            told.clear()

            def read(*_: object, tell: Any, views: Any = views, photo: Any = photo, **options: Any) -> Any:
                assert options == {"own_set": True, "board": EVENING}
                tell(ReadingStep.BOARD, "reading")
                return PhotoSession((Shot("the photo", photo),), replace(reading, views=views))

            monkeypatch.setattr(photo_reading, "read_photos", read)
            path = SAMPLES / "evening.jpg"
            seen = seen_in(path, EVENING, lambda share, words: told.append(share), own_set=True)
            assert told == pytest.approx([0.0, 0.4, 0.95])
            if not views:
                assert not seen.shows_board and seen.view is None and seen.crops == {}
                continue
            assert seen.view is not None and seen.view[:2] == b"\xff\xd8" and len(seen.crops) == SQUARES
            # Around the board may lie what only its owner is to see (rules 12.2).
            left, top, right, bottom = board_box(square_of_px, (width, width * 3 // 4))
            scale = min(1.0, LONG_SIDE_PX / (right - left))
            assert (scale < 1) == (width == 3600) and max(seen.size) <= LONG_SIDE_PX
            assert seen.size == (round((right - left) * scale), round((bottom - top) * scale))
            shown, given = np.array(seen.reading.homography), np.array(cut_homography(square_of_px, left, top))
            assert np.allclose(shown, np.diag([scale, scale, 1]) @ given)


def test_photos_of_cards_and_sheets_give_what_their_codes_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card's drawn board, or none at all, beside its code; without a code the photo's own fault is told."""
    codes = ScannedCodes((), ())
    homography = ((9.0, 0.0, 9.0), (0.0, 9.0, 9.0), (0.0, 0.0, 1.0))
    reading = Reading(Position(EVENING), tuple(TileReading(tile, 0.5) for tile in EVENING), 0, homography)
    shot = Shot("the photo", np.full((90, 90, 3), 90, np.uint8))
    lying = replace(reading, views={0: homography})
    drawn = replace(lying, notes=(TILES_FROM_CODE,))
    seen_ones = (
        (drawn, True),
        (replace(reading, code="FT1-X"), True),
        (PhotoError("no board"), True),
        (replace(drawn, tiles=certain_tiles(EVENING)), False),
        (lying, False),
    )
    for has_code in (True, False):

        def scan(*_: object, has_code: bool = has_code) -> ScannedCodes:
            if not has_code:
                raise PhotoError("no table code")
            return codes

        monkeypatch.setattr(photo_reading, "scan_codes", scan)
        for found, is_card in seen_ones:

            def read(*_: object, found: Any = found, **options: Any) -> Any:
                if isinstance(found, PhotoError):
                    raise found
                return PhotoSession((shot,), found)

            monkeypatch.setattr(photo_reading, "read_photos", read)
            if isinstance(found, PhotoError) and not has_code:
                with pytest.raises(PhotoError, match="no board"):
                    see_photos([str(SAMPLES / "evening.jpg")], True, "", (), lambda share, stage: None)
                continue
            seen = see_photos([str(SAMPLES / "evening.jpg")], True, "", (), lambda share, stage: None)
            assert (seen is codes) == (is_card and has_code)


def test_answers_are_taken_again_after_a_restart_whatever_no_longer_fits() -> None:
    seen = table_reading(PhotoSession((), doubtful_table()))
    assert [doubt.label for doubt in seen.open_doubts] == ["row-2", "pink-1", "djinn-1", "djinn-2"]
    again = answered(seen, [("row-2", "fish"), ("row-9", "fish"), ("turn-1", "green"), ("c3", "V5:yy")])
    assert again.position.row == ("silk", "fish", "spice") and again.corrected == {"row-2", "c3"}
    assert str(again.position.board[14]) == "V5:yy" and again.open_squares == (0,) and again.as_read == seen.as_read
    with pytest.raises(NotationError):
        take_answers(seen, [("row-2", "gravel")], lambda share, stage: None)


def test_the_board_of_a_photo_has_a_rim_and_keeps_its_homography() -> None:
    homography = ((50.0, 6.0, 60.0), (4.0, 45.0, 80.0), (0.0, 0.002, 1.0))
    corners = project(np.array(homography), np.array([(0, 0), (6, 0), (6, 5), (0, 5)], np.float64))
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    across, down = AROUND_THE_BOARD * (right - left), AROUND_THE_BOARD * (bottom - top)
    wide = (int(left - across), int(top - down), math.ceil(right + across), math.ceil(bottom + down))
    assert board_box(homography, (1000, 900)) == wide and 0 < wide[0] < wide[2] < 1000
    assert board_box(homography, (350, 300)) == (*wide[:2], 350, 300)
    moved = cut_homography(homography, 55, 78)
    assert np.allclose(project(np.array(moved), OUTLINE), corners - (55, 78))
    assert board_box(moved, (1000, 900))[:2] == (0, 0)


def test_the_board_of_a_photo_is_shown_as_it_is_drawn_however_the_photo_lies(subtests: pytest.Subtests) -> None:
    ways = {
        0: ((50.0, 3.0, 60.0), (2.0, 45.0, 80.0)),
        1: ((-3.0, -45.0, 500.0), (50.0, 2.0, 60.0)),
        2: ((-50.0, -3.0, 500.0), (-2.0, -45.0, 500.0)),
        3: ((3.0, 45.0, 80.0), (-50.0, -2.0, 500.0)),
    }
    for quarters, (across, down) in ways.items():
        with subtests.test(quarters=quarters):
            lies = (across, down, (0.0, 0.0004, 1.0))
            turned, homography = upright(lies, (900, 800))
            assert turned == quarters
            columns, rows = np.meshgrid(np.arange(900), np.arange(800))
            shown = np.rot90(np.dstack([columns, rows]), turned)
            points = np.array([(0, 0), (6, 0), (6, 5), (0, 5), (2.5, 1.5)], np.float64)
            mapped, given = (project(np.array(one), points) for one in (homography, lies))
            for (x, y), there in zip(mapped, given, strict=True):
                assert np.abs(shown[int(y), int(x)] - there).max() <= 1.5
            (x1, y1), (x2, y2) = project(np.array(homography), points[[0, 2]])
            assert x1 < x2 and y1 < y2


def test_of_several_photos_of_a_hand_the_one_with_most_cards_tells_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def card(name: str | None, left: float) -> CardDetection:
        corners = ((left, 30.0), (left + 120, 30.0), (left + 120, 210.0), (left, 210.0))
        return CardDetection(name, 0.95 if name else 0.4, "silk", corners, 0)

    shown = [
        HoldingsReading((card("fish", 30.0),), (TitleDetection("Utug", "Utug", 1.0, (60, 30, 90, 30)),)),
        HoldingsReading((card("ivory", 30.0), card(None, 300.0)), (TitleDetection(None, "Ut", 0.4, (30, 60, 90, 30)),)),
        HoldingsReading((), (TitleDetection("Utug", "Utug", 0.9, (3, 6, 9, 3)),)),
    ]
    photos = [cv2.imencode(".png", np.full((600, 1600, 3), 9, np.uint8))[1].tobytes()] * 3
    told: list[float] = []
    readings = iter(shown)

    def read(shot: Shot, tell: TellShare) -> HoldingsReading:
        tell(0.5, "looking")
        return next(readings)

    monkeypatch.setattr(photo_reading, "read_holdings", read)
    monkeypatch.setattr(photo_reading, "lacking_packages", lambda: ("tesseract-ocr-rus",))
    seen = see_hand(photos, MID, Colour.BLUE, lambda share, stage: told.append(share))
    assert told == pytest.approx([0.0, 0.2, 0.5, 0.8, 0.95])
    assert seen.djinns == ("Utug",) and [doubt.label for doubt in seen.doubts] == ["blue-2", "djinn-1"]
    # What a card is most likely is counted until somebody answers.
    assert seen.cards is not None and seen.cards.goods == tuple(int(good in ("ivory", "silk")) for good in GOODS)
    assert set(seen.crops) == {"blue-2", "djinn-1"} and "apt install tesseract-ocr-rus" in str(seen.unread)
    # Three quarters as large; a title with a third of its height around it, and cards where they were counted.
    assert [photo.size for photo in seen.photos] == [(1200, 450)] * 3
    assert seen.photos[0].marks == (HandMark(((37.5, 15.0), (120.0, 15.0), (120.0, 52.5), (37.5, 52.5)), True),)
    assert [mark.is_sure for mark in seen.photos[1].marks] == [True, False, False]
    assert seen.photos[1].marks[1].outline == ((225.0, 22.5), (315.0, 22.5), (315.0, 157.5), (225.0, 157.5))
    for fault, words in (
        (MissingDependencyError("no Tesseract"), "Tesseract isn't installed"),
        (PhotoError("too slow"), "(too slow)"),
    ):
        readings = iter([HoldingsReading((), (), fault)])
        with pytest.raises(PhotoError, match="No goods cards or djinns were found") as refused:
            see_hand(photos[:1], MID, Colour.BLUE, lambda share, stage: None)
        assert words in str(refused.value)
