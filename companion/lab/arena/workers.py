"""Where work of many parts is done: in this process, or in others on this machine."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.errors import MissingDependencyError

if TYPE_CHECKING:
    from concurrent.futures import Future

IN_FLIGHT = 3
"""Items handed out for each process, so that none waits for the next."""

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
def workforce(workers: int = 1) -> Iterator[RunAll]:
    """What does the work: this process, or so many others of this machine, which end with the context."""
    if workers == 1:
        yield in_this_process
        return
    import multiprocessing
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool

    # Ctrl-C is for this process, which ends the others.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    spawning = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawning, initializer=signal.signal, initargs=ignoring)

    def run_all(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        waiting = iter(items)
        out: dict[Future[Result], Item] = {}
        try:
            while True:
                for item in islice(waiting, IN_FLIGHT * workers - len(out)):
                    out[pool.submit(work, item)] = item
                if not out:
                    return
                for future in wait(out, return_when=FIRST_COMPLETED).done:
                    yield out.pop(future), future.result()
        except BrokenProcessPool as error:
            raise MissingDependencyError("a worker process ended unexpectedly: perhaps memory ran out") from error

    try:
        yield run_all
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


def in_order(run_all: RunAll, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """What comes of the items, all different, in their order: so sums over them are the same whoever did the work."""
    awaited = deque(items)
    early: dict[Item, Result] = {}
    for item, result in run_all(work, list(awaited)):
        early[item] = result
        while awaited and awaited[0] in early:
            yield early.pop(awaited.popleft())
