"""Photos that phones have sent, and what was read in them: kept on disk with every answer until they are old.

A reading that this run of the server has not made yet, because it was begun by an earlier one, is made anew from its
photos; the answers that were given are on disk, and hold.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path

from starlette.exceptions import HTTPException

from companion.asking.photo_turns import PhotoTurns
from companion.errors import CompanionError, ConflictError
from companion.inputs import LIMITS, read_file
from companion.language.phrase import say
from companion.notation.files import format_json, parse_position
from companion.rules.model.board import SQUARE_NAMES, Board, Tile
from companion.rules.model.position import Position
from companion.storage import private_folder, write_private
from companion.system.progress import TellShare
from companion.table.advising import TableAdvice
from companion.table.games import TableGame
from companion.table.photos import ABOUT, TableReading, forget_photos
from companion.table.scanning import ScannedCodes
from companion.web.store.jobs import Job, start
from companion.web.store.live_events import EventHub
from companion.web.store.worker import Worker, freest

MAX_READINGS = 60
"""Readings kept; a photo of a phone takes some 5 MB on disk, and 0.6 MB in memory once it was looked at."""

MAX_BYTES = 2_000_000_000
"""Room on the disk that all photos together may take, the latest form's aside."""

SEE, TAKE_ANSWERS = "companion.table.photo_reading:see_photos", "companion.table.photo_reading:take_answers"
"""What reads photos, and takes answers, for a worker."""

SEE_TURNS = "companion.asking.series_photos:turns_seen"
"""What tells which turns photos show, for a worker."""

NO_TABLE = say("This photo shows a printed card, not a table.")

_SAVED = ("game", "board", "accepted", "taken", "asks_turn", "digest")
"""What is written of photos beside them."""

_ANSWERS, _CROPS = "told.json", "crops"
_MAX_TEXT = 100_000


@dataclass(slots=True)
class SentPhotos:
    """The photos of one form, and their reading.

    `game` is the key of the game that they were sent for, None for a new one, and `board` that game's board then, as
    `format_board` writes it. `job` is the reading on its way, `seen` what it showed with all `answers`, None before;
    `codes` are what its codes told where it shows a printed card or a score sheet and no table. `advice` is what the
    next turn of its game hangs on, once somebody thinks about that. `accepted` is the key of the game that it went
    into, `taken` the position as it went there, as `format_json` writes it.

    While it `asks_turn`, its game asks which turn it shows: `turns` tell that of the revision `turns_at`, 0 before, and
    the game `has_moved_on` if they told it of another one. `digest` tells their bytes from others.
    """

    key: str
    folder: Path
    files: tuple[Path, ...]
    game: str | None
    board: str = ""
    job: Job[TableReading | ScannedCodes] = field(default_factory=Job)
    seen: TableReading | None = None
    codes: ScannedCodes | None = None
    answers: list[tuple[str, str]] = field(default_factory=list)
    advice: Job[TableAdvice] | None = None
    accepted: str | None = None
    taken: str = ""
    asks_turn: bool = False
    turns: Job[PhotoTurns] | None = None
    turns_at: int = 0
    has_moved_on: bool = False
    digest: str = ""
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def answered(self, label: str) -> int:
        """How often a doubt was answered, or a tile was told."""
        return sum(answered == label for answered, _ in self.answers)

    def save(self) -> None:
        """Write what these photos are beside them."""
        about = {"photos": len(self.files), **{name: getattr(self, name) for name in _SAVED}}
        write_private(self.folder / ABOUT, json.dumps(about).encode())


