"""Where work of many parts is done: in this process, in others on this machine, or on a cluster of machines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from companion.errors import UsageError
from companion.language.phrase import say

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


class RunAll(Protocol):
    """Does some work on each of the items, and hands over each with what came of it as it is done, in any order.

    Work and items may go to other processes, so both can be pickled, and the work keeps nothing from item to item.
    """

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]: ...


def in_this_process(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
    """Do the work one item after the other, here."""
    for item in items:
        yield item, work(item)


@contextmanager
def workforce(workers: int = 1, scheduler: str | None = None) -> Iterator[RunAll]:
    """What does the work: this process, so many processes of this machine, or the cluster of a scheduler.

    Raises UsageError for both of them, and what `cluster.local_cluster` and `cluster.cluster_at` raise.
    """
    if scheduler is not None and workers > 1:
        raise UsageError(say("--workers starts processes here and --scheduler works elsewhere: give one of them"))
    if scheduler is None and workers == 1:
        yield in_this_process
        return
    # What needs an extra is loaded where it is wanted.
    from companion.arena.cluster import cluster_at, local_cluster

    with local_cluster(workers) if scheduler is None else cluster_at(scheduler) as cluster:
        yield cluster.run


def in_order(run_all: RunAll, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """What comes of the items, all different, in their order: so sums over them are the same whoever did the work."""
    awaited = deque(items)
    early: dict[Item, Result] = {}
    for item, result in run_all(work, list(awaited)):
        early[item] = result
        while awaited and awaited[0] in early:
            yield early.pop(awaited.popleft())
