"""While a search thinks: how long it may, a bar that shows how far it is, and Ctrl-C, which keeps what was found."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.progress import Progress, progress
from companion.errors import UsageError
from companion.language.phrase import say

if TYPE_CHECKING:
    from companion.advisor.advice import Budget

SHORTEST_S, LONGEST_S = 0.1, 3600.0
"""What `--time` may be: less judges nothing, and nobody at a table waits longer than an hour."""

_BAR = 24

ThinkingTime = Annotated[
    float | None,
    typer.Option("--time", metavar="SECONDS", help="Think for so long; the longer, the surer.", show_default=False),
]
Playouts = Annotated[
    int | None,
    typer.Option(
        "--playouts",
        metavar="N",
        min=1,
        max=100_000_000,
        help="Think for so many replies played instead; the same number and seed give the same advice.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the luck played with; 0 if not given.")
]


def budget_of(seconds: float | None, playouts: int | None) -> Budget:
    """How long to think, from the options. Raises UsageError for a time that makes no sense, or for both."""
    from companion.advisor.advice import Budget

    if seconds is None:
        return Budget() if playouts is None else Budget(playouts=playouts)
    if playouts is not None:
        raise UsageError(say("give one of --time and --playouts: both say how long to think"))
    # Written so that nan, which is a number to Python, fails too.
    if not SHORTEST_S <= seconds <= LONGEST_S:
        raise UsageError(
            say(
                "--time is in seconds, from {least} to {most:.0f}, not {seconds}",
                least=SHORTEST_S,
                most=LONGEST_S,
                seconds=f"{seconds:g}",
            )
        )
    return Budget(seconds=seconds)


class Thinking:
    """What a search is given to tell how far it is and to learn whether it should stop."""

    def __init__(self, line: Progress) -> None:
        self._line = line
        self._told = -1
        self.interrupted = False

    def progress(self, share: float) -> None:
        """Show how far the search is, from 0 to 1."""
        percent = int(100 * min(max(share, 0.0), 1.0))
        if percent != self._told:
            self._told = percent
            full = percent * _BAR // 100
            bar = f"[{'#' * full}{'.' * (_BAR - full)}]"
            self._line.say(say("thinking {bar} {percent}%, Ctrl-C shows the best so far", bar=bar, percent=percent))

    def stop(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self.interrupted

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            # Whoever presses it twice does not want to wait for the search.
            raise KeyboardInterrupt
        self.interrupted = True


@contextmanager
def thinking(*, wanted: bool = True) -> Iterator[Thinking]:
    """Watch over a search: its progress on standard error if `wanted`, and the first Ctrl-C only stops it."""
    with progress(say("thinking"), wanted=wanted) as line:
        watch = Thinking(line)
        if threading.current_thread() is not threading.main_thread():
            # Signals come to the main thread alone.
            yield watch
            return
        before = signal.signal(signal.SIGINT, watch._interrupt)
        try:
            yield watch
        finally:
            signal.signal(signal.SIGINT, before)


def leave_if(interrupted: bool) -> None:
    """Leave with the status of an interrupted command, after what was found so far has been shown."""
    from companion.cli.output import note
    from companion.errors import ExitStatus

    if interrupted:
        note(say("Stopped by Ctrl-C: this is the best so far."))
        raise typer.Exit(int(ExitStatus.INTERRUPTED))
