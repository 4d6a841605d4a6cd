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
from companion.rules.engine.djinns import DJINNS
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
    requested_view,
    sent_names,
    sent_number,
)
from companion.web.late_forms import field_words, merged, shown_position
from companion.web.responder import Responder
from companion.web.setup_form import WHO_CAN_PLAY
from companion.web.uploads import sent_form

_COUNTED = ("gold", "viziers", "elders", "fakirs")

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
            seen.context | {"names": names, "shown_names": seen.names},
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
            while True:
                # Looked at after the form has come, and again as often as somebody else is quicker.
                seen = await requested_view(self._responder, request)
                with suppress(ConflictError):
                    return await self._merge_players(request, seen, form)

    async def _merge_players(self, request: Request, seen: GameView, form: FormData) -> Response:
        """Keep what a form tells of the players. Raises ConflictError where the game is another by now."""
        position = seen.game.position
        before = await self._shown(seen, form)
        order = _sent_order(form, begins=is_beginning(before or position))
        names, now = sent_names(form), {colour: seen.names.get(colour, "") for colour in Colour}
        shown = {colour: str(form.get(f"shown_name_{colour.value}", name)) for colour, name in now.items()}
        told = merged(
            None if before is None else _players_fields(order_of(before), shown),
            _players_fields(order, names),
            _players_fields(order_of(position), now),
        )
        order, names = _told_players(told.fields)
        if told.told_by_both:
            return self._players_page(request, seen, order, names, told.fault(_said_of_players), status=409)
        return await self._keep_players(request, seen, order, names)

    async def _keep_players(
        self,
        request: Request,
        seen: GameView,
        order: ToldOrder,
        names: Mapping[Colour, str],
    ) -> Response:
        """Keep who plays and in which order. Raises ConflictError where the game is another by now."""
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
            await change(self._responder, seen, game, say("players told"), seen.revision.number)
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
        colour, sent = asked_colour(request, seen), _typed_holdings(form)
        try:
            before = await self._shown(seen, form)
        except CompanionError as error:
            return self._player_page(request, seen, colour, sent, str(error), status=422)
        told = merged(
            None if before is None else _as_fields(holdings_typed(before.player(colour))),
            _as_fields(sent),
            _as_fields(holdings_typed(seen.game.position.player(colour))),
        )
        typed = _from_fields(told.fields)
        if told.told_by_both:
            return self._player_page(request, seen, colour, typed, told.fault(_said), status=409)
        try:
            position = _with_holdings(seen, told_player(typed, colour))
        except CompanionError as error:
            return self._player_page(request, seen, colour, typed, str(error), status=422)
        game = await asyncio.to_thread(seen.going_on, position)
        words = say("what {player} holds", player=term(colour))
        await change(self._responder, seen, game, words, seen.revision.number)
        return self._responder.go_on(request, f"/games/{seen.key}", say("Kept."))

    async def _shown(self, seen: GameView, form: FormData) -> Position | None:
        """The position that a form was made of, see `shown_position`. Raises UnusableInputError for no number."""
        number = sent_number(form.get("revision"), REVISION)
        return await asyncio.to_thread(shown_position, self._services, seen, number)


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


def _players_fields(told: ToldOrder, names: Mapping[Colour, str]) -> dict[str, str]:
    """All that a form of the players tells, whether each plays by itself."""
    return {
        **{f"plays {colour}": "yes" if colour in told.plays else "" for colour in Colour},
        **{f"name {colour}": names.get(colour, "") for colour in Colour},
        "to_move": told.to_move or "",
        "order": " ".join(told.order),
        "played": " ".join(told.played),
        "bidding": "yes" if told.bidding else "",
    }


def _told_players(fields: Mapping[str, str]) -> tuple[ToldOrder, dict[Colour, str]]:
    """Who plays and in which order, and the names, as fields tell it."""
    order = ToldOrder(
        tuple(colour for colour in Colour if fields[f"plays {colour}"]),
        Colour(fields["to_move"]) if fields["to_move"] else None,
        tuple(map(Colour, fields["order"].split())),
        tuple(map(Colour, fields["played"].split())),
        bidding=bool(fields["bidding"]),
    )
    return order, {colour: name for colour in Colour if (name := fields[f"name {colour}"])}


def _said_of_players(field: str, value: str) -> Phrase:
    """A field of the players' form in words; whether somebody plays two phones that have changed it have told alike."""
    if field.startswith("name "):
        return field_words(say("Name of {player}", player=term(field.removeprefix("name "))), value)
    what = {"to_move": say("Who plays next?"), "order": say("to play or to bid"), "played": say("have played")}[field]
    return field_words(what, joined(", ", [term(colour) for colour in value.split()]))


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


_DJINN = "djinn "


def _as_fields(typed: TypedHoldings) -> dict[str, str]:
    """All that a form of a player tells, each djinn by itself."""
    djinns = {_DJINN + name: "yes" if name in typed.djinns else "" for name in dict.fromkeys((*DJINNS, *typed.djinns))}
    return {**typed.numbers, **djinns, "djinns_known": "yes" if typed.djinns_known else ""}


def _from_fields(fields: Mapping[str, str]) -> TypedHoldings:
    djinns = tuple(
        name.removeprefix(_DJINN) for name, is_there in fields.items() if name.startswith(_DJINN) and is_there
    )
    numbers = {name: text for name, text in fields.items() if not name.startswith("djinn")}
    return TypedHoldings(numbers, djinns, bool(fields["djinns_known"]))


def _said(field: str, value: str) -> Phrase:
    """A number that a player has, in words; of djinns two phones that have changed one have told it alike."""
    if field == "gold":
        return field_words(say("gold coins"), value)
    return field_words(term(field.removeprefix("goods.")) if field.startswith("goods.") else category(field), value)


def told_player(typed: TypedHoldings, colour: Colour) -> Player:
    """What a form tells of a player; what was left empty is not known.

    Raises UnusableInputError or NotationError for what is no number and no djinn.
    """
    numbers = {name: sent_number(typed.numbers[name], category(name)) for name in _COUNTED}
    goods = [sent_number(typed.numbers[f"goods.{good}"], term(good)) for good in GOODS]
    djinns = tuple(map(parse_djinn, typed.djinns))
    return Player(
        colour,
        **numbers,
        goods=None if all(count is None for count in goods) else tuple(count or 0 for count in goods),
        djinns=djinns if djinns or typed.djinns_known else None,
    )


def category(name: str) -> Phrase:
    """What a number that a player has is called."""
    return term("fakir", plural=True) if name == "fakirs" else category_name(name)
