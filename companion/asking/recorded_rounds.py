"""What photos tell little of: the bids of a round, the order of its turns, and what its clean-up brings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.asking.recording import Recording, game_of
from companion.errors import NotationError
from companion.notation.names import fold, in_english, parse_player
from companion.notation.records.lines import BidsLine, parse_line
from companion.notation.records.recording import commented, corrected
from companion.notation.records.steps import Observation
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import Board
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, Colour, TileAction, Tribe
from companion.rules.model.state import GameState, Stage
from companion.table.games import bid_placed, refilled
from companion.tracking.visible import VisibleTurn

_CHEAPEST = 5
_UNPRICED = "the order is known, the prices aren't"


def likely_order(state: GameState, turns: Sequence[VisibleTurn], begun: Sequence[Board | None]) -> tuple[Colour, ...]:
    """An order of the round's turns that fits what photos show of whose they were; else that of the bids.

    `begun` are the boards on which the turns began, None where one isn't known.
    """
    markers = [bid.colour for bid in state.position.turn_order or ()] + list(state.position.bid_order or ())
    seen = zip(turns[: len(markers)], begun, strict=False)
    told = [turn.player if board is not None and turn.tells_player(board) else None for turn, board in seen]
    for colour in filter(None, told):
        if colour in markers:
            markers.remove(colour)
    order = [colour if colour is not None else markers.pop(0) for colour in told if colour is not None or markers]
    return (*order, *markers)


def bid(now: Recording, bids: Sequence[tuple[Colour, PlaceBid]], *, priced: bool = True) -> Recording:
    """The recording with a round's bids, each player's in their order. Raises NotationError where some are missing."""
    game, left = now.game, list(bids)
    while game.is_bidding:
        one = next((one for one in left if one[0] is game.mover), None)
        if one is None:
            raise NotationError("a bid of {player} is missing", player=game.mover)
        left.remove(one)
        game = bid_placed(game, one[1])
    if left:
        raise NotationError("there are more bids than markers")
    if not priced:
        now = replace(now, game=game)
        game = replace(game, playing=replace(now.playing, record=commented(now.record, _UNPRICED)))
    return replace(now, game=game, ask=None)


def read_bids(now: Recording, text: str) -> Recording:
    """The recording with bids as they were typed, with prices or the order of turns alone; "" for the one that fits.

    Raises NotationError for what is neither.
    """
    names: Mapping[str, Colour] = {fold(name): colour for colour, name in now.record.header.names.items()}
    known = " ".join(str(names.get(fold(word), word)) for word in in_english(text).replace(",", " , ").split())
    if re.search(r"\d", known):
        parted = re.sub(r"(\d) +(?=[a-z])(?!with|fakir)", r"\1, ", known.replace(":", " "))
        entry = parse_line(0, f"round 1: {parted}").entry
        assert isinstance(entry, BidsLine), "that is what begins so"
        return bid(now, entry.bids)
    order = [parse_player(word) for word in known.replace(",", " ").split()] or now.order
    return bid(now, cheapest_bids(now.state, order), priced=False)


def cheapest_bids(state: GameState, order: Sequence[Colour]) -> list[tuple[Colour, PlaceBid]]:
    """The cheapest bids that lead to turns in an order. Raises NotationError where none do."""
    found = min(_bids_for(state, order), key=lambda bids: sum(one.price for _, one in bids), default=None)
    if found is None:
        raise NotationError("no bids lead to that order: name every marker once, the first to play first")
    return found


def _bids_for(state: GameState, order: Sequence[Colour]) -> Iterator[list[tuple[Colour, PlaceBid]]]:
    if state.stage is not Stage.BID:
        waiting = [one.colour for one in state.position.turn_order or ()]
        if [state.mover, *waiting] == [*order]:
            yield []
        return
    mover = state.mover
    assert mover is not None, "somebody bids"
    for action in [action for action in legal_actions(state) if isinstance(action, PlaceBid)][:_CHEAPEST]:
        if not action.fakirs:
            for rest in _bids_for(step(state, action).state, order):
                yield [(mover, action), *rest]


def refill(now: Recording, seen: Observation | None) -> Recording:
    """The recording after the clean-up that it owes; None where nobody knows what came."""
    if seen is not None:
        return replace(now, game=refilled(now.game, seen), ask=None)
    unknown = replace(now.game.position, row=None, djinns=None)
    return replace(now, game=game_of(corrected(now.record, now.game.position, unknown)), ask=None)


def refill_seen(now: Recording, first: VisibleTurn) -> Observation | None:
    """What came in the clean-up, where the photo before it or after it tells.

    `first` is the next round's first turn, which the photo after it shows too.
    """
    row, djinns = now.game.position.row, now.game.position.djinns
    if row is None or djinns is None:
        return None
    board = now.game.position.board
    action, taken = board[first.sowing.end].kind.action, _merchants(board, first)
    for photo, merchants, is_after in ((now.last, 0, False), (now.photos[0], taken, True)):
        if photo is None or photo.row is None:
            continue
        # Where no djinn was taken none comes (rules 8.1): the row alone tells then.
        there = djinns if photo.djinns is None else photo.djinns
        gone = [name for name in djinns if name not in there]
        whole = len(photo.row) == ROW_LENGTH - merchants and len(there) == FACE_UP_DJINNS
        told = whole and not gone and merchants <= len(row) and photo.row[: len(row) - merchants] == row[merchants:]
        if told and not (is_after and action in (*MARKETS, TileAction.SACRED_PLACE)):
            new = tuple(name for name in there if name not in djinns)
            return Observation(photo.row[len(row) - merchants :], new)
    return None


def _merchants(board: Board, turn: VisibleTurn) -> int:
    """How many cards a turn's merchants take from the row."""
    tribe = turn.sowing.drops[-1]
    if tribe is not Tribe.MERCHANT:
        return 0
    dropped = sum(
        square == turn.sowing.end and one is tribe
        for square, one in zip(turn.sowing.path, turn.sowing.drops, strict=True)
    )
    there = 0 if turn.sowing.end == turn.sowing.start else board[turn.sowing.end].meeples[tribe]
    return there + dropped
