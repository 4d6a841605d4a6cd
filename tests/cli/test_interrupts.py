"""Ctrl-C at moments when Python makes something else of it than an end without a word."""

from __future__ import annotations

import subprocess
import sys

from companion.cli import app, interrupts
from companion.cli.main import main
from tests.cli.ran import Capsys, Patch

WHILE_LOADING = """
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "companion.cli.main":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
run()
"""
AFTER_THE_END = """
atexit.register(signal.raise_signal, signal.SIGINT)
sys.argv[1:] = ["--version"]
run()
"""


def test_ctrl_c_at_odd_moments_ends_with_its_status_and_without_a_word() -> None:
    for script in (WHILE_LOADING, AFTER_THE_END):
        # A shell's background jobs inherit that Ctrl-C is ignored.
        heeded = "import atexit, signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
        code = f"{heeded}\nfrom companion.__main__ import run\n{script}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=25, check=False)
        assert (done.returncode, done.stderr) == (130, "")


def test_what_ctrl_c_broke_off_is_no_fault_whatever_came_of_it(monkeypatch: Patch, capsys: Capsys) -> None:
    def broken_off(**options: object) -> None:
        raise ImportError("numpy.core.multiarray failed to import", name="numpy")

    monkeypatch.setattr(app, "app", broken_off)
    assert main(["--version"]) == 3 and "cannot be loaded" in capsys.readouterr().err
    monkeypatch.setattr(interrupts, "_was_pressed", True)
    assert main(["--version"]) == 130 and capsys.readouterr().err == ""
