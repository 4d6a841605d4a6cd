"""Commands for many files at once: records looked back on and photos read, on several cores or machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import CompanionError, UnusableInputError
from companion.lab.arena.workers import workforce
from companion.lab.commands.shared import Scheduler, Workers, say, writable

Files = Annotated[
    list[Path], typer.Argument(help="Files, or folders of them, named as every machine that does the work sees them.")
]
Lines = Annotated[
    Path,
    typer.Option(
        "--output", "-o", callback=writable, help="A JSON line a file; those that have theirs already are left out."
    ),
]


def review(
    files: Files,
    output: Lines,
    playouts: Annotated[int, typer.Option(min=1, help="Replies that each decision is valued with.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same reviews.")] = 0,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Look back on many recorded games, as `companion review` does on one."""
    _each(files, (".txt",), output, partial(reviewed, playouts, seed), workers, scheduler)


def read(files: Files, output: Lines, workers: Workers = 1, scheduler: Scheduler = None) -> None:
    """Read many photos, each of a table of its own, as `companion read` does one."""
    from companion.lab.accuracy.scores import PHOTO_SUFFIXES

    _each(files, PHOTO_SUFFIXES, output, photo_read, workers, scheduler)


def reviewed(playouts: int, seed: int, path: str) -> dict[str, object]:
    """The review of a record as a document. Raises what `open_record` and `review_record` raise."""
    from companion.advisor.search.reviewing import review_record
    from companion.cli.views.review_view import review_document
    from companion.opening.text import open_record

    return review_document(review_record(open_record(path), playouts=playouts, seed=seed))


def photo_read(path: str) -> dict[str, object]:
    """The reading of a photo as a document. Raises what `open_position` raises."""
    from companion.cli.views.reading_view import reading_document
    from companion.opening.position import open_position

    reading = open_position(path, photos_only=True, checked=False).reading
    assert reading is not None, "a photo was read"
    return reading_document(reading)


def _answered(work: Callable[[str], dict[str, object]], path: str) -> dict[str, object]:
    """What comes of a file, or why nothing does: one that can't be used stops none of the others."""
    try:
        return {"file": path, "result": work(path)}
    except CompanionError as error:
        return {"file": path, "error": str(error), "status": int(error.status)}


def _each(
    files: list[Path],
    endings: tuple[str, ...],
    output: Path,
    work: Callable[[str], dict[str, object]],
    workers: int,
    scheduler: str | None,
) -> None:
    """Do the work on every file that has no line in the output yet, and write each line as it comes."""
    from companion.lab.arena.results import lines_of

    named = [inside for path in files for inside in (sorted(path.iterdir()) if path.is_dir() else [path])]
    wanted = dict.fromkeys(str(path) for path in named if path in files or path.suffix.lower() in endings)
    if not wanted:
        raise UnusableInputError(f"no file in {', '.join(map(str, files))} ends in {', '.join(endings)}")
    with lines_of(output) as (whole, append), workforce(workers, scheduler) as run_all:
        done = {json.loads(line)["file"] for line in whole}
        missing, failed = [path for path in wanted if path not in done], 0
        for number, (_, answer) in enumerate(run_all(partial(_answered, work), missing), 1):
            append(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
            failed += "error" in answer
            if number % max(1, len(missing) // 20) == 0:
                say(f"{number} of {len(missing)} files")
    say(f"{output}: {len(missing)} files more, {failed} of them with an error")
