"""Rounds: bids for turn order, how turns begin and end, clean-up, the end of the game (rules 3, 4.1, 8, 9)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, joined, say
from companion.rules.engine.decks import draw_card, draw_djinn, has_fakirs
from companion.rules.engine.mutable_game import MutableGame, lacks_fakirs
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, SPOT_PRICES_GC, TRACK_PRICES_GC
from companion.rules.model.events import BidPlaced, Refilled
from companion.rules.model.position import Bid, Phase
from companion.rules.model.state import FRESH, Ending, Stage

ZERO_SPOTS = TRACK_PRICES_GC.count(0)


def free_prices(turn_order: tuple[Bid, ...]) -> list[int]:
    """Prices of the spots that can be chosen, cheapest first (rules 3.1, 3.2)."""
    taken = [bid.price for bid in turn_order]
    return [price for price in SPOT_PRICES_GC if (taken.count(0) < ZERO_SPOTS if price == 0 else price not in taken)]


def lowered(price: int, fakirs: int) -> int:
    """The price of a spot once fakirs have lowered it by one spot each (rules 11.8)."""
    return SPOT_PRICES_GC[max(SPOT_PRICES_GC.index(price) - fakirs, 0)]


def bids(game: MutableGame) -> Iterator[PlaceBid]:
    """Every bid that the next bidder can pay; with unknown gold, every free spot (rules 3.1, 3.4, 11.8)."""
    free = free_prices(game.turn_order or ())
    most = _fakirs_for_bids(game)
    payable = [bid for price in free for bid in _ways(price, most) if _affords(game, lowered(price, bid.fakirs))]
    # Who can't afford any free spot takes the cheapest and pays all there is (rules 3.4).
    yield from payable or (PlaceBid(free[0]),)


def _fakirs_for_bids(game: MutableGame) -> int:
    if not game.moving.djinns or not any(djinn.lowers_bids for djinn in game.powers(game.mover)):
        return 0
    return game.moving.fakirs or 0


def _ways(price: int, fakirs: int) -> Iterator[PlaceBid]:
    for spent in range(min(fakirs, SPOT_PRICES_GC.index(price)) + 1):
        yield PlaceBid(price, spent)


def _affords(game: MutableGame, price: int) -> bool:
    return game.moving.gold is None or game.moving.gold >= price


def place_bid(game: MutableGame, bid: PlaceBid) -> None:
    """Pay for a spot and put the marker there; the last bid begins a turn (rules 3). Raises IllegalMoveError."""
    bidder, order = game.mover, game.turn_order or ()
    _check_bid(game, bid)
    paid = lowered(bid.price, bid.fakirs)
    if game.moving.gold is not None:
        paid = min(paid, game.moving.gold)
    game.add(bidder, gold=-paid)
    game.discard_fakirs(bid.fakirs)
    # A dearer spot plays first; of the zeros, the last to come plays first (rules 3.2, 3.3).
    place = sum(other.price > bid.price for other in order)
    game.turn_order = (*order[:place], Bid(bidder, bid.price), *order[place:])
    game.bid_order = (game.bid_order or ())[1:]
    game.announce(BidPlaced(bidder, bid.price, paid, bid.fakirs))
    if game.bid_order:
        game.mover = game.bid_order[0]
    else:
        begin_turn(game)


def _check_bid(game: MutableGame, bid: PlaceBid) -> None:
    bidder = game.mover
    free = free_prices(game.turn_order or ())
    if bid.price not in free:
        what = say("is taken") if bid.price in SPOT_PRICES_GC else say("is not a price on the track")
        raise IllegalMoveError(
            "{bidder} can't bid {price}: it {what}; still free: {free} (rules 3.1, 3.2)",
            bidder=bidder,
            price=bid.price,
            what=what,
            free=joined(", ", map(str, free)),
        )
    if bid.fakirs:
        known = game.moving.djinns
        names = game.djinns_in_game if known is None else known
        if not any(game.djinns_in_game[name].lowers_bids for name in names):
            raise IllegalMoveError("{bidder} has no djinn that lowers a bid for fakirs (rules 11.8)", bidder=bidder)
        cheaper = SPOT_PRICES_GC.index(bid.price)
        if not 0 < bid.fakirs <= cheaper:
            raise IllegalMoveError(
                "a bid of {price} takes at most {most}, not {fakirs} (rules 11.8)",
                price=bid.price,
                most=counted(cheaper, "fakir"),
                fakirs=bid.fakirs,
            )
        if not has_fakirs(game, bid.fakirs):
            raise lacks_fakirs(game, bid.fakirs, "11.8")
    if not _affords(game, lowered(bid.price, bid.fakirs)) and bid not in bids(game):
        raise IllegalMoveError(
            "{bidder} has {gold} GC and can't pay for {bid} (rules 3.4)", bidder=bidder, gold=game.moving.gold, bid=bid
        )


def begin_turn(game: MutableGame) -> None:
    """The first marker of the turn order track goes to the bid order track, and its turn begins (rules 4.1, 9.2)."""
    order = game.turn_order or ()
    game.mover, game.turn_order = order[0].colour, order[1:]
    game.bid_order = (*(game.bid_order or ()), game.mover)
    open_turn(game)


def open_turn(game: MutableGame) -> None:
    """The mover's turn begins; with no legal move only powers and selling are left (rules 9.2)."""
    game.phase = Phase.TURN
    game.progress = FRESH
    if has_legal_sowing(game.board):
        game.stage = Stage.MOVE
        return
    game.stage = Stage.CLOSE
    game.end_with_round(Ending.NO_MOVE)


def end_turn(game: MutableGame) -> None:
    """After a turn: the next one, or after the round's last the clean-up or the end of the game (rules 8, 9)."""
    if game.turn_order:
        begin_turn(game)
    elif game.ending is not None:
        end_game(game)
    else:
        _clean_up(game)
        open_bidding(game)


def open_bidding(game: MutableGame) -> None:
    """A new round: the first marker of the bid order track bids (rules 3.1)."""
    game.phase, game.stage, game.progress = Phase.BID, Stage.BID, FRESH
    game.turn_order = ()
    game.mover = (game.bid_order or (game.mover,))[0]


def end_game(game: MutableGame) -> None:
    """Nothing more is decided (rules 9)."""
    game.phase, game.stage, game.progress = Phase.END, Stage.END, FRESH


def _clean_up(game: MutableGame) -> None:
    """Refill the row, then the djinns (rules 8.1); what is not known to lie there stays unknown."""
    cards: list[str] = []
    while game.row is not None and len(game.row) < ROW_LENGTH:
        drawn = [card for card in draw_card(game, face_up=True) if card is not None]
        if not drawn:
            break
        game.row += tuple(drawn)
        cards += drawn
    djinns: list[str] = []
    while game.djinns is not None and len(game.djinns) < FACE_UP_DJINNS:
        name = draw_djinn(game)
        if not name:
            break
        game.djinns += name
        djinns += name
    game.announce(Refilled(game.mover, tuple(cards), tuple(djinns)))