@dataclass(frozen=True, slots=True)
class SavedPictures(Mapping[str, bytes]):
    """Pictures by their labels in one file, each from one place to another; without the file there are none."""

    file: Path
    places: Mapping[str, tuple[int, int]]

    def __getitem__(self, label: str) -> bytes:
        begin, end = self.places[label]
        try:
            with self.file.open("rb") as kept:
                kept.seek(begin)
                return kept.read(end - begin)
        except OSError:
            raise KeyError(label) from None

    def __contains__(self, label: object) -> bool:
        return label in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class PhotoJobs:
    """All photos that were sent, by keys that are drawn by lot, and their readings.

    `folder` is where they are kept, `see` the function that reads them, which the first of the `workers` calls; answers
    are taken by any that is free. `hub` tells pages how far it has come. `own_set` reads with the owner's own tiles.
    """

    def __init__(
        self,
        folder: Path,
        workers: Sequence[Worker],
        hub: EventHub,
        *,
        see: str = SEE,
        own_set: bool = True,
    ) -> None:
        self._folder = folder
        self._workers = workers
        self._hub = hub
        self._see = see
        self._own_set = own_set
        self._known: dict[str, SentPhotos] | None = None
        self._loading = asyncio.Lock()
        self._saving = asyncio.Lock()

    async def begin(
        self, contents: Sequence[bytes], game: str | None, board: str = "", *, asks_turn: bool = False
    ) -> SentPhotos:
        """Keep photos and begin to read them.

        `game`, `board` and `asks_turn` are as in `SentPhotos`; which turn they show is asked once for the same bytes.
        Raises UnusableInputError or NoRoomError if they cannot be kept, TooManyJobsError if they could not be
        read soon.
        """
        async with self._saving:
            self._workers[0].check_room()
            known = await self._all()
            digest = sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()
            if asks_turn:
                for other in await self.asking(str(game)):
                    if other.digest == digest:
                        return other
            key = secrets.token_urlsafe(9)
            folder = self._folder / key
            files = tuple(folder / f"{number}.photo" for number in range(1, len(contents) + 1))
            photos = SentPhotos(key, folder, files, game, board, asks_turn=asks_turn, digest=digest)
            await asyncio.to_thread(_store, photos, contents)
            known[key] = photos
        for old in await asyncio.to_thread(_too_old, list(known.values())):
            if known.pop(old.key, None) is not None:
                await asyncio.to_thread(shutil.rmtree, old.folder, True)
        self._start(photos)
        return photos

    async def find(self, key: str) -> SentPhotos:
        """The photos of that key, on their way or read. Raises HTTPException if they are gone, or never were."""
        known = await self._all()
        photos = known.get(key)
        if photos is not None and photos.codes is None and not photos.folder.is_dir():
            # Another program has forgotten its game.
            del known[key]
            photos = None
        if photos is None:
            raise HTTPException(410, say("This photo is no longer available: take a new one."))
        if photos.seen is None and (photos.job.task is None or photos.job.is_put_off):
            self._start(photos)
        return photos

    async def asking(self, game: str) -> list[SentPhotos]:
        """The photos of a game that ask which turn they show, in the order in which they came."""
        return [photos for photos in (await self._all()).values() if photos.game == game and photos.asks_turn]

    def turns(self, photos: SentPhotos, game: TableGame, revision: int) -> Job[PhotoTurns]:
        """Which turns of a game at a revision photos show, once they are read; the game's pages hear of its end.

        A fault is the answer for some seconds; then it may be asked again.
        """
        job = photos.turns
        if job is None or photos.turns_at != revision or job.may_be_repeated:
            assert photos.seen is not None, "they are read"
            infer = partial(freest(self._workers).run, SEE_TURNS, replace(photos.seen, view=None, crops={}), game)
            photos.turns_at = revision
            job = photos.turns = start(
                lambda tell: infer(tell=tell), self._hub, str(photos.game), ended="photo", tells_progress=False
            )
        return job

    async def ask_no_more(self, photos: SentPhotos, after: Position | None = None) -> None:
        """Note that it was decided which turn photos show; after it, the game's position is what they show.

        Without a position they show none.
        """
        photos.asks_turn = False
        if after is None or photos.seen is None:
            if photos.codes is None:
                await asyncio.to_thread(photos.save)
            return
        # The photo is that of the board as it lies now, without a doubt.
        photos.seen = photos.seen.with_known_board(after.board)
        await self.accept(photos, str(photos.game), after)

    def known(self, key: str) -> SentPhotos | None:
        """The photos of that key as far as this run of the server has looked at them; None for none."""
        return (self._known or {}).get(key)

    async def shown_on(self, game: str, board: Board) -> SentPhotos | None:
        """The latest photos of a game's board as it lies now, read or on their way again; None without any.

        What an earlier run of the server has read is read anew beside.
        """
        for photos in reversed((await self._all()).values()):
            if photos.accepted != game or photos.job.fault:
                continue
            if photos.seen is None:
                return await self.find(photos.key) if _may_show(photos.taken, board) else None
            if photos.seen.view is not None:
                return photos if photos.seen.position.board == board else None
        return None

    async def seen(self, photos: SentPhotos) -> TableReading:
        """What photos showed; waits until they are read. Raises CompanionError where that failed."""
        if photos.seen is None:
            assert photos.job.task is not None, "what was found is on its way"
            await asyncio.wait([photos.job.task])
        if photos.seen is None:
            raise CompanionError(photos.job.fault or NO_TABLE)
        return photos.seen

    async def tell_tile(self, photos: SentPhotos, square: int, tile: Tile, answered: int | None = None) -> None:
        """Take an answer: on disk when this returns.

        `answered` is how often this tile had been told when it was shown. Raises ConflictError if it was told otherwise
        since, UnusableInputError or NoRoomError if the answer cannot be kept, CompanionError if there is no reading.
        """
        async with photos.writing:
            board = (await self.seen(photos)).position.board
            if answered not in (None, photos.answered(SQUARE_NAMES[square])) and board[square] != tile:
                raise ConflictError("This tile has just changed: look at it as it is now.")
            await self._take(photos, [(SQUARE_NAMES[square], str(tile))])

    async def confirm(self, photos: SentPhotos, tiles: Mapping[int, Tile]) -> None:
        """Take it as told that tiles are as they were shown, but for those that somebody has told since.

        `tiles` are by square. Whoever calls holds `photos.writing`; raises as `tell_tile`.
        """
        known = (await self.seen(photos)).corrected
        left = {SQUARE_NAMES[square]: str(tile) for square, tile in tiles.items()}
        left = {name: tile for name, tile in left.items() if name not in known}
        if left:
            await self._take(photos, [*left.items()])

    async def tell_card(self, photos: SentPhotos, label: str, answer: str) -> None:
        """Take an answer to one of the questions; raises CompanionError for what is none, else as `tell_tile`."""
        async with photos.writing:
            await self._take(photos, [(label, answer)])

    async def accept(self, photos: SentPhotos, game: str, taken: Position) -> None:
        """Note that the reading has gone into a game, as that position."""
        before = photos.accepted, photos.taken
        photos.accepted, photos.taken = game, format_json(taken)
        try:
            await asyncio.to_thread(photos.save)
        except CompanionError:
            photos.accepted, photos.taken = before
            raise

    async def forget(self, game: str) -> None:
        """Keep a game's photos no longer. Raises UnusableInputError where some cannot be deleted."""
        known = await self._all()
        for key in await asyncio.to_thread(forget_photos, self._folder, {game}):
            known.pop(key, None)

    async def withdraw(self, photos: SentPhotos) -> list[bytes]:
        """The photos themselves, which are kept no longer: they are of something else than the table.

        Raises ConflictError if a game has taken them, or if somebody else was first.
        """
        known = await self._all()
        if photos.accepted is not None or known.pop(photos.key, None) is None:
            raise ConflictError("This photo is already in the game.")
        contents = [await asyncio.to_thread(read_file, path, LIMITS.photo_bytes) for path in photos.files]
        await asyncio.to_thread(shutil.rmtree, photos.folder, True)
        return contents

    async def _take(self, photos: SentPhotos, answers: Sequence[tuple[str, str]]) -> None:
        before = await self.seen(photos)
        bare = replace(before, view=None, crops={})
        # Refused before it is kept.
        seen: TableReading = await freest(self._workers).run(TAKE_ANSWERS, bare, answers)
        all_answers = [*photos.answers, *answers]
        await asyncio.to_thread(write_private, photos.folder / _ANSWERS, json.dumps(all_answers).encode())
        photos.seen, photos.answers = replace(seen, view=before.view, crops=before.crops), all_answers

    def _start(self, photos: SentPhotos) -> None:
        async def read(tell: TellShare) -> TableReading | ScannedCodes:
            files = [str(path) for path in photos.files]
            try:
                seen: TableReading | ScannedCodes = await self._workers[0].run(
                    self._see, files, self._own_set, photos.board, photos.answers, tell=tell
                )
                if isinstance(seen, ScannedCodes):
                    # A card is no table: its photo is kept no longer.
                    photos.codes = seen
                    await asyncio.to_thread(shutil.rmtree, photos.folder, True)
                else:
                    photos.seen = seen = await asyncio.to_thread(_with_stored_crops, seen, photos.folder / _CROPS)
            finally:
                if photos.asks_turn:
                    self._hub.publish(str(photos.game), "photo", None)
            return seen

        photos.job = start(read, self._hub, photos.key)

    async def _all(self) -> dict[str, SentPhotos]:
        # Whoever comes while the folder is looked through must not have it looked through again.
        async with self._loading:
            if self._known is None:
                self._known = await asyncio.to_thread(_saved_photos, self._folder)
        return self._known


