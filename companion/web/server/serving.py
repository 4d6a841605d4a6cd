"""The server: an app at a socket until it is told to stop, with all connections closed then and nothing half done."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from companion.resources import data_folder, share_heap
from companion.storage import write_private
from companion.web.pages.addresses import HostNames, Listening
from companion.web.server.app import table_app
from companion.web.store.services import Services
from companion.web.store.sessions import KEY_BYTES, new_key, spectators_key

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import ASGIApp, Receive, Scope, Send

STOP_S = 5
"""How long requests on their way may take when the server stops."""

_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_LOGS = ("uvicorn.error", "asyncio", "companion.web")
_MAX_HEADERS = 32_768
_MAX_CONNECTIONS = 600
_IDLE_S = 30
_HEAD_S = 10.0
"""How long the first request of a connection may take to begin; a later one as long as a connection may be idle."""

Address = tuple[str, int]
NOWHERE: Address = ("", 0)
_MAX_CONNECTIONS_OF_ONE = 300
_KEY_LETTERS = -(-KEY_BYTES * 8 // 6)


class TableConnection(asyncio.Protocol):
    """A connection that is cut off where a request doesn't begin in time, or one address has too many connections.

    What goes over it is `answering`'s alone. What follows a request's head is limited where it is read. `connections`
    are all that are open, by the address at their other end.
    """

    def __init__(self, connections: dict[Address, TableConnection], answering: asyncio.Protocol) -> None:
        self._connections, self._answering = connections, answering
        self._patience_s = _HEAD_S
        self._cutting: asyncio.TimerHandle | None = None
        self.is_answering = False
        # What else happens to a connection is the server's alone.
        for name in ("eof_received", "pause_writing", "resume_writing"):
            setattr(self, name, getattr(answering, name))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._abort, self._client = transport.abort, tuple(transport.get_extra_info("peername", NOWHERE)[:2])
        self._connections[self._client] = self
        if sum(host == self._client[0] for host, _ in self._connections) > _MAX_CONNECTIONS_OF_ONE:
            transport.abort()
        self._answering.connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the head of a request to be whole, unless one is answered."""
        self._wait()
        self._answering.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        self.begin_request()
        if self._connections.get(self._client) is self:
            del self._connections[self._client]
        self._answering.connection_lost(exc)

    def begin_request(self) -> None:
        """Wait no longer: a request has begun, and until it is answered nothing else is expected."""
        self.is_answering, self._patience_s = True, _IDLE_S
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None

    def _wait(self) -> None:
        if self._cutting is None and not self.is_answering:
            self._cutting = asyncio.get_running_loop().call_later(self._patience_s, self._abort)


class TableServer(uvicorn.Server):
    """A server that ends the connections of those who listen for news before it waits for requests to be answered."""

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
    with _signals_of(server), reporting_faults(tell_fault):
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
def reporting_faults(tell: Callable[[Exception], object]) -> Iterator[None]:
    """Have faults of the program told by `tell`, and nothing else that uvicorn and asyncio have to say.

    The rest is about connections that anybody on the network may open, or about requests that were cut off at the end.
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
    connections: dict[Address, TableConnection] = {}

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        connection = connections.get(scope.get("client") or NOWHERE)
        if connection is None:
            return await app(scope, receive, send)
        connection.begin_request()
        try:
            await app(scope, receive, send)
        finally:
            connection.is_answering = False

    config = uvicorn.Config(
        answered,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_IDLE_S,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=STOP_S,
        h11_max_incomplete_event_size=_MAX_HEADERS,
    )
    config.load()
    answering: Callable[..., asyncio.Protocol] = config.http_protocol_class

    def connection(**options: object) -> asyncio.Protocol:
        return TableConnection(connections, answering(**options))

    config.http_protocol_class = connection  # type: ignore[assignment]
    return config


def table_key(*, new: bool = False, read_only: bool = False) -> str:
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
