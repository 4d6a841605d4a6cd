"""`companion serve` itself: its address, its end, and what is there after it was killed."""

from __future__ import annotations

import asyncio
import http.client
import logging
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.cli.views.address_view import QrInTerminal
from companion.history.database import open_history
from companion.history.kept import GameKey
from companion.table.games import open_table
from companion.web import serving as serving_module
from companion.web.addresses import HERE, HostNames, Listening, listen, own_addresses
from companion.web.services import Services
from companion.web.serving import TableServer, faults_told, kept_key, key_path, serve_table
from companion.web.sessions import spectators_key
from tests.web.at_table import NOW, SAMPLES, AtTable

START_S = 30.0
FORM = "application/x-www-form-urlencoded"


@dataclass
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].split("/")[0])

    def ask(
        self,
        method: str,
        path: str,
        body: str | bytes = "",
        cookie: str = "",
        kind: str = "application/x-www-form-urlencoded",
    ) -> tuple[int, dict[str, str], bytes]:
        """One request on a line of its own: status, headers, body."""
        line = http.client.HTTPConnection(HERE, self.port, timeout=20)
        headers = {"Cookie": cookie, "Origin": f"http://{HERE}:{self.port}"}
        if body:
            headers["Content-Type"] = kind
        line.request(method, path, body, headers)
        answer = line.getresponse()
        content = answer.read()
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def send_photo(self, path: str, photo: bytes, cookie: str) -> tuple[int, dict[str, str], bytes]:
        """A form with one photo."""
        edge = "an-edge-of-the-form"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'
        body = head.encode() + photo + f"\r\n--{edge}--\r\n".encode()
        return self.ask("POST", path, body, cookie, f"multipart/form-data; boundary={edge}")

    def come_in(self) -> str:
        """The cookie of a phone that came with the key."""
        status, headers, _ = self.ask("GET", "/k/" + self.address.rpartition("/")[2])
        assert status == 200
        return headers["set-cookie"].partition(";")[0]


def serving(home: Path, *options: str, wrapped: Sequence[str] = ()) -> subprocess.Popen[str]:
    """`companion serve --here` of a user whose home this is; `wrapped` is a command that it is run by."""
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home), "COMPANION_LANG": "en"}
    environment.pop("COMPANION_HISTORY", None)
    command = [*wrapped, sys.executable, "-m", "companion", "serve", "--here", *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def served(home: Path, *options: str, wrapped: Sequence[str] = ()) -> Iterator[Served]:
    """A server that answers, in the user's home."""
    with serving(home, *options, wrapped=wrapped) as process:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], START_S)
        assert ready, "no address in time"
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("http://"), process.stderr.read() if process.stderr else ""
            yield Served(process, address)
        finally:
            process.kill()


