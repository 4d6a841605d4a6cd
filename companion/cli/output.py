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


def check_free(path: Path, *, force: bool) -> None:
    """Refuse early to write where something stands already.

    Raises OutputExistsError if the file exists and `force` is not given, UsageError if its folder does not.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it")
    if path.exists() and not force:
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
