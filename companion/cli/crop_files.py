"""Where the pictures of doubtful tiles and cards are written: a folder that is named, or one of the user's cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.resources import cache_folder
from companion.storage import check_free, private_folder, write_file

if TYPE_CHECKING:
    from companion.vision.load import Picture


def write_crops(pictures: Mapping[str, Picture], named: Path | None, *, force: bool) -> Path:
    """Write pictures by name, "c3" as `c3.png`, into the folder that was named or the user's cache; which it was.

    A named folder is made if its parent is there, and nothing in it is overwritten without `force`; the cache
    only ever holds the pictures of the last photo. Raises UsageError or UnusableInputError
    if it cannot be written.
    """
    from companion.vision.reading.overlay import encode_crops

    folder = cache_folder() / "doubtful" if named is None else named
    try:
        if named is not None:
            folder.mkdir(exist_ok=True)
        else:
            private_folder(folder)
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
