"""How well the tiles of strange printings are told, alone and once their owner has shown them.

`python -m tests.vision.measure_owner_tiles FOLDER [SHOWN]`, with photos as `python -m companion.lab tiles --kept` makes
them, and those of the same owners' empty tiles, made with `--shown` too. Of an expansion's tiles (`--expansions`) it
counts how many are called unknown.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.errors import PhotoError
from companion.lab.accuracy.shown import shown_tiles
from companion.lab.rendering.photo_file import TILES
from companion.vision.board.calibration import unknown_from
from companion.vision.board.kinds import KINDS
from companion.vision.board.owner_tiles import find_owned
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import assign_tiles, recognise_tiles
from companion.vision.load import load_photo
from companion.vision.locate.lattice import NoSultanateError, find_lattice

CODES = [kind.code for kind in KINDS]

LEAST = 1e-6
"""What is told with less counts as this in the log loss."""

Told = tuple[str, bool, float, bool, bool]
"""By what a tile was told; whether it was told rightly, its true kind's negative log-likelihood, whether it was called
unknown, and whether it is."""


def tiles(photo: Path, shown: Path | None) -> Iterator[Told]:
    """What is told of each tile of a photo, alone and, with a photo of them, after its owner has shown his."""
    truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    kinds = [tile["kind"] for tile in truth["tiles"]]
    strange = {tile["tile"] for tile in truth["tiles"]} & set(truth["unknown"])
    picture = load_photo(photo)
    learnt = {} if shown is None else {"shown": shown_tiles(shown / f"{photo.stem}{TILES}.jpg")}
    seen, fault = None, None
    try:
        seen = find_lattice(picture)
    except PhotoError as error:
        fault = error
    for told_by, known in {"alone": None, **learnt}.items():
        owned = known is not None and isinstance(fault, NoSultanateError)
        lattice = find_owned(picture, known) if owned else seen
        if lattice is None:
            yield from ((told_by, False, -np.log(LEAST), False, tile["tile"] in strange) for tile in truth["tiles"])
            continue
        board = recognise_tiles(rectify(picture, lattice.homography), lattice.homography, None, known)
        for tile, kind, told, chances, unknown in zip(
            truth["tiles"], kinds, assign_tiles(board.probabilities), board.probabilities, board.unknown, strict=True
        ):
            right = told.kind.code == kind
            chance = 0.0 if tile["tile"] in strange else float(chances.sum(axis=1)[CODES.index(kind)])
            loss = -float(np.log(max(chance, LEAST)))
            yield told_by, right, loss, bool(unknown >= unknown_from()), tile["tile"] in strange


def main() -> None:
    """Measure on all photos of a folder, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="photos with their truth beside them")
    parser.add_argument("shown", type=Path, nargs="?", help="photos of the same owners' empty tiles")
    given = parser.parse_args()
    seen: dict[str, list[Told]] = defaultdict(list)
    for photo in sorted(given.folder.glob("*.jpg")):
        for told in tiles(photo, given.shown):
            seen[told[0]].append(told)
    print("| told by | tiles | told | log loss | called unknown | strangers found |\n|---|---|---|---|---|---|")
    for told_by, every in seen.items():
        known = [told for told in every if not told[4]]
        strangers = [told[3] for told in every if told[4]]
        right, loss, called = (np.mean([told[column] for told in known]) for column in (1, 2, 3))
        found = f"{sum(strangers)} of {len(strangers)}" if strangers else ""
        print(f"| {told_by} | {len(known)} | {right:.1%} | {loss:.3f} | {called:.1%} | {found} |")


if __name__ == "__main__":
    main()
