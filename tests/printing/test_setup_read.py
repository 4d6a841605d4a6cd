"""A scan or a photo of any page of set-up cards gives the whole position back, as its code has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.errors import PhotoError
from companion.notation.codes import encode
from companion.printing.setup.card import LaidTable, setup_pack
from companion.rules.engine.setup import random_setup
from companion.rules.model.position import Position
from companion.vision.reading.pipeline import read_picture
from tests.printing.conftest import photographed
from tests.printing.eyes import turned

SEEDS = (31, 32, 33)


def _position(number: int) -> Position:
    return random_setup(2 + SEEDS[number] % 3, SEEDS[number])


@cache
def _pages(language: str = "en", full_ink: bool = True, paper: str = "a4") -> list[np.ndarray]:
    """A pack's pages in colour, BGR, at 150 dots to the inch."""
    tables = [LaidTable(_position(number), seed) for number, seed in enumerate(SEEDS)]
    with pypdfium2.PdfDocument(setup_pack(tables, language=language, full_ink=full_ink, paper=paper)) as pack:
        return [page.render(scale=150 / 72).to_numpy()[:, :, :3].copy() for page in pack]


def _scanned(page: np.ndarray) -> np.ndarray:
    """What a scanner makes of it: a little askew, soft, with some noise."""
    askew = cv2.GaussianBlur(turned(page, 3), (0, 0), 0.6)
    return np.clip(askew + np.random.default_rng(1).normal(0, 2, page.shape), 0, 255).astype(np.uint8)


SIGHTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "scan": _scanned,
    "photo": photographed,
    "grey scan": lambda page: _scanned(np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY))),
    "black and white": lambda page: np.where(page.mean(axis=2) > 140, 255, 0).astype(np.uint8),
}


def _check_whole(full_ink: bool, paper: str, numbers: Sequence[int], sights: Sequence[str]) -> None:
    for number in numbers:
        page = _pages(full_ink=full_ink, paper=paper)[number]
        for sight in sights:
            seen = SIGHTS[sight](page)
            # As a grey file is decoded.
            photo = cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR) if seen.ndim == 2 else seen
            reading = read_picture(np.rot90(photo, number).copy())
            assert reading.position == _position(number), (number, sight, reading.notes)
            assert reading.code == encode(_position(number)) and not reading.doubtful and not reading.notes


def test_a_page_is_read_whole_from_a_scan() -> None:
    _check_whole(True, "a4", (1,), ("scan",))


@pytest.mark.slow
def test_every_page_is_read_whole() -> None:
    for full_ink, paper in product((True, False), ("a4", "letter")):
        _check_whole(full_ink, paper, range(len(SEEDS)), tuple(SIGHTS))


def test_a_card_whose_code_cannot_be_read_is_refused_and_not_read_as_a_table() -> None:
    page = _pages()[0].copy()
    # A coin lies on the code: it is 31 mm wide, its middle 173 mm from the left and 246 mm from the top.
    cv2.circle(page, (round(173 * 150 / 25.4), round(246 * 150 / 25.4)), 55, (60, 120, 170), -1)
    with pytest.raises(PhotoError, match=r"drawing on a printed card.* code"):
        read_picture(_scanned(page))