def test_the_address_stands_alone_on_a_line_and_opens_the_table(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert re.fullmatch(rf"http://{re.escape(HERE)}:\d+/k/[\w-]{{22}}", server.address)
        assert server.ask("GET", "/")[0] == 403
        assert server.ask("GET", "/", cookie=server.come_in())[0] == 200


def test_ctrl_c_closes_lines_of_news_and_says_nothing_of_faults(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        cookie = server.come_in()
        _, headers, _ = server.ask("POST", "/games", "how=random&plays=blue&plays=pink", cookie)
        line = http.client.HTTPConnection(HERE, server.port, timeout=20)
        line.request("GET", headers["location"] + "/events", headers={"Cookie": cookie})
        news = line.getresponse()
        assert news.status == 200 and b"retry" in news.readline()
        server.process.send_signal(signal.SIGINT)
        _, told = server.process.communicate(timeout=20)
        assert server.process.returncode == 130
        assert "Traceback" not in told and "Ctrl-C" in told
        line.close()


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


def test_ctrl_c_cuts_off_a_photo_that_is_being_sent_and_says_nothing_of_it(tmp_path: Path) -> None:
    with served(tmp_path) as server, socket.create_connection((HERE, server.port), timeout=20) as line:
        head = (
            f"POST /photos HTTP/1.1\r\nHost: {HERE}:{server.port}\r\nOrigin: http://{HERE}:{server.port}\r\n"
            f"Cookie: {server.come_in()}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
            "Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n"
        )
        line.sendall(head.encode())
        assert b"100 Continue" in line.recv(4096)
        line.sendall(b'--x\r\nContent-Disposition: form-data; name="photos"; filename="a"\r\n\r\n' + b"x" * 2_000_000)
        server.process.send_signal(signal.SIGINT)
        _, told = server.process.communicate(timeout=20)
    assert server.process.returncode == 130
    # The address and how to stop are all that was said.
    assert told.splitlines()[-1] == "Ctrl-C stops; every game is kept.", told


def test_what_is_no_request_is_not_told_to_whoever_opened_the_table(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for sent in (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", b"nonsense\r\n\r\n"):
            with socket.create_connection((HERE, server.port), timeout=20) as line:
                line.sendall(sent)
                assert b"400" in line.recv(4096)
        server.process.send_signal(signal.SIGINT)
        _, told = server.process.communicate(timeout=20)
    assert told.splitlines()[-1] == "Ctrl-C stops; every game is kept.", told


def test_of_all_that_goes_wrong_faults_of_the_program_alone_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Exception] = []
    fault = ZeroDivisionError("by zero")
    with faults_told(told.append):
        for name in ("uvicorn.error", "asyncio"):
            log = logging.getLogger(name)
            log.warning("Invalid HTTP request received.")
            log.error("Cancel 1 running task(s), timeout graceful shutdown exceeded")
            log.error("Exception in ASGI application", exc_info=asyncio.CancelledError())
            log.error("Exception in ASGI application", exc_info=fault)
        logging.getLogger("uvicorn.error").error('Traceback (most recent call last):\n  File "x"\nOSError: no room\n')
    assert told[:2] == [fault, fault] and str(told[2]) == "OSError: no room" and len(told) == 3
    assert capsys.readouterr().err == ""
    assert not logging.getLogger("uvicorn.error").handlers


@pytest.mark.parametrize("options", [[], ["--debug"]])
def test_a_fault_of_the_program_is_a_line_and_more_only_where_that_is_asked_for(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(services: Services, listening: Listening, names: HostNames, tell: Callable[[Exception], object]) -> None:
        services.close()
        tell(ZeroDivisionError("by zero"))

    monkeypatch.setattr(serving_module, "serve_table", ended)
    assert main(["serve", "--here", *options]) == 0
    told = capsys.readouterr().err
    assert "companion: unforeseen ZeroDivisionError: by zero." in told and "--debug" in told
    assert ("ZeroDivisionError: by zero\n" in told) == bool(options)


@pytest.mark.parametrize("after", [pytest.param("a photo was read", marks=pytest.mark.slow), "a photo is read"])
def test_a_table_that_read_photos_is_closed_without_a_word_of_faults(tmp_path: Path, after: str) -> None:
    photo = (SAMPLES / "mid.jpg").read_bytes()
    with served(tmp_path) as server:
        cookie = server.come_in()
        status, headers, _ = server.send_photo("/photos", photo, cookie)
        assert status == 303
        page, until = "", time.monotonic() + 60
        while after == "a photo was read" and "look at again" not in page and time.monotonic() < until:
            page = server.ask("GET", headers["location"], cookie=cookie)[2].decode()
            time.sleep(0.2)
        server.process.send_signal(signal.SIGINT)
        _, told = server.process.communicate(timeout=20)
    assert server.process.returncode == 130
    # All that is said is where the table is, and that it was closed.
    assert "Error" not in told and "exception" not in told and "Traceback" not in told, told


def test_every_answered_change_is_there_after_a_kill(tmp_path: Path) -> None:
    """The short form of `python -m tests.web.kills`."""
    key = ""
    answered = 0
    for _ in range(2):
        with served(tmp_path) as server:
            cookie = server.come_in()
            if not key:
                _, headers, _ = server.ask("POST", "/games", "how=random&plays=blue&plays=pink", cookie)
                key = headers["location"].split("/")[2]
            for price in ("0", "1"):
                status, _, _ = server.ask("POST", f"/games/{key}/bid", f"price={price}", cookie)
                assert status in (303, 422)
                answered += status == 303
            server.process.kill()
            server.process.wait(10)
        path = next(tmp_path.rglob("games.sqlite3"))
        with open_history(path, now=lambda: NOW) as history:
            position = open_table(history.current(GameKey(key)).text).position
        assert len(position.turn_order or ()) == answered or position.phase == "turn"
    assert answered >= 3


def test_the_key_stays_until_a_new_one_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first = kept_key()
    assert kept_key() == first != kept_key(new=True)
    assert kept_key(read_only=True) == spectators_key(kept_key())
    assert key_path().stat().st_mode & 0o077 == 0
    key_path().write_text("short")
    assert len(kept_key()) == 22


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        taken.listen()
        port = taken.getsockname()[1]
        history = str(tmp_path / "games.sqlite3")
        assert main(["serve", "--here", "--port", str(port), "--history", history]) == 3
        assert f"port {port} is taken" in capsys.readouterr().err
    assert main(["serve", "--here", "--host", "10.0.0.1"]) == 2
    assert main(["serve", "--host", "203.0.113.7", "--history", history]) == 2
    assert "is no address of this machine" in capsys.readouterr().err


def test_without_a_port_the_next_free_one_is_taken() -> None:
    one, other = listen(HERE, None), listen(HERE, None)
    try:
        assert one.port != other.port and one.is_here_only
        assert one.addresses("/k/x") == (f"http://{HERE}:{one.port}/k/x",)
    finally:
        one.socket.close()
        other.socket.close()


def test_own_addresses_are_this_machines() -> None:
    for one in own_addresses():
        with socket.socket(socket.AF_INET6 if ":" in one.host else socket.AF_INET) as trying:
            trying.bind((one.host, 0))


def test_the_code_in_the_terminal_is_the_address() -> None:
    import cv2
    import numpy as np

    address = "http://192.168.178.23:8765/k/RdPjmOkvC7DPKQk-lMB3CQ"
    lines = QrInTerminal(address).lines
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[light[letter][half] for letter in line] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == address


def test_it_starts_soon() -> None:
    """Loads nothing that reads, thinks or draws."""
    heavy = {"cv2", "numpy", "reportlab", "PIL", "pikepdf"}
    code = (
        "import sys; import companion.web.serving, companion.web.app, companion.web.services; "
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
