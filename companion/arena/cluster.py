"""Work on many cores and machines by dask.distributed: nothing is lost with a worker or a scheduler."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.errors import CompanionError, ExitStatus, MissingDependencyError, UsageError
from companion.language.phrase import say

if TYPE_CHECKING:
    from distributed import Client, Future

HOW_TO_GET_IT = say("pip install 'five-tribes-companion[arena]' (or pip install distributed) brings it")
IN_FLIGHT = 3
"""Items handed out for each thread of the cluster, so that none waits for the next."""

LOOK_EVERY_S = 0.02
CONNECT_WITHIN_S = 20.0
PATIENCE_S = 120.0
"""Seconds after which a scheduler that is gone, or a cluster without a worker, is given up."""

MAX_ATTEMPTS = 3
"""How often an item is handed out after dask has given it up, which it does when four workers were gone with it."""

COUNT_EVERY_S = 1.0
FETCH_WITHIN_S = 60.0


Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Done(Generic[Result]):
    """What came of some work, which may be None itself."""

    result: Result


class ClusterError(CompanionError):
    """A cluster cannot be reached, or keeps losing what it is given; the message says what to do."""

    status = ExitStatus.MISSING


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """Processes on this machine. Raises MissingDependencyError without dask.distributed."""
    distributed = _distributed()
    with (
        _quietly(),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            # Any free port, on this machine alone: the usual one may be somebody's.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as processes,
    ):
        cluster = Cluster(str(processes.scheduler_address))
        try:
            yield cluster
        finally:
            cluster.close()


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The cluster of a scheduler, tcp://HOST:PORT.

    Raises MissingDependencyError without dask.distributed, UsageError for what is no address and ClusterError if
    nobody answers there.
    """
    _distributed()
    with _quietly():
        cluster = Cluster(address)
        try:
            yield cluster
        finally:
            cluster.close()


