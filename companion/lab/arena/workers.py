"""Where work of many parts is done: in this process, in others on this machine, or on a cluster of machines."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.errors import MissingDependencyError, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

IN_FLIGHT = 3
"""Items handed out for each thread of a worker, so that none waits for the next."""

CONNECT_WITHIN_S = 20.0
"""How long a scheduler, and then its first worker, is waited for."""

_GONE = "the scheduler is gone; start it again, and then this command"

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
    """What does the work: this process, that many others of this machine, or the workers of a dask scheduler.

    Processes of this machine end with the context. Raises UsageError for both at once or what is no address,
    MissingDependencyError without dask.distributed, or where no scheduler answers or it has no workers.
    """
    if scheduler is not None and workers > 1:
        raise UsageError("--workers starts processes here and --scheduler works elsewhere: give one of them")
    if scheduler is None and workers == 1:
        yield in_this_process
        return
    import distributed

    # What the library says of workers that are gone is its own affair: it hands their work out again.
    known = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = [(logger, logger.level) for logger in known]
    for logger in known:
        logger.setLevel(logging.CRITICAL)
    try:
        if scheduler is not None:
            with _client_of(scheduler) as client:
                yield Cluster(client)
            return
        # No dashboard, whose port may be somebody's, and no share of memory above which a worker stops.
        with (
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            ) as processes,
            distributed.Client(processes, set_as_default=False) as client,
        ):
            yield Cluster(client)
    finally:
        for logger, level in before:
            logger.setLevel(level)


@contextmanager
def _client_of(scheduler: str) -> Iterator[Client]:
    import distributed
    from distributed.comm.addressing import get_address_host_port

    try:
        get_address_host_port(scheduler, strict=True)
    except ValueError as error:
        raise UsageError(f"--scheduler {scheduler}: {error}; write tcp://HOST:PORT") from None
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_WITHIN_S, set_as_default=False)
    # A worker that is taken for a scheduler is asked what it cannot answer.
    except (OSError, TypeError, AssertionError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MissingDependencyError(f"no scheduler answers at {scheduler}: {reason}; is it running?") from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_WITHIN_S)
        yield client
    except TimeoutError:
        raise MissingDependencyError(f"{scheduler} has no workers; start some: dask worker {scheduler}") from None
    finally:
        # A scheduler that is gone cannot be taken leave of.
        with suppress(Exception):
            client.close(timeout=2)


class Cluster:
    """The workers of a scheduler. What was out with a worker that is gone is handed out again, by the scheduler."""

    def __init__(self, client: Client) -> None:
        self.client = client

    @property
    def address(self) -> str:
        """The scheduler's address, tcp://HOST:PORT."""
        return str(self.client.scheduler.address)

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        """Do the work; raises what it raises, and MissingDependencyError where workers or the scheduler stay away."""
        from concurrent.futures import CancelledError

        from distributed import as_completed
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        waiting = iter(items)
        out: dict[Future, Item] = {}
        done = as_completed(loop=self.client.loop)
        try:
            while True:
                room = self._room()
                for item in islice(waiting, max(0, room - len(out))):
                    future = self.client.submit(work, item, pure=False)
                    out[future] = item
                    done.add(future)
                if not out:
                    return
                future = next(done)
                item = out.pop(future)
                try:
                    result: Result = future.result()
                except KilledWorker:
                    raise MissingDependencyError(
                        f"every worker that was given {item} was gone before it was done; look at their logs: too "
                        "little memory, or a bot that crashes?"
                    ) from None
                except (CancelledError, CommClosedError):
                    raise MissingDependencyError(_GONE) from None
                yield item, result
        finally:
            # So that nobody works on what nobody waits for.
            with suppress(Exception):
                self.client.cancel(list(out), force=True)

    def _room(self) -> int:
        """How many items can be out at a time."""
        try:
            threads: int = sum(self.client.nthreads().values())
        except (OSError, TimeoutError):
            raise MissingDependencyError(_GONE) from None
        return IN_FLIGHT * max(1, threads)


def in_order(run_all: RunAll, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """What comes of the items, all different, in their order: so sums over them are the same whoever did the work."""
    awaited = deque(items)
    early: dict[Item, Result] = {}
    for item, result in run_all(work, list(awaited)):
        early[item] = result
        while awaited and awaited[0] in early:
            yield early.pop(awaited.popleft())
