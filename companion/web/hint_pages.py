"""Hints, in three levels, and advice on bids: thought about beside, shown when they are there."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.advisor.advice import MOST_ASKED, AdviceLevel, DecidingTile
from companion.advisor.bid_wording import purpose
from companion.advisor.turn_wording import best_sentence, sure_words
from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.notation.files import format_json
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARE_NAMES
from companion.table.advising import TableAdvice
from companion.table.photos import SeenTable
from companion.table.seats import may_ask, thought_about
from companion.web.game_pages import asked_square
from companion.web.games import GameView, GameVisit, game_get, game_of, game_post
from companion.web.jobs import Job
from companion.web.photos import SentPhotos
from companion.web.reading_pages import put_right
from companion.web.visit import picture
from companion.web.worker import freest

_NOT_YOUR_TURN = say("Hints are for the player whose turn it is; this phone has another seat.")
_OFFERED = 3
"""So many readings of a tile are drawn to choose from."""
DRAW_TURN = "companion.table.seeing:draw_turn"
_LEVELS = {1: AdviceLevel.NUDGE, 2: AdviceLevel.PATH, 3: AdviceLevel.FULL}


async def _hint(visit: GameVisit) -> Response:
    view, level = visit.view, _level(visit)
    if await _is_past(visit):
        asks = view.game.mover is not None and not view.game.is_over and may_ask(view.game, view.seat)
        return visit.page("past.html", level=level, may_ask=asks)
    _check_seat(visit)
    if view.game.is_over or view.game.mover is None:
        raise UnusableInputError(say("The game is over.") if view.game.is_over else say("First say whose turn it is."))
    photos = None if view.game.is_bidding else await _shown_on(visit)
    looked = _looked(visit.request.query_params.get("looked", ""))
    context: dict[str, object] = {
        "level": level,
        "told": _LEVELS[level],
        "looked": looked,
        "address": visit.request.url.path,
        "is_bid": view.game.is_bidding,
        "number": 1,
        **dict.fromkeys(("one", "line", "bids", "assumed", "photo_url")),
        "words": [],
    }
    seen = None if photos is None else photos.seen
    if photos is not None and seen is None:
        # Its photo is read anew: what is doubtful there bears on the hint.
        return visit.page("hint.html", context, stage="thinking", share=round(photos.job.share / 2, 3))
    hint = _asked(visit, photos)
    if not hint.has_ended:
        return visit.page("hint.html", context, stage="thinking", share=round(hint.share, 3))
    if hint.result is None:
        return visit.page("hint.html", context, stage="done", fault=hint.fault)
    if seen is not None and looked < MOST_ASKED and not visit.read_only:
        tiles = () if hint.result.turns is None else hint.result.turns.worth_a_look
        if tiles:
            return visit.page("hint.html", context | _look_context(seen, tiles[0]), stage="look")
    number = _number(visit, hint.result)
    if hint.result.words:
        context |= _turn_context(hint.result, number, view)
        if seen is not None:
            url = f"{visit.address}/hint-on-photo.jpg?level={level}&turn={number}&revision={view.revision.number}"
            context |= {"photo_url": url, "photo_size": seen.size}
    return visit.page("hint.html", context | _bid_context(hint.result), stage="done", hides_points=view.hides_points)


async def _is_past(visit: GameVisit) -> bool:
    """Whether the game has gone on since the revision of which an address has the hint: who asked knows another one."""
    view, number = visit.view, visit.expected
    if number in (None, view.revision.number):
        return False
    revision = await asyncio.to_thread(visit.services.history.revision, view.key, number)
    before = None if revision is None else await asyncio.to_thread(game_of, revision)
    return before is None or thought_about(before, view.seat) != thought_about(view.game, view.seat)


async def _on_photo(visit: GameVisit) -> Response:
    """A turn of the hint as numbered arrows on the photo that the board was read from."""
    photos, seen = await _photos_of(visit)
    advice = _asked(visit, photos).result if visit.view.game.mover else None
    if advice is None or not advice.words:
        raise HTTPException(404)
    words = advice.words[_number(visit, advice) - 1]
    worker, bare = freest(visit.services.workers), replace(seen, crops={})
    return picture(await worker.run(DRAW_TURN, bare, words, _LEVELS[_level(visit)], visit.language))


def _check_seat(visit: GameVisit) -> None:
    if not may_ask(visit.view.game, visit.seat):
        raise HTTPException(403, _NOT_YOUR_TURN)


def _asked(visit: GameVisit, photos: SentPhotos | None) -> Job[TableAdvice]:
    alternatives = None if photos is None else photos.alternatives
    return visit.services.adviser.ask(visit.view.key, thought_about(visit.view.game, visit.seat), alternatives)


async def _look(visit: GameVisit) -> Response:
    """What lies on a tile on which the hint hangs; back to the hint."""
    photos, _ = await _photos_of(visit)
    jobs, toast = visit.services.photos, None
    await jobs.tell_tile(photos, asked_square(visit), parse_tile(visit.field("tile")))
    async with photos.writing:
        seen = await jobs.seen(photos)
        if photos.taken not in ("", format_json(seen.position)):
            toast = await put_right(visit, photos, seen)
    level, looked = visit.field("level"), _looked(visit.field("looked")) + 1
    return visit.go_on(f"{visit.address}/hint?level={level if level in '123' else ''}&looked={looked}", toast)


async def _crop(visit: GameVisit) -> Response:
    """A tile that is asked about as the photo shows it, and nothing of what lies around the board (rules 12.2)."""
    _, seen = await _photos_of(visit)
    return picture(seen.crops.get(SQUARE_NAMES[asked_square(visit)]))


async def _photos_of(visit: GameVisit) -> tuple[SentPhotos, SeenTable]:
    """The photos that the board was read from. Raises HTTPException without any, and for another seat."""
    _check_seat(visit)
    photos = await _shown_on(visit)
    if photos is None or photos.seen is None:
        raise HTTPException(404)
    return photos, photos.seen


def _looked(text: str) -> int:
    """How many tiles were looked at for a hint."""
    return int(text) if text in map(str, range(MOST_ASKED + 1)) else 0


def _look_context(seen: SeenTable, tile: DecidingTile) -> dict[str, object]:
    offers = [reading.tile for reading in tile.readings[:_OFFERED]]
    return {"square": tile.square, "offers": offers, "has_crop": SQUARE_NAMES[tile.square] in seen.crops}


def _turn_context(advice: TableAdvice, number: int, view: GameView) -> dict[str, object]:
    """One turn of a hint, its number counted from 1."""
    one = advice.words[number - 1]
    assert advice.turns is not None, "turns are advised"
    return {
        "assumed": advice.assumed,
        "to_move": advice.to_move,
        "advised_board": advice.turns.position.board,
        "words": advice.words,
        "number": number,
        "one": one,
        "line": advice.lines[number - 1],
        "sentence_of_turn": best_sentence(one, advice.to_move, view.called),
        "sure": sure_words(one.turn),
    }


def _number(visit: GameVisit, advice: TableAdvice) -> int:
    """Which turn of a hint an address asks for, from 1."""
    asked = visit.request.query_params.get("turn", "")
    return int(asked) if asked in map(str, range(1, len(advice.words) + 1)) else 1


async def _shown_on(visit: GameVisit) -> SentPhotos | None:
    return await visit.services.photos.shown_on(visit.view.key, visit.view.game.position.board)


def _level(visit: GameVisit) -> int:
    """How much of a hint is told: 1 where to look, 2 the path, 3 all of it."""
    return {"1": 1, "2": 2, "3": 3}.get(visit.request.query_params.get("level", ""), 1)


def _bid_context(advice: TableAdvice) -> dict[str, object]:
    bids = advice.bids
    if bids is None or not bids.bids:
        return {}
    purposes = [purpose(bids, bid) for bid in bids.bids]
    return {"assumed": advice.assumed, "to_move": advice.to_move, "bids": bids, "purposes": purposes}


ROUTES = (
    game_get("/hint", _hint),
    game_get("/bid", _hint),
    game_get("/hint/tiles/{square}.jpg", _crop),
    game_post("/hint/tiles/{square}", _look),
    game_get("/hint-on-photo.jpg", _on_photo),
)
