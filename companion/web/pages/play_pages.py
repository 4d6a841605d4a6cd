"""Turns and bids, played by the rules with taps; the end of the game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.photo_turns import ShownTurns, as_it_began, known_taps
from companion.asking.sheets import number_in
from companion.asking.tapping import TappedTurn, tapped_turn
from companion.asking.taps import drawn_question
from companion.errors import CompanionError, ConflictError
from companion.language.phrase import joined, say, say_many, term
from companion.notation.names import in_english
from companion.notation.records.lines import format_entry
from companion.notation.records.steps import parse_observation
from companion.rules.engine.sowing import takings
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import ChanceNeededError
from companion.table.games import TableGame, before_turn, bid_placed, ended, played, turn_replaced
from companion.table.seats import may_ask
from companion.web.pages.face_up_pages import tapped_page
from companion.web.pages.game_pages import asked_square
from companion.web.pages.game_visit import NOT_YOUR_TURN, GameView, GameVisit, game_get, game_post, save_result
from companion.web.pages.turn_photos import chosen_turns, photo_played

MAX_LINE, MAX_TAPS = 2000, 200
"""More than any turn takes, with every good sold one by one."""

_NO_MORE = say("The game has changed, and part of this turn can't be played any more: enter the rest again.")

# A turn, tap by tap: each tap is a link, and the form of the last one sends them all.


async def _turn(visit: GameVisit) -> Response:
    """What was tapped so far, and what is asked next; of taps that lead nowhere, as many as do lead somewhere.

    A correction leaves them as they are. Those of a turn that is over count no more. What a photo tells of the turn is
    tapped already.
    """
    try:
        shown = chosen_turns(visit)
    except ConflictError as changed:
        return visit.back(joined("", (str(changed),)))
    asked, view = visit.request.query_params, await _game_before(visit, shown)
    taps, stops, end = asked.getlist("tap")[:MAX_TAPS], bool(asked.get("stops")), asked.get("end", "")
    if shown is not None:
        taps = list(await asyncio.to_thread(known_taps, view.visible, taps, shown.first))
    error: CompanionError | None = None
    try:
        await _check_decision(visit)
    except ConflictError as changed:
        taps, error = [], changed
    turn = await asyncio.to_thread(_tapped, view, taps, stops, end)
    if turn.fault is not None:
        error = turn.fault if visit.expected in (None, view.revision.number) else ConflictError(_NO_MORE)
    return _turn_page(visit, view, turn, stops=stops, end=end, error=error, shown=shown)


def _place(visit: GameVisit) -> int | None:
    """The place in the record of a turn that is told anew; None where the one that is open now is told."""
    return number_in(visit.sent.get("at"), say("the number of a line"))


async def _game_before(visit: GameVisit, shown: ShownTurns | None) -> GameView:
    """The game before the turn that is told, as it was where a photo shows the turn.

    Raises HTTPException where there is none, or where another seat plays.
    """
    view, place = visit.view, _place(visit)
    game = view.game if place is None else before_turn(view.game, place)
    if game is None:
        raise HTTPException(404)
    if shown is not None and (position := as_it_began(game, shown.first)) != game.position:
        game = await view.continued(position)
    if not may_ask(game, view.seat):
        raise HTTPException(403, NOT_YOUR_TURN)
    return replace(view, game=game)


async def _check_decision(visit: GameVisit) -> None:
    # A turn that is over stands where it stands, whatever is played after it.
    if _place(visit) is None:
        await visit.check_decision()


def _tapped(view: GameView, taps: Sequence[str] = (), stops: bool = False, end: str = "") -> TappedTurn:
    """The turn that a seat has tapped as far as the taps lead, with the ways to an end that it named.

    Raises UnusableInputError if nobody has a turn.
    """
    towards = SQUARE_NAMES.index(end) if end in SQUARE_NAMES else None
    return tapped_turn(view.visible, taps, stops_for_powers=stops, towards=towards, as_far_as_possible=True)


def _back(view: GameView, turn: TappedTurn, shown: ShownTurns | None) -> int:
    """How many taps are left when the last step is taken back; those that a photo tells go with what they follow."""
    if shown is None:
        return turn.back
    fewer = range(turn.back, 0, -1)
    return next((left for left in fewer if len(known_taps(view.visible, turn.taps[:left], shown.first)) == left), 0)


def _turn_page(
    visit: GameVisit,
    view: GameView,
    turn: TappedTurn,
    *,
    stops: bool = False,
    end: str = "",
    line: str = "",
    error: CompanionError | None = None,
    shown: ShownTurns | None = None,
) -> Response:
    """The page on which a turn of a game is told: with the taps so far, or with a `line` that was typed and is refused.

    `shown` is the turn as a photo shows it.
    """
    place, carried, taps = _place(visit), _carried(visit), turn.taps
    back = _back(view, turn, shown)
    if place is not None and not line and not taps and visit.view.game.playing is not None:
        line = format_entry(visit.view.game.playing.record.lines[place].entry)

    def address(taps: Sequence[str], *, stopping: bool = stops, end: str = "") -> str:
        kept = [field for field in carried if taps or field[0] != "photo"]
        fields = [("revision", str(visit.view.revision.number)), *kept, *(("tap", tap) for tap in taps)]
        more = [*([("stops", "1")] if stopping else []), *([("end", end)] if end else [])]
        return f"{visit.address}/turn?{urlencode([*fields, *more])}"

    offered = () if turn.question is None else turn.question.offered
    # Where meeples were lifted and none was left yet, those of another tile can be lifted instead.
    begins = _tapped(view).question if len(taps) == 1 and not turn.path else None
    starts = () if begins is None else [tap for tap in begins.taps if tap.token != taps[0]]
    # Of an end to which several ways lead its tile is tapped first, and then the way.
    onward = {
        tap.square: address([*taps, tap.token], end=end * bool(turn.ways)) for tap in offered if tap.square is not None
    }
    others = {square: address(taps, end=SQUARE_NAMES[square]) for square in turn.ends}
    return visit.page(
        "turn.html",
        view.context,
        at=place,
        carried=carried,
        fault=error,
        line=line,
        turn=turn,
        taps=taps,
        stops=stops,
        links={square: to for square, to in onward.items() if not turn.ways or square in turn.ways[0]},
        others={tap.square: address([tap.token]) for tap in starts if tap.square is not None} | others,
        ways=frozenset[int]().union(*turn.ways),
        ends={square: taken for square, taken in turn.ends.items() if not turn.ways or square in turn.ways[-1]},
        next={tap.token: address([*taps, tap.token]) for tap in offered},
        way=[] if turn.start is None else [turn.start, *turn.path],
        back=address(taps[:back]) if taps and (back or shown is None) else None,
        anew=address([]),
        stopping=address([], stopping=True),
    )


async def _play(visit: GameVisit, turns: int = 1) -> Response:
    """A turn as its taps, or as a line of the record; what it draws is asked for, one thing after another.

    A line that is refused stays in its field, where there is a turn to be told. Of several `turns` that one
    photo shows the others follow by themselves, but for their questions.
    """
    try:
        shown = chosen_turns(visit)
    except ConflictError as changed:
        return visit.back(joined("", (str(changed),)))
    view, typed = await _game_before(visit, shown), visit.field("line")[:MAX_LINE]
    taps, stops = list(map(str, visit.form.getlist("tap")))[:MAX_TAPS], bool(visit.form.get("stops"))
    drawn = [str(part)[:MAX_LINE] for part in visit.form.getlist("seen") if str(part).strip()]
    line = _whole_line(view.game, typed)
    try:
        await _check_decision(visit)
        observed = [parse_observation(in_english(part)) for part in drawn]
        if taps:
            turn = await asyncio.to_thread(_tapped, view, taps, stops)
            if turn.fault is not None:
                raise turn.fault
            if turn.line is None:
                return _turn_page(visit, view, turn, stops=stops, shown=shown)
            # What the seat sees allows it already, so that it is played on the whole game alone.
            line = turn.line
            after = await asyncio.to_thread(played, view.game, line, observed)
        else:
            after = await view.after(lambda game: played(game, line, observed))
    except ChanceNeededError as needed:
        fields = [*_carried(visit), ("line", line), *(("seen", one) for one in drawn)]
        return tapped_page(visit, "play", drawn_question(needed), fields=fields, button="seen", line=line)
    except CompanionError as error:
        taps = [] if isinstance(error, ConflictError) else taps
        try:
            turn = await asyncio.to_thread(_tapped, view, taps[:-1], stops)
        except CompanionError:
            raise error from None
        return _turn_page(visit, view, turn, stops=stops, line=typed, error=error, shown=shown)
    if (place := _place(visit)) is not None:
        return await _replaced(visit, place, after)
    answer = await _go_on(visit, view, after, line, turns)
    left = None if shown is None else await photo_played(visit, shown, after)
    if left is None:
        return answer
    photo, next_ = left
    fields = [("revision", str(visit.view.revision.number)), *_carried(visit), *(("tap", tap) for tap in next_.taps)]
    visit.form = FormData([(name, photo if name == "photo" else value) for name, value in fields])
    if next_.may_end and not (next_.may_follow and visit.sent.get("more")):
        return await _play(visit, turns + 1)
    return visit.go_on(f"{visit.address}/turn?{urlencode(visit.form.multi_items())}")


async def _replaced(visit: GameVisit, place: int, after: TableGame) -> Response:
    """A turn told anew, and all after it again as far as the rules allow it."""
    again, left = await asyncio.to_thread(turn_replaced, visit.view.game, place, after)
    words = say("The turn is changed.")
    if left:
        words = say_many(
            "The turn is changed; {count} line after it is impossible now, and gone. Undo brings it back.",
            "The turn is changed; {count} lines after it are impossible now, and gone. Undo brings them back.",
            left,
        )
    return await visit.change(again, words, summary=say("turn changed"))


def _carried(visit: GameVisit) -> list[tuple[str, str]]:
    """The fields that all pages of a turn hand on: the one that is told anew, the photo of it, where it leads back,
    and whether more was done in the photo's turns than it shows.
    """
    return [(name, str(visit.sent[name])) for name in ("at", "photo", "from", "more") if visit.sent.get(name)]


async def _go_on(visit: GameVisit, view: GameView, after: TableGame, line: str, turns: int) -> Response:
    summary = say("{line} played", line=line)
    if after.is_over:
        return await visit.change(after, say("The game is over."), summary=summary, to="/score")
    mover = view.game.mover
    words = summary if mover is None else say("{player} has played.", player=visit.view.called(mover))
    if turns > 1:
        words = say("These turns were played; each Undo takes back one.")
    return await visit.change(after, words, summary=summary, to="/refill" if after.owes_refill else "")


def _whole_line(game: TableGame, line: str) -> str:
    """The line with the mover's colour before it, as a record has it."""
    line = " ".join(line.split())
    if game.mover is None or ":" in line.partition(";")[0].partition(">")[0]:
        return line
    return f"{game.mover.value}: {line}"