def _with_stored_crops(seen: TableReading, file: Path) -> TableReading:
    """A reading whose close-ups, most of its size, lie in a file; in memory where there is no room for one.

    Photos that were withdrawn meanwhile leave nothing behind.
    """
    if not file.parent.is_dir():
        return seen
    ends = list(accumulate(map(len, seen.crops.values()), initial=0))
    try:
        write_private(file, b"".join(seen.crops.values()))
    except CompanionError:
        return seen
    return replace(seen, crops=SavedPictures(file, dict(zip(seen.crops, pairwise(ends), strict=True))))


def _may_show(taken: str, board: Board) -> bool:
    """Whether photos that went into a game as a position, as `format_json` writes it, showed that board."""
    try:
        return bool(taken) and parse_position(taken).board == board
    except CompanionError:
        return False


def _too_old(saved: Sequence[SentPhotos]) -> Sequence[SentPhotos]:
    """The readings that make room for later ones, of all in the order in which they came."""
    room = MAX_BYTES
    for number, photos in enumerate(reversed(saved)):
        room -= sum(path.stat().st_size for path in photos.files if path.exists())
        if number and (number >= MAX_READINGS or room < 0):
            return saved[: len(saved) - number]
    return []


def _store(photos: SentPhotos, contents: Sequence[bytes]) -> None:
    """Write photos under names of our own, and last what they are."""
    private_folder(photos.folder)
    for path, content in zip(photos.files, contents, strict=True):
        write_private(path, content)
    photos.save()


def _saved_photos(folder: Path) -> dict[str, SentPhotos]:
    """What earlier runs have kept, the oldest first; what is damaged or half written is passed over."""
    kept: list[tuple[float, SentPhotos]] = []
    for place in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            about = json.loads(_text(place / ABOUT))
            files = tuple(place / f"{number}.photo" for number in range(1, int(about["photos"]) + 1))
            photos = SentPhotos(place.name, place, files, **{name: about[name] for name in _SAVED})
            if (place / _ANSWERS).exists():
                photos.answers = [(str(label), str(answer)) for label, answer in json.loads(_text(place / _ANSWERS))]
            kept.append(((place / ABOUT).stat().st_mtime, photos))
    return {photos.key: photos for _, photos in sorted(kept, key=lambda entry: entry[0])}


def _text(path: Path) -> str:
    if path.stat().st_size > _MAX_TEXT:
        raise ValueError(path)
    return path.read_text(encoding="utf-8")
