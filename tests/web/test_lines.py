"""Lines of a real server: who is slow is cut off, and nobody else waits for that."""

from __future__ import annotations

import http.client
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.web import lines
from companion.web.addresses import HERE
from companion.web.serving import TableServer, server_config
from tests.web.at_table import KEY, AtTable

SOON_S = 0.2
"""How long the head of a request may take in these tests."""


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A table that is served from another thread, and waits for heads a short while only."""
    monkeypatch.setattr(lines, "HEAD_S", SOON_S)
    monkeypatch.setattr(lines, "UNREAD_S", SOON_S)
    with AtTable(tmp_path) as table:
        listening = socket.create_server((HERE, 0))
        server = TableServer(server_config(table.app), table.services.hub.close)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            server.handle_exit(signal.SIGTERM, None)
            thread.join(timeout=60)
            listening.close()


def shut_after(line: socket.socket, piece: bytes, most_s: float = 60.0) -> float:
    """The seconds until the other side shuts a line down which one piece after another is sent."""
    line.settimeout(SOON_S / 8)
    began = time.monotonic()
    while (passed := time.monotonic() - began) < most_s:
        with suppress(TimeoutError):
            try:
                line.sendall(piece)
                if not line.recv(4096):
                    return passed
            except ConnectionError:
                return passed
    raise AssertionError("it is never shut")


def status(port: int, path: str) -> int:
    line = http.client.HTTPConnection(HERE, port, timeout=60)
    line.request("GET", path)
    answered = line.getresponse().status
    line.close()
    return answered


def test_heads_that_dribble_are_cut_off_while_other_phones_are_answered(port: int) -> None:
    slow = [socket.create_connection((HERE, port)) for _ in range(20)]
    for line in slow:
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-More: ")
    assert status(port, f"/k/{KEY}") == 200
    for line in slow:
        shut_after(line, b"x")
    assert status(port, f"/k/{KEY}") == 200
    for line in slow:
        line.close()


def test_a_line_without_a_request_is_cut_off(port: int) -> None:
    with socket.create_connection((HERE, port)) as line:
        assert shut_after(line, b"") >= SOON_S / 2


def test_what_nobody_reads_is_not_taken_without_end(port: int) -> None:
    with socket.create_connection((HERE, port)) as line:
        line.sendall(b"POST /photos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n")
        assert b"403" in line.recv(4096)
        shut_after(line, b"x" * 100)


def test_one_address_cannot_have_all_lines(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "HEAD_S", 60.0)
    monkeypatch.setattr(lines, "MAX_LINES_OF_ONE", 5)
    held = [socket.create_connection((HERE, port)) for _ in range(5)]
    with socket.create_connection((HERE, port)) as one_more:
        shut_after(one_more, b"")
    held.pop().close()
    deadline = time.monotonic() + 60
    answered = 0
    while answered != 200:
        assert time.monotonic() < deadline
        with suppress(ConnectionError, http.client.HTTPException):
            answered = status(port, f"/k/{KEY}")
    for line in held:
        line.close()
