"""Whole photos are read: the project's own samples always, other photos where they lie beside the checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.errors import PhotoError
from companion.lab.accuracy.scores import PhotoScore, find_truths, score_photo
from companion.notation.files import parse_position
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import Board
from companion.vision.board.contents_likelihood import ContentsLikelihood
from companion.vision.board.pieces import PieceNetOutput
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import recognise_tiles
from companion.vision.load import load_photo
from companion.vision.reading import pipeline
from companion.vision.reading.pipeline import read_picture, read_table, see_in_game
from companion.vision.reading.scan import scan_photo
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading
from tests.vision_memo import asked_anew

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SHARED = ROOT.parent / "shared" / "photos"
MID = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8")).board

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


def test_a_few_tiles_tell_which_way_up_the_board_of_a_game_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """As all do; and no code is looked for."""
    photo = load_photo(SAMPLES / "mid.jpg")
    looked: list[np.ndarray] = []

    def noted(board: np.ndarray) -> PieceNetOutput:
        looked.append(board)
        raise InterruptedError

    monkeypatch.setattr(pipeline, "run_piece_net", noted)
    monkeypatch.setattr("companion.vision.reading.scan.locate_codes", None)
    lattice = scan_photo(photo, for_code=False).lattice
    assert lattice is not None
    upright = recognise_tiles(rectify(photo, lattice.homography), lattice.homography, MID).picture
    for game, picture in ((MID, upright), (MID[::-1], upright[::-1, ::-1])):
        with monkeypatch.context() as patch, pytest.raises(InterruptedError):
            patch.setattr("companion.vision.board.tiles.score_tiles", None)
            see_in_game(photo, game)
        assert np.array_equal(looked.pop(), picture)


@pytest.mark.slow
def test_in_a_game_with_known_tiles_the_short_way_sees_what_the_long_one_sees() -> None:
    photo = np.ascontiguousarray(np.rot90(load_photo(SAMPLES / "mid.jpg")))
    session = read_table([Shot("mid.jpg", photo)], game=MID)
    assert session.evidence is not None and session.evidence.known is not None
    long = ContentsLikelihood.of(session.evidence.pieces, session.evidence.hypotheses)
    seen = see_in_game(photo, MID)
    assert seen is not None
    short, row = seen
    assert (short.counts, short.ranked, row) == (long.counts, long.ranked, session.reading.position.row)


def test_a_few_tiles_do_not_tell_of_another_table() -> None:
    assert see_in_game(load_photo(SAMPLES / "mid.jpg"), random_setup(3, 7).board) is None


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
