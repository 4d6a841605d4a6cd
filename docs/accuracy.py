"""Measure the photo reader; write docs/accuracy.md and .csv and their pictures: `make accuracy`.

    python docs/accuracy.py PHOTOS [--samples samples] [--traced FOLDER ...] [--shown FOLDER] [--held-out 80]

PHOTOS holds `real`, `renders` and `style-b`, photos of a real game and other people's renders that lie outside the
project; `--traced` are folders of held-out photos made by `python -m companion.lab world --held-out` or `tiles
--held-out`; `--shown` is one of their owners' pieces and tiles (`world --held-out --row`, `tiles --held-out --shown`):
where there is such a photo, theirs is read once more with what is learnt from it. Those of the project's own renderer
are drawn anew each time: what they show follows from their seeds. What is not there is not measured.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2

from companion.lab.accuracy.failures import failure_sheet
from companion.lab.accuracy.plot import reliability_svg
from companion.lab.accuracy.report import cause_table, figures_table
from companion.lab.accuracy.scores import CSV_HEAD, PhotoScore, csv_rows, find_truths, score_photo
from companion.lab.accuracy.shown import score_after_learning
from companion.lab.rendering.heldout import heldout_files
from companion.lab.rendering.tile_art import cut_tiles, upright
from companion.notation.tokens import parse_board
from companion.vision.load import load_photo
from companion.vision.locate.lattice import find_lattice

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
EMPTY_TILES = "board_clean.jpg"
HELD = "held out"
FAILURES, OF_EACH_CAUSE = 24, 4
JPEG_QUALITY = 82

SUBJECTS = {"usual": "usual pieces", "pieces": "pieces and paints of other productions", "tiles": "other tile art"}
DRAWN = "style-"
"""What the names of the scenarios of tiles in drawn styles begin with."""

WORLDS = {"ordinary": "ordinary tables", "traced": "crowded tables"}
"""Parts of the names of path-traced photos' scenarios (docs/training.md), as the tables call them."""

HEAD = """# How well photos are read

{date}, commit {commit}, by `make accuracy`. Every figure is a sum over the photos' rows in
[accuracy.csv](accuracy.csv). `python -m companion.lab accuracy FOLDER` measures a folder of your own photos with their
truth beside them. The networks: [model card](model-card.md).

{targets}

In brackets are 95% intervals: Wilson's for boards, otherwise from 2,000 bootstrap samples of whole photos.

- *Tiles told*: the kind of tile. *Wholly right*: the tile and everything on it. *Boards exact*: all thirty wholly
  right.
- *Mistakes flagged*: of the wrong tiles, those shown as doubtful. *Doubtful tiles a board*: what a person is asked
  about, right or wrong.
- *First other reading*, *first three*: of the wrong tiles, those whose truth `read --ask` offers as the first other
  reading, or among the first three. A photo in which no board is found counts as thirty wrong tiles, but not in these
  columns or among the mistakes flagged.
- *Taps*: the median a photo until the position is right, for a person who answers `read --ask` truthfully: 1 for a
  doubtful tile whose truth is offered, 3 for one that has to be typed, 4 for an unmarked mistake. *Answers* are the
  lines typed for it.

What is independent of what: nothing was trained or fitted on any photo or render here, but the real photos, the renders
and style b were looked at while the reader was built. All of them show the printing whose art most training photos
show. Held-out photos show outlines, lamps and tables that training never draws; four of their palace paints did occur
as second tones in 8% of the path-traced training boxes. The threshold for doubtful tiles and those for unknown tiles
were chosen with the figures in view.

## Mistakes by cause

On held-out photos:

{causes}

![Tiles read wrongly, by cause](images/failures.jpg)

## Confidences

![How far confidences can be trusted](images/reliability.svg)
"""


def _commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown"


def _score(folder: Path) -> list[PhotoScore]:
    if not folder.is_dir():
        return []
    return [score_photo(photo, board, scenario) for photo, board, scenario in find_truths(folder)]


def _held_out(folder: Path, real: Path | None, count: int) -> list[PhotoScore]:
    """Held-out photos, rendered into the folder: on tiles cut from the photo of real ones, or on our own."""
    art = None
    if real is not None:
        truth = json.loads((real.parent / "truth.json").read_text(encoding="utf-8"))[real.name]
        photo = load_photo(real)
        board = parse_board("\n".join(truth["rows"]))
        art = cut_tiles(photo, upright(photo, find_lattice(photo).homography, board), board)
    first = 0 if art is None else count
    for name, jpeg, document in heldout_files(range(first, first + count), art):
        (folder / f"{name}.jpg").write_bytes(jpeg)
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return _score(folder)


