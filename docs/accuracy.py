"""Measure the photo reader and write the figures into docs/accuracy.md and .csv: `make accuracy`.

    python docs/accuracy.py PHOTOS [--samples samples] [--rendered FOLDER ...] [--held-out 80]

PHOTOS holds `real`, `renders` and `style-b`, photos of a real game and other people's renders that lie outside the
project; `--rendered` are folders of held-out photos made by `python -m companion.lab world --held-out`. Those of the
plain renderer are drawn anew each time. What isn't there is not measured.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

from companion.lab.accuracy.report import cause_table, confidence_table, figures_table
from companion.lab.accuracy.scores import PhotoScore, find_truths, score_photo
from companion.lab.rendering.heldout import heldout_photos
from companion.lab.rendering.tile_art import cut_tiles, upright
from companion.lab.rendering.truth import store_photo
from companion.notation.tokens import parse_board
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.load import load_photo
from companion.vision.locate.lattice import find_lattice

DOCS = Path(__file__).resolve().parent
EMPTY_TILES = "board_clean.jpg"
HELD = "held out"

SUBJECTS = {"usual": "usual pieces", "pieces": "other productions", "tiles": "other tile art"}
WORLDS = {"ordinary": "ordinary tables", "traced": "crowded tables"}
"""Parts of the names of path-traced photos' scenarios, as the tables call them."""


def _score(folder: Path) -> list[PhotoScore]:
    return [score_photo(*photo) for photo in find_truths(folder)] if folder.is_dir() else []


def _held_out(folder: Path, real: Path | None, seeds: range, *, usual: bool = False) -> list[PhotoScore]:
    """Held-out photos, rendered into the folder: on tiles cut from the photo of real ones, or on our own.

    Their pieces are of other productions, or the `usual` ones.
    """
    art = None
    if real is not None:
        rows = json.loads((real.parent / "truth.json").read_text(encoding="utf-8"))[real.name]["rows"]
        photo, board = load_photo(real), parse_board("\n".join(rows))
        art = cut_tiles(photo, upright(photo, find_lattice(photo).homography, board), board)
    for photo_of_seed in heldout_photos(seeds, art, usual=usual):
        store_photo(folder, *photo_of_seed)
    return _score(folder)


def _by_subject(scores: Sequence[PhotoScore]) -> dict[str, list[PhotoScore]]:
    """Held-out photos made beforehand, by their world and subject, as the table names them."""
    groups: dict[str, list[PhotoScore]] = {}
    for world, table in WORLDS.items():
        for subject, pieces in SUBJECTS.items():
            name = f"{world}-{subject}-"
            groups[f"{table}, {pieces}"] = [score for score in scores if score.scenario.startswith(name)]
    return groups


def _fill(path: Path, text: str) -> None:
    """Replace what stands between the score marks of a page."""
    before, rest = path.read_text(encoding="utf-8").split("<!-- scores -->\n")
    _, after = rest.split("<!-- end of scores -->")
    path.write_text(f"{before}<!-- scores -->\n{text}\n<!-- end of scores -->{after}", encoding="utf-8")


_CSV_HEAD = (
    *("photo", "scenario", "identity", "whole", "exact", "flagged", "unflagged_wrong"),
    "seconds",
    *(f"{name}_{what}" for name in PIECE_CLASSES for what in ("true", "read", "right")),
)


def _csv_rows(scores: Iterable[PhotoScore]) -> list[tuple[object, ...]]:
    """A row a photo in the order of `_CSV_HEAD`; every published figure is a sum over these."""
    return [
        (
            score.name,
            score.scenario,
            score.identity,
            score.whole,
            int(score.exact),
            score.flagged,
            score.unflagged_wrong,
            round(score.seconds, 3),
            *(number for tally in score.pieces for number in (tally.true, tally.read, tally.right)),
        )
        for score in scores
    ]


def _write(groups: Mapping[str, Sequence[PhotoScore]]) -> None:
    commit = subprocess.run(["git", "describe", "--always", "--dirty=, with changes"], capture_output=True, text=True)
    head = f"{datetime.date.today().isoformat()}, commit {commit.stdout.strip()}, by `make accuracy`:"
    table = figures_table(groups)
    measured_on = (*WORLDS.values(), HELD)
    held_out = [score for name, scores in groups.items() if name.startswith(measured_on) for score in scores]
    missing = "; ".join(name for name, scores in groups.items() if not scores)
    parts = [head, table, *([f"Not measured, since the photos weren't there: {missing}."] if missing else [])]
    parts += ["On held-out photos:", cause_table(held_out), confidence_table(held_out)]
    _fill(DOCS / "accuracy.md", "\n\n".join(parts))
    with (DOCS / "accuracy.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("set", *_CSV_HEAD))
        for title, scores in groups.items():
            writer.writerows((title, *row) for row in _csv_rows(scores))


def main(photos: Path, samples: Path, rendered: Sequence[Path], held_out: int) -> None:
    """Read every photo of the folders and of the held-out sets, and write the figures."""
    groups = _by_subject([score for folder in rendered for score in _score(folder)])
    groups["style b"] = _score(photos / "style-b")
    clean = photos / "real" / EMPTY_TILES
    real = clean if clean.is_file() else None
    for number, (pieces, tiles) in enumerate(product(("other productions", "usual pieces"), ("own", "real"))):
        seeds = range(number * held_out, (number + 1) * held_out) if tiles == "own" or real else range(0)
        with tempfile.TemporaryDirectory() as folder:
            scores = _held_out(Path(folder), real if tiles == "real" else None, seeds, usual=pieces == "usual pieces")
        groups[f"{HELD}, {pieces}, {tiles} tiles"] = scores
    groups["real photos"] = _score(photos / "real")
    groups["renders of the real tiles"] = _score(photos / "renders")
    groups["the project's samples"] = _score(samples)
    _write(groups)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the photo reader and write docs/accuracy.md.")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--samples", type=Path, default=Path("samples"))
    parser.add_argument("--rendered", type=Path, nargs="*", default=[])
    parser.add_argument("--held-out", type=int, default=80)
    wanted = parser.parse_args()
    main(wanted.photos, wanted.samples, wanted.rendered, wanted.held_out)
