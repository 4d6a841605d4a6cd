"""A case run in this process, as the command line would run it, and what was wrong with what came of it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import typer
from PIL import Image

from companion.cli import app
from companion.cli.main import main
from companion.errors import CompanionError, ExitStatus
from companion.notation.files import parse_position
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.resources import DISTRIBUTION
from tests.fuzz.cases import Case
from tests.fuzz.spoiling import spoilt

MAX_CPU_S = 20.0
"""Time of the processor after which an input counts as a hang."""

MAX_WAIT_S = 180.0
"""The same in time on the wall, for what waits and does nothing."""

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


_BUILT = typer.main.get_command(app.app)
"""The command line, built once and not for each input."""


class Hang(BaseException):
    """The time for an input is over; no `except Exception` holds it up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit status of a case, -1 if it did not come to one, what was wrong, and the processor's seconds."""

    status: int
    faults: list[str]
    seconds: float


def run(case: Case, folder: Path) -> Outcome:
    """Run a case in an empty folder, which is removed in the end."""
    work, home = folder / "work", folder / "home"
    data = home / "data" / DISTRIBUTION
    work.mkdir(parents=True)
    for name, content in case.files.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith(b"->"):
            path.symlink_to(content[2:].decode())
        else:
            path.write_bytes(content)
    for name, content in case.kept.items():
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if case.broken_off is not None:
        _spoil_drafts(case, data, work, home)
    before = _contents(folder)
    out, err = io.BytesIO(), io.BytesIO()
    began = time.process_time()
    try:
        with _surroundings(case, work, home, out, err):
            status = main(case.words)
    except Hang:
        return Outcome(-1, [f"hangs:\n{traceback.format_exc(limit=-6)}"], time.process_time() - began)
    except BaseException:
        return Outcome(-1, [f"comes through:\n{traceback.format_exc(limit=-6)}"], time.process_time() - began)
    seconds = time.process_time() - began
    told = [stream.getvalue().decode("utf-8", "replace") for stream in (out, err)]
    faults = [*_wrong_words(case, status, *told), *_wrong_files(case, status, work, before, _contents(folder))]
    shutil.rmtree(folder)
    return Outcome(status, faults, seconds)


def _spoil_drafts(case: Case, data: Path, work: Path, home: Path) -> None:
    """Let a conversation be broken off, and spoil the draft that it leaves."""
    assert case.broken_off is not None
    with _surroundings(case.broken_off, work, home, io.BytesIO(), io.BytesIO()):
        main(case.broken_off.words)
    rng = random.Random(case.spoil)
    for path in sorted((data / "drafts").glob("*")):
        path.write_bytes(spoilt(rng, path.read_bytes()))


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _surroundings(case: Case, work: Path, home: Path, out: io.BytesIO, err: io.BytesIO) -> Iterator[None]:
    """The folder, the streams, the user's folders and the alarm clock of one run."""
    typer_app, app.app = app.app, _BUILT  # type: ignore[assignment]
    streams, environment = (sys.stdin, sys.stdout, sys.stderr), dict(os.environ)
    # Tesseract is a program of its own and takes seconds: what it may do is tried in tests of its own.
    os.environ.update(HOME=str(home), PATH=str(home), COLUMNS="80")
    os.environ.update(XDG_DATA_HOME=str(home / "data"), XDG_CACHE_HOME=str(home / "cache"))
    sys.stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
    handlers = [(number, signal.signal(number, _ring)) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, MAX_CPU_S)
    signal.setitimer(signal.ITIMER_REAL, MAX_WAIT_S)
    try:
        with _folder(work), warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers:
            signal.signal(number, handler)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # What was printed outlives the stream.
                stream.detach()
        sys.stdin, sys.stdout, sys.stderr = streams
        app.app = typer_app
        os.environ.clear()
        os.environ.update(environment)


def _ring(number: int, frame: FrameType | None) -> None:
    raise Hang


def _wrong_words(case: Case, status: int, out: str, err: str) -> Iterator[str]:
    """What is wrong with the status and with what was printed."""
    if status not in {int(known) for known in ExitStatus} or status == ExitStatus.FAULT:
        yield f"ends in status {status}: {err[-2000:]}"
    if "--debug" not in case.words and ("Traceback (most recent" in err or "companion: unexpected" in err):
        yield f"shows a traceback or an unforeseen fault: {err[-2000:]}"
    if status not in (0, 130) and not (out + err).strip():
        yield f"ends in status {status} without a word"
    for text in (out, err):
        plain = _STYLES.sub("", text) if "always" in case.words else text
        found = {
            letter
            for letter in plain
            if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Zl", "Zp", "Cs")
        }
        found |= {letter for letter in plain if letter in "\u202e\u2066\u202d\u2067\u200f"}
        if found:
            yield f"lets control characters through: {sorted(map(hex, map(ord, found)))}"
    if "--json" in case.words and status == 0 and "--help" not in case.words and out.strip():
        try:
            json.loads(out)
        except ValueError:
            yield f"prints no JSON: {out[:200]}"


def _wrong_files(case: Case, status: int, work: Path, before: dict[Path, str], after: dict[Path, str]) -> Iterator[str]:
    """What is wrong with the files that are there now."""
    for path, content in before.items():
        relative = path.relative_to(work).as_posix() if path.is_relative_to(work) else None
        if relative is not None and relative not in case.outputs and after.get(path) != content:
            yield f"changed or removed {relative}"
    for path in after.keys() - before.keys():
        # Lock files stay where they are, or two processes could hold one each.
        if path.name.endswith(".tmp"):
            yield f"leaves {path.name} behind"
        elif path.is_relative_to(work) and path.name not in case.outputs and "*" not in case.outputs:
            yield f"writes {path.name}, which nobody asked for"
        if not path.is_relative_to(work) and os.name == "posix" and path.stat().st_mode & 0o077:
            yield f"keeps {path} where others can read it"
    for path, content in after.items():
        if path.is_relative_to(work) and path.name in case.outputs and before.get(path) != content:
            wrong = half_written(path)
            if wrong:
                yield f"status {status}, {path.name} is not whole: {wrong}"


def half_written(path: Path) -> str | None:
    """What is wrong with a file that the program wrote; None if it is whole."""
    content = path.read_bytes()
    try:
        if path.suffix == ".pdf":
            return None if content.startswith(b"%PDF") and content.rstrip().endswith(b"%%EOF") else "no whole PDF"
        if path.suffix in (".png", ".jpg"):
            with Image.open(io.BytesIO(content)) as image:
                image.load()
        elif path.suffix in (".toml", ".json"):
            parse_position(content.decode())
        elif path.suffix == ".txt":
            replay(parse_record(content.decode()))
    except (CompanionError, OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def _contents(folder: Path) -> dict[Path, str]:
    """The files in a folder and below by what they hold; links count as what they say."""
    return {
        path: str(path.readlink()) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }
