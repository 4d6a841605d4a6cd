"""Photos of a game in progress that show what was played: sent, named on a card, and played by a tap."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.photo_turns import PhotoTurns, ShownTurns, left_after, why_no_turn
from companion.errors import ConflictError
from companion.language.phrase import say
from companion.notation.tokens import format_board, whole_number
from companion.table.games import TableGame
from companion.table.seats import Spectator, may_ask, visible_game
from companion.tracking.inference import Verdict
from companion.web.pages.game_visit import GameVisit, game_get, game_post
from companion.web.pages.hint_pages import drawn_turn
from companion.web.pages.visit import CACHE_HEADERS, picture
from companion.web.store.jobs import Job
from companion.web.store.sent_photos import NO_TABLE, SentPhotos

_MOVED_ON = say("The game has changed, so nothing was played.")
_NO_BOARD = say("The photo shows no board.")


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """The photo that a game asks about, as one of its pages shows it.

    It `is_mine` where the phone may say which turn it shows; `waiting` are the photos that are looked at after it.
    There are `turns` once they are known, or a `fault` why there are none.
    """

    photos: SentPhotos
    is_mine: bool
    waiting: int
    turns: PhotoTurns | None = None
    fault: str = ""


async def photo_card(visit: GameVisit) -> PhotoCard | None:
    """The first photo of a game that nobody has decided about; of none there's no card."""
    view, jobs = visit.view, visit.services.photos
    asking = await jobs.asking(view.key)
    if not asking:
        return None
    photos = await jobs.find(asking[0].key)
    card = PhotoCard(photos, may_ask(view.game, visit.seat), len(asking) - 1)
    if photos.codes is not None or photos.job.fault:
        return replace(card, fault=photos.job.fault or NO_TABLE)
    if photos.seen is None:
        return card
    if photos.seen.view is None:
        return replace(card, fault=_NO_BOARD)
    if (first := why_no_turn(view.game)) is not None:
        return replace(card, fault=first)
    before = photos.turns_at
    # By what its mover knows, who sees the card as the shared phone does (rules 12.2).
    seen = visible_game(view.game, view.game.mover or Spectator.SPECTATOR)
    job = jobs.turns(photos, seen, view.revision.number)
    photos.has_moved_on |= 0 < before != photos.turns_at
    return replace(card, turns=job.result, fault=job.fault)


def chosen_turns(visit: GameVisit) -> ShownTurns | None:
    """The turns of a photo that a form or an address names, None where it names none.

    Raises ConflictError if the photo was decided about since, or the game has moved on.
    """
    text = str(visit.sent.get("photo", ""))
    if not text:
        return None
    key, _, number = text.rpartition(".")
    photos = visit.services.photos.known(key)
    turns = None if photos is None or photos.turns is None else photos.turns.result
    place = whole_number(number)
    if (
        photos is None
        or (photos.game, photos.turns_at) != (visit.view.key, visit.view.revision.number)
        or not photos.asks_turn
        or turns is None
        or visit.expected != photos.turns_at
        or place is None
        or place >= len(turns.candidates)
    ):
        raise ConflictError(_MOVED_ON)
    return turns.candidates[place]


async def photo_played(visit: GameVisit, shown: ShownTurns, after: TableGame) -> tuple[str, ShownTurns] | None:
    """Note that the first of the turns that a photo shows was played, and led to a game, which is looked at then.

    What is left that can be played at once is for the same phone, if that may: the name by which forms name it, and
    the turns.
    """
    jobs = visit.services.photos
    photos = await jobs.find(str(visit.sent["photo"]).rpartition(".")[0])
    if len(shown.turns) == 1:
        await jobs.ask_no_more(photos, after.position)
    photos.turns, photos.turns_at, photos.has_moved_on = None, 0, False
    view, left = await visit.reload(), left_after(after, shown)
    if left is None or view.game.text != after.text:
        return None
    # It was said before, and isn't looked for again.
    photos.turns = Job(result=PhotoTurns(Verdict.TURN, (left,), is_sure=True))
    photos.turns_at = view.revision.number
    return (f"{photos.key}.0", left) if may_ask(view.game, visit.seat) else None


async def _send(visit: GameVisit) -> Response:
    """A photo of what was played; where no turn can have been, of the table as it is."""
    game, jobs = visit.view.game, visit.services.photos
    contents, board = await visit.photos(), format_board(game.position.board)
    first = why_no_turn(game)
    if first is not None and visit.home == visit.address:
        photos = await jobs.begin(contents, visit.view.key, board)
        return visit.go_on(f"/readings/{photos.key}", first)
    await jobs.begin(contents, visit.view.key, board, asks_turn=True)
    visit.services.hub.publish(visit.view.key, "photo", None)
    return visit.back()


async def _close(visit: GameVisit) -> Response:
    """A photo shows no turn: it is of the table as it is, or of nothing."""
    photos = await _photos(visit)
    await visit.services.photos.ask_no_more(photos)
    visit.services.hub.publish(visit.view.key, "photo", None)
    return visit.go_on(f"/readings/{photos.key}") if visit.field("to") == "table" else visit.back()


async def _drawn(visit: GameVisit) -> Response:
    """A turn as numbered arrows on its photo."""
    if visit.request.headers.get("if-none-match") == CACHE_HEADERS["ETag"]:
        return Response(status_code=304, headers=CACHE_HEADERS)
    photos = await _photos(visit)
    turns = None if photos.turns is None else photos.turns.result
    if turns is None or photos.seen is None or visit.expected != photos.turns_at:
        raise HTTPException(404)
    asked = visit.param("candidate"), visit.param("turn")
    numbered = {
        (str(place), str(number)): turn
        for place, shown in enumerate(turns.candidates)
        for number, turn in enumerate(shown.turns)
    }
    if asked not in numbered:
        raise HTTPException(404)
    return picture(await drawn_turn(visit, photos.seen, numbered[asked].marks), **CACHE_HEADERS)


async def _shutter(visit: GameVisit) -> Response:
    return visit.page("shutter.html", card=await photo_card(visit))


async def _photos(visit: GameVisit) -> SentPhotos:
    photos = await visit.services.photos.find(visit.param("reading"))
    if photos.game != visit.view.key:
        raise HTTPException(404)
    return photos


ROUTES = (
    game_post("/turn-photos", _send, reads_form=False),
    game_get("/photos/{reading}/{candidate}/{turn}.jpg", _drawn),
    game_post("/photos/{reading}/close", _close, checks=False),
    game_get("/shutter", _shutter, changes=True),
)
