"""`companion accuracy`: how well photos with known truth are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import Force, not_installed
from companion.language.phrase import say


def accuracy(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER", help="Folders of photos with their truth beside them.")
    ],
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a row a photo to this file.")] = None,
    force: Force = False,
) -> None:
    """Measure the reader on photos whose truth is known.

    Example: companion accuracy samples --csv rows.csv

    Truth lies beside a photo as a position file or JSON of the same name, or in the folder's truth.json.
    """
    from companion.cli.output import CSV_ENDING, check_outputs, note, print_text
    from companion.storage import write_file

    try:
        from companion.lab.accuracy.report import accuracy_table
        from companion.lab.accuracy.scores import csv_text, score_folders, without_truth
    except ImportError as error:
        raise not_installed("companion accuracy", error) from None

    check_outputs((csv, CSV_ENDING), force=force)
    scores = score_folders(folders)
    print_text(accuracy_table(scores))
    for photo in without_truth(folders):
        note(say("{photo} was left out: no truth lies beside it", photo=photo))
    if csv is not None:
        write_file(csv, csv_text(scores).encode(), force=force)
        note(say("written: {csv}", csv=csv))
