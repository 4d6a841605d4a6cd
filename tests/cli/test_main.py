"""What every command does with faults, closed streams and impatient readers; whole processes where streams matter."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.main import MAX_LINE_LENGTH, MAX_LINES, main
from companion.errors import ExitStatus
from tests.cli.ran import Capsys, Patch, ran, written
from tests.cli.scored import type_in
from tests.notation.examples import EXAMPLE_TOML

FULL = Path("/dev/full")
GAME = Path(__file__).resolve().parents[2] / "samples" / "game.txt"


def shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which "$C" is the program and "$1", "$2"... are the arguments."""
    line = command.replace("$C", f'"{sys.executable}" -m companion')
    return subprocess.run(
        ["bash", "-c", line, "bash", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "80"},
    )


def test_whoever_reads_only_the_first_line_is_no_fault(table: str) -> None:
    done = shell("$C moves $1 | true; exit ${PIPESTATUS[0]}", table)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_named_and_messages_that_nobody_can_be_told_leave_the_status(table: str) -> None:
    done = shell(f"$C moves $1 > {FULL}", table)
    assert done.returncode == 3
    assert done.stderr == "companion: cannot write the result: No space left on device. Make room and run again\n"
    assert shell(f"$C show nowhere.toml 2> {FULL}").returncode == 4


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are of POSIX")
def test_a_python_without_the_programs_packages_ends_in_one_message_in_a_terminal_too() -> None:
    master, slave = os.openpty()
    bare = [sys.executable, "-S", "-m", "companion", "doctor"]
    done = subprocess.run(bare, stdin=slave, stdout=slave, stderr=slave, cwd=GAME.parents[1], timeout=60, check=False)
    os.close(slave)
    with os.fdopen(master, "rb") as terminal:
        said = terminal.read1().decode()
    assert done.returncode == 3 and said.count("companion: ") == 1 and "Traceback" not in said
    assert "No module named 'typer'" in said and "the Python that the program was installed with" in said


@pytest.mark.skipif(os.name != "posix", reason="limits and users as POSIX has them")
def test_machines_that_lack_something(tmp_path: Path) -> None:
    # As in a container that is run as some number: no HOME, and no entry in the list of users.
    nobody = "import pwd\ndef nobody(_): raise KeyError\npwd.getpwuid = nobody"
    start = f"{nobody}\nimport sys; from companion.cli.main import run; run()"
    folder, temporary = tmp_path / "work", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", start, "edit", "-o", "new.toml"],
        capture_output=True,
        text=True,
        input="O8 O8\nquit\n",
        timeout=120,
        cwd=folder,
        env={"PYTHONPATH": str(GAME.parents[1]), "TMPDIR": str(temporary)},
    )
    assert done.returncode == 0 and "unexpected" not in done.stderr, done.stderr
    assert not list(folder.iterdir()) and all(kept.stat().st_mode & 0o077 == 0 for kept in temporary.rglob("*"))
    done = shell(f"cd {folder}; ulimit -f 1; $C sheet -o pad.pdf")
    assert done.returncode == 3 and "make room" in done.stderr.lower() and not list(folder.iterdir())
    done = shell(f"cd {folder} && rmdir {folder}; $C sheet")
    assert done.returncode in (2, 3) and "unexpected" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="streams are closed as a POSIX shell does")
def test_closed_streams_cost_no_more_than_what_they_would_have_carried(table: str, tmp_path: Path) -> None:
    closed = "companion: cannot write the result: standard output is closed\n"
    for command, status, told in (
        (f"$C moves {table}", 3, closed),
        (f"$C sheet -o {tmp_path}/pad.pdf --force", 0, "score pad written"),
    ):
        done = shell(f"{command} >&-")
        assert done.returncode == status and done.stderr.startswith(told), (command, done)
    assert shell(f"$C moves {table} <&- >&- 2>&-").returncode == 3
    assert shell(f"$C moves {table} 2>&-").returncode == 0
    done = shell("$C score --ask <&-")
    assert done.returncode == 4 and "unexpected" not in done.stderr, done


def test_a_width_of_0_is_one_that_is_not_known(table: str, monkeypatch: Patch, capsys: Capsys) -> None:
    wide = ran(capsys, ["check", table])
    monkeypatch.setenv("COLUMNS", "0")
    assert ran(capsys, ["check", table]) == wide and max(map(len, wide.out.splitlines())) > 40
    type_in(monkeypatch, "quit")
    assert "Who's playing?" in ran(capsys, ["score", "--ask"]).err


