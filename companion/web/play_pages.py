"""Turns, bids and what came in a clean-up, played by the rules with a tap; the end of the game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, ConflictError, UnusableInputError
from companion.language.phrase import Phrase, say, term
from companion.notation.names import in_english
from companion.notation.records.steps import Observation, parse_observation
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.actions import PlaceBid
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH
from companion.table.games import TableGame, bid_placed, ended, played, refilled
from companion.table.playing import wanted_words
from companion.table.seats import may_ask
from companion.web.game_pages import REVISION
from companion.web.game_views import (
    NOT_YOUR_TURN,
    GameView,
    change,
    check_revision,
    keep_result,
    requested_view,
    sent_number,
)
from companion.web.responder import Responder
from companion.web.turn_pages import told_by_taps, turn_page
from companion.web.uploads import sent_form

MAX_LINE = 2000

MAX_CAME = 20
"""More cards or djinns than a clean-up brings."""


def play_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _PlayPages(responder)
    return [
        Route("/games/{key}/play", pages.play, methods=["POST"]),
        Route("/games/{key}/bid", pages.bid, methods=["POST"]),
        Route("/games/{key}/refill", pages.refill_form),
        Route("/games/{key}/refill", pages.refill, methods=["POST"]),
        Route("/games/{key}/finish", pages.finish, methods=["POST"]),
    ]


class _PlayPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    async def play(self, request: Request) -> Response:
        """A turn as a line of the record; what it draws is asked for, one thing after another.

        A line that is refused stays in its field, where there is a turn to be told.
        """
        seen = await self._opened(request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            line = str(form.get("line", ""))[:MAX_LINE]
            drawn = [str(one)[:MAX_LINE] for one in form.getlist("seen") if str(one).strip()]
        typed, line = line, _whole_line(seen.game, line)
        try:
            check_revision(seen, expected)
            parts = _seen_parts(drawn)
            after = await asyncio.to_thread(seen.told, lambda game: played(game, line, parts))
        except ChanceNeededError as needed:
            return self._drawn_page(request, seen, line, drawn, needed)
        except CompanionError as error:
            return await self._refused_page(request, seen, typed, error)
        return await self._went_on(request, seen, after, line, expected)

    async def _refused_page(self, request: Request, seen: GameView, line: str, error: CompanionError) -> Response:
        """The page that asks for the turn, with the line; raises the error where nobody has a turn to tell now."""
        try:
            told = await asyncio.to_thread(told_by_taps, seen)
        except CompanionError:
            raise error from None
        status = 409 if isinstance(error, ConflictError) else 422
        return turn_page(self._responder, request, seen, told, line=line, fault=str(error), status=status)

    def _drawn_page(
        self, request: Request, seen: GameView, line: str, drawn: Sequence[str], needed: ChanceNeededError
    ) -> Response:
        return self._responder.page(
            request,
            "play.html",
            seen.context,
            line=line,
            drawn=list(drawn),
            wanted=wanted_words(needed),
            kind=needed.wanted,
            djinns=[name for name in DJINNS if name in needed.options] or list(DJINNS),
        )

    async def bid(self, request: Request) -> Response:
        seen = await self._opened(request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            price = sent_number(form.get("price"), say("the bid"))
            fakirs = sent_number(form.get("fakirs"), term("fakir", plural=True))
        check_revision(seen, expected)
        if price is None:
            raise HTTPException(422, say("Say what is bid."))
        bid = PlaceBid(price, fakirs or 0)
        after = await asyncio.to_thread(seen.told, lambda game: bid_placed(game, bid))
        told = say("{player} bids {price}", player=seen.game.mover, price=price)
        await change(self._responder, seen, after, told, expected)
        return self._responder.go_on(request, f"/games/{seen.key}", told)

    async def refill_form(self, request: Request) -> Response:
        """What came in the clean-up, told by taps: one card after another, then the djinns."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        if not seen.game.owes_refill:
            raise UnusableInputError(say("the row was filled up already: the game has gone on"))
        asked = request.query_params
        told = _Came(tuple(asked.getlist("card")[:MAX_CAME]), tuple(asked.getlist("djinn")[:MAX_CAME]))
        try:
            check_revision(seen, sent_number(asked.get("revision"), REVISION))
            return await self._refill_page(request, seen, told)
        except CompanionError as error:
            return await self._refill_page(request, seen, _Came(), str(error))

    async def _refill_page(self, request: Request, seen: GameView, told: _Came, fault: str | None = None) -> Response:
        """The page that asks for what came next, if the clean-up wants more; all that can come by the rules is offered.

        Raises what the rules say of cards and djinns that cannot have come.
        """
        kind, options = await asyncio.to_thread(_still_to_come, seen.visible, told)
        position, place = seen.game.position, f"/games/{seen.key}/refill"

        def address(came: _Came) -> str:
            fields = [("revision", str(seen.revision.number))]
            fields += [("card", card) for card in came.cards] + [("djinn", djinn) for djinn in came.djinns]
            return f"{place}?{urlencode(fields)}"

        back = told.without_the_last()
        return self._responder.page(
            request,
            "refill.html",
            seen.context,
            status=200 if fault is None else 422,
            cards=ROW_LENGTH - len(position.row or ()),
            djinns=FACE_UP_DJINNS - len(position.djinns or ()),
            kind=kind,
            told_cards=told.cards,
            told_djinns=told.djinns,
            offered={name: address(told.with_one(kind, name)) for name in options},
            back=None if back is None else address(back),
            fault=fault,
        )

    async def refill(self, request: Request) -> Response:
        """What came into the row and beside the djinns at the end of a round (rules 8.1)."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            parts = [str(one) for name in ("cards", "djinns") for one in form.getlist(name) if str(one).strip()]
        check_revision(seen, expected)
        try:
            came = parse_observation(in_english(", ".join(parts)))
            after = await asyncio.to_thread(seen.told, lambda game: refilled(game, came))
        except CompanionError as error:
            if not seen.game.owes_refill:
                raise
            return await self._refill_page(request, seen, _Came(), str(error))
        told = say("the row is filled up")
        await change(self._responder, seen, after, told, expected)
        return self._responder.go_on(request, f"/games/{seen.key}", told)

    async def finish(self, request: Request) -> Response:
        """The game is over: its result is kept."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
        check_revision(seen, expected)
        if seen.game.is_over:
            await keep_result(self._responder, seen.revision, seen.game)
        else:
            position = ended(seen.game.position)
            after = await asyncio.to_thread(seen.going_on, position)
            await change(self._responder, seen, after, say("the game is over"), expected)
        return self._responder.go_on(request, f"/games/{seen.key}/score")

    async def _opened(self, request: Request) -> GameView:
        """The game of an address, in which the seat may decide something now."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        if not may_ask(seen.game, seen.seat):
            raise HTTPException(403, NOT_YOUR_TURN)
        return seen

    async def _went_on(
        self, request: Request, seen: GameView, after: TableGame, line: str, expected: int | None
    ) -> Response:
        told: Phrase = say("{line} played", line=line)
        await change(self._responder, seen, after, told, expected)
        if after.is_over:
            return self._responder.go_on(request, f"/games/{seen.key}/score", say("The game is over."))
        place = "/refill" if after.owes_refill else ""
        return self._responder.go_on(request, f"/games/{seen.key}{place}", told)


@dataclass(frozen=True, slots=True)
class _Came:
    """What was told of a clean-up so far: cards in the row's order, and djinns."""

    cards: tuple[str, ...] = ()
    djinns: tuple[str, ...] = ()

    def with_one(self, kind: str, name: str) -> _Came:
        """With one thing more of that kind."""
        if kind == "djinn":
            return replace(self, djinns=(*self.djinns, name))
        return replace(self, cards=(*self.cards, name))

    def without_the_last(self) -> _Came | None:
        """Without what was told last; None if nothing was."""
        if self.djinns:
            return replace(self, djinns=self.djinns[:-1])
        return replace(self, cards=self.cards[:-1]) if self.cards else None


def _still_to_come(game: TableGame, told: _Came) -> tuple[str, list[str]]:
    """The kind of what comes next, "card" or "djinn", and what it can be; "" and nothing when all is told."""
    if len(told.cards) > ROW_LENGTH - len(game.position.row or ()):
        raise UnusableInputError(say("the row has no room for so many cards"))
    try:
        refilled(game, Observation(told.cards, told.djinns))
    except ChanceNeededError as needed:
        if needed.wanted == "card" and told.djinns:
            raise UnusableInputError(say("tell the cards first, then the djinns")) from None
        return needed.wanted, [name for name, number in needed.options.items() if number]
    return "", []


def _whole_line(game: TableGame, line: str) -> str:
    """The line with the mover's colour before it, as a record has it."""
    line = " ".join(line.split())
    if game.mover is None or ":" in line.partition(";")[0].partition(">")[0]:
        return line
    return f"{game.mover.value}: {line}"


def _seen_parts(drawn: Sequence[str]) -> list[Observation]:
    """What was told of things drawn, one after another."""
    return [parse_observation(in_english(one)) for one in drawn]
