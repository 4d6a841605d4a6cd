"""A folder in which a camera leaves photos of the game in progress: each is taken as if a phone had sent it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import CompanionError, UnusableInputError
from companion.inputs import LIMITS, read_file, shown
from companion.language.phrase import Phrase, joined
from companion.notation.tokens import format_board
from companion.web.pages.games import game_of
from companion.web.store.services import Services
from companion.web.store.uploads import check_photo
from companion.web.store.worker import TooManyJobsError

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
        self._told: set[str] = set()

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
                if file[0] not in self._told:
                    self._tell(joined("", (str(error),)))
                self._told.add(file[0])
            self._taken.add(file)

    async def _take(self, services: Services, name: str) -> None:
        content = await asyncio.to_thread(read_file, self._folder / name, LIMITS.photo_bytes)
        check_photo(name, content)
        games = await asyncio.to_thread(services.history.games)
        key = next((game.key for game in games if game.finished is None), None)
        game = None if key is None else game_of(await asyncio.to_thread(services.history.current, key))
        if key is None or game is None or game.is_over:
            raise UnusableInputError("{name} was ignored: no game is in progress", name=name)
        await services.photos.begin([content], key, format_board(game.position.board), sender="")
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
