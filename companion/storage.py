"""Files on disk: written whole or not at all, the owner's own kept from others' eyes, one writer at a time.

A file is written under another name beside its place, and renamed. A program that is killed while it writes leaves that
file behind; whoever writes in the folder next clears it away.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.errors import (
    ChangedMeanwhileError,
    CompanionError,
    InUseError,
    NoRoomError,
    OutputExistsError,
    UnusableInputError,
    UsageError,
    system_reason,
)
from companion.resources import data_folder

PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE = 0o600, 0o700

_OTHERS = 0o077
_TEMPORARY = re.compile(r"\.companion-(\d+)-\w+\.tmp")
"""The name of a file that is being written, with the number of the process that writes it."""

_FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


def is_disk_full(error: OSError) -> bool:
    """Whether there was no room for a file: a full disk, a used-up quota, a limit on files."""
    return error.errno in _FULL


def check_free(path: Path, *, force: bool, inputs: Iterable[Path] = ()) -> None:
    """Refuse to write over what stands there without `force`, or over one of `inputs` by whatever name. Raises
    OutputExistsError; UsageError for an input, a folder, a device, no folder around it, or no possible name.
    """
    if str(path) == "-":
        raise UsageError("- is not a file that can be written; name one")
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise UsageError("{path} is a folder; name a file in it", path=path)
    if any(_is_same_file(path, name) for name in inputs):
        raise UsageError("{path} is an input of this command and is never overwritten; choose another name", path=path)
    if status is None:
        if path.is_symlink():
            raise UsageError("{path} is a broken link; choose another name", path=path)
        if not path.parent.is_dir():
            raise UsageError(
                "the folder {parent} does not exist; make it first or choose another place", parent=path.parent
            )
        return
    if not stat.S_ISREG(status.st_mode):
        raise UsageError("{path} is not an ordinary file; choose another name", path=path)
    if not force:
        raise OutputExistsError("{path} exists already; choose another name or give --force to overwrite it", path=path)


def _is_same_file(path: Path, other: Path) -> bool:
    """Whether two names are of one file, or would be once it is there."""
    with suppress(OSError, ValueError):
        one, two = (os.path.normcase(os.path.realpath(name)) for name in (path, other))
        return one == two or path.samefile(other)
    return False


def write_file(path: Path, content: bytes | Iterable[bytes], *, force: bool) -> None:
    """Write a whole file or nothing, `content` perhaps in pieces; permissions and links stay. Raises as `check_free`,
    UsageError if the folder can't be written to, NoRoomError.
    """
    check_free(path, force=force)
    _replace(path, content)


def write_with_backup(path: Path, content: bytes) -> Path | None:
    """Overwrite a file; its backup (`NAME.bak`, `NAME.bak2` …), None if there was nothing. Raises as `write_file`."""
    check_free(path, force=True)
    backup = None
    if path.exists():
        with _faults_at(path):
            before, mode = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
        names = (f"{path.name}.bak{number if number > 1 else ''}" for number in range(1, 10_000))
        backup = next(free for name in names if not os.path.lexists(free := path.with_name(name)))
        _replace(backup, before, mode=mode)
    _replace(path, content)
    return backup


def write_private(path: Path, content: bytes) -> None:
    """Write a whole file for its owner alone. Raises UnusableInputError where it can't be kept, NoRoomError."""
    private_folder(path.parent)
    try:
        _replace(path, content, mode=PRIVATE_FILE_MODE)
    except UsageError as error:
        raise UnusableInputError(str(error)) from None


