"""Ctrl-C at any moment: the program ends with its status, and without a word of where it stood.

Python raises KeyboardInterrupt wherever the program stands, and a library that is being loaded may make an ImportError
of it. After its last line Python is still at work for a moment, and would show a traceback.
"""

from __future__ import annotations

import os
import signal

_was_pressed = False


def was_pressed() -> bool:
    """Whether Ctrl-C has been pressed, so that an error is not the program's."""
    return _was_pressed


def heed() -> None:
    """Have Ctrl-C raise KeyboardInterrupt from now on, unless the program was begun with it ignored (`nohup`)."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise)


def exit_immediately() -> None:
    """Have Ctrl-C end the process from now on: all is done, and what is left is Python's own end."""
    from companion.errors import ExitStatus

    if signal.getsignal(signal.SIGINT) is _raise:
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(ExitStatus.INTERRUPTED))


def _raise(number: int, frame: object) -> None:
    global _was_pressed
    _was_pressed = True
    raise KeyboardInterrupt
