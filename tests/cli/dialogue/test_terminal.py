"""Where answers come from: a real terminal with editing, history and completion, or plain lines of a pipe."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

import companion
from companion.cli.dialogue.loop import PromptTerminal, open_terminal
from companion.cli.main import main
from tests.cli.ran import Capsys, Patch

pty = pytest.importorskip("pty", reason="pseudo-terminals are of POSIX")
fcntl = pytest.importorskip("fcntl", reason="so are their owners")
termios = pytest.importorskip("termios", reason="so are their owners")
CHECKOUT = Path(companion.__file__).resolve().parents[1]
TIMEOUT_S = 60.0
UP, TAB, CTRL_C, CTRL_D = "\x1b[A", "\t", "\x03", "\x04"


class TypedSession:
    """A command in a pseudo-terminal: what it shows, and what is typed."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.shown = ""

    def expect(self, text: str) -> None:
        """Wait until something is shown after what was waited for before."""
        ends = time.monotonic() + TIMEOUT_S
        while text not in self.shown:
            left = ends - time.monotonic()
            assert left > 0 and select.select([self._master], [], [], left)[0], self.shown
            try:
                self.shown += os.read(self._master, 4096).decode(errors="replace")
            except OSError:
                break
        assert text in self.shown, self.shown
        self.shown = self.shown[self.shown.index(text) + len(text) :]

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())


def _at_its_terminal() -> None:
    """Make standard input the terminal whose Ctrl-C interrupts, also where the tests themselves are to ignore it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def typed_session(*arguments: str, status: int) -> Iterator[TypedSession]:
    master, slave = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm", "COLUMNS": "80", "LINES": "40"}
    environment["PROMPT_TOOLKIT_NO_CPR"] = "1"
    command = [sys.executable, "-m", "companion", *arguments]
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
        preexec_fn=_at_its_terminal,
    )
    os.close(slave)
    try:
        talk = TypedSession(master)
        yield talk
        while True:
            try:
                read = os.read(master, 4096)
            except OSError:
                break
            if not read:
                break
            talk.shown += read.decode(errors="replace")
        assert process.wait(timeout=TIMEOUT_S) == status, talk.shown
    finally:
        process.kill()
        process.wait(timeout=TIMEOUT_S)
        os.close(master)


@pytest.mark.slow
def test_a_terminal_has_history_completion_and_resume() -> None:
    with typed_session("score", "--ask", status=130) as talk:
        talk.expect("Who's playing?")
        talk.type("pink Anna\r")
        talk.expect("in front")
        talk.type("41 gold, 2 viz" + TAB + ", Jaf" + TAB + "\r")
        talk.expect("41 gold, 2 viziers, Jafaar")
        talk.expect("= 53 VP")
        talk.expect("palms on own tiles")
        talk.type("x2\r")
        talk.expect("is not a number or a sum")
        talk.expect("palms on own tiles")
        talk.type(CTRL_C)
        talk.expect("Stopped")
        talk.expect("--resume")
    with typed_session("score", "--resume", status=130) as talk:
        talk.expect("palms on own tiles")
        # The end of input breaks off too.
        talk.type(CTRL_D)
        talk.expect("--resume")
    with typed_session("score", "--resume", status=0) as talk:
        talk.expect("palms on own tiles")
        talk.type("back\r")
        talk.expect("Undone")
        talk.expect("in front")
        # Up from "back" to the line of the sitting before, which is changed there.
        talk.type(UP + UP + ", silk\r")
        talk.expect("1 silk, Jafaar")
        for words in ("palms", "palaces", "own tiles"):
            talk.expect(words)
            talk.type("\r")
        talk.expect("When was it played?")
        talk.type("2026-02-30\r")
        talk.expect("is not a date")
        talk.type("2026-02-14\r")
        talk.expect("Where was it played?")
        talk.type("Kyiv\r")
        talk.expect("2026-02-14, Kyiv")
        talk.expect("Anna")
        talk.expect("54")
        talk.expect("Print the score sheet?")
        talk.type("\r")


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_and_a_dumb_terminal_get_plain_lines(monkeypatch: Patch) -> None:
    shown = Tty()
    monkeypatch.setattr(sys, "stdin", Tty("one\r\n"))
    monkeypatch.setenv("TERM", "dumb")
    terminal = open_terminal(Console(file=shown))
    assert not isinstance(terminal, PromptTerminal) and terminal.interactive
    assert terminal.ask("first> \x1b[2J") == "one"
    with pytest.raises(KeyboardInterrupt):
        terminal.ask("second> ")
    assert shown.getvalue() == "first> [2Jsecond> "


def test_input_that_is_no_text_ends_in_status_4(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = ((b"\xff\xfe\xff\n", "strict"), (b"caf\xe9\n", "surrogateescape"))
    for command in (["score", "--ask"], ["edit", "-o", "t.toml"], ["play", "g.txt", "--seed", "1"]):
        for content, errors in inputs:
            Path("g.txt").unlink(missing_ok=True)
            stream = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors=errors)
            monkeypatch.setattr(sys, "stdin", stream)
            assert main(command) == 4, command
            assert "not text in UTF-8" in capsys.readouterr().err


def test_line_editing_is_loaded_only_at_a_terminal() -> None:
    script = (
        "import sys, io; sys.stdin = io.StringIO('pink\\n' + '\\n' * 9); from companion.cli.main import main;"
        "status = main(['score', '--ask']); assert 'prompt_toolkit' not in sys.modules; sys.exit(status)"
    )
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True).returncode == 0