def remove_saved(path: Path) -> bool:
    """Delete a file kept for the user; whether there was one. Raises UnusableInputError if it can't be."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UnusableInputError("cannot remove {path}: {reason}", path=path, reason=system_reason(error)) from None
    return True


def made_folder(folder: Path) -> Path:
    """The folder, made where it's missing. Raises UsageError where that can't be, or something else has its name."""
    try:
        folder.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise UsageError(
            "the folder {parent} does not exist; make it first or choose another place", parent=folder.parent
        ) from None
    except OSError as error:
        raise UsageError("cannot make the folder {path}: {reason}", path=folder, reason=system_reason(error)) from None
    return folder


def private_folder(folder: Path) -> Path:
    """The folder, made if need be, for its owner alone like the files in it, and those on the way in the data folder.
    Raises UnusableInputError if it cannot be made, NoRoomError.
    """
    data = data_folder()
    try:
        for missing in reversed([parent for parent in (folder, *folder.parents) if not parent.exists()]):
            missing.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)
        inside = [parent for parent in folder.parents if parent == data or data in parent.parents]
        for path in (*inside, folder, *(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())):
            # SQLite's own files come and go with whoever else has the history open.
            with suppress(FileNotFoundError):
                _close_to_others(path)
    except OSError as error:
        if is_disk_full(error):
            raise _no_room(error, folder) from None
        raise UnusableInputError(
            "cannot write to {folder}: {reason}; check that you have permission",
            folder=folder,
            reason=system_reason(error),
        ) from None
    return folder


class SavedFile:
    """A file that one program writes again and again, and that nobody else is to have changed meanwhile.

    What lies at `path` when this is made counts as known: make it before the file is read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        clear_left_behind(Path(os.path.realpath(path)).parent)
        self._known = self._content()

    def save(self, content: bytes) -> None:
        """Replace what was known, whole or not at all. Raises ChangedMeanwhileError if the file isn't as this program
        left it, UsageError if the folder does not take it, NoRoomError.
        """
        if self._content() != self._known:
            raise ChangedMeanwhileError(
                "another program has changed {path} since it was read; it was not overwritten", path=self.path
            )
        _replace(self.path, content)
        self._known = content

    def _content(self) -> bytes | None:
        try:
            return self.path.read_bytes() if self.path.is_file() else None
        except OSError as error:
            raise UnusableInputError(
                "cannot read {name}: {reason}", name=self.path, reason=system_reason(error)
            ) from None


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep other runs by this user from writing a file; the lock ends with the program however that ends. Without a
    folder for locks `SavedFile` alone stands guard. Raises InUseError.
    """
    from hashlib import sha256

    from filelock import FileLock, Timeout

    key = sha256(os.fsencode(os.path.normcase(os.path.realpath(path)))).hexdigest()[:24]
    held = None
    try:
        held = FileLock(private_folder(data_folder() / "locks") / f"{key}.lock", mode=PRIVATE_FILE_MODE)
        held.acquire(blocking=False)
    except Timeout:
        raise InUseError(
            "{path} is in use by another companion; quit that one first, or choose another file", path=path
        ) from None
    except (CompanionError, OSError, NotImplementedError):
        # No folder for locks, or a file system without them, for which filelock has an error of its own.
        held = None
    try:
        yield
    finally:
        if held is not None:
            held.release()


@contextmanager
def replacing(path: Path, *, mode: int) -> Iterator[Path]:
    """An empty file with the permissions `mode`, to be filled by its name, that takes the place of `path` (or its
    link's target) when all is done, whole or not at all. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    clear_left_behind(target.parent)
    handle, name = tempfile.mkstemp(prefix=f".companion-{os.getpid()}-", suffix=".tmp", dir=target.parent)
    beside = Path(name)
    try:
        os.close(handle)
        beside.chmod(mode)
        yield beside
        _sync(beside)
        beside.replace(target)
        if sys.platform != "win32":
            _sync(target.parent)
    finally:
        beside.unlink(missing_ok=True)


def clear_left_behind(folder: Path) -> None:
    """Clear away the files that this program was writing when it was killed; none that is being written."""
    with suppress(OSError):
        for path in folder.glob(".companion-*.tmp"):
            if (found := _TEMPORARY.fullmatch(path.name)) and not _is_running(int(found[1])):
                for leftover in (path, path.with_name(f"{path.name}-journal")):
                    leftover.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    import psutil

    return bool(psutil.pid_exists(process))


def _replace(path: Path, content: bytes | Iterable[bytes], *, mode: int | None = None) -> None:
    """Put the content at a path, whole or not at all, with these permissions or with what stands there."""
    with _faults_at(path):
        if mode is None:
            mode = stat.S_IMODE(path.stat().st_mode) & 0o777 if path.exists() else 0o666 & ~_umask()
        with replacing(path, mode=mode) as beside, beside.open("r+b") as file:
            file.writelines([content] if isinstance(content, bytes) else content)


def _umask() -> int:
    """What the system takes from the permissions of new files, which can be asked only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _status(path: Path) -> os.stat_result | None:
    """What stands there, links followed; None for nothing. Raises UsageError if no file can have the name."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        if number == errno.ELOOP:
            return None
        if number == errno.EACCES and isinstance(error, OSError):
            raise UsageError(
                "cannot read the folder {parent}: {reason}", parent=path.parent, reason=system_reason(error)
            ) from None
        raise UsageError(
            "{path!r}… cannot be a file name here; choose a shorter, simpler one", path=str(path)[:40]
        ) from None


@contextmanager
def _faults_at(path: Path) -> Iterator[None]:
    """Say what stood in the way of a file."""
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise _no_room(error, path) from None
        raise UsageError(
            "cannot write {path}: {reason}; choose another place", path=path, reason=system_reason(error)
        ) from None


def _no_room(error: OSError, path: Path) -> NoRoomError:
    return NoRoomError("cannot write {path}: {reason}. Make room and run again", path=path, reason=system_reason(error))


def _close_to_others(path: Path) -> None:
    """Take from a file or folder of this user's what others may do with it."""
    status = path.stat()
    if hasattr(os, "geteuid") and status.st_mode & _OTHERS and status.st_uid == os.geteuid():
        path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def _sync(path: Path) -> None:
    """Let what was written, or renamed in a folder, reach the disk; not all file systems know of that."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if is_disk_full(error) or error.errno == errno.EIO:
            raise
    finally:
        os.close(handle)
