"""Who plays, in which order, and what lies in front of each player, typed or by photo (rules 12.2)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.errors import CompanionError, Problem, fault_line
from companion.history.kept import GameKey
from companion.language.phrase import Phrase, capitalised, joined, say, term
from companion.notation.names import check_names, parse_djinn
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import category_name
from companion.rules.engine.setup import can_play
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Phase, Player, Position
from companion.system.progress import TellShare
from companion.table.comparing import new_faults
from companion.table.games import why_no_record, with_names
from companion.table.order import PlayerOrder, changes_by, is_beginning, on_tracks_unticked, order_of, with_order
from companion.table.photos import SeenHand
from companion.table.seats import Seat, may_change, seen_position, sees_all
from companion.web.pages.forms import WHO_CAN_PLAY, merged, sent_colours, sent_name, sent_names, sent_number
from companion.web.pages.games import GameView, GameVisit, game_get, game_post, game_view
from companion.web.pages.visit import Visit, picture, post
from companion.web.store.worker import freest

_COUNTED = ("gold", "viziers", "elders", "fakirs")

_NOT_YOURS = say("Each player enters their own hand; the shared phone can enter everybody's.")
_NOT_YOUR_PHOTO = say("This photo belongs to the phone that took it.")

SEE_HAND, ANSWER_HAND = "companion.table.seeing:see_hand", "companion.table.seeing:answer_hand"
"""What looks at photos of a hand, and takes an answer, for a worker."""


# Who plays, and in which order.


async def _players(visit: GameVisit) -> Response:
    """The form; a tap on a marker comes as its address, with all that was typed."""
    sent, position = visit.request.query_params, visit.view.position
    if "tap" not in sent:
        return await _players_page(visit, order_of(position), visit.view.names)
    order, two = _tapped(_sent_order(sent, begins=is_beginning(position)), sent["tap"], is_two=bool(sent.get("two")))
    return await _players_page(visit, order, sent_names(sent), two=two)


def _tapped(order: PlayerOrder, tap: str, *, is_two: bool) -> tuple[PlayerOrder, bool]:
    """The order after a tap, and whether two play: "order 2" takes a marker away, "order blue" puts one there."""
    track, _, which = tap.partition(" ")
    if track == "two":
        return replace(order, order=()), which == "1"
    if track not in ("order", "played"):
        return order, is_two
    now: tuple[Colour, ...] = getattr(order, track)
    if which in set(Colour):
        now = (*now, Colour(which))
    else:
        now = tuple(colour for number, colour in enumerate(now) if str(number) != which)
    now = now[:MARKERS]
    return replace(order, order=now) if track == "order" else replace(order, played=now), is_two


async def _players_page(
    visit: GameVisit,
    order: PlayerOrder,
    names: Mapping[Colour, str],
    fault: CompanionError | str | None = None,
    *,
    two: bool | None = None,
) -> Response:
    """The form, with what was sent in it where that was refused, and what is still missing."""
    position, sent = visit.view.position, visit.request.query_params
    # What a tap was made on stays what the form is held against.
    shown = {colour: sent.get(f"shown_name_{colour.value}", visit.view.names.get(colour, "")) for colour in Colour}
    begins, bids = is_beginning(position), position.phase is Phase.BID and position.bid_order is not None
    placed = [*(position.turn_order or ())] if bids else []
    if two is None:
        two = len(order.plays or set(order.order)) == 2
    plays = {*order.order, *(bid.colour for bid in placed)} if begins or bids else {*order.plays}
    each = {colour: 1 + two - sum(bid.colour is colour for bid in placed) for colour in Colour}
    return visit.page(
        "players.html",
        fault=fault,
        names=names,
        shown_names=shown,
        revision=sent.get("revision") or visit.view.revision.number,
        last_names=await asyncio.to_thread(visit.services.history.names),
        order=order,
        plays=plays,
        two=two,
        each={colour: max(each[colour], order.order.count(colour), order.played.count(colour)) for colour in Colour},
        begins=begins,
        # A form that asked for names keeps them, whatever has begun meanwhile.
        asks_names=begins or any(field.startswith("name_") for field in visit.sent),
        bids=bids,
        opened=bool(fault or (not bids and (order.order or order.played))),
        placed=placed,
        missing=_missing(order, names, two=two) if begins else None,
        is_open=begins or bids or bool(order.to_move or order.order or order.bidding),
        may_end=sees_all(visit.view.game, visit.seat),
    )


def _missing(order: PlayerOrder, names: Mapping[Colour, str], *, two: bool) -> Phrase | None:
    """What a game that begins still lacks to be played (rules 2.1)."""
    if two and len(order.order) < MARKERS:
        return say("Each of two players has two camels: tap all four.")
    if not two and len(order.order) < MIN_PLAYERS:
        return say("Tap the camels of three or four players.")
    left = [name for colour, name in names.items() if colour not in order.order]
    return say("Tap the camel of {name} too, or remove the name.", name=left[0]) if left else None


async def _change_players(visit: GameVisit) -> Response:
    """Who plays, with names, and in which order; with enough of that the game goes on by the rules."""
    view, form, position = visit.view, visit.form, visit.view.game.position
    before = await view.shown(visit.expected)
    now = {colour: view.names.get(colour, "") for colour in Colour}
    shown = {colour: str(form.get(f"shown_name_{colour.value}", name)) for colour, name in now.items()}
    typed = _sent_order(form, begins=is_beginning(before or position))
    # Names are on the form before the first bid alone.
    told = {colour: sent_name(form[f"name_{colour}"]) if f"name_{colour}" in form else now[colour] for colour in Colour}
    sent = {colour: name if colour in typed.plays else "" for colour, name in told.items()} if typed.plays else told
    fault: CompanionError | None
    fields, fault = merged(
        None if before is None else _order_fields(order_of(before), shown),
        _order_fields(typed, sent),
        _order_fields(order_of(position), now),
        _order_label,
    )
    names = {colour: fields[colour] for colour in Colour if fields[colour]}
    plays = tuple(colour for colour in Colour if fields[f"plays {colour}"])
    order = PlayerOrder(plays, *(fields[name] for name in _ORDER))
    try:
        check_names(names.values())
    except CompanionError as error:
        fault = fault or error
    if fault:
        return await _players_page(visit, order, names, fault)
    game, toast = with_names(view.game, names), None
    # Where nothing but names was changed the game knows more of its order than the form shows.
    if changes_by(position, order):
        if faults := _faults_of(order):
            return await _players_page(visit, order, names, joined("\n", faults))
        position = with_order(position, order)
        visible = seen_position(position, view.seat)
        if wrong := [fault.message for fault in new_faults(view.position, visible) if _is_of_the_form(fault)]:
            return await _players_page(visit, order, names, joined("\n", wrong))
        game = await view.going_on(position, names)
        has_tracks = game.playing is None and (order.order or order.played)
        why = await asyncio.to_thread(why_no_record, visible) if has_tracks else ""
        toast = say("Saved; for now each turn is played on its own: {why}", why=why) if why else None
    await view.change(game, say("players entered"))
    await _keep_names(visit, names, game.position.colours)
    return visit.back(toast)


async def _keep_names(visit: GameVisit, names: Mapping[Colour, str], colours: Iterable[Colour]) -> None:
    """Call those players so; a name that was taken away is nobody's any more."""
    changed = {colour: names.get(colour, "") for colour in colours}
    if changed != {colour: visit.view.names.get(colour, "") for colour in changed}:
        await asyncio.to_thread(visit.services.history.name_players, visit.view.key, changed)
        visit.services.hub.publish(visit.view.key, "changed", None)


MARKERS = 4
"""Markers on the bid order track: four people have one each, two have two each (rules 2.1)."""

MIN_PLAYERS = 3
"""With one marker each."""

_ORDER: Mapping[str, Phrase] = {
    "to_move": say("Who plays next?"),
    "order": say("to play or to bid"),
    "played": say("have played"),
    "bidding": say("Bids are open now"),
}
"""Fields of a `PlayerOrder`, and what they are called."""


def _order_fields(order: PlayerOrder, names: Mapping[Colour, str]) -> dict[str, Any]:
    """The fields of the form of players, whether each plays by itself; names by colour."""
    plays = {f"plays {colour}": colour in order.plays for colour in Colour}
    typed = {colour.value: name for colour, name in names.items()}
    return {**plays, **typed, **{name: getattr(order, name) for name in _ORDER}}


def _order_label(name: str) -> Phrase:
    if name in set(Colour):
        return say("Name of {player}", player=term(name))
    return _ORDER.get(name) or capitalised(term(name.removeprefix("plays ")))


def _faults_of(order: PlayerOrder) -> list[Phrase]:
    """What cannot be of who plays and in which order, whatever the position is."""
    if order.plays and not can_play(order.plays):
        return [WHO_CAN_PLAY]
    return [
        say(
            "{player} is on a track, but isn't ticked: tick that player, or choose another one there",
            player=term(colour),
        )
        for colour in on_tracks_unticked(order)
    ]


