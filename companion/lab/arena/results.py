"""Files of JSON lines, each on the disk as its work is done, and tournaments from the first game to the last."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from companion.lab.arena.tally import Tally
from companion.lab.arena.tournament import ArenaGame, Tournament, play_fixture
from companion.lab.arena.workers import RunAll, in_this_process
from companion.storage import lock


@contextmanager
def lines_of(path: Path) -> Iterator[tuple[list[bytes], Callable[[bytes], None]]]:
    """The whole lines of a file, and what puts another one into it; nobody else writes to it meanwhile.

    Raises what `storage.lock` raises.
    """
    with lock(path), path.open("a+b") as file:
        file.seek(0)
        *whole, _ = file.read().split(b"\n")
        # A line that was torn by a kill or a full disk goes.
        file.truncate(sum(len(line) + 1 for line in whole))

        def append(line: bytes) -> None:
            file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())

        yield whole, append


def run_tournament(
    tournament: Tournament,
    output: Path,
    run_all: RunAll = in_this_process,
    watch: Callable[[Tally], None] | None = None,
) -> Tally:
    """Play what is missing of a tournament in the file that keeps its games, and count all of it.

    `watch` is called with the tally before the first and after each game. Raises what `run_all`, `play_fixture` and
    `storage.lock` raise.
    """
    tally = Tally(tournament)
    with lines_of(output) as (whole, append):
        for line in whole:
            tally.note(msgspec.json.decode(line, type=ArenaGame))
        if watch is not None:
            watch(tally)
        missing = (fixture for fixture in tournament.fixtures() if not tally.has(fixture))
        for _, game in run_all(partial(play_fixture, tournament), missing):
            append(msgspec.json.encode(game))
            tally.note(game)
            if watch is not None:
                watch(tally)
    return tally
