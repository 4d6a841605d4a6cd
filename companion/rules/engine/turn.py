"""The turn on the board: moving meeples and claims (rules 4), and selling at its end (rules 7).

The turn announces what happens and djinns answer by their hooks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from companion.errors import IllegalMoveError, ImpossiblePositionError
from companion.language.phrase import joined, named, say, say_many
from companion.rules.engine.decks import unseen_cards
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.legality import malformed
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.sowing import check_sowing
from companion.rules.model.actions import Sell, Sowing
from companion.rules.model.board import NO_MEEPLES, with_meeples
from companion.rules.model.components import FAKIR, GOODS, SET_PRICES_GC, Tribe
from companion.rules.model.events import GoodsSold, MeepleDropped, MeeplesTaken
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage, Taken, TurnProgress

PLENTY, FAKIRS_SUPPOSED = 90, 6
"""What a player is taken to have where nobody knows it."""

_COSTLY = tuple(djinn.name for djinn in EVERY_DJINN.values() if djinn.cost.payments)


def lone_turn(position: Position) -> GameState:
    """The turn of the player to move by itself, with everybody listed, and powers with a cost used up. Raises
    ValueError if nobody is to move, ImpossiblePositionError as `legality.malformed`.
    """
    if position.to_move is None:
        raise ValueError("nobody is to move; set to_move")
    if faults := malformed(position):
        raise ImpossiblePositionError(faults)
    players = tuple(position.player(colour) for colour in position.colours)
    return GameState(replace(position, players=players), Stage.MOVE, progress=TurnProgress(used=_COSTLY))


def supposed(state: GameState) -> GameState:
    """The state with enough in the mover's hand where nobody knows what is in it: what was paid was there."""
    mover = state.mover
    if mover is None:
        return state
    player = state.player(mover)
    able = replace(
        player,
        gold=PLENTY if player.gold is None else player.gold,
        elders=PLENTY if player.elders is None else player.elders,
        fakirs=FAKIRS_SUPPOSED if player.fakirs is None else player.fakirs,
    )
    return state if able == player else replace(state, position=state.position.with_player(able))


def sow(game: MutableGame, sowing: Sowing) -> Taken:
    """Move the meeples and claim the end tile if that empties it (rules 4.2 to 4.8)."""
    check_sowing(game.board, sowing)
    game.board[sowing.start] = with_meeples(game.board[sowing.start], NO_MEEPLES)
    for square, tribe in zip(sowing.path, sowing.drops, strict=True):
        leave(game, square, tribe)
    return take(game, sowing.end, sowing.tribe)


def leave(game: MutableGame, square: int, tribe: Tribe) -> None:
    """Leave a meeple on a tile while moving (rules 4.2)."""
    tile = game.board[square]
    meeples = list(tile.meeples)
    meeples[tribe] += 1
    game.board[square] = with_meeples(tile, tuple(meeples))
    game.announce(MeepleDropped(game.mover, square, tribe, tile.camel))


def take(game: MutableGame, end: int, tribe: Tribe) -> Taken:
    """Take the meeples of a tribe in hand and claim the end tile if that empties it (rules 4.7, 4.8)."""
    tile = game.board[end]
    meeples = list(tile.meeples)
    taken = Taken(end, tribe, meeples[tribe])
    meeples[tribe] = 0
    game.board[end] = with_meeples(tile, tuple(meeples))
    game.stage = Stage.TRIBE
    game.progress = replace(game.progress, hand=None, taken=taken)
    game.announce(MeeplesTaken(game.mover, taken.end, taken.tribe, taken.count))
    game.claim_if_bare(taken.end)
    return taken


def sales(goods: tuple[int, ...]) -> tuple[Sell, ...]:
    """Every set that can be sold from these goods, counted in the order of `GOODS` (rules 7.1)."""
    return _sales(tuple(good for good, count in zip(GOODS, goods, strict=True) if count))


@lru_cache(maxsize=1 << 9)
def _sales(held: tuple[str, ...]) -> tuple[Sell, ...]:
    return tuple(Sell(chosen) for size in range(1, len(held) + 1) for chosen in combinations(held, size))


def sell(game: MutableGame, sale: Sell) -> None:
    """Sell a set for its price (rules 7.1). Raises IllegalMoveError for goods that the mover can't sell together."""
    player = game.moving
    for good, number in Counter(sale.goods).items():
        if good == FAKIR:
            raise IllegalMoveError("fakirs cannot be sold (rules 7.1)")
        if good not in GOODS:
            raise IllegalMoveError(
                "{good!r} is not a good; the goods are {goods} (rules 1.4)",
                good=good,
                goods=joined(", ", map(named, GOODS)),
            )
        if number > 1:
            raise IllegalMoveError(
                "the goods of a set are all different; {good} is named {times} (rules 7.1)",
                good=named(good),
                times=say_many("{count} time", "{count} times", number),
            )
    if not sale.goods:
        raise IllegalMoveError("a set has at least one good (rules 7.1)")
    # What is not known to be in the hand may be among the cards that nobody has seen (rules 12.2).
    wanting = [good for good in sale.goods if player.goods is None or not player.goods[GOODS.index(good)]]
    may_be = unseen_cards(game) if player.goods is None or len(wanting) <= game.hidden[game.mover] else {}
    lacking = [good for good in wanting if good not in may_be]
    if lacking:
        raise IllegalMoveError(
            "{mover} has no {wanting} to sell (rules 7.1)",
            mover=game.mover,
            wanting=joined(say(" and no "), map(named, lacking)),
        )
    if player.goods is not None:
        game.hidden[game.mover] -= len(wanting)
        shown = set(sale.goods) - set(wanting)
        goods = tuple(count - (good in shown) for good, count in zip(GOODS, player.goods, strict=True))
        game.players[game.mover] = replace(player, goods=goods)
    price = SET_PRICES_GC[len(sale.goods)]
    if game.discards is not None:
        game.discards += sale.goods
    game.add(game.mover, gold=price)
    game.announce(GoodsSold(game.mover, sale.goods, price))