def _is_of_the_form(problem: Problem) -> bool:
    """Whether the form of players alone can bring a fault: markers on one track, or on both (rules 2.1)."""
    return problem.where in ("bid_order", "turn_order") or problem.rule == "2.1"


def _sent_order(form: FormData | QueryParams, *, begins: bool) -> PlayerOrder:
    """Who plays and in which order, as far as a form says; before the first bid it asks for the bid order alone."""
    plays, to_move = sent_colours(form, "plays"), form.get("to_move")
    mover = Colour(str(to_move)) if to_move in set(Colour) else None
    if plays and mover is not None:
        # Whose camels are not on the board yet plays all the same.
        plays = tuple(colour for colour in Colour if colour in (*plays, mover))
    order, played = (
        tuple(Colour(part) for part in ",".join(map(str, form.getlist(name))).split(",") if part in set(Colour))
        for name in ("order", "played")
    )
    return PlayerOrder(
        plays,
        mover,
        order,
        played,
        bidding=begins or bool(form.get("bidding")),
    )


# What lies in front of a player.


def _typed(player: Player, name: str) -> dict[str, Any]:
    """What a player has as fields of a form: numbers, "" for what is not known, each djinn by itself, and the name."""
    counts = zip(GOODS, player.goods or (None,) * len(GOODS), strict=True)
    known = {name: getattr(player, name) for name in _COUNTED} | {f"goods.{good}": count for good, count in counts}
    numbers = {name: "" if number is None else str(number) for name, number in known.items()}
    djinns = {name: name in (player.djinns or ()) for name in DJINNS}
    return {**numbers, **djinns, "djinns_known": player.djinns is not None, "name": name}


def _sent_holdings(form: FormData) -> dict[str, Any]:
    """What somebody typed into the form of a player, right or wrong, as `_typed` has it."""
    numbers = {name: str(form.get(name, "")) for name in (*_COUNTED, *(f"goods.{good}" for good in GOODS))}
    djinns = dict.fromkeys(DJINNS, False) | dict.fromkeys(map(str, form.getlist("djinns")), True)
    return {**numbers, **djinns, "djinns_known": bool(form.get("djinns_known")), "name": sent_name(form.get("name"))}


def _player_of(typed: Mapping[str, Any], colour: Colour) -> Player:
    """A player as a form has it; what was left empty is not known.

    Raises UnusableInputError or NotationError for what is no number and no djinn.
    """
    numbers = {name: sent_number(typed[name], _category(name)) for name in _COUNTED}
    goods = [sent_number(typed[f"goods.{good}"], term(good)) for good in GOODS]
    djinns = tuple(parse_djinn(name) for name, value in typed.items() if value is True and name != "djinns_known")
    return Player(
        colour,
        **numbers,
        goods=None if all(count is None for count in goods) else tuple(count or 0 for count in goods),
        djinns=djinns if djinns or typed["djinns_known"] else None,
    )


