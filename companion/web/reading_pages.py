"""Photos: sent, read, looked at tile by tile, and taken into a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from types import MappingProxyType

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from companion.errors import (
    ConflictError,
    ImpossiblePositionError,
    NotationError,
    Problem,
    fault_line,
)
from companion.history.kept import GameKey
from companion.inputs import LIMITS
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, say
from companion.notation.files import format_json, parse_position
from companion.notation.tokens import format_board, format_tile, parse_tile, whole_number
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, Board, Tile, parse_square
from companion.rules.model.position import Position
from companion.table.comparing import (
    TablePart,
    board_to_compare,
    check_of,
    moved_tiles,
    new_faults,
    part_differences,
    photographed,
    tile_checks,
    told_since,
)
from companion.table.games import open_table
from companion.table.photos import SeenTable
from companion.table.seats import Seat, may_change, seen_position
from companion.table.tiles import box_left, tile_fields, told_tile
from companion.web.events import Event
from companion.web.game_views import (
    GameView,
    begin_game,
    change,
    game_view,
    requested_view,
    sent_day,
    sent_name,
    sent_number,
)
from companion.web.late_forms import merged_tile, said_of_tile
from companion.web.readings import Readings, ReadingStage, SentPhotos
from companion.web.responder import Responder, page_language
from companion.web.sessions import RateLimit
from companion.web.uploads import UPLOAD_LIMITS, sent_form, sent_photos

MAX_UPLOADS, UPLOADS_S = 30, 60.0
"""So many forms with photos a minute are taken from one address."""

NOTHING_TYPED: Mapping[str, str] = MappingProxyType({})
"""The fields of a form that nobody has sent yet."""

READ = say("read from photos")
GONE_ON = say(
    "The game has gone on since this photo went into it, so what you told now was not taken: "
    "tap a tile on this board to put it right."
)


def reading_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _ReadingPages(responder)
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
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services
        self._uploads = RateLimit(MAX_UPLOADS, UPLOADS_S, responder.services.clock)

    async def send(self, request: Request) -> Response:
        """Photos from a phone, for a game or for a new one."""
        self._responder.check_open()
        address = request.client.host if request.client else ""
        if self._uploads.is_over(address):
            raise HTTPException(429, say("So many photos at once are too many; wait a minute."))
        self._uploads.count(address)
        game = await requested_view(self._responder, request) if "key" in request.path_params else None
        async with sent_form(request, UPLOAD_LIMITS, photos=LIMITS.photos) as form:
            key, board = (None, "") if game is None else (game.key, format_board(game.position.board))
            photos = await self._services.readings.begin(sent_photos(form), key, board)
        return self._responder.go_on(request, f"/readings/{photos.key}")

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
            context |= await self._holders(photos, self._responder.seat(request))
            return self._responder.page(request, "reading.html", context, status=422, fault=photos.fault)
        if seen is None:
            return self._responder.page(request, "reading.html", context)
        return await self._read_page(request, photos, seen)

    async def _read_page(
        self, request: Request, photos: SentPhotos, seen: SeenTable, fault: str | None = None
    ) -> Response:
        """What was read, with what to look at first."""
        game = await self._game(photos, self._responder.seat(request))
        if game is None:
            faults: Sequence[Problem] = problems(seen.position)
        else:
            seen = seen.on_board(game.game.position.board)
            faults = _new_faults(game, photographed(game.game, seen.position))
        board = _compared(seen, game)
        checks = tile_checks(seen, board)
        return self._responder.page(
            request,
            "reading.html",
            {"holders": ()} if seen.shows_board else await self._holders(photos, self._responder.seat(request)),
            status=200 if fault is None else 422,
            fault=fault,
            reading_id=photos.key,
            game_key=photos.game,
            revision=None if game is None else game.revision.number,
            stage=photos.stage.value,
            reading=seen.table.reading,
            shows_board=seen.shows_board,
            photo_url=f"/readings/{photos.key}/photo.jpg" if seen.view is not None else None,
            photo_size=seen.size,
            checks=checks,
            crops=seen.crops,
            open=[check.square for check in checks],
            moved=moved_tiles(seen, board) if board is not None else (),
            is_other_table=game is not None and board is None,
            parts=part_differences(game.game.position, seen.position) if game is not None else (),
            told=seen.told_tiles,
            answered=photos.answered,
            questions=seen.open_questions,
            faults=[fault_line(problem) for problem in faults],
            learns=self._services.readings.learns and bool(seen.kept),
        )

    async def _holders(self, photos: SentPhotos, seat: Seat) -> dict[str, object]:
        """Whose hand photos without a board may show: the players whose hands the seat may tell (rules 12.2)."""
        game = None if photos.accepted is not None else await self._game(photos, seat)
        if game is None:
            return {"holders": ()}
        holders = [colour for colour in game.position.colours if may_change(game.game, seat, colour)]
        return {"holders": holders, "names": game.names}

    async def events(self, request: Request) -> Response:
        """How far a reading has come, as it comes."""
        photos = await self._found(request)
        return StreamingResponse(
            self._progress(photos, page_language(request)),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    async def _progress(self, photos: SentPhotos, language: str) -> AsyncIterator[bytes]:
        async for line in self._services.hub.subscribe(photos.key, Event("progress", None)):
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
        return _picture(request, seen.view)

    async def crop(self, request: Request) -> Response:
        seen = await self._seen(request)
        return _picture(request, seen.crops.get(request.path_params["name"]))

    async def tile(self, request: Request) -> Response:
        photos, seen = await self._found(request), await self._seen(request)
        context = await self._tile_context(photos, seen, parsed_square(request))
        return self._responder.page(request, "tile.html", context)

    async def _tile_context(
        self, photos: SentPhotos, seen: SeenTable, square: int, typed: Mapping[str, str] = NOTHING_TYPED
    ) -> dict[str, object]:
        name = SQUARE_NAMES[square]
        check = check_of(seen, _compared(seen, await self._game(photos)), square)
        return {
            "reading_id": photos.key,
            "square": square,
            "typed": tile_fields(check.tile) | dict(typed),
            "shown": format_tile(check.tile),
            "answered": photos.answered(square),
            "offers": [check.tile, *check.others] if name not in seen.told else [],
            "in_game": check.in_game,
            "crop_url": f"/readings/{photos.key}/crops/{name}.jpg" if name in seen.crops else None,
            "left": box_left(seen.position.board, square, len(seen.position.colours)),
        }

    async def tell_tile(self, request: Request) -> Response:
        """An answer about a tile; on to the next one to look at."""
        self._responder.check_open()
        photos, square = await self._found(request), parsed_square(request)
        async with sent_form(request) as form:
            fields = {name: str(value) for name, value in form.items()}
        before = await self._checked_squares(photos)
        answered = whole_number(fields.get("answered", ""))
        typed: Mapping[str, str] = fields
        try:
            if fields.get("shown"):
                # Told field by field: what somebody else has told since stays so, but for what was changed here.
                answered = photos.answered(square)
                told = merged_tile(
                    parse_tile(fields["shown"]), fields, (await self._seen(request)).position.board[square]
                )
                typed = told.fields
                if told.told_by_both:
                    raise ConflictError(told.fault(said_of_tile))
            await self._services.readings.tell_tile(photos, square, told_tile(typed), answered)
        except (NotationError, ConflictError) as error:
            status = 409 if isinstance(error, ConflictError) else 422
            context = await self._tile_context(photos, await self._seen(request), square, typed)
            return self._responder.page(request, "tile.html", context, status=status, fault=str(error))
        left = await self._checked_squares(photos)
        after = [one for one in before[before.index(square) + 1 :] if one in left] if square in before else []
        following = next(iter([*after, *left]), None)
        place = "taking" if following is None else SQUARE_NAMES[following]
        return self._responder.go_on(request, f"/readings/{photos.key}#{place}")

    async def tell_card(self, request: Request) -> Response:
        self._responder.check_open()
        photos, seen = await self._found(request), await self._seen(request)
        async with sent_form(request) as form:
            name = str(form.get("name", ""))
        try:
            await self._services.readings.tell_card(photos, request.path_params["label"], name)
        except NotationError as error:
            return await self._read_page(request, photos, seen, str(error))
        return self._responder.go_on(request, f"/readings/{photos.key}#{_place_of_questions(photos)}")

    async def accept(self, request: Request) -> Response:
        """The reading as it stands now goes into its game, or begins one.

        A second time it leads there again, and what was told since is put right in the game. With `rest`, the tiles
        that the phone showed as still to be looked at are taken as told; with `learn`, what was told teaches.
        """
        self._responder.check_open()
        photos, seen = await self._found(request), await self._seen(request)
        async with sent_form(request) as form:
            confirmed, learn = _sent_tiles(str(form.get("rest", ""))), bool(form.get("learn"))
            expected = sent_number(form.get("revision"), say("the number of the revision"))
            kept = {part for part in TablePart if form.get(part) == "game"}
        try:
            async with photos.writing:
                if photos.accepted is None:
                    await self._check_game(photos, expected)
                await self._services.readings.confirm(photos, confirmed)
                # Another phone may have told of a tile meanwhile.
                seen = await self._services.readings.seen(photos)
                if photos.accepted is None:
                    toast = await self._take_over(photos, seen, kept, expected, self._responder.seat(request))
                elif photos.taken in ("", format_json(seen.position)):
                    toast = None
                else:
                    toast = await self._put_right(photos, seen, self._responder.seat(request))
        except ImpossiblePositionError as error:
            return await self._read_page(request, photos, seen, str(error))
        if learn:
            await self._services.readings.teach(photos, self._services.today)
        game = open_table(self._services.history.current(GameKey(str(photos.accepted))).text)
        place = f"/games/{photos.accepted}"
        asks_who_plays = game.mover is None and not game.is_over and toast is not GONE_ON
        return self._responder.go_on(request, f"{place}/players" if asks_who_plays else place, toast)

    async def _check_game(self, photos: SentPhotos, expected: int | None) -> None:
        """Raises ConflictError where the game that photos are for has gone on since they were shown beside it."""
        game = await self._game(photos)
        if game is not None and expected not in (None, game.revision.number):
            raise ConflictError(
                say("The game has gone on meanwhile: look at what the photo shows against the game as it is now.")
            )

    async def _take_over(
        self,
        photos: SentPhotos,
        seen: SeenTable,
        kept: Collection[TablePart],
        expected: int | None,
        seat: Seat,
    ) -> Phrase | None:
        """Make a game of a reading, or take it into its own; what is to be said of that."""
        if photos.game is None:
            await self._services.readings.accept(photos, await self._begin(seen), seen.position)
            return None
        game = await self._game(photos, seat)
        assert game is not None, "the game that photos were sent for is never None"
        before = game.game.position
        position = photographed(game.game, seen.on_board(before.board).position, kept)
        if position == before:
            await self._services.readings.accept(photos, game.key, seen.position)
            return say("The photo shows the table as the game has it.")
        if faults := _new_faults(game, position):
            raise ImpossiblePositionError(faults)
        await self._change(game, position, expected)
        await self._services.readings.accept(photos, game.key, seen.position)
        return say("The game goes on with what the photo shows.")

    async def _put_right(self, photos: SentPhotos, seen: SeenTable, seat: Seat) -> Phrase:
        """Take what was told since the reading went into a game into that game; what is to be said of that."""
        game = await game_view(self._responder, GameKey(str(photos.accepted)), seat)
        before = game.game.position
        position = told_since(game.game, parse_position(photos.taken), seen.position)
        if position is None:
            return GONE_ON
        if photos.game is not None and (faults := _new_faults(game, position)):
            raise ImpossiblePositionError(faults)
        if position != before:
            await self._change(game, position, game.revision.number)
        await self._services.readings.accept(photos, game.key, seen.position)
        return say("The game goes on with what the photo shows.")

    async def _change(self, game: GameView, position: Position, expected: int | None) -> None:
        after = await asyncio.to_thread(game.going_on, position)
        await change(self._responder, game, after, READ, expected)

    async def _begin(self, seen: SeenTable) -> str:
        outcome = seen.table.outcome
        names, date = ({}, "") if outcome is None else (dict(outcome.names), sent_day(outcome.date))
        place = "" if outcome is None else sent_name(outcome.place)
        key, _ = await begin_game(self._responder, seen.position, names, told=str.__str__(READ), date=date, place=place)
        return key

    async def _game(self, photos: SentPhotos, seat: Seat = None) -> GameView | None:
        """The game that photos were sent for, as it stands, for a phone in a seat; None for photos of a new one."""
        return None if photos.game is None else await game_view(self._responder, GameKey(photos.game), seat)

    async def _checked_squares(self, photos: SentPhotos) -> list[int]:
        """The tiles that are to be looked at, in order."""
        game = await self._game(photos)
        seen = await self._services.readings.seen(photos)
        return [check.square for check in tile_checks(seen, _compared(seen, game))]

    async def _found(self, request: Request) -> SentPhotos:
        return await found_photos(self._services.readings, request)

    async def _seen(self, request: Request) -> SeenTable:
        return await self._services.readings.seen(await self._found(request))


async def found_photos(readings: Readings, request: Request) -> SentPhotos:
    """The photos of an address. Raises HTTPException if they are gone, or never were."""
    photos = await readings.find(request.path_params["reading"])
    if photos is None:
        raise HTTPException(410, say("This photo is no longer kept: take a new one."))
    return photos


def parsed_square(request: Request) -> int:
    """The square that an address names. Raises HTTPException for none."""
    try:
        return parse_square(request.path_params["square"])
    except (NotationError, KeyError, ValueError):
        raise HTTPException(404) from None


def _sent_tiles(text: str) -> dict[int, Tile]:
    """Tiles by square as a button names them ("c3=V5:yy a1=S15"). Raises NotationError for what is none."""
    pairs = [part.partition("=") for part in text.split()]
    try:
        return {parse_square(name): parse_tile(tile) for name, _, tile in pairs}
    except ValueError as error:
        raise NotationError(error.args[0]) from None


def _new_faults(game: GameView, after: Position) -> tuple[Problem, ...]:
    """What comes into a game that cannot be, as far as the seat sees (rules 12.2)."""
    return new_faults(game.position, seen_position(after, game.seat))


def _compared(seen: SeenTable, game: GameView | None) -> Board | None:
    """The board that a photo is held against, if there is one."""
    return None if game is None else board_to_compare(seen, game.game.position.board)


def _place_of_questions(photos: SentPhotos) -> str:
    """Where on the page the next question stands."""
    questions = photos.seen.open_questions if photos.seen is not None else ()
    return f"q-{questions[0].label}" if questions else "taking"


def _picture(request: Request, content: bytes | None) -> Response:
    """A picture of a reading, which never changes; a phone asks whether it is still there before it shows it again."""
    if content is None:
        raise HTTPException(404)
    headers = {"Cache-Control": "private, no-cache", "ETag": '"as-read"'}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="image/jpeg", headers=headers)
