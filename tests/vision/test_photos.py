"""Whole photos are read: the project's own samples always, other photos where they lie beside the checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.errors import PhotoError
from companion.lab.accuracy.scores import PhotoScore, find_truths, score_photo
from companion.rules.model.board import Board
from companion.vision.load import load_photo
from companion.vision.reading.pipeline import read_picture
from companion.vision.readings import Reading
from tests.vision_memo import asked_anew

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SHARED = ROOT.parent / "shared" / "photos"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="no folder ../shared/photos beside the checkout")


@cache
def truths(folder: Path) -> dict[str, tuple[Path, Board, str]]:
    return {truth[0].name: truth for truth in find_truths(folder)}


def score(folder: Path, name: str) -> PhotoScore:
    return score_photo(*truths(folder)[name])


@cache
def start_upright() -> Reading:
    return read_picture(load_photo(SAMPLES / "start.jpg"))


@pytest.mark.parametrize(
    "name",
    [
        name if name == "mid.jpg" else pytest.param(name, marks=pytest.mark.slow)
        for name in sorted(path.name for path in SAMPLES.glob("*.jpg"))
    ],
)
def test_samples_are_read(name: str) -> None:
    scored = score(SAMPLES, name)
    assert scored.identity == 30
    assert scored.whole >= 28
    assert scored.unflagged_wrong == 0


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(("name", "least"), [("board_clean.jpg", 30), ("tiles_empty.jpg", 30), ("test_1.jpg", 0)])
def test_no_wrong_tile_of_a_real_table_goes_unflagged(name: str, least: int) -> None:
    scored = score(SHARED / "real", name)
    assert scored.identity == 30 and scored.whole >= least
    assert scored.unflagged_wrong == 0


@pytest.mark.slow
@needs_shared
def test_photos_of_other_things_are_refused() -> None:
    for path in ("real/cards_1.jpg", "real/camels/black_IMG_5791.jpg"):
        with pytest.raises(PhotoError, match="sultanate"):
            read_picture(load_photo(SHARED / path))


@pytest.mark.slow
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_photo_may_be_taken_from_any_side(quarters: int) -> None:
    photo, upright = load_photo(SAMPLES / "start.jpg"), start_upright()
    turned = read_picture(np.ascontiguousarray(np.rot90(photo, -quarters)))
    same = sum(one.tile == other.tile for one, other in zip(upright.tiles, turned.tiles, strict=True))
    assert same >= 28
    assert abs((turned.turned - upright.turned - 90 * quarters + 180) % 360 - 180) <= 3


@pytest.mark.slow
def test_the_same_photo_reads_the_same_twice() -> None:
    first = start_upright()
    with asked_anew():
        assert read_picture(load_photo(SAMPLES / "start.jpg")) == first
