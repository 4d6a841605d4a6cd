"""Hints, in three levels, and advice on bids: thought about beside, shown when they are there."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.advisor.advice import AdviceLevel
from companion.advisor.wording import TurnWords, bid_words, outlook, plays_words, purpose
from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.table.advising import TableAdvice
from companion.table.photos import SeenTable, cut_homography
from companion.table.seats import Seat, may_ask, thought_about
from companion.web.games import GameVisit, game_get
from companion.web.jobs import Job
from companion.web.photos import SentPhotos
from companion.web.visit import picture

_NOT_YOUR_TURN = say("Hints are for the player whose turn it is; this phone has another seat.")
_LEVELS = {1: AdviceLevel.NUDGE, 2: AdviceLevel.PATH, 3: AdviceLevel.FULL}


async def _hint(visit: GameVisit) -> Response:
    view, level = visit.view, _level(visit)
    _check_seat(visit)
    if view.game.is_over or view.game.mover is None:
        raise UnusableInputError(say("The game is over.") if view.game.is_over else say("First say whose turn it is."))
    hint, photos = _asked(visit), None if view.game.is_bidding else await _shown_on(visit)
    # Its photo is read anew meanwhile; by the time the hint is there it mostly is, too.
    unread = photos is not None and photos.seen is None
    context: dict[str, object] = {"level": level, "told": _LEVELS[level], "bids": None, "words": [], "lines": []}
    if not hint.has_ended or (not hint.fault and unread):
        share = (hint.share + photos.job.share) / 2 if photos is not None and unread else hint.share
        return visit.page("hint.html", context, stage="thinking", share=round(share, 3))
    if hint.result is None:
        return visit.page("hint.html", context, status=422, stage="done", fault=hint.fault)
    photo = None if photos is None or hint.result.turns is None else photos.seen
    url = f"{visit.address}/hint-on-photo.jpg?level={level}&revision={view.revision.number}"
    return visit.page(
        "hint.html",
        context | _advice_context(hint.result),
        stage="done",
        hides_points=view.hides_points,
        photo_url=None if photo is None else url,
        photo_size=None if photo is None else _size_for(photo, view.seat),
    )


async def _on_photo(visit: GameVisit) -> Response:
    """The first turn of the hint as numbered arrows on the photo that the board was read from."""
    _check_seat(visit)
    photos = await _shown_on(visit)
    advice = _asked(visit).result if visit.view.game.mover else None
    if photos is None or photos.seen is None or advice is None or not advice.words:
        raise HTTPException(404)
    words, language, level = advice.words[0], visit.language, _level(visit)
    content = await asyncio.to_thread(_drawn_on, photos.seen, visit.seat, words, language, level)
    return picture(content)


def _check_seat(visit: GameVisit) -> None:
    if not may_ask(visit.view.game, visit.seat):
        raise HTTPException(403, _NOT_YOUR_TURN)


def _asked(visit: GameVisit) -> Job[TableAdvice]:
    return visit.services.adviser.ask(visit.view.key, thought_about(visit.view.game, visit.seat))


async def _shown_on(visit: GameVisit) -> SentPhotos | None:
    return await visit.services.photos.shown_on(visit.view.key, visit.view.game.position.board)


def _level(visit: GameVisit) -> int:
    """How much of a hint is told: 1 where to look, 2 the path, 3 all of it."""
    return {"1": 1, "2": 2, "3": 3}.get(visit.request.query_params.get("level", ""), 1)


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
        words, lines = list(advice.words), list(advice.lines)
        return {**context, "words": words, "lines": lines, "board": advice.turns.position.board}
    if advice.bids is None or not advice.bids.bids:
        return context
    bids = advice.bids
    return {
        **context,
        "bids": bids,
        "purposes": [purpose(bids, bid) for bid in bids.bids],
        "bid_words": bid_words,
        "plays_words": plays_words,
        "outlook": outlook,
    }


ROUTES = (
    game_get("/hint", _hint),
    game_get("/bid", _hint),
    game_get("/hint-on-photo.jpg", _on_photo),
)
