"""Powers that cost something: who can pay for which, and using them (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMoveError
from companion.language.phrase import say, say_as
from companion.rules.engine.decks import djinns_in_deck, draw_card, draw_djinn, draw_meeples, has_fakirs
from companion.rules.engine.djinns import Djinn, Power
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.model.actions import Paid, UsePower, in_words
from companion.rules.model.board import SQUARE_NAMES, SURROUNDINGS, Tile
from companion.rules.model.components import TileAction
from companion.rules.model.events import (
    DjinnsDrawn,
    IncomeMultiplied,
    MeeplesAdded,
    PalacePlaced,
    PalmPlaced,
    PowerPaid,
)
from companion.rules.model.position import supply_left
from companion.rules.model.state import Stage

Wanted = Callable[[Djinn], bool]


def payable(game: MutableGame, wanted: Wanted, *, elders_kept: int = 0, fakirs_kept: int = 0) -> Iterator[Paid]:
    """Ways to pay for the mover's powers that are wanted and unused, with known holdings to spare."""
    if not game.moving.djinns:
        return
    player = game.moving
    elders, fakirs = (player.elders or 0) - elders_kept, (player.fakirs or 0) - fakirs_kept
    for djinn in game.powers(game.mover):
        if djinn.cost.payments and wanted(djinn) and djinn.name not in game.progress.used:
            for elders_paid, fakirs_paid in djinn.cost.payments:
                if elders_paid <= elders and fakirs_paid <= fakirs:
                    yield Paid(djinn.name, elders_paid, fakirs_paid)


def pay(game: MutableGame, paid: Paid, wanted: Wanted) -> Djinn:
    """Pay for a power. Raises IllegalMoveError if the mover doesn't have it, has used it or can't pay for it."""
    djinn = _own(game, paid.djinn, wanted)
    if djinn.name in game.progress.used:
        raise IllegalMoveError("{djinn} has already been used this turn; once is allowed (rules 11)", djinn=djinn.name)
    if (paid.elders, paid.fakirs) not in djinn.cost.payments:
        raise IllegalMoveError(
            "{djinn} costs {cost}, not {paid} (rules 11)",
            djinn=djinn.name,
            cost=djinn.cost.words,
            paid=in_words(paid.elders, paid.fakirs),
        )
    player = game.moving
    if (player.elders is not None and player.elders < paid.elders) or not has_fakirs(game, paid.fakirs):
        raise IllegalMoveError(
            "{djinn} costs {cost}; {colour} has {held} (rules 11)",
            djinn=djinn.name,
            cost=in_words(paid.elders, paid.fakirs),
            colour=player.colour,
            held=in_words(player.elders or 0, player.fakirs or 0),
        )
    game.add(game.mover, elders=-paid.elders)
    game.discard_fakirs(paid.fakirs)
    game.progress = replace(game.progress, used=(*game.progress.used, djinn.name))
    game.announce(PowerPaid(game.mover, djinn.name, paid.elders, paid.fakirs))
    return djinn


def _own(game: MutableGame, name: str, wanted: Wanted) -> Djinn:
    """A djinn that the mover has, or may have, and whose power is of use here."""
    known = game.moving.djinns
    djinn = game.djinns_in_game.get(name)
    if djinn is None or (known is not None and name not in known):
        raise IllegalMoveError("{mover} does not have {name} (rules 11)", mover=game.mover, name=name)
    if not wanted(djinn):
        raise IllegalMoveError("{name} has no power to use here (rules 11)", name=name)
    return djinn


def _is_action(djinn: Djinn) -> bool:
    return djinn.power is not None


BUILT_ON = (TileAction.OASIS, TileAction.VILLAGE)
"""Tiles that bring a palm and a palace."""


def _diverts(kind: TileAction) -> Wanted:
    return lambda djinn: djinn.diverts is kind


def diversions(game: MutableGame, square: int, spent: Paid | None = None) -> Iterator[tuple[Paid, int]]:
    """Powers that divert what this tile brings, with each tile they divert to (rules 11.5), after paying `spent`."""
    kind = game.board[square].kind.action
    if kind not in BUILT_ON:
        return
    elders, fakirs = (0, 0) if spent is None else (spent.elders, spent.fakirs)
    for helper in payable(game, _diverts(kind), elders_kept=elders, fakirs_kept=fakirs):
        for onto in SURROUNDINGS[square]:
            yield helper, onto


def build(game: MutableGame, square: int, helper: Paid | None = None, onto: int | None = None) -> None:
    """Put what this tile brings on it, or by a helping power `onto` a neighbour. Raises IllegalMoveError."""
    kind = game.board[square].kind.action
    if (helper is None) != (onto is None):
        raise IllegalMoveError(
            "{square}: a power that diverts and a tile go together (rules 11.5)", square=SQUARE_NAMES[square]
        )
    if supply_left(game.board, kind) <= 0:
        if helper is not None:
            raise IllegalMoveError(
                "the supply is empty, so {djinn} has nothing to divert (rules 6.1, 6.2)", djinn=helper.djinn
            )
        return
    if helper is not None and onto is not None:
        if onto not in SURROUNDINGS[square]:
            raise IllegalMoveError(
                "{square} is not one of the tiles around {start} (rules 11.2)",
                square=SQUARE_NAMES[onto],
                start=SQUARE_NAMES[square],
            )
        pay(game, helper, _diverts(kind))
    at = square if onto is None else onto
    tile = game.board[at]
    if kind is TileAction.OASIS:
        game.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms + 1, tile.palaces)
        game.announce(PalmPlaced(game.mover, at))
    else:
        game.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms, tile.palaces + 1)
        game.announce(PalacePlaced(game.mover, at))


