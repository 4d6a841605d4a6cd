"""The table itself: the game as it stands, its tiles put right, undone and done again, and news of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from companion.errors import ConflictError, ImpossiblePositionError, NotationError
from companion.history.results import whole_record
from companion.language.phrase import say
from companion.notation.records.lines import parse_record
from companion.rules.engine.game import legal_actions
from companion.rules.engine.legality import problems
from companion.rules.engine.scoring import player_points
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES
from companion.table.seats import may_ask, seen_lines, sees_all
from companion.table.tiles import box_left, tile_fields, told_tile
from companion.web.events import Event
from companion.web.game_views import (
    NOT_OVER,
    GameView,
    NoBoardError,
    change,
    check_revision,
    game_of,
    keep_result,
    requested_view,
    sent_number,
)
from companion.web.late_forms import merged_tile, said_of_tile, shown_position
from companion.web.reading_pages import NOTHING_TYPED, parsed_square
from companion.web.responder import Responder
from companion.web.uploads import sent_form

REVISION = say("the number of the revision")


def game_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _GamePages(responder)
    return [
        Route("/games/{key}", pages.game),
        Route("/games/{key}/events", pages.events),
        Route("/games/{key}/tiles/{square}", pages.tile),
        Route("/games/{key}/tiles/{square}", pages.tell_tile, methods=["POST"]),
        Route("/games/{key}/undo", pages.undo, methods=["POST"]),
        Route("/games/{key}/redo", pages.redo, methods=["POST"]),
    ]


class _GamePages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def game(self, request: Request) -> Response:
        try:
            seen = await requested_view(self._responder, request)
        except NoBoardError:
            return self._responder.go_on(request, f"/games/{request.path_params['key']}/score")
        game = seen.game
        record = whole_record(await asyncio.to_thread(self._services.history.parts, seen.key))
        lines = [] if record is None else list(seen_lines(parse_record(record), seen.seat, over=game.is_over))
        return self._responder.page(
            request,
            "game.html",
            seen.context,
            state=game.state,
            bids=_open_bids(seen),
            scores=_live_points(seen),
            sees_all=sees_all(seen.game, seen.seat),
            told=None,
            owes_refill=game.owes_refill,
            is_over=game.is_over,
            hides_points=seen.hides_points,
            seed=seen.kept.settings.get("seed"),
            lines=lines,
            impossible=_why_impossible(seen),
        )

    async def events(self, request: Request) -> Response:
        """News of the game; the first event says which revision is current, for a phone that was away."""
        seen = await requested_view(self._responder, request)

        async def current() -> Event:
            revision = await asyncio.to_thread(self._services.history.current, seen.key)
            return Event("changed", revision.number)

        return StreamingResponse(
            self._services.hub.subscribe(seen.key, current),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    async def tile(self, request: Request) -> Response:
        seen = await requested_view(self._responder, request)
        return self._responder.page(request, "tile.html", _tile_context(seen, parsed_square(request)))

    async def tell_tile(self, request: Request) -> Response:
        """A tile of the board put right by hand: the game goes on from there."""
        self._responder.check_open()
        square = parsed_square(request)
        async with sent_form(request) as form:
            fields = {name: str(value) for name, value in form.items()}
        expected = sent_number(fields.get("revision"), REVISION)
        while True:
            # Looked at after the form has come, and again as often as somebody else is quicker.
            seen = await requested_view(self._responder, request)
            with suppress(ConflictError):
                return await self._keep_tile(request, seen, square, fields, expected)

    async def _keep_tile(
        self, request: Request, seen: GameView, square: int, sent: Mapping[str, str], expected: int | None
    ) -> Response:
        """Keep what a form tells of a tile. Raises ConflictError where the game is another by now."""
        try:
            before = await asyncio.to_thread(shown_position, self._services, seen, expected)
            told = merged_tile(None if before is None else before.board[square], sent, seen.game.position.board[square])
            if told.told_by_both:
                return self._tile_page(request, seen, square, told.fields, told.fault(said_of_tile), status=409)
            tile = told_tile(told.fields)
        except NotationError as error:
            return self._tile_page(request, seen, square, sent, str(error), status=422)
        board = list(seen.game.position.board)
        board[square] = tile
        game = await asyncio.to_thread(seen.going_on, seen.game.position.with_board(tuple(board)))
        words = say("{tile} put right", tile=SQUARE_NAMES[square])
        await change(self._responder, seen, game, words, seen.revision.number)
        return self._responder.go_on(request, f"/games/{seen.key}", words)

    def _tile_page(
        self, request: Request, seen: GameView, square: int, typed: Mapping[str, str], fault: str, *, status: int
    ) -> Response:
        """The form of a tile, with what was `typed` in it, and why that was not kept."""
        context = _tile_context(seen, square, typed)
        return self._responder.page(request, "tile.html", context, status=status, fault=fault)

    async def undo(self, request: Request) -> Response:
        return await self._step(request, back=True)

    async def redo(self, request: Request) -> Response:
        return await self._step(request, back=False)

    async def _step(self, request: Request, *, back: bool) -> Response:
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
        check_revision(seen, expected)
        if not (seen.can_undo if back else seen.can_redo):
            if seen.revision.can_undo if back else seen.revision.can_redo:
                raise HTTPException(403, NOT_OVER)
            words = say("There is nothing to undo.") if back else say("There is nothing to do again.")
            return self._responder.go_on(request, f"/games/{seen.key}", words)
        step = self._services.history.undo if back else self._services.history.redo
        # From the revision that was looked at, so that it leads to where the seat may go.
        revision = await asyncio.to_thread(step, seen.key, expected=seen.revision.number)
        self._services.hub.publish(seen.key, "changed", revision.number)
        await keep_result(self._responder, revision, await asyncio.to_thread(game_of, revision))
        return self._responder.go_on(request, f"/games/{seen.key}", say("Undone.") if back else say("Done again."))


def _why_impossible(seen: GameView) -> str | None:
    """Why the game does not go on by the rules, where that is because its position cannot be; None if it can."""
    faults = problems(seen.position) if seen.game.playing is None else ()
    return str(ImpossiblePositionError(faults)) if faults else None


def _open_bids(seen: GameView) -> list[PlaceBid]:
    """The bids that can be placed now, for whoever may place one: they tell what the bidder can pay (rules 3, 12.2)."""
    state = seen.visible.state
    if state is None or not seen.game.is_bidding or not may_ask(seen.game, seen.seat):
        return []
    return [action for action in legal_actions(state) if isinstance(action, PlaceBid)]


def _tile_context(seen: GameView, square: int, typed: Mapping[str, str] = NOTHING_TYPED) -> dict[str, object]:
    position = seen.game.position
    return {
        "key": seen.key,
        "revision": seen.revision.number,
        "square": square,
        "typed": tile_fields(position.board[square]) | dict(typed),
        "offers": [],
        "crop_url": None,
        "left": box_left(position.board, square, len(position.colours)),
    }


def _live_points(seen: GameView) -> dict[object, int] | None:
    """Everybody's points as far as they are known; None where the table, or the seat, is not to see them."""
    position = seen.game.position
    if not sees_all(seen.game, seen.seat) or (seen.hides_points and not seen.game.is_over):
        return None
    return {colour: player_points(position, colour) for colour in position.colours}
