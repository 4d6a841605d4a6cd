"""`companion read` with cards as they lie on a table: nothing stands in for the reader here."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from tests.cli.ran import Capsys, Patch
from tests.vision.cards.tables import Camera, lines_of, own_face, photograph

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
ROW = ["fish", "fakir", "ivory", "silk", "silk", "wheat"]
GOODS = ["pottery", "fakir", "papyrus", "fakir"]


def cards(names: list[str], camera: Camera) -> np.ndarray:
    rng = np.random.default_rng(5)
    return photograph(lines_of([names], rng=rng), own_face, rng, camera)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the board, the row, both in one photo, and what a player has."""
    folder = tmp_path_factory.mktemp("photos")
    board = cv2.resize(np.asarray(cv2.imread(str(SAMPLES / "start.jpg"))), (1500, 1125), interpolation=cv2.INTER_AREA)
    row = cards(ROW, Camera(0, 20))
    beside = cv2.resize(row, (1500, round(row.shape[0] * 1500 / row.shape[1])), interpolation=cv2.INTER_AREA)
    pictures = {"board": board, "row": row, "both": np.vstack([board, beside]), "goods": cards(GOODS, Camera(120, 10))}
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("names", [["board", "row"], ["row", "board"], ["both"]], ids="+".join)
def test_board_row_and_goods_make_one_position(
    names: list[str], photos: Path, capsys: Capsys, monkeypatch: Patch
) -> None:  # rules 1.4, 2.6
    monkeypatch.setattr("companion.vision.reading.pipeline.find_tesseract", lambda: None)
    monkeypatch.chdir(photos)
    assert main(["read", *(f"{name}.jpg" for name in names), "--goods", "blue=goods.jpg", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["row"] == ROW
    assert [card["card"] for card in document["cards"] if not card["doubtful"]] == ROW
    assert document["players"]["blue"]["goods"] == {"papyrus": 1, "pottery": 1}
    assert document["players"]["blue"]["fakirs"] == 2
    assert len(document["rows"]) == 5
