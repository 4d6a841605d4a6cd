"""`python -m companion` does what the `companion` script does."""

from __future__ import annotations

import os

_INTERRUPTED = 130
"""`ExitStatus.INTERRUPTED`, before anything of the program is loaded."""


def run() -> None:
    """Console script: run and leave with the exit status; Ctrl-C is heeded before all else is loaded."""
    try:
        from companion.cli.interrupts import heed

        heed()
        from companion.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        # Nothing was begun yet, or all is ended.
        os._exit(_INTERRUPTED)


if __name__ == "__main__":
    run()
