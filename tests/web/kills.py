"""Kill the server again and again in the middle of changes: every answered change must be there afterwards.

python -m tests.web.kills        # 100 kills, some minutes
python -m tests.web.kills 10
"""

from __future__ import annotations

import http.client
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

from companion.history.database import open_history
from companion.history.kept import GameKey
from companion.rules.model.components import Colour
from companion.table.games import open_table
from tests.web.at_table import NOW
from tests.web.server import Served, served

PINK = Colour.PINK
BROKEN = " no picture that can be read, though it begins as one does"
LONGEST_S = 0.6
"""A server is killed within so long after a phone has begun to change things."""


class Changing(threading.Thread):
    """A phone that tells what pink holds and sends photos, as fast as it can; `gold` and `photos` were answered."""

    def __init__(self, server: Served, cookie: str, key: str, chance: Random) -> None:
        super().__init__(daemon=True)
        self._server, self._cookie, self._key, self._chance = server, cookie, key, chance
        self.gold = 0
        self.photos: list[str] = []

    def run(self) -> None:
        while True:
            try:
                self._change()
            except (OSError, http.client.HTTPException):
                return

    def _change(self) -> None:
        kind = self._chance.random()
        if kind < 0.2:
            body = f'--x\r\nContent-Disposition: form-data; name="photos"; filename="a"\r\n\r\nGIF89a{BROKEN}'
            status, answered, _ = self._server.ask(
                "POST", "/photos", f"{body}\r\n--x--\r\n", self._cookie, "multipart/form-data; boundary=x"
            )
            if status == 303:
                self.photos.append(answered["location"].split("/")[2])
        elif kind < 0.6:
            # The page tells the revision that the change is made on, so that it is made once or not at all.
            _, _, page = self._server.ask("GET", f"/games/{self._key}", cookie=self._cookie)
            revision = re.findall(rb'name="revision" value="(\d+)"', page)[0].decode()
            gold = self._chance.randrange(1, 100)
            status, _, _ = self._server.ask(
                "POST", f"/games/{self._key}/players/pink", f"gold={gold}&revision={revision}", self._cookie
            )
            if status == 303:
                self.gold = gold
        else:
            self._server.ask("GET", f"/games/{self._key}/score", cookie=self._cookie)


def kill_once(home: Path, key: str, chance: Random) -> str:
    """One server, killed while a phone changes things; raises AssertionError if an answered change is not there."""
    with served(home) as server:
        cookie = server.come_in()
        if not key:
            _, headers, _ = server.ask("POST", "/games", "how=random&plays=blue&plays=pink", cookie)
            key = headers["location"].split("/")[2]
        phone = Changing(server, cookie, key, chance)
        phone.start()
        time.sleep(chance.random() * LONGEST_S)
        server.process.kill()
        server.process.wait(20)
        phone.join(20)
    path = next(home.rglob("games.sqlite3"))
    with open_history(path, now=lambda: NOW) as history:
        assert history.notices == ()
        text = history.current(GameKey(key)).text
        gold = open_table(text).position.player(PINK).gold
        told = [one.text for one in history.revisions(GameKey(key))]
    assert not phone.gold or any(open_table(one).position.player(PINK).gold == phone.gold for one in told[-2:]), gold
    kept = {place.name for place in (path.parent / "table" / "photos").glob("*") if (place / "about.json").is_file()}
    assert set(phone.photos) <= kept
    return key


def main(arguments: list[str]) -> int:
    """Kill as often as is wanted."""
    kills = int(arguments[0]) if arguments else 100
    chance, key = Random(3), ""
    with tempfile.TemporaryDirectory() as home:
        for number in range(1, kills + 1):
            key = kill_once(Path(home), key, chance)
            if number % 10 == 0:
                print(f"{number} kills: every answered change is there", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
