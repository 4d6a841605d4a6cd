"""A real server in a process of its own, asked as a phone asks."""

from __future__ import annotations

import http.client
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.web.pages.addresses import HERE

START_S = 30.0


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
