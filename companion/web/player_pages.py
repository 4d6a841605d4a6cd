"""Who plays, in which order, and what lies in front of each player."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, ConflictError, Problem, fault_line
from companion.language.phrase import Phrase, joined, say, term
from companion.notation.names import parse_djinn
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.engine.scoring import category_name
from companion.rules.engine.setup import can_play
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Phase, Player, Position
from companion.table.comparing import new_faults
from companion.table.games import why_no_record, with_names
from companion.table.order import ToldOrder, changes_by, is_beginning, on_tracks_unticked, order_of, with_order
from companion.table.seats import may_change, seen_position
from companion.web.game_pages import REVISION
from companion.web.game_views import (
    GameView,
    change,
    check_revision,
    game_of,
    requested_view,
    sent_names,
    sent_number,
)
from companion.web.responder import Responder
from companion.web.setup_form import WHO_CAN_PLAY
from companion.web.uploads import sent_form

_COUNTED = ("gold", "viziers", "elders", "fakirs")

_CHANGED = say(
    "What this player has was changed meanwhile. What you typed stands here still: if it holds now too, keep it."
)
_NOT_YOURS = say("What others hold in hand is theirs to tell; the table's own phone tells everybody's.")


def player_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _PlayerPages(responder)
    return [
        Route("/games/{key}/players", pages.players),
        Route("/games/{key}/players", pages.tell_players, methods=["POST"]),
        Route("/games/{key}/players/{colour}", pages.player),
        Route("/games/{key}/players/{colour}", pages.tell_player, methods=["POST"]),
    ]


class _PlayerPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def players(self, request: Request) -> Response:
        seen = await requested_view(self._responder, request)
        return self._players_page(request, seen, order_of(seen.position), seen.names)

    def _players_page(
        self,
        request: Request,
        seen: GameView,
        told: ToldOrder,
        names: Mapping[Colour, str],
        fault: str | None = None,
        *,
        status: int = 200,
    ) -> Response:
        """The form, with what was `told` in it where that was refused."""
        position = seen.position
        bids = position.phase is Phase.BID and position.bid_order is not None
        return self._responder.page(
            request,
            "players.html",
            seen.context | {"names": names},
            status=status,
            told=told,
            begins=is_beginning(position),
            bids=bids,
            placed=(position.turn_order or ()) if bids else (),
            fault=fault,
        )

    async def tell_players(self, request: Request) -> Response:
        """Who plays, with names, and in which order; with enough of that the game goes on by the rules."""
        self._responder.check_open()
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            names = sent_names(form)
            # Looked at after the form has come: somebody else may have changed the game meanwhile.
            seen = await requested_view(self._responder, request)
            order = _sent_order(form, begins=is_beginning(seen.position))
        try:
            check_revision(seen, expected)
            return await self._keep_players(request, seen, order, names, expected)
        except ConflictError as error:
            now = await requested_view(self._responder, request)
            # The order is shown as it is now; names were typed.
            return self._players_page(request, now, order_of(now.position), names, str(error), status=409)

    async def _keep_players(
        self,
        request: Request,
        seen: GameView,
        order: ToldOrder,
        names: Mapping[Colour, str],
        expected: int | None,
    ) -> Response:
        """Keep who plays and in which order. Raises ConflictError if somebody else was first."""
        toast = None
        if not changes_by(seen.game.position, order):
            # The game knows more of its order than the form shows.
            game = with_names(seen.game, names)
        elif amiss := _faults_of(order):
            return self._players_page(request, seen, order, names, joined("\n", amiss), status=422)
        else:
            position = with_order(seen.game.position, order)
            visible = seen_position(position, seen.seat)
            if wrong := [one.message for one in new_faults(seen.position, visible) if _is_of_the_form(one)]:
                return self._players_page(request, seen, order, names, joined("\n", wrong), status=422)
            game = await asyncio.to_thread(seen.going_on, position, names)
            why = "" if game.playing is not None else await asyncio.to_thread(why_no_record, visible)
            toast = say("Kept; turns are played each by itself for now: {why}", why=why) if why else None
        if game.text != seen.game.text:
            await change(self._responder, seen, game, say("players told"), expected)
        # Names that were taken out of the form are nobody's any more.
        all_names = {colour: names.get(colour, "") for colour in game.position.colours}
        if all_names != {colour: seen.names.get(colour, "") for colour in game.position.colours}:
            await asyncio.to_thread(self._services.history.name_players, seen.key, all_names)
            self._services.hub.publish(seen.key, "changed", None)
        return self._responder.go_on(request, f"/games/{seen.key}", toast)

    async def player(self, request: Request) -> Response:
        seen = await requested_view(self._responder, request)
        return self._player_page(request, seen, asked_colour(request, seen))

    def _player_page(
        self,
        request: Request,
        seen: GameView,
        colour: Colour,
        typed: TypedHoldings | None = None,
        fault: str | None = None,
        *,
        status: int = 200,
    ) -> Response:
        """The form, with what was `typed` in it where that was refused."""
        return self._responder.page(
            request,
            "player.html",
            seen.context,
            status=status,
            colour=colour,
            typed=typed or holdings_typed(seen.position.player(colour)),
            djinns=list(DJINNS),
            fault=fault,
        )

    async def tell_player(self, request: Request) -> Response:
        """What lies in front of a player: whatever else has changed at the table since the form was looked at."""
        self._responder.check_open()
        async with sent_form(request) as form:
            while True:
                # Looked at after the form has come, and again as often as somebody else is quicker.
                seen = await requested_view(self._responder, request)
                with suppress(ConflictError):
                    return await self._keep_player(request, seen, form)

    async def _keep_player(self, request: Request, seen: GameView, form: FormData) -> Response:
        """Keep what a form tells of a player. Raises ConflictError where the game is another by now."""
        colour, typed = asked_colour(request, seen), _typed_holdings(form)
        try:
            expected = sent_number(form.get("revision"), REVISION)
            if not await asyncio.to_thread(self._holds_the_same, seen, colour, expected):
                return self._player_page(request, seen, colour, typed, _CHANGED, status=409)
            position = _with_holdings(seen, sent_player(form, colour))
        except CompanionError as error:
            return self._player_page(request, seen, colour, typed, str(error), status=422)
        game = await asyncio.to_thread(seen.going_on, position)
        told = say("what {player} holds", player=term(colour))
        await change(self._responder, seen, game, told, seen.revision.number)
        return self._responder.go_on(request, f"/games/{seen.key}", say("Kept."))

    def _holds_the_same(self, seen: GameView, colour: Colour, number: int | None) -> bool:
        """Whether a player has now what he had at a revision, which may be gone."""
        if number in (None, seen.revision.number):
            return True
        looked_at = self._services.history.revision(seen.key, number)
        game = None if looked_at is None else game_of(looked_at)
        return game is not None and game.position.player(colour) == seen.game.position.player(colour)


def _faults_of(told: ToldOrder) -> list[Phrase]:
    """What cannot be of who plays and in which order, whatever the position is."""
    if told.plays and not can_play(told.plays):
        return [WHO_CAN_PLAY]
    return [
        say(
            "{player} is on a track or plays next, but is not ticked: tick that player, or choose another one there",
            player=term(colour),
        )
        for colour in on_tracks_unticked(told)
    ]


def _is_of_the_form(problem: Problem) -> bool:
    """Whether the form of players alone can bring a fault: markers on one track, or on both (rules 2.1)."""
    return problem.where in ("bid_order", "turn_order") or problem.rule == "2.1"


def asked_colour(request: Request, seen: GameView) -> Colour:
    """The player of an address, whom the seat may look at."""
    return colour_to_tell(request.path_params["colour"], seen)


def colour_to_tell(name: str, seen: GameView) -> Colour:
    """The player of a colour, whom the seat may look at. Raises HTTPException for another, or for none.

    Where nobody is known to play it may be anybody.
    """
    position = seen.game.position
    if name not in set(Colour) or (position.players and name not in position.colours):
        raise HTTPException(404)
    colour = Colour(name)
    if not may_change(seen.game, seen.seat, colour):
        raise HTTPException(403, _NOT_YOURS)
    return colour


def _with_holdings(seen: GameView, player: Player) -> Position:
    """The position with what a seat tells of a player, checked against what the seat sees and nothing else.

    Raises CompanionError with the faults that come in by it: a wrong number must not tell what others hold (rules
    12.2). What others told stays as it is.
    """
    position = seen.game.position.with_player(player)
    if wrong := [fault_line(problem) for problem in new_faults(seen.position, seen_position(position, seen.seat))]:
        raise CompanionError(joined("\n", wrong))
    return position


def _sent_order(form: FormData, *, begins: bool) -> ToldOrder:
    """Who plays and in which order, as far as a form tells; before the first bid it asks for the bid order alone."""
    mover = form.get("to_move")
    return ToldOrder(
        tuple(colour for colour in Colour if colour in form.getlist("plays")),
        Colour(str(mover)) if mover in set(Colour) else None,
        tuple(Colour(one) for one in _parts(form, "order") if one in set(Colour)),
        tuple(Colour(one) for one in _parts(form, "played") if one in set(Colour)),
        bidding=begins or bool(form.get("bidding")),
    )


def _parts(form: FormData, field: str) -> list[str]:
    """The values of a field that is there several times, or once with commas."""
    return [part.strip() for value in form.getlist(field) for part in str(value).split(",") if part.strip()]


@dataclass(frozen=True, slots=True)
class TypedHoldings:
    """What a form of a player shows in its fields: numbers by the fields' names, as they were typed."""

    numbers: Mapping[str, str]
    djinns: tuple[str, ...]
    djinns_known: bool


def holdings_typed(player: Player) -> TypedHoldings:
    """What a player has as a form shows it; fields of what is not known are empty."""
    counts = zip(GOODS, player.goods or (None,) * len(GOODS), strict=True)
    known = {name: getattr(player, name) for name in _COUNTED} | {f"goods.{good}": count for good, count in counts}
    numbers = {name: "" if number is None else str(number) for name, number in known.items()}
    return TypedHoldings(numbers, player.djinns or (), player.djinns is not None)


def _typed_holdings(form: FormData) -> TypedHoldings:
    """What somebody typed into the form of a player, right or wrong."""
    names = (*_COUNTED, *(f"goods.{good}" for good in GOODS))
    djinns = tuple(str(name) for name in form.getlist("djinns"))
    return TypedHoldings({name: str(form.get(name, "")) for name in names}, djinns, bool(form.get("djinns_known")))


def sent_player(form: FormData, colour: Colour) -> Player:
    """What a form tells of a player; what was left empty is not known.

    Raises UnusableInputError or NotationError for what is no number and no djinn.
    """
    numbers = {name: sent_number(form.get(name), category(name)) for name in _COUNTED}
    goods = [sent_number(form.get(f"goods.{good}"), term(good)) for good in GOODS]
    djinns = tuple(parse_djinn(str(name)) for name in form.getlist("djinns"))
    known = bool(djinns) or bool(form.get("djinns_known"))
    return Player(
        colour,
        **numbers,
        goods=None if all(count is None for count in goods) else tuple(count or 0 for count in goods),
        djinns=djinns if known else None,
    )


def category(name: str) -> Phrase:
    """What a number that a player has is called."""
    return term("fakir", plural=True) if name == "fakirs" else category_name(name)
