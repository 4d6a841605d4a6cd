"""What phones are told at once: a line of server-sent events for each page that listens.

An event says that something has changed and not what: each page then fetches its own view, so that what a seat may not
see never travels.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

KEEP_ALIVE_S = 20.0
"""After so long without news a comment is sent, so that nobody on the way takes the line for dead."""

MAX_LISTENERS = 300
_MAX_WAITING = 64


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, and what it says, as JSON."""

    name: str
    data: object

    def to_bytes(self) -> bytes:
        """The event as it travels."""
        return f"event: {self.name}\ndata: {json.dumps(self.data, ensure_ascii=False)}\n\n".encode()


class EventHub:
    """Who listens to what: pages by the subject that they show, such as a game's key."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Queue[Event | None]]] = {}
        self._closed = False

    @property
    def listeners(self) -> int:
        """How many pages listen."""
        return sum(map(len, self._listeners.values()))

    def tell(self, subject: str, name: str, data: object) -> None:
        """Send an event to all who listen to a subject; who is far behind misses it, and asks again by himself."""
        for queue in self._listeners.get(subject, ()):
            if not queue.full():
                queue.put_nowait(Event(name, data))

    def close(self) -> None:
        """End all lines, now and from now on."""
        self._closed = True
        for queues in self._listeners.values():
            for queue in queues:
                while queue.full():
                    queue.get_nowait()
                queue.put_nowait(None)

    async def listen(
        self, subject: str, first: Event | Callable[[], Awaitable[Event]] | None = None
    ) -> AsyncIterator[bytes]:
        """The bytes of a line of events, until its listener goes or the hub is closed; `first` is sent at once.

        What tells how things stand is given as a function: it is called when the line stands already, so that nothing
        that changes meanwhile is missed.
        """
        if self._closed or self.listeners >= MAX_LISTENERS:
            return
        queue: asyncio.Queue[Event | None] = asyncio.Queue(_MAX_WAITING)
        self._listeners.setdefault(subject, set()).add(queue)
        try:
            # Browsers wait so long before they come again.
            yield b"retry: 2000\n\n"
            if first is not None:
                yield (first if isinstance(first, Event) else await first()).to_bytes()
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), KEEP_ALIVE_S)
                except TimeoutError:
                    yield b": \n\n"
                    continue
                if event is None:
                    return
                yield event.to_bytes()
        finally:
            queues = self._listeners.get(subject, set())
            queues.discard(queue)
            if not queues:
                self._listeners.pop(subject, None)
