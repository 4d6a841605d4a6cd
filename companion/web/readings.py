"""Photos that phones have sent, and what was read in them: kept on disk with every answer until they are old.

A reading that this run of the server has not made yet, because it was begun by an earlier one, is made anew from its
photos; the answers that were given are on disk, and hold.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError, ConflictError
from companion.inputs import LIMITS, read_file
from companion.language.phrase import say
from companion.notation.files import format_json, parse_position
from companion.notation.tokens import format_tile
from companion.rules.model.board import SQUARE_NAMES, Board, Tile
from companion.rules.model.position import Position
from companion.storage import private_folder, write_private
from companion.table.photos import SeenTable
from companion.web.events import EventHub
from companion.web.worker import UNFORESEEN, Worker

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile

MAX_KEPT = 60
"""Readings kept on disk; a photo of a phone takes some 4 MB."""

MAX_KEPT_BYTES = 2_000_000_000
"""Room on the disk that all photos together may take, the latest form's aside."""

MAX_IN_MEMORY = 12
"""Readings whose pictures are in memory, some 1.5 MB each."""

SEE = "companion.table.seeing:see_photos"
"""What reads photos, for a worker."""

KEEP = "companion.table.seeing:keep_told"
"""What keeps the answers that it learns from."""

REST = "rest"
"""Stands among the answers before those of tiles that were told by one button, all that was left, and names them."""

_ABOUT, _TOLD = "about.json", "told.json"
_MAX_TEXT = 100_000


class ReadingStage(StrEnum):
    """How far a reading has come."""

    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True)
class SentPhotos:
    """The photos of one form, and their reading on its way.

    `game` is the key of the game that they were sent for, None for a new one, and `board` that game's board then, as
    `format_board` writes it. `share` (0 to 1) and `doing` are how far
    the reading has come, `fault` why it failed, `answers` what was told, in order; `accepted` is the key of the game
    that it went into, `taken` the position that it told then, as `format_json` writes it, and `looked_at` counts up
    with every look at any photos.
    """

    key: str
    folder: Path
    files: tuple[Path, ...]
    game: str | None
    board: str = ""
    stage: ReadingStage = ReadingStage.WAITING
    share: float = 0.0
    doing: str = ""
    fault: str = ""
    seen: SeenTable | None = None
    answers: list[tuple[str, str]] = field(default_factory=list)
    accepted: str | None = None
    taken: str = ""
    looked_at: int = 0
    task: asyncio.Task[None] | None = None
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def answered(self, square: int) -> int:
        """How often a tile was told."""
        return sum(label == SQUARE_NAMES[square] for label, _ in self.answers)


