"""What phones are told at once: a stream of server-sent events for each page that listens.

An event says that something has changed and not what: each page then fetches its own view, so that what a seat may not
see never travels.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

KEEP_ALIVE_S = 20.0
"""After so long without news a comment is sent, so that nobody on the way takes the stream for dead."""

MAX_SUBSCRIBERS = 300
_MAX_WAITING = 64


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, and what it says, as JSON."""

    name: str
    data: object

    def to_bytes(self) -> bytes:
        return f"event: {self.name}\ndata: {json.dumps(self.data, ensure_ascii=False)}\n\n".encode()


class EventHub:
    """Publishes events to pages that subscribed to a topic, such as the key of the game that they show."""

    def __init__(self) -> None:
        self._subscribers: dict[str, set[asyncio.Queue[Event | None]]] = {}
        self._closed = False

    @property
    def subscribers(self) -> int:
        """How many pages are subscribed."""
        return sum(map(len, self._subscribers.values()))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that pages are subscribed to."""
        return tuple(self._subscribers)

    def publish(self, topic: str, name: str, data: object) -> None:
        """Send an event to all subscribers of a topic; who is far behind misses it, and asks again unprompted."""
        for queue in self._subscribers.get(topic, ()):
            if not queue.full():
                queue.put_nowait(Event(name, data))

    def close(self) -> None:
        """End all streams, now and from now on."""
        self._closed = True
        for queues in self._subscribers.values():
            for queue in queues:
                while queue.full():
                    queue.get_nowait()
                queue.put_nowait(None)

    async def subscribe(
        self, topic: str, first: Event | Callable[[], Awaitable[Event]] | None = None
    ) -> AsyncIterator[bytes]:
        """The bytes of a stream of events, until its subscriber goes or the hub is closed; `first` is sent at once.

        What tells how things stand is given as a function: it is called when the stream stands already, so that nothing
        that changes meanwhile is missed.
        """
        if self._closed or self.subscribers >= MAX_SUBSCRIBERS:
            return
        queue: asyncio.Queue[Event | None] = asyncio.Queue(_MAX_WAITING)
        self._subscribers.setdefault(topic, set()).add(queue)
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
            queues = self._subscribers.get(topic, set())
            queues.discard(queue)
            if not queues:
                self._subscribers.pop(topic, None)
