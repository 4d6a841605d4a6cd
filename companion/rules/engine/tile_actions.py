"""What the end tile lets the player do: the tile actions (rules 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, joined, say, term
from companion.rules.engine.decks import has_fakirs
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.powers import BUILT_ON, build, diversions
from companion.rules.model.actions import LEAVE_IT, TileChoice
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import TileAction
from companion.rules.model.events import DjinnTaken
from companion.rules.model.position import supply_left
from companion.rules.model.state import GameState


@dataclass(frozen=True, slots=True)
class Market:
    """A market: its price in GC, how many cards it gives, and of how many at the start of the row."""

    price: int
    gives: int
    among: int


MARKETS: dict[TileAction, Market] = {
    TileAction.SMALL_MARKET: Market(price=3, gives=1, among=3),
    TileAction.LARGE_MARKET: Market(price=6, gives=2, among=6),
}
"""The markets (rules 6.3, 6.4)."""


def tile_choices(game: MutableGame, end: int) -> Iterator[TileChoice]:
    """Every choice on an end tile that the mover can pay for; what isn't known to be there isn't spent."""
    yield LEAVE_IT
    action = game.board[end].kind.action
    if action in BUILT_ON:
        if supply_left(game.board, action):
            yield from (TileChoice(helper=helper, onto=onto) for helper, onto in diversions(game, end))
    elif action in MARKETS:
        market = MARKETS[action]
        if (game.moving.gold or 0) >= market.price:
            yield from (TileChoice(cards=places) for places in _purchases(game, market))
    elif action is TileAction.SACRED_PLACE:
        elders, fakirs = game.moving.elders or 0, game.moving.fakirs or 0
        for djinn in game.djinns or ():
            if elders >= 2:
                yield TileChoice(djinn=djinn)
            if elders >= 1 and fakirs >= 1:
                yield TileChoice(djinn=djinn, with_fakir=True)


def _purchases(game: MutableGame, market: Market) -> Iterator[tuple[int, ...]]:
    """Places of the cards that can be bought together: all that the market gives, or the only one left."""
    offered = len((game.row or ())[: market.among])
    if offered:
        yield from combinations(range(offered), min(market.gives, offered))


def do_tile_action(game: MutableGame, end: int, choice: TileChoice) -> None:
    """Do the action of the end tile. Raises IllegalMoveError for a choice that it does not allow."""
    action = game.board[end].kind.action
    if choice.cards and action not in MARKETS:
        raise IllegalMoveError(
            "{square} is not a market, so no cards are bought there (rules 6.3, 6.4)", square=SQUARE_NAMES[end]
        )
    if choice.djinn is not None and action is not TileAction.SACRED_PLACE:
        raise IllegalMoveError(
            "{square} is not a sacred place, so no djinn is taken there (rules 6.5)", square=SQUARE_NAMES[end]
        )
    if choice.with_fakir and choice.djinn is None:
        raise IllegalMoveError(
            "no djinn is taken on {square}, so there is nothing for a fakir to pay (rules 6.5)",
            square=SQUARE_NAMES[end],
        )
    if choice.onto is not None and choice.helper is None:
        raise IllegalMoveError("a palm or palace goes onto another tile only by a power that diverts it (rules 11.2)")
    if choice.helper is not None and action not in BUILT_ON:
        raise IllegalMoveError(
            "{djinn} has no power to use on {square} (rules 11.5)", djinn=choice.helper.djinn, square=SQUARE_NAMES[end]
        )
    _ACTIONS[action](game, end, choice)


_PIECES: dict[TileAction, tuple[str, str]] = {TileAction.OASIS: ("palm", "6.1"), TileAction.VILLAGE: ("palace", "6.2")}
"""What is put on a tile, and the clause that says so."""
_PIECE_NAMES = {"palm": term("palms"), "palace": term("palaces")}


def placed_piece(state: GameState) -> str | None:
    """The "palm" or "palace" that the end tile brings, None where it brings none or none is left (rules 6.1, 6.2)."""
    kind = _kind_of_end(state)
    if kind not in _PIECES:
        return None
    return _PIECES[kind][0] if supply_left(state.position.board, kind) > 0 else None


def _end(state: GameState) -> str:
    """The end tile's name, in stages that have one."""
    return "" if state.progress.taken is None else SQUARE_NAMES[state.progress.taken.end]


def _kind_of_end(state: GameState) -> TileAction | None:
    taken = state.progress.taken
    return None if taken is None else state.position.board[taken.end].kind.action