class Readings:
    """All photos that were sent, by keys that are drawn by lot.

    `folder` is where they are kept, `see` the function that reads them, which `worker` calls; `hub` tells pages how
    far it has come. `own_set` reads by what was learnt of the owner's pieces, `learns` learns from answers.
    """

    def __init__(
        self,
        folder: Path,
        worker: Worker,
        hub: EventHub,
        *,
        see: str = SEE,
        own_set: bool = True,
        learns: bool = True,
    ) -> None:
        self._folder = folder
        self._worker = worker
        self._hub = hub
        self._see = see
        self._own_set = own_set
        self.learns = learns
        self._looks = 0
        self._teaching: set[asyncio.Task[None]] = set()
        self._known: dict[str, SentPhotos] | None = None
        self._looking = asyncio.Lock()

    async def begin(self, sent: Sequence[UploadFile], game: str | None, board: str = "") -> SentPhotos:
        """Keep photos and begin to read them. Raises UnusableInputError or NoRoomError if they cannot be kept.

        `game` and `board` are as in `SentPhotos`.
        """
        known = await self._all()
        key = secrets.token_urlsafe(9)
        folder = self._folder / key
        contents = [await file.read() for file in sent]
        files = await asyncio.to_thread(_keep, folder, contents, game, board)
        photos = SentPhotos(key, folder, files, game, board)
        known[key] = photos
        self._touch(photos)
        await self._forget_old()
        self._start(photos)
        return photos

    async def find(self, key: str) -> SentPhotos | None:
        """The photos of that key, on their way or read; None if there are none, or no more."""
        photos = (await self._all()).get(key)
        if photos is not None:
            self._touch(photos)
        if photos is not None and photos.seen is None and photos.task is None:
            self._start(photos)
        return photos

    async def shown_on(self, game: str, board: Board) -> SentPhotos | None:
        """The latest photos of a game's board as it lies now, read or on their way again; None without any.

        What an earlier run of the server has read, or was forgotten since, is read anew beside.
        """
        for photos in reversed((await self._all()).values()):
            if photos.accepted != game or photos.stage is ReadingStage.FAILED:
                continue
            if photos.seen is None:
                if not _may_show(photos.taken, board):
                    return None
                return await self.find(photos.key)
            if photos.seen.view is not None:
                return photos if photos.seen.position.board == board else None
        return None

    async def seen(self, photos: SentPhotos) -> SeenTable:
        """What photos told; waits until they are read, anew if their pictures were forgotten meanwhile.

        Raises CompanionError with the fault of a reading that failed.
        """
        while photos.seen is None:
            if photos.task is None:
                self._start(photos)
            assert photos.task is not None, "what was begun is on its way"
            await asyncio.wait([photos.task])
            if photos.stage is ReadingStage.FAILED:
                raise CompanionError(photos.fault)
        return photos.seen

    async def tell_tile(self, photos: SentPhotos, square: int, tile: Tile, answered: int | None = None) -> None:
        """Take an answer: on disk when this returns.

        `answered` is how often this tile had been told when it was shown. Raises ConflictError if it was told otherwise
        since, UnusableInputError or NoRoomError if the answer cannot be kept, CompanionError if there is no reading.
        """
        async with photos.writing:
            told, board = photos.answered(square), (await self.seen(photos)).position.board
            if answered not in (None, told) and board[square] != tile:
                raise ConflictError(say("Somebody else has told this tile meanwhile: look at it as it is now."))
            await self._take(photos, [(SQUARE_NAMES[square], format_tile(tile))])

    async def confirm(self, photos: SentPhotos, tiles: Mapping[int, Tile]) -> None:
        """Take it as told that tiles are as they were shown, but for those that somebody has told since.

        `tiles` are by square. Whoever calls holds `photos.writing`; raises as `tell_tile`.
        """
        told = (await self.seen(photos)).told
        left = {SQUARE_NAMES[square]: format_tile(tile) for square, tile in tiles.items()}
        left = {name: tile for name, tile in left.items() if name not in told}
        if left:
            await self._take(photos, [(REST, " ".join(left)), *left.items()])

    async def tell_card(self, photos: SentPhotos, label: str, answer: str) -> None:
        """Take an answer to one of the questions; raises NotationError besides what `tell_tile` raises."""
        async with photos.writing:
            # Refused before it is kept.
            (await self.seen(photos)).with_answer(label, answer)
            await self._take(photos, [(label, answer)])

    async def accept(self, photos: SentPhotos, game: str, taken: Position) -> None:
        """Note that the reading has gone into a game, as that position."""
        text = format_json(taken)
        await asyncio.to_thread(
            _write_about, photos.folder, len(photos.files), photos.game, photos.board, accepted=game, taken=text
        )
        photos.accepted, photos.taken = game, text

    async def withdraw(self, photos: SentPhotos) -> list[bytes]:
        """The photos themselves, which are kept no longer: they are of something else than the table.

        Raises ConflictError if a game has taken them, or if somebody else was first.
        """
        known = await self._all()
        if photos.accepted is not None or known.pop(photos.key, None) is None:
            raise ConflictError(say("This photo was taken into the game already."))
        contents = await asyncio.to_thread(_contents, photos.files)
        await asyncio.to_thread(shutil.rmtree, photos.folder, True)
        return contents

    async def teach(self, photos: SentPhotos, today: str) -> None:
        """Let the reader learn from what was told of single tiles, in the background; `today` as in 2026-02-14."""
        seen = photos.seen
        if seen is None or not self.learns:
            return
        rest: list[str] = []
        singly: set[str] = set()
        for label, answer in photos.answers:
            if label == REST:
                rest += answer.split()
            elif label in rest:
                rest.remove(label)
            else:
                singly.add(label)
        told = {
            square: (format_tile(tile), format_tile(seen.read.tiles[square].tile))
            for square, tile in seen.told_tiles.items()
            if square in seen.kept and SQUARE_NAMES[square] in singly
        }
        if told:
            task = asyncio.create_task(self._teach(seen, told, today))
            self._teaching.add(task)
            task.add_done_callback(self._teaching.discard)

    async def _teach(self, seen: SeenTable, told: dict[int, tuple[str, str]], today: str) -> None:
        # What cannot be kept holds for this photo all the same.
        with suppress(CompanionError):
            kept = {square: seen.kept[square] for square in told}
            await self._worker.run(KEEP, kept, told, seen.photo, today)

    async def _take(self, photos: SentPhotos, told: Sequence[tuple[str, str]]) -> None:
        seen = (await self.seen(photos)).told_again(told)
        answers = [*photos.answers, *told]
        await asyncio.to_thread(write_private, photos.folder / _TOLD, json.dumps(answers).encode())
        photos.seen, photos.answers = seen, answers

    def _touch(self, photos: SentPhotos) -> None:
        self._looks += 1
        photos.looked_at = self._looks

    def _start(self, photos: SentPhotos) -> None:
        photos.stage, photos.share, photos.doing = ReadingStage.WAITING, 0.0, say("waiting for its turn")
        photos.task = asyncio.create_task(self._read(photos))

    async def _read(self, photos: SentPhotos) -> None:
        def tell(share: float, doing: str) -> None:
            photos.stage, photos.share, photos.doing = ReadingStage.READING, share, doing
            self._hub.publish(photos.key, "progress", None)

        try:
            files = [str(path) for path in photos.files]
            seen: SeenTable = await self._worker.run(self._see, files, self._own_set, photos.board, tell=tell)
            photos.seen = await asyncio.to_thread(seen.told_again, photos.answers)
            photos.stage, photos.share = ReadingStage.DONE, 1.0
        except CompanionError as error:
            photos.stage, photos.fault = ReadingStage.FAILED, str(error)
        except Exception:
            # Nobody must wait for ever; what it was goes to the log.
            photos.stage, photos.fault = ReadingStage.FAILED, UNFORESEEN
            raise
        finally:
            self._hub.publish(photos.key, photos.stage.value, None)
        await self._forget_pictures()

    async def _all(self) -> dict[str, SentPhotos]:
        # Whoever comes while the folder is looked through must not have it looked through again.
        async with self._looking:
            if self._known is None:
                self._known = await asyncio.to_thread(_found, self._folder)
        return self._known

    async def _forget_old(self) -> None:
        known = await self._all()
        for key in await asyncio.to_thread(_too_old, list(known.values())):
            if (old := known.pop(key, None)) is not None:
                await asyncio.to_thread(shutil.rmtree, old.folder, True)

    async def _forget_pictures(self) -> None:
        """Let go of the pictures of readings that were looked at long ago; they are made anew if asked for."""
        done = [photos for photos in (await self._all()).values() if photos.seen is not None]
        # An answer that is being written is one of what was seen.
        done = [photos for photos in done if not photos.writing.locked()]
        for photos in sorted(done, key=lambda one: one.looked_at)[:-MAX_IN_MEMORY]:
            photos.seen, photos.task = None, None


