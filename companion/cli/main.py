"""The one place where faults become a line of text and an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from companion.errors import CompanionError, ExitStatus, printable
from companion.storage import is_disk_full

FAULT_HINT = "This is a fault of the program, not of your input; run again with --debug to see where."

LONGEST_LINE = 500
"""Characters of a line of a message; what is cut off there repeats a damaged input."""

MOST_LINES = 40
"""Lines of a message: a fault for each tile of the board, and some."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    `argv` is without the program's name; None takes the process's own arguments. `--debug` anywhere
    shows the traceback of a fault as well.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    try:
        from companion.cli.app import app

        try:
            app(args=[argument for argument in arguments if argument != "--debug"], prog_name="companion")
        finally:
            # What is still on its way out must not fail unseen when Python ends.
            sys.stdout.flush()
    except KeyboardInterrupt:
        # Typer answers Ctrl-C in commands; this one came while they were loaded.
        return int(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        return int(ExitStatus.DONE)
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            # Typer leaves with 1; whoever read the output (head, a pager) had enough, which is no fault.
            return int(ExitStatus.DONE)
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except CompanionError as error:
        return _told(f"{error}", error.status, debug)
    except OSError as error:
        if not is_disk_full(error):
            return _told(_unforeseen(error), ExitStatus.FAULT, debug)
        return _told(f"cannot write the result: {error.strerror}; make room and run again", ExitStatus.MISSING, debug)
    except Exception as error:
        return _told(_unforeseen(error), ExitStatus.FAULT, debug)
    return int(ExitStatus.DONE)


def _unforeseen(error: Exception) -> str:
    return f"unforeseen {type(error).__name__}: {' '.join(str(error).split())}. {FAULT_HINT}"


def _told(text: str, status: ExitStatus, debug: bool) -> int:
    """The exit status of the fault that is being handled, once the user has been told of it."""
    if debug:
        traceback.print_exc()
    print(_cut(printable(f"companion: {text}")), file=sys.stderr)
    return int(status)


def _cut(text: str) -> str:
    """The message at a length that somebody reads."""
    lines = [line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…" for line in text.splitlines()]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"… and {len(lines) - MOST_LINES:,} lines more"]
    return "\n".join(lines)


def _open_closed_streams() -> None:
    """Put an empty stream where the shell closed one (`>&-`), for Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _drop_unwritten() -> None:
    """Turn standard output away from where nothing more can be written, of which `main` has told the user.

    Python tries what is left once more when it ends, and some 3.11 complain and change the exit status then.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run() -> None:
    """Console script: run and leave with the exit status."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a fault.
            stream.reconfigure(errors="replace")
    status = main()
    _drop_unwritten()
    sys.exit(status)
