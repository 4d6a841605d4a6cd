"""Hints, in three levels, and advice on bids: thought about beside, shown when they are there."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.advisor.level import AdviceLevel
from companion.advisor.wording import TurnWords, bid_words, outlook, plays_words, purpose
from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.table.advising import TableAdvice
from companion.table.photos import SeenTable, cut_homography
from companion.table.seats import Seat, may_ask, thought_about
from companion.web.game_views import requested_view
from companion.web.responder import Responder, page_language

_NOT_YOUR_TURN = say("Hints are for the player whose turn it is; this phone has another seat.")


def hint_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _HintPages(responder)
    return [
        Route("/games/{key}/hint", pages.hint),
        Route("/games/{key}/bid", pages.hint),
        Route("/games/{key}/hint-on-photo.jpg", pages.on_photo),
    ]


class _HintPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def hint(self, request: Request) -> Response:
        seen = await requested_view(self._responder, request)
        if not may_ask(seen.game, seen.seat):
            raise HTTPException(403, _NOT_YOUR_TURN)
        level = _level(request)
        context: dict[str, object] = {
            **seen.context,
            "level": level,
            "told": _LEVELS[level],
            "bids": None,
            "words": [],
            "lines": [],
        }
        if seen.game.is_over or seen.game.mover is None:
            raise UnusableInputError(
                say("The game is over.") if seen.game.is_over else say("Say first whose turn it is.")
            )
        asked = self._services.adviser.ask(seen.key, thought_about(seen.game, seen.seat))
        photos = None
        if not seen.game.is_bidding:
            photos = await self._services.readings.shown_on(seen.key, seen.game.position.board)
        share = asked.share
        if photos is not None and photos.seen is None:
            # Its photo is read anew meanwhile; by the time the hint is there it mostly is, too.
            share = (asked.share + photos.share) / 2
        if not asked.is_ready or (asked.advice is not None and photos is not None and photos.seen is None):
            return self._responder.page(request, "hint.html", context, stage="thinking", share=round(share, 3))
        if asked.advice is None:
            return self._responder.page(request, "hint.html", context, status=422, stage="done", fault=asked.fault)
        photo = None if photos is None or asked.advice.turns is None else photos.seen
        url = f"/games/{seen.key}/hint-on-photo.jpg?level={level}&revision={seen.revision.number}"
        return self._responder.page(
            request,
            "hint.html",
            context | _advice_context(asked.advice),
            stage="done",
            hides_points=seen.hides_points,
            photo_url=None if photo is None else url,
            photo_size=None if photo is None else _size_for(photo, seen.seat),
        )

    async def on_photo(self, request: Request) -> Response:
        """The first turn of the hint as numbered arrows on the photo that the board was read from."""
        seen = await requested_view(self._responder, request)
        if not may_ask(seen.game, seen.seat):
            raise HTTPException(403, _NOT_YOUR_TURN)
        photos = await self._services.readings.shown_on(seen.key, seen.game.position.board)
        photo = None if photos is None else photos.seen
        advice = (
            self._services.adviser.ask(seen.key, thought_about(seen.game, seen.seat)).advice
            if seen.game.mover
            else None
        )
        if photo is None or advice is None or not advice.words:
            raise HTTPException(404)
        level = _level(request)
        content = await asyncio.to_thread(_drawn_on, photo, seen.seat, advice.words[0], page_language(request), level)
        return Response(content, media_type="image/jpeg")


_LEVELS = {1: AdviceLevel.NUDGE, 2: AdviceLevel.PATH, 3: AdviceLevel.FULL}


def _level(request: Request) -> int:
    """How much of a hint is told: 1 where to look, 2 the path, 3 all of it."""
    return {"1": 1, "2": 2, "3": 3}.get(request.query_params.get("level", ""), 1)


def _part_for(photo: SeenTable, seat: Seat) -> tuple[int, int, int, int]:
    """The part of a photo that a seat gets: the board alone, since around it somebody's things may lie (rules 12.2)."""
    return (0, 0, *photo.size) if seat is None else photo.board_box


def _size_for(photo: SeenTable, seat: Seat) -> tuple[int, int]:
    left, top, right, bottom = _part_for(photo, seat)
    return right - left, bottom - top


def _drawn_on(seen: SeenTable, seat: Seat, words: TurnWords, language: str, level: int) -> bytes:
    import io

    import numpy as np
    from PIL import Image

    from companion.printing.hint.picture import photo_picture

    reading = seen.table.reading
    assert seen.view is not None and reading.homography is not None
    left, top, right, bottom = _part_for(seen, seat)
    photo = np.asarray(Image.open(io.BytesIO(seen.view)).convert("RGB"))[top:bottom, left:right, ::-1]
    feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(reading.tiles)}
    homography = cut_homography(reading.homography, left, top)
    return photo_picture(photo, homography, feet, words, (), ".jpg", level=_LEVELS[level], language=language)


def _advice_context(advice: TableAdvice) -> dict[str, object]:
    context: dict[str, object] = {"assumed": advice.assumed, "to_move": advice.to_move}
    if advice.turns is not None:
        words = list(advice.words)
        return {**context, "words": words, "lines": list(advice.lines), "board": advice.turns.position.board}
    if advice.bids is None or not advice.bids.bids:
        return context
    bids = advice.bids
    return {
        **context,
        "bids": bids,
        "purposes": [purpose(bids, one) for one in bids.bids],
        "bid_words": bid_words,
        "plays_words": plays_words,
        "outlook": outlook,
    }
