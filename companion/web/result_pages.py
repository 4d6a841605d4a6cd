"""Points explained, and a game to print and to share."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, UnusableInputError
from companion.history.contents import TextKind
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, joined, say
from companion.notation.bgstats import push_link
from companion.notation.codes import encode
from companion.rules.engine.result import GameResult, result_of
from companion.rules.engine.scoring import CATEGORIES
from companion.table.results import result_csv, result_json, result_text, standing
from companion.table.seats import sees_all
from companion.web.answers import Answers, page_language
from companion.web.looks import GameLook, look
from companion.web.uploads import sent_form

_HIDDEN = say(
    "Points and records tell what others hold in hand: until the game is over the table's own phone has them."
)
_UNTIL_THE_END = say("This table hides the points until the end.")
_NO_RECORD = say("There is no record yet: it begins when the order of players is told.")
_NO_PLAYERS = say("Say first who plays.")


def result_routes(answers: Answers) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _ResultPages(answers)
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


class _ResultPages:
    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._services = answers.services

    async def score(self, request: Request) -> Response:
        """The points, line by line; where the table hides them, what can be done about that."""
        seen = await look(self._answers, request)
        if seen.hides_points and not seen.game.is_over and sees_all(seen.game, seen.seat):
            return self._answers.page(request, "hidden.html", seen.context)
        seen, result = await self._counted(request)
        return self._answers.page(
            request,
            "score.html",
            seen.context,
            result=result,
            categories=CATEGORIES,
            bgstats_link=push_link(result, seen.names, played=self._played(seen)),
        )

    async def show_points(self, request: Request) -> Response:
        """The table has changed its mind: points are shown from now on, or hidden again."""
        self._answers.check_open()
        seen = await look(self._answers, request)
        async with sent_form(request) as form:
            hidden = bool(form.get("hide"))
        settings = {**seen.kept.settings, "hide_points": hidden}
        await asyncio.to_thread(self._services.history.set_settings, seen.key, settings)
        # The game is the same; other phones fetch their page anew all the same.
        self._services.hub.tell(seen.key, "changed", None)
        return self._answers.go_on(request, f"/games/{seen.key}" + ("" if hidden else "/score"))

    async def sheet(self, request: Request) -> Response:
        from companion.printing.score.sheet import filled_sheet

        seen, result = await self._counted(request)
        content = await asyncio.to_thread(
            filled_sheet,
            result,
            names=seen.names,
            code=_code(seen),
            language=page_language(request),
            date=seen.kept.date,
            place=seen.kept.place,
        )
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}.pdf")

    async def setup_card(self, request: Request) -> Response:
        """The card of the set-up that the game's record begins with."""
        from companion.printing.setup.card import setup_card

        seen = await look(self._answers, request)
        playing = seen.game.playing
        if playing is None or not sees_all(seen.game, seen.seat):
            raise HTTPException(404)
        position = playing.record.header.setup
        drawn = seen.kept.settings
        content = await asyncio.to_thread(
            setup_card, position, seed=drawn.get("seed"), spread=drawn.get("spread"), language=page_language(request)
        )
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}-setup.pdf")

    async def record(self, request: Request) -> Response:
        """The game as text: its record, part after part, or the position while it is none."""
        seen = await look(self._answers, request)
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        parts = await asyncio.to_thread(self._services.history.parts, seen.key)
        records = [part.text for part in parts if part.kind is TextKind.RECORD] or [parts[-1].text]
        return _file("\n".join(records).encode(), "text/plain; charset=utf-8", f"five-tribes-{seen.kept.date}.txt")

    async def record_pages(self, request: Request) -> Response:
        """The record as pages: result, boards, what each turn brought."""
        from companion.advisor.account import game_told
        from companion.notation.records.replay import replay
        from companion.printing.report.report import game_report

        seen = await look(self._answers, request)
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        if seen.hides_points and not seen.game.is_over:
            raise HTTPException(403, _UNTIL_THE_END)
        if seen.game.playing is None:
            raise UnusableInputError(_NO_RECORD)
        record = seen.game.playing.record

        def drawn() -> bytes:
            return game_report(game_told(replay(record)), language=page_language(request))

        content = await asyncio.to_thread(drawn)
        return _file(content, "application/pdf", f"five-tribes-{seen.kept.date}-record.pdf")

    async def text(self, request: Request) -> Response:
        seen, result = await self._counted(request)
        language = page_language(request)
        text = result_text(result, seen.names, _title(seen), lambda words: translate(words, language))
        return _file(text.encode(), "text/plain; charset=utf-8", f"five-tribes-{seen.kept.date}-result.txt")

    async def json(self, request: Request) -> Response:
        seen, result = await self._counted(request)
        content = result_json(result, seen.names).encode()
        return _file(content, "application/json", f"five-tribes-{seen.kept.date}-result.json")

    async def csv(self, request: Request) -> Response:
        seen, result = await self._counted(request)
        content = result_csv(result, seen.names).encode("utf-8-sig")
        return _file(content, "text/csv; charset=utf-8", f"five-tribes-{seen.kept.date}-result.csv")

    async def picture(self, request: Request) -> Response:
        from companion.printing.report.result_picture import result_picture

        seen, result = await self._counted(request)
        content = await asyncio.to_thread(
            result_picture,
            result,
            names=seen.names,
            title=_title(seen),
            sentence=standing(result, seen.names),
            language=page_language(request),
        )
        return _file(content, "image/png", f"five-tribes-{seen.kept.date}-result.png")

    async def _counted(self, request: Request) -> tuple[GameLook, GameResult]:
        """A game and its points, for a phone that may see them."""
        seen = await look(self._answers, request)
        if not sees_all(seen.game, seen.seat):
            raise HTTPException(403, _HIDDEN)
        if seen.hides_points and not seen.game.is_over:
            raise HTTPException(403, _UNTIL_THE_END)
        result = await asyncio.to_thread(result_of, seen.game.position)
        if not result.scores:
            raise CompanionError(_NO_PLAYERS)
        return seen, result

    def _played(self, seen: GameLook) -> datetime:
        """When the game was played, for lists of plays: at noon of its day, so that a link made twice is the same."""
        zone = self._services.now().tzinfo
        try:
            return datetime.fromisoformat(f"{seen.kept.date}T12:00:00").replace(tzinfo=zone)
        except ValueError:
            return self._services.now()


def _title(seen: GameLook) -> Phrase:
    return joined(", ", [part for part in ("Five Tribes", seen.kept.date, seen.kept.place) if part])


def _code(seen: GameLook) -> str | None:
    try:
        return encode(seen.game.position)
    except CompanionError:
        return None


def _file(content: bytes, kind: str, name: str) -> Response:
    """A file of our own making, shown by a phone where it can."""
    # Its date is as somebody wrote it in a record, and headers take few letters.
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    return Response(content, media_type=kind, headers={"Content-Disposition": f'inline; filename="{name}"'})