def _category(name: str) -> Phrase:
    if name in DJINNS or name.startswith("goods."):
        return term(name.removeprefix("goods."))
    if name == "djinns_known":
        return say("These are all the djinns")
    if name == "name":
        return say("Name")
    return term("fakir", plural=True) if name == "fakirs" else category_name(name)


async def _player(
    visit: GameVisit, typed: Mapping[str, Any] | None = None, fault: CompanionError | None = None
) -> Response:
    """The form, with what was `typed` in it where that was refused."""
    colour = asked_colour(visit)
    name = visit.view.names.get(colour, "")
    typed = typed or _typed(visit.view.position.player(colour), name)
    names = await asyncio.to_thread(visit.services.history.names)
    return visit.page("player.html", colour=colour, typed=typed, shown_name=name, last_names=names, fault=fault)


async def _change_player(visit: GameVisit) -> Response:
    """What lies in front of a player, whatever else has changed at the table since the form was looked at."""
    view, colour, sent = visit.view, asked_colour(visit), _sent_holdings(visit.form)
    name = view.names.get(colour, "")
    now, shown_name = _typed(view.game.position.player(colour), name), visit.form.get("shown_name")
    if shown_name is None:
        sent["name"] = shown_name = name
    try:
        before = await view.shown(visit.expected)
        shown = None if before is None else _typed(before.player(colour), str(shown_name))
        sent, fault = merged(shown, sent, now, _category)
        if fault:
            return await _player(visit, sent, fault)
        if sent == now:
            return visit.back(say("Saved."))
        names = {**view.names, colour: sent["name"]}
        if sent["name"] != name:
            check_names(names.values())
        position = view.game.position
        if sent != {**now, "name": sent["name"]}:
            position = with_checked(view, position.with_player(_player_of(sent, colour)))
    except CompanionError as error:
        return await _player(visit, sent, error)
    summary = say("what {player} holds", player=term(colour))
    to = "/score" if view.game.is_over else ""
    answer = await visit.change(await view.going_on(position, names), say("Saved."), summary=summary, to=to)
    await _keep_names(visit, names, [colour])
    return answer


def with_checked(view: GameView, position: Position) -> Position:
    """A position as a seat tells it, checked against what the seat sees and nothing else.

    Raises CompanionError with the faults that come in by it: a wrong number must not tell what others hold (rules
    12.2). What others said stays as it is.
    """
    if wrong := [fault_line(problem) for problem in new_faults(view.position, seen_position(position, view.seat))]:
        raise CompanionError(joined("\n", wrong))
    return position


def asked_colour(visit: GameVisit) -> Colour:
    """The player of an address, whom the seat may look at."""
    return _checked_colour(visit.param("colour"), visit.view)


def _checked_colour(name: str, view: GameView) -> Colour:
    """The player of a colour, whom the seat may look at. Raises HTTPException for another, or for none.

    Where nobody is known to play it may be anybody.
    """
    position = view.game.position
    if name not in set(Colour) or (position.players and name not in position.colours):
        raise HTTPException(404)
    if not may_change(view.game, view.seat, Colour(name)):
        raise HTTPException(403, _NOT_YOURS)
    return Colour(name)


# The same by photo: looked at by that player's seat alone, and kept on that player's word. Nothing is written to disk.


@dataclass(frozen=True, slots=True)
class HandScan:
    """What photos of a player's things showed, of which game they are, and the seat that sent them."""

    hand: SeenHand
    game: GameKey
    colour: Colour
    seat: Seat


async def _send_photos(visit: GameVisit) -> Response:
    colour = asked_colour(visit)
    visit.services.reader.check_room()
    return _begin_scan(visit, visit.view, colour, await visit.photos())


