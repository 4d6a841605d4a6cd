"""Lines from phones: none is held open by a request that does not come, and no address has all of them.

uvicorn waits without end for the head of a request. What comes after it is limited where it is read (`uploads`).
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_LINES = 600
"""Lines that are open at once, those for news included; who comes then is told to wait (503)."""

MAX_LINES_OF_ONE = 300
"""Lines from one address; so many phones may stand behind one router."""

HEAD_S = 10.0
"""How long the head of a request may take, from the line's or its own first byte on."""

UNREAD_S = 300.0
"""How long what nobody reads may go on coming after its answer, such as a photo that was refused for its size."""


class TableLine(H11Protocol):
    """One line: HTTP/1.1 by uvicorn, cut where its request does not come in time."""

    _cutting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        if self.client is not None and self._from_there() > MAX_LINES_OF_ONE:
            transport.abort()
            return
        self._cut_after(HEAD_S)

    def data_received(self, data: bytes) -> None:
        """Take what has come; wait no longer if it completes a request."""
        was_whole = self._cutting is None
        super().data_received(data)
        if self.transport.is_closing():
            self._keep()
        elif self.conn.their_state is h11.IDLE:
            if was_whole:
                self._cut_after(HEAD_S)
        elif self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            if was_whole:
                self._cut_after(UNREAD_S)
        else:
            self._keep()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        self._keep()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Let go when the server stops: an answer that is on its way is sent, what is still being sent is cut off."""
        super().shutdown()
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete:
            # The phone keeps what it was sending, and sends it again when the table is there again.
            self.transport.abort()

    def _from_there(self) -> int:
        assert self.client is not None
        return sum(
            isinstance(line, TableLine) and line.client is not None and line.client[0] == self.client[0]
            for line in self.connections
        )

    def _cut_after(self, seconds: float) -> None:
        self._keep()
        self._cutting = self.loop.call_later(seconds, self.transport.abort)

    def _keep(self) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None
