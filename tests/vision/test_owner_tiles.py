"""An owner's tiles, shown in one photo, tell the tiles of the owner's other photos."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from math import nan
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import PhotoError, UnusableInputError
from companion.notation.files import parse_position
from companion.rules.model.components import TileKind
from companion.storage import remove_saved
from companion.vision.board.owner_tiles import (
    OwnerTiles,
    find_owned,
    learn_tiles,
    load_tiles,
    save_tiles,
)
from companion.vision.board.rectify import rectify
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import (
    CROP_PX,
    TileScores,
    assign_tiles,
    half_turn,
    is_half_turned,
    score_crops,
    score_tiles,
)
from companion.vision.fitted import UNKNOWN_FROM
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import Float64
from companion.vision.reading.pipeline import read_picture
from companion.vision.reading.scan import PhotoScan
from tests.vision.cards.faces import card_faces
from tests.vision.tables import SAMPLES, located, whole


def kinds_of(name: str) -> list[TileKind]:
    return [tile.kind for tile in parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8")).board]


def upright(probabilities: Float64) -> Float64:
    return half_turn(probabilities) if is_half_turned(probabilities) else probabilities


@pytest.fixture(scope="module")
def start() -> Picture:
    return whole("start")


@pytest.fixture(scope="module")
def learnt(start: Picture) -> OwnerTiles:
    return learn_tiles(start)


@pytest.fixture(scope="module")
def scores() -> TileScores:
    return score_tiles(rectify(whole("mid"), located("mid").homography))


def test_the_tiles_of_a_clear_photo_are_learnt_without_rows(learnt: OwnerTiles) -> None:
    assert [KINDS[kind] for kind in learnt.kinds] == kinds_of("start")
    assert learnt.crops.shape == (30, CROP_PX, CROP_PX, 3)


def test_pictures_alone_tell_the_tiles_of_another_photo(learnt: OwnerTiles, scores: TileScores) -> None:
    blind = np.full_like(scores.probabilities, 1 / 32)
    told = upright(learnt.classify(replace(scores, probabilities=blind))[0])
    right = [tile.kind is kind for tile, kind in zip(assign_tiles(told), kinds_of("mid"), strict=True)]
    assert sum(right) >= 26


def test_a_tile_that_was_not_shown_is_said_to_be_unknown(learnt: OwnerTiles, scores: TileScores) -> None:
    assert (learnt.classify(scores)[1] < UNKNOWN_FROM).all()
    crops = scores.crops.copy()
    crops[7] = cv2.resize(card_faces()["fish"], (CROP_PX, CROP_PX))
    unknown = learnt.classify(score_crops(crops, scores.white))[1]
    assert np.flatnonzero(unknown >= UNKNOWN_FROM).tolist() == [7]


def test_tiles_that_the_network_does_not_know_are_turned_by_their_likeness(
    start: Picture, learnt: OwnerTiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = score_crops

    def blind(crops: Picture, white: Float64) -> TileScores:
        seen = told(crops, white)
        return replace(seen, probabilities=np.full_like(seen.probabilities, 1 / 32))

    monkeypatch.setattr("companion.vision.board.owner_tiles.score_crops", blind)
    again = learn_tiles(np.ascontiguousarray(start[::-1, ::-1]), kinds_of("start"))
    assert again.kinds == learnt.kinds
    near, far = (np.abs(again.crops.astype(int) - one).mean() for one in (learnt.crops, learnt.crops[:, ::-1, ::-1]))
    assert near < far / 2


def test_wrong_rows_are_refused(start: Picture) -> None:
    kinds = kinds_of("start")
    with pytest.raises(PhotoError, match="only .* of 27 in the photo look"):
        learn_tiles(start, kinds[7:] + kinds[:7])


def unseen(photo: Picture) -> Lattice:
    raise NoSultanateError("no sultanate found in the photo")


@pytest.mark.slow
def test_told_tiles_that_are_not_seen_are_learnt_within_their_outline(
    start: Picture, learnt: OwnerTiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.vision.board.owner_tiles.find_lattice", unseen)
    kinds = kinds_of("start")
    again = learn_tiles(start, kinds)
    assert again.kinds == learnt.kinds
    near, far = (
        np.abs(again.crops.astype(int) - crops).mean() for crops in (learnt.crops, learnt.crops[:, ::-1, ::-1])
    )
    assert near < far / 2
    with pytest.raises(NoSultanateError):
        learn_tiles(start, kinds[7:] + kinds[:7])
    with pytest.raises(NoSultanateError, match="no sultanate found in the photo; .*--rows"):
        learn_tiles(start)
    with pytest.raises(NoSultanateError, match="^no sultanate found in the photo$"):
        learn_tiles(np.full_like(start, 200))


@pytest.mark.slow
def test_an_owner_s_tiles_are_found_where_no_others_are_seen(
    learnt: OwnerTiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = whole("mid")
    found = find_owned(photo, learnt)
    assert found is not None
    seen = located("mid")
    away = [np.abs(np.roll(found.corners, turn, axis=0) - seen.corners).max() for turn in (0, 2)]
    assert min(away) < 0.25 * seen.tile_px
    monkeypatch.setattr(
        "companion.vision.reading.pipeline.scan_photo",
        lambda photo: PhotoScan(fault=NoSultanateError("no sultanate found")),
    )
    reading = read_picture(photo, learnt)
    assert [tile.tile.kind for tile in reading.tiles] == kinds_of("mid")
    with pytest.raises(PhotoError, match="no sultanate found"):
        read_picture(photo)


def test_a_lost_row_is_found_beyond_the_outline(monkeypatch: pytest.MonkeyPatch, learnt: OwnerTiles) -> None:
    true = np.array([[50.0, 0, 300], [0, 50.0, 200], [0, 0, 1]])
    moved = true @ np.array([[1, 0, -1], [0, 1, 1], [0, 0, 1]])

    def evidence(photo: Picture, tiles: OwnerTiles, homography: Float64) -> tuple[float, Float64]:
        return 9.0 - float(np.abs(homography - true).sum()) / 50, homography

    monkeypatch.setattr("companion.vision.board.owner_tiles.outlined_lattices", lambda photo: [Lattice(moved, 0)])
    monkeypatch.setattr("companion.vision.board.owner_tiles._evidence", evidence)
    found = find_owned(np.zeros((9, 9, 3), np.uint8), learnt)
    assert found is not None and np.allclose(found.homography, true)
    true = true - [[0, 0, 400], [0, 0, 0], [0, 0, 0]]
    assert find_owned(np.zeros((9, 9, 3), np.uint8), learnt) is None


def test_tiles_are_kept_and_dropped(tmp_path: Path, learnt: OwnerTiles) -> None:
    path = tmp_path / "mine" / "tiles.npz"
    assert load_tiles(path) is None and not remove_saved(path)
    save_tiles(path, learnt)
    again = load_tiles(path)
    assert again is not None and again.kinds == learnt.kinds and again.white == pytest.approx(learnt.white)
    assert np.array_equal(again.crops, learnt.crops)
    assert path.stat().st_size < 2_000_000
    assert remove_saved(path) and load_tiles(path) is None


def _flipped(content: bytes, place: int, bit: int) -> bytes:
    """The content with one bit of it turned."""
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def test_a_damaged_file_is_named(tmp_path: Path, learnt: OwnerTiles) -> None:
    path = tmp_path / "tiles.npz"
    codes = [kind.code for kind in KINDS]
    twice = tuple(codes.index("S12") if codes[kind] == "S15" else kind for kind in learnt.kinds)
    save_tiles(path, learnt)
    whole = path.read_bytes()
    # The method and the flags of the first of the files in it.
    flipped = [_flipped(whole, whole.index(b"PK\1\2") + place, 0) for place in (8, 10)]
    spoilt = [whole[:2000], b"", b"\x93NUMPY nonsense", _flipped(whole, len(whole) // 2, 3), *flipped]
    for tiles in (replace(learnt, white=(nan, 200.0, 200.0)), replace(learnt, kinds=twice)):
        save_tiles(path, tiles)
        spoilt.append(path.read_bytes())
    # What a header claims is no lack of memory either.
    for was, becomes in ((b"(30, ", b"(99999999, "), (b"'fortran_order'", b'"""tran_order"')):
        other = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(whole)) as stored, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as claims:
            for name in stored.namelist():
                header, end, pixels = stored.read(name).partition(b"\n")
                after = header.replace(was, becomes)
                claims.writestr(name, after[: len(after.rstrip())].ljust(len(header)) + end + pixels)
        spoilt.append(other.getvalue())
    for content in spoilt:
        path.write_bytes(content)
        with pytest.raises(UnusableInputError, match=r"tiles.npz is damaged: learn the tiles again"):
            load_tiles(path)
