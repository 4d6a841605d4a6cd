"""Where the pictures of doubtful tiles and cards are written: a folder that is named, or one of the user's cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.output import check_free, write_file
from companion.errors import UsageError
from companion.resources import DISTRIBUTION

if TYPE_CHECKING:
    from companion.vision.load import Picture


def cache_folder() -> Path:
    """The folder for pictures of what is doubtful where none is named; it need not be there yet."""
    from platformdirs import user_cache_path

    return user_cache_path(DISTRIBUTION, appauthor=False) / "doubtful"


def write_crops(pictures: Mapping[str, Picture], named: Path | None, *, force: bool) -> Path:
    """Write pictures by name, "c3" as `c3.png`, into the folder that was named or the user's cache; which it was.

    A named folder is made if its parent is there, and nothing in it is overwritten without `force`; the cache
    only ever holds the pictures of the last photo. Raises UsageError if it cannot be written.
    """
    from companion.vision.reading.crops import encode_crops

    folder = cache_folder() if named is None else named
    try:
        folder.mkdir(parents=named is None, exist_ok=True)
        if named is None:
            for old in folder.glob("*.png"):
                old.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    files = encode_crops({f"{name}.png": picture for name, picture in pictures.items()})
    if named is not None:
        # All or none.
        for name in files:
            check_free(folder / name, force=force)
    for name, content in files.items():
        write_file(folder / name, content, force=force or named is None)
    return folder
