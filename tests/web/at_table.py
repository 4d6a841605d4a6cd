"""A table for tests: its app without a socket, phones that come in by the key, and a reader that needs no photo."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import httpx
from PIL import Image

from companion.history.database import open_history, random_key
from companion.history.saved import GameKey
from companion.rules.model.board import Tile
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import TableGame, begin_table, open_table
from companion.table.photo_reading import Answers, answered, table_reading
from companion.table.photos import TableReading
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from companion.web.pages.addresses import HostNames
from companion.web.server.app import table_app
from companion.web.store.adviser import Adviser
from companion.web.store.live_events import EventHub
from companion.web.store.sent_photos import PhotoJobs
from companion.web.store.services import Services
from companion.web.store.worker import Worker
from tests import samples
from tests.web.untranslated import left_to_translate

KEY = "the-key-of-this-table1"
HOST = "192.168.1.5:8765"
NOW = datetime(2026, 11, 22, 20, 15, tzinfo=UTC)
SAMPLES, MID, START = samples.SAMPLES, samples.MID, samples.START
"""A game of three in the middle, blue to move; one of two that begins."""
MID_TEXT = (SAMPLES / "mid.toml").read_text(encoding="utf-8")

JPEG = b"\xff\xd8\xff\xe0 no more than the beginning of a photo"


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class WorkerHere(Worker):
    """Does jobs in this process, at once."""

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        module, _, name = job.partition(":")
        function: Callable[..., Any] = getattr(__import__(module, fromlist=[name]), name)
        return function(*arguments, tell)


def seen_start(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """The set-up of the samples as if it had been read, c3 and a1 in doubt."""
    tell(0.5, "looking")
    bare = replace(START, players=(), to_move=None, phase=None, bid_order=None, turn_order=None)
    tiles = [TileReading(tile, 0.99) for tile in bare.board]
    for square, stake in ((14, 2.0), (0, 5.0)):
        others = (without_a_meeple(bare.board[square]),)
        tiles[square] = replace(tiles[square], confidence=0.6, doubts=("one less",), others=others, expected_loss=stake)
    square_of_px = ((50.0, 0.0, 20.0), (0.0, 50.0, 20.0), (0.0, 0.0, 1.0))
    reading = Reading(bare, tuple(tiles), turned=0, homography=square_of_px)
    crops = {"c3": JPEG + b" of c3", "a1": JPEG + b" of a1"}
    return answered(table_reading(PhotoSession((), reading), JPEG, (340, 290), crops), answers)


def grey_photo() -> bytes:
    """A photo on which nothing is but a hint drawn later."""
    stream = io.BytesIO()
    Image.new("RGB", (340, 290), "#808080").save(stream, "JPEG")
    return stream.getvalue()


def seen_grey(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """The start of the samples, in a photo on which a hint can be drawn."""
    return replace(seen_start(files, own_set, board, answers, tell), view=grey_photo())


def without_a_meeple(tile: Tile) -> Tile:
    """The tile with one meeple less."""
    first = next(number for number, count in enumerate(tile.meeples) if count)
    return replace(tile, meeples=tuple(count - (place == first) for place, count in enumerate(tile.meeples)))


class Phone:
    """A browser on a phone: it keeps its cookies and sends what browsers send.

    In no page that comes may a browser translate what stands for itself, such as c3 or a line of a record.
    """

    def __init__(self, table: AtTable, address: str) -> None:
        transport = httpx.ASGITransport(app=table.app, client=(address, 40000))
        hooks = {"response": [_walked]}
        # Packed only where it's asked for: lengths are those of the pages, and nothing is packed to be unpacked.
        self.client = httpx.AsyncClient(
            transport=transport,
            base_url=f"http://{HOST}",
            event_hooks=hooks,
            headers={"Accept-Encoding": "identity"},
        )
        self._run = table.run

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._run(self.client.get(path, headers=headers))

    def post(
        self, path: str, fields: Mapping[str, object] | None = None, files: object = None, **headers: str
    ) -> httpx.Response:
        sent = {"Origin": f"http://{HOST}", **headers}
        return self._run(self.client.post(path, data=fields or {}, files=files, headers=sent))  # type: ignore[arg-type]

    def post_bytes(self, path: str, content: bytes, kind: str) -> httpx.Response:
        """Send something as it is, called a form of a kind."""
        headers = {"Origin": f"http://{HOST}", "Content-Type": kind}
        return self._run(self.client.post(path, content=content, headers=headers))

    def send_photos(self, path: str, *photos: bytes) -> httpx.Response:
        """Send photos, as a form with a camera's field and a gallery's does."""
        files = [("photos", (f"../../etc/passwd{number}", photo)) for number, photo in enumerate(photos)]
        return self.post(path, files=[*files, ("photos", ("", b""))])


def begin(table: AtTable, phone: Phone, **fields: object) -> str:
    """A game of two that begins now; its key."""
    sent = {"how": "random", "plays": ["blue", "pink"], "name_pink": "Anna", "name_blue": "Boris", **fields}
    answer = phone.post("/games", sent)
    assert answer.status_code == 303, answer.text
    return key_of(answer.headers["location"])


def kept(table: AtTable, game: str | Position) -> GameKey:
    """A game that is there already, by its text or by the position that it begins with; its key."""
    text = game if isinstance(game, str) else begin_table(game, {}, date="2026-11-22").text
    return table.services.history.begin(text)


def key_of(place: str) -> GameKey:
    """The key of a game, from the address of one of its pages."""
    return GameKey(place.removeprefix("/games/").partition("/")[0])


def now(table: AtTable, place: str) -> TableGame:
    return open_table(table.services.history.current(key_of(place)).text)


def revision(table: AtTable, place: str) -> int:
    return table.services.history.current(key_of(place)).number


async def _walked(answer: httpx.Response) -> None:
    if answer.headers.get("content-type", "").startswith("text/html"):
        await answer.aread()
        assert not (left := left_to_translate(answer.text)), f"{answer.url}: {left}"


def services_of(
    folder: Path,
    worker: Worker,
    *,
    clock: Callable[[], float],
    playouts: int,
    see: str = "tests.web.at_table:seen_start",
    key: str = KEY,
    game_key: str = "",
    read_only: bool = False,
) -> Services:
    """What a table needs whose one worker reads and thinks; `see` is what reads its photos."""
    hub = EventHub()
    return Services(
        key,
        open_history(folder / "games.sqlite3", now=lambda: NOW, new_key=lambda: game_key or random_key()),
        PhotoJobs(folder / "photos", (worker,), hub, see=see, own_set=False),
        Adviser(worker, hub, playouts=playouts),
        hub,
        (worker,),
        now=lambda: NOW,
        clock=clock,
        random=Random(7),
        read_only=read_only,
    )


class AtTable(AbstractContextManager["AtTable"]):
    """A table that phones come to; `folder` is where it keeps its games and photos."""

    def __init__(
        self,
        folder: Path,
        *,
        read_only: bool = False,
        playouts: int = 200,
        game_key: str = "",
        see: str = "tests.web.at_table:seen_start",
        key: str = KEY,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self._key = key
        self.clock = Clock()
        self._runner = asyncio.Runner()
        self.services = services_of(
            folder,
            WorkerHere("here"),
            clock=self.clock,
            playouts=playouts,
            see=see,
            key=key,
            game_key=game_key,
            read_only=read_only,
        )
        self.app: Any = table_app(
            self.services, names=HostNames(frozenset({"localhost", "laptop"}), others=frozenset({"table.example"}))
        )

    def run(self, answer: Any) -> Any:
        """What a coroutine gives; then what it began goes on too."""

        async def then_settled() -> Any:
            given = await answer
            if begun := asyncio.all_tasks() - {asyncio.current_task()}:
                await asyncio.wait(begun, timeout=20)
            return given

        return self._runner.run(then_settled())

    def stranger(self, address: str = "192.168.1.77") -> Phone:
        """A phone without the key."""
        return Phone(self, address)

    def phone(self, seat: str | None = None, address: str = "192.168.1.20") -> Phone:
        """A phone that has come in, and taken a seat if one is named."""
        phone = Phone(self, address)
        assert phone.get(f"/k/{self._key}").status_code == 200
        if seat is not None:
            assert phone.post("/seat", {"seat": seat, "path": "/"}).status_code == 303
        return phone

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.services.close()
        self._runner.close()
