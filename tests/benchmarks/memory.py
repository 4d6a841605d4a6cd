"""How much memory the phone page takes: python -m tests.benchmarks.memory --pages 1000 --photos 50

A server of its own answers pages of a game and photos of samples/, one after another. What is printed is the resident
memory (VmRSS of Linux) of the server's process and of its workers added up, in MB; what they share counts for each.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.web.store.worker import IDLE_S
from tests.web.at_table import SAMPLES
from tests.web.server import Served, served

PHOTOS = ("start.jpg", "mid.jpg", "end.jpg", "evening.jpg")
GAME = "how=random&seed=7&plays=blue&plays=pink"
PAGES = ("", "/players", "/players/blue", "/tiles/c3", "/bid", "/score", "/record.txt", "/sheet.pdf", "/result.png")


def resident_mb(process: int) -> list[float]:
    """The resident memory of a process and of those that it has begun, in MB."""
    status: dict[int, Mapping[str, str]] = {}
    for file in Path("/proc").glob("[0-9]*/status"):
        try:
            status[int(file.parent.name)] = dict(line.split(":\t", 1) for line in file.read_text().splitlines())
        except OSError:
            continue
    return [
        int(fields["VmRSS"].split()[0]) / 1000
        for number, fields in status.items()
        if "VmRSS" in fields and process in _ancestors(number, status)
    ]


def _ancestors(number: int, status: Mapping[int, Mapping[str, str]]) -> Iterator[int]:
    while number in status:
        yield number
        number = int(status[number]["PPid"])


class Measured:
    """A phone at a server whose memory is printed."""

    def __init__(self, server: Served) -> None:
        self._server = server
        self._cookie = server.come_in()

    def report(self, what: str) -> None:
        """Print what the processes take now."""
        sizes = resident_mb(self._server.process.pid)
        print(f"{what:28} {sum(sizes):6.0f} MB  ({' + '.join(f'{size:.0f}' for size in sizes)})", flush=True)

    def get(self, path: str) -> bytes:
        """Look at a page."""
        status, _, content = self._server.ask("GET", path, cookie=self._cookie)
        assert status == 200, (path, content[:500])
        return content

    def post(self, path: str, body: str | bytes, kind: str = "application/x-www-form-urlencoded") -> str:
        """Send a form; where it leads to. Only so many photos a minute are taken."""
        while (answer := self._server.ask("POST", path, body, self._cookie, kind))[0] == 429:
            time.sleep(1)
        assert answer[0] == 303, (path, answer[2][:500])
        return answer[1]["location"]

    def send(self, photo: bytes) -> None:
        """Send a photo, wait until it is read, and look at it."""
        head = b'--photo\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'
        body = head + photo + b"\r\n--photo--\r\n"
        place = self.post("/photos", body, "multipart/form-data; boundary=photo")
        while b"<progress" in self.get(place):
            time.sleep(0.2)
        for file in ("photo.jpg", "crops/c3.jpg", "tiles/c3"):
            self.get(f"{place}/{file}")


def main() -> None:
    """Ask, and print the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--photos", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, served(Path(home)) as server:
        phone = Measured(server)
        phone.report("fresh")
        game = phone.post("/games", GAME)
        for number in range(options.pages):
            phone.get(game + PAGES[number % len(PAGES)])
        phone.report(f"after {options.pages} pages")
        for number in range(options.photos):
            phone.send((SAMPLES / PHOTOS[number % len(PHOTOS)]).read_bytes())
        phone.report(f"{options.photos} photos were just read")
        time.sleep(IDLE_S + 5)
        phone.report("and nothing is read any more")


if __name__ == "__main__":
    main()