def _shows_own_art(photo: Path) -> bool:
    """Whether a path-traced photo shows the project's own tiles, by its truth."""
    return bool(json.loads(photo.with_suffix(".json").read_text(encoding="utf-8")).get("own_art"))


def _by_subject(scores: Sequence[PhotoScore]) -> dict[str, list[PhotoScore]]:
    """Held-out photos made beforehand, by their world and subject, as the table names them."""
    groups = {f"drawn tables, {SUBJECTS['tiles']}": [one for one in scores if one.scenario.startswith(DRAWN)]}
    for world, table in WORLDS.items():
        for subject, pieces in SUBJECTS.items():
            groups[f"{table}, {pieces}"] = [one for one in scores if one.scenario.startswith(f"{world}-{subject}-")]
    return groups


def _learnt(shown: Path | None, traced: Sequence[Path], read: Sequence[PhotoScore]) -> dict[str, list[PhotoScore]]:
    """The photos whose owners' pieces are shown, read without and with what is learnt from that."""
    if shown is None:
        return {}
    after = [score for folder in traced for score in score_after_learning(folder, shown)]
    groups: dict[str, list[PhotoScore]] = {}
    for what, command, are_tiles in (("pieces", "`learn`", False), ("tiles", "`learn --tiles`", True)):
        learnt = [score for score in after if score.scenario.startswith(DRAWN) is are_tiles]
        names = {score.name for score in learnt}
        groups[f"the {len(learnt)} whose owners show their {what}"] = [one for one in read if one.name in names]
        groups[f"the same after {command}"] = learnt
    return groups


def _write_pages(groups: Mapping[str, Sequence[PhotoScore]]) -> None:
    date, commit = datetime.date.today().isoformat(), _commit()
    targets = figures_table(groups)
    measured_on = (*WORLDS.values(), "drawn tables", HELD)
    held_out = [one for name, scores in groups.items() if name.startswith(measured_on) for one in scores]
    parts = [HEAD.format(date=date, commit=commit, targets=targets, causes=cause_table(held_out))]
    missing = [title for title, scores in groups.items() if not scores]
    if missing:
        parts.append(f"Not measured, for want of photos: {'; '.join(missing)}.\n")
    (DOCS / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")
    with (DOCS / "accuracy.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("set", *CSV_HEAD))
        for title, scores in groups.items():
            writer.writerows((title, *row) for row in csv_rows(scores))


def main(photos: Path, samples: Path, traced: Sequence[Path], shown: Path | None, held_out: int) -> None:
    """Read every photo of the folders and of the held-out sets, and write the pages, their rows and pictures."""
    path_traced = [score for folder in traced for score in _score(folder)]
    groups: dict[str, list[PhotoScore]] = _by_subject(path_traced)
    groups |= _learnt(shown, traced, path_traced)
    groups["style b"] = _score(photos / "style-b")
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as cut:
        clean = photos / "real" / EMPTY_TILES
        groups[f"{HELD}, own renderer, own tiles"] = own_scores = _held_out(Path(own), None, held_out)
        groups[f"{HELD}, own renderer, real tiles"] = _held_out(Path(cut), clean, held_out) if clean.is_file() else []
        failed = [one.failed for one in path_traced if one.failed and _shows_own_art(one.failed.path)]
        failed += [one.failed for one in own_scores if one.failed]
        picture = failure_sheet(failed, FAILURES, OF_EACH_CAUSE)
    groups["real photos"] = _score(photos / "real")
    groups["renders of the real tiles"] = _score(photos / "renders")
    groups["the project's samples"] = _score(samples)
    _write_pages(groups)
    curves = {
        "path-traced": path_traced,
        "own renderer": [one for name, scores in groups.items() if name.startswith(HELD) for one in scores],
        "renders of the real tiles": groups["renders of the real tiles"],
    }
    svg = reliability_svg({name: scores for name, scores in curves.items() if scores})
    (IMAGES / "reliability.svg").write_text(svg, encoding="utf-8")
    if picture is not None:
        cv2.imwrite(str(IMAGES / "failures.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the photo reader and write docs/accuracy.md.")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--samples", type=Path, default=Path("samples"))
    parser.add_argument("--traced", type=Path, nargs="*", default=[])
    parser.add_argument("--shown", type=Path)
    parser.add_argument("--held-out", type=int, default=80)
    wanted = parser.parse_args()
    main(wanted.photos, wanted.samples, wanted.traced, wanted.shown, wanted.held_out)
