"""A line on standard error while something takes its time; it is gone when the result comes."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from companion.cli.locale import translate
from companion.errors import printable

SHOWN_AFTER_S = 0.5
"""What takes no longer than this needs no line."""

_BAR_CELLS = 20
_ERASE = "\r\x1b[2K"


def bar(done: float, of: float = 1.0) -> str:
    """How much of some work is done, as a bar.

    >>> bar(5, 20)
    '[#####...............]'
    """
    full = int(_BAR_CELLS * min(max(done / (of or 1), 0.0), 1.0))
    return f"[{'#' * full}{'.' * (_BAR_CELLS - full)}]"


class Progress:
    """The line, shown once `SHOWN_AFTER_S` have passed; `say` changes what it says."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._text = ""
        self._shown = False
        self._timer = threading.Timer(SHOWN_AFTER_S, self._show)
        self._timer.daemon = True

    def start(self) -> None:
        self._timer.start()

    def say(self, text: str) -> None:
        with self._lock:
            # Here and not where it is written, which is another thread's work.
            self._text = translate(text)
            if self._shown:
                self._write()

    def stop(self) -> None:
        self._timer.cancel()
        with self._lock:
            if self._shown:
                self._put(_ERASE)
            self._shown = False
            self._text = ""

    def _show(self) -> None:
        with self._lock:
            if self._text:
                self._shown = True
                self._write()

    def _write(self) -> None:
        from rich.cells import cell_len, set_cell_size

        width = shutil.get_terminal_size().columns - 1
        line = f"{printable(self._text)} …"
        self._put(_ERASE + (line if cell_len(line) <= width else set_cell_size(line, width - 1).rstrip() + "…"))

    def _put(self, text: str) -> None:
        # A terminal that is gone must not end the work.
        with suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


@contextmanager
def progress(text: str, *, wanted: bool = True) -> Iterator[Progress]:
    """Show what is being done for as long as it lasts, if standard error is a terminal and it is `wanted`."""
    line = Progress(sys.stderr)
    line.say(text)
    if wanted and sys.stderr.isatty():
        line.start()
    try:
        yield line
    finally:
        line.stop()
