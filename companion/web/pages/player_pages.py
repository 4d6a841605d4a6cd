"""Who plays, in which order, and what lies in front of each player, typed or by photo (rules 12.2)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.question import Question
from companion.asking.sheets import (
    MARKERS,
    answers,
    holdings_sheet,
    names_of,
    order_from,
    player_of,
    players_sheet,
    tokens,
)
from companion.errors import CompanionError, Problem, fault_line
from companion.history.saved import GameKey
from companion.language.phrase import Phrase, joined, say, term
from companion.notation.names import check_names
from companion.rules.engine.setup import can_play
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from companion.system.progress import TellShare
from companion.table.games import why_no_record, with_names
from companion.table.order import PlayerOrder, changes_by, is_beginning, on_tracks_unticked, with_order
from companion.table.photos import HandReading
from companion.table.seats import Seat, may_change, sees_all, visible_position
from companion.web.pages.forms import WHO_CAN_PLAY, filled, sent_lines
from companion.web.pages.game_visit import GameView, GameVisit, game_get, game_post, game_view
from companion.web.pages.visit import Visit, picture, post
from companion.web.store.worker import freest

_NOT_YOURS = say("Each player enters their own hand; the shared phone can enter everybody's.")
_NOT_YOUR_PHOTO = say("This photo belongs to the phone that took it.")

SEE_HAND, ANSWER_HAND = "companion.table.photo_reading:see_hand", "companion.table.photo_reading:answer_hand"
"""What looks at photos of a hand, and takes an answer, for a worker."""


# Who plays, and in which order.


async def _players(visit: GameVisit) -> Response:
    """The form; a tap on a marker comes as its address, with all that was typed."""
    sent, sheet = visit.request.query_params, players_sheet(visit.view.position, visit.view.names)
    if "tap" not in sent:
        return await _players_page(visit, filled(sheet))
    lines, (key, _, which), two = sent_lines(sheet, sent), sent["tap"].partition(" "), bool(sent.get("two"))
    if key == "two":
        lines, two = {**lines, "order": ""}, which == "1"
    elif key in ("order", "played"):
        # A marker is put there by its colour, and taken away by its number.
        now = [one for number, one in enumerate(tokens(lines[key])) if str(number) != which]
        lines[key] = ", ".join([*now, which][:MARKERS] if which in set(Colour) else now)
    return await _players_page(visit, filled(sheet, lines), two=two)


async def _players_page(
    visit: GameVisit,
    asked: Mapping[str, tuple[Question[Any], str]],
    fault: CompanionError | str | None = None,
    *,
    two: bool | None = None,
) -> Response:
    """The form, with what was sent in it where that was refused, and what is still missing."""
    position, sent = visit.view.position, visit.request.query_params
    told = {key: question.parse(line) for key, (question, line) in asked.items()}
    order = order_from(told)
    order = replace(order, bidding=order.bidding or is_beginning(position))
    names = names_of(told)
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
        asked=asked,
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
    if not two and len(order.order) < 3:
        return say("Tap the camels of three or four players.")
    left = [name for colour, name in names.items() if colour not in order.order]
    return say("Tap the camel of {name} too, or remove the name.", name=left[0]) if left else None


async def _change_players(visit: GameVisit) -> Response:
    """Who plays, with names, and in which order; with enough of that the game goes on by the rules."""
    view, position = visit.view, visit.view.game.position
    sheet = players_sheet(position, view.names)
    sent = sent_lines(sheet, visit.form)
    before = await view.shown(visit.expected)
    if is_beginning(before or position):
        sent["bidding"] = "1"
    if plays := {colour for colour in Colour if sent[f"plays {colour}"]}:
        # Whose camels are not on the board yet plays all the same, and who doesn't play has no name.
        sent |= {f"plays {one}": "1" for one in [sent["to_move"]] if one in set(Colour)}
        sent |= {f"name_{one}": "" for one in Colour if one not in {*plays, sent["to_move"]}}
    lines, conflict = await visit.merged_lines(lambda position: players_sheet(position, view.names), sent)
    told = answers(sheet, lines)
    names, order = names_of(told), order_from(told)
    game, toast = with_names(view.game, names), None
    try:
        if conflict:
            raise conflict
        check_names(names.values())
        # Where nothing but names was changed the game knows more of its order than the form shows.
        if changes_by(position, order):
            _check_order(order)
            position = with_order(position, order)
            if wrong := [fault.message for fault in view.new_faults(position) if _is_of_the_form(fault)]:
                raise CompanionError(joined("\n", wrong))
            game = await view.continued(position, names)
            has_tracks = game.playing is None and (order.order or order.played)
            why = await asyncio.to_thread(why_no_record, visible_position(position, view.seat)) if has_tracks else ""
            toast = say("Saved; for now each turn is played on its own: {why}", why=why) if why else None
    except CompanionError as error:
        return await _players_page(visit, filled(sheet, lines), error)
    await view.change(game, say("players entered"))
    await _save_names(visit, names, game.position.colours)
    return visit.back(toast)


async def _save_names(visit: GameVisit, names: Mapping[Colour, str], colours: Iterable[Colour]) -> None:
    """Call those players so; a name that was taken away is nobody's any more."""
    changed = {colour: names.get(colour, "") for colour in colours}
    if changed != {colour: visit.view.names.get(colour, "") for colour in changed}:
        await asyncio.to_thread(visit.services.history.name_players, visit.view.key, changed)
        visit.services.hub.publish(visit.view.key, "changed", None)


