"""Machines that lack something: a home, a name, the working folder, memory, room on the disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
MID, PHOTO = PROJECT / "samples" / "mid.toml", PROJECT / "samples" / "mid.jpg"
START = "import sys; from companion.cli.main import run; run()"

posix = pytest.mark.skipif(os.name != "posix", reason="limits and users as POSIX has them")


def companion(
    *words: str, before: str = "", env: dict[str, str] | None = None, cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the program in a shell that did `before`; without `env` in the environment of the tests."""
    line = f'{before}\nexec "$@"' if before else 'exec "$@"'
    python = [sys.executable, "-c", START, *words]
    return subprocess.run(
        ["/bin/sh", "-c", line, "sh", *python],
        capture_output=True,
        text=True,
        errors="replace",
        input=stdin,
        timeout=180,
        env=None if env is None else {"PYTHONPATH": str(PROJECT), **env},
        cwd=cwd,
    )


@posix
@pytest.mark.parametrize("words", [["doctor"], ["show", str(MID)], ["setup", "--seed", "2"]])
def test_an_empty_environment_is_enough(words: list[str], tmp_path: Path) -> None:
    done = companion(*words, env={}, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize(
    "words",
    [["doctor"], ["setup", "-o", "card.pdf"], ["learn", "--show"], ["edit", "-o", "new.toml"]],
)
def test_a_user_with_neither_home_nor_name_can_work(words: list[str], tmp_path: Path) -> None:
    # As in a container that is run as some number: no HOME, and no entry in the list of users.
    start = f"import pwd\ndef nobody(_): raise KeyError\npwd.getpwuid = nobody\n{START}"
    place, temporary = tmp_path / "work", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", start, *words],
        capture_output=True,
        text=True,
        input="O8 O8\nquit\n",
        timeout=120,
        cwd=place,
        env={"PYTHONPATH": str(PROJECT), "TMPDIR": str(temporary)},
    )
    assert done.returncode == 0, done.stderr
    assert "unforeseen" not in done.stderr
    assert {path.name for path in place.iterdir()} <= {"card.pdf"}
    for kept in temporary.rglob("*"):
        assert kept.stat().st_mode & 0o077 == 0, kept


@posix
@pytest.mark.parametrize(
    "words",
    [
        ["setup", "-o", "card.pdf"],
        ["read", str(PHOTO), "-o", "table.toml"],
        ["edit", "-o", "table.toml"],
        ["play", "game.txt", "--players", "2", "--seed", "1"],
        ["doctor"],
        ["show", "table.toml"],
        ["sheet"],
    ],
)
def test_a_working_folder_that_was_deleted_is_told_of(words: list[str], tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    done = companion(*words, before=f'mkdir "{gone}" && cd "{gone}" && rmdir "{gone}"')
    if words == ["doctor"]:
        assert done.returncode == 0 and "was deleted, or cannot be entered" in done.stdout
    else:
        assert done.returncode in (2, 3, 4), done.stderr
    assert "unforeseen" not in done.stderr and "Traceback" not in done.stderr


@posix
@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [120_000, 300_000, 450_000, 700_000, 1_100_000])
@pytest.mark.parametrize("words", [["read", str(PHOTO)], ["setup", "-o", "card.pdf"]])
def test_little_memory_is_told_of(words: list[str], kilobytes: int, tmp_path: Path) -> None:
    done = companion(*words, before=f"ulimit -v {kilobytes}", cwd=tmp_path)
    if "failed to" in done.stderr and "companion:" not in done.stderr:
        assert kilobytes == 120_000, "too little for Python itself, before a line of the program ran"
        return
    assert done.returncode in (0, 3), (done.returncode, done.stderr[-300:])
    if done.returncode:
        assert "not enough memory" in done.stderr
        assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize("kilobytes", [0, 1, 4])
@pytest.mark.parametrize(
    "words",
    [
        ["setup", "-o", "card.pdf"],
        ["replay", str(PROJECT / "samples" / "game.txt"), "-o", "table.toml"],
        ["sheet", "-o", "pad.pdf"],
    ],
)
def test_no_room_for_a_file_leaves_none(words: list[str], kilobytes: int, tmp_path: Path) -> None:
    done = companion(*words, before=f"ulimit -f {kilobytes}", cwd=tmp_path)
    if done.returncode == 0:
        return
    assert done.returncode == 3, done.stderr
    assert "make room" in done.stderr.lower()
    assert list(tmp_path.iterdir()) == []