def square_of(use: UsePower) -> int:
    """The tile that a power works on. Raises ValueError if there is none."""
    if use.square is None:
        raise ValueError(f"{use} names no tile")
    return use.square


_NOTHING = say_as("needed for a power", "nothing")


@dataclass(frozen=True, slots=True)
class _Effect:
    """What a power does, once paid for (`use`), on which tiles (None for no tile), if it's `ready`, which `needs`
    words. One that `takes_help` builds what another may divert (rules 11.5).
    """

    use: Callable[[MutableGame, UsePower], None]
    needs: str = _NOTHING
    squares: Callable[[MutableGame], Iterable[int | None]] = lambda game: (None,)
    ready: Callable[[MutableGame], bool] = lambda game: True
    takes_help: bool = False


# On tiles: palms and palaces, camels, meeples.

MEEPLES_REVIVED = 3
BUILDERS_FACTOR = 2
"""What builders bring is multiplied by, where that is paid for."""
_DJINNS_DRAWN = 3


def _building(needs: str, kind: TileAction) -> _Effect:
    return _Effect(
        lambda game, use: build(game, square_of(use), use.helper, use.onto),
        needs,
        lambda game: (square for square, tile in enumerate(game.board) if tile.kind.action is kind),
        lambda game: supply_left(game.board, kind) > 0,
        takes_help=True,
    )


def _empty(game: MutableGame) -> Iterator[int]:
    return (square for square, tile in enumerate(game.board) if tile.is_empty)


def _with_meeples_only(game: MutableGame) -> Iterator[int]:
    return (
        square
        for square, tile in enumerate(game.board)
        if any(tile.meeples) and tile.camel is None and not tile.palms and not tile.palaces
    )


def _claiming(needs: str, squares: Callable[[MutableGame], Iterable[int]]) -> _Effect:
    return _Effect(lambda game, use: game.claim(square_of(use)), needs, squares, lambda game: game.camels > 0)


def _revive(game: MutableGame, use: UsePower) -> None:
    square = square_of(use)
    meeples = draw_meeples(game, MEEPLES_REVIVED)
    game.board[square] = replace(game.board[square], meeples=meeples)
    game.announce(MeeplesAdded(game.mover, square, meeples))


# From the decks.


def _draw_djinns(game: MutableGame, _: UsePower) -> None:
    drawn: tuple[str, ...] = ()
    for _draw in range(_DJINNS_DRAWN):
        drawn += draw_djinn(game, drawn)
    game.announce(DjinnsDrawn(game.mover, drawn))
    # The turn goes on where it was interrupted once one of them is kept.
    game.progress = replace(game.progress, drawn=drawn, resume=game.stage)
    game.stage = Stage.KEEP


# Within another action, or a bid (rules 11.5, 11.8 to 11.10).


def _double_builders(game: MutableGame, _: UsePower) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    earned = game.progress.income
    game.progress = replace(game.progress, factor=BUILDERS_FACTOR)
    if earned:
        game.add(game.mover, gold=earned)
        game.announce(IncomeMultiplied(game.mover, earned))


_EFFECTS: dict[Power, _Effect] = {
    Power.BUILD_PALACE: _building(say("a palace in the supply and a village"), TileAction.VILLAGE),
    Power.BUILD_PALM: _building(say("a palm in the supply and an oasis"), TileAction.OASIS),
    Power.CLAIM_EMPTY: _claiming(say("a camel and a tile with nothing on it"), _empty),
    Power.CLAIM_PEOPLED: _claiming(say("a camel and a tile with only meeples on it"), _with_meeples_only),
    Power.DOUBLE_BUILDERS: _Effect(_double_builders),
    Power.DRAW_CARD: _Effect(lambda game, use: game.give_cards(draw_card(game, face_up=False))),
    Power.DRAW_DJINNS: _Effect(
        _draw_djinns,
        say("a djinn in the deck or put away"),
        ready=lambda game: bool(djinns_in_deck(game) or game.djinn_discards),
    ),
    Power.REVIVE: _Effect(
        _revive, say("a meeple in the bag and a tile with nothing on it"), _empty, lambda game: any(game.bag)
    ),
}


def power_actions(game: MutableGame) -> Iterator[UsePower]:
    """Every use of the mover's powers that are actions of their own, and that can be paid for."""
    for paid in payable(game, _is_action):
        effect = _effect(game.djinns_in_game[paid.djinn])
        for square in effect.squares(game) if effect.ready(game) else ():
            yield UsePower(paid, square)
            if square is not None and effect.takes_help:
                yield from (UsePower(paid, square, helper, onto) for helper, onto in diversions(game, square, paid))


def _effect(djinn: Djinn) -> _Effect:
    assert djinn.power is not None
    return _EFFECTS[djinn.power]


def use_power(game: MutableGame, use: UsePower) -> None:
    """Pay for a power and use it. Raises IllegalMoveError if that is not possible."""
    effect = _effect(_own(game, use.paid.djinn, _is_action))
    if not effect.ready(game) or use.square not in effect.squares(game):
        where = "" if use.square is None else say(" on {square}", square=SQUARE_NAMES[use.square])
        raise IllegalMoveError(
            "{djinn} can't be used{where}: it needs {needs} (rules 11)",
            djinn=use.paid.djinn,
            where=where,
            needs=effect.needs,
        )
    if use.helper is not None and not effect.takes_help:
        raise IllegalMoveError(
            "{djinn} places nothing for {helper} to divert (rules 11.5)", djinn=use.paid.djinn, helper=use.helper.djinn
        )
    if (use.helper is None) != (use.onto is None):
        raise IllegalMoveError("{use}: a power that diverts needs a tile to divert to (rules 11.5)", use=use)
    pay(game, use.paid, _is_action)
    effect.use(game, use)
