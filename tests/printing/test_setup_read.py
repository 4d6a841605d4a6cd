"""A scan or a photo of any page of set-up cards gives the position back, by `companion read` as a user runs it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.printing.setup.card import LaidTable, setup_pack
from companion.rules.engine.setup import random_setup
from tests.printing.conftest import pages, photographed

SEEDS = (31, 32, 33)


@cache
def _pack(language: str, full_ink: bool) -> bytes:
    tables = [LaidTable(random_setup(2 + seed % 3, seed), seed) for seed in SEEDS]
    return setup_pack(tables, language=language, full_ink=full_ink)


def _turned(page: np.ndarray) -> np.ndarray:
    """A scan that lay askew by 3 degrees."""
    height, width = page.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 3, 1.0)
    return cv2.warpAffine(page, turn, (width, height), borderValue=255)


def _faxed(page: np.ndarray) -> np.ndarray:
    """Black and white alone."""
    return np.where(page > 140, 255, 0).astype(np.uint8)


SIGHTS = {"as it is": lambda page: page, "askew": _turned, "photo": photographed, "black and white": _faxed}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("language", "full_ink"), [("ru", True), ("ko", False)])
def test_any_page_of_a_pack_is_read_back(
    sight: str, language: str, full_ink: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = list(SIGHTS).index(sight) % len(SEEDS)
    page = pages(_pack(language, full_ink), tmp_path, 150)[number]
    photo = tmp_path / "page.png"
    assert cv2.imwrite(str(photo), SIGHTS[sight](page))
    assert main(["read", str(photo), "--json"]) == 0, capsys.readouterr().err
    document = json.loads(capsys.readouterr().out)
    position = random_setup(2 + SEEDS[number] % 3, SEEDS[number])
    read = parse_position(json.dumps(document["position"] if "position" in document else {"board": document["rows"]}))
    assert read.board == position.board
    assert document["row"] == list(position.row or ()) and document["djinns"] == list(position.djinns or ())
