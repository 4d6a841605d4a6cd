"""Many phones at one table: how soon pages come while photos are read, and how much memory that takes.

    python -m tests.web.load                                         # 50 phones for ten minutes, five with photos
    python -m tests.web.load --phones 10 --seconds 20 --senders 1

Each phone looks at a page every two seconds or so, and listens for news; those with photos send one a minute. Told are
the times of pages (median, 95th percentile, longest), also of those alone that were asked for while a photo was read,
faults, and the largest memory of server and workers together. The exit status is 1 where a bound was not kept.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.web.addresses import HERE
from tests.web.at_table import SAMPLES
from tests.web.test_serve import Served, served

PAUSE_S = 2.0
PHOTO_EVERY_S = 60.0
PAGE_MS, PAGE_SHARE = 200.0, 0.95
"""Pages come within so many milliseconds, so large a share of them, while photos are read."""

MEMORY_MB = 1500.0


@dataclass
class Measured:
    """What was measured: seconds of pages and of photos until they were read, faults, memory in MB.

    `meanwhile` are those of `pages` that were asked for while a photo was on its way or read, which `reading` counts.
    """

    pages: list[float] = field(default_factory=list)
    meanwhile: list[float] = field(default_factory=list)
    reading: int = 0
    photos: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    memory: float = 0.0


async def ask(
    server: Served, cookie: str, path: str, body: bytes = b"", kind: str = ""
) -> tuple[int, dict[str, str], bytes]:
    """One request on a line of its own."""
    reader, writer = await asyncio.open_connection(HERE, server.port)
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: {HERE}:{server.port}\r\nCookie: {cookie}\r\n"
    head += f"Connection: close\r\nOrigin: http://{HERE}:{server.port}\r\n"
    if body:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"\r\n" + body)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    top, _, content = answer.partition(b"\r\n\r\n")
    status, *lines = top.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(status.split()[1]), headers, content


async def listening(server: Served, cookie: str, key: str, until: float) -> None:
    """A line of news that is held open."""
    reader, writer = await asyncio.open_connection(HERE, server.port)
    writer.write(f"GET /games/{key}/events HTTP/1.1\r\nHost: {HERE}:{server.port}\r\nCookie: {cookie}\r\n\r\n".encode())
    while time.monotonic() < until:
        try:
            if not await asyncio.wait_for(reader.read(4096), 1.0):
                break
        except TimeoutError:
            continue
    writer.close()


async def looking(server: Served, cookie: str, key: str, until: float, found: Measured, chance: Random) -> None:
    """A phone that looks at pages."""
    paths = [f"/games/{key}", f"/games/{key}", f"/games/{key}/score", "/", f"/games/{key}/players/blue"]
    await asyncio.sleep(chance.random() * PAUSE_S)
    while time.monotonic() < until:
        path = chance.choice(paths)
        began, is_meanwhile = time.monotonic(), found.reading > 0
        try:
            status, _, content = await ask(server, cookie, path)
            found.pages.append(time.monotonic() - began)
            if is_meanwhile:
                found.meanwhile.append(found.pages[-1])
            if status != 200 or b"</html>" not in content:
                found.faults.append(f"{path}: {status}")
        except (OSError, ValueError, IndexError) as error:
            found.faults.append(f"{path}: {error!r}")
        await asyncio.sleep(chance.uniform(0.5, 1.5) * PAUSE_S)


async def sending(server: Served, cookie: str, photo: bytes, until: float, found: Measured, chance: Random) -> None:
    """A phone that sends a photo a minute and waits until it is read."""
    await asyncio.sleep(chance.random() * min(PHOTO_EVERY_S, until - time.monotonic()) / 2)
    while time.monotonic() < until:
        began = time.monotonic()
        found.reading += 1
        body = b'--x\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n' + photo
        status, headers, _ = await ask(
            server, cookie, "/photos", body + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"
        )
        if status != 303:
            found.faults.append(f"photo: {status}")
            return
        while True:
            status, _, content = await ask(server, cookie, headers["location"])
            if b'class="photo"' in content:
                found.photos.append(time.monotonic() - began)
                break
            if status != 200:
                found.faults.append(f"reading: {status}")
                break
            await asyncio.sleep(1)
        found.reading -= 1
        await asyncio.sleep(max(0.0, PHOTO_EVERY_S - (time.monotonic() - began)))


async def watching(server: Served, until: float, found: Measured) -> None:
    """Look at the memory of server and workers now and then (Linux)."""
    while time.monotonic() < until:
        found.memory = max(found.memory, sum(map(_memory, [server.process.pid, *_children(server.process.pid)])))
        await asyncio.sleep(1)


def _memory(process: int) -> float:
    try:
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1000
    except OSError:
        pass
    return 0.0


def _children(process: int) -> list[int]:
    # Each thread has the children that it began.
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(one) for children in lists for one in children.read_text(encoding="ascii").split()]


async def crowd(server: Served, phones: int, senders: int, seconds: float) -> Measured:
    """So many phones at a table for so long."""
    found, chance, until = Measured(), Random(1), time.monotonic() + seconds
    cookie = server.come_in()
    _, headers, _ = await ask(
        server, cookie, "/games", b"how=random&plays=blue&plays=pink", "application/x-www-form-urlencoded"
    )
    key = headers["location"].split("/")[2]
    photo = (SAMPLES / "mid.jpg").read_bytes()
    tasks = [looking(server, cookie, key, until, found, Random(number)) for number in range(phones)]
    tasks += [listening(server, cookie, key, until) for _ in range(phones)]
    # No two photos are the same.
    tasks += [sending(server, cookie, photo + bytes([one]), until, found, chance) for one in range(senders)]
    await asyncio.gather(watching(server, until, found), *tasks)
    return found


def percentile(times: list[float], share: float) -> float:
    """The time that so large a share keeps to."""
    return sorted(times)[max(0, math.ceil(share * len(times)) - 1)] if times else math.nan


def main(arguments: list[str] | None = None) -> int:
    """Run and tell; 1 where there was a fault or a bound was not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--senders", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=600.0)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home, served(Path(home)) as server:
        found = asyncio.run(crowd(server, options.phones, options.senders, options.seconds))
    for what, pages in (("pages", found.pages), ("of them while a photo was read", found.meanwhile)):
        times = ", ".join(f"{percentile(pages, share) * 1000:.0f} ms" for share in (0.5, PAGE_SHARE, 1.0))
        print(f"{len(pages)} {what}: {times} (median, 95 %, longest)")
    waits = ", ".join(f"{percentile(found.photos, share):.1f} s" for share in (0.5, 1.0))
    print(f"{len(found.photos)} photos read in {waits} (median, longest)")
    print(f"memory of server and workers: {found.memory:.0f} MB at most")
    print(f"faults: {len(found.faults)}", *found.faults[:5], sep="\n  " if found.faults else "")
    broken = broken_bounds(found)
    print(*broken or ["every bound was kept"], sep="\n")
    return 1 if broken else 0


def broken_bounds(found: Measured) -> list[str]:
    """The bounds that were not kept, in words."""
    slow = percentile(found.meanwhile or found.pages, PAGE_SHARE) * 1000
    broken = [f"{slow:.0f} ms for pages, not {PAGE_MS:.0f}"] if slow > PAGE_MS else []
    broken += [f"{found.memory:.0f} MB of memory, not {MEMORY_MB:.0f}"] if found.memory > MEMORY_MB else []
    return broken + [f"{len(found.faults)} faults"] * bool(found.faults)


if __name__ == "__main__":
    sys.exit(main())
