"""Ctrl-C at any moment, first or second: the program ends with its status, and nothing is told of where it stood.

Python raises KeyboardInterrupt wherever the program stands, and some places make something else of it: a library that
is being loaded an ImportError, a function that no code has called a remark on standard error. After its last line
Python is still at work for a moment, and would show a traceback.
"""

from __future__ import annotations

import os
import signal
import sys

_HEARD_AGAIN_S = 0.05
"""How long after it an interrupt that was lost comes once more."""

_was_pressed = False


def was_pressed() -> bool:
    """Whether Ctrl-C has been pressed, so that a fault is no fault of the program."""
    return _was_pressed


def heed() -> None:
    """Have Ctrl-C raise KeyboardInterrupt from now on, which no place can make something else of.

    Who began the program with Ctrl-C ignored, as `nohup` and shells do with what runs beside, does not mean it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise)
        sys.unraisablehook = _hear_again


def leave_at_once() -> None:
    """Have Ctrl-C end the process from now on: all is done, and what is left is Python's own end."""
    from companion.errors import ExitStatus

    if signal.getsignal(signal.SIGINT) is _raise:
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(ExitStatus.INTERRUPTED))


def _raise(number: int, frame: object) -> None:
    global _was_pressed
    _was_pressed = True
    raise KeyboardInterrupt


def _hear_again(fault: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt once more that came where nothing can be raised, such as while a value was let go."""
    if not issubclass(fault.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(fault)
        return
    from threading import Timer

    again = Timer(_HEARD_AGAIN_S, _press)
    again.daemon = True
    again.start()


def _press() -> None:
    from _thread import interrupt_main
    from threading import main_thread

    if sys.platform == "win32":
        interrupt_main()
    elif (number := main_thread().ident) is not None:
        # Unlike the other this wakes a thread that waits.
        signal.pthread_kill(number, signal.SIGINT)
