"""What goes to the user: one JSON document on standard output, words on standard error, whole files."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import OutputExistsError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from companion.rules.model.position import Position

POSITION_ENDINGS = (".toml", ".json")
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png")
JSON_ENDING = (".json",)
CSV_ENDING = (".csv",)
PDF_ENDING = (".pdf",)


def print_json(document: object) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def note(text: str) -> None:
    """Tell the user something beside the result, on standard error."""
    print(text, file=sys.stderr)


def console() -> Console:
    """A rich console on standard output: colour only on a terminal that wants it, 80 columns else."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def check_outputs(*outputs: tuple[Path | None, tuple[str, ...]], force: bool) -> None:
    """Refuse early, before any work, to write what `write_file` would refuse in the end.

    Each output is its path, None if it is not wanted, and the endings that its name may have, in lower case.
    Raises UsageError for another ending or for one name given twice, and what `check_free` raises.
    """
    taken: set[Path] = set()
    for path, endings in outputs:
        if path is None:
            continue
        if path.suffix.lower() not in endings:
            wanted = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
            raise UsageError(f"{path}: the name must end in {wanted}")
        check_free(path, force=force)
        if path.resolve() in taken:
            raise UsageError(f"{path} is named for two files, which need two names; choose another for one of them")
        taken.add(path.resolve())


def check_free(path: Path, *, force: bool) -> None:
    """Refuse to write where something stands already.

    Raises OutputExistsError if the file exists and `force` is not given, UsageError if it is a folder, if its
    own folder does not exist, or if no file can have the name.
    """
    try:
        occupied = path.exists()
    except OSError:
        raise UsageError(f"{str(path)[:40]!r}… is no name for a file here; choose a shorter, plainer one") from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it")
    if occupied and not force:
        raise OutputExistsError(f"{path} exists already; choose another name or give --force to overwrite it")
    if not path.parent.is_dir():
        raise UsageError(f"the folder {path.parent} does not exist; make it first or choose another place")


def write_file(path: Path, content: bytes, *, force: bool) -> None:
    """Write a whole file or nothing: beside its place first, then renamed.

    Raises what `check_free` raises, and UsageError if the folder cannot be written to.
    """
    check_free(path, force=force)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise UsageError(f"cannot write in {path.parent}: {error.strerror}") from None
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp makes private files; give the result the permissions that any new file gets.
        umask = os.umask(0)
        os.umask(umask)
        beside.chmod(0o666 & ~umask)
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def write_position(path: Path, position: Position, *, force: bool) -> None:
    """Write a position file: JSON if the name ends so, TOML else. Raises what `write_file` raises."""
    from companion.notation.files import format_json, format_toml

    formatted = format_json(position) if path.suffix.lower() in JSON_ENDING else format_toml(position)
    write_file(path, formatted.encode(), force=force)
