"""How many tiles are read rightly, by how much of the piece on them shows that is hidden most.

`python -m tests.vision.measure_hidden FOLDER [SCENARIO]`, with path-traced photos as `python -m companion.lab world
--held-out` makes them; of scenarios that begin so alone.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.lab.accuracy.scores import find_truths, score_photo

SHOWN = (0.0, 0.18, 0.35, 0.6, 0.9, 1.0)
"""Bounds of the shares of a piece that show."""


def tiles(folder: Path, scenario: str) -> Iterator[tuple[float, bool]]:
    """Each tile that something stands on: the least share that shows of a piece on it, and whether it is read rightly.

    Photos in which no board is found are left out.
    """
    for photo, board, named in find_truths(folder):
        if not named.startswith(scenario):
            continue
        score = score_photo(photo, board, named)
        if score.fault:
            print(f"{photo.name}: {score.fault}")
            continue
        truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
        least: dict[str, float] = defaultdict(lambda: 2.0)
        for piece in truth["pieces"]:
            least[piece["tile"]] = min(least[piece["tile"]], piece["visible"])
        for tile, (_, right) in zip(truth["tiles"], score.confidences, strict=True):
            if tile["tile"] in least:
                yield least[tile["tile"]], right


def main() -> None:
    """Measure on all photos of a folder, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="photos with their truth beside them")
    parser.add_argument("scenario", nargs="?", default="", help="only photos whose scenario begins so")
    told = parser.parse_args()
    seen = list(tiles(told.folder, told.scenario))
    print("| shows | tiles | wholly right | mistakes |\n|---|---|---|---|")
    for low, high in pairwise(SHOWN):
        rights = [right for share, right in seen if low <= share < high or share == high == 1.0]
        if rights:
            share_right = f"{100 * sum(rights) / len(rights):.1f}%"
            print(f"| {low:.0%} to {high:.0%} | {len(rights)} | {share_right} | {len(rights) - sum(rights)} |")


if __name__ == "__main__":
    main()
