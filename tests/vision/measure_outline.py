"""How many boards are found by their outline alone, and how many that are cut off are taken for whole ones.

`python -m tests.vision.measure_outline FOLDER`, with examples as `python -m companion.lab tiles` or `... world` makes
them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.lab.training.dataset import Example, load_example
from companion.vision.load import Picture
from companion.vision.locate.grid import OUTLINE
from companion.vision.locate.lattice import _within_outline
from companion.vision.numerics import project

AT_ITS_PLACE_TILES = 0.25
KEPT_SHARE = 0.7
"""So much of a board is left in a photo that cuts it off."""


def is_at_its_place(example: Example) -> bool | None:
    """Whether the board is found where it is, any way round; None if it is not found."""
    found = _within_outline(example.picture)
    if found is None:
        return None
    corners = project(np.asarray(np.linalg.inv(example.homography)), project(found.homography, OUTLINE))
    return any(float(np.abs(corners - np.roll(OUTLINE, turn, axis=0)).max()) < AT_ITS_PLACE_TILES for turn in range(4))


def cut_off(example: Example) -> Iterator[Picture]:
    """The photo as if its right, and its upper part were missing, with a part of the board."""
    corners = project(example.homography, OUTLINE)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    yield np.ascontiguousarray(example.picture[:, : round(float(left + KEPT_SHARE * (right - left)))])
    yield np.ascontiguousarray(example.picture[max(round(float(bottom - KEPT_SHARE * (bottom - top))), 0) :])


def main(folder: Path) -> None:
    """Measure on all examples of a folder."""
    examples = [load_example(path) for path in sorted(folder.glob("*.npz"))]
    found = [is_at_its_place(example) for example in examples]
    print(f"{len(examples)} boards: {found.count(True)} found, {found.count(False)} elsewhere than they are")
    cut = [picture for example in examples for picture in cut_off(example)]
    taken = sum(_within_outline(picture) is not None for picture in cut)
    print(f"{len(cut)} photos of {KEPT_SHARE:.0%} of a board's width or height: {taken} taken for a whole one")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="examples, as files .npz")
    main(parser.parse_args().folder)
