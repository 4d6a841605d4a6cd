"""Where the files lie that the program keeps for its user, and how much memory it may have."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from companion.errors import MissingDependencyError
from companion.language.phrase import say

DISTRIBUTION = "five-tribes-companion"
"""The name that the program is installed by."""

PHOTO_ADDRESS_SPACE_BYTES = 1_200_000_000
"""What loading OpenCV and reading a photo reserve, most of it never touched, with a margin."""

_M_ARENA_MAX = -8

_READING = say("reading photos")

SEARCH_ADDRESS_SPACE_BYTES = 240_000_000
"""What loading numpy and thinking about a turn reserve, with a margin."""


def data_folder() -> Path:
    """The folder of the user's own data, made by nobody yet perhaps. Raises MissingDependencyError."""
    from platformdirs import user_data_path

    try:
        return user_data_path(DISTRIBUTION, appauthor=False)
    except RuntimeError:
        return _homeless_folder() / "data"


def cache_folder() -> Path:
    """The folder for what can be made anew; else as `data_folder`."""
    from platformdirs import user_cache_path

    try:
        return user_cache_path(DISTRIBUTION, appauthor=False)
    except RuntimeError:
        return _homeless_folder() / "cache"


def _homeless_folder() -> Path:
    """A folder among the temporary files for a user without a home, as containers have."""
    try:
        import tempfile

        temporary = Path(tempfile.gettempdir())
    except FileNotFoundError:
        temporary = Path("/tmp")
    own = temporary / f"{DISTRIBUTION}-{os.getuid() if hasattr(os, 'getuid') else 0}"
    # Anybody may have made a folder of that name there.
    if own.is_symlink() or (own.exists() and hasattr(os, "getuid") and own.lstat().st_uid != os.getuid()):
        raise MissingDependencyError(
            "there is no home folder, and {own} belongs to somebody else: set HOME to a folder of your own", own=own
        )
    return own


def share_heap() -> None:
    """Have later threads take memory from one heap; only glibc keeps one for each, by this number."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, 1)


def check_address_space(needed_bytes: int = PHOTO_ADDRESS_SPACE_BYTES, work: str = _READING) -> None:
    """Refuse to begin where the limit for this program (ulimit -v) is too low for the work, since some libraries end
    the program without memory. Raises MissingDependencyError.
    """
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit not in (-1, resource.RLIM_INFINITY) and limit < needed_bytes:
        unit, digits, name = (1e9, 1, "GB") if needed_bytes >= 1e9 else (1e6, 0, "MB")
        needed, may_have = (f"{size / unit:.{digits}f} {name}" for size in (needed_bytes, limit))
        raise MissingDependencyError(
            "not enough memory: {work} needs {needed} of address space, but the limit is {may_have}; raise "
            "it (ulimit -v)",
            work=work,
            needed=needed,
            may_have=may_have,
        )
