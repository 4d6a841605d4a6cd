"""Files are written whole or not at all, never over what is read, and the owner's own are the owner's alone."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion import storage
from companion.errors import (
    ChangedMeanwhileError,
    ExitStatus,
    InUseError,
    NoRoomError,
    OutputExistsError,
    UnusableInputError,
    UsageError,
)
from companion.resources import data_folder
from companion.storage import SavedFile, check_free, lock, private_folder, write_file, write_private, write_with_backup

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_written_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_file(path, b"first", force=False)
    with pytest.raises(OutputExistsError, match="--force"):
        write_file(path, b"second", force=False)
    assert path.read_bytes() == b"first"
    write_file(path, [b"sec", b"ond"], force=True)
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_permissions_are_kept_and_a_new_file_has_those_of_any_new_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    for umask, new in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        before = os.umask(umask)
        try:
            write_file(path, b"new", force=False)
        finally:
            os.umask(before)
        assert mode(path) == new
        path.chmod(0o640)
        write_file(path, b"again", force=True)
        assert mode(path) == 0o640
        path.unlink()


def test_an_input_is_never_written_over_whatever_it_is_called(tmp_path: Path) -> None:
    source = tmp_path / "table.toml"
    source.write_text("precious")
    (tmp_path / "sub").mkdir()
    symlink, hardlink = tmp_path / "symlink", tmp_path / "hardlink"
    symlink.symlink_to(source)
    hardlink.hardlink_to(source)
    for output in (source, symlink, hardlink, tmp_path / "sub" / ".." / "table.toml"):
        for force in (False, True):
            with pytest.raises(UsageError, match="never overwritten"):
                check_free(output, force=force, inputs=[tmp_path / "nothing", source])


@posix
def test_links_are_followed_and_stay_links(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "out.txt", tmp_path / "link.txt"
    target.touch()
    link.symlink_to(target)
    write_file(link, b"new", force=True)
    assert link.is_symlink() and target.read_bytes() == b"new"


@posix
def test_what_is_no_place_for_a_file_is_refused(tmp_path: Path) -> None:
    dangling, loop, fifo, folder = (tmp_path / name for name in ("dangling", "loop", "fifo", "folder"))
    dangling.symlink_to(tmp_path / "elsewhere")
    loop.symlink_to(loop)
    os.mkfifo(fifo)
    folder.mkdir()
    missing, nul, long = tmp_path / "none" / "out.txt", Path("a\0b"), tmp_path / ("a" * 300)
    for path in (dangling, loop, fifo, folder, missing, nul, long, Path("-")):
        for force in (False, True):
            with pytest.raises(UsageError):
                write_file(path, b"new", force=force)
    assert sorted(tmp_path.iterdir()) == sorted([dangling, loop, fifo, folder])


def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):

        def full(_: int, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(NoRoomError, match="Make room") as raised:
            write_file(path, b"new", force=True)
        assert raised.value.status is ExitStatus.MISSING
        assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@posix
def test_what_a_killed_program_left_is_cleared_away_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    code = f"""
import time
from pathlib import Path
from companion import storage
def wait(_):
    print("writing", flush=True)
    time.sleep(60)
storage._sync = wait
storage.write_file(Path({str(tmp_path / "killed.txt")!r}), b"half", force=False)
"""
    own = [tmp_path / name for name in ("notes.tmp", ".companion-notes", ".companion-1.tmp", ".companion-x-1.tmp")]
    for path in own:
        path.touch()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        write_file(tmp_path / "one.txt", b"1", force=False)
        assert len(list(tmp_path.iterdir())) == len(own) + 2
        writer.send_signal(signal.SIGKILL)
    SavedFile(tmp_path / "two.txt")
    assert sorted(tmp_path.iterdir()) == sorted([*own, tmp_path / "one.txt"])


def test_a_backup_is_kept_beside_and_none_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert write_with_backup(path, b"1") is None
    assert write_with_backup(path, b"2") == tmp_path / "table.toml.bak"
    assert write_with_backup(path, b"3") == tmp_path / "table.toml.bak2"
    assert [(tmp_path / f"table.toml{end}").read_bytes() for end in (".bak", ".bak2", "")] == [b"1", b"2", b"3"]


@posix
def test_the_data_folder_is_the_owners_alone_whatever_the_umask_and_whatever_was_before() -> None:
    folder = data_folder() / "drafts"
    folder.mkdir(parents=True)
    older = folder / "older.json"
    older.touch()
    for path, wide in ((data_folder(), 0o755), (folder, 0o777), (older, 0o644)):
        path.chmod(wide)
    before = os.umask(0)
    try:
        write_private(folder / "deep" / "a.json", b"{}")
        write_private(folder / "a.json", b"{}")
    finally:
        os.umask(before)
    assert {mode(path) for path in (folder, folder / "deep", data_folder())} == {0o700}
    assert {mode(path) for path in (older, folder / "a.json", folder / "deep" / "a.json")} == {0o600}


@posix
def test_a_file_that_goes_while_its_folder_is_looked_at_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.sqlite3-wal").touch()
    close_to_others = storage._close_to_others

    def late(path: Path) -> None:
        if path.is_file():
            path.unlink()
        close_to_others(path)

    monkeypatch.setattr(storage, "_close_to_others", late)
    assert private_folder(tmp_path) == tmp_path


def test_without_a_data_folder_nothing_is_kept_and_nothing_is_locked(tmp_path: Path) -> None:
    data_folder().parent.mkdir(parents=True)
    data_folder().touch()
    with pytest.raises(UnusableInputError, match="cannot write to"):
        write_private(data_folder() / "drafts" / "a.json", b"")
    with lock(tmp_path / "game.txt"):
        pass


def test_somebody_elses_change_is_not_written_over(tmp_path: Path) -> None:
    path, other = tmp_path / "game.txt", SavedFile(tmp_path / "game.txt")
    kept = SavedFile(path)
    kept.save(b"1")
    kept.save(b"12")
    path.write_bytes(b"1x")
    for late in (kept, other):
        with pytest.raises(ChangedMeanwhileError, match="another program"):
            late.save(b"123")
    assert path.read_bytes() == b"1x"


def test_a_lock_keeps_the_second_out_of_the_same_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    (tmp_path / "sub").mkdir()
    with lock(path):
        with pytest.raises(InUseError, match="in use by another companion"), lock(tmp_path / "sub" / ".." / "game.txt"):
            pass
        with lock(tmp_path / "other.txt"):
            pass
    with lock(path):
        pass


@posix
def test_a_lock_ends_with_the_program_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    code = f"""
import time
from pathlib import Path
from companion.storage import lock
with lock(Path({str(path)!r})):
    print("locked", flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(InUseError), lock(path):
            pass
        holder.send_signal(signal.SIGKILL)
    with lock(path):
        pass
