"""`companion accuracy`: how well photos with known truth are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import Force, not_installed

RELIABILITY_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


def accuracy(
    folders: Annotated[list[Path], typer.Argument(help="Folders of photos with their truth beside them.")],
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a row a photo to this file.")] = None,
    force: Force = False,
) -> None:
    """Measure the reader on photos whose truth is known.

    Example: companion accuracy samples --csv rows.csv

    Truth lies beside a photo as a position file or JSON of the same name, or in the folder's truth.json.
    """
    import csv as csv_module
    import io

    from companion.cli.output import CSV_ENDING, check_outputs, note, say
    from companion.errors import UnusableInputError
    from companion.storage import write_file

    try:
        from companion.lab.accuracy.scores import CSV_HEAD, csv_rows, find_truths, score_photo
        from companion.lab.accuracy.tables import accuracy_table
    except ImportError as error:
        raise not_installed("companion accuracy", error) from None

    check_outputs((csv, CSV_ENDING), force=force)
    scores = []
    for folder in folders:
        if not folder.is_dir():
            raise UnusableInputError(f"{folder} is not a folder; name a folder of photos with their truth")
        for photo, board, scenario in find_truths(folder):
            scores.append(score_photo(photo, board, scenario))
    if not scores:
        raise UnusableInputError("no photo with its truth beside it in " + ", ".join(map(str, folders)))
    say(accuracy_table(scores, RELIABILITY_EDGES))
    if csv is not None:
        text = io.StringIO()
        writer = csv_module.writer(text, lineterminator="\n")
        writer.writerow(CSV_HEAD)
        writer.writerows(csv_rows(scores))
        write_file(csv, text.getvalue().encode(), force=force)
        note(f"written: {csv}")
