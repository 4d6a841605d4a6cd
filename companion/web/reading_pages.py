"""Photos: sent, read, looked at tile by tile, and taken into a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, NotationError
from companion.history.kept import GameKey
from companion.inputs import LIMITS
from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.table.games import begin_table, open_table, photographed
from companion.table.photos import SeenTable
from companion.table.tiles import box_left, told_tile
from companion.web.answers import Answers, page_language
from companion.web.events import Event
from companion.web.looks import look
from companion.web.readings import ReadingStage, SentPhotos
from companion.web.tickets import RateLimit
from companion.web.uploads import UPLOAD_LIMITS, sent_form, sent_photos

MAX_UPLOADS, UPLOADS_S = 30, 60.0
"""So many forms with photos a minute are taken from one address."""


def reading_routes(answers: Answers) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _ReadingPages(answers)
    return [
        Route("/photos", pages.send, methods=["POST"]),
        Route("/games/{key}/photos", pages.send, methods=["POST"]),
        Route("/readings/{reading}", pages.reading),
        Route("/readings/{reading}/events", pages.events),
        Route("/readings/{reading}/photo.jpg", pages.photo),
        Route("/readings/{reading}/crops/{name}.jpg", pages.crop),
        Route("/readings/{reading}/tiles/{square}", pages.tile),
        Route("/readings/{reading}/tiles/{square}", pages.tell_tile, methods=["POST"]),
        Route("/readings/{reading}/cards/{label}", pages.tell_card, methods=["POST"]),
        Route("/readings/{reading}/accept", pages.accept, methods=["POST"]),
    ]


class _ReadingPages:
    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._services = answers.services
        self._uploads = RateLimit(MAX_UPLOADS, UPLOADS_S, answers.services.clock)

    async def send(self, request: Request) -> Response:
        """Photos from a phone, for a game or for a new one."""
        self._answers.check_open()
        address = request.client.host if request.client else ""
        if self._uploads.is_over(address):
            raise HTTPException(429, say("So many photos at once are too many; wait a minute."))
        self._uploads.count(address)
        game = (await look(self._answers, request)).key if "key" in request.path_params else None
        async with sent_form(request, UPLOAD_LIMITS, photos=LIMITS.photos) as form:
            photos = await self._services.readings.begin(sent_photos(form), game)
        return self._answers.go_on(request, f"/readings/{photos.key}")

    async def reading(self, request: Request) -> Response:
        photos = await self._found(request)
        context: dict[str, object] = {
            "reading_id": photos.key,
            "game_key": photos.game,
            "stage": photos.stage.value,
            "share": round(photos.share, 3),
            "says": photos.doing,
        }
        seen = photos.seen
        if photos.stage is ReadingStage.FAILED:
            return self._answers.page(request, "reading.html", context, status=422, fault=photos.fault)
        if seen is None:
            return self._answers.page(request, "reading.html", context)
        base = f"/readings/{photos.key}"
        return self._answers.page(
            request,
            "reading.html",
            context,
            reading=seen.table.reading,
            photo_url=f"{base}/photo.jpg" if seen.view is not None else None,
            photo_size=seen.size,
            open=list(seen.open_squares),
            told=seen.told_tiles,
            questions=seen.open_questions,
        )

    async def events(self, request: Request) -> Response:
        """How far a reading has come, as it comes."""
        photos = await self._found(request)
        return StreamingResponse(
            self._progress(photos, page_language(request)),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    async def _progress(self, photos: SentPhotos, language: str) -> AsyncIterator[bytes]:
        async for line in self._services.hub.listen(photos.key, Event("progress", None)):
            name = line.split(b"\n", 1)[0]
            if name == b"event: progress" and photos.stage not in (ReadingStage.DONE, ReadingStage.FAILED):
                told = {"share": round(photos.share, 3), "say": translate(photos.doing, language)}
                yield Event("progress", told).to_bytes()
            elif name == b"event: progress":
                yield Event(photos.stage.value, None).to_bytes()
                return
            else:
                yield line
                if name in (b"event: done", b"event: failed"):
                    return

    async def photo(self, request: Request) -> Response:
        seen = await self._seen(request)
        return _picture(seen.view)

    async def crop(self, request: Request) -> Response:
        seen = await self._seen(request)
        return _picture(seen.crops.get(request.path_params["name"]))

    async def tile(self, request: Request) -> Response:
        photos, seen = await self._found(request), await self._seen(request)
        square = parsed_square(request)
        return self._answers.page(request, "tile.html", self._tile_context(photos, seen, square))

    def _tile_context(self, photos: SentPhotos, seen: SeenTable, square: int) -> dict[str, object]:
        name = SQUARE_NAMES[square]
        left = seen.open_squares
        return {
            "reading_id": photos.key,
            "square": square,
            "tile": seen.position.board[square],
            "offers": list(seen.read.tiles[square].offered[:3]) if name not in seen.told else [],
            "crop_url": f"/readings/{photos.key}/crops/{name}.jpg" if name in seen.crops else None,
            "left": box_left(seen.position.board, square, len(seen.position.colours)),
            "remaining": len(left) if square in left else 0,
        }

    async def tell_tile(self, request: Request) -> Response:
        """An answer about a tile; on to the next doubtful one."""
        self._answers.check_open()
        photos, seen = await self._found(request), await self._seen(request)
        square = parsed_square(request)
        async with sent_form(request) as form:
            try:
                tile = told_tile({name: str(value) for name, value in form.items()})
            except NotationError as error:
                context = self._tile_context(photos, seen, square)
                return self._answers.page(request, "tile.html", context | {"fault": str(error)}, status=422)
        await self._services.readings.tell_tile(photos, square, tile)
        assert photos.seen is not None
        following = next((f"/tiles/{SQUARE_NAMES[one]}" for one in photos.seen.open_squares), "")
        return self._answers.go_on(request, f"/readings/{photos.key}{following}")

    async def tell_card(self, request: Request) -> Response:
        self._answers.check_open()
        photos = await self._found(request)
        async with sent_form(request) as form:
            name = str(form.get("name", ""))
        await self._services.readings.tell_card(photos, request.path_params["label"], name)
        return self._answers.go_on(request, f"/readings/{photos.key}")

    async def accept(self, request: Request) -> Response:
        """The reading as it stands now goes into its game, or begins one; a second time leads there again."""
        self._answers.check_open()
        photos, seen = await self._found(request), await self._seen(request)
        async with photos.writing:
            if photos.accepted is None:
                key = await self._begin(seen) if photos.game is None else await self._go_on(photos.game, seen)
                await self._services.readings.accept(photos, key)
        await self._services.readings.teach(photos, self._services.today)
        return self._answers.go_on(request, f"/games/{photos.accepted}/players")

    async def _begin(self, seen: SeenTable) -> str:
        outcome = seen.table.outcome
        names = {} if outcome is None else dict(outcome.names)
        game = await asyncio.to_thread(begin_table, seen.position, names, date=self._services.today)
        return await asyncio.to_thread(self._services.history.begin, game.text, names=names, told="read from photos")

    async def _go_on(self, game: str, seen: SeenTable) -> str:
        history, key = self._services.history, GameKey(game)
        revision, kept = history.current(key), history.game(key)
        before = open_table(revision.text)
        position = photographed(before, seen.position)
        after = await asyncio.to_thread(begin_table, position, kept.players, date=kept.date, place=kept.place)
        changed = await asyncio.to_thread(
            history.change, key, after.text, told="read from photos", expected=None, new_part=before.has_turns
        )
        self._services.hub.tell(key, "changed", changed.number)
        return key

    async def _found(self, request: Request) -> SentPhotos:
        photos = await self._services.readings.find(request.path_params["reading"])
        if photos is None:
            raise HTTPException(404, say("This photo is no longer kept: take a new one."))
        return photos

    async def _seen(self, request: Request) -> SeenTable:
        photos = await self._found(request)
        if photos.seen is None and photos.task is not None:
            await asyncio.shield(photos.task)
        if photos.seen is None:
            raise CompanionError(photos.fault)
        return photos.seen


def parsed_square(request: Request) -> int:
    """The square that an address names. Raises HTTPException for none."""
    try:
        return parse_square(request.path_params["square"])
    except (NotationError, KeyError, ValueError):
        raise HTTPException(404) from None


def _picture(content: bytes | None) -> Response:
    if content is None:
        raise HTTPException(404)
    # A reading's pictures never change.
    return Response(content, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})
