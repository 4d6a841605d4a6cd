"""A scan or a photo of any page of set-up cards gives the position back, by `companion read` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.printing.setup.card import LaidTable, setup_pack
from companion.rules.engine.setup import random_setup
from tests.printing.conftest import photographed

SEEDS = (31, 32, 33)


@cache
def _pack(language: str, full_ink: bool) -> bytes:
    tables = [LaidTable(random_setup(2 + seed % 3, seed), seed) for seed in SEEDS]
    return setup_pack(tables, language=language, full_ink=full_ink)


def _scanned(pdf: bytes, number: int) -> np.ndarray:
    """A page in greys at 150 dots to the inch."""
    with pypdfium2.PdfDocument(pdf) as document:
        grey: np.ndarray = document[number].render(scale=150 / 72, grayscale=True).to_numpy().copy()
        return grey


def _turned(page: np.ndarray) -> np.ndarray:
    """A scan that lay askew by 3 degrees."""
    height, width = page.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 3, 1.0)
    return cv2.warpAffine(page, turn, (width, height), borderValue=255)


def _faxed(page: np.ndarray) -> np.ndarray:
    """Black and white alone."""
    return np.where(page > 140, 255, 0).astype(np.uint8)


SIGHTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "scan": lambda page: page,
    "askew": _turned,
    "photo": photographed,
    "black and white": _faxed,
}
SCANS = [("ru", True, number, sight) for number in range(len(SEEDS)) for sight in ("scan", "photo")]
SCANS += [("ko", False, 0, "scan"), ("ko", False, 1, "askew"), ("ko", False, 2, "photo"), ("it", True, 0, "askew")]
SCANS += [("uk", False, 1, "black and white"), ("en", True, 2, "black and white")]


@pytest.mark.parametrize(("language", "full_ink", "number", "sight"), SCANS)
def test_any_page_of_a_pack_is_read_back(
    language: str, full_ink: bool, number: int, sight: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = _scanned(_pack(language, full_ink), number)
    photo = tmp_path / "page.png"
    assert cv2.imwrite(str(photo), SIGHTS[sight](page))
    assert main(["read", str(photo), "--json"]) == 0, capsys.readouterr().err
    document = json.loads(capsys.readouterr().out)
    position = random_setup(2 + SEEDS[number] % 3, SEEDS[number])
    read = parse_position(json.dumps(document["position"] if "position" in document else {"board": document["rows"]}))
    assert read.board == position.board
    assert document["row"] == list(position.row or ()) and document["djinns"] == list(position.djinns or ())
