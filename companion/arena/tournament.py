"""A tournament from its first game to its last, on one core or on many, and on from where a run broke off."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from companion.arena.results import ResultsFile
from companion.arena.schedule import Tournament, play_fixture
from companion.arena.tally import Tally
from companion.arena.workers import RunAll, in_this_process
from companion.storage import lock


def run_tournament(
    tournament: Tournament,
    run_all: RunAll = in_this_process,
    *,
    output: Path | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Callable[[Tally], None] | None = None,
) -> Tally:
    """Play what is missing of a tournament, and count all of it.

    `output` keeps every game as it is done; with `resume` the games that it holds already are counted, not played.
    `watch` is called with the tally after each game. Raises what `run_all`, `play_fixture`,
    `ResultsFile` and `storage.lock` raise.
    """
    tally = Tally(tournament)
    with ExitStack() as stack:
        kept = None
        if output is not None:
            stack.enter_context(lock(output))
            kept = stack.enter_context(ResultsFile(output, tournament, tally.note, resume=resume, force=force))
        if watch is not None:
            watch(tally)
        missing = (fixture for fixture in tournament.fixtures() if not tally.has(fixture))
        for _, game in run_all(partial(play_fixture, tournament), missing):
            if kept is not None:
                kept.append(game)
            tally.note(game)
            if watch is not None:
                watch(tally)
    return tally
