"""Files on disk: written whole or not at all, the owner's own kept from others' eyes, one writer at a time.

A file is written under a name that nobody can guess, beside its place, and renamed. A program that is killed
while it writes leaves that file behind; whoever writes in the folder next clears it away.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
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
from companion.language.phrase import say
from companion.resources import data_folder

NEW_FILE_MODE = 0o666
"""What the umask takes from for a new file."""

PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE = 0o600, 0o700

_OTHERS = 0o077
_TEMPORARY_PREFIX, _TEMPORARY_SUFFIX = ".companion-", ".tmp"
_STALE_AFTER_S = 600.0
"""Seconds after which a temporary file is nobody's any more, where it cannot be locked."""
_PATIENCE_S = 0.15
"""How long a lock is waited for: others hold it for a moment when they clear away what was left behind."""
_LOCKLESS = (OSError, NotImplementedError)
"""What the locks of `filelock` raise where a file system has none: the second is its own word for that."""

_FULL = frozenset(
    number for name in ("ENOSPC", "EDQUOT", "EFBIG") if (number := getattr(errno, name, None)) is not None
)
_UNSYNCABLE = frozenset({errno.EINVAL, errno.ENOSYS, getattr(errno, "ENOTSUP", errno.EINVAL), errno.EROFS})


def is_disk_full(error: OSError) -> bool:
    """Whether a file could not be written for want of room: a full disk, a used-up quota, a limit on files."""
    return error.errno in _FULL


def check_free(path: Path, *, force: bool, inputs: Iterable[Path] = ()) -> None:
    """Refuse to write where something stands already.

    `inputs` are files that the command reads; they are never written over, whatever name they are given by here.
    Raises OutputExistsError if the file exists and `force` is not given, UsageError if it is one of `inputs`, a
    folder or a device, if its own folder does not exist, or if no file can have the name, such as "-".
    """
    if str(path) == "-":
        raise UsageError(say("- stands for no file that could be written: name one"))
    there = _status(path)
    if there is None:
        if path.is_symlink():
            raise UsageError(say("{path} is a link that leads nowhere; choose another name", path=path))
        if not path.parent.is_dir():
            raise UsageError(
                say("the folder {parent} does not exist; make it first or choose another place", parent=path.parent)
            )
        return
    if stat.S_ISDIR(there.st_mode):
        raise UsageError(say("{path} is a folder; name a file in it", path=path))
    if not stat.S_ISREG(there.st_mode):
        raise UsageError(say("{path} is no plain file; choose another name", path=path))
    if any(_is_same(there, name) for name in inputs):
        raise UsageError(
            say("{path} is what this command reads, and is never written over; choose another name", path=path)
        )
    if not force:
        raise OutputExistsError(
            say("{path} exists already; choose another name or give --force to overwrite it", path=path)
        )


def write_file(path: Path, content: bytes | Iterable[bytes], *, force: bool, inputs: Iterable[Path] = ()) -> None:
    """Write a whole file or nothing; one that is overwritten keeps its permissions, and a link is followed.

    A large content may come in pieces.

    Raises what `check_free` raises, UsageError if the folder cannot be written to, NoRoomError if it is full.
    """
    check_free(path, force=force, inputs=inputs)
    _replace(path, content)


def write_with_backup(path: Path, content: bytes) -> Path | None:
    """Overwrite a file, with what it held kept beside it; the backup, or None if there was nothing.

    The backup is `NAME.bak`, or `NAME.bak2` and so on if that is taken. Raises as `write_file`.
    """
    check_free(path, force=True)
    backup = None
    if path.exists():
        with _telling(path, len(content)):
            before, mode = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
        names = (f"{path.name}.bak{number if number > 1 else ''}" for number in range(1, 10_000))
        backup = next(free for name in names if not os.path.lexists(free := path.with_name(name)))
        _replace(backup, before, mode=mode)
    _replace(path, content)
    return backup


def write_private(path: Path, content: bytes) -> None:
    """Write a whole file that its owner alone may read, in a folder that is his alone; an older one is replaced.

    Raises UnusableInputError if it cannot be kept there, NoRoomError if the disk is full.
    """
    private_folder(path.parent)
    try:
        _replace(path, content, mode=PRIVATE_FILE_MODE)
    except UsageError as error:
        raise UnusableInputError(str(error)) from None


def remove_kept(path: Path) -> bool:
    """Delete a file that the program keeps for its user; whether there was one.

    Raises UnusableInputError if it cannot be deleted.
    """
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UnusableInputError(
            say("cannot remove {path}: {reason}", path=path, reason=system_reason(error))
        ) from None
    return True