async def _bid(visit: GameVisit) -> Response:
    if not may_ask(visit.view.game, visit.seat):
        raise HTTPException(403, NOT_YOUR_TURN)
    await visit.check_decision()
    price = number_in(visit.field("price"), say("the bid"))
    fakirs = number_in(visit.field("fakirs"), term("fakir", plural=True))
    if price is None:
        raise HTTPException(422, say("Enter the bid."))
    bid = PlaceBid(price, fakirs or 0)
    mover = visit.view.game.mover
    assert mover is not None, "somebody bids"
    return await visit.change(
        await visit.view.after(lambda game: bid_placed(game, bid)),
        say("{player} bids {price}", player=visit.view.called(mover), price=price),
        summary=say("{player} bids {price}", player=mover, price=price),
    )


async def _look(visit: GameVisit) -> Response:
    square, board = asked_square(visit), visit.view.position.board
    places = {one: f"{visit.address}/from/{name}" for one, name in enumerate(SQUARE_NAMES) if one != square}
    return visit.page("look.html", square=square, others=places, ends=takings((), square, board[square].meeples, board))


async def _finish(visit: GameVisit) -> Response:
    view = visit.view
    if view.game.is_over:
        await save_result(visit.services, view.revision, view.game)
    else:
        await view.change(await view.continued(ended(view.game.position)), say("the game is over"))
    return visit.go_on(f"{visit.address}/score")


ROUTES = (
    game_get("/from/{square}", _look),
    game_get("/turn", _turn, changes=True),
    game_post("/play", _play, checks=False),
    game_post("/bid", _bid, checks=False),
    game_post("/finish", _finish),
)
