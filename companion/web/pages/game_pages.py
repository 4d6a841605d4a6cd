"""The table itself: the game as it stands, its tiles put right, undone and redone, its clock, and news of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.photo_turns import why_no_turn
from companion.asking.sheets import answers, number_in, tile_of, tile_sheet
from companion.errors import CompanionError, ConflictError, ImpossiblePositionError, NotationError, UnusableInputError
from companion.history.saved_results import whole_record
from companion.language.phrase import Phrase, say
from companion.notation.records.lines import TurnLine, parse_record
from companion.notation.tokens import parse_tile
from companion.rules.engine.game import legal_actions
from companion.rules.engine.legality import problems
from companion.rules.engine.sowing import liftable, standing_on
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import Stage
from companion.table.games import TableGame
from companion.table.seats import Seat, may_ask, sees_all, visible_lines
from companion.web.pages.forms import filled
from companion.web.pages.game_visit import GameView, GameVisit, NoBoardError, game_get, game_of, game_post, tell_change
from companion.web.pages.turn_photos import photo_card
from companion.web.pages.visit import Visit, get
from companion.web.store.jobs import event_stream
from companion.web.store.live_events import Event

MAX_LIMIT_MINUTES = 600

_NOT_ITS_OWN = say(
    "A player's phone only undoes and redoes that player's actions; the shared phone can undo everybody's."
)

_CLOCK: dict[str, Phrase] = {
    "on": say("The clock is running."),
    "off": say("The clock is off."),
    "pause": say("The clock is paused."),
    "go-on": say("The clock is running."),
}


async def _game(visit: Visit) -> Response:
    game_visit = GameVisit(visit.request)
    try:
        view = await game_visit.reload()
    except NoBoardError:
        return visit.go_on(f"{game_visit.address}/score")
    game = view.game
    record = whole_record(await asyncio.to_thread(visit.services.history.parts, view.key))
    return game_visit.page(
        "game.html",
        state=game.state,
        links=_tile_links(view).__getitem__,
        bids=_open_bids(view),
        scores=_live_points(view),
        unseen={} if game.state is None else game.state.unseen,
        sees_all=sees_all(game, view.seat),
        owes_refill=game.owes_refill,
        is_over=game.is_over,
        hides_points=view.hides_points,
        seed=view.saved.settings.get("seed"),
        lines=[] if record is None else list(visible_lines(parse_record(record), view.seat, over=game.is_over)),
        changeable=set() if game_visit.read_only else _changeable(view, record),
        impossible=_why_impossible(view),
        round=game.round,
        follows=_follows(view.position),
        in_turn=_in_turn(view.position),
        card=await photo_card(game_visit),
        may_photograph=why_no_turn(game) is None,
    )


def _changeable(view: GameView, record: str | None) -> set[int]:
    """The places of the turns that a seat may tell anew; in a game of several parts the last one has its own places."""
    if view.game.playing is None or view.game.text != record:
        return set()
    entries = enumerate(line.entry for line in view.game.playing.record.lines)
    return {place for place, one in entries if isinstance(one, TurnLine) and view.seat in (None, one.colour)}


def _tile_links(view: GameView) -> list[str]:
    """Where each tile of the board leads: a turn that begins there, or where its meeples could go."""
    game, board, place = view.game, view.position.board, f"/games/{view.key}"
    begins = game.state is None or game.state.stage is Stage.MOVE
    may_play = game.mover is not None and may_ask(game, view.seat)
    starts: Sequence[int] = ()
    if begins and may_play and not game.is_bidding and not game.is_over:
        starts = liftable(board, standing_on(board))
    return [
        f"{place}/turn?revision={view.revision.number}&tap={name}" if square in starts else f"{place}/from/{name}"
        for square, name in enumerate(SQUARE_NAMES)
    ]


def _follows(position: Position) -> Colour | None:
    """Who decides after the player to move, as far as it is known."""
    bidding = (position.bid_order or ()) if position.phase is Phase.BID else ()
    waiting = [*bidding, *(bid.colour for bid in position.turn_order or ())]
    # The mover's own marker goes to the bid order track when the turn begins (rules 4.1).
    if waiting[:1] == [position.to_move] and (bidding or position.to_move not in (position.bid_order or ())[-1:]):
        waiting = waiting[1:]
    return waiting[0] if waiting and position.to_move is not None else None


def _in_turn(position: Position) -> list[Colour]:
    """The players in the order in which they play or bid, the one to move first, as far as it is known."""
    markers = [*(bid.colour for bid in position.turn_order or ()), *(position.bid_order or ())]
    if position.phase is Phase.BID:
        markers = [*(position.bid_order or ()), *markers]
    first = [] if position.to_move is None else [position.to_move]
    return list(dict.fromkeys([*first, *markers, *position.colours]))


async def _events(visit: GameVisit) -> Response:
    """News of the game; the first event says which revision is current, for a phone that was away."""
    services, key = visit.services, visit.view.key

    async def current() -> Event:
        return Event("changed", (await asyncio.to_thread(services.history.current, key)).number)

    return event_stream(services.hub.subscribe(key, current))


async def _change_tile(visit: GameVisit) -> Response:
    square, now, lines = asked_square(visit), visit.view.game.position, None
    try:
        token = visit.field("tile")
        sent = {key: question.known for key, question in tile_sheet(parse_tile(token)).items()} if token else None
        lines, fault = await visit.merged_lines(lambda position: tile_sheet(position.board[square]), sent)
        if fault:
            raise fault
        tile = tile_of(answers(tile_sheet(now.board[square]), lines))
    except (NotationError, ConflictError) as error:
        return await _tile(visit, lines, error)
    words = say("{tile} corrected", tile=SQUARE_NAMES[square])
    board = (*now.board[:square], tile, *now.board[square + 1 :])
    return await visit.change(await visit.view.continued(now.with_board(board)), words)


async def _tile(
    visit: GameVisit, lines: Mapping[str, str] | None = None, fault: CompanionError | None = None
) -> Response:
    """The form of a tile, with the `lines` in it that were refused."""
    square = asked_square(visit)
    asked = filled(tile_sheet(visit.view.game.position.board[square]), lines)
    return visit.page("tile.html", fault=fault, square=square, asked=asked)


def asked_square(visit: Visit) -> int:
    """The square that an address names. Raises HTTPException for none."""
    try:
        return parse_square(visit.param("square"))
    except (NotationError, KeyError, ValueError):
        raise HTTPException(404) from None


async def _step(visit: GameVisit, *, back: bool) -> Response:
    view, history = visit.view, visit.services.history
    if not (view.can_undo if back else view.can_redo):
        if view.revision.can_undo if back else view.revision.can_redo:
            raise HTTPException(403, _NOT_ITS_OWN)
        return visit.back(say("Nothing to undo.") if back else say("There is nothing to redo."))
    # From the revision that was looked at, so that it leads to where the seat may go.
    step = history.undo if back else history.redo
    revision = await asyncio.to_thread(step, view.key, expected=view.revision.number)
    there = await asyncio.to_thread(game_of, revision)
    await tell_change(visit.services, revision, there)
    before, after = (there, view.game) if back else (view.game, there)
    done = _last_line(after, view.seat)
    if not done or done == _last_line(before, view.seat):
        return visit.back(say("Undone.") if back else say("Redone."))
    return visit.back(say("Undone: {line}", line=done) if back else say("Redone: {line}", line=done))


def _last_line(game: TableGame | None, seat: Seat) -> str:
    """The last line of a game's record as a seat sees it; "" where there is none."""
    if game is None or game.playing is None:
        return ""
    lines = [line for _, line in visible_lines(game.playing.record, seat, over=game.is_over)]
    return lines[-1] if lines else ""


