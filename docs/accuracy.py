"""Measure the photo reader; write docs/accuracy.md and .csv, their pictures, the model card's scores: `make accuracy`.

Photos of a real game and other people's renders lie outside the project; give their folders as arguments. Held-out
photos of the project's own are rendered anew each time: what they show follows from their seeds.
"""

from __future__ import annotations

import csv
import datetime
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.accuracy.plot import reliability_svg
from companion.lab.accuracy.report import accuracy_table, scenario_table
from companion.lab.accuracy.scores import CSV_HEAD, PhotoScore, csv_rows, find_truths, score_photo
from companion.lab.rendering.heldout import heldout_files
from companion.lab.rendering.tile_art import cut_tiles
from companion.notation.tokens import format_tile
from companion.rules.model.board import SQUARE_NAMES
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX, rectify
from companion.vision.load import load_photo
from companion.vision.locate.lattice import find_lattice
from companion.vision.reading.pipeline import read_photo

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
HELD_OUT = 80
EMPTY_TILES = "board_clean.jpg"
FAILURES = 12
CROP_PX = 230

HEAD = """# How well photos are read

{date}, commit {commit}. Made by `make accuracy`, which measures every folder of photos whose truth lies beside them
as `companion accuracy FOLDER` does. The row of each photo is in [accuracy.csv](accuracy.csv); every figure here is
a sum over those rows. What the networks are and what they were trained on is in the [model card](model-card.md).

*Tiles told*: what tile it is. *Wholly right*: the tile and every meeple, camel, palm and palace on it. *Flagged*:
shown as doubtful, so that a person looks again. *Wrong, not flagged* should be 0. Seconds are within one process on
two cores.

What was tuned on what: the networks saw only pictures drawn by the project's own renderer, and the confidences were
fitted on such pictures kept out of training ([training.md](training.md)). The tile art in most of them was cut from
`board_clean.jpg`, so that this one photo is no independent test of telling tiles. Nothing was trained or fitted on
any other photo or render here; they were looked at while the reader was built, and showed where its design was
wrong. The held-out photos show outlines, lamps and tables that no training photo has, some of them lenses too
(`companion/lab/rendering/heldout.py`); paints start from other colours, though training varies its own so widely that
it comes near most of them. They replace an earlier set, whose failures had been looked at and towards which
training was widened. They were designed apart from the training, and the reader had read none of them before
this measurement.

![How far confidences can be trusted](images/reliability.svg)
"""


def _commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown"


def _score(folder: Path) -> list[PhotoScore]:
    return [score_photo(photo, board, scenario) for photo, board, scenario in find_truths(folder)]


def _held_out(folder: Path, real: Path | None) -> list[PhotoScore]:
    """Held-out photos, rendered into the folder: on tiles cut from the photo of real ones, or on our own."""
    import json

    art = None
    if real is not None:
        from companion.notation.tokens import parse_board

        truth = json.loads((real.parent / "truth.json").read_text(encoding="utf-8"))[real.name]
        photo = load_photo(real)
        art = cut_tiles(photo, find_lattice(photo).homography, parse_board("\n".join(truth["rows"])))
    first = 0 if art is None else HELD_OUT
    for name, jpeg, document in heldout_files(range(first, first + HELD_OUT), art):
        (folder / f"{name}.jpg").write_bytes(jpeg)
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return _score(folder)


def _failures(folder: Path) -> NDArray[np.uint8] | None:
    """Crops of tiles read wrongly on photos of our own art, with what was read and what is true below; BGR."""
    cards: list[NDArray[np.uint8]] = []
    for path, board, scenario in find_truths(folder):
        reading = read_photo(path)
        right = sum(tile.tile.kind is true.kind for tile, true in zip(reading.tiles, board, strict=True))
        turned = sum(tile.tile.kind is true.kind for tile, true in zip(reading.tiles, board[::-1], strict=True))
        truth = board if right >= turned else board[::-1]
        picture = rectify(load_photo(path), np.array(reading.homography))
        assert picture.shape[1::-1] == BOARD_SIZE_PX
        for square, (tile, true) in enumerate(zip(reading.tiles, truth, strict=True)):
            if tile.tile == true or len(cards) >= FAILURES:
                continue
            row, column = divmod(square, 6)
            half = MARGIN_TILES / 2
            top, left = round((row + half) * TILE_PX), round((column + half) * TILE_PX)
            side = round((1 + 2 * half) * TILE_PX)
            crop = cv2.resize(picture[top : top + side, left : left + side], (CROP_PX, CROP_PX))
            card = np.full((CROP_PX + 62, CROP_PX + 10, 3), 255, np.uint8)
            card[:CROP_PX, 5 : CROP_PX + 5] = crop
            lines = (
                f"{scenario}, {SQUARE_NAMES[square]}" + (" (flagged)" if tile.is_doubtful else " (NOT flagged)"),
                f"read {format_tile(tile.tile)}",
                f"true {format_tile(true)}",
            )
            for number, text in enumerate(lines):
                place = (7, CROP_PX + 17 + 19 * number)
                cv2.putText(card, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.46, (30, 30, 30), 1, cv2.LINE_AA)
            cards.append(card)
    if not cards:
        return None
    cards += [np.full_like(cards[0], 255)] * (-len(cards) % 4)
    return np.vstack([np.hstack(cards[first : first + 4]) for first in range(0, len(cards), 4)])


def _fill(path: Path, text: str) -> None:
    """Replace what stands between the score marks of a page."""
    before, rest = path.read_text(encoding="utf-8").split("<!-- scores -->\n")
    _, after = rest.split("<!-- end of scores -->")
    path.write_text(f"{before}<!-- scores -->\n{text}\n<!-- end of scores -->{after}", encoding="utf-8")


def main(folders: list[Path]) -> None:
    """Read every photo of the folders and of the held-out sets, and write the pages, their rows and pictures."""
    real, renders, samples = folders
    date, commit = datetime.date.today().isoformat(), _commit()
    groups: dict[str, list[PhotoScore]] = {}
    for title, folder in (("Real photos", real), ("Renders of the real tiles", renders)):
        groups[title] = _score(folder) if folder.is_dir() else []
    groups["The project's own samples"] = _score(samples)
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as cut:
        groups["Held out, the project's own tiles"] = _held_out(Path(own), None)
        picture = _failures(Path(own))
        clean = real / EMPTY_TILES
        groups["Held out, real tiles"] = _held_out(Path(cut), clean) if clean.is_file() else []
    parts, brief = [HEAD.format(date=date, commit=commit)], [f"{date}, commit {commit}, by `make accuracy`:\n"]
    for title, scores in groups.items():
        if not scores:
            parts.append(f"## {title}\n\nNot measured: the photos were not there.\n")
            continue
        parts.append(f"## {title}\n\n{accuracy_table(scores)}\n")
        brief.append(f"**{title}**\n\n{scenario_table(scores)}\n")
    (DOCS / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")
    _fill(DOCS / "model-card.md", "\n".join(brief))
    with (DOCS / "accuracy.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("set", *CSV_HEAD))
        for title, scores in groups.items():
            writer.writerows((title, *row) for row in csv_rows(scores))
    curves = {
        "held out, real tiles": groups["Held out, real tiles"],
        "held out, own tiles": groups["Held out, the project's own tiles"],
        "renders of the real tiles": groups["Renders of the real tiles"],
    }
    svg = reliability_svg({name: scores for name, scores in curves.items() if scores})
    (IMAGES / "reliability.svg").write_text(svg, encoding="utf-8")
    if picture is not None:
        cv2.imwrite(str(IMAGES / "failures.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:4]])
