"""Work that takes seconds, in a process of its own: pages are answered meanwhile, and a crash there ends nothing here.

A `Worker` has one process and does jobs one after another. The process begins with a job and ends when none has come
for a while, since what its libraries have taken comes back in no other way; or with this one, however this one ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from threading import RLock
from typing import Any

from companion.errors import CompanionError, MissingDependencyError
from companion.language.phrase import Phrase, say
from companion.system.progress import TellShare

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

MAX_WAITING = 12
"""Jobs that wait in the queue; who comes later is sent away, and spared a wait of minutes."""

MAX_JOB_S = 300.0
IDLE_S = 20.0
"""How long a process waits for its next job. Beginning anew takes about a second."""

_END_S = 5.0
"""How long the end of a process that was killed is waited for."""

_NICER_BY = 5
"""How much less weight the process has than the pages, where the system knows such a thing."""

_STOP = ("", ())
"""What comes in place of a job: that nobody waits for the one that is being done."""

STOPPED = say("The program that reads photos and works out hints stopped unexpectedly; try again.")
UNFORESEEN = say("Something went wrong, and it's a bug in the program. Nothing was lost: go back and try again.")
OUT_OF_MEMORY = say("There wasn't enough memory for this; a smaller photo may work.")


class WorkerError(CompanionError):
    """A job that was not done: its process stopped, took too long, or is too busy."""


class TooManyJobsError(WorkerError):
    """A job for which there is no room now, and will be soon."""


class Worker:
    """One process for jobs; `memory` is how much address space it may have, in bytes, where the system keeps to it.

    After `idle_s` without a job the process ends.
    """

    def __init__(self, name: str, memory: int | None = None, idle_s: float = IDLE_S) -> None:
        self._name = name
        self._memory = memory
        self._idle_s = idle_s
        self._ending: asyncio.TimerHandle | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        self.waiting = 0
        """Jobs that are done, or wait."""
        self._lock = RLock()
        self._is_closed = False

    @property
    def process_id(self) -> int | None:
        """The number of the process; None before the first job."""
        return None if self._process is None else self._process.pid

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        """What a function gives, called in the process with the arguments and a function to tell its progress to.

        `job` names it, "module:function": here its module need not be loaded, which may be large. All that goes to and
        fro must be picklable. Raises CompanionError with the words of the fault that it raised, and WorkerError if it
        could not be done.
        """
        self.check_room()
        loop = asyncio.get_running_loop()
        self.waiting += 1
        if self._ending is not None:
            self._ending.cancel()
        try:
            async with self._turn:

                def tell_here(share: float, stage: str) -> None:
                    loop.call_soon_threadsafe(tell, share, stage)

                try:
                    return await asyncio.to_thread(self._do, job, arguments, tell_here)
                except asyncio.CancelledError:
                    self._stop_job()
                    raise
        finally:
            self.waiting -= 1
            if not self.waiting:
                self._ending = loop.call_later(self._idle_s, loop.run_in_executor, None, self._end_if_idle)

    def check_room(self) -> None:
        """Raises TooManyJobsError where too many jobs wait for another one."""
        if self.waiting >= MAX_WAITING:
            raise TooManyJobsError("Too many jobs are already waiting; try again in a minute.")

    def _stop_job(self) -> None:
        """Have the process stop what nobody waits for any more, the next time that it tells how far it has come."""
        with contextlib.suppress(OSError):
            if self._connection is not None:
                self._connection.send(_STOP)

    def _end_if_idle(self) -> None:
        with self._lock:
            if not self.waiting:
                self._end_process()

    def close(self) -> None:
        """End the process for good; a job that it does is not done, nor are those that wait."""
        self._is_closed = True
        self._end_process()

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join(_END_S)
        # A thread that still listens for an answer now hears the end of it. Closed before that, its connection would be
        # nothing in the middle of a read, or somebody else's file of the same number.
        if self._lock.acquire(timeout=_END_S):
            try:
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
            finally:
                self._lock.release()

    def _do(self, job: str, arguments: tuple[object, ...], tell: TellShare) -> Any:
        with self._lock:
            try:
                connection = self._connected()
                connection.send((job, arguments))
                while True:
                    if not connection.poll(MAX_JOB_S):
                        self._end_process()
                        raise WorkerError("This took too long and was cancelled; a smaller photo may work.")
                    kind, *answer = connection.recv()
                    if kind == "told":
                        tell(*answer)
                    elif kind == "fault":
                        raise CompanionError(*answer)
                    else:
                        return answer[0]
            except CompanionError:
                raise
            except (EOFError, OSError):
                self._end_process()
                raise WorkerError(STOPPED) from None
            except Exception:
                # What still comes of this job would be taken for the answer to the next.
                self._end_process()
                raise

    def _connected(self) -> Connection:
        if self._is_closed:
            raise WorkerError(STOPPED)
        if self._process is None or self._connection is None or not self._process.is_alive():
            # Forking a program of many threads would copy locks that nobody lets go.
            context = multiprocessing.get_context("spawn")
            here, there = context.Pipe()
            process = context.Process(
                target=serve_jobs, args=(there, self._memory), name=f"companion {self._name}", daemon=True
            )
            process.start()
            there.close()
            self._process, self._connection = process, here
            if self._is_closed:
                # Closed while it began: nobody else knows of this process.
                self._end_process()
                raise WorkerError(STOPPED)
        return self._connection


def freest(workers: Sequence[Worker]) -> Worker:
    """The worker with the fewest jobs, the first of those, for a job that takes no time and that any of them can do."""
    return min(workers, key=lambda worker: worker.waiting)


def serve_jobs(connection: Connection, memory: int | None) -> None:
    """Do the jobs that come, until the other side is gone: what the process of a worker runs."""
    # Ctrl-C reaches every process of a terminal; the one that answers pages ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICER_BY)
    if memory is not None:
        _limit(memory)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            _do_one(connection)


def _do_one(connection: Connection) -> None:
    """Do the next job. What cannot be sent back is a fault too; nothing of it has gone out then."""

    def tell(share: float, stage: str) -> None:
        connection.send(("told", share, stage))
        if connection.poll():
            connection.recv()
            raise WorkerError(STOPPED)

    sent = connection.recv_bytes()
    try:
        message = pickle.loads(sent)
        if message == _STOP:
            # The job had come to its end already.
            return
        job, arguments = message
        module, _, name = job.partition(":")
        function = getattr(import_module(module), name)
        connection.send(("done", function(*arguments, tell)))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        connection.send(("fault", _words(error)))


def _limit(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory if most == resource.RLIM_INFINITY else min(memory, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (allowed, most))


def _words(error: Exception) -> str | Phrase:
    if isinstance(error, CompanionError):
        return str(error)
    if isinstance(error, MemoryError) or type(error).__module__ == "cv2":
        return OUT_OF_MEMORY
    if isinstance(error, ImportError):
        return str(MissingDependencyError("a package can't be loaded: {reason}", reason=str(error)))
    return say("unexpected {name}: {reason}", name=type(error).__name__, reason=str(error)[:200])
