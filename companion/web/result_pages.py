"""Points explained, and a game to print and to share."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeGuard

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, UnusableInputError
from companion.history.contents import contents_of
from companion.history.kept import GameKey, KeptGame
from companion.history.results import whole_record
from companion.history.turn_times import turns_of
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, joined, say
from companion.local_time import noon_of
from companion.notation.codes import encode
from companion.notation.outcome import push_link
from companion.notation.records.lines import parse_record
from companion.notation.spreadsheet import csv_form
from companion.rules.engine.scoring import CATEGORIES, GameResult
from companion.rules.model.components import Colour
from companion.table.counted_games import counted_result
from companion.table.games import TableGame
from companion.table.results import result_csv, result_json, result_text, standing
from companion.table.seats import sees_all
from companion.web.game_views import NoBoardError, requested_view
from companion.web.responder import Responder, page_language
from companion.web.setup_form import MAX_SEED_DIGITS
from companion.web.uploads import sent_form

_HIDDEN = say(
    "Points and records tell what others hold in hand: until the game is over the table's own phone has them."
)
_UNTIL_THE_END = say("This table hides the points until the end.")
_NO_RECORD = say("There is no record yet: it begins when the order of players is told.")
_NO_PLAYERS = say("Say first who plays.")


def result_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _ResultPages(responder)
    return [
        Route("/games/{key}/score", pages.score),
        Route("/games/{key}/points", pages.show_points, methods=["POST"]),
        Route("/games/{key}/sheet.pdf", pages.sheet),
        Route("/games/{key}/record.txt", pages.record),
        Route("/games/{key}/record.pdf", pages.record_pages),
        Route("/games/{key}/setup-card.pdf", pages.setup_card),
        Route("/games/{key}/result.txt", pages.text),
        Route("/games/{key}/result.json", pages.json),
        Route("/games/{key}/result.csv", pages.csv),
        Route("/games/{key}/result.png", pages.picture),
    ]


_MOST = 10**MAX_SEED_DIGITS
"""No seed and no spread is as large."""


class _ResultPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def score(self, request: Request) -> Response:
        """The points, line by line; where the table hides them, what can be done about that."""
        seen = await self._counted(request, hidden_too=True)
        if seen.is_hidden:
            return self._responder.page(request, "hidden.html", seen.context)
        return self._responder.page(
            request,
            "score.html",
            {"key": seen.kept.key, "names": seen.names, "revision": seen.revision} | dict(seen.context),
            result=seen.result,
            categories=CATEGORIES,
            times={colour: time for colour, time in seen.kept.clock.items() if time >= 1},
            turns={colour: turns_of(seen.kept, colour) for colour in seen.kept.clock},
            has_board=seen.game is not None,
            is_kept=seen.kept.finished is not None,
            has_record=seen.game is not None and seen.game.playing is not None,
            bgstats_link=push_link(seen.result, seen.names, played=self._played(seen.kept), place=seen.kept.place),
        )

    async def show_points(self, request: Request) -> Response:
        """The table has changed its mind: points are shown from now on, or hidden again."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            hidden = bool(form.get("hide"))
        await asyncio.to_thread(self._services.history.change_settings, seen.key, {"hide_points": hidden})
        # The game is the same; other phones fetch their page anew all the same.
        self._services.hub.publish(seen.key, "changed", None)
        return self._responder.go_on(request, f"/games/{seen.key}" + ("" if hidden else "/score"))

    async def sheet(self, request: Request) -> Response:
        from companion.printing.score.sheet import filled_sheet

        seen = await self._counted(request)
        content = await asyncio.to_thread(
            filled_sheet,
            seen.result,
            names=seen.names,
            code=_code(seen.game),
            language=page_language(request),
            date=seen.kept.date,
            place=seen.kept.place,
        )
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}.pdf")

    async def setup_card(self, request: Request) -> Response:
        """The card of the set-up that the game's record begins with."""
        from companion.printing.setup.card import setup_card

        seen = await requested_view(self._responder, request)
        playing = seen.game.playing
        if playing is None or not sees_all(seen.game, seen.seat):
            raise HTTPException(404)
        position = playing.record.header.setup
        # A game that was imported may hold anything there.
        seed, spread = (seen.kept.settings.get(name) for name in ("seed", "spread"))
        content = await asyncio.to_thread(
            setup_card,
            position,
            seed=int(seed) if _is_number(seed) else None,
            spread=spread if _is_number(spread) else None,
            language=page_language(request),
        )
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}-setup.pdf")

    async def record(self, request: Request) -> Response:
        """The game as text: its record, with all that was put right, or the position while it is none."""
        seen = await requested_view(self._responder, request)
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        parts = await asyncio.to_thread(self._services.history.parts, seen.key)
        record = await asyncio.to_thread(whole_record, parts)
        return _file(
            (record or parts[-1].text).encode(), "text/plain; charset=utf-8", f"five-tribes-{seen.kept.date}.txt"
        )

    async def record_pages(self, request: Request) -> Response:
        """The record as pages: result, boards, what each turn brought."""
        from companion.advisor.account import game_told
        from companion.notation.records.replay import replay
        from companion.printing.report.report import game_report

        seen = await requested_view(self._responder, request)
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        if seen.hides_points and not seen.game.is_over:
            raise HTTPException(403, _UNTIL_THE_END)
        record = whole_record(await asyncio.to_thread(self._services.history.parts, seen.key))
        if record is None:
            raise UnusableInputError(_NO_RECORD)

        def drawn() -> bytes:
            return game_report(
                game_told(replay(parse_record(record), unchecked_hands=True)), language=page_language(request)
            )

        content = await asyncio.to_thread(drawn)
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}-record.pdf")

    async def text(self, request: Request) -> Response:
        seen = await self._counted(request)
        language = page_language(request)
        text = result_text(seen.result, seen.names, _title(seen.kept), lambda words: translate(words, language))
        return _file(text.encode(), "text/plain; charset=utf-8", f"five-tribes-{seen.kept.date}-result.txt")

    async def json(self, request: Request) -> Response:
        seen = await self._counted(request)
        content = result_json(seen.result, seen.names).encode()
        return _file(content, "application/json", f"five-tribes-{seen.kept.date}-result.json")

    async def csv(self, request: Request) -> Response:
        seen = await self._counted(request)
        content = result_csv(seen.result, seen.names, csv_form(page_language(request)))
        return _file(content, "text/csv; charset=utf-8", f"five-tribes-{seen.kept.date}-result.csv")

    async def picture(self, request: Request) -> Response:
        from companion.printing.report.result_picture import result_picture

        seen = await self._counted(request)
        content = await asyncio.to_thread(
            result_picture,
            seen.result,
            names=seen.names,
            title=_title(seen.kept),
            sentence=standing(seen.result, seen.names),
            language=page_language(request),
        )
        return _file(content, "image/png", f"five-tribes-{seen.kept.date}-result.png")

    async def _counted(self, request: Request, *, hidden_too: bool = False) -> _CountedGame:
        """A game and its points, for a phone that may see them; `hidden_too` to say that the table hides them."""
        try:
            seen = await requested_view(self._responder, request)
        except NoBoardError:
            return await asyncio.to_thread(self._counted_alone, GameKey(request.path_params["key"]))
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        is_hidden = seen.hides_points and not seen.game.is_over
        if is_hidden and not hidden_too:
            raise HTTPException(403, _UNTIL_THE_END)
        result = await asyncio.to_thread(lambda: seen.game.result)
        if not result.scores:
            raise CompanionError(_NO_PLAYERS)
        return _CountedGame(seen.kept, seen.revision.number, result, seen.names, seen.game, seen.context, is_hidden)

    def _counted_alone(self, key: GameKey) -> _CountedGame:
        """A game that was counted on a sheet, without a board."""
        history = self._services.history
        kept, revision = history.game(key), history.current(key)
        result = counted_result(history.parts(key))
        names = {colour: name for colour, name in kept.players.items() if name}
        # A sheet may be of another day than that on which it was kept.
        told = contents_of(revision.text)
        kept = replace(kept, date=told.date or kept.date, place=told.place or kept.place)
        return _CountedGame(kept, revision.number, result, names)

    def _played(self, kept: KeptGame) -> datetime:
        """When the game was played, for lists of plays: at noon of its day, so that a link made twice is the same."""
        return noon_of(kept.date) or self._services.now()


@dataclass(frozen=True, slots=True)
class _CountedGame:
    """A game with its points; `game` is None where no board is known."""

    kept: KeptGame
    revision: int
    result: GameResult
    names: Mapping[Colour, str]
    game: TableGame | None = None
    context: Mapping[str, object] = field(default_factory=dict)
    is_hidden: bool = False


def _title(kept: KeptGame) -> Phrase:
    return joined(", ", [part for part in ("Five Tribes", kept.date, kept.place) if part])


def _code(game: TableGame | None) -> str | None:
    try:
        return None if game is None else encode(game.position)
    except CompanionError:
        return None


def _file(content: bytes, kind: str, name: str) -> Response:
    """A file of our own making, shown by a phone where it can."""
    # Its date is as somebody wrote it in a record, and headers take few letters.
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    return Response(content, media_type=kind, headers={"Content-Disposition": f'inline; filename="{name}"'})


def _is_number(value: object) -> TypeGuard[float]:
    """Whether a setting is a number that a card has room for."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST
