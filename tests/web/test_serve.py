"""`companion serve` itself: its address, its end, and what is there after it was killed."""

from __future__ import annotations

import asyncio
import http.client
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

from companion.cli.main import main
from companion.web.pages.addresses import HERE, HostNames, Listening, listen
from companion.web.server import serving as serving_module
from companion.web.server.serving import (
    TableServer,
    key_path,
    reporting_faults,
    serve_table,
    server_config,
    table_key,
)
from companion.web.store.services import Services
from companion.web.store.sessions import spectators_key
from tests.web.at_table import AtTable
from tests.web.server import served


def test_a_second_ctrl_c_stops_at_once_and_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, before, told = TableServer.startup, signal.getsignal(signal.SIGINT), list[Exception]()

    async def pressed_twice(server: TableServer, sockets: list[object] | None = None) -> None:
        await begun(server, sockets)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(TableServer, "startup", pressed_twice)
    with AtTable(tmp_path) as table, listen(HERE, None).socket as bound, pytest.raises(KeyboardInterrupt):
        serve_table(table.services, Listening(bound, (), 0), HostNames(frozenset()), told.append)
    assert not told and signal.getsignal(signal.SIGINT) is before


def test_a_server_opens_the_table_and_ctrl_c_closes_all_without_a_word(tmp_path: Path) -> None:
    """Whatever comes: what is no request, a line of news, a photo that is just being sent."""
    with served(tmp_path) as server:
        assert re.fullmatch(rf"http://{re.escape(HERE)}:\d+/k/[\w-]{{22}}", server.address)
        cookie, own = server.come_in(), (HERE, server.port)
        assert server.ask("GET", "/")[0] == 403 and server.ask("GET", "/", cookie=cookie)[0] == 200
        for sent in (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", b"nonsense\r\n\r\n"):
            with socket.create_connection(own, timeout=60) as line:
                line.sendall(sent)
                assert b"400" in line.recv(4096)
        _, headers, _ = server.ask("POST", "/games", "how=random&plays=blue&plays=pink", cookie)
        news = http.client.HTTPConnection(*own, timeout=60)
        news.request("GET", headers["location"] + "/events", headers={"Cookie": cookie})
        assert b"retry" in news.getresponse().readline()
        with socket.create_connection(own, timeout=60) as line:
            head = (
                f"POST /photos HTTP/1.1\r\nHost: {HERE}:{server.port}\r\nOrigin: http://{HERE}:{server.port}\r\n"
                f"Cookie: {cookie}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
                "Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n"
            )
            line.sendall(head.encode())
            assert b"100 Continue" in line.recv(4096)
            part = b'--x\r\nContent-Disposition: form-data; name="photos"; filename="a"\r\n\r\n'
            line.sendall(part + b"x" * 2_000_000)
            server.process.send_signal(signal.SIGINT)
            _, told = server.process.communicate(timeout=60)
        news.close()
    assert server.process.returncode == 130
    # The address and how to stop are all that was said.
    assert told.splitlines()[-1] == "Ctrl-C stops; every game is saved.", told


def test_of_all_that_goes_wrong_faults_of_the_program_alone_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Exception] = []
    fault = ZeroDivisionError("by zero")
    with reporting_faults(told.append):
        for name in ("uvicorn.error", "asyncio", "companion.web.server.app"):
            log = logging.getLogger(name)
            log.warning("Invalid HTTP request received.")
            log.error("Cancel 1 running task(s), timeout graceful shutdown exceeded")
            log.error("Exception in ASGI application", exc_info=asyncio.CancelledError())
            log.error("Exception in ASGI application", exc_info=fault)
    assert told == [fault, fault, fault]
    assert capsys.readouterr().err == ""
    assert not logging.getLogger("uvicorn.error").handlers


def test_a_fault_of_the_program_is_a_line_and_more_only_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(services: Services, listening: Listening, names: HostNames, tell: Callable[[Exception], object]) -> None:
        services.close()
        tell(ZeroDivisionError("by zero"))

    monkeypatch.setattr(serving_module, "serve_table", ended)
    for options in ([], ["--debug"]):
        assert main(["serve", "--here", *options]) == 0
        told = capsys.readouterr().err
        assert "companion: unexpected ZeroDivisionError: by zero." in told and "--debug" in told
        assert ("ZeroDivisionError: by zero\n" in told) == bool(options)


def test_the_key_stays_until_a_new_one_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first = table_key()
    assert table_key() == first != table_key(new=True)
    assert table_key(read_only=True) == spectators_key(table_key())
    assert key_path().stat().st_mode & 0o077 == 0
    key_path().write_text("short")
    assert len(table_key()) == 22


def test_a_port_that_is_taken_is_said_and_without_a_port_the_next_free_one_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = str(tmp_path / "games.sqlite3")
    one, other = listen(HERE, None), listen(HERE, None)
    with one.socket, other.socket:
        assert one.port != other.port and one.is_here_only
        assert one.addresses("/k/x") == (f"http://{HERE}:{one.port}/k/x",)
        assert main(["serve", "--here", "--port", str(one.port), "--history", history]) == 3
        assert f"port {one.port} is taken" in capsys.readouterr().err
    assert main(["serve", "--here", "--host", "10.0.0.1"]) == 2


def test_it_starts_soon() -> None:
    """Loads nothing that reads, thinks or draws."""
    heavy = {"cv2", "numpy", "reportlab", "PIL", "pikepdf"}
    code = (
        "import sys; import companion.web.server.serving, companion.web.server.app, companion.web.store.services; "
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_lines_are_cut_off_whose_head_comes_too_slowly_or_that_are_too_many_of_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Transport(asyncio.Transport):
        """A line from an address that keeps whether it was cut off."""

        def __init__(self, address: str, port: int) -> None:
            super().__init__({"peername": (address, port), "sockname": (HERE, 8765)})
            self.is_cut, self.written = False, b""

        def abort(self) -> None:
            self.is_cut = True

        close = abort

        def is_closing(self) -> bool:
            return self.is_cut

        def write(self, data: bytes | bytearray | memoryview) -> None:
            self.written += bytes(data)

    async def lines(table: AtTable) -> None:
        config, state = server_config(table.app), ServerState()
        ports = count(40000)

        def line(address: str) -> tuple[asyncio.Protocol, Transport]:
            transport = Transport(address, next(ports))
            protocol = config.http_protocol_class(config=config, server_state=state, app_state={}, _loop=None)  # type: ignore[call-arg]
            protocol.connection_made(transport)
            return protocol, transport

        loop = asyncio.get_running_loop()
        waiting, later_ones = list[asyncio.TimerHandle](), list[asyncio.TimerHandle]()

        def later(seconds: float, *call: Any) -> asyncio.TimerHandle:
            timer = loop.call_at(loop.time() + seconds, *call)
            waiting.extend([timer] if seconds == 10 else [])
            later_ones.extend([timer] if seconds == 30 and "abort" in repr(call) else [])
            return timer

        def due() -> list[asyncio.TimerHandle]:
            return [timer for timer in waiting if not timer.cancelled()]

        monkeypatch.setattr(loop, "call_later", later)
        slow, cut = line("192.168.1.20")
        slow.data_received(b"GET / HTTP/1.1\r\nX-More: ")
        slow.data_received(b"x")
        (timer,) = due()
        timer._run()
        assert cut.is_cut
        slow.connection_lost(None)
        assert not due()

        quick, kept = line("192.168.1.20")
        for _ in range(2):
            written = kept.written
            quick.data_received(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while kept.written == written:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not due() and not kept.is_cut
        # A second request that does not come to its end is waited for as long as a line may be idle.
        quick.data_received(b"GET / HTTP/1.1\r\n")
        (timer,) = (timer for timer in later_ones if not timer.cancelled())
        timer._run()
        assert kept.is_cut
        others = [line("192.168.1.21")[1] for _ in range(3)]
        assert not any(other.is_cut for other in others)
        assert line("192.168.1.21")[1].is_cut

    monkeypatch.setattr(serving_module, "_MAX_CONNECTIONS_OF_ONE", 3)
    with AtTable(tmp_path) as table:
        table.run(lines(table))
