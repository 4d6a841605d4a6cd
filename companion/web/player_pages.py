"""Who plays, in which order, and what lies in front of each player."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, fault_line
from companion.language.phrase import Phrase, joined, say, term
from companion.notation.names import parse_djinn
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.engine.scoring import category_name
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Player, Position
from companion.table.comparing import new_faults
from companion.table.games import is_set_up, why_no_record, with_players
from companion.table.seats import may_change, seen_position
from companion.web.game_pages import REVISION
from companion.web.game_views import GameView, change, check_revision, requested_view, sent_names, sent_number
from companion.web.responder import Responder
from companion.web.uploads import sent_form

_OF_THE_FORM = ("bid_order", "turn_order")
"""Where faults lie that the form of players alone can bring."""

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
        return self._players_page(request, seen)

    def _players_page(self, request: Request, seen: GameView, fault: str | None = None, **told: object) -> Response:
        """The form, with what was `told` in it where that was refused."""
        return self._responder.page(
            request,
            "players.html",
            seen.context | told,
            status=200 if fault is None else 422,
            is_set_up=is_set_up(seen.game.position.board),
            fault=fault,
        )

    async def tell_players(self, request: Request) -> Response:
        """Who plays, with names, and in which order; with enough of that the game goes on by the rules."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            check_revision(seen, expected)
            names = sent_names(form)
            try:
                position = _with_order(seen.game.position, form)
            except CompanionError as error:
                return self._players_page(request, seen, str(error), names=names)
        visible = seen_position(position, seen.seat)
        wrong = [one for one in new_faults(seen.position, visible) if one.where in _OF_THE_FORM]
        if wrong:
            fault = joined("\n", [one.message for one in wrong])
            return self._players_page(request, seen, fault, names=names, position=visible)
        game = await asyncio.to_thread(seen.going_on, position, names)
        told = say("players told")
        await change(self._responder, seen, game, told, expected, new_part=seen.game.has_turns)
        # Names that were taken out of the form are nobody's any more.
        all_names = {colour: names.get(colour, "") for colour in position.colours}
        await asyncio.to_thread(self._services.history.name_players, seen.key, all_names)
        why = "" if game.playing is not None else await asyncio.to_thread(why_no_record, visible)
        toast = say("Kept; turns are played each by itself for now: {why}", why=why) if why else None
        return self._responder.go_on(request, f"/games/{seen.key}", toast)

    async def player(self, request: Request) -> Response:
        seen = await requested_view(self._responder, request)
        return self._player_page(request, seen, asked_colour(request, seen))

    def _player_page(self, request: Request, seen: GameView, colour: Colour, fault: str | None = None) -> Response:
        return self._responder.page(
            request,
            "player.html",
            seen.context,
            status=200 if fault is None else 422,
            colour=colour,
            player=seen.position.player(colour),
            djinns=list(DJINNS),
            fault=fault,
        )

    async def tell_player(self, request: Request) -> Response:
        """What lies in front of a player."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        colour = asked_colour(request, seen)
        async with sent_form(request) as form:
            expected = sent_number(form.get("revision"), REVISION)
            check_revision(seen, expected)
            try:
                position = _with_holdings(seen, sent_player(form, colour))
            except CompanionError as error:
                return self._player_page(request, seen, colour, str(error))
        game = await asyncio.to_thread(seen.going_on, position)
        told = say("what {player} holds", player=term(colour))
        await change(self._responder, seen, game, told, expected, new_part=seen.game.has_turns)
        return self._responder.go_on(request, f"/games/{seen.key}", say("Kept."))


def asked_colour(request: Request, seen: GameView) -> Colour:
    """The player of an address, whom the seat may look at."""
    return colour_to_tell(request.path_params["colour"], seen)


def colour_to_tell(name: str, seen: GameView) -> Colour:
    """The player of a colour, whom the seat may look at. Raises HTTPException for another, or for none."""
    if name not in set(Colour):
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


def _with_order(position: Position, form: FormData) -> Position:
    """The position with who plays and in which order, as far as the form tells."""
    plays = [colour for colour in Colour if colour in form.getlist("plays")]
    order = [Colour(str(one)) for one in _parts(form, "order") if one in set(Colour)]
    played = [Colour(str(one)) for one in _parts(form, "played") if one in set(Colour)]
    mover = form.get("to_move")
    to_move = Colour(str(mover)) if mover in set(Colour) else None
    known = replace(
        position,
        players=tuple(position.player(colour) for colour in (plays or position.colours)),
        to_move=to_move,
        phase=None,
        bid_order=None,
        turn_order=None,
    )
    bidding = is_set_up(position.board) or bool(form.get("bidding"))
    if not order:
        if bidding and to_move is not None:
            return replace(with_players(known, [to_move], bidding=True), bid_order=None)
        return known
    if not bidding and to_move is not None and not (order[0] is to_move and order.count(to_move) > 1):
        # The mover's marker has left the track when the turn begins (rules 4.1); he may be told with the others.
        order = [to_move, *(order[1:] if order[0] is to_move else order)]
    return with_players(known, order, played, bidding=bidding)


def _parts(form: FormData, field: str) -> list[str]:
    """The values of a field that is there several times, or once with commas."""
    return [part.strip() for value in form.getlist(field) for part in str(value).split(",") if part.strip()]


def sent_player(form: FormData, colour: Colour) -> Player:
    """What a form tells of a player; what was left empty is not known.

    Raises UnusableInputError or NotationError for what is no number and no djinn.
    """
    numbers = {name: sent_number(form.get(name), category(name)) for name in ("gold", "viziers", "elders", "fakirs")}
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
