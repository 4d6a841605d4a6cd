"""Files are written whole or not at all, never over what is read, and the owner's own are his alone."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest
from filelock import FileLock

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
from companion.storage import KeptFile, lock, private_folder, write_file, write_private, write_with_backup

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_written_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_file(path, b"first", force=False)
    with pytest.raises(OutputExistsError, match="--force"):
        write_file(path, b"second", force=False)
    assert path.read_bytes() == b"first"
    write_file(path, b"second", force=True)
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


@posix
@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664, 0o755])
def test_what_is_overwritten_keeps_its_permissions(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.touch()
    path.chmod(kept)
    write_file(path, b"new", force=True)
    assert mode(path) == kept


@posix
@pytest.mark.parametrize(("umask", "wanted"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_permissions_of_any_new_file(umask: int, wanted: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_file(tmp_path / "out.txt", b"new", force=False)
    finally:
        os.umask(before)
    assert mode(tmp_path / "out.txt") == wanted


@posix
def test_the_temporary_file_is_new_unguessable_and_as_private_as_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.txt"
    path.touch()
    path.chmod(0o600)
    seen: list[tuple[str, int]] = []
    opened = os.open

    def spying(name: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            assert flags & os.O_EXCL and flags & os.O_NOFOLLOW
            seen.append((Path(name).name, mode))
        return opened(name, flags, mode)

    monkeypatch.setattr(os, "open", spying)
    write_file(path, b"one", force=True)
    write_file(path, b"two", force=True)
    (first, first_mode), (second, second_mode) = seen
    assert first != second and len(first) > 24
    assert (first_mode, second_mode) == (0o600, 0o600)


@pytest.mark.parametrize("other_name", ["same", "symlink", "hardlink", "dotted"])
def test_an_input_is_never_written_over_whatever_it_is_called(other_name: str, tmp_path: Path) -> None:
    source = tmp_path / "table.toml"
    source.write_text("precious")
    (tmp_path / "sub").mkdir()
    output = tmp_path / "other.toml"
    if other_name == "symlink":
        output.symlink_to(source)
    elif other_name == "hardlink":
        output.hardlink_to(source)
    else:
        output = source if other_name == "same" else tmp_path / "sub" / ".." / "table.toml"
    for force in (False, True):
        with pytest.raises(UsageError, match="never written over"):
            write_file(output, b"new", force=force, inputs=[tmp_path / "nothing", source])
    assert source.read_text() == "precious"


@posix
def test_links_are_followed_and_stay_links(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "out.txt", tmp_path / "link.txt"
    target.touch()
    link.symlink_to(target)
    with pytest.raises(OutputExistsError):
        write_file(link, b"new", force=False)
    write_file(link, b"new", force=True)
    assert link.is_symlink() and target.read_bytes() == b"new"


@posix
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("kind", ["dangling", "loop", "fifo", "folder", "no folder", "nul", "long"])
def test_what_is_no_place_for_a_file_is_refused(kind: str, force: bool, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    if kind == "dangling":
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path = {"no folder": tmp_path / "none" / "out.txt", "nul": Path("a\0b"), "long": tmp_path / ("a" * 300)}[kind]
    with pytest.raises(UsageError):
        write_file(path, b"new", force=force)
    assert not (tmp_path / "elsewhere").exists()


def test_a_dash_is_no_file_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="name one"):
        write_file(Path("-"), b"x", force=True)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_told_with_what_is_needed_and_leaves_nothing(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NoRoomError, match=r"12\.3 KB are needed") as told:
        write_file(path, b"x" * 12_345, force=True)
    assert told.value.status is ExitStatus.MISSING
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_what_a_killed_program_left_is_cleared_away_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    code = f"""
import os, time
from pathlib import Path
from threading import Timer
from companion import storage
def wait(_):
    print("writing", flush=True)
    time.sleep(60)
storage._sync = wait
storage.write_file(Path({str(tmp_path / "killed.txt")!r}), b"half", force=False)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        write_file(tmp_path / "one.txt", b"1", force=False)
        assert len(list(tmp_path.glob(".companion-*"))) == 1
        writer.send_signal(signal.SIGKILL)
    KeptFile(tmp_path / "two.txt")
    assert not list(tmp_path.glob(".companion-*"))
    write_file(tmp_path / "two.txt", b"2", force=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "two.txt"]