def _may_show(taken: str, board: Board) -> bool:
    """Whether photos that told a position, as `format_json` writes it, told that board."""
    try:
        return bool(taken) and parse_position(taken).board == board
    except CompanionError:
        return False


def _too_old(kept: Sequence[SentPhotos]) -> list[str]:
    """The keys of readings that make room for later ones, of all in the order in which they came."""
    room = MAX_KEPT_BYTES
    for number, photos in enumerate(reversed(kept)):
        for path in photos.files:
            with suppress(OSError):
                room -= path.stat().st_size
        if number and (number >= MAX_KEPT or room < 0):
            return [one.key for one in kept[: len(kept) - number]]
    return []


def _contents(files: Sequence[Path]) -> list[bytes]:
    return [read_file(path, LIMITS.photo_bytes) for path in files]


def _keep(folder: Path, contents: Sequence[bytes], game: str | None, board: str) -> tuple[Path, ...]:
    """Write photos under names of our own, and last what they are."""
    private_folder(folder)
    files = tuple(folder / f"{number}.photo" for number in range(1, len(contents) + 1))
    for path, content in zip(files, contents, strict=True):
        write_private(path, content)
    _write_about(folder, len(files), game, board)
    return files


def _write_about(
    folder: Path, photos: int, game: str | None, board: str, *, accepted: str | None = None, taken: str = ""
) -> None:
    about = {"photos": photos, "game": game, "board": board, "accepted": accepted, "taken": taken}
    write_private(folder / _ABOUT, json.dumps(about).encode())


def _found(folder: Path) -> dict[str, SentPhotos]:
    """What earlier runs have kept, the oldest first; what is damaged or half written is passed over."""
    found: list[tuple[float, SentPhotos]] = []
    with suppress(OSError):
        for place in folder.iterdir():
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                about = json.loads(_text(place / _ABOUT))
                files = tuple(place / f"{number}.photo" for number in range(1, int(about["photos"]) + 1))
                photos = SentPhotos(place.name, place, files, about["game"], about.get("board", ""))
                photos.accepted, photos.taken = about["accepted"], about.get("taken", "")
                with suppress(FileNotFoundError):
                    photos.answers = [(str(label), str(answer)) for label, answer in json.loads(_text(place / _TOLD))]
                found.append(((place / _ABOUT).stat().st_mtime, photos))
    return {photos.key: photos for _, photos in sorted(found, key=lambda one: one[0])}


def _text(path: Path) -> str:
    if path.stat().st_size > _MAX_TEXT:
        raise ValueError(path)
    return path.read_text(encoding="utf-8")
