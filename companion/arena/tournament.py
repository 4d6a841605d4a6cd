"""A tournament from its first game to its last, on one core or on many, and on from where a run broke off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.arena.results import ResultsFile
from companion.arena.schedule import ArenaGame, Fixture, Tournament, play_fixture
from companion.arena.tally import Tally
from companion.storage import lock

PlayAll = Callable[[Tournament, Iterable[Fixture]], Iterator[ArenaGame]]
"""Plays games and hands them over as they are done, in any order."""


def one_core(tournament: Tournament, fixtures: Iterable[Fixture]) -> Iterator[ArenaGame]:
    """Play games one after the other, in this process."""
    for fixture in fixtures:
        yield play_fixture(tournament, fixture)


@contextmanager
def players_of_games(workers: int = 1, scheduler: str | None = None) -> Iterator[PlayAll]:
    """What plays games: this process, so many processes of this machine, or the cluster of a scheduler.

    Raises what `cluster.local_cluster` and `cluster.cluster_at` raise.
    """
    if scheduler is None and workers == 1:
        yield one_core
        return
    # What needs an extra is loaded where it is wanted.
    from companion.arena.cluster import cluster_at, local_cluster

    with local_cluster(workers) if scheduler is None else cluster_at(scheduler) as cluster:
        yield cluster.play_all


def run_tournament(
    tournament: Tournament,
    play_all: PlayAll = one_core,
    *,
    output: Path | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Callable[[Tally], None] | None = None,
) -> Tally:
    """Play what is missing of a tournament, and count all of it.

    `output` keeps every game as it is done; with `resume` the games that it holds already are counted, not played.
    `watch` is called with the tally after each game. Raises what `play_all`, `ResultsFile` and
    `storage.lock` raise.
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
        for game in play_all(tournament, missing):
            if kept is not None:
                kept.append(game)
            tally.note(game)
            if watch is not None:
                watch(tally)
    return tally