def test_nothing_that_has_another_name_is_cleared_away(tmp_path: Path) -> None:
    own = [tmp_path / name for name in ("notes.tmp", ".companion-notes", "companion-1.tmp", ".companion-1.tmp.bak")]
    for path in own:
        path.write_text("mine")
    storage.clear_left_behind(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(own)


@posix
def test_another_users_temporary_files_and_what_is_no_file_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, link, file = (tmp_path / f".companion-{name}.tmp" for name in ("folder", "link", "file"))
    folder.mkdir()
    link.symlink_to(tmp_path / "elsewhere")
    storage.clear_left_behind(tmp_path)
    assert sorted(tmp_path.iterdir()) == [folder, link]
    file.touch()
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    storage.clear_left_behind(tmp_path)
    assert file.exists()


def test_a_backup_is_kept_beside_and_none_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert write_with_backup(path, b"1") is None
    assert write_with_backup(path, b"2") == tmp_path / "table.toml.bak"
    assert write_with_backup(path, b"3") == tmp_path / "table.toml.bak2"
    assert [(tmp_path / f"table.toml{end}").read_bytes() for end in (".bak", ".bak2", "")] == [b"1", b"2", b"3"]


@posix
def test_the_data_folder_is_the_owners_alone_whatever_the_umask() -> None:
    before = os.umask(0)
    try:
        kept = data_folder() / "drafts" / "a.json"
        write_private(kept, b"{}")
    finally:
        os.umask(before)
    assert mode(kept) == 0o600
    assert {mode(folder) for folder in (kept.parent, data_folder())} == {0o700}


@posix
def test_what_lay_open_in_the_data_folder_is_closed() -> None:
    folder = data_folder() / "examples"
    folder.mkdir(parents=True)
    older = folder / "older.json"
    older.touch()
    for place, wide in ((data_folder(), 0o755), (folder, 0o777), (older, 0o644)):
        place.chmod(wide)
    private_folder(folder)
    assert [mode(place) for place in (data_folder(), folder, older)] == [0o700, 0o700, 0o600]


def test_a_data_folder_that_cannot_be_made_is_told_of() -> None:
    data_folder().parent.mkdir(parents=True)
    data_folder().touch()
    with pytest.raises(UnusableInputError, match="cannot keep anything in"):
        write_private(data_folder() / "drafts" / "a.json", b"")


def test_somebody_elses_change_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    kept = KeptFile(path)
    kept.save(b"1")
    kept.save(b"12")
    path.write_bytes(b"1x")
    with pytest.raises(ChangedMeanwhileError, match="another program"):
        kept.save(b"123")
    assert path.read_bytes() == b"1x"


def test_a_file_that_appears_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    kept = KeptFile(tmp_path / "game.txt")
    (tmp_path / "game.txt").write_bytes(b"another's")
    with pytest.raises(ChangedMeanwhileError):
        kept.save(b"mine")


def test_a_lock_keeps_the_second_out_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    (tmp_path / "sub").mkdir()
    with lock(path):
        with pytest.raises(InUseError, match="open in another companion"), lock(tmp_path / "sub" / ".." / "game.txt"):
            pass
        with lock(tmp_path / "other.txt"):
            pass
    with lock(path):
        pass
    assert [place for place in tmp_path.rglob("*") if place.is_file()] == []
    assert [place for place in data_folder().rglob("*") if place.is_file()] == []


def test_a_lock_waits_for_whoever_only_looks_whether_it_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    with lock(path):
        (held,) = (data_folder() / "locks").iterdir()
    looking = FileLock(held, thread_local=False)
    looking.acquire()
    monkeypatch.setattr("companion.storage._PATIENCE_S", 10.0)
    timer = Timer(0.03, looking.release)
    monkeypatch.setattr("companion.storage._sweep_locks", lambda folder: timer.start())
    with lock(path):
        pass
    timer.join()


@posix
def test_a_lock_ends_with_the_program_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    code = f"""
import time
from pathlib import Path
from threading import Timer
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
    assert list((data_folder() / "locks").iterdir()) == []


def test_without_a_place_for_locks_work_goes_on(tmp_path: Path) -> None:
    data_folder().parent.mkdir(parents=True)
    data_folder().touch()
    with lock(tmp_path / "game.txt"):
        pass


def test_temporary_files_of_others_are_left_alone_where_nothing_can_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, old = (tmp_path / f".companion-{name}.tmp" for name in ("fresh", "old"))
    fresh.touch()
    old.touch()
    long_ago = time.time() - 3600
    os.utime(old, (long_ago, long_ago))
    monkeypatch.setattr(sys, "platform", "win32")
    storage.clear_left_behind(tmp_path)
    assert list(tmp_path.iterdir()) == [fresh]


@posix
def test_a_file_that_goes_while_its_folder_is_looked_at_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.sqlite3-wal").touch()
    tighten = storage._tighten

    def late(path: Path) -> None:
        if path.is_file():
            path.unlink()
        tighten(path)

    monkeypatch.setattr(storage, "_tighten", late)
    assert private_folder(tmp_path) == tmp_path
