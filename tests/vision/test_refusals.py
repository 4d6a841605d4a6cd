"""Photos that cannot be read end in one message with what to do, or are read right; nothing is invented."""

from __future__ import annotations

import re
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.errors import ExitStatus, PhotoError
from companion.vision.board.tiles import foreign_fault
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import TwoSultanatesError, fault_at_edge, find_lattice, lattice_fault
from companion.vision.numerics import scaled_and_moved
from companion.vision.reading import scan
from companion.vision.reading.pipeline import read_picture
from tests.vision import tables
from tests.vision.tables import SIZE


def cut(left: int = 0, bottom: int = 0) -> Picture:
    """The sample photo cropped by so many px."""
    photo = tables.sample("start")
    return np.ascontiguousarray(photo[: photo.shape[0] - bottom, left:])


def small(photo: Picture, width: int = 700) -> Picture:
    return np.asarray(cv2.resize(photo, (width, width * 3 // 4), interpolation=cv2.INTER_AREA))


@pytest.mark.slow
@pytest.mark.parametrize("name", tables.OTHER_THINGS)
def test_tables_without_a_sultanate_are_refused(name: str) -> None:
    with pytest.raises(PhotoError, match=r"no (whole )?sultanate|6 x 5|Five Tribes tiles") as caught:
        read_picture(tables.OTHER_THINGS[name]())
    assert caught.value.status is ExitStatus.UNUSABLE_INPUT


FAULTS: dict[str, Callable[[], Picture]] = {
    "two sultanates": lambda: small(tables.side_by_side()),
    "mirrored": lambda: small(tables.sample("mid")[:, ::-1]),
    "plain white": lambda: small(np.maximum(tables.table(), np.array([251, 252, 255], np.uint8))),
    "too dark": lambda: small(tables.sample("mid") // 100),
    "nearly all one colour; wipe the lens": lambda: np.full((300, 400, 3), (30, 30, 200), np.uint8),
}
SLOW_FAULTS: dict[str, Callable[[], Picture]] = {
    "too small.*come closer": lambda: small(tables.sample("mid"), 230),
    "cut off at the bottom of the photo": lambda: cut(bottom=300),
    r"1\d of its 30 tiles visible: step back": lambda: cut(left=700),
    r"only 1\d of 30|1\d of its 30": lambda: tables.covered("start", 0.5),
    r"only 2\d of 30|2\d of its 30": lambda: tables.covered("start", 0.33),
    "blurred": lambda: np.asarray(cv2.GaussianBlur(tables.sample("mid"), (0, 0), 20), np.uint8),
}


@pytest.mark.parametrize("faults", [FAULTS, pytest.param(SLOW_FAULTS, marks=pytest.mark.slow)], ids=["quick", "slow"])
def test_each_fault_has_its_own_remedy(faults: dict[str, Callable[[], Picture]], subtests: pytest.Subtests) -> None:
    for words, photo in faults.items():
        with subtests.test(words), pytest.raises(PhotoError, match=words):
            read_picture(photo())


def test_a_sultanate_is_found_through_haze() -> None:
    photo = small(tables.sample("mid"))
    hazy = (200 + 30 * (photo / 255.0)).astype(np.uint8)
    found, clear = find_lattice(hazy), find_lattice(photo)
    # Which end is counted from is told by the tiles, not by the grid.
    apart = min(np.abs(np.roll(found.corners, half, 0) - clear.corners).max() for half in (0, 2))
    assert apart < 0.12 * clear.tile_px


def lying(left: float, top: float, side: float = 100) -> Lattice:
    return Lattice(np.array([[side, 0, left], [0, side, top], [0, 0, 1]]), 30, 42)


def test_a_strip_cut_off_is_refused_with_its_side() -> None:
    for lattice, side in (
        (lying(-20, 50), "left"),
        (lying(220, 50), "right"),
        (lying(50, -20), "top"),
        (lying(50, 220), "bottom"),
    ):
        assert re.search(f"cut off at the {side} of the photo.*step back", str(fault_at_edge(lattice, 800, 700)))
    # A hair's breadth is let pass.
    assert fault_at_edge(lying(-10, -10), 800, 700) is None


def moved(board: Lattice, right: float) -> Lattice:
    return Lattice(scaled_and_moved(1, right, 0) @ board.homography, board.tiles_seen)


def test_a_strip_cut_off_is_not_told_of_where_what_is_seen_is_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    board = moved(tables.located("mid", small=True), -400)

    def cut_off(photo: Picture) -> Lattice:
        fault = fault_at_edge(board, photo.shape[1], photo.shape[0])
        assert fault is not None
        raise fault

    monkeypatch.setattr(scan, "find_lattice", cut_off)
    monkeypatch.setattr(scan, "locate_codes", lambda photo: [])
    for photo, words in ((tables.sample("mid"), "cut off"), (tables.landscape_tiles(), "no Five Tribes tiles")):
        seen = scan.scan_photo(np.ascontiguousarray(photo[:, 400:]))
        assert seen.lattice is None and words in str(seen.fault)
    assert foreign_fault(tables.sample("mid"), moved(board, -5000)) is not None, "nothing of it is in the photo"


def test_of_two_sultanates_one_of_another_games_tiles_counts_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = tables.located("mid", small=True)
    pair = (moved(board, SIZE[0]), board)

    def two(photo: Picture) -> Lattice:
        raise TwoSultanatesError("two sultanates", pair)

    monkeypatch.setattr(scan, "find_lattice", two)
    monkeypatch.setattr(scan, "locate_codes", lambda photo: [])
    ours, other = tables.sample("mid"), tables.landscape_tiles()
    assert scan.scan_photo(np.hstack([ours, other])).lattice is board
    assert "no Five Tribes tiles" in str(scan.scan_photo(np.hstack([other, other])).fault)


def test_too_few_tiles_too_many_and_too_small_ones_are_told_apart() -> None:
    photo = tables.table()
    here = lying(100, 100).homography
    for lattice, words in (
        (Lattice(here, 17, 30), "only 17 of 30 tiles"),
        (Lattice(here, 30, 42, tiles_beyond=5), "more than 6 x 5"),
        (lying(100, 100, 20), "too small.*come closer"),
    ):
        assert re.search(words, str(lattice_fault(lattice, photo)))


def test_a_sultanate_beside_loose_tiles_is_still_found() -> None:
    photo = tables.sample("mid")
    board = tables.located("mid", small=True)
    wide = cv2.copyMakeBorder(photo, 0, 0, 0, 500, cv2.BORDER_REPLICATE)
    wide[200:360, 1600:1770] = photo[420:580, 620:790]
    assert np.abs(find_lattice(wide).corners - board.corners).max() < 0.1 * board.tile_px
