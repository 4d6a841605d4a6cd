"""The one place where faults become a line of text and an exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.errors import CompanionError, ExitStatus

ISSUES_HINT = "This is a fault of the program, not of your input; run again with --debug to see where."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    `argv` is without the program's name; None takes the process's own arguments. `--debug` anywhere
    lets an unforeseen exception through with its traceback.
    """
    from companion.cli.app import app

    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    try:
        app(args=[argument for argument in arguments if argument != "--debug"], prog_name="companion")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except CompanionError as error:
        if debug:
            raise
        _say(f"companion: {error}")
        return int(error.status)
    except BrokenPipeError:
        sys.stdout = None
        return int(ExitStatus.DONE)
    except Exception as error:
        if debug:
            raise
        _say(f"companion: unforeseen {type(error).__name__}: {' '.join(str(error).split())}. {ISSUES_HINT}")
        return int(ExitStatus.FAULT)
    return int(ExitStatus.DONE)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def run() -> None:
    """Console script: run and leave with the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a fault.
            stream.reconfigure(errors="replace")
    sys.exit(main())