class Cluster:
    """A connection to a scheduler that is made anew when it breaks; `run` hands work out.

    `patience_s` is how many seconds it waits for a scheduler or for workers that are gone. Raises ClusterError if
    nobody answers at first.
    """

    def __init__(self, address: str, patience_s: float = PATIENCE_S) -> None:
        self.address = address
        self.patience_s = patience_s
        self._threads, self._counted_at = 0, 0.0
        self._client = self._connected(CONNECT_WITHIN_S)

    def close(self) -> None:
        """Leave the cluster."""
        # What fails here is a scheduler that is gone already.
        with suppress(Exception):
            self._client.close(timeout=2)

    def run(self, work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        """Do some work on each of the items, hashable ones, and hand over each with what came of it, as it is done.

        What is out with a worker or a scheduler that is gone is handed out again. Raises what the work raises, and
        ClusterError for a cluster that is gone for too long or loses one item again and again.
        """
        missing, again = iter(items), deque[Item]()
        out: dict[Future, Item] = {}
        killed = Counter[Item]()
        try:
            while True:
                for item in self._next(again, missing, self._room() - len(out)):
                    out[self._client.submit(work, item, pure=False)] = item
                if not out:
                    return
                for future in [future for future in out if future.status != "pending"]:
                    item = out.pop(future)
                    done = self._fetched(future)
                    if done is not None:
                        yield item, done.result
                        continue
                    killed[item] += future.status == "error"
                    if killed[item] >= MAX_ATTEMPTS:
                        raise ClusterError(
                            say(
                                "every worker that was given {item} was gone before it was done; look at their logs: "
                                "too little memory, or a bot that crashes?",
                                item=str(item),
                            )
                        )
                    again.append(item)
                if self._is_cut_off():
                    again.extend(out.values())
                    out.clear()
                    self.close()
                    self._client = self._connected(self.patience_s)
                time.sleep(LOOK_EVERY_S)
        finally:
            # So that nobody works on what nobody waits for; of a scheduler that is gone nothing is to be called back.
            with suppress(Exception):
                self._client.cancel(list(out), force=True)

    @staticmethod
    def _next(again: deque[Item], missing: Iterator[Item], number: int) -> Iterator[Item]:
        """So many items to hand out, those that were lost first."""
        while again and number > 0:
            yield again.popleft()
            number -= 1
        yield from islice(missing, max(0, number))

    def _room(self) -> int:
        """How many items can be out at a time; waits for workers if there are none."""
        if time.monotonic() - self._counted_at > COUNT_EVERY_S:
            deadline = time.monotonic() + self.patience_s
            # A scheduler that is gone is seen to by whoever looks for results.
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values())
                while not self._threads:
                    if time.monotonic() > deadline:
                        raise ClusterError(
                            say("{address} has no workers; start some: dask worker {address}", address=self.address)
                        )
                    time.sleep(LOOK_EVERY_S)
                    self._threads = sum(self._client.nthreads().values())
            self._counted_at = time.monotonic()
        return IN_FLIGHT * max(1, self._threads)

    def _fetched(self, future: Future) -> _Done[Any] | None:
        """What came of a future that is over; None if it was lost. Raises what the work raised."""
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker, NoValidWorkerError

        try:
            return _Done(future.result(timeout=FETCH_WITHIN_S))
        except (KilledWorker, NoValidWorkerError, CommClosedError, CancelledError):
            return None
        except (TimeoutError, OSError):
            # The work's own, or that of the way to it.
            if future.status == "error":
                raise
            return None

    def _is_cut_off(self) -> bool:
        """Whether the scheduler is gone, or another one has taken its place and knows nothing of this client."""
        comm = self._client.scheduler_comm
        return self._client.status != "running" or comm is None or comm.closed()

    def _connected(self, within_s: float) -> Client:
        """A client of the scheduler, waited for."""
        from distributed.comm.addressing import get_address_host_port

        client = _client_class()
        deadline = time.monotonic() + within_s
        try:
            # Looked at first: a client that was given nonsense may fail over closing itself before it says so.
            get_address_host_port(self.address, strict=True)
            while True:
                try:
                    return client(self.address, timeout=min(5.0, within_s), set_as_default=False)
                except _WorkerListensError as error:
                    raise ClusterError(
                        say("{address} is a worker's address: give that of its scheduler", address=self.address)
                    ) from error
                # The library asserts that a client which could not connect has closed itself in time.
                except (OSError, TimeoutError, AssertionError) as error:
                    if time.monotonic() > deadline:
                        reason = " ".join(str(error).split()) or type(error).__name__
                        raise ClusterError(
                            say(
                                "no scheduler answers at {address}: {reason}; is it running?",
                                address=self.address,
                                reason=reason,
                            )
                        ) from error
                    time.sleep(LOOK_EVERY_S)
        except ValueError as error:
            raise UsageError(
                say("--scheduler {address}: {error}; write tcp://HOST:PORT", address=self.address, error=error)
            ) from error


class _WorkerListensError(OSError):
    """A worker listens where a scheduler was looked for."""


@cache
def _client_class() -> type[Client]:
    """The library's client, which is closed when it cannot connect, whatever the reason."""
    from distributed import Client

    class ClosingClient(Client):  # type: ignore[misc]
        async def _ensure_connected(self, timeout: float | None = None) -> None:
            try:
                await super()._ensure_connected(timeout=timeout)
            # The library asserts that the scheduler's first message comes alone; on a busy machine, another may come
            # along with it. Of what can be raised here, it closes the client for an OSError. One that is left open
            # closes itself when it is collected as garbage: if that is while another begins, it waits for ever for a
            # lock that its own thread holds.
            except AssertionError as error:
                raise OSError("the scheduler's greeting did not come alone") from error
            # A worker is asked what only a scheduler can answer.
            except TypeError as error:
                raise _WorkerListensError("a worker listens there, no scheduler") from error

    return ClosingClient


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("distributed", "dask"):
            raise
        raise MissingDependencyError(
            say("several cores and clusters need dask.distributed; {how}", how=HOW_TO_GET_IT)
        ) from None
    return distributed


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the library's remarks on lost workers to itself: what matters here is told here."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
