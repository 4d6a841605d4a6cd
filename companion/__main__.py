"""`python -m companion` does what the `companion` script does."""

from __future__ import annotations

import os

from companion.cli.interrupts import INTERRUPTED, heed


def run() -> None:
    """Console script: run and leave with the exit status; Ctrl-C is heeded before all else is loaded."""
    heed()
    try:
        from companion.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        # Nothing was begun yet, or all is ended.
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
