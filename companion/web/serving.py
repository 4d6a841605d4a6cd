"""The server: an app at a socket until it is told to stop, with all lines closed then and nothing half done."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FrameType
from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.resources import data_folder, share_heap
from companion.storage import write_private
from companion.web.addresses import HostNames, Listening
from companion.web.app import table_app
from companion.web.services import Services
from companion.web.sessions import KEY_BYTES, new_key, spectators_key

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import ASGIApp

STOP_S = 5
"""How long requests on their way may take when the server stops."""

_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_LOGS = ("uvicorn.error", "asyncio", "companion.web")
_MAX_HEADERS = 32_768
_MAX_LINES = 600
_IDLE_S = 30
_HEAD_S = 10.0
_MAX_LINES_OF_ONE = 300
_KEY_LETTERS = -(-KEY_BYTES * 8 // 6)


class TableLine(H11Protocol):
    """A line that is cut off where the head of a request doesn't come in time, or one address has too many of them."""

    _cutting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        clients = [line.client for line in self.connections if isinstance(line, TableLine)]
        if sum(client[0] == self.client[0] for client in clients if client and self.client) > _MAX_LINES_OF_ONE:
            transport.abort()
        self._cutting = self.loop.call_later(_HEAD_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Wait no longer once a head is whole; what follows is limited where it is read, and by `_IDLE_S`."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._cutting = self._cutting or self.loop.call_later(_HEAD_S, self.transport.abort)
        else:
            self._keep()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        self._keep()
        super().connection_lost(exc)

    def _keep(self) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None


class TableServer(uvicorn.Server):
    """A server that ends the lines of those who listen for news before it waits for requests to be answered."""

    def __init__(self, config: uvicorn.Config, closing: Callable[[], None]) -> None:
        super().__init__(config)
        self._closing = closing
        self._loop: asyncio.AbstractEventLoop | None = None
        self.stopped_by: int | None = None
        """The first signal that came to stop it."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Begin to answer."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)  # type: ignore[arg-type]

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Stop; the app ends what it has begun even where nothing is waited for."""
        await super().shutdown(sockets)  # type: ignore[arg-type]
        if self.force_exit:
            await self.lifespan.shutdown()

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Leave signals to `_signals_of`: uvicorn's way has them come once more inside the loop when it ends."""
        return nullcontext()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; a second Ctrl-C stops at once."""
        self.stopped_by = self.stopped_by or sig
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._closing)
        super().handle_exit(sig, frame)


def serve_table(
    services: Services, listening: Listening, names: HostNames, tell_fault: Callable[[Exception], object]
) -> None:
    """Answer until Ctrl-C or the end of the process; faults that nobody foresaw are given to `tell_fault`.

    Raises KeyboardInterrupt after Ctrl-C, when all is closed.
    """
    share_heap()
    config = server_config(table_app(services, names=names))
    server = TableServer(config, services.hub.close)
    with _signals_of(server), faults_told(tell_fault):
        server.run(sockets=[listening.socket])
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt
    if server.stopped_by == signal.SIGTERM:
        # Whoever ended the process is told that it was this that ended it.
        signal.raise_signal(signal.SIGTERM)


@contextmanager
def _signals_of(server: TableServer) -> Iterator[None]:
    """Give a server the signals that stop it; a terminal that is closed ends it as Ctrl-C does."""
    numbers = [getattr(signal, name) for name in _STOPPING if hasattr(signal, name)]
    before = [(number, signal.signal(number, server.handle_exit)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextmanager
def faults_told(tell: Callable[[Exception], object]) -> Iterator[None]:
    """Have faults of the program told by `tell`, and nothing else that uvicorn and asyncio have to say.

    The rest is about lines that anybody on the network may open, or about requests that were cut off at the end.
    """
    handler = _FaultHandler(tell)
    for name in _LOGS:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name in _LOGS:
            logging.getLogger(name).removeHandler(handler)


class _FaultHandler(logging.Handler):
    def __init__(self, tell: Callable[[Exception], object]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Tell the fault of a record, if it has one."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Exception):
            self._tell(error)


def server_config(app: ASGIApp) -> uvicorn.Config:
    """How the table's app is served: no request is logged, no proxy is believed."""
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=TableLine,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_IDLE_S,
        limit_concurrency=_MAX_LINES,
        timeout_graceful_shutdown=STOP_S,
        h11_max_incomplete_event_size=_MAX_HEADERS,
    )


def kept_key(*, new: bool = False, read_only: bool = False) -> str:
    """The key of this user's table, made anew if there is none: phones that were let in once stay in.

    With `read_only` it is the key of those who look on, which opens no other table. Raises UnusableInputError or
    NoRoomError where none can be kept.
    """
    path, key = key_path(), ""
    if not new:
        with suppress(OSError, UnicodeDecodeError):
            key = path.read_text(encoding="ascii").strip()
    if len(key) < _KEY_LETTERS or not key.replace("-", "").replace("_", "").isalnum():
        key = new_key()
        write_private(path, key.encode())
    return spectators_key(key) if read_only else key


def key_path() -> Path:
    """The file that the key is kept in, for its owner alone."""
    return data_folder() / "table" / "key"