async def _take_from_table(visit: Visit) -> Response:
    """Photos that were sent as of the table and show what a player has: no longer kept, and looked at as a player's."""
    photos = await visit.services.photos.find(visit.param("reading"))
    if photos.game is None:
        raise HTTPException(404)
    view = await game_view(visit.services, photos.game, visit.seat)
    colour = _checked_colour(visit.field("colour"), view)
    visit.services.reader.check_room()
    return _begin_scan(visit, view, colour, await visit.services.photos.withdraw(photos))


def _begin_scan(visit: Visit, view: GameView, colour: Colour, photos: list[bytes]) -> Response:
    place, services = f"/games/{view.key}/players/{colour.value}", visit.services

    async def see(tell: TellShare) -> str:
        # What others hold is not known to a seat, and so to nothing that is told of its photo.
        hand: SeenHand = await services.reader.run(SEE_HAND, photos, view.position, colour, tell=tell)
        return f"{place}/photos/{services.hands.put(HandScan(hand, view.key, colour, view.seat))}"

    words = say("Looking at what {player} has", player=term(colour))
    return visit.go_on(services.jobs.begin(words, see, back=place))


def _scan(visit: GameVisit) -> HandScan:
    """The photos of an address, for the seat that sent them."""
    colour = asked_colour(visit)
    scan: HandScan = visit.services.hands.get(visit.param("scan"))
    if (scan.game, scan.colour, scan.seat) != (visit.view.key, colour, visit.seat):
        raise HTTPException(403, _NOT_YOUR_PHOTO)
    return scan


async def _hand(visit: GameVisit, fault: CompanionError | None = None) -> Response:
    """What was found: first what is in doubt, then the form, filled in."""
    scan = _scan(visit)
    player, name = scan.hand.player(visit.view.position.player(scan.colour)), visit.view.names.get(scan.colour, "")
    return visit.page(
        "hand.html",
        fault=fault,
        scan_key=visit.param("scan"),
        colour=scan.colour,
        hand=scan.hand,
        questions=() if visit.request.query_params.get("fill") else scan.hand.doubts,
        left_open=len(scan.hand.doubts),
        player=player,
        typed=_typed(player, name),
        shown_name=name,
        last_names=(),
    )


async def _hand_photo(visit: GameVisit) -> Response:
    photos = {str(number): photo.content for number, photo in enumerate(_scan(visit).hand.photos, 1)}
    return picture(photos.get(visit.param("number")))


async def _hand_crop(visit: GameVisit) -> Response:
    return picture(_scan(visit).hand.crops.get(visit.param("label")))


async def _answer(visit: GameVisit) -> Response:
    """An answer about a card, a coin or a title; nothing of the game changes by it."""
    scan, key = _scan(visit), visit.param("scan")
    try:
        bare, worker = replace(scan.hand, photos=(), crops={}), freest(visit.services.workers)
        hand: SeenHand = await worker.run(ANSWER_HAND, bare, visit.param("label"), visit.field("name"))
    except CompanionError as error:
        return await _hand(visit, error)
    visit.services.hands.put(replace(scan, hand=replace(hand, photos=scan.hand.photos, crops=scan.hand.crops)), key)
    return visit.go_on(f"{visit.address}/players/{scan.colour.value}/photos/{key}")


_PHOTOS = "/players/{colour}/photos"

ROUTES = (
    game_get("/players", _players),
    game_post("/players", _change_players, merges=True),
    game_get("/players/{colour}", _player),
    game_post("/players/{colour}", _change_player, merges=True),
    game_post(_PHOTOS, _send_photos, reads_form=False),
    post("/readings/{reading}/hand", _take_from_table),
    game_get(_PHOTOS + "/{scan}", _hand),
    game_get(_PHOTOS + "/{scan}/photo-{number}.jpg", _hand_photo),
    game_get(_PHOTOS + "/{scan}/crops/{label}.jpg", _hand_crop),
    game_post(_PHOTOS + "/{scan}/cards/{label}", _answer, checks=False),
)
