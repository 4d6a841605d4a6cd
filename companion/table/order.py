"""Who plays and in which order, as somebody at the table reads it off the two tracks (rules 3, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.engine.rounds import free_prices
from companion.rules.model.components import Colour, markers_each
from companion.rules.model.position import Bid, Phase, Position
from companion.table.games import is_set_up, with_players


@dataclass(frozen=True, slots=True)
class PlayerOrder:
    """Who plays, and the markers: `order` are those still to bid or play, `played` those that have played. `to_move` is
    None where nobody is named, or the first of the order is next.
    """

    plays: tuple[Colour, ...]
    to_move: Colour | None
    order: tuple[Colour, ...]
    played: tuple[Colour, ...]
    bidding: bool


def is_beginning(position: Position) -> bool:
    """Whether a position is one before the first bid, going by what is known (rules 2.3)."""
    return is_set_up(position.board) and not position.turn_order and position.phase is not Phase.TURN


def order_of(position: Position) -> PlayerOrder:
    """Who plays, and the markers as a position has them."""
    bids = position.bid_order or ()
    if is_beginning(position) or (position.phase is Phase.BID and position.bid_order is not None):
        return PlayerOrder(position.colours, None, bids, (), bidding=True)
    mover = position.to_move
    # The mover's marker went to the bid order track when the turn began (rules 4.1), but the mover hasn't played yet.
    played = bids[:-1] if mover is not None and bids[-1:] == (mover,) else bids
    waiting = tuple(bid.colour for bid in position.turn_order or ())
    return PlayerOrder(position.colours, mover, waiting, played, bidding=position.phase is Phase.BID)


def changes_by(position: Position, typed: PlayerOrder) -> bool:
    """Whether an order adds to a position; before the first bid it also says what everybody has."""
    unknown = any(
        None in (player.gold, player.viziers, player.elders, player.fakirs, player.goods, player.djinns)
        for player in map(position.player, position.colours)
    )
    return typed != order_of(position) or (is_beginning(position) and bool(typed.order) and unknown)


def on_tracks_unticked(typed: PlayerOrder) -> tuple[Colour, ...]:
    """Those on a track who weren't ticked as players, though others were."""
    named = {*typed.order, *typed.played}
    return tuple(colour for colour in Colour if typed.plays and colour in named and colour not in typed.plays)


def with_order(position: Position, typed: PlayerOrder) -> Position:
    """The position with those players in that order, as much of it as is known; bids that are placed stay."""
    colours = typed.plays or position.colours
    known = replace(
        position,
        players=tuple(position.player(colour) for colour in colours),
        to_move=typed.to_move,
        phase=None,
        bid_order=None,
        turn_order=None,
    )
    if typed.bidding and typed.order:
        placed = _still_placed(position, typed.order, markers_each(len(colours)))
        return with_players(replace(known, turn_order=placed), typed.order)
    if typed.bidding:
        if typed.to_move is None:
            return known
        return replace(with_players(known, [typed.to_move]), bid_order=None)
    mover = typed.to_move or next(iter(typed.order), None)
    if mover is None or not (typed.order or typed.played):
        return known
    before = None if position.phase is Phase.BID else position.to_move
    played, waiting = _now_plays(typed, mover, before, markers_each(len(colours)))
    # Who stands on a track plays, whoever was told to.
    everybody = tuple(colour for colour in Colour if colour in {*played, *waiting, *colours})
    return replace(
        known,
        players=tuple(map(position.player, everybody)),
        to_move=mover,
        phase=Phase.TURN,
        bid_order=played,
        turn_order=_on_spots(position.turn_order or (), waiting),
    )


def _now_plays(
    typed: PlayerOrder, plays: Colour, before: Colour | None, each: int
) -> tuple[tuple[Colour, ...], tuple[Colour, ...]]:
    """The markers that have played, the mover's last, and those to come. Both tracks are one row (rules 3.3, 4.1), in
    which the mover's place is the next marker of that colour, or the last.
    """
    markers, place = [*typed.played, *typed.order], len(typed.played)
    if typed.to_move is None:
        return tuple(markers[: place + 1]), tuple(markers[place + 1 :])
    # A mover's own marker is told with neither track, or with either.
    for colour in dict.fromkeys((before, plays)):
        if colour is not None and markers.count(colour) < each:
            markers.insert(place, colour)
            place += 1
    nearest = [number for number, colour in enumerate(markers) if colour is plays]
    at = next((number for number in nearest if number >= place - 1), nearest[-1])
    return tuple(markers[: at + 1]), tuple(markers[at + 1 :])


def _on_spots(before: tuple[Bid, ...], waiting: Sequence[Colour]) -> tuple[Bid, ...]:
    """Those still to play, on the spots where markers stand and the next above, or all on 0 (rules 3.3)."""
    bids = before[max(0, len(before) - len(waiting)) :]
    known = len(waiting) - len(bids)
    bids = tuple(replace(bid, colour=colour) for bid, colour in zip(bids, waiting[known:], strict=True))
    for colour in reversed(waiting[:known]):
        price = next((price for price in free_prices(bids) if not bids or price >= bids[0].price), None)
        if price is None:
            return tuple(Bid(colour, 0) for colour in waiting)
        bids = (Bid(colour, price), *bids)
    return bids


def _still_placed(position: Position, order: Sequence[Colour], each: int) -> tuple[Bid, ...]:
    """The bids of a position that stay placed: not those of markers that now stand on the bid order track."""
    placed: list[Bid] = []
    for bid in (position.turn_order or ()) if position.phase is Phase.BID else ():
        if order.count(bid.colour) + sum(other.colour is bid.colour for other in placed) < each:
            placed.append(bid)
    return tuple(placed)
