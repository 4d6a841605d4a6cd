"""Set-up cards look as they did when they were approved, in each language and on each paper.

python -m tests.printing.test_setup_pictures    # draw the approved pictures anew, after looking at the pages
"""

from __future__ import annotations

import sys
import tempfile
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.language.glossary import LANGUAGES
from companion.printing.core.geometry import PAPERS
from companion.printing.setup.card import setup_card
from companion.rules.engine.setup import random_setup
from tests.printing.conftest import picture

FOLDER = Path(__file__).with_name("pictures")
DPI = 40
CELL_PX = 8
MOST_APART = 24
"""Grey values, of 255, by which the means of a cell of 8 x 8 px (5 mm) may differ: other versions of poppler smooth
letters a little otherwise; a missing word or a piece in another place differs by 40 and more."""

CARDS = {
    f"card-{language}-{paper}": (language, paper, 2 + number % 3)
    for number, (language, paper) in enumerate(product(LANGUAGES, PAPERS))
}


def _drawn(name: str, folder: Path) -> np.ndarray:
    language, paper, players = CARDS[name]
    position = random_setup(players, 40 + players)
    return picture(setup_card(position, seed=40 + players, spread=1.4, paper=paper, language=language), folder, DPI)


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of the means of any cell."""
    height, width = (length // CELL_PX * CELL_PX for length in one.shape)
    cells = np.abs(
        one[:height, :width].reshape(height // CELL_PX, CELL_PX, -1, CELL_PX).mean(axis=(1, 3))
        - other[:height, :width].reshape(height // CELL_PX, CELL_PX, -1, CELL_PX).mean(axis=(1, 3))
    )
    return float(cells.max())


@pytest.mark.parametrize("name", CARDS)
def test_a_card_looks_as_approved(name: str, tmp_path: Path) -> None:
    approved = cv2.imread(str(FOLDER / f"{name}.png"), cv2.IMREAD_GRAYSCALE)
    drawn = _drawn(name, tmp_path)
    assert approved is not None and approved.shape == drawn.shape
    assert _apart(approved, drawn) <= MOST_APART


def test_a_card_of_another_table_does_not_look_so(tmp_path: Path) -> None:
    approved = cv2.imread(str(FOLDER / "card-en-a4.png"), cv2.IMREAD_GRAYSCALE)
    assert approved is not None
    other = picture(setup_card(random_setup(2, 43), seed=42, spread=1.4), tmp_path, DPI)
    assert _apart(approved, other) > MOST_APART


def main() -> int:
    """Draw every approved picture anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in CARDS:
        with tempfile.TemporaryDirectory() as folder:
            cv2.imwrite(str(FOLDER / f"{name}.png"), _drawn(name, Path(folder)) // 16 * 17)
    return 0


if __name__ == "__main__":
    sys.exit(main())
