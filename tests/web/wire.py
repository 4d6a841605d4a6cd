"""A line between a browser and a table that breaks when a test wants it to."""

from __future__ import annotations

import socket
import threading
from contextlib import AbstractContextManager, suppress
from types import TracebackType

from companion.web.addresses import HERE


class Wire(AbstractContextManager["Wire"]):
    """Hands on what comes to `port` to the table's own port and back, until it is cut; then nobody gets through."""

    def __init__(self, table_port: int) -> None:
        self._table_port = table_port
        self._listening = socket.create_server((HERE, 0))
        self._open: set[socket.socket] = set()
        self._left: int | None = None
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """The port that browsers ask."""
        return int(self._listening.getsockname()[1])

    def cut_after(self, sent: int) -> None:
        """Break all lines when so many bytes more have gone to the table."""
        self._left = sent

    def mend(self) -> None:
        """Let everybody through again."""
        self._left, self.is_cut = None, False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        self._break()

    def _break(self) -> None:
        self.is_cut = True
        for line in list(self._open):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                if self.is_cut:
                    browser.close()
                    continue
                table = socket.create_connection((HERE, self._table_port))
                self._open |= {browser, table}
                for source, target, counted in ((browser, table, True), (table, browser, False)):
                    threading.Thread(target=self._hand_on, args=(source, target, counted), daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while content := source.recv(16_384):
                if counted and self._left is not None:
                    self._left -= len(content)
                    if self._left < 0:
                        self._break()
                        break
                target.sendall(content)
        self._open.discard(source)
        for line in (source, target):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        source.close()
