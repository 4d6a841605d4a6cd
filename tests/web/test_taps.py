"""How often the page is tapped until a position is right, by a player who knows the truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.lab.accuracy.scores import find_truths
from companion.notation.files import parse_position
from companion.rules.model.board import Board, Tile
from tests.web.at_table import JPEG, without_a_meeple
from tests.web.taps import Taps, count_taps

PROJECT = Path(__file__).resolve().parents[2]
SHARED = PROJECT.parent / "shared" / "photos"
START = parse_position((PROJECT / "samples" / "start.toml").read_text(encoding="utf-8")).board
SEE = "tests.web.at_table:seen_start"
"""Reads that board whatever is sent, a1 and c3 (square 14) in doubt; each may have one meeple less."""


def with_tile(square: int, tile: Tile) -> Board:
    return (*START[:square], tile, *START[square + 1 :])


@pytest.mark.parametrize(
    ("truth", "quick", "careful"),
    [
        pytest.param(START, Taps(2, 0, 0, 1), Taps(2, 0, 0, 3), id="all right"),
        pytest.param(
            with_tile(14, without_a_meeple(START[14])), Taps(2, 1, 0, 2), Taps(2, 1, 0, 3), id="another reading"
        ),
        # "Something else", twice minus, the button.
        pytest.param(
            with_tile(14, without_a_meeple(without_a_meeple(START[14]))),
            Taps(2, 1, 0, 5),
            Taps(2, 1, 0, 6),
            id="piece by piece",
        ),
        # The tile on the photo, a minus, plus for a palm, the button.
        pytest.param(
            with_tile(1, replace(without_a_meeple(START[1]), palms=1)),
            Taps(2, 1, 1, 5),
            Taps(2, 1, 1, 7),
            id="nobody doubted it",
        ),
    ],
)
def test_each_tap_is_counted(tmp_path: Path, truth: Board, quick: Taps, careful: Taps) -> None:
    assert count_taps(tmp_path / "quick", JPEG, truth, careful=False, see=SEE) == quick
    assert count_taps(tmp_path / "careful", JPEG, truth, careful=True, see=SEE) == careful


@pytest.mark.slow
def test_taps_on_a_photo_of_our_own(tmp_path: Path) -> None:
    truth = parse_position((PROJECT / "samples" / "mid.toml").read_text(encoding="utf-8")).board
    photo = (PROJECT / "samples" / "mid.jpg").read_bytes()
    alone = count_taps(tmp_path / "alone", photo, truth)
    assert alone.looked_at >= 1 and alone.taps <= 7
    # What a game knows need not be asked.
    told = count_taps(tmp_path / "told", photo, truth, in_game=True)
    assert told.looked_at <= alone.looked_at and told.taps <= alone.taps


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="no folder ../shared/photos beside the checkout")
@pytest.mark.parametrize(("folder", "name", "most"), [("renders", "0009", 5), ("style-b", "0105", 10)])
def test_taps_on_other_peoples_photos(tmp_path: Path, folder: str, name: str, most: int) -> None:
    photo, truth = next((photo, truth) for photo, truth, _ in find_truths(SHARED / folder) if photo.stem == name)
    assert count_taps(tmp_path, photo.read_bytes(), truth, careful=False).taps <= most
