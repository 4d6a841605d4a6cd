"""Clusters that something happens to in the middle of their work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from companion.arena.cluster import Cluster, local_cluster
from companion.arena.workers import Item, Result, RunAll


@contextmanager
def frail_cluster(workers: int) -> Iterator[Cluster]:
    """Processes of this machine; work is given up with the first of them that is gone with it, and handed out again."""
    import dask

    # Its settings are there once it is imported; those set before it would be taken away with all of its own.
    import distributed  # noqa: F401

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), local_cluster(workers) as cluster:
        yield cluster


def killing(cluster: Cluster, after: int, killed: list[int]) -> RunAll:
    """The cluster's work, with one worker ended as by a power cut once so many items are over; notes its process."""

    def kill() -> None:
        killed.append(next(iter(cluster._client.run(os.getpid).values())))
        os.kill(killed[-1], signal.SIGKILL)

    return disturbed(cluster.run, after, kill)


def disturbed(run_all: RunAll, after: int, disturb: Callable[[], object]) -> RunAll:
    """The same work, with something done once, when so many items are over."""
    waiting = [disturb]

    def run(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        for number, done in enumerate(run_all(work, items)):
            if number == after and waiting:
                waiting.pop()()
            yield done

    return run