def private_folder(folder: Path) -> Path:
    """The folder, made if need be, with all that lies in it for its owner alone.

    Inside the user's data folder that holds for the folders on the way too. Raises UnusableInputError if it cannot
    be made, NoRoomError if the disk is full.
    """
    data = data_folder()
    try:
        for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
            missing.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)
        if sys.platform != "win32":
            inside = [place for place in folder.parents if place == data or data in place.parents]
            for place in (*inside, folder):
                _tighten(place)
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        # SQLite's own files come and go with whoever else has the history open.
                        with suppress(FileNotFoundError):
                            _tighten(Path(entry.path))
    except OSError as error:
        if is_disk_full(error):
            raise _no_room(error, folder, 0) from None
        raise UnusableInputError(
            say(
                "cannot keep anything in {folder}: {reason}; see to it that you may write there",
                folder=folder,
                reason=system_reason(error),
            )
        ) from None
    return folder


class KeptFile:
    """A file that one program writes again and again, and that nobody else is to have changed meanwhile.

    What lies at `path` when this is made counts as known: make it before the file is read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        clear_left_behind(Path(os.path.realpath(path)).parent)
        self._known = _fingerprint(path)

    def save(self, content: bytes) -> None:
        """Put the content in place of what was known, whole or not at all, and there to stay on return.

        Raises ChangedMeanwhileError if the file is not as this program left it, UsageError if the folder does not
        take it, NoRoomError if the disk is full.
        """
        if _fingerprint(self.path) != self._known:
            raise ChangedMeanwhileError(
                say(
                    "{path} was changed by another program since it was read here; nothing is written over it",
                    path=self.path,
                )
            )
        _replace(self.path, content)
        self._known = _digest(content)


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep other runs of this program by this user from writing a file for as long as it takes.

    The lock is the system's own, so that it ends with the program however that ends; its file lies in the user's data
    folder. Where there is no such folder or no locks, `KeptFile` alone stands guard. Raises InUseError if another
    program has the file.
    """
    from filelock import FileLock, Timeout

    place = os.path.normcase(os.path.realpath(path))
    key = _digest(os.fsencode(place))[:24]
    try:
        folder = private_folder(data_folder() / "locks")
        _sweep_locks(folder)
        held = FileLock(folder / f"{key}.lock", mode=PRIVATE_FILE_MODE)
        held.acquire(timeout=_PATIENCE_S)
    except Timeout:
        raise InUseError(
            say("{path} is open in another companion; leave that one first, or choose another file", path=path)
        ) from None
    except (CompanionError, *_LOCKLESS):
        # No folder for locks, or a file system without them: what is left is the check, before each save, that the
        # file is as it was read.
        yield
        return
    try:
        yield
    finally:
        # Gone before it is let go: whoever waits for it sees that, and makes a new one.
        with suppress(OSError):
            Path(held.lock_file).unlink()
        held.release()


def _sweep_locks(folder: Path) -> None:
    """Clear away the locks of programs that were killed."""
    from filelock import FileLock, Timeout

    for left in folder.glob("*.lock"):
        stale = FileLock(left)
        with suppress(Timeout, *_LOCKLESS):
            stale.acquire(blocking=False)
            left.unlink(missing_ok=True)
            stale.release()


