"""A turn that was played on the table, told by taps on its board: each tap is a link, the last one plays it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, ConflictError
from companion.table.seats import may_ask
from companion.table.tapping import MAX_TAPS, TappedTurn, tapped_turn
from companion.web.game_pages import REVISION
from companion.web.game_views import NOT_YOUR_TURN, GameView, check_revision, requested_view, sent_number
from companion.web.responder import Responder


def turn_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _TurnPages(responder)
    return [Route("/games/{key}/turn", pages.turn)]


def turn_page(
    responder: Responder,
    request: Request,
    seen: GameView,
    told: TappedTurn,
    taps: Sequence[str] = (),
    *,
    stops: bool = False,
    line: str = "",
    fault: str | None = None,
    status: int = 200,
) -> Response:
    """The page on which a turn is told: with the taps so far, or with a `line` that was typed and is refused."""
    context = seen.context | _context(seen, told, taps, stops=stops)
    return responder.page(request, "turn.html", context, status=status, line=line, fault=fault)


class _TurnPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    async def turn(self, request: Request) -> Response:
        """What was tapped so far, and what is asked next. Taps on a game that has gone on meanwhile count no more."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        if not may_ask(seen.game, seen.seat):
            raise HTTPException(403, NOT_YOUR_TURN)
        asked = request.query_params
        taps, stops = asked.getlist("tap")[: MAX_TAPS + 1], bool(asked.get("stops"))
        fault: str | None = None
        status = 200
        try:
            check_revision(seen, sent_number(asked.get("revision"), REVISION))
            told = await asyncio.to_thread(told_by_taps, seen, taps, stops)
        except CompanionError as error:
            # Taps that lead nowhere begin anew; a game in which nobody plays now says so on a page of its own.
            if not taps and not isinstance(error, ConflictError):
                raise
            fault, status = str(error), 409 if isinstance(error, ConflictError) else 422
            taps, told = await asyncio.to_thread(_without_the_last, seen, taps if status == 422 else [], stops)
        return turn_page(self._responder, request, seen, told, taps, stops=stops, fault=fault, status=status)


def told_by_taps(seen: GameView, taps: Sequence[str] = (), stops: bool = False) -> TappedTurn:
    """What a seat has told of the turn by taps.

    Raises CompanionError for taps that lead nowhere, and where nobody has a turn now.
    """
    return tapped_turn(seen.visible, taps, stops_for_powers=stops)


def _without_the_last(seen: GameView, taps: list[str], stops: bool) -> tuple[list[str], TappedTurn]:
    """What was told before the tap that leads nowhere; nothing where that is another one than the last."""
    try:
        return taps[:-1], told_by_taps(seen, taps[:-1], stops)
    except CompanionError:
        return [], told_by_taps(seen, [], stops)


def _context(seen: GameView, told: TappedTurn, taps: Sequence[str], *, stops: bool) -> dict[str, object]:
    def address(told_so_far: Sequence[str], *, stopping: bool = stops) -> str:
        fields = [("revision", str(seen.revision.number)), *(("tap", tap) for tap in told_so_far)]
        return f"/games/{seen.key}/turn?{urlencode([*fields, *([('stops', '1')] if stopping else [])])}"

    offered = () if told.question is None else told.question.offered
    return {
        "turn": told,
        "taps": list(taps),
        "stops": stops,
        "links": {tap.square: address([*taps, tap.token]) for tap in offered if tap.square is not None},
        "next": {tap.token: address([*taps, tap.token]) for tap in offered},
        "way": [] if told.start is None else [told.start, *told.path],
        "back": address(taps[: told.back]) if taps else None,
        "anew": address([]),
        "stopping": address([], stopping=True),
    }
