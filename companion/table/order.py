"""Who plays and in which order, as somebody at the table reads it off the two tracks and tells it (rules 3, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.model.components import Colour, markers_each
from companion.rules.model.position import Bid, Phase, Position
from companion.table.games import is_set_up, with_players


@dataclass(frozen=True, slots=True)
class ToldOrder:
    """Who plays, and the markers as they are shown and told.

    `order` are the markers still to bid while `bidding`, else those still to play after `to_move`, the next one first;
    `played` are those that have played in this round, in their order. `to_move` is None where nobody is named, or
    where the first of the order is next.
    """

    plays: tuple[Colour, ...]
    to_move: Colour | None
    order: tuple[Colour, ...]
    played: tuple[Colour, ...]
    bidding: bool


def is_beginning(position: Position) -> bool:
    """Whether a position is one before the first bid, as far as it tells (rules 2.3)."""
    return is_set_up(position.board) and not position.turn_order and position.phase is not Phase.TURN


def order_of(position: Position) -> ToldOrder:
    """Who plays, and the markers as a position has them."""
    bids = position.bid_order or ()
    if is_beginning(position) or (position.phase is Phase.BID and position.bid_order is not None):
        return ToldOrder(position.colours, None, bids, (), bidding=True)
    mover = position.to_move
    # The mover's marker has gone to the bid order track when the turn began (rules 4.1), but he has not played yet.
    played = bids[:-1] if mover is not None and bids[-1:] == (mover,) else bids
    waiting = tuple(bid.colour for bid in position.turn_order or ())
    return ToldOrder(position.colours, mover, waiting, played, bidding=position.phase is Phase.BID)


def changes_by(position: Position, told: ToldOrder) -> bool:
    """Whether there is more in what was told than the position has: what lies where at the beginning is known too."""
    unknown = any(
        None in (player.gold, player.viziers, player.elders, player.fakirs, player.goods, player.djinns)
        for player in map(position.player, position.colours)
    )
    return told != order_of(position) or (is_beginning(position) and bool(told.order) and unknown)


def on_tracks_unticked(told: ToldOrder) -> tuple[Colour, ...]:
    """Those who were told to stand on a track, or to be next, and not to play; nobody where nobody was told to play."""
    named = {*told.order, *told.played, *((told.to_move,) if told.to_move is not None else ())}
    return tuple(colour for colour in Colour if told.plays and colour in named and colour not in told.plays)


def with_order(position: Position, told: ToldOrder) -> Position:
    """The position with who plays and in which order, as far as that was told; bids that are placed stay."""
    colours = told.plays or position.colours
    known = replace(
        position,
        players=tuple(position.player(colour) for colour in colours),
        to_move=told.to_move,
        phase=None,
        bid_order=None,
        turn_order=None,
    )
    if told.bidding:
        if not told.order:
            if told.to_move is None:
                return known
            return replace(with_players(known, [told.to_move], bidding=True), bid_order=None)
        placed = _still_placed(position, told.order, markers_each(len(colours)))
        return with_players(replace(known, turn_order=placed), told.order, bidding=True)
    next_one = told.to_move or next(iter(told.order), None)
    if next_one is None or not (told.order or told.played):
        return known
    order, played = _without_the_mover(told, next_one, markers_each(len(colours)))
    return with_players(known, [next_one, *order], played, bidding=False)


def _still_placed(position: Position, order: Sequence[Colour], each: int) -> tuple[Bid, ...]:
    """The bids of a position that stay placed: not those of markers that are told to stand on the bid order track."""
    placed: list[Bid] = []
    for bid in (position.turn_order or ()) if position.phase is Phase.BID else ():
        if order.count(bid.colour) + sum(one.colour is bid.colour for one in placed) < each:
            placed.append(bid)
    return tuple(placed)


def _without_the_mover(told: ToldOrder, mover: Colour, each: int) -> tuple[tuple[Colour, ...], tuple[Colour, ...]]:
    """Those who play after the mover, and those who have played: his own marker may be told with either."""
    order, played = told.order, told.played
    if told.to_move is None or order.count(mover) + played.count(mover) >= each:
        if order[:1] == (mover,):
            return order[1:], played
        if played[-1:] == (mover,):
            return order, played[:-1]
    return order, played
