"""Measure the photo reader and write docs/accuracy.md and docs/accuracy.csv: `make accuracy`.

Photos of a real game and other people's renders lie outside the project; give their folders as arguments.
"""

from __future__ import annotations

import csv
import datetime
import subprocess
import sys
from pathlib import Path

from companion.cli.accuracy import RELIABILITY_EDGES
from companion.vision.accuracy import CSV_HEAD, PhotoScore, csv_rows, find_truths, score_photo
from companion.vision.accuracy_table import accuracy_table

DOCS = Path(__file__).resolve().parent
HEAD = """# How well photos are read

{date}, commit {commit}. Made by `make accuracy`, which measures every folder of photos whose truth lies beside them
as `companion accuracy FOLDER` does. The row of each photo is in [accuracy.csv](accuracy.csv); every figure here is
a sum over those rows.

*Tiles told*: what tile it is. *Wholly right*: the tile and every meeple, camel, palm and palace on it. *Flagged*:
shown as doubtful, so that a person looks again. *Wrong, not flagged* should be 0. Seconds are within one process on
two cores.

What was tuned on what: the networks saw only pictures drawn by the project's own renderer, and the confidences were
fitted on such pictures kept out of training ([training.md](training.md)). The tile art in most of them was cut from
`board_clean.jpg`, so that this one photo is no independent test of telling tiles. Nothing was trained or fitted on
any other photo or render here; they were looked at while the reader was built, and showed where its design was
wrong.
"""


def _commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown"


def main(folders: list[Path]) -> None:
    """Read every photo of the folders and write the page and its rows."""
    everything: list[PhotoScore] = []
    parts = [HEAD.format(date=datetime.date.today().isoformat(), commit=_commit())]
    for title, folder in zip(
        ("Real photos", "Renders of the real tiles", "The project's own samples"), folders, strict=False
    ):
        if not folder.is_dir():
            parts.append(f"## {title}\n\nNot measured: the folder was not there.\n")
            continue
        scores = [score_photo(photo, board, scenario) for photo, board, scenario in find_truths(folder)]
        everything += scores
        parts.append(f"## {title}\n\n{accuracy_table(scores, RELIABILITY_EDGES)}\n")
    (DOCS / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")
    with (DOCS / "accuracy.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_HEAD)
        writer.writerows(csv_rows(everything))


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