def _status(path: Path) -> os.stat_result | None:
    """What stands there, links followed; None for nothing. Raises UsageError if no file can have the name."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise UsageError(say("{path!r} is no name for a file; choose a plainer one", path=str(path)[:40])) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        if error.errno == errno.EACCES:
            raise UsageError(
                say("cannot look into {parent}: {reason}", parent=path.parent, reason=system_reason(error))
            ) from None
        raise UsageError(
            say("{path!r}… is no name for a file here; choose a shorter, plainer one", path=str(path)[:40])
        ) from None


def _is_same(there: os.stat_result, name: Path) -> bool:
    """Whether a name leads to that very file."""
    try:
        return os.path.samestat(there, name.stat())
    except (OSError, ValueError):
        return False


def _digest(content: bytes) -> str:
    # Loads a library of its own, which commands that write nothing need not wait for.
    from hashlib import sha256

    return sha256(content).hexdigest()


def _fingerprint(path: Path) -> str | None:
    """What tells one content of a file from another; None for no file. Raises UnusableInputError if unreadable."""
    try:
        if not path.is_file():
            return None
        return _digest(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableInputError(say("cannot read {path}: {reason}", path=path, reason=system_reason(error))) from None


@contextmanager
def _telling(path: Path, size: int | None) -> Iterator[None]:
    """Say what stood in the way of a file of that many bytes, None for a number that is not known."""
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise _no_room(error, path, size) from None
        raise UsageError(
            say("cannot write {path}: {reason}; choose another place", path=path, reason=system_reason(error))
        ) from None


def _no_room(error: OSError, path: Path, size: int | None) -> NoRoomError:
    reason = system_reason(error)
    if size is None:
        return NoRoomError(say("cannot write {path}: {reason}. Make room and run again", path=path, reason=reason))
    needed = say("{number:,.1f} KB are needed", number=max(size, 1) / 1000)
    folder = path.parent
    if error.errno == errno.ENOSPC:
        import shutil

        with suppress(OSError):
            needed += say(
                " and {free:,.1f} KB are free in {folder}", free=shutil.disk_usage(folder).free / 1000, folder=folder
            )
    return NoRoomError(
        say(
            "cannot write {path}: {reason}; {needed}. Make room and run again",
            path=path,
            reason=reason,
            needed=needed,
        )
    )


def _replace(path: Path, content: bytes | Iterable[bytes], *, mode: int | None = None) -> None:
    """Put the content at a path, or where the link there leads, whole or not at all.

    `mode` are the permissions; None keeps those of the file that stands there, or gives those of any new file.
    """
    target = Path(os.path.realpath(path))
    with _telling(path, len(content) if isinstance(content, bytes) else None):
        if mode is None:
            with suppress(FileNotFoundError):
                mode = stat.S_IMODE(target.stat().st_mode) & 0o777
        with (
            _taking_place_of(target, NEW_FILE_MODE if mode is None else mode) as (handle, _),
            os.fdopen(handle, "wb", closefd=False) as file,
        ):
            file.writelines([content] if isinstance(content, bytes) else content)
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(handle, mode)


@contextmanager
def filled_by_name(path: Path, *, mode: int) -> Iterator[Path]:
    """An empty file, for others to fill by its name, that takes the place of `path`, or of where the link there leads.

    `mode` are its permissions. It does so when all is done, whole or not at all: on an exception inside, nothing is
    changed. On POSIX it is locked by `flock`. Raises OSError.
    """
    with _taking_place_of(Path(os.path.realpath(path)), mode) as (_, beside):
        yield beside


@contextmanager
def _taking_place_of(target: Path, mode: int) -> Iterator[tuple[int, Path]]:
    """A new file's handle and name; what was written to it is at `target` in the end, or nothing is. Raises OSError."""
    clear_left_behind(target.parent)
    handle, beside = _open_temporary(target.parent, mode)
    try:
        try:
            yield handle, beside
            _sync(handle)
            if sys.platform != "win32":
                # Still open, and so still locked; Windows renames no open file.
                beside.replace(target)
        finally:
            os.close(handle)
        if sys.platform != "win32":
            _sync_folder(target.parent)
        else:
            beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _open_temporary(folder: Path, mode: int) -> tuple[int, Path]:
    """A new file of a name that nobody can guess: its handle, locked where that is possible, and its path."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    while True:
        path = folder / f"{_TEMPORARY_PREFIX}{os.urandom(12).hex()}{_TEMPORARY_SUFFIX}"
        handle = os.open(path, flags, mode)
        # Somebody may have cleared it away as stale before it was locked.
        if not _try_lock(handle) or os.fstat(handle).st_nlink:
            return handle, path
        os.close(handle)


def clear_left_behind(folder: Path) -> None:
    """Clear away the temporary files of this user's programs that were killed; none that is being written."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_TEMPORARY_PREFIX) and entry.name.endswith(_TEMPORARY_SUFFIX):
                with suppress(OSError):
                    _remove_stale(Path(entry.path))


def _remove_stale(path: Path) -> None:
    there = path.lstat()
    if not stat.S_ISREG(there.st_mode) or not _is_own(there):
        return
    if sys.platform == "win32":
        if time.time() - there.st_mtime > _STALE_AFTER_S:
            _remove_temporary(path)
        return
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _try_lock(handle):
            _remove_temporary(path)
    finally:
        os.close(handle)


def _remove_temporary(path: Path) -> None:
    """Remove a temporary file, and before it the journal that SQLite keeps beside one that it fills."""
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    path.unlink()


def _try_lock(handle: int) -> bool:
    """Lock an open file if nobody has it; whether it is locked now. Never on a system without such locks."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _tighten(path: Path) -> None:
    """Take from a file or folder of this user's what others may do with it."""
    there = path.stat()
    if there.st_mode & _OTHERS and _is_own(there):
        path.chmod(stat.S_IMODE(there.st_mode) & ~_OTHERS)


def _is_own(there: os.stat_result) -> bool:
    """Whether a file is this user's; true where files tell nothing of that."""
    return not hasattr(os, "geteuid") or there.st_uid == os.geteuid()


def _sync(handle: int) -> None:
    """Let what was written reach the disk, where the disk knows of that."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNSYNCABLE:
            raise


def _sync_folder(folder: Path) -> None:
    """Let the renaming reach the disk too, where a folder can be opened for that."""
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            _sync(handle)
        finally:
            os.close(handle)