ODD_SIGNS = {
    "３": "a full-width 3",
    "\xad": "a soft hyphen",
    "\xa0": "a non-breaking space",
    "\u200b": "a zero-width space",
}


@pytest.mark.parametrize("sign", ["３", "\u200b"])
def test_a_sign_that_looks_like_another_or_like_nothing_is_named(sign: str, tmp_path: Path, capsys: Capsys) -> None:
    board = tmp_path / "board.toml"
    board.write_text(EXAMPLE_TOML.replace("O8", f"O8{sign}G", 1), encoding="utf-8")
    keys = written(tmp_path / "keys.toml", f"board {sign}= 3")
    record = tmp_path / "game.txt"
    record.write_text(
        GAME.read_text(encoding="utf-8").replace("4 merchants:", f"4 mer{sign}chants:", 1), encoding="utf-8"
    )
    for words in (
        ["check", str(board)],
        ["check", keys],
        ["replay", str(record)],
        ["setup", "--seed", f"1{sign}x"],
        ["setup", f"--se{sign}ed", "1"],
        ["setup", "--colours", f"pi{sign}nkk,blue,black"],
        ["moves", f"no{sign}where.toml"],
    ):
        assert main(words) in (2, 4), words
        assert ODD_SIGNS[sign] in capsys.readouterr().err, words
    assert "３ is a full-width 3" in ran(capsys, ["check", "FT1-BEDK３"], 4).err


def test_debug_shows_the_traceback_and_leaves_the_status(capsys: Capsys) -> None:
    told = ran(capsys, ["show", "nowhere.toml", "--debug"], 4).err
    assert told.startswith("Traceback")
    assert told.splitlines()[-1].startswith("companion: there is no file nowhere.toml")


def test_ctrl_c_at_the_very_start_is_an_interruption(monkeypatch: Patch, capsys: Capsys) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.app.app", interrupted)
    assert ran(capsys, ["--help"], 130) == ("", "")


def test_a_message_stays_short_whatever_is_wrong(tmp_path: Path, capsys: Capsys) -> None:
    many = written(tmp_path / "many.toml", EXAMPLE_TOML + "".join(f"[players.green{number}]\n" for number in range(90)))
    lines = ran(capsys, ["check", many], 4).err.splitlines()
    assert len(lines) == MAX_LINES + 1
    assert lines[-1] == f"… and {90 - MAX_LINES + 1:,} more lines"
    long = written(tmp_path / "long.txt", "O" * 100_000)
    assert len(ran(capsys, ["check", long], 4).err) <= MAX_LINE_LENGTH + 1


def test_an_unforeseen_fault_is_one_line(table: str, monkeypatch: Patch, capsys: Capsys) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("companion.opening.position.check_position", broken)
    (line,) = ran(capsys, ["moves", table], 1).err.splitlines()
    assert line.startswith("companion: unexpected ZeroDivisionError: two lines. This is a bug")


def seem_windows(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("companion.cli.locale.system_locale", lambda: None)


class NoReader(io.RawIOBase):
    """A pipe that nobody reads any more, as Windows has it."""

    def writable(self) -> bool:
        return True

    def write(self, _content: object) -> int:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def test_on_windows_too_whoever_has_read_enough_is_no_fault(table: str, monkeypatch: Patch, capsys: Capsys) -> None:
    # What is loaded only once the system seems another would look for that system's libraries.
    assert main(["show", table]) == 0
    capsys.readouterr()
    stream = io.TextIOWrapper(io.BufferedWriter(NoReader()), encoding="utf-8")
    with monkeypatch.context() as windows:
        seem_windows(windows)
        windows.setattr(sys, "stdout", stream)
        assert main(["show", table]) == 0
    assert capsys.readouterr().err == ""
    with pytest.raises(OSError, match="Invalid argument"):
        stream.close()


def test_an_invalid_argument_that_is_not_the_output_stays_a_fault(
    table: str, monkeypatch: Patch, capsys: Capsys
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    assert main(["show", table]) == 0
    monkeypatch.setattr("companion.cli.commands.positions.opened_position", refused)
    seem_windows(monkeypatch)
    assert "unexpected OSError" in ran(capsys, ["show", table], ExitStatus.FAULT).err