async def _set_clock(visit: GameVisit) -> Response:
    wanted, clocks, key = visit.field("clock"), visit.services.clocks, visit.view.key
    minutes = number_in(visit.field("limit"), say("the longest turn"))
    if wanted not in _CLOCK:
        raise UnusableInputError("a clock can be started, stopped, paused or resumed")
    if wanted in ("on", "off"):
        limit = None if not minutes else 60 * min(minutes, MAX_LIMIT_MINUTES)
        await asyncio.to_thread(clocks.switch, key, on=wanted == "on", limit_s=limit)
    else:
        await asyncio.to_thread(clocks.pause, key, paused=wanted == "pause")
    visit.services.hub.publish(key, "clock", None)
    return visit.back(_CLOCK[wanted])


def _why_impossible(view: GameView) -> str | None:
    """Why the game does not go on by the rules, where that is because its position cannot be; None if it can."""
    faults = problems(view.position) if view.game.playing is None else ()
    return str(ImpossiblePositionError(faults)) if faults else None


def _open_bids(view: GameView) -> list[PlaceBid]:
    """The bids that can be placed now, for whoever may place one: they tell what the bidder can pay (rules 3, 12.2)."""
    state = view.visible.state
    if state is None or not view.game.is_bidding or not may_ask(view.game, view.seat):
        return []
    return [action for action in legal_actions(state) if isinstance(action, PlaceBid)]


def _live_points(view: GameView) -> dict[object, str] | None:
    """Everybody's points as far as they are known; None where the table, or the seat, is not to see them."""
    if not sees_all(view.game, view.seat) or view.hides_points:
        return None
    result = view.game.result
    return {colour: result.total_words(colour) for colour in result.scores}


ROUTES = (
    get("/games/{key}", _game),
    game_get("/events", _events),
    game_get("/tiles/{square}", _tile),
    game_post("/tiles/{square}", _change_tile, merges=True),
    game_post("/undo", partial(_step, back=True)),
    game_post("/redo", partial(_step, back=False)),
    game_post("/clock", _set_clock, checks=False),
)
