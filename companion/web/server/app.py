"""The table's pages as one ASGI app, behind the guard, and what goes on beside them: clocks, news, a photo folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.errors import CompanionError, ConflictError, InUseError, NoRoomError, NoSuchGameError, UnusableInputError
from companion.history.opening import DamagedHistoryError
from companion.history.saved import GameKey
from companion.inputs import LIMITS, read_file, shown
from companion.language.phrase import Phrase, joined, say
from companion.notation.tokens import format_board
from companion.web.pages import (
    face_up_pages,
    game_pages,
    hint_pages,
    home_pages,
    play_pages,
    player_pages,
    reading_pages,
    result_pages,
    turn_photos,
)
from companion.web.pages.addresses import HostNames
from companion.web.pages.game_visit import game_of
from companion.web.pages.guard import Guard
from companion.web.pages.visit import render_fault
from companion.web.store.clocks import SAVE_EVERY_S
from companion.web.store.services import BackgroundTask, Services
from companion.web.store.uploads import TooMuchSentError, check_photo
from companion.web.store.worker import UNFORESEEN, TooManyJobsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp


_LOG = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
"""How often it is looked whether another program has written in the history, and for photos in a folder."""

PAGES = (
    *(home_pages, reading_pages, game_pages, player_pages),
    *(face_up_pages, hint_pages, play_pages, result_pages, turn_photos),
)

_NOT_HERE = say("There's no such page.")
_NO_GAME = say("This game is no longer saved here; the first page lists those that are.")

_STATUSES: tuple[tuple[type[CompanionError], int], ...] = (
    (NoSuchGameError, 404),
    (ConflictError, 409),
    (InUseError, 503),
    (TooManyJobsError, 503),
    (DamagedHistoryError, 500),
    (NoRoomError, 507),
)
"""The status of HTTP that a fault is answered with; 422 for all others."""


def all_routes() -> list[Route]:
    """Every address of the table, and what answers it."""
    return [route for module in PAGES for route in module.ROUTES]


def table_app(services: Services, *, names: HostNames) -> ASGIApp:
    """The pages of a table; `names` are those of this machine, besides its plain addresses."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        also = (publish_changes, *services.background)
        background = [
            asyncio.create_task(again_and_again(save_clocks, services, SAVE_EVERY_S)),
            *(asyncio.create_task(again_and_again(do, services, LOOK_EVERY_S)) for do in also),
        ]
        yield
        for task in background:
            task.cancel()
        try:
            services.close()
        except Exception:
            # Nobody waits for it any more; whoever started the table reads it.
            _LOG.exception("the table could not be closed")

    app = Starlette(
        routes=all_routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_fault, CompanionError: _fault, Exception: _unforeseen},
    )
    app.state.services = services
    return Guard(
        GZipMiddleware(app, compresslevel=6),
        key=services.key,
        cookie=services.cookie,
        names=names,
        clock=services.clock,
    )


async def again_and_again(do: BackgroundTask, services: Services, every_s: float) -> None:
    """Do something beside the pages, with what it gave last, for as long as there are pages."""
    known: int | None = None
    while True:
        await asyncio.sleep(every_s)
        try:
            known = await do(services, known)
        except CompanionError:
            # What can't be looked at or written now is later; pages say what's wrong with the file.
            continue
        except Exception:
            _LOG.exception("what goes on beside the pages failed")


async def save_clocks(services: Services, known: int | None = None) -> None:
    """Put the times of turn clocks into the history."""
    for key in await asyncio.to_thread(services.clocks.save):
        services.hub.publish(key, "clock", None)


async def publish_changes(services: Services, known: int | None) -> int | None:
    """Tell pages which revision of their game is current, if another program has written since `known`.

    Pages that show that revision already pass it over. Gives what is known now, for the next time. Raises what the
    history raises.
    """
    topics = services.hub.topics
    if not topics:
        return known
    now = await asyncio.to_thread(services.history.written_by_others)
    if now != known:
        for topic in topics:
            # Photos and jobs have streams too.
            with suppress(NoSuchGameError):
                revision = await asyncio.to_thread(services.history.current, GameKey(topic))
                services.hub.publish(topic, "changed", revision.number)
    return now


def status_of(error: Exception) -> int:
    """The status of HTTP that a fault is answered with."""
    if isinstance(error, TooMuchSentError):
        return error.http_status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 422)


async def _fault(request: Request, error: Exception) -> Response:
    # Its own words name a command, and phones have none.
    if isinstance(error, NoSuchGameError):
        return render_fault(request, _NO_GAME, status_of(error), back="/")
    words = str(error)
    if isinstance(error, DamagedHistoryError):
        words = say("{error}. Stop the table and start it again; the damaged file won't be lost.", error=words)
    return render_fault(request, words, status_of(error))


async def _http_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words: str = _NOT_HERE if error.status_code in (404, 405) else error.detail
    return render_fault(request, words, error.status_code)


async def _unforeseen(request: Request, error: Exception) -> Response:
    return render_fault(request, UNFORESEEN, 500)


# A folder in which a camera leaves photos of the game in progress.


Files = dict[tuple[str, int], int]
"""The sizes of files by their names and when they were last written."""


class PhotoFolder:
    """The new pictures of a folder; what lies there at the start is none of them, and nothing there is changed.

    `tell` is told what was passed over. Raises UnusableInputError where there is no such folder.
    """

    def __init__(self, folder: Path, tell: Callable[[Phrase], object]) -> None:
        if not folder.is_dir():
            raise UnusableInputError("there is no folder {name}; make it first, or name another", name=shown(folder))
        self._folder, self._tell = folder, tell
        self._taken = set(_files(folder))
        self._last: Files = {}
        self._reported: set[str] = set()

    async def look(self, services: Services, known: int | None = None) -> None:
        """Take the pictures that have come, the first first: files that have not grown since the last look.

        Those that can't be read soon are taken later.
        """
        files = await asyncio.to_thread(_files, self._folder)
        whole = [file for file, size in files.items() if size and self._last.get(file) == size]
        self._last = files
        for file in [file for file in whole if file not in self._taken]:
            try:
                await self._take(services, file[0])
            except TooManyJobsError:
                return
            except CompanionError as error:
                if file[0] not in self._reported:
                    self._tell(joined("", (str(error),)))
                self._reported.add(file[0])
            self._taken.add(file)

    async def _take(self, services: Services, name: str) -> None:
        content = await asyncio.to_thread(read_file, self._folder / name, LIMITS.photo_bytes)
        check_photo(name, content)
        games = await asyncio.to_thread(services.history.games)
        key = next((game.key for game in games if game.finished is None), None)
        game = None if key is None else game_of(await asyncio.to_thread(services.history.current, key))
        if key is None or game is None or game.is_over:
            raise UnusableInputError("{name} was ignored: no game is in progress", name=name)
        await services.photos.begin([content], key, format_board(game.position.board), asks_turn=True)
        services.hub.publish(key, "photo", None)


def _files(folder: Path) -> Files:
    """The files of a folder that are not hidden, the first written first; of one that has gone, none."""
    found: Files = {}
    with suppress(OSError):
        for path in folder.iterdir():
            if path.is_file() and not path.name.startswith("."):
                about = path.stat()
                found[path.name, about.st_mtime_ns] = about.st_size
    return dict(sorted(found.items(), key=lambda one: (one[0][1], one[0][0])))