def _check_order(order: PlayerOrder) -> None:
    """Raises CompanionError for what cannot be of who plays and in which order, whatever the position is."""
    if order.plays and not can_play(order.plays):
        raise CompanionError(WHO_CAN_PLAY)
    words = [
        say(
            "{player} is on a track, but isn't ticked: tick that player, or choose another one there",
            player=term(colour),
        )
        for colour in on_tracks_unticked(order)
    ]
    if words:
        raise CompanionError(joined("\n", words))


def _is_of_the_form(problem: Problem) -> bool:
    """Whether the form of players alone can bring a fault: markers on one track, or on both (rules 2.1)."""
    return problem.where in ("bid_order", "turn_order") or problem.rule == "2.1"


# What lies in front of a player.


async def _player(
    visit: GameVisit, lines: Mapping[str, str] | None = None, fault: CompanionError | None = None
) -> Response:
    """The form, with the `lines` in it that were refused."""
    colour = asked_colour(visit)
    name, player = visit.view.names.get(colour, ""), visit.view.position.player(colour)
    asked = filled(holdings_sheet(player, name), lines)
    names = await asyncio.to_thread(visit.services.history.names)
    return visit.page("player.html", colour=colour, asked=asked, shown_name=name, last_names=names, fault=fault)


async def _change_player(visit: GameVisit) -> Response:
    """What lies in front of a player, whatever else has changed at the table since the form was looked at."""
    view, colour = visit.view, asked_colour(visit)
    name, position = view.names.get(colour, ""), view.game.position
    now = holdings_sheet(position.player(colour), name)
    lines, fault = await visit.merged_lines(lambda position: holdings_sheet(position.player(colour), name))
    try:
        if fault:
            raise fault
        told = answers(now, lines)
        changed = {key for key, question in now.items() if lines[key] != question.known}
        if not changed:
            return visit.back(say("Saved."))
        names = {**view.names, colour: told["name"]}
        if "name" in changed:
            check_names(names.values())
        if changed - {"name"}:
            position = position.with_player(player_of(colour, told))
            if wrong := list(map(fault_line, view.new_faults(position))):
                raise CompanionError(joined("\n", wrong))
    except CompanionError as error:
        return await _player(visit, lines, error)
    summary = say("what {player} holds", player=term(colour))
    to = "/score" if view.game.is_over else ""
    answer = await visit.change(await view.continued(position, names), say("Saved."), summary=summary, to=to)
    await _save_names(visit, names, [colour])
    return answer


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

    hand: HandReading
    game: GameKey
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
        hand: HandReading = await services.reader.run(SEE_HAND, photos, view.position, colour, tell=tell)
        return f"{place}/photos/{services.hands.put(HandScan(hand, view.key, view.seat))}"

    words = say("Looking at what {player} has", player=term(colour))
    return visit.go_on(services.jobs.begin(words, see, back=place))


def _scan(visit: GameVisit) -> HandScan:
    """The photos of an address, for the seat that sent them."""
    colour = asked_colour(visit)
    scan: HandScan = visit.services.hands.get(visit.param("scan"))
    if (scan.game, scan.hand.colour, scan.seat) != (visit.view.key, colour, visit.seat):
        raise HTTPException(403, _NOT_YOUR_PHOTO)
    return scan


async def _hand(visit: GameVisit, fault: CompanionError | None = None) -> Response:
    """What was found: first what is in doubt, then the form, filled in."""
    scan = _scan(visit)
    colour = scan.hand.colour
    player, name = scan.hand.player(visit.view.position.player(colour)), visit.view.names.get(colour, "")
    return visit.page(
        "hand.html",
        fault=fault,
        scan_key=visit.param("scan"),
        colour=colour,
        hand=scan.hand,
        questions=() if visit.request.query_params.get("fill") else scan.hand.doubts,
        left_open=len(scan.hand.doubts),
        player=player,
        asked=filled(holdings_sheet(player, name)),
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
        hand: HandReading = await worker.run(ANSWER_HAND, bare, visit.param("label"), visit.field("name"))
    except CompanionError as error:
        return await _hand(visit, error)
    visit.services.hands.put(replace(scan, hand=replace(hand, photos=scan.hand.photos, crops=scan.hand.crops)), key)
    return visit.go_on(f"{visit.address}/players/{scan.hand.colour.value}/photos/{key}")


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
