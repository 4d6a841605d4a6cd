"""The pictures that the reader went by, kept to see why a tile was misread."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX
from companion.vision.reading.intermediate import intermediate_pictures
from companion.vision.reading.overlay import PIECE_BGR
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from tests.cli.ran import Capsys, ran
from tests.vision import approved
from tests.vision.tables import SAMPLES


def test_pieces_are_marked_where_they_stand_and_every_tile_has_its_list() -> None:
    evidence = approved.board_evidence()
    session = PhotoSession(
        (Shot("cards.jpg", np.zeros((9, 9, 3), np.uint8)), Shot("mid.jpg", approved.photo(), board=evidence)),
        approved.board(),
        evidence,
    )
    pictures = dict(intermediate_pictures(session))
    assert list(pictures) == ["2-board", "2-pieces", "2-tiles"], "a photo of cards has none"
    assert pictures["2-board"].shape[1::-1] == BOARD_SIZE_PX
    surest = max(evidence.detections, key=lambda one: one.probability)
    x, y = (round((place + MARGIN_TILES) * TILE_PX) for place in (surest.x, surest.y))
    assert np.abs(pictures["2-pieces"][y, x].astype(int) - PIECE_BGR[surest.kind]).max() < 20
    height, width = pictures["2-tiles"].shape[:2]
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell = pictures["2-tiles"][row * height // ROWS :, column * width // COLUMNS :]
            cell = cell[: height // ROWS, : width // COLUMNS]
            # Over the list lies the tile; the list itself is bright letters on black.
            listed = cell[cell.shape[1] :]
            assert cell[: cell.shape[1]].std() > listed.std() * 0.2 and listed.max() > 200 and np.median(listed) == 0


def test_read_keeps_them_in_a_folder_that_it_makes(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "mid.jpg", "mid.jpg")
    err = ran(capsys, ["read", "mid.jpg", "--keep", "seen"]).err
    assert (
        sorted(path.name for path in Path("seen").iterdir()) == ["1-board.jpg", "1-pieces.jpg", "1-tiles.jpg"]
        and "1-tiles.jpg" in err
    )
    assert cv2.imread("seen/1-board.jpg") is not None
    assert "the folder" in ran(capsys, ["read", "mid.jpg", "--keep", "gone/seen"], 2).err
    assert "mid.jpg" in ran(capsys, ["read", "mid.jpg", "--keep", "mid.jpg"], 2).err
    assert ran(capsys, ["read", "mid.jpg", "--keep", "unmade", "--overlay", "mid.jpg"], 2).err
    assert not Path("unmade").exists(), "nothing is made of what is refused"
    assert "exists already" in ran(capsys, ["read", "mid.jpg", "--keep", "seen"], 2).err
