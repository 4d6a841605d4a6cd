"""Measure the photo reader; write docs/accuracy.md and .csv, their pictures, the model card's scores: `make accuracy`.

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
from companion.lab.accuracy.report import cause_table, figures_table, set_tables
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
"""Parts of the names of path-traced photos' scenarios (docs/world.md), as the tables call them."""

HEAD = """# How well photos are read

{date}, commit {commit}. Made by `make accuracy`, which measures every folder of photos whose truth lies beside them
as `companion accuracy FOLDER` does. The row of each photo is in [accuracy.csv](accuracy.csv); every figure here is
a sum over those rows. What the networks are and what they were trained on is in the [model card](model-card.md).

{targets}

In brackets are intervals of 95%: Wilson's for boards, and of 2,000 bootstrap samples of whole photos for all else,
since the tiles of one photo go wrong together.

- *Tiles told*: what tile it is. *Wholly right*: the tile and every meeple, camel, palm and palace on it. *Boards
  exact*: all thirty wholly right.
- *Mistakes flagged*: of the tiles read wrongly, those shown as doubtful, so that a person looks again. *Doubtful
  tiles a board*: what a person is asked, right or wrong.
- *First other reading*, *first three*: of the tiles read wrongly, those whose truth is the first of the other
  readings that `read --ask` offers, or among the three. A mistake that is not flagged is offered nothing and counts
  against both. A photo in which no board is found counts as thirty tiles not told, and in none of these three columns:
  the program says itself that it could not be read.
- *Taps*: the median a photo until the position is right, for a person who answers `read --ask` with the truth: 1 for
  each doubtful tile whose truth is offered (Enter, or a number), 3 for one that has to be typed, 4 for a mistake that
  is not flagged (finding it, then typing). Where it is less, the wrong tiles are named out of the list of the doubtful
  ones, 1 for each, and only they are answered. What is told of one tile may decide others anew. *Answers* are the
  lines typed for it, however long.

What was tuned on what: the networks that read the board saw only pictures drawn by the project's own renderers, but
for the piece network's layers that were trained on ImageNet, and the confidences were fitted on such pictures kept out
of training ([training.md](training.md)). The tile art in most of them was cut from `board_clean.jpg`, so that this one
photo is no independent test of telling tiles. All real photos and all renders (style b too) show one printing of the
tiles, the one whose art most training photos show. Nothing of the board's reader was trained or fitted on any photo or
render here. Real photos and renders were looked at while the reader was built, and showed where its design was wrong;
so were style b's mistakes. That most of these were palms and merchants of one green led to
training photos of just that ([weights.md](weights.md#pieces-of-no-family-and-pieces-that-are-alike)); no weight and no
number was chosen on any of them. Mistakes on some held-out photos were looked at as pictures as well; what was tried
because of them was left out ([weights.md](weights.md#shapes-as-in-the-game-itself)), but for how a board's outline
is looked for, which was chosen on other boards ([training.md](training.md#boards-found-by-their-outline)). The
held-out photos show outlines, lamps and tables that no training photo has (`companion/lab/rendering/heldout.py`,
[world.md](world.md)), but that the four held-out paints of palaces (terracotta, slate, lilac, honey) were second
tones of palaces in some 8% of the path-traced boxes that the piece network learnt from.
Choices made once they had been measured: below which confidence a tile is doubtful, that tiles are less likely unknown
where their printing is strange, and from where they are called so ([training.md](training.md)).

## Mistakes by cause

{causes}

![Tiles read wrongly, by cause](images/failures.jpg)

*Tiles of held-out photos that show the project's own art; what was read and what is so below each.*

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


def _fill(path: Path, text: str) -> None:
    """Replace what stands between the score marks of a page."""
    before, rest = path.read_text(encoding="utf-8").split("<!-- scores -->\n")
    _, after = rest.split("<!-- end of scores -->")
    path.write_text(f"{before}<!-- scores -->\n{text}\n<!-- end of scores -->{after}", encoding="utf-8")


def _write_pages(groups: Mapping[str, Sequence[PhotoScore]]) -> None:
    date, commit = datetime.date.today().isoformat(), _commit()
    targets = figures_table(groups)
    measured_on = (*WORLDS.values(), "drawn tables", HELD)
    held_out = [one for name, scores in groups.items() if name.startswith(measured_on) for one in scores]
    parts = [HEAD.format(date=date, commit=commit, targets=targets, causes=cause_table(held_out))]
    parts += [f"## {title}\n\n{set_tables(scores)}\n" for title, scores in groups.items() if scores]
    missing = [title for title, scores in groups.items() if not scores]
    if missing:
        parts.append(f"Not measured, since the photos were not there: {'; '.join(missing)}.\n")
    (DOCS / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")
    _fill(DOCS / "model-card.md", f"{date}, commit {commit}, by `make accuracy`:\n\n{targets}\n")
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
