"""What helps a player: hints, in three levels, and advice on bids, thought about beside; and what the rules say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.advisor.bid_wording import purpose
from companion.advisor.turn_wording import best_sentence, reasons, sure_words
from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.printing.core.rule_texts import rule_text, topic_names
from companion.table.advising import TableAdvice
from companion.table.photos import TableReading
from companion.table.seats import may_ask, thought_about
from companion.web.pages.game_visit import GameView, GameVisit, game_get
from companion.web.pages.visit import Visit, get, own_path, picture
from companion.web.store.jobs import Job
from companion.web.store.sent_photos import SentPhotos
from companion.web.store.worker import freest

if TYPE_CHECKING:
    from companion.printing.hint.drawing import TurnMarks


_NOT_YOUR_TURN = say("Hints are for the player whose turn it is; this phone has another seat.")
DRAW_TURN = "companion.table.photo_reading:draw_turn"
_LEVELS = {1: AdviceLevel.NUDGE, 2: AdviceLevel.PATH, 3: AdviceLevel.FULL}


async def _hint(visit: GameVisit) -> Response:
    view, level = visit.view, _level(visit)
    if await _is_past(visit):
        asks = view.game.mover is not None and not view.game.is_over and may_ask(view.game, view.seat)
        return visit.page("past.html", level=level, may_ask=asks)
    _check_seat(visit)
    if view.game.is_over or view.game.mover is None:
        raise UnusableInputError(say("The game is over.") if view.game.is_over else say("say whose turn it is first"))
    photos = None if view.game.is_bidding else await _shown_on(visit)
    context: dict[str, object] = {
        "level": level,
        "told": _LEVELS[level],
        "address": visit.request.url.path,
        "is_bid": view.game.is_bidding,
        "number": 1,
        **dict.fromkeys(("one", "line", "bids", "assumed", "photo_url")),
        "turn_count": 0,
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
    number = _number(visit, hint.result)
    if hint.result.best:
        context |= _turn_context(hint.result, number, view)
        if seen is not None:
            url = f"{visit.address}/hint-on-photo.jpg?level={level}&turn={number}&revision={view.revision.number}"
            context |= {"photo_url": url, "photo_size": seen.size}
    return visit.page("hint.html", context | _bid_context(hint.result), stage="done", hides_points=view.hides_points)


async def _is_past(visit: GameVisit) -> bool:
    """Whether the game has gone on since the revision of which an address has the hint: who asked knows another one."""
    view, before = visit.view, await visit.view.at(visit.expected)
    return before is None or thought_about(before, view.seat) != thought_about(view.game, view.seat)


async def _on_photo(visit: GameVisit) -> Response:
    """A turn of the hint as numbered arrows on the photo that the board was read from."""
    _check_seat(visit)
    photos = await _shown_on(visit)
    seen = None if photos is None else photos.seen
    if seen is None:
        raise HTTPException(404)
    advice = _asked(visit, photos).result if visit.view.game.mover else None
    if advice is None or not advice.best:
        raise HTTPException(404)
    from companion.printing.hint.drawing import turn_marks

    marks = turn_marks(advice.best[_number(visit, advice) - 1], _LEVELS[_level(visit)])
    return picture(await drawn_turn(visit, seen, marks))


async def drawn_turn(visit: GameVisit, seen: TableReading, marks: TurnMarks) -> bytes:
    """A turn as numbered arrows on a photo, drawn by whichever process has time."""
    worker, bare = freest(visit.services.workers), replace(seen, crops={})
    drawn: bytes = await worker.run(DRAW_TURN, bare, marks, visit.language)
    return drawn


def _check_seat(visit: GameVisit) -> None:
    if not may_ask(visit.view.game, visit.seat):
        raise HTTPException(403, _NOT_YOUR_TURN)


def _asked(visit: GameVisit, photos: SentPhotos | None) -> Job[TableAdvice]:
    alternatives = None if photos is None or photos.seen is None else photos.seen.alternatives
    return visit.services.adviser.ask(visit.view.key, thought_about(visit.view.game, visit.seat), alternatives)


def _turn_context(advice: TableAdvice, number: int, view: GameView) -> dict[str, object]:
    """One turn of a hint, its number counted from 1."""
    one = advice.best[number - 1]
    assert advice.turns is not None, "turns are advised"
    return {
        "assumed": advice.assumed,
        "to_move": advice.to_move,
        "advised_board": advice.turns.position.board,
        "turn_count": len(advice.best),
        "number": number,
        "one": one,
        "reasons": reasons(one, with_outlook=not view.hides_points),
        "line": advice.lines[number - 1],
        "sentence_of_turn": best_sentence(one, advice.to_move, view.called),
        "sure": sure_words(one),
        "is_toss": _is_toss(one),
    }


def _is_toss(turn: AdvisedTurn) -> bool:
    """Whether a turn and the one that it is compared with lie no further apart than the estimate may be wrong."""
    apart = turn.next_best or turn.behind
    return turn.equal or apart.is_level or abs(apart.value) <= (apart.error or 0.0)


def _number(visit: GameVisit, advice: TableAdvice) -> int:
    """Which turn of a hint an address asks for, from 1."""
    asked = visit.request.query_params.get("turn", "")
    return int(asked) if asked in map(str, range(1, len(advice.best) + 1)) else 1


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


# What the rules say of a djinn, a tribe, a tile, a card.


async def _rules(visit: Visit) -> Response:
    """What can be asked."""
    kinds = {kind: [(name, rule_text(name, visit.language)) for name in names] for kind, names in topic_names().items()}
    return visit.page("rules.html", kinds=kinds, text=None, back="/")


async def _rule(visit: Visit) -> Response:
    """What the rules say of one thing, and the way back to the page that named it."""
    name = visit.param("name")
    if not any(name in names for names in topic_names().values()):
        raise HTTPException(404)
    back = own_path(visit.request.query_params.get("from", "/rules"))
    return visit.page("rules.html", kinds={}, text=rule_text(name, visit.language), back=back)


ROUTES = (
    game_get("/hint", _hint),
    game_get("/bid", _hint),
    game_get("/hint-on-photo.jpg", _on_photo),
    get("/rules", _rules),
    get("/rules/{name}", _rule),
)