def check_pass(state: GameState) -> None:
    """Raises IllegalMoveError if a palm or palace has to be placed, which `ActTile()` itself does (rules 6.1, 6.2)."""
    kind = _kind_of_end(state)
    if kind is not None and (piece := placed_piece(state)) is not None:
        raise IllegalMoveError(
            "{square} is {tile}, so a {piece} must be put there: no pass (rules {rule})",
            square=_end(state),
            tile=_an(kind),
            piece=_PIECE_NAMES[piece],
            rule=_PIECES[kind][1],
        )


def check_placing(state: GameState, piece: str) -> None:
    """Raises IllegalMoveError unless the tile brings this "palm" or "palace" and one is left (rules 6.1, 6.2)."""
    kind = _kind_of_end(state)
    if kind is None or placed_piece(state) == piece:
        return
    if kind not in _PIECES or _PIECES[kind][0] != piece:
        raise IllegalMoveError(
            "{square} is {tile}, so no {piece} is put there (rules 6.1, 6.2)",
            square=_end(state),
            tile=_an(kind),
            piece=_PIECE_NAMES[piece],
        )
    raise IllegalMoveError(
        "no {piece} is left to put on {square}: pass (rules {rule})",
        piece=_PIECE_NAMES[piece],
        square=_end(state),
        rule=_PIECES[kind][1],
    )


def _an(kind: TileAction) -> str:
    return say("an {kind}", kind=kind) if kind is TileAction.OASIS else say("a {kind}", kind=kind)


def _market(game: MutableGame, end: int, choice: TileChoice) -> None:
    if not choice.cards:
        return
    market = MARKETS[game.board[end].kind.action]
    gold = game.moving.gold
    if gold is not None and gold < market.price:
        raise IllegalMoveError(
            "the market costs {price} GC, {mover} has {gold} (rules 6.3, 6.4)",
            price=market.price,
            mover=game.mover,
            gold=gold,
        )
    if tuple(sorted(choice.cards)) not in _purchases(game, market):
        raise IllegalMoveError(
            "a {action} sells {gives} of the first {among} cards of the row; asked for {cards} (rules 6.3, 6.4)",
            action=game.board[end].kind.action,
            gives=market.gives,
            among=market.among,
            cards=joined(", ", (say("card {place}", place=place + 1) for place in choice.cards)),
        )
    row = game.row or ()
    game.row = tuple(card for place, card in enumerate(row) if place not in choice.cards)
    game.add(game.mover, gold=-market.price)
    game.give_cards([row[place] for place in choice.cards], market.price)


def _sacred_place(game: MutableGame, _: int, choice: TileChoice) -> None:
    if choice.djinn is None:
        return
    if choice.djinn not in (game.djinns or ()):
        raise IllegalMoveError("{djinn} is not among the face-up djinns (rules 6.5)", djinn=choice.djinn)
    elders, fakirs = (1, 1) if choice.with_fakir else (2, 0)
    player = game.moving
    if (player.elders is not None and player.elders < elders) or not has_fakirs(game, fakirs):
        raise IllegalMoveError(
            "a djinn costs 2 elders, or 1 elder and 1 fakir; {colour} has {elders} and {fakirs} (rules 6.5)",
            colour=player.colour,
            elders=_held(player.elders, "elder"),
            fakirs=_held(player.fakirs, "fakir"),
        )
    game.djinns = tuple(name for name in game.djinns or () if name != choice.djinn)
    game.add(game.mover, elders=-elders)
    game.discard_fakirs(fakirs)
    take_djinn(game, choice.djinn, elders, fakirs)


def take_djinn(game: MutableGame, name: str, elders: int = 0, fakirs: int = 0) -> None:
    """Put a djinn in front of the mover, for which that many elders and fakirs were paid."""
    player = game.moving
    if player.djinns is not None:
        game.players[game.mover] = replace(player, djinns=(*player.djinns, name))
    game.announce(DjinnTaken(game.mover, name, elders, fakirs))


_ACTIONS: dict[TileAction, Callable[[MutableGame, int, TileChoice], None]] = {
    **dict.fromkeys(BUILT_ON, lambda game, end, choice: build(game, end, choice.helper, choice.onto)),
    **dict.fromkeys(MARKETS, _market),
    TileAction.SACRED_PLACE: _sacred_place,
}


def _held(number: int | None, noun: str) -> str:
    return "?" if number is None else counted(number, noun)
